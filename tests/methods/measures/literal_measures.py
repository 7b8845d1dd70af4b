"""The textbook definitions of the measures for one ranking without ties, in plain Python.

A ranking is the list of its grades by place, the judgments are the list of the topic's grades. What is
not judged, or has a grade of 0 or below, is 0. Nothing here knows the library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, product

from tests.literal import ranked

Grades = Sequence[float]
Definition = Callable[[Grades, Grades, int | None], float]


def precision(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """Relevant among the first k, over k, or over all that is retrieved."""
    depth = len(listed) if cutoff is None else cutoff
    return sum(grade >= rel for grade in listed[:depth]) / depth if depth else 0.0


def recall(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """Relevant among the first k, over all that are relevant."""
    relevant = sum(grade >= rel for grade in judged)
    return sum(grade >= rel for grade in listed[:cutoff]) / relevant if relevant else 0.0


def f1(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """The harmonic mean of precision and recall."""
    p, r = precision(listed, judged, cutoff, rel), recall(listed, judged, cutoff, rel)
    return 2 / (1 / p + 1 / r) if p and r else 0.0


def average_precision(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """The sum of the precision at each relevant item, over all that are relevant."""
    relevant = sum(grade >= rel for grade in judged)
    found = [
        precision(listed, judged, place, rel)
        for place, grade in enumerate(listed[:cutoff], start=1)
        if grade >= rel
    ]
    return math.fsum(found) / relevant if relevant else 0.0


def reciprocal_rank(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1, level: int = 1
) -> float:
    """One over the place of the first relevant item, or of the second, the third, ..."""
    found = 0
    for place, grade in enumerate(listed[:cutoff], start=1):
        if grade >= rel:
            found += 1
            if found == level:
                return 1 / place
    return 0.0


def r_precision(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """Relevant among the first m, over m: as many as are relevant."""
    relevant = sum(grade >= rel for grade in judged)
    return sum(grade >= rel for grade in listed[:cutoff][:relevant]) / relevant if relevant else 0.0


def success(listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1) -> float:
    """Whether any of the first k is relevant."""
    return float(any(grade >= rel for grade in listed[:cutoff]))


def rank_biased_precision(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1, persistence: float = 0.8
) -> float:
    """What a searcher gains who looks at the next place with this probability."""
    total, looking = 0.0, 1.0
    for grade in listed[:cutoff]:
        total += looking * (grade >= rel)
        looking *= persistence
    return (1 - persistence) * total


def average_search_length(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1, *, size: int
) -> float:
    """The mean place of the relevant items."""
    places = relevant_places(listed, judged, cutoff, rel, size)
    return sum(places) / len(places) if places else 0.0


def initial_search_length(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1, *, size: int
) -> float:
    """The place of the first relevant item."""
    return min(relevant_places(listed, judged, cutoff, rel, size), default=0)


def total_search_length(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float = 1, *, size: int
) -> float:
    """The place of the last relevant item."""
    return max(relevant_places(listed, judged, cutoff, rel, size), default=0)


def relevant_places(
    listed: Grades, judged: Grades, cutoff: int | None, rel: float, size: int
) -> list[int]:
    """The places of the relevant items; those that are not listed are the last of all."""
    places = [place for place, grade in enumerate(listed[:cutoff], start=1) if grade >= rel]
    missing = sum(grade >= rel for grade in judged) - len(places)
    return [*places, *range(size - missing + 1, size + 1)]


def ndcg(
    listed: Grades,
    judged: Grades,
    cutoff: int | None,
    rel: float = 1,
    gain: Callable[[float], float] = lambda grade: grade,
) -> float:
    """Discounted gains over those of the judged items in the best order."""

    def dcg(gains: list[float]) -> float:
        return math.fsum(g / math.log2(place + 1) for place, g in enumerate(gains[:cutoff], 1))

    def gains(grades: Grades) -> list[float]:
        return [gain(grade) if grade >= rel else 0.0 for grade in grades]

    ideal = dcg(sorted(gains(judged), reverse=True))
    return dcg(gains(listed)) / ideal if ideal else 0.0


def in_order(scores: Mapping[str, float], grades: Mapping[str, float]) -> Grades:
    """The grades by place in trec_eval's order."""
    return [max(grades.get(document, 0), 0) for document in ranked(scores)]


def every_order(scores: Mapping[str, float], grades: Mapping[str, float]) -> Iterator[Grades]:
    """The grades by place under every order of the tied groups, each distinct pattern once.

    Within a group all patterns come from equally many orders, so their plain mean is the expectation.
    """
    groups = [
        [max(grades.get(document, 0), 0) for document in group]
        for _, group in groupby(ranked(scores), key=lambda document: scores[document])
    ]
    for arranged in product(*(list(_patterns(sorted(group))) for group in groups)):
        yield [grade for group in arranged for grade in group]


def _patterns(grades: list[float]) -> Iterator[list[float]]:
    """The distinct permutations of a list."""
    if not grades:
        yield []
    for first in sorted(set(grades)):
        rest = list(grades)
        rest.remove(first)
        for tail in _patterns(rest):
            yield [first, *tail]

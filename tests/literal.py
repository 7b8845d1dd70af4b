"""The definitions of the papers, word for word: plain Python and fractions, to hold the library against.

A ranking of one topic is ``{document: score}``, its judgments are ``{document: grade}``, and positions
are ascending from 1, ``INF`` where an item is not retrieved. Nothing here knows the library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product

Positions = tuple[float, ...]
Weight = Callable[[int], Fraction]
INF = math.inf

# What is smaller in 50 digits is zero in exact arithmetic.
_ZERO = Fraction(1, 10**40)


def sign(number: float | Fraction) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def rounded(number: Fraction) -> float:
    """The number as a float; 0 where it is zero but for the digits that irrational weights lack."""
    return 0.0 if abs(number) < _ZERO else float(number)


# Rankings


def ranked(scores: Mapping[str, float]) -> list[str]:
    """trec_eval's order: score descending, then document descending byte by byte."""
    return sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)


def tied_group(scores: Mapping[str, float], document: str) -> tuple[int, int]:
    """The first and last position that any order of the ties could give a document."""
    better = sum(score > scores[document] for score in scores.values())
    equal = sum(score == scores[document] for score in scores.values())
    return better + 1, better + equal


def relevant(grades: Mapping[str, float], rel: float = 1) -> set[str]:
    """The documents of a grade of at least ``rel``, and above 0."""
    return {document for document, grade in grades.items() if grade >= rel and grade > 0}


def positions(
    scores: Mapping[str, float], wanted: Iterable[str], cutoff: int | None = None
) -> Positions:
    """Where the wanted documents are, ascending."""
    place = {document: rank for rank, document in enumerate(ranked(scores), start=1)}
    found = (place.get(document, INF) for document in wanted)
    return tuple(sorted(INF if cutoff is not None and rank > cutoff else rank for rank in found))


def serp(
    scores: Mapping[str, float], values: Mapping[str, Fraction], cutoff: int | None, depth: int
) -> list[Fraction]:
    """The value at each rank down to the cutoff (or a depth), padded with zeros."""
    length = depth if cutoff is None else cutoff
    listed = [values.get(document, Fraction(0)) for document in ranked(scores)][:length]
    return listed + [Fraction(0)] * (length - len(listed))


# Sign profiles and their folds


def signs(first: Positions, second: Positions) -> list[int]:
    """At each recall level, +1 where the first ranking needs less effort."""
    return [
        0 if mine == other else 1 if mine < other else -1
        for mine, other in zip(first, second, strict=True)
    ]


def sgn_lp(first: Positions, second: Positions) -> int:
    """Lexiprecision: scan from the top, the first difference decides."""
    for mine, other in zip(first, second, strict=True):
        if mine != other:
            return 1 if mine < other else -1
    return 0


def reciprocal(position: float) -> Fraction:
    """1/p, and 0 for what is not retrieved."""
    return Fraction(0) if position == INF else Fraction(1, int(position))


def rr_lp(first: Positions, second: Positions) -> Fraction:
    """Lexiprecision with the difference of the reciprocal positions where it is decided."""
    for mine, other in zip(first, second, strict=True):
        if mine != other:
            return reciprocal(mine) - reciprocal(other)
    return Fraction(0)


def lexirecall(first: Positions, second: Positions) -> int:
    """Lexirecall: scan from the bottom, the first difference decides."""
    for mine, other in zip(reversed(first), reversed(second), strict=True):
        if mine != other:
            return 1 if mine < other else -1
    return 0


@cache
def dcg_weight(level: int) -> Fraction:
    """1 / log2(i + 1) to 50 digits."""
    with localcontext() as context:
        context.prec = 50
        return Fraction(Decimal(2).ln() / Decimal(level + 1).ln())


WEIGHTS: dict[str, Weight] = {
    "uniform": lambda level: Fraction(1),
    "dcg": dcg_weight,
    "inverse": lambda level: Fraction(1, level),
}


def rpp(first: Positions, second: Positions, weight: Weight) -> Fraction:
    """Recall-paired preference: the weighted mean of the signs."""
    profile = signs(first, second)
    if not profile:
        return Fraction(0)
    weights = [weight(level) for level in range(1, len(profile) + 1)]
    return sum((w * s for w, s in zip(weights, profile, strict=True)), Fraction(0)) / sum(weights)


def graded_rpp(
    grades: Mapping[str, float],
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    weight: Weight,
    rel: float = 1,
    cutoff: int | None = None,
) -> Fraction:
    """Eq. 5: for each grade present one population, counting as the items of at least that grade."""
    thresholds = {grades[document] for document in relevant(grades, rel)}
    return _mixture(
        [relevant(grades, grade) for grade in thresholds], first, second, weight, cutoff
    )


def subtopic_rpp(
    judgments: Mapping[tuple[str, str], float],
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    weight: Weight,
    rel: float = 1,
    cutoff: int | None = None,
) -> Fraction:
    """Eq. 6: one population for each subtopic, and one that any of them satisfies.

    Args:
        judgments: ``{(document, subtopic): grade}``.
    """
    counted = {pair for pair, grade in judgments.items() if grade >= rel and grade > 0}
    subtopics = {subtopic for _, subtopic in counted}
    wanted = [{d for d, s in counted if s == subtopic} for subtopic in subtopics]
    if wanted:
        wanted.append({document for document, _ in counted})
    return _mixture(wanted, first, second, weight, cutoff)


def _mixture(
    populations: Sequence[set[str]],
    first: Mapping[str, float],
    second: Mapping[str, float],
    weight: Weight,
    cutoff: int | None,
) -> Fraction:
    total = sum(len(wanted) for wanted in populations)
    return sum(
        (
            Fraction(len(wanted), total)
            * rpp(positions(first, wanted, cutoff), positions(second, wanted, cutoff), weight)
            for wanted in populations
        ),
        Fraction(0),
    )


# Innate pairwise SERP orderings


def algorithm_1(first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
    """Algorithm 1 of Moffat & Mackenzie (2024), line by line."""
    cumul = Fraction(0)
    been_neg = been_pos = False
    for i in range(len(first)):
        cumul = cumul + first[i]
        cumul = cumul - second[i]
        if cumul < 0:
            been_neg = True
        if cumul > 0:
            been_pos = True
    if been_neg and been_pos:
        return "**"
    if been_pos:
        return "ni"
    if been_neg:
        return "ns"
    return "="


def closure(depth: int, grades: Sequence[int]) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """By SERP, all that Rules 1 and 2 make it non-inferior to: reachability in the graph of both.

    Rule 1: one element goes down one grade. Rule 2: an element moves right, in exchange with an element of
    strictly lower grade that moves left.
    """
    below = dict(zip(grades[1:], grades, strict=False))

    def weaker(one: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        for i, grade in enumerate(one):
            if grade in below:
                yield (*one[:i], below[grade], *one[i + 1 :])
            for j in range(i + 1, depth):
                if one[j] < grade:
                    swapped = list(one)
                    swapped[i], swapped[j] = one[j], grade
                    yield tuple(swapped)

    reached = {}
    for start in product(grades, repeat=depth):
        seen, waiting = {start}, [start]
        while waiting:
            for other in weaker(waiting.pop()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        reached[start] = seen
    return reached


def relation_by_rules(
    reached: Mapping[tuple[int, ...], set[tuple[int, ...]]],
    first: tuple[int, ...],
    second: tuple[int, ...],
) -> str:
    """The relation that the closure of the two rules gives."""
    not_inferior, not_superior = second in reached[first], first in reached[second]
    if not_inferior and not_superior:
        return "="
    return "ni" if not_inferior else "ns" if not_superior else "**"

"""All orders of two rankings' tied groups, one by one, and small random topics to try them on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, product

from tests.literal import INF, Positions

Pattern = tuple[int, ...]
"""The grade at each rank."""
Scores = Mapping[str, float]


def arrangements(grades: Sequence[int]) -> Iterator[Pattern]:
    """The distinct orders of some grades; each stands for equally many orders of the documents."""
    if not grades:
        yield ()
    for grade in sorted(set(grades)):
        rest = list(grades)
        rest.remove(grade)
        for order in arrangements(rest):
            yield (grade, *order)


def patterns(scores: Scores, grades: Mapping[str, int]) -> list[Pattern]:
    """What a ranking may look like, each as likely as any other."""
    documents = sorted(scores, key=lambda document: -scores[document])
    groups = [
        list(arrangements([grades.get(document, 0) for document in group]))
        for _, group in groupby(documents, key=lambda document: scores[document])
    ]
    return [sum(choice, ()) for choice in product(*groups)]


def places(pattern: Pattern, levels: int, threshold: int, cutoff: int | None) -> Positions:
    """The ranks of the grades from a threshold on; ∞ for those that are not in the pattern."""
    found = [float(rank) for rank, grade in enumerate(pattern[:cutoff], 1) if grade >= threshold]
    return tuple(found + [INF] * (levels - len(found)))


def mean_over_orders(
    first: Sequence[Pattern],
    second: Sequence[Pattern],
    view: Callable[[Pattern], tuple[object, ...]],
    value: Callable[..., Fraction | int],
) -> Fraction:
    """The mean of a value of what is seen of two patterns, every two being equally likely."""
    one, other = (Counter(map(view, side)) for side in (first, second))
    total = sum(
        (Fraction(n * k * value(a, c)) for (a, n), (c, k) in product(one.items(), other.items())),
        Fraction(0),
    )
    return total / (len(first) * len(second))


def random_topic(rng: random.Random, systems: int) -> tuple[dict[str, int], list[dict[str, float]]]:
    """Judgments of three grades, and lists of at most six documents, of which many are tied.

    Relevant documents that no list has are frequent, and so are ties at the top and at the bottom.
    """
    pool = [f"d{d}" for d in range(rng.randint(1, 8))]
    grades = {document: rng.choice((0, 1, 1, 2)) for document in pool}
    grades[rng.choice(pool)] = rng.choice((1, 2))
    lists = []
    for _ in range(systems):
        listed = rng.sample(pool, rng.randint(1, min(6, len(pool))))
        listed += [f"u{u}" for u in range(rng.randint(0, 6 - len(listed)))]
        values = range(rng.choice((1, 1, 2, 2, 3, 6)))
        lists.append({document: float(rng.choice(values)) for document in listed})
    return grades, lists

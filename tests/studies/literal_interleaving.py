"""Lists that are interleaved, shown and clicked document by document: plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.literal import sign


def interleave(
    one: Sequence[str], other: Sequence[str], *, one_first: bool, shorter: bool = False
) -> list[str]:
    """Balanced interleaving, line by line (Joachims 2002; Chapelle et al. 2012, Algorithm 1).

    Algorithm 1 ends with the shorter ranking. If not, the rest of the other one follows, as if both ranked
    all documents.
    """
    interleaved: list[str] = []
    k_one = k_other = 0
    while k_one < len(one) and k_other < len(other):
        if k_one < k_other or (k_one == k_other and one_first):
            if one[k_one] not in interleaved:
                interleaved.append(one[k_one])
            k_one += 1
        else:
            if other[k_other] not in interleaved:
                interleaved.append(other[k_other])
            k_other += 1
    if shorter:
        return interleaved
    rest = [*one[k_one:], *other[k_other:]]
    return interleaved + [document for document in rest if document not in interleaved]


def preferred(
    one: list[str],
    other: list[str],
    relevant: list[str],
    wanted: int,
    *,
    one_first: bool,
    unsatisfied: bool,
    shorter: bool = False,
) -> int:
    """Which list a user prefers who clicks relevant documents until there are so many."""
    clicks: list[str] = []
    for document in interleave(one, other, one_first=one_first, shorter=shorter):
        if document in relevant and len(clicks) < wanted:
            clicks.append(document)
    if not clicks or (len(clicks) < wanted and not unsatisfied):
        return 0
    k = min(ranking.index(clicks[-1]) + 1 for ranking in (one, other) if clicks[-1] in ranking)
    mine, others = (sum(click in ranking[:k] for click in clicks) for ranking in (one, other))
    return sign(mine - others)


def by_clicks(
    one: list[str],
    other: list[str],
    relevant: list[str],
    users: Sequence[Fraction | int],
    unsatisfied: bool,
    shorter: bool = False,
) -> Fraction:
    total = sum(
        share
        * preferred(
            one,
            other,
            relevant,
            wanted,
            one_first=coin,
            unsatisfied=unsatisfied,
            shorter=shorter,
        )
        for wanted, share in enumerate(users, start=1)
        for coin in (True, False)
    )
    return Fraction(total) / (2 * Fraction(sum(users)))


def by_precision(
    one: list[str], other: list[str], relevant: list[str], weights: Sequence[Fraction | int]
) -> Fraction:
    longer = max(len(one), len(other))
    total = sum(
        weights[k - 1]
        * sign(
            sum(document in relevant for document in one[:k])
            - sum(document in relevant for document in other[:k])
        )
        for k in range(1, longer + 1)
    )
    return Fraction(total) / (Fraction(sum(weights[:longer])) or 1)

"""tie_probability: how likely do two random rankings tie? (Diaz 2023; Diaz & Mitra 2023)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from irpref.base.literals import Progress, watched
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import DataFree, Findings
from irpref.studies.findings import Finding

_TIE = "tie of two random rankings"
# Diaz & Mitra (2023), Figure 7: each topic has from 5 to 50 relevant items, all equally likely.
_DEEP, _DEEP_RELEVANT, _DEEP_CUTOFF = 250_000, range(5, 51), 1_000
_DEPTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 200_000, 250_000)
_BY_DEPTH = "tie of two random rankings, by items retrieved"
# Diaz (2023), Figure 2.
_WIDE = 50_000
_PLACES = (1, 2, 5, 10, 20, 50, 100, 200, 300, 400, 500)
_BY_PLACE = {m: f"tie given p_1, m = {m}" for m in (10, 50, 100, 250)}
_SKEW = f"tie given p_1 = {_PLACES[0]}, over that given p_1 = {_PLACES[-1]}"
# Diaz & Mitra (2023), Table 2, as printed.
_TABLE_2_RELEVANT, _TABLE_2_CUTOFF = 10, 1_000
_TABLE_2 = {
    1_000: {"TSE": 0.00529, "R@1000": 1.00000, "RP": 0.82566, "LR": 0.00000},
    10_000: {"TSE": 0.00053, "R@1000": 0.31267, "RP": 0.98028, "LR": 0.00000},
    100_000: {"TSE": 0.00005, "R@1000": 0.82626, "RP": 0.99800, "LR": 0.00000},
    1_000_000: {"TSE": 0.00001, "R@1000": 0.98029, "RP": 0.99980, "LR": 0.00000},
}


@dataclass(frozen=True, kw_only=True)
class TieProbability(DataFree):
    """The chance that two random rankings of n items, of which m are relevant, tie.

    A ranking is one of all orders of the items, cut to those that it retrieves. LP and LR tie where all
    positions are the same, RR where the first relevant item's is, TSE where the last one's is, and recall
    at k and RP where as many relevant items are among the first k, or m. What is not retrieved is at the
    same position, behind the others (Diaz & Mitra 2023, Appendix A.4, Table 2 and, by items retrieved,
    Figure 7). RR is also given where the position of one ranking's first relevant item is known
    (Diaz 2023, Figure 2). Every chance is a ratio of whole numbers, rounded once. What Table 2 prints
    stands beside it.

    Attributes:
        items: n, one number or several.
        relevant: m, one number or several.
        depths: How many items a ranking retrieves, one number or several; by default all.
        cutoff: The cutoff of recall.

    Raises:
        ValueError: A number is not a whole one above 0, or more items are relevant than there are.

    Example:
        >>> import irpref
        >>> study = irpref.studies.tie_probability(items=4, relevant=2)
        >>> found = study.frame.query("treatment == 'n = 4, m = 2'").set_index("method")["estimate"]
        >>> found[["RR", "LP"]].round(4).to_dict()
        {'RR': 0.3889, 'LP': 0.1667}
    """

    question = "How likely do two random rankings tie?"
    layouts = (
        Layout(
            "Chance of a tie",
            [_TIE],
            columns="method",
            format=".3g",
            rows={"treatment": "items, relevant", "against": ""},
        ),
        Layout(
            f"Chance of a tie, by items retrieved of {_DEEP:,}",
            [_BY_DEPTH],
            columns="method",
            format=".3g",
            rows={"treatment": "retrieved"},
        ),
        Layout(
            f"Chance of a tie under RR, by one ranking's first position p_1, of {_WIDE:,} items",
            {each: f"m = {m}" for m, each in _BY_PLACE.items()},
            format=".3g",
            rows={"treatment": "p_1"},
        ),
    )
    picture = Picture(
        "lines",
        x=f"items retrieved of {_DEEP:,}",
        y="chance of a tie",
        # Here LP ties as LR does, and RR hardly more.
        where={"condition": [_BY_DEPTH], "method": ["LR", "R@1000", "RP", "TSE"]},
    )
    notes = (
        f"By items retrieved: the mean over topics with {_DEEP_RELEVANT[0]} to {_DEEP_RELEVANT[-1]} "
        "relevant items.",
    )

    items: tuple[int, ...] = options.counts(
        tuple(_TABLE_2), "how many items there are", metavar="N,…"
    )
    relevant: tuple[int, ...] = options.counts(
        (_TABLE_2_RELEVANT,), "how many of them are relevant", metavar="M,…"
    )
    depths: tuple[int, ...] | None = options.counts(
        None, "how many items a ranking retrieves", shown="all", metavar="N,…"
    )
    cutoff: int = options.count(_TABLE_2_CUTOFF, "cutoff of recall", metavar="K")

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_relevant(min(self.items), self.relevant)

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Findings:
        yield from self.grid()
        for n in self.items:
            for method, printed in _TABLE_2.get(n, {}).items():
                yield Finding(method, "printed", _TIE, f"n = {n}, m = {_TABLE_2_RELEVANT}", printed)
        for depth in watched(_DEPTHS, "cutting rankings", progress):
            for method, chance in _chances(_DEEP_CUTOFF).items():
                mean = np.mean([chance(_DEEP, m, depth) for m in _DEEP_RELEVANT])
                yield Finding(method, "", _BY_DEPTH, str(depth), float(mean))
        for (m, condition), place in product(_BY_PLACE.items(), _PLACES):
            yield Finding("RR", "", condition, str(place), first_at(_WIDE, m, place))
        for m in _BY_PLACE:
            top, deep = (first_at(_WIDE, m, place) for place in (_PLACES[0], _PLACES[-1]))
            yield Finding("RR", "", _SKEW, str(m), top / deep)

    def grid(self) -> Findings:
        """The chances for every n, m and depth that is asked for."""
        for m, n, depth in product(self.relevant, self.items, self.depths or (None,)):
            said = f"n = {n}, m = {m}" + ("" if depth is None else f", {depth} retrieved")
            kept = n if depth is None else min(depth, n)
            for method, chance in _chances(self.cutoff).items():
                yield Finding(method, "", _TIE, said, chance(n, m, kept))


def _chances(cutoff: int) -> dict[str, Callable[[int, int, int], float]]:
    """By method, the chance of a tie for n items, m relevant ones, and a depth."""
    return {
        "RR": first_alike,
        "LP": all_alike,
        "TSE": last_alike,
        f"R@{cutoff}": lambda n, m, depth: count_alike(n, m, min(cutoff, depth)),
        "RP": lambda n, m, depth: count_alike(n, m, min(m, depth)),
        "LR": all_alike,
    }


# How likely the places of m items are alike in two random orders of n items, exactly. Each order is cut to
# its first items, down to the depth. Items below have no place of their own: they are alike. Every chance
# is a ratio of whole numbers, which is rounded once, to the nearest float (0 below 5e-324).
def all_alike(n: int, m: int, depth: int) -> float:
    """All places are alike: ``Σ_x P(x)² / C(depth, x)``, for x items of the m above the depth.

    Example:
        >>> all_alike(4, 2, 4), all_alike(4, 2, 1)
        (0.16666666666666666, 0.5)
    """
    ways = sum(comb(depth, x) * comb(n - depth, m - x) ** 2 for x in range(m + 1))
    return ways / comb(n, m) ** 2


def count_alike(n: int, m: int, depth: int) -> float:
    """As many of the items are above the depth: ``Σ_x P(x)²``.

    Example:
        >>> count_alike(4, 2, 1), count_alike(4, 2, 4)
        (0.5, 1.0)
    """
    ways = sum((comb(depth, x) * comb(n - depth, m - x)) ** 2 for x in range(m + 1))
    return ways / comb(n, m) ** 2


def first_alike(n: int, m: int, depth: int) -> float:
    """The first item's place is alike.

    Example:
        >>> first_alike(4, 2, 4) == ((3 / 6) ** 2 + (2 / 6) ** 2 + (1 / 6) ** 2)
        True
    """
    # At place i there are C(n - i, m - 1) ways for the others.
    found = _squares(n, m - 1) - _squares(n - depth, m - 1)
    return (found + comb(n - depth, m) ** 2) / comb(n, m) ** 2


def first_at(n: int, m: int, place: int) -> float:
    """The first item is at this place in a random order that is not cut: ``C(n - i, m - 1) / C(n, m)``.

    Example:
        >>> [round(first_at(4, 2, place), 3) for place in (1, 2, 3, 4)]
        [0.5, 0.333, 0.167, 0.0]
    """
    return comb(n - place, m - 1) / comb(n, m)


def last_alike(n: int, m: int, depth: int) -> float:
    """The last item's place is alike.

    Example:
        >>> last_alike(4, 2, 4) == first_alike(4, 2, 4), last_alike(4, 2, 1)
        (True, 1.0)
    """
    return ((comb(n, m) - comb(depth, m)) ** 2 + _squares(depth, m - 1)) / comb(n, m) ** 2


def _squares(n: int, k: int) -> int:
    """``Σ C(x, k)²`` over x from 0 to n - 1, without going over them.

    The product of two binomials of x is a sum of such, ``C(x, k)² = Σ_j C(2k - j, j) C(2k - 2j, k - j)
    C(x, 2k - j)``, and ``Σ_{x < n} C(x, i) = C(n, i + 1)``.

    Example:
        >>> _squares(5, 2) == 1**2 + 3**2 + 6**2
        True
    """
    return sum(
        comb(2 * k - j, j) * comb(2 * k - 2 * j, k - j) * comb(n, 2 * k - j + 1)
        for j in range(k + 1)
    )

"""ipso_space: which share of all pairs of SERPs does IPSO order? (Moffat & Mackenzie 2024)"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from irpref.base.arrays import Integers, Objects
from irpref.base.literals import Progress
from irpref.methods.measures import AP, RBP, RR, Measure, P, nDCG
from irpref.methods.measures.success import Success
from irpref.methods.preferences.ipso import IPSO, RELATIONS
from irpref.positions.given_positions import UNRETRIEVED, placements_at
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import DataFree, Findings, rows
from irpref.studies.findings import Finding
from irpref.studies.numbers.order_agreement import tau_b

_KINDS = ("equal", "separable", "non-separable")
_SHORT, _LONG = 3, 6
_SCORE = "score of a SERP"
_CELL = "relation of two SERPs: 1 if ni, -1 if ns, 0 if ="
_CELLS = "pairs of SERPs, by relation"
_TAU = f"Kendall's tau of two orders of all SERPs of length {_LONG}"
_PRINTED = "printed"
# Table 1: metrics that score 100 below, equal to and above 011.
_METRICS = (
    *(P @ 3, RBP(persistence=0.8) @ 3, AP @ 3, nDCG @ 3),
    *(Success @ 3, RBP(persistence=(5**0.5 - 1) / 2) @ 3),
    *(RR @ 3, RBP(persistence=0.5) @ 3),
)
# Table 2, as printed: equal, separable, non-separable; from k = 20 on by sampling.
_TABLE_2 = {
    5: (0.0312, 0.8398, 0.1289),
    10: (0.0010, 0.6708, 0.3281),
    15: (0.0000, 0.5597, 0.4402),
    20: (0.0000, 0.4891, 0.5109),
    50: (0.0000, 0.3143, 0.6857),
    100: (0.0000, 0.2234, 0.7766),
}
# Figure 2: what is said of the 64 pairs of SERPs of length 3.
_FIGURE_2 = {"=": 8, "**": 2}
# Figure 3: by the order of the rows and that of the columns.
_LEXICOGRAPHIC = RBP(persistence=0.5)
_FIGURE_3: dict[tuple[Measure, Measure], float] = {
    (_LEXICOGRAPHIC, nDCG): 0.796,
    (AP, _LEXICOGRAPHIC): 0.786,
    (AP, nDCG): 0.976,
}


@dataclass(frozen=True, kw_only=True)
class IpsoSpace(DataFree):
    """Of all pairs of binary SERPs, the share that every metric must order alike.

    A SERP is the relevance of the first k items of a ranking. Of all ordered pairs of SERPs of length k,
    the study says which share is equal, separable (``ni`` or ``ns``) and non-separable, exactly for any k
    (Moffat & Mackenzie 2024, Table 2). It shows the relation of all SERPs of length 3 (Figure 2), what
    metrics make of the one pair of them that is non-separable (Table 1), and how much two metrics order
    all SERPs of length 6 alike (Figure 3). There AP is divided by 6, nDCG has one ideal for all, and SERPs
    that tie stand in the order of RBP(persistence=0.5), which is lexicographic. What the paper prints
    stands beside it.

    Attributes:
        depths: k, one number or several.

    Raises:
        ValueError: A depth is not a whole number above 0.

    Example:
        >>> import irpref
        >>> study = irpref.studies.ipso_space(depths=10)
        >>> found = study.frame.query("treatment == '10' and method == 'IPSO'")
        >>> shares = found.set_index("condition")["estimate"]
        >>> shares.round(5).to_dict()
        {'equal': 0.00098, 'separable': 0.6708, 'non-separable': 0.32822}
    """

    question = "How many pairs of rankings does IPSO order, of all there can be?"
    layouts = (
        Layout(
            "Share of all pairs of binary SERPs, by length k",
            _KINDS,
            format=".3%",
            rows={"method": "by", "treatment": "k"},
        ),
        Layout(
            f"All SERPs of length {_SHORT}: 1 if the row is ni, -1 if ns, 0 if =, nothing if **",
            [_CELL],
            columns="against",
            format=".0f",
            rows={"treatment": "SERP"},
        ),
        Layout("How many pairs have which relation", [_CELLS], columns="treatment", format=".0f"),
        Layout(
            "Scores of the two SERPs that metrics may order as they like",
            [_SCORE],
            columns="treatment",
        ),
        Layout(
            _TAU.replace("tau", "τ"),
            [_TAU],
            columns="against",
            rows={"method": "method", "treatment": ""},
        ),
    )
    picture = Picture(
        "lines",
        x="length of the SERPs",
        y="share of all pairs",
        where={"condition": _KINDS, "method": ["IPSO"]},
        series=("condition",),
    )

    depths: tuple[int, ...] = options.counts(
        (*range(1, 16), 20, 50, 100), "length of the SERPs", shown="1 to 15, 20, 50, 100"
    )

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Findings:
        depths = np.array(self.depths)[:, None]
        shares = np.array([shares_of(depth) for depth in self.depths], dtype=np.float64)
        yield from rows(shares, method="IPSO", condition=_KINDS, treatment=depths)
        for depth in filter(_TABLE_2.__contains__, self.depths):
            yield from rows(_TABLE_2[depth], method=_PRINTED, condition=_KINDS, treatment=depth)
        names = np.array(["".join(serp) for serp in product("01", repeat=_SHORT)])
        cells, short = relations_of(all_serps(_SHORT)), f"IPSO@{_SHORT}"
        values = np.select([cells == "ni", cells == "ns", cells == "="], [1.0, -1.0, 0.0], np.nan)
        yield from rows(
            values, method=short, against=names, condition=_CELL, treatment=names[:, None]
        )
        for depth in (_SHORT, _LONG):
            cells, ipso = relations_of(all_serps(depth)), f"IPSO@{depth}"
            found = np.array([(cells == relation).sum() for relation in RELATIONS])
            yield from rows(found, method=ipso, condition=_CELLS, treatment=RELATIONS, n=cells.size)
        for relation, count in _FIGURE_2.items():
            yield Finding(_PRINTED, "", _CELLS, relation, count)
        serps = placements_at([[1, 2], [UNRETRIEVED, 3]], [2], _SHORT)
        for metric in _METRICS:
            scores = metric.scores(serps)[0]
            yield from rows(scores, method=metric, condition=_SCORE, treatment=("100", "011"))
        for (one, other), said in _FIGURE_3.items():
            tau = tau_b(_places(one), _places(other)).item()
            yield Finding(str(one), str(other), _TAU, "", tau, n=2**_LONG)
            yield Finding(str(one), str(other), _TAU, _PRINTED, said)


def all_serps(depth: int) -> Placements:
    """All binary SERPs of length k as rankings of one topic with k relevant items, lexicographically.

    So the divisor of AP is k, and the ideal of nDCG is that of k relevant items, for every SERP.

    Example:
        >>> AP.scores(all_serps(2)).tolist()
        [[0.0, 0.25, 0.5, 1.0]]
    """
    serps = np.array(list(product((0, 1), repeat=depth)))
    ranks = np.where(serps == 1, np.arange(1, depth + 1), UNRETRIEVED)
    return placements_at(np.sort(ranks, axis=1).T, [depth], depth)


def relations_of(serps: Placements) -> Objects:
    """(S, S) the relation of every two SERPs, by name."""
    ipso = IPSO @ len(serps.documents)
    return np.asarray(np.array(RELATIONS, dtype=object)[ipso.values(TopicBatch(serps))[0]])


def _places(measure: Measure) -> Integers:
    """The place of each SERP in the order of a metric; SERPs that tie stand in lexicographic order."""
    # Sums that are equal in exact arithmetic may differ in their last digits.
    scores = measure.scores(all_serps(_LONG))[0].round(12)
    return np.argsort(np.argsort(scores, kind="stable"))


def shares_of(depth: int) -> tuple[Fraction, Fraction, Fraction]:
    """The shares of all 4^k ordered pairs of binary vectors of length k, exactly.

    Of equal ones; of separable ones, one of which has never fewer ones so far than the other; and of the
    rest, non-separable, each of which has fewer at some place.

    The first one never has fewer in C(2k + 1, k) pairs, as many as there are walks of 2k + 1 steps up or
    down that never go below 0; the second one as often, and both where they are equal.

    Args:
        depth: k.

    Example:
        >>> shares_of(3)
        (Fraction(1, 8), Fraction(27, 32), Fraction(1, 32))
    """
    equal = Fraction(1, 2**depth)
    never_behind = Fraction(comb(2 * depth + 1, depth), 4**depth)
    return equal, 2 * (never_behind - equal), 1 - (2 * never_behind - equal)

"""correlation: do methods put the systems in the same order? (Diaz & Ferraro 2022, Table 2)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from irpref.base.arrays import Floats
from irpref.pairwise.topic_values import topic_win_rates
from irpref.pairwise.totals import totals_of_pairs
from irpref.show.reports.study_report import Picture
from irpref.stats.orders.majority import count_wins, mc4
from irpref.stats.orders.win_rates import rounded
from irpref.studies.base import Context, Experiment, of_every_two, table
from irpref.studies.claims import too_few_pairs, verdict_on
from irpref.studies.findings import Claim, Finding
from irpref.studies.numbers.order_agreement import tau_ap, taus_b
from irpref.studies.numbers.topic_bootstrap import Estimate, ratio

_MEAN, _MC4, _LISTS = "mean", "mc4 of pairs", "mc4 of lists"
_AGGREGATIONS = {
    _MEAN: "ordered by mean win rate",
    _MC4: "ordered by MC4 on pairs of systems",
    _LISTS: "ordered by MC4 on a list for each topic, as in the paper",
}
_TAU_B, _TAU_AP = "tau_b", "tau_AP"
_table_2a = partial(verdict_on, "Diaz & Ferraro 2022", "Table 2a")
# How far apart two correlations of the paper are that it calls close.
_CLOSE = 0.05


@dataclass(frozen=True, kw_only=True)
class Correlation(Experiment):
    """How well the orders of the systems by any two methods agree, as Kendall's τ_b and as τ_AP.

    Each method orders the systems in three ways: by mean, which is the mean over the topics of a system's
    win rate (its mean value against all other systems); by MC4, where a system is preferred to another if
    it wins on more topics; and by MC4 on one list of systems for each topic, sorted by win rate, as the
    paper does (Diaz & Ferraro 2022, section 5.4 and Table 2). τ_AP counts the head of an order more: how
    well does the order of the row agree with that of the column?

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.correlation(data, ["RPP", "AP", "RR"])
        >>> taus = study.frame.query("condition == 'tau_b, mean'")
        >>> dict(zip(taus["method"] + "-" + taus["against"], taus["estimate"].round(3)))
        {'RPP-AP': 1.0, 'RPP-RR': -0.733, 'AP-RR': -0.733}
    """

    question = "Do methods put the systems in the same order?"
    default_methods = ("RR", "LP", "invRPP", "RPP", "dcgRPP", "AP", "nDCG", "LR")
    layouts = tuple(
        table(f"{said}, systems {how}", [f"{tau}, {aggregation}"], columns="against", format=".2f")
        for tau, said in ((_TAU_B, "Kendall's τ_b"), (_TAU_AP, "τ_AP"))
        for aggregation, how in _AGGREGATIONS.items()
    )
    picture = Picture(
        "cells",
        x="Kendall's τ_b of the orders by mean",
        where={"condition": [f"{_TAU_B}, {_MEAN}"]},
        series=("method", "against"),
        least=3,
    )
    notes = (
        "CSV and JSON have intervals of τ_b by mean. Topics that are drawn with replacement agree less "
        "than all topics do, so these intervals reach further down than up.",
    )

    def findings(self, context: Context) -> Iterator[Finding]:
        placements, methods = context.placements, context.methods
        rates = [
            topic_win_rates(placements, method, progress=context.progress) for method in methods
        ]
        # (T, C, S, 2) what is summed, and whether it counts.
        per_topic = np.stack([np.nan_to_num(rates), np.isfinite(rates)], axis=-1).swapaxes(0, 1)
        systems = len(placements.systems)
        totals = totals_of_pairs(placements, methods, progress=context.progress)
        values = {
            _MEAN: _means(per_topic.sum(axis=0)),
            _MC4: np.stack([rounded(mc4(totals[method].wins)) for method in methods]),
            _LISTS: np.stack([rounded(mc4(count_wins(rounded(rate)))) for rate in rates]),
        }
        by_mean = context.bootstrap.of_sums(
            lambda sums: taus_b(_means(sums)), per_topic, cells=len(methods) * systems**2
        )
        others = (_MC4, _LISTS)
        taus = {_MEAN: by_mean}
        taus |= {each: Estimate.without_interval(taus_b(values[each])) for each in others}
        for aggregation, tau in taus.items():
            condition = f"{_TAU_B}, {aggregation}"
            yield from of_every_two(context, tau, once=True, condition=condition, n=systems)
        for aggregation, value in values.items():
            condition = f"{_TAU_AP}, {aggregation}"
            heads = [[tau_ap(one, other) for other in value] for one in value]
            tau = Estimate.without_interval(heads)
            yield from of_every_two(context, tau, condition=condition, n=systems)

    def claims(self, context: Context, frame: pd.DataFrame) -> Iterable[Claim]:
        lists, mean = (_taus_in(frame, aggregation) for aggregation in (_LISTS, _MEAN))
        for claim in _CLAIMS:
            if all(frozenset(pair) in lists for pair in claim.pairs):
                taus = [lists[frozenset(pair)] for pair in claim.pairs]
                tied = "a method ties all systems" if np.isnan(taus).any() else ""
                said = f"{claim.said(lists)}; by mean {claim.said(mean)}"
                untestable = too_few_pairs(len(context.placements.systems)) or tied
                yield _table_2a(claim.text, claim.holds(*taus), said, untestable=untestable)


_Taus = Mapping[frozenset[str], float]
"""τ_b of any two methods."""


class _Claim(NamedTuple):
    """A claim of the paper's Table 2a.

    Attributes:
        text: What it says.
        pairs: The pairs of methods that it is about.
        holds: Whether it holds, from τ_b of each pair.
    """

    text: str
    pairs: tuple[tuple[str, str], ...]
    holds: Callable[..., bool]

    def said(self, found: _Taus) -> str:
        """The numbers."""
        return ", ".join(
            f"{one}-{other} {found[frozenset((one, other))]:.2f}" for one, other in self.pairs
        )


_CLAIMS = (
    _Claim(
        "RPP agrees with AP about as well as nDCG does (within .05)",
        (("RPP", "AP"), ("nDCG", "AP")),
        lambda rpp, ndcg: rpp > ndcg - _CLOSE,
    ),
    _Claim(
        "RR agrees less with RPP, AP and nDCG than any two of these do",
        tuple(combinations(("RR", "RPP", "AP", "nDCG"), 2)),
        lambda *taus: max(taus[:3]) < min(taus[3:]),
    ),
    _Claim(
        "the more RPP weighs the first relevant items, the better it agrees with RR",
        (("RPP", "RR"), ("dcgRPP", "RR"), ("invRPP", "RR")),
        lambda uniform, dcg, inverse: uniform < dcg < inverse,
    ),
    _Claim(
        "dcgRPP agrees with AP and nDCG better than RPP does",
        (("dcgRPP", "AP"), ("RPP", "AP"), ("dcgRPP", "nDCG"), ("RPP", "nDCG")),
        lambda dcg_ap, ap, dcg_ndcg, ndcg: dcg_ap > ap and dcg_ndcg > ndcg,
    ),
)


def _taus_in(frame: pd.DataFrame, aggregation: str) -> _Taus:
    found = frame[frame["condition"] == f"{_TAU_B}, {aggregation}"]
    names = zip(found["method"], found["against"], strict=True)
    return {frozenset(pair): float(tau) for pair, tau in zip(names, found["estimate"], strict=True)}


def _means(sums: Floats) -> Floats:
    """(…, C, S) mean win rates, from (…, C, S, 2) sums over topics and numbers of topics."""
    return rounded(np.nan_to_num(ratio(sums)))


correlation = Correlation()

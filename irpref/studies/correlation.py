"""correlation: do methods put the systems in the same order? (Diaz & Ferraro 2022, Table 2)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats
from irpref.pairwise.topic_values import topic_win_rates
from irpref.pairwise.totals import totals_of_pairs
from irpref.show.reports.study_report import Layout, Picture
from irpref.stats.orders.majority import count_wins, mc4
from irpref.stats.orders.win_rates import rounded
from irpref.studies.base import Context, Experiment, Findings, of_every_two
from irpref.studies.numbers.order_agreement import tau_ap, taus_b
from irpref.studies.numbers.topic_bootstrap import Estimate, ratio

_MEAN, _MC4, _LISTS = "mean", "mc4 of pairs", "mc4 of lists"
_AGGREGATIONS = {
    _MEAN: "ordered by mean win rate",
    _MC4: "ordered by MC4 on pairs of systems",
    _LISTS: "ordered by MC4 on a list for each topic, as in the paper",
}
_TAU_B, _TAU_AP = "tau_b", "tau_AP"


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
        Layout(f"{said}, systems {how}", [f"{tau}, {aggregation}"], columns="against", format=".2f")
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

    def findings(self, context: Context) -> Findings:
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
        taus = {each: Estimate.without_interval([taus_b(found)]) for each, found in values.items()}
        taus[_MEAN] = context.bootstrap.of_sums(
            lambda sums: taus_b(_means(sums)), per_topic, cells=len(methods) * systems**2
        )
        for aggregation, tau in taus.items():
            condition = f"{_TAU_B}, {aggregation}"
            yield from of_every_two(context, tau, once=True, condition=condition, n=systems)
        for aggregation, value in values.items():
            condition = f"{_TAU_AP}, {aggregation}"
            heads = [[tau_ap(one, other) for other in value] for one in value]
            tau = Estimate.without_interval([heads])
            yield from of_every_two(context, tau, condition=condition, n=systems)


def _means(sums: Floats) -> Floats:
    """(…, C, S) mean win rates, from (…, C, S, 2) sums over topics and numbers of topics."""
    return rounded(np.nan_to_num(ratio(sums)))

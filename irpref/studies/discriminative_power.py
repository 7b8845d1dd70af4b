"""discriminative_power: how many pairs of systems differ significantly by a method? (Sakai 2006)"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.tolerance import TOLERANCE, product
from irpref.pairwise.pair_tests import compare_pairs
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import totals_of_pairs
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, rows
from irpref.studies.numbers.drawn_tests import drawn_test, topics_drawn

_HSD = "Tukey's HSD"
_BONFERRONI = "paired test, Bonferroni"
_HOLM = "paired test, Holm"
_TESTS = (_HSD, _BONFERRONI, _HOLM)
_HSD_CURVE = "p of Tukey's HSD is below"
_PAIRED_CURVE = "p of the paired test is below"
_LEVELS = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, kw_only=True)
class DiscriminativePower(Experiment):
    """How many pairs of systems differ significantly by a method: the share with p < alpha.

    By randomised Tukey HSD, which tests all pairs at once (Diaz 2023, Table 4a; Diaz & Ferraro 2022,
    Table 3; Diaz & Mitra 2023, Figure 11b); and by a paired test with Bonferroni's correction (Table 4b;
    Table 4) or Holm's (Figure 11a). The paired test is Student's t, or the exact sign test for a preference
    whose values are all signs (sgnLP, LR, IPSO). Two further tables say on which share of the pairs p is
    below some values: p of the HSD, and p of the paired test before any correction.

    The shares with p < alpha have intervals: the paired test is done again in each draw of the topics, and
    Tukey's HSD keeps its margin, beyond which a mean is significant.

    Attributes:
        n_shuffles: How often Tukey's HSD shuffles the systems.
        alpha: Significance level.

    Example:
        A preference of your own is one more row.

        >>> import irpref
        >>> from irpref import demo_paths
        >>> def first_five(first, second):
        ...     return float((first <= 5).sum() - (second <= 5).sum())
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.discriminative_power(data, ["RR", "RPP", first_five])
        >>> p = study.frame.query("condition == 'p of the paired test is below' and treatment == '0.5'")
        >>> dict(zip(p["method"], p["estimate"].round(3)))
        {'RR': 0.6, 'RPP': 0.8, 'first_five': 0.133}
    """

    question = "How many pairs of systems differ significantly by a method?"
    default_methods = (
        *("RR", "LP", "rrLP", "RPP", "dcgRPP", "invRPP", "AP", "nDCG", "LR", "RP", "R@1000", "TSE"),
        *("nDCG@10", "IPSO@10"),
    )
    layouts = (
        Layout(
            "Share of pairs of systems that differ significantly",
            {_HSD: _HSD, _BONFERRONI: "paired, Bonferroni", _HOLM: "paired, Holm"},
            format=".1%",
            interval=True,
        ),
        *(
            Layout(
                f"Share of pairs of systems on which {curve}",
                [curve],
                columns="treatment",
                format=".1%",
            )
            for curve in (_HSD_CURVE, _PAIRED_CURVE)
        ),
    )
    picture = Picture(
        "dots",
        x="share of pairs of systems that differ significantly",
        where={"condition": _TESTS},
        series=("method", "condition"),
    )
    notes = (
        "A draw repeats topics, which makes small differences look surer: intervals reach further up than "
        "down.",
        "Bonferroni and Holm correct for all pairs of systems; one pair alone is not corrected.",
    )

    n_shuffles: int = options.draws("how often Tukey's HSD shuffles the systems", "--shuffles")
    alpha: float = options.alpha()

    def findings(self, context: Context) -> Findings:
        placements = context.placements
        totals = totals_of_pairs(placements, context.methods, progress=context.progress)
        hsd = PairTest(
            method="hsd", alpha=self.alpha, n_resamples=self.n_shuffles, rng=context.seed
        )
        first, second = np.triu_indices(len(placements.systems), 1)
        for method in context.watched(context.methods, "testing all pairs"):
            values = topic_values(placements, method, progress=context.progress)
            pairs = values[:, first, second]
            topics = int(np.isfinite(pairs).any(axis=1).sum())
            if topics < 2:
                raise ValueError(
                    f"{self.name} tests differences over topics, and {method} has {topics or 'none'}: "
                    "it takes two topics with relevant items"
                )
            name = "sign" if method.signs_only else "t"
            paired = PairTest(method=name, correction="bonferroni", alpha=self.alpha)
            at_once, by_pair = (
                compare_pairs(placements, method, totals[method], test, values=values)
                for test in (hsd, paired)
            )
            # The margin is the same for all pairs.
            signs, margin = method.signs_only, float(at_once["critical"][0])
            shares = partial(
                significant_shares, pairs, signs=signs, margin=margin, alpha=self.alpha
            )
            n, level = len(by_pair), f"{self.alpha:g}"
            estimate = context.bootstrap.of_draws(shares, cells=4 * n)
            yield from rows(estimate, method=method, condition=_TESTS, treatment=level, n=n)
            p = np.stack([tests["p"] for tests in (at_once, by_pair)])
            yield from rows(
                (p[:, None] < np.array(_LEVELS)[:, None]).mean(axis=2),
                method=method,
                condition=[[_HSD_CURVE], [_PAIRED_CURVE]],
                treatment=[f"{each:g}" for each in _LEVELS],
                n=n,
            )


def significant_shares(
    values: Floats, drawn: Floats, *, signs: bool, margin: float, alpha: float
) -> Floats:
    """The shares of P pairs that differ significantly in each of B draws of the topics.

    Statistics are compared with the one that has a given p, which is many times as fast as p-values.

    Args:
        values: (T, P) values of the pairs; NaN if a topic does not count for a pair.
        drawn: (B, T) how often each topic is drawn.
        signs: Whether the paired test is the sign test; else it is Student's t-test.
        margin: The margin of Tukey's HSD, beyond which a mean is significant.
        alpha: Significance level.

    Returns:
        (B, 3) shares by Tukey's HSD, and by the paired test after Bonferroni's correction and Holm's.

    Example:
        >>> ahead_on_8_of_9 = np.array([[1.0]] * 8 + [[-1.0]])
        >>> all_topics = np.ones((1, 9))
        >>> significant_shares(ahead_on_8_of_9, all_topics, signs=True, margin=0.9, alpha=0.05).tolist()
        [[0.0, 1.0, 1.0]]
    """
    lead, is_below = drawn_test(values, drawn, "sign" if signs else "t")
    mean = lead
    if signs:
        topics = topics_drawn(drawn, np.isfinite(values))
        mean = product(drawn, np.nan_to_num(values)) / np.maximum(topics, 1)

    def below(level: Floats) -> Integers:
        """(B,) how many p-values are below the (B,) levels."""
        return np.asarray(np.count_nonzero(is_below(level[:, None]), axis=1))

    number = values.shape[1]
    beyond = np.count_nonzero(np.abs(mean) > margin * (1 + TOLERANCE), axis=1)
    # Bonferroni's correction is the first step of Holm's.
    bonferroni = holm = below(np.full(len(drawn), alpha / number))
    # Whoever is below the level of the next step is below all later ones.
    while (more := below(alpha / np.maximum(number - holm, 1))).sum() > holm.sum():
        holm = more
    return np.asarray(np.stack([beyond, bonferroni, holm], axis=1) / number)

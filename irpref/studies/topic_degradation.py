"""topic_degradation: what becomes of the order of systems when topics are missing?

Diaz 2023, Figure 8b; Diaz & Ferraro 2022, Figure 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Flags, Floats, pair_counts
from irpref.methods.names import as_criterion
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings
from irpref.studies.degradation import (
    RECIPROCAL_RANK,
    SYSTEMS_AGREE,
    TAU_AP,
    TAU_B,
    Treatment,
    pair_terms,
    system_agreement,
    system_draws,
    system_findings,
)
from irpref.studies.numbers.system_values import SystemOrdering


@dataclass(frozen=True, kw_only=True)
class TopicDegradation(Experiment):
    """How the standing of the systems changes if topics are missing, with all labels of the others.

    Of T topics, max(1, round(f·T)) are kept, drawn without replacement; a smaller fraction keeps a part of
    what a larger one keeps, within a sample. For each method: how often the mean of two systems agrees in
    sign with the mean over all topics (the method's own, and that of RR), and how well the order of the
    systems agrees with the order by all topics (Kendall's τ_b, and τ_AP). Agreement is over the pairs that
    the target decides, and counts a tie as a disagreement (strict), as half an agreement (half), or not at
    all (decided). Nothing is computed again for the part: any score can be tried. Claims are judged by
    topics that are drawn again, and then taken away again: by a tenth of the draws.

    Attributes:
        fractions: The shares of the topics to keep, above 0 and at most 1.
        samples: How often topics are drawn, for each fraction.
        order_by: How systems are ordered: by ``"mean"``, by ``"mc4"`` on the topics that each wins of each
            other, or by ``"mc4-lists"`` on a list for each topic, as Diaz & Ferraro 2022 do.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.topic_degradation(data, ["RR", "RPP"], fractions=[0.5, 1])
        >>> taus = study.frame.query("condition == 'tau_b of the system orders'")
        >>> taus[taus["treatment"] == "1"]["estimate"].round(3).to_list()
        [1.0, 1.0]
    """

    question = "What becomes of the order of systems when topics are missing?"
    default_methods = (
        *("RR", "rrLP", "LP", "RPP", "dcgRPP", "invRPP", "AP", "nDCG", "nDCG@10", "LR", "R@1000"),
    )
    layouts = (
        Layout("Order of systems, τ_b with that by all topics", [TAU_B], columns="treatment"),
        Layout(
            "Standard deviation of this τ_b over the samples",
            [TAU_B],
            columns="treatment",
            show="spread",
        ),
        Layout("Order of systems, τ_AP with that by all topics", [TAU_AP], columns="treatment"),
        Layout(
            "Pairs of systems: agreement with RR's sign by all topics (a tie disagrees)",
            [f"{SYSTEMS_AGREE}, strict"],
            columns="treatment",
            where={"against": [RECIPROCAL_RANK]},
        ),
    )
    picture = Picture(
        "lines",
        x="share of the topics that is kept",
        y="τ_b with the order by all topics",
        where={"condition": [TAU_B]},
        spread=True,
    )
    notes = ("Columns are shares of the topics that are kept; numbers are means over the samples.",)

    fractions: tuple[float, ...] = options.fractions("shares of the topics to keep")
    samples: int = options.count(20, "how often topics are drawn, for each share")

    order_by: SystemOrdering = options.order_by()

    def findings(self, context: Context) -> Findings:
        placements, methods = context.placements, context.methods
        systems, drawn = len(placements.systems), system_draws(context)
        parts = self._parts_of(drawn, context)
        target = pair_terms(placements, [as_criterion(RECIPROCAL_RANK)], self.order_by)
        first = target.standing(0, drawn)
        weights = np.full((len(drawn), self.samples), 1 / self.samples)
        for method in context.watched(methods, "drawing topics"):
            terms = pair_terms(placements, [method], self.order_by)
            whole = terms.standing(0, drawn)
            for fraction, kept in parts.items():
                found = (terms.standing(0, each) for each in kept)
                agreed = np.stack([system_agreement(part, whole, first) for part in found])
                agreed, treatment = agreed[:, :, None], Treatment("", f"{fraction:g}")
                yield from system_findings([method], agreed, weights, systems, treatment)

    def _parts_of(self, drawn: Floats, context: Context) -> dict[float, Floats]:
        """By fraction, (samples, 1 + B, T) how often each topic is kept: of all, and of those drawn."""
        (draws, topics), number = drawn.shape, self.samples
        chosen = np.repeat(np.tile(np.arange(topics), draws), drawn.astype(np.int64).ravel())
        generator = np.random.default_rng([context.seed, number])
        turns = generator.permuted(np.tile(chosen.reshape(draws, topics), (number, 1)), axis=1)
        found = {}
        for fraction, kept in self.parts(context).items():
            some = turns[:, : kept[0].sum()]
            row = np.repeat(np.arange(len(turns)), some.shape[1])
            counts = pair_counts(row, some.ravel(), (len(turns), topics))
            found[fraction] = counts.reshape(number, draws, topics).astype(np.float64)
            found[fraction][:, 0] = kept
        return found

    def parts(self, context: Context) -> dict[float, Flags]:
        """The topics that are drawn: by fraction, (samples, T) whether each topic is kept."""
        topics = len(context.placements.topics)
        turns = context.rng.permuted(np.tile(np.arange(topics), (self.samples, 1)), axis=1)
        return {each: turns < max(1, round(each * topics)) for each in sorted(self.fractions)}

"""topic_degradation: what becomes of the order of systems when topics are missing?

Diaz 2023, Figure 8b; Diaz & Ferraro 2022, Figure 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irpref.base.arrays import Flags, Floats
from irpref.base.tolerance import product
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.placements import Placements
from irpref.show.reports.study_report import Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment
from irpref.studies.claims import Numbers, best_case, higher, too_few_pairs
from irpref.studies.degradation import (
    ITSELF,
    RECIPROCAL_RANK,
    SYSTEMS_AGREE,
    TAU_AP,
    TAU_B,
    Treatment,
    by_treatment,
    system_findings,
)
from irpref.studies.findings import Claim, Finding
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.system_values import SystemOrdering, summed_terms


@dataclass(frozen=True, kw_only=True)
class TopicDegradation(Experiment):
    """How the standing of the systems changes if topics are missing, with all labels of the others.

    Of T topics, max(1, round(f·T)) are kept, drawn without replacement; a smaller fraction keeps a part of
    what a larger one keeps, within a sample. For each method: how often the mean of two systems agrees in
    sign with the mean over all topics (the method's own, and that of RR), and how well the order of the
    systems agrees with the order by all topics (Kendall's τ_b, and τ_AP). Agreement is over the pairs that
    the target decides, and counts a tie as a disagreement (strict), as half an agreement (half), or not at
    all (decided). Nothing is computed again for the part: any score can be tried.

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
        by_treatment("Order of systems, τ_b with that by all topics", TAU_B, ITSELF),
        by_treatment("Standard deviation of this τ_b over the samples", TAU_B, ITSELF, "spread"),
        by_treatment("Order of systems, τ_AP with that by all topics", TAU_AP, ITSELF),
        by_treatment(
            "Pairs of systems: agreement with RR's sign by all topics (a tie disagrees)",
            f"{SYSTEMS_AGREE}, strict",
            RECIPROCAL_RANK,
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

    fractions: tuple[float, ...] = options.fractions(
        (0.1, 0.2, 0.4, 0.6, 0.8), "shares of the topics to keep"
    )
    samples: int = options.count(20, "how often topics are drawn, for each share")

    order_by: SystemOrdering = options.order_by()

    def findings(self, context: Context) -> Iterator[Finding]:
        placements, methods = context.placements, context.methods
        parts = self.parts(context)
        drawn = np.concatenate([np.ones((1, len(placements.topics))), *parts.values()])
        systems = len(placements.systems)
        target = self._sums(placements, as_criterion(RECIPROCAL_RANK), drawn[:1])[:, 0]
        for method in context.watched(methods, "drawing topics"):
            sums = self._sums(placements, method, drawn)
            samples = np.split(sums[:, 1:, None], len(parts), axis=1)
            for fraction, some in zip(parts, samples, strict=True):
                treatment = Treatment("", f"{fraction:g}", ())
                yield from system_findings(
                    [method], some, sums[:, :1], target, systems, treatment, self.order_by
                )

    def _sums(self, placements: Placements, method: Criterion, drawn: Floats) -> Floats:
        """(4, N, P) sums for each pair over the topics that are drawn, N times: ``drawn`` is (N, T)."""
        systems = len(placements.systems)
        sums = np.zeros((4, len(drawn), systems * (systems - 1) // 2))
        for part in pair_topics(placements, [method]):
            terms = summed_terms(part.values[0], systems, self.order_by)
            some = drawn[:, part.topics]
            sums += np.stack([product(some, term.astype(np.float64)) for term in terms])
        return sums

    def parts(self, context: Context) -> dict[float, Flags]:
        """The topics that are drawn: by fraction, (samples, T) whether each topic is kept."""
        topics = len(context.placements.topics)
        turns = context.rng.permuted(np.tile(np.arange(topics), (self.samples, 1)), axis=1)
        return {each: turns < max(1, round(each * topics)) for each in sorted(self.fractions)}

    def claims(self, context: Context, frame: pd.DataFrame) -> Iterator[Claim]:
        systems = len(context.placements.systems)
        numbers = Numbers.of(frame).where(lambda kept: kept < 1)
        yield from best_case(numbers, "Figure 8b", "topics", systems)
        few = too_few_pairs(systems)
        as_much = (
            "with fewer topics, RPP keeps as much of the order of the systems as {}, or more (.01 less "
            "counts as equal)"
        )
        more = "with fewer topics, RR loses more of the order of the systems than {}"
        for claim, names, margin in (
            *((more.format(other), (other, "RR"), None) for other in ("AP", "nDCG", "RPP")),
            *((as_much.format(other), ("RPP", other), 0.01) for other in ("AP", "nDCG")),
        ):
            place = ("Diaz & Ferraro 2022", "Figure 6")
            yield from higher(
                numbers, place, claim, names, TAU_B, ITSELF, margin=margin, untestable=few
            )


topic_degradation = TopicDegradation()

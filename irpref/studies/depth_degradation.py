"""depth_degradation: what becomes of methods when runs are shallower? (Diaz & Mitra 2023, section 6)"""

from __future__ import annotations

from dataclasses import dataclass
from operator import methodcaller

import numpy as np

from irpref.methods.names import as_criterion
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, agreements, rows
from irpref.studies.degradation import (
    AGREE,
    ITSELF,
    TAU_B,
    TIED,
    Treatment,
    degraded,
    refuse_scores,
)
from irpref.studies.numbers.order_agreement import agreement_sums
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.system_values import SystemOrdering

AS_LEXIRECALL, LEXIRECALL = "LR agrees with the method", "LR"
RETRIEVED = "documents retrieved"


@dataclass(frozen=True, kw_only=True)
class DepthDegradation(Experiment):
    """How methods change if runs are cut at a depth, with all labels and topics as they are.

    Diaz & Mitra 2023 call a collection deep if its runs retrieve more than 1,000 documents a topic on
    average, standard above 100, and shallow up to 100. Here the runs of one collection are cut. For each
    depth: the share of pair-topics that tie; how often the preference on a pair-topic, and between two
    systems in the mean, agrees with the one by the whole runs (the method's own, and that of RR); how well
    the order of the systems agrees with theirs (Kendall's τ_b, and τ_AP); and, by the cut runs alone, how
    often LR prefers the ranking that another method prefers. Agreement is over the pairs that the target
    decides, and counts a tie as a disagreement (strict, as the paper does), as half an agreement (half), or
    not at all (decided). The whole runs come last, with their greatest depth.

    Attributes:
        depths: Where to cut the runs; a depth that no run reaches is left out.
        order_by: How systems are ordered: by ``"mean"``, by ``"mc4"`` on the topics that each wins of each
            other, or by ``"mc4-lists"`` on a list for each topic.

    Raises:
        ValueError: A method is scores of another tool, which cannot be computed again for cut runs.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.depth_degradation(
        ...     irpref.collect(*demo_paths()), ["LR", "RR"], depths=[2, 5], n_resamples=100
        ... )
        >>> tied = study.frame.query("condition == 'tied pair-topics' and method == 'LR'")
        >>> tied["estimate"].is_monotonic_decreasing
        True
    """

    question = "What becomes of methods when runs are shallower?"
    default_methods = ("LR", "R@1000", "RP", "AP", "nDCG", "nDCG@10", "RR", "LP", "RPP", "TSE")
    layouts = (
        Layout(
            "Documents that a run retrieves for a topic, on average",
            {RETRIEVED: "documents"},
            format=".1f",
            rows={"treatment": "cut at"},
        ),
        Layout("Tied pair-topics", [TIED], columns="treatment"),
        Layout(
            "Agreement with its sign by the whole runs (a tie disagrees)",
            [f"{AGREE}, strict"],
            columns="treatment",
            where={"against": [ITSELF]},
        ),
        Layout("Order of systems, τ_b with that by the whole runs", [TAU_B], columns="treatment"),
        Layout(
            "How often LR prefers what the method prefers (a tie of LR disagrees)",
            [f"{AS_LEXIRECALL}, strict"],
            columns="treatment",
            rows={"against": "method"},
        ),
    )
    picture = Picture(
        "lines",
        x="depth at which the runs are cut",
        y="share, or τ_b",
        where={"condition": [f"{AGREE}, strict", TAU_B], "against": [ITSELF]},
        panels=("condition",),
    )
    notes = ("Columns are depths at which all runs are cut; the last is that of the whole runs.",)

    depths: tuple[int, ...] = options.counts(
        (10, 20, 50, 100, 200, 500, 1000, 2000, 5000), "where to cut the runs"
    )

    order_by: SystemOrdering = options.order_by()

    def findings(self, context: Context) -> Findings:
        refuse_scores(self.name, context.methods, "documents of the runs")
        retrieved = context.placements.retrieved
        whole = int(retrieved.max())
        depths = [*sorted(depth for depth in self.depths if depth < whole), whole]
        kept = np.minimum(retrieved.ravel(), np.array(depths)[:, None])
        yield from rows(kept.mean(axis=1), condition=RETRIEVED, treatment=depths, n=retrieved.size)
        treatments = [
            Treatment("", str(depth), [methodcaller("select", depth=depth)]) for depth in depths
        ]
        yield from degraded(context, treatments, order=self.order_by, doing="cutting runs")
        lexirecall = as_criterion(LEXIRECALL)
        if lexirecall in context.methods:
            for treatment in context.watched(treatments, "comparing with LR"):
                yield from _as_lexirecall(context, treatment, context.methods.index(lexirecall))


def _as_lexirecall(context: Context, treatment: Treatment, index: int) -> Findings:
    """How often LR, the method of this index, agrees with the sign of each other method."""
    [cut] = treatment.samples
    placements, methods = cut(context.collection).placements, context.methods
    counts = np.zeros((len(placements.topics), len(methods), 3))
    for part in pair_topics(placements, methods):
        counts[part.topics] = agreement_sums(part.values[index], part.values).swapaxes(0, 1)
    return agreements(
        context,
        np.delete(counts, index, axis=1),
        where=AS_LEXIRECALL,
        method=LEXIRECALL,
        against=np.array(methods, dtype=object)[np.arange(len(methods)) != index, None],
        treatment=treatment.treatment,
    )

"""label_degradation: what becomes of methods when labels are missing?

Diaz 2023, Figures 8a and 9; Diaz & Ferraro 2022, Figure 7; Diaz & Mitra 2023, Figures 12 and 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from irpref.api.collection import Collection
from irpref.base.arrays import Floats, Integers
from irpref.base.message import Option, refusal
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings
from irpref.studies.degradation import (
    AGREE,
    ITSELF,
    RECIPROCAL_RANK,
    SYSTEMS_AGREE,
    TAU_B,
    TIED,
    Treatment,
    degraded,
    refuse_scores,
)
from irpref.studies.numbers.system_values import SystemOrdering

UNIFORM, FREQUENCY = "uniform", "by frequency"
_STRICT, _SYSTEMS = f"{AGREE}, strict", f"{SYSTEMS_AGREE}, strict"


@dataclass(frozen=True, kw_only=True)
class LabelDegradation(Experiment):
    """How methods change if relevance labels are missing, with all topics and runs as they are.

    The labels are the relevant judgments. Of the m labels of a topic, max(1, round(f·m)) are kept; the
    others become unjudged. Judgments of documents that are not relevant all stay (they matter for
    ``judged_only=True`` alone). Labels are removed in two ways (Diaz & Mitra 2023, section 6.2.4):

    - uniform: each is as likely to go as any other;
    - by frequency: the more runs retrieve it, the sooner it goes.

    The frequency is the weight in Efraimidis and Spirakis' sampling without replacement; what no run
    retrieves goes last.

    A smaller fraction keeps a part of what a larger one keeps, within a sample. For each method: the share
    of pair-topics that tie, how often the preference on a pair-topic, and between two systems in the mean,
    agrees with the one by all labels (the method's own, and that of RR), and how well the order of the
    systems agrees with the order by all labels (Kendall's τ_b, and τ_AP). Agreement is over the pairs that
    the target decides, and counts a tie of the method as a disagreement (strict, as the papers do), as half
    an agreement (half), or not at all (decided). A method that finds nothing relevant left in a topic ties.
    For shallower runs, study ``collection.select(depth=…)``. Claims are judged by topics and samples that
    are drawn again; what is said of systems, by a tenth of the draws.

    Attributes:
        fractions: The shares of the labels to keep, above 0 and at most 1.
        samples: How often labels are drawn, for each fraction and way.
        order_by: How systems are ordered: by ``"mean"``, by ``"mc4"`` on the topics that each wins of each
            other, or by ``"mc4-lists"`` on a list for each topic, as Diaz & Ferraro 2022 do.

    Raises:
        ValueError: A method is scores of another tool, which cannot be computed again from fewer labels.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.label_degradation(
        ...     data, ["RR", "LP"], fractions=[0.2, 1], samples=3, n_resamples=100
        ... )
        >>> tied = study.frame.query("condition == 'tied pair-topics, uniform'")
        >>> bool(tied["estimate"].iloc[0] > tied["estimate"].iloc[1])
        True
    """

    question = "What becomes of methods when labels are missing?"
    default_methods = (
        *("RR", "rrLP", "LP", "LR", "R@1000", "RP", "RPP", "dcgRPP", "invRPP"),
        *("AP", "nDCG", "nDCG@10"),
    )
    layouts = tuple(
        Layout(
            f"{caption}; removed {said}",
            [f"{condition}, {way}"],
            columns="treatment",
            where={"against": [against]},
        )
        for way, said in ((UNIFORM, "at random"), (FREQUENCY, FREQUENCY))
        for caption, condition, against in (
            ("Tied pair-topics", TIED, ""),
            ("Agreement with its sign by all labels (a tie disagrees)", _STRICT, ITSELF),
            ("Agreement with its sign by all labels (a tie is a half)", f"{AGREE}, half", ITSELF),
            ("Agreement with RR's sign by all labels (a tie disagrees)", _STRICT, RECIPROCAL_RANK),
            ("The same for the means of pairs of systems", _SYSTEMS, RECIPROCAL_RANK),
            ("Order of systems, τ_b with that by all labels", TAU_B, ITSELF),
        )
    )
    picture = Picture(
        "lines",
        x="share of the labels that is kept",
        y="share, or τ_b",
        where={"condition": [f"{_STRICT}, {UNIFORM}", f"{TAU_B}, {UNIFORM}"], "against": [ITSELF]},
        panels=("condition",),
    )
    notes = (
        "Columns are shares of the labels of each topic that are kept, one at least. CSV and JSON have all "
        "three ways to count ties, intervals over topics, and the spread over the samples.",
    )

    fractions: tuple[float, ...] = options.fractions("shares of the labels to keep")
    samples: int = options.count(20, "how often labels are drawn, for each share and way")

    order_by: SystemOrdering = options.order_by()

    def findings(self, context: Context) -> Findings:
        refuse_scores(self.name, context.methods, "labels")
        collection = context.collection
        if collection.reading.judged_only and collection.index.lists is None:
            raise refusal(
                f"{self.name}: ",
                Option("judged_only", True),
                " takes more documents out of the runs when labels go, and the runs were not kept for "
                "that: leave it out, or keep them in Python, irpref.collect(…, "
                f"lists={max(1, context.placements.retrieved.max())})",
            )
        treatments = self.treatments(context)
        for each in degraded(context, treatments, order=self.order_by, doing="removing labels"):
            # One sample cannot be drawn again, and claims are not judged by the topics alone.
            yield each if self.samples > 1 else each._replace(drawn=None)

    def treatments(self, context: Context) -> list[Treatment]:
        """The parts that are drawn: for each way and fraction, a function for each sample."""
        placements, labels = context.placements, context.collection.index.rows
        sizes = np.diff(placements.starts)
        frequency = np.count_nonzero(placements.positions < placements.unretrieved, axis=1)
        draws = context.rng.exponential(size=(self.samples, len(placements.documents)))
        removed = {
            each: sizes - np.maximum(1, np.rint(each * sizes).astype(np.int64))
            for each in sorted(self.fractions)
        }
        treatments = []
        # The same draws for both ways, so that they differ by the way only.
        for way, weights in ((UNIFORM, np.ones_like(frequency)), (FREQUENCY, frequency)):
            turns = [_turns(draw, weights, placements.topic_of_row) for draw in draws]
            for fraction, number in removed.items():
                gone = (labels[turn < np.repeat(number, sizes)] for turn in turns)
                samples = [partial(_without, each) for each in gone]
                treatments.append(Treatment(way, f"{fraction:g}", samples))
        return treatments


def _turns(draws: Floats, weights: Integers, topics: Integers) -> Integers:
    """(R,) when each row is removed, from 0 in each topic, sooner if its weight is greater.

    Args:
        draws: (R,) standard exponential numbers.
        weights: (R,) 0 or more; rows of weight 0 go last.
        topics: (R,) topic of each row, ascending.
    """
    with np.errstate(divide="ignore"):
        # -log(u) / w ascends as Efraimidis and Spirakis' key u ** (1 / w) falls.
        time = draws / weights
    return np.argsort(np.lexsort((draws, time, topics))) - np.searchsorted(topics, topics)


def _without(labels: Integers, whole: Collection) -> Collection:
    """A part of a collection, without the documents of these keys among its judgments."""
    judgments, chosen = whole.index.judgments, whole.index.chosen
    gone = np.zeros(len(judgments.key_grades), dtype=np.bool_)
    gone[labels] = True
    return whole.select(judgments=~gone[judgments.key_of_judgment[chosen]])

"""``irpref.evaluate``: from qrels and runs to the scores of every system, exact where scores are tied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from irpref.choices import Duplicates, Missing, Order
from irpref.measures import Measure
from irpref.names import parse
from irpref.project import Collection, collect
from irpref.project.collection import Progress
from irpref.summarise.scores import mean_scores, topic_scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "AnyMeasure",
    "as_measure",
    "collect_for",
    "evaluate",
    "mean_scores",
    "measures_of",
]

AnyMeasure = Measure | str


def evaluate(
    qrels: Any,
    runs: Any,
    measures: AnyMeasure | Iterable[AnyMeasure],
    *,
    order: Order = "score",
    duplicates: Duplicates = "error",
    judged_only: bool = False,
    missing: Missing = "worst",
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Score every system on every topic.

    Args:
        qrels: As for :func:`irpref.compare`.
        runs: As for :func:`irpref.compare`; one is enough.
        measures: Measure objects or their texts: ``[TieRR @ 10, "nDCG@10"]``.
        order: As for :func:`irpref.compare`.
        duplicates: As for :func:`irpref.compare`.
        judged_only: As for :func:`irpref.compare`.
        missing: A topic that a run lacks scores 0 (``"worst"``, as trec_eval with ``-c``), or is left
            out of its scores (``"skip"``, as trec_eval without).
        progress: As for :func:`irpref.compare`.

    Returns:
        Columns system, topic, measure, value: every topic of the qrels, those without relevant items
        with 0. :func:`irpref.mean_scores` gives the mean of each system.

    Raises:
        InputError: A file or object cannot be used; the error names file, line, topic and document.
        ValueError: An option or measure is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1}}
        >>> runs = {"tied": {"301": {"d1": 1.0, "d2": 1.0}}}
        >>> scores = irpref.evaluate(qrels, runs, [irpref.RR, irpref.TieRR])
        >>> dict(zip(scores["measure"], scores["value"]))
        {'RR': 0.5, "RR(ties='expected')": 0.75}
    """
    chosen = measures_of(measures)
    collection = collect_for(
        chosen,
        qrels,
        runs,
        order=order,
        duplicates=duplicates,
        judged_only=judged_only,
        missing=missing,
        progress=progress,
    )
    return topic_scores(collection, chosen)


def measures_of(measures: Any) -> list[Measure]:
    """The measures that objects and texts stand for, each once.

    Raises:
        ValueError: One is no measure, or there is none.
    """
    if isinstance(measures, Measure | str):
        measures = [measures]
    chosen = list(dict.fromkeys(as_measure(measure) for measure in measures))
    if not chosen:
        raise ValueError("there is no measure to evaluate by")
    return chosen


def as_measure(measure: AnyMeasure) -> Measure:
    """The measure that an object or a text stands for.

    Raises:
        ValueError: It is none.
    """
    found = parse(measure) if isinstance(measure, str) else measure
    if not isinstance(found, Measure):
        raise ValueError(f"{measure} is not a measure" + _preference_hint(found))
    return found


def _preference_hint(found: object) -> str:
    from irpref.preferences import Preference

    if isinstance(found, Preference):
        return " but a preference: compare() and `irpref compare` take it"
    return ""


def collect_for(measures: list[Measure], qrels: Any, runs: Any, **options: Any) -> Collection:
    """The collection that some measures need; options as for :func:`irpref.project.collect`."""
    pool = any(measure.needs_pool for measure in measures)
    return collect(qrels, runs, pool=pool, **options)

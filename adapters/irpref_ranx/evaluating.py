"""What ranx's own functions get to know when asked: tie-aware metrics, and preferences over a reference."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial, wraps
from typing import Any

import irpref
from irpref import Collection, Comparison, Preference
from irpref.for_adapters import Floats, nearest, speaking, totals_of_pairs, unknown, warn
from irpref_ranx.metrics import IN_RANX, OURS, TIE_METRICS, at, named_preference, tie_aware_scores
from irpref_ranx.runs import Lists, lists_of

# ranx has letters for 26 systems of a report, and fails at the next. No report has as many as this.
_MOST_SYSTEMS = 9_999


@dataclass(frozen=True)
class _Reference:
    """What preferences compare with.

    Attributes:
        name: Its name in errors.
        lists: Its documents and scores.
        complete: Whether it may have other topics than the qrels.
    """

    name: str
    lists: Lists
    complete: bool


_REFERENCE: ContextVar[_Reference | None] = ContextVar("irpref_ranx_reference", default=None)


@contextmanager
def reference(run: Any, *, make_comparable: bool = False) -> Iterator[None]:
    """Inside ``with reference(run):``, ``ranx.evaluate`` takes preferences over this run.

    A value is above 0 where the run that ranx evaluates is better than the reference. All topics of the
    qrels count; those without relevant items as 0. Blocks may be nested; other threads have their own.
    ranx saves the values in ``run.scores["rpp"]``, where those over another reference overwrite them.
    Two other runs must not be compared through a reference: :func:`irpref_ranx.compare` takes all pairs.

    Args:
        run: The reference: a ``Run`` or ``{topic: {document: score}}``, which stays unchanged.
        make_comparable: As in ranx: a topic that the reference lacks counts as one without results, and
            topics that the qrels lack are left out; otherwise such a reference is refused.

    Raises:
        ValueError: The run is neither ``Run`` nor dict. ``ranx.evaluate`` raises it too, where the topics
            differ or names are missing.

    Example:
        >>> import ranx
        >>> qrels = {"q_1": {"garden-001": 1}}
        >>> new, old = ({"q_1": {"garden-001": s, "garden-002": 2}} for s in (3, 1))
        >>> with reference(old):
        ...     float(ranx.evaluate(qrels, new, "rpp"))
        1.0
    """
    register()
    lists = lists_of(run, "the reference", "Run")
    with _comparing_with(_Reference(_name_of(run, "reference"), lists, make_comparable)):
        yield


@contextmanager
def _comparing_with(named: _Reference | None) -> Iterator[None]:
    """Inside, preferences compare with this reference; with None there is none."""
    before = _REFERENCE.set(named)
    try:
        yield
    finally:
        _REFERENCE.reset(before)


@cache
def register() -> None:
    """Let ``ranx.evaluate`` and ``ranx.compare`` know the tie-aware metrics; once is enough.

    Without this, and :func:`reference` and :func:`compare`, which call it, ranx is as it was.

    Example:
        >>> from ranx import Qrels, Run, evaluate
        >>> register()
        >>> qrels = Qrels({"q_1": {"garden-001": 1}})
        >>> tied = Run({"q_1": {"garden-001": 0.5, "garden-002": 0.5}})
        >>> float(evaluate(qrels, tied, "tie_mrr"))
        0.75
    """
    # ``ranx.meta.evaluate`` as an attribute is the function, not the module.
    evaluation: Any = importlib.import_module("ranx.meta.evaluate")
    evaluation.metric_switch = _with_ours(evaluation.metric_switch)
    evaluation.convert_qrels = _with_origin(evaluation.convert_qrels)
    evaluation.convert_run = _with_origin(evaluation.convert_run)
    comparison: Any = importlib.import_module("ranx.meta.compare")
    # Both would compare two other runs through the reference.
    comparison.evaluate = _comparing_with(None)(comparison.evaluate)
    fusion: Any = importlib.import_module("ranx.meta.optimize_fusion")
    optimizer = fusion.optimization_switch
    fusion.optimization_switch = lambda method: _comparing_with(None)(optimizer(method))
    report: Any = importlib.import_module("ranx.data_structures.report")
    optimization: Any = importlib.import_module("ranx.data_structures.optimization_report")
    labels = {name: f"Tie {report.metric_labels[name[len('tie_') :]]}" for name in TIE_METRICS}
    for module in (report, optimization):
        module.metric_labels = _AnyCase(module.metric_labels | labels)
    numbers = range(len(report.chars) + 1, _MOST_SYSTEMS + 1)
    report.chars.extend(f"({number})" for number in numbers)
    raised = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")
    report.super_chars.extend(f"({number})".translate(raised) for number in numbers)


class _AnyCase(dict[str, str]):
    """Labels by the names of metrics, which may be written in any case."""

    def __missing__(self, name: str) -> str:
        return dict(self)[name.lower()]


def _with_ours(switch: Callable[[str], Any]) -> Callable[[str], Any]:
    """ranx's function from a name to a metric, which knows ours too."""

    @wraps(switch)
    def metric_switch(metric: str) -> Any:
        if metric.lower() in TIE_METRICS:
            return partial(tie_aware_scores, TIE_METRICS[metric.lower()])
        found = named_preference(metric)
        if found is not None:
            return partial(_over_reference, found.preference)
        try:
            return switch(metric)
        except ValueError:
            if f"tie_{metric}".lower() in TIE_METRICS or nearest(metric, OURS) is None:
                raise
            raise unknown("metric", metric, OURS) from None

    return metric_switch


def _with_origin(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """ranx's function to a typed list, which keeps what the list is made of.

    The list itself has hashes of documents, and no topics; preferences need the names.
    """

    @wraps(convert)
    def converted(data: Any) -> Any:
        typed = convert(data)
        if typed is not data:
            typed.origin = data
        return typed

    return converted


@speaking(IN_RANX)
def _over_reference(
    preference: Preference, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1
) -> Floats:
    """The preference for a run over the reference by topic, as metrics of ranx give scores.

    Raises:
        ValueError: There is no reference, its topics or their order are others, or names are missing.
    """
    named = _REFERENCE.get()
    if named is None:
        raise ValueError(
            f"{preference} compares two runs. One run over another: with irpref_ranx.reference(run): "
            "ranx.evaluate(…). All pairs: irpref_ranx.compare, and not ranx.compare or optimize_fusion, "
            "which would compare two runs through a third one"
        )
    asked = at(preference, k, rel_lvl)
    # All preferences of a call share the list.
    if getattr(run, "collected", (None,))[0] is not named:
        run.collected = named, *_collect(qrels, run, named)
    _, topics, collection = run.collected
    placements = collection.placements
    # Collection.compare refuses a run without judged documents, and ranx gives it the worst values.
    comparison = Comparison(placements, totals_of_pairs(placements, [asked]))
    for warning in comparison.warnings:
        warn(warning)
    series = comparison.per_topic(asked, *collection.systems)
    values: Floats = series.reindex(topics, fill_value=0.0).to_numpy(copy=True)
    return values


def _collect(qrels: Any, run: Any, named: _Reference) -> tuple[list[str], Collection]:
    """The topics of the qrels, and where the run and its reference put their relevant documents."""
    try:
        judged = lists_of(qrels.origin, "the first argument (qrels)", "Qrels")
        evaluated = lists_of(run.origin, "the run", "Run")
    except AttributeError:
        raise ValueError(
            "preferences need the names of topics and documents, which arrays and typed lists have not: "
            "give Qrels and a Run, or dicts"
        ) from None
    if list(judged) != list(evaluated):
        raise ValueError(
            "ranx pairs the topics of qrels and run by their order, and these have other orders: give "
            "Qrels and a Run, which ranx sorts"
        )
    if judged.keys() != named.lists.keys() and not named.complete:
        common = len(judged.keys() & named.lists.keys())
        raise ValueError(
            f"the reference {named.name!r} has {common} of the {len(judged)} topics of the qrels, and "
            f"{len(named.lists) - common} others: irpref_ranx.reference(run, make_comparable=True) counts "
            "a topic that it lacks as one without results, and leaves others out"
        )
    name = _name_of(run.origin, "run")
    other = f"{named.name} (reference)" if named.name == name else named.name
    return list(judged), irpref.collect(judged, {name: evaluated, other: named.lists})


def _name_of(run: Any, otherwise: str) -> str:
    return str(getattr(run, "name", None) or otherwise)

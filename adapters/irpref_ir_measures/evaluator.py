"""Compute irpref's values from the qrels and runs of ir_measures."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import polars as pl
from ir_measures import Metric
from ir_measures.providers import Evaluator
from ir_measures.util import QrelsConverter, RunConverter

from irpref import InputError, Measure, Reading, for_adapters
from irpref_ir_measures.references import first_run_of, read_reference

_RUN = "the evaluated run"


class CoreEvaluator(Evaluator):
    """Computes irpref's measures of a run, and its preferences for the run over reference runs."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        """Read the qrels and the reference runs.

        Raises:
            ValueError: The qrels or a reference run are unreadable.
        """
        asked = list(dict.fromkeys(measures))
        reading = for_adapters.reading_for([measure.core() for measure in asked], Reading())
        self._topics, judgments = read_judgments(qrels, reading)
        super().__init__(asked, list(self._topics.values()))
        self._judged = judgments
        anything_relevant = bool((judgments["grade"] > 0).any())
        self._judgments = for_adapters.Judgments(judgments) if anything_relevant else None
        self._references: dict[str, pl.DataFrame] = {}
        for measure in asked:
            name = _reference_name(measure)
            if name is not None and first_run_of(measure) is None:
                self._references[name] = self._read_reference(measure)

    def _read_reference(self, measure: Any) -> pl.DataFrame:
        """The reference run of a measure by its scores; by those that stand for its ranks, if so asked."""
        table = read_reference(measure.reference, measure)
        source, order = f"the reference run {measure.reference}", measure["ref_order"]
        self._warn_of_strangers(table, source)
        with _told_here(measure):
            ranking = for_adapters.rank_run(
                table,
                source=source,
                name=measure.reference,
                order=order,
                duplicates=measure["duplicates"],
            )
        if ranking.warning is not None:
            for_adapters.warn(
                f"{source}: {for_adapters.spelled(ranking.warning, partial(_as_parameter, measure))}"
            )
        if order == "score":
            return table.drop("rank")
        # The run has no ties then, and keeps its order among others by score.
        scores = -ranking.everywhere.position.astype(np.float64)
        topics = ranking.segments.topics.gather(ranking.segments.indices)
        return pl.DataFrame({"topic": topics, "document": ranking.documents, "score": scores})

    def _warn_of_strangers(self, table: pl.DataFrame, source: str) -> None:
        """Warn of a run without a topic of the qrels."""
        if self._topics and not set(table["topic"].unique()) & set(self._topics):
            for_adapters.warn(
                f"{source} has no topic in common with the qrels, so it counts as an empty run"
            )

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        table = read_results(run)
        if len(table):
            self._warn_of_strangers(table, _RUN)
        for measure in self.measures:
            first = first_run_of(measure)
            if first is not None:
                first_table = first.remember(table, self._judged, measure)
                self._references[str(_reference_name(measure))] = first_table
        place = cache(partial(self._place, table))
        for measure in self.measures:
            values: dict[str, float] = {}
            otherwise = _without_relevant(measure)
            if self._judgments is not None:
                placements = place(_reading(measure))
                found = _values(placements, measure).tolist()
                values = dict(zip(placements.topics, found, strict=True))
            for name, query_id in self._topics.items():
                # Adding 0 turns -0.0 into 0.
                value = values.get(name, otherwise) + 0.0
                yield Metric(query_id=query_id, measure=measure, value=value)

    def _place(self, table: pl.DataFrame, reading: Reading) -> for_adapters.Placements:
        """Place the run and the references of all measures that are read so."""
        assert self._judgments is not None
        alike = [measure for measure in self.measures if _reading(measure) == reading]
        names = filter(None, map(_reference_name, alike))
        runs = {_RUN: table, **{name: self._references[name] for name in names}}
        with _told_here(alike[0]):
            return for_adapters.locate_rankings(self._judgments, runs, reading).placements


@contextmanager
def _told_here(measure: Any) -> Iterator[None]:
    """Errors name options as they are written here: as parameters of a measure."""
    try:
        yield
    except InputError as error:
        raise error.spelled(partial(_as_parameter, measure)) from None


def _as_parameter(measure: Any, option: for_adapters.Option) -> str:
    """An option as a parameter of the measure: the order is that of its reference."""
    if option.name == "duplicates" and not option.alone:
        return f"{measure.NAME}({option})"
    if option.name == "order":
        of_one = isinstance(option.value, dict)
        value = next(iter(option.value.values())) if of_one else option.value
        return str(replace(option, name="ref_order", value=value))
    return str(option)


def _reading(measure: Any) -> Reading:
    return Reading(judged_only=measure["judged_only"], duplicates=measure["duplicates"])


def _values(placements: for_adapters.Placements, measure: Any) -> for_adapters.Floats:
    """(T,) values by topic; the evaluated run is the first system."""
    core = measure.core()
    if isinstance(core, Measure):
        return core.scores(placements)[:, 0]
    _refuse_too_few_weights(measure, core, placements)
    second = placements.system(str(_reference_name(measure)))
    batch = for_adapters.TopicBatch(placements, first=np.array([0]), second=np.array([second]))
    values = core.values(batch)
    label = getattr(measure, "relation", None)
    if label is None:
        found = core.signed_values(values)
    else:
        labels = [relation.label for relation in core.relations]
        shares, relevant = core.relation_shares(values), core.has_relevant(batch)[:, None, None]
        found = np.where(relevant, shares[..., labels.index(label)], _without_relevant(measure))
    return np.asarray(found[:, 0, 0], dtype=np.float64)


def _without_relevant(measure: Any) -> float:
    """What ir_measures gets for a topic without relevant items: 0, but the share of tied rankings is 1."""
    label = getattr(measure, "relation", None)
    relations = [] if label is None else measure.core().relations
    return float((label, "ties") in [(each.label, each.counts_as) for each in relations])


def _refuse_too_few_weights(measure: Any, core: Any, placements: for_adapters.Placements) -> None:
    weights = getattr(core, "weights", None)
    if isinstance(weights, tuple):
        relevant = for_adapters.at_least(placements.grades, core.rel)
        levels = int(np.bincount(placements.topic_of_row[relevant], minlength=1).max())
        if len(weights) < levels:
            # The core would advise a function, which has no text.
            raise ValueError(
                f"{measure.NAME}: weights: a topic has {levels} relevant documents, so it needs {levels} "
                f"weights or more, not {len(weights)}"
            )


def _reference_name(measure: Any) -> str | None:
    """The name of a measure's reference run among the runs, no other's; None if it needs none."""
    reference: str | None = getattr(measure, "reference", None)
    if reference is None:
        return None
    if first_run_of(measure) is not None:
        # Two measures may have seen another first run.
        return f"{reference} of {measure}"
    kind = "reference" if measure["ref_order"] == "score" else "ranked reference"
    return f"{kind} {reference}"


def read_judgments(qrels: Any, reading: Reading) -> tuple[dict[str, Any], pl.DataFrame]:
    """Read qrels of any kind that ir_measures takes.

    Returns:
        The given topics by their texts, and the judgments as irpref reads them (maybe no rows).

    Raises:
        ValueError: The qrels are unreadable.
    """
    converter = QrelsConverter(qrels)
    kind, _ = converter.predict_type()
    given: Any = qrels
    if kind == "dict_of_dict":
        # A topic without judgments is still a topic.
        column, judged = list(qrels), [topic for topic in qrels if qrels[topic]]
    elif kind == "pd_dataframe":
        column = judged = list(dict.fromkeys(qrels["query_id"].to_list()))
    else:
        # This refuses what is in no format that ir_measures knows.
        given = list(converter.as_namedtuple_iter())
        column = judged = list(dict.fromkeys(judgment.query_id for judgment in given))
    table = (
        for_adapters.read_qrels(given, reading) if judged else for_adapters.EMPTY["qrels"]
    ).drop("line")
    if table["subtopic"].null_count():
        table = table.drop("subtopic")
    texts = dict(zip(judged, table["topic"].unique(maintain_order=True), strict=False))
    topics = {texts.get(topic, str(topic)): topic for topic in column}
    if len(topics) < len(column):
        raise InputError(
            "two topics are the same as text, such as 1 and '1'",
            source="qrels",
            remedy="give all topics one type",
        )
    return topics, table


def read_results(run: Any) -> pl.DataFrame:
    """Read a run of any kind that ir_measures takes.

    Returns:
        Columns topic, document and score; maybe no rows.

    Raises:
        ValueError: The run is unreadable.
    """
    converter = RunConverter(run)
    kind, _ = converter.predict_type()
    if kind == "dict_of_dict":
        given, size = run, sum(map(len, run.values()))
    elif kind == "pd_dataframe":
        given, size = run[["query_id", "doc_id", "score"]], len(run)
    else:
        # This refuses what is in no format that ir_measures knows.
        given = list(converter.as_namedtuple_iter())
        size = len(given)
    table = for_adapters.read_run(given, source=_RUN) if size else for_adapters.EMPTY["run"]
    return table.select("topic", "document", "score")

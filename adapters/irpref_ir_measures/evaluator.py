"""Compute irpref's values from the qrels and runs of ir_measures."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl
from ir_measures import Metric
from ir_measures.providers import Evaluator
from ir_measures.util import QrelsConverter, RunConverter

from irpref.arrays import Floats
from irpref.errors import warn
from irpref.measures import Measure
from irpref.project.placements import Placements
from irpref.project.placing import place_rankings
from irpref.project.topic_batch import TopicBatch
from irpref.read import read_qrels, read_run
from irpref.reading import Reading
from irpref_ir_measures.reference import read_reference

__all__ = ["CoreEvaluator", "read_judgments", "read_results"]

_RUN = "the evaluated run"


class CoreEvaluator(Evaluator):
    """Computes irpref's measures of a run, and its preferences for the run over reference runs."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        """Read the qrels and the reference runs.

        Raises:
            ValueError: The qrels or a reference run are unreadable.
        """
        asked = list(dict.fromkeys(measures))
        self._topics, self._qrels = read_judgments(qrels)
        super().__init__(asked, list(self._topics.values()))
        self._references: dict[str, pl.DataFrame] = {}
        for measure in asked:
            name = _system(measure)
            if name is not None and name not in self._references:
                table = read_reference(measure.reference, measure)
                self._references[name] = table
                if self._topics and not set(table["topic"]) & set(self._topics):
                    warn(
                        f"the reference run {name} has no topic in common with the qrels, so it counts "
                        "as an empty run",
                    )

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        table = read_results(run)
        runs = {_RUN: table, **self._references}
        placed: dict[bool, Placements] = {}
        for measure in self.measures:
            values: dict[str, float] = {}
            if self._anything_relevant:
                judged_only = measure["judged_only"]
                if judged_only not in placed:
                    reading = Reading(judged_only=judged_only)
                    placed[judged_only], _ = place_rankings(self._qrels, runs, reading)
                placements = placed[judged_only]
                found = _values(placements, measure).tolist()
                values = dict(zip(placements.topics, found, strict=True))
            for name, query_id in self._topics.items():
                # As in ir_measures, 0 for topics without relevant items. Adding 0 turns -0.0 into 0.
                yield Metric(query_id=query_id, measure=measure, value=values.get(name, 0.0) + 0.0)

    @property
    def _anything_relevant(self) -> bool:
        return bool((self._qrels["grade"] > 0).any())


def _values(placements: Placements, measure: Any) -> Floats:
    """(T,) values by topic; the evaluated run is the first system."""
    core = measure.core()
    if isinstance(core, Measure):
        return core.scores(placements)[:, 0]
    second = placements.system(str(_system(measure)))
    batch = TopicBatch(placements, first=np.array([0]), second=np.array([second]))
    values = core.values(batch)
    label = getattr(measure, "relation", None)
    if label is None:
        found = core.signed_values(values)
    else:
        labels = [relation.label for relation in core.relations]
        # On topics without relevant items, the two have no relation.
        relevant = core.has_relevant(batch)[:, None, None]
        found = core.relation_shares(values)[..., labels.index(label)] * relevant
    return np.asarray(found[:, 0, 0], dtype=np.float64)


def _system(measure: Any) -> str | None:
    """The name of a measure's reference run in the collection; None if it needs none."""
    reference: str | None = getattr(measure, "reference", None)
    # A run in memory may have the name of a file.
    return reference if getattr(reference, "run", None) is None else f"{reference} in memory"


def read_judgments(qrels: Any) -> tuple[dict[str, Any], pl.DataFrame]:
    """Read qrels of any kind that ir_measures takes.

    Returns:
        The given topics by their texts, and the judgments as irpref reads them (maybe no rows).

    Raises:
        ValueError: The qrels are unreadable.
    """
    converter = QrelsConverter(qrels)
    kind, problem = converter.predict_type()
    topics: dict[str, Any] = {}
    if kind == "dict_of_dict":
        # A topic without judgments is still a topic.
        topics = {str(topic): topic for topic in qrels}
        given = qrels
        column = [topic for topic, documents in qrels.items() for _ in documents]
    elif kind == "pd_dataframe":
        given = qrels
        column = qrels["query_id"].to_list()
    elif kind == "namedtuple_iter":
        given = list(converter.qrels)
        column = [judgment.query_id for judgment in given]
    else:
        raise ValueError(f"unknown qrels format: {problem}")
    if not column:
        schema = {"topic": pl.String, "document": pl.String, "grade": pl.Float64}
        return topics, pl.DataFrame(schema=schema)
    table = read_qrels(given).drop("line")
    if table["subtopic"].null_count():
        table = table.drop("subtopic")
    topics.update(zip(table["topic"], column, strict=True))
    return topics, table


def read_results(run: Any) -> pl.DataFrame:
    """Read a run of any kind that ir_measures takes.

    Returns:
        Columns topic, document and score; maybe no rows.

    Raises:
        ValueError: The run is unreadable.
    """
    converter = RunConverter(run)
    kind, problem = converter.predict_type()
    if kind == "dict_of_dict":
        given, size = run, sum(map(len, run.values()))
    elif kind == "pd_dataframe":
        given, size = run[["query_id", "doc_id", "score"]], len(run)
    elif kind == "namedtuple_iter":
        given = list(converter.run)
        size = len(given)
    else:
        raise ValueError(f"unknown run format: {problem}")
    if not size:
        return pl.DataFrame(schema={"topic": pl.String, "document": pl.String, "score": pl.Float64})
    return read_run(given, source=_RUN).select("topic", "document", "score")

"""Pipelines and result frames: ``pt.Experiment`` runs them once, and this module keeps the results."""

# mypy: allow-untyped-calls
# (PyTerrier has types for some of its functions only)

from __future__ import annotations

import os
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyterrier as pt

__all__ = ["Systems", "prepare"]

_COLUMNS = ["qid", "docno", "score"]


@dataclass(frozen=True, eq=False)
class Systems:
    """The systems to compare, and their topics.

    Attributes:
        systems: Pipelines or result frames.
        names: The name of each system.
        topics: The topics, with qid as text; None if all systems are result frames.
        qids: The given qid of each topic, by its text.
        qid_dtype: The type of the given qids.
        qrels: The judgments of these topics, with qid and docno as text.
    """

    systems: list[Any]
    names: list[str]
    topics: pd.DataFrame | None
    qids: dict[str, Any]
    qid_dtype: Any
    qrels: pd.DataFrame

    def run(self, metrics: Sequence[Any], **options: Any) -> tuple[Any, list[pd.DataFrame]]:
        """Run every pipeline once.

        Args:
            metrics: The metrics for ``pt.Experiment``.
            options: Further options of ``pt.Experiment``.

        Returns:
            The result of ``pt.Experiment``, and the results of each system.
        """
        topics: Any = self.topics
        recorders = [_Recorder() for _ in self.systems]
        given: pt.Transformer | None = None
        wrapped: list[Any] = []
        for system, recorder in zip(self.systems, recorders, strict=True):
            if isinstance(system, pt.Transformer):
                stages = system >> recorder
                if any(not isinstance(qid, str) for qid in self.qids.values()):
                    # With plan="tree", all pipelines share one first stage.
                    if given is None or options.get("plan") != "tree":
                        given = _GivenTopics(self.qids, self.qid_dtype)
                    stages = given >> stages
                wrapped.append(stages)
            elif isinstance(system, pd.DataFrame):
                wrapped.append(recorder.transform(system))
            else:
                wrapped.append(system)
        result = pt.Experiment(
            wrapped,
            topics,
            self.qrels,
            metrics,
            names=self.names,
            filter_by_qrels=False,
            filter_by_topics=False,
            **options,
        )
        frames = []
        for name, recorder in zip(self.names, recorders, strict=True):
            if not recorder.parts:
                # pt.Experiment read saved results instead of running the pipeline.
                saved = _read_saved(options["save_dir"], name, options.get("save_format", "trec"))
                recorder.transform(saved)
            frames.append(pd.concat(recorder.parts, ignore_index=True))
        return result, frames

    def frames(self) -> list[pd.DataFrame]:
        """The result frames.

        Raises:
            ValueError: A system is not a result frame.
        """
        for name, system in zip(self.names, self.systems, strict=True):
            if not isinstance(system, pd.DataFrame):
                raise ValueError(f"without topics, {name} must be a result frame; or give topics")
        return [_with_texts(system)[_COLUMNS] for system in self.systems]


def prepare(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    names: Sequence[str] | None,
    *,
    filter_by_qrels: bool,
    filter_by_topics: bool,
) -> Systems:
    """Systems, topics and qrels of any kind that ``pt.Experiment`` takes, with ids as text.

    Raises:
        TypeError: The systems are neither a list nor a dict.
        ValueError: The numbers of names and systems differ, or topics and qrels have no common topic.
    """
    if isinstance(retr_systems, Mapping):
        names, systems = list(retr_systems), list(retr_systems.values())
    elif isinstance(retr_systems, list):
        systems = retr_systems
    else:
        raise TypeError(
            f"retr_systems must be a list or dict of transformers, not {type(retr_systems).__name__}"
        )
    if names is None:
        names = [str(system) for system in systems]
    elif len(names) != len(systems):
        raise ValueError(f"there are {len(names)} names for {len(systems)} systems")
    if isinstance(topics, str) and os.path.isfile(topics):
        topics = pt.io.read_topics(topics)
    if isinstance(qrels, str) and os.path.isfile(qrels):
        qrels = pt.io.read_qrels(qrels)
    judged = _with_texts(qrels)
    if topics is None:
        return Systems(systems, list(names), None, {}, None, judged)
    asked = _with_texts(topics)
    qids = dict(zip(asked["qid"], topics["qid"], strict=True))
    if filter_by_qrels:
        asked = asked[asked["qid"].isin(judged["qid"])]
    if filter_by_topics:
        judged = judged[judged["qid"].isin(asked["qid"])]
    if asked.empty or judged.empty:
        raise ValueError("no topic is both in the topics and in the qrels")
    return Systems(systems, list(names), asked, qids, topics["qid"].dtype, judged)


class _Recorder(pt.Transformer):
    """The last stage of a pipeline, which keeps its results."""

    def __init__(self) -> None:
        self.parts: list[pd.DataFrame] = []

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        results = _with_texts(inp)
        if len(results) and set(_COLUMNS) <= set(results.columns):
            self.parts.append(results[_COLUMNS])
        return results

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The same columns."""
        return input_columns


class _GivenTopics(pt.Transformer):
    """The first stage of a pipeline, which gives the topics their original qids."""

    def __init__(self, qids: dict[str, Any], dtype: Any) -> None:
        self.qids = qids
        self.dtype = dtype

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        qids = [self.qids[qid] for qid in inp["qid"]]
        return inp.assign(qid=pd.Series(qids, index=inp.index, dtype=self.dtype))

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The same columns."""
        return input_columns


def _with_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy with qid and docno as text, since PyTerrier distinguishes ids of different types."""
    texts = {
        column: pd.Series([_text(name) for name in frame[column]], index=frame.index, dtype=object)
        for column in ("qid", "docno")
        if column in frame.columns
    }
    return frame.assign(**texts)


def _text(name: Any) -> str:
    # pandas turns a column of whole numbers with a gap into floats: 301.0 is topic 301.
    return str(int(name)) if isinstance(name, float) and name.is_integer() else str(name)


def _read_saved(save_dir: str, name: str, save_format: Any) -> pd.DataFrame:
    """The saved results of ``pt.Experiment``, from the files under its names."""
    path = os.path.join(save_dir, name)
    if save_format == "trec":
        return pt.io.read_results(f"{path}.res.gz")
    module = isinstance(save_format, types.ModuleType)
    read = save_format.load if module else save_format[0]
    with pt.io.autoopen(f"{path}.{'mod' if module else 'custom'}", "rb") as file:
        frame: pd.DataFrame = read(file)
    return frame

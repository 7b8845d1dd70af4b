"""Pipelines and result frames: ``pt.Experiment`` runs them once, and a watch keeps the results."""

# mypy: allow-untyped-calls
# (PyTerrier has types for some of its functions only)

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd
import pyterrier as pt
from pyterrier import Experiment as HostExperiment

from irpref import InputError, Reading
from irpref.for_adapters import refuse_missing_columns, refuse_unknown_options
from irpref_pyterrier.pipelines import Watch, watched
from irpref_pyterrier.results import (
    check_results,
    concerning,
    ids_not_text,
    said,
    with_texts,
)


@dataclass(frozen=True, eq=False)
class Systems:
    """The systems to compare, and their topics.

    Attributes:
        systems: Pipelines or result frames.
        names: The name of each system.
        topics: The topics, with qid as text; None if all systems are result frames.
        qrels: The judgments of these topics, with qid and docno as text.
        numbers: The qids of the topics as they were given, if an id that was given is no text.
    """

    systems: list[Any]
    names: list[Any]
    topics: pd.DataFrame | None
    qrels: pd.DataFrame
    numbers: pd.Series[Any] | None = None

    def run(self, metrics: Sequence[Any], **options: Any) -> tuple[Any, list[pd.DataFrame]]:
        """Run every pipeline once.

        Args:
            metrics: The metrics for ``pt.Experiment``.
            options: Further options of ``pt.Experiment``.

        Returns:
            The result of ``pt.Experiment``, and the results of each system.

        Raises:
            InputError: A system retrieved nothing, or its results lack a column.
        """
        topics: Any = self.topics
        tree = options.get("plan") == "tree"
        timed = [metric for metric in metrics if is_mrt(metric)]
        evaluated = [metric for metric in metrics if not is_mrt(metric)]
        watch = Watch(self.names, evaluated, in_order=not tree)
        try:
            result = HostExperiment(
                watched(self.systems, watch, numbers=self.numbers, tree=tree),
                topics,
                self.qrels,
                [*watch.relays.values(), *timed],
                names=self.names,
                filter_by_qrels=False,
                filter_by_topics=False,
                **options,
            )
        except (TypeError, ValueError) as error:
            if watch.ran is None:
                raise
            # pt.Experiment refuses some results before it evaluates them.
            raise concerning(self.names[watch.ran], error) from error
        return result, [watch.results(number) for number in range(len(self.systems))]


def prepare(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    names: Sequence[Any] | None,
    filter_by_qrels: bool,
    filter_by_topics: bool,
) -> Systems:
    """Systems, topics and qrels of any kind that ``pt.Experiment`` takes, with ids as text.

    Raises:
        TypeError: The systems are neither a list nor a dict, or one is no system.
        ValueError: The numbers of names and systems differ, a result frame is empty or lacks a column, or
            topics and qrels have no common topic.
    """
    systems, names = _by_name(retr_systems, names)
    topics = _frame(topics, "topics", pt.io.read_topics) if topics is not None else None
    qrels = _frame(qrels, "qrels", pt.io.read_qrels)
    judged = with_texts(qrels)
    if topics is None:
        return Systems(systems, names, None, judged)
    numbered = ids_not_text(topics) or ids_not_text(qrels)
    asked = with_texts(topics)
    # As pt.Experiment does, so that pipelines get the same frame.
    if filter_by_qrels:
        asked = asked.merge(judged[["qid"]].drop_duplicates())
    if filter_by_topics:
        judged = judged.merge(asked[["qid"]].drop_duplicates())
    if asked.empty or judged.empty:
        raise ValueError("no topic is both in the topics and in the qrels")
    return Systems(systems, names, asked, judged, topics["qid"] if numbered else None)


def _by_name(retr_systems: Any, names: Sequence[Any] | None) -> tuple[list[Any], list[Any]]:
    """The systems and their names."""
    if isinstance(retr_systems, Mapping):
        names, systems = list(retr_systems), list(retr_systems.values())
    elif isinstance(retr_systems, list):
        systems = retr_systems
    else:
        raise TypeError(
            f"retr_systems must be a list or dict of transformers, not {type(retr_systems).__name__}"
        )
    names = [str(system) for system in systems] if names is None else list(names)
    if len(names) != len(systems):
        raise ValueError(f"there are {len(names)} names for {len(systems)} systems")
    for name, system in zip(names, systems, strict=True):
        if isinstance(system, pd.DataFrame):
            check_results(system, name)
            if system.empty:
                raise InputError("the result frame is empty", source=said(name))
        elif not isinstance(system, pt.Transformer):
            raise TypeError(
                f"the system of {said(name)} is a {type(system).__name__}, not a transformer or a "
                "result frame"
            )
    return systems, names


def _frame(given: Any, kind: str, read: Callable[[str], Any]) -> pd.DataFrame:
    """Topics or qrels as a frame."""
    frame = read(given) if isinstance(given, str) and os.path.isfile(given) else given
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{kind} must be a frame or the path of a file, not {given!r:.60}")
    needed = ("qid",) if kind == "topics" else ("qid", "docno", "label")
    refuse_missing_columns(frame.columns, needed, kind)
    return frame


def is_mrt(metric: Any) -> bool:
    """Whether a metric is the mean response time, which ``pt.Experiment`` measures itself."""
    return isinstance(metric, str) and metric == "mrt"


def split_options(
    caller: Callable[..., Any], options: Mapping[str, Any], *, but: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of :class:`irpref.Reading`, and those of ``pt.Experiment``.

    Args:
        caller: The function that was called.
        options: What it was called with, besides its own parameters.
        but: Options that mean nothing to it.

    Raises:
        TypeError: Neither has such an option; the nearest one is named.
    """
    of_reading = {option.name for option in fields(Reading)}
    parameters = inspect.signature(HostExperiment).parameters.values()
    of_host = {each.name for each in parameters if each.kind != each.VAR_KEYWORD}
    known = sorted((of_reading | of_host) - set(but))
    refuse_unknown_options(f"{caller.__name__}()", options, known)
    reading = {name: value for name, value in options.items() if name in of_reading}
    return reading, {name: value for name, value in options.items() if name not in reading}

"""The pipelines that ``pt.Experiment`` runs: the user's, with an end that tells the watch which one ran."""

# mypy: allow-untyped-calls
# (PyTerrier has types for some of its functions only)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyterrier as pt
from pyterrier.transformer import SourceTransformer

from irpref.for_adapters import shortened
from irpref_pyterrier.relay import Watch
from irpref_pyterrier.results import with_texts


def watched(
    systems: Sequence[Any], watch: Watch, *, numbers: pd.Series[Any] | None, tree: bool
) -> list[Any]:
    """The systems for ``pt.Experiment``, which tell the watch when they ran.

    Args:
        systems: Pipelines and result frames.
        watch: The watch.
        numbers: The given qids if some ids are numbers; else None.
        tree: Whether ``pt.Experiment`` takes the pipelines apart, to run what they share once.
    """
    ends = [_End(watch, number, numbered=numbers is not None) for number in range(len(systems))]
    shared = [] if numbers is None else [_GivenTopics(numbers)]
    pipelines: list[list[pt.Transformer]] = []
    for system in systems:
        # In a plan, pipelines share their first stage; else pt.Experiment would speak of it.
        first = shared if tree or numbers is None else [_GivenTopics(numbers)]
        if isinstance(system, pd.DataFrame):
            pipelines.append([_Results(with_texts(system))])
        else:
            pipelines.append([*first, *(system if isinstance(system, pt.Compose) else [system])])
    if tree and numbers is None:
        paths = _paths(pipelines, ends)
    else:
        paths = [[*stages, end] for stages, end in zip(pipelines, ends, strict=True)]
    return [
        with_texts(system)
        if isinstance(system, pd.DataFrame) and not tree
        else _Watched(system, path)
        for system, path in zip(systems, paths, strict=True)
    ]


def _paths(pipelines: list[list[pt.Transformer]], ends: list[_End]) -> list[list[pt.Transformer]]:
    """The stages of each pipeline, and after those of a whole system the system's end.

    A longer pipeline goes through the ends of those that it extends. So ``pt.Experiment`` evaluates each
    system before it runs the further stages, as it does without ends.
    """
    paths: list[list[pt.Transformer]] = []
    for stages, own in zip(pipelines, ends, strict=True):
        path: list[pt.Transformer] = []
        for depth, stage in enumerate(stages, start=1):
            path.append(stage)
            passed = zip(pipelines, ends, strict=True)
            path += [end for other, end in passed if other == stages[:depth]]
        paths.append(path[: path.index(own) + 1])
    return paths


class _Watched(pt.Compose):
    """A pipeline of the user, which tells the watch when it ran; the rest is the pipeline's."""

    def __init__(self, system: Any, stages: list[pt.Transformer]) -> None:
        super().__init__(*stages)
        self.system = system

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The results of the pipeline itself: a kind of pt.Compose may have a way of its own."""
        first, end = self[0], self[-1]
        topics = first.transform(inp) if isinstance(first, _GivenTopics) else inp
        return end.transform(self.system.transform(topics))

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The columns of the pipeline's results."""
        if isinstance(self.system, pd.DataFrame):
            return list(self.system.columns)
        found: list[str] = pt.inspect.transformer_outputs(self.system, input_columns)
        return found

    def __repr__(self) -> str:
        return str(self.system)


class _End(pt.Transformer):
    """The end of a pipeline: it says which system ran, and leaves the results alone.

    Numbers as ids, with which ``pt.Experiment`` itself fails, become texts.
    """

    def __init__(self, watch: Watch, number: int, *, numbered: bool) -> None:
        self.watch = watch
        self.number = number
        self.numbered = numbered

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        # pt.Experiment times this: nothing else may be done with the results here.
        self.watch.ran = self.number
        return with_texts(inp) if self.numbered else inp

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The same columns."""
        return input_columns

    def schematic(self, *, input_columns: list[str] | None = None) -> dict[str, str]:
        """The system's name, in drawings of a plan."""
        return {"label": repr(self)}

    def __repr__(self) -> str:
        return f"[{shortened(str(self.watch.names[self.number]))}]"


class _Results(SourceTransformer):
    """A result frame in a plan."""

    def __repr__(self) -> str:
        return "results"


class _GivenTopics(pt.Transformer):
    """The first stage of a pipeline, which gives the topics their original qids."""

    def __init__(self, given: pd.Series[Any]) -> None:
        texts = with_texts(given.to_frame("qid"))["qid"]
        self.qids = dict(zip(texts, given, strict=True))
        self.dtype = given.dtype

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        qids = [self.qids[qid] for qid in inp["qid"]]
        return inp.assign(qid=pd.Series(qids, index=inp.index, dtype=self.dtype))

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The same columns."""
        return input_columns

    def __repr__(self) -> str:
        return "topics"

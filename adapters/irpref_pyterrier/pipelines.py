"""The pipelines that ``pt.Experiment`` runs, and the metrics that show irpref every run which it evaluates.

The pipelines are the user's, with an end that tells the :class:`Watch` which one ran. ``pt.Experiment``
times a pipeline, and then hands its results to ir_measures. There, outside of what is timed, a
:class:`Relay` stands for a metric of the user: ir_measures computes the metric, and the watch sees the
results first.
"""

# mypy: allow-untyped-calls
# (PyTerrier has types for some of its functions only)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ir_measures
import pandas as pd
import pyterrier as pt
from ir_measures import Evaluator, Measure, Metric, Provider
from pyterrier.transformer import SourceTransformer

from irpref.for_adapters import shortened
from irpref_pyterrier.results import check_results, concerning, with_texts


class Watch:
    """What ``pt.Experiment`` evaluates.

    Attributes:
        names: The name of each system.
        in_order: Whether the systems are evaluated in their order; else each tells when it ran.
        ran: The index of the system that has just run; None once its results are seen.
        metrics: The user's metrics, for ir_measures.
        relays: The metric for ``pt.Experiment`` that stands for each.
    """

    def __init__(self, names: Sequence[Any], metrics: Sequence[Any], *, in_order: bool) -> None:
        """Make a relay of every metric.

        Raises:
            ValueError: There is no such metric.
        """
        self.names = names
        self.in_order = in_order
        self.ran: int | None = None
        self._last = -1
        self._parts: list[list[pd.DataFrame]] = [[] for _ in names]
        self.metrics: list[Measure] = []
        labels: dict[Measure, str] = {}
        for metric in metrics:
            found = ir_measures.parse_trec_measure(metric) if isinstance(metric, str) else [metric]
            for measure in found:
                if not isinstance(measure, Measure):
                    raise ValueError(f"{metric!r} is no metric: give a text or a measure")
            if isinstance(metric, str) and len(found) == 1:
                # As in pt.Experiment, the column has the name that the user gave.
                labels[found[0]] = metric
            self.metrics += found
        self.relays = {
            measure: Relay(self, labels.get(measure, str(measure))) for measure in self.metrics
        }

    def seen(self, run: pd.DataFrame) -> tuple[int | None, pd.DataFrame]:
        """Keep the results of the system that has just run.

        Returns:
            The index of the system, and the run with ids as texts.

        Raises:
            InputError: The results lack a column.
        """
        number, self.ran = self.ran, None
        if number is None and self.in_order and len(run):
            # A result frame, or results that pt.Experiment had saved: nothing ran.
            number = self._last + 1
        if number is None:
            # pt.Experiment scores topics that no batch had.
            return None, run
        self._last = number
        results = pt.model.from_ir_measures(run)
        check_results(results, self.names[number])
        columns = ["qid", "docno", "score", *(["rank"] if "rank" in results else [])]
        self._parts[number].append(results[columns])
        return number, with_texts(run)

    def results(self, number: int) -> pd.DataFrame:
        """The results of a system: columns qid, docno, score, and rank if it has one."""
        parts = self._parts[number]
        return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


class Relay(Measure):
    """A metric of the user, under the name of its column."""

    NAME = "irpref_pyterrier"

    def __init__(self, watch: Watch, label: str) -> None:
        super().__init__()
        self.watch = watch
        self.label = label

    def __repr__(self) -> str:
        return self.label


class _Provider(Provider):
    NAME = Relay.NAME

    def supports(self, measure: Measure) -> bool:
        return isinstance(measure, Relay)

    def run_inputs(self, measures: Iterable[Any]) -> list[str]:
        """The needed columns of the run."""
        metrics = [metric for relay in measures for metric in relay.watch.metrics]
        found: list[str] = ir_measures.run_inputs(metrics)
        return found

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        return _Evaluator(next(iter(measures)).watch, qrels)


class _Evaluator(Evaluator):
    """Computes the user's metrics as ``pt.Experiment`` would have done."""

    def __init__(self, watch: Watch, qrels: Any) -> None:
        self.watch = watch
        self.inner = ir_measures.evaluator(watch.metrics, qrels)
        super().__init__(list(watch.relays.values()), self.inner.qrel_qids)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        number, run = self.watch.seen(run)
        try:
            for metric in self.inner.iter_calc(run):
                yield metric._replace(measure=self.watch.relays[metric.measure])
        except (TypeError, ValueError) as error:
            if number is None:
                raise
            raise concerning(self.watch.names[number], error) from error


# First, since providers of others are asked in turn.
ir_measures.DefaultPipeline.providers.insert(0, _Provider())


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

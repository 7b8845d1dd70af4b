"""Metrics that show irpref every run which ``pt.Experiment`` evaluates, outside of what it times.

``pt.Experiment`` times a pipeline, and then hands its results to ir_measures. There a :class:`Relay` stands
for a metric of the user: ir_measures computes the metric, and the :class:`Watch` sees the results first.
"""

# mypy: allow-untyped-calls
# (PyTerrier and ir_measures have types for some of their functions only)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import ir_measures
import pandas as pd
import pyterrier as pt
from ir_measures import Evaluator, Measure, Metric, Provider

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

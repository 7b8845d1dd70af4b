"""Additions to ranx: names of metrics, their labels, and letters for more than 26 systems."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from irpref_ranx.metric_names import PREFERENCES
from irpref_ranx.tie_metrics import TIE_METRICS, metric_function

# ranx has letters for 26 systems of a report, and fails at the next system.
_MOST_SYSTEMS = 9_999


def register() -> None:
    """Add the tie-aware metrics to ``ranx.evaluate`` and ``ranx.compare``; once is enough.

    Example:
        >>> from ranx import Qrels, Run, evaluate
        >>> qrels = Qrels({"q_1": {"garden-001": 1}})
        >>> tied = Run({"q_1": {"garden-001": 0.5, "garden-002": 0.5}})
        >>> float(evaluate(qrels, tied, "tie_mrr"))
        0.75
    """
    _add_metrics()
    report: Any = importlib.import_module("ranx.data_structures.report")
    optimization: Any = importlib.import_module("ranx.data_structures.optimization_report")
    for name in TIE_METRICS:
        label = f"Tie {report.metric_labels[name.removeprefix('tie_')]}"
        report.metric_labels[name] = optimization.metric_labels[name] = label
    numbers = range(len(report.chars) + 1, _MOST_SYSTEMS + 1)
    report.chars.extend(f"({number})" for number in numbers)
    raised = str.maketrans("0123456789()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾")
    report.super_chars.extend(f"({number})".translate(raised) for number in numbers)


def _add_metrics() -> None:
    # ``ranx.meta.evaluate`` as an attribute is the function, not the module.
    evaluation: Any = importlib.import_module("ranx.meta.evaluate")
    switch = evaluation.metric_switch
    if getattr(switch, "knows_tie_metrics", False):
        return
    functions = {name: metric_function(measure) for name, measure in TIE_METRICS.items()}

    @functools.wraps(switch)
    def metric_switch(metric: str) -> Any:
        if metric in functions:
            return functions[metric]
        if metric.lower() in PREFERENCES:
            raise ValueError(
                f"{metric} compares runs with each other, but ranx takes one run at a time: "
                "use irpref_ranx.compare, or irpref_ranx.evaluate(…, reference=run)"
            )
        return switch(metric)

    metric_switch.knows_tie_metrics = True  # type: ignore[attr-defined]
    evaluation.metric_switch = metric_switch

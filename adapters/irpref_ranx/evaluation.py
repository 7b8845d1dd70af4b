"""``evaluate``: ranx's scores of one run, and preferences over a reference run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import ranx

from irpref import Preference
from irpref_ranx.convert import documents_by_topic, own_qrels, own_run
from irpref_ranx.metric_names import split_metrics
from irpref_ranx.preferences import compare_runs

__all__ = ["evaluate"]


def evaluate(
    qrels: Any,
    run: Any,
    metrics: str | Preference | Sequence[str | Preference],
    *,
    reference: Any = None,
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    make_comparable: bool = False,
) -> Any:
    """``ranx.evaluate``, which also takes preferences over a reference run; the run stays unchanged.

    Args:
        qrels: A ``Qrels`` or ``{topic: {document: grade}}``.
        run: A ``Run`` or ``{topic: {document: score}}``.
        metrics: See :func:`irpref_ranx.compare`.
        reference: The run that preferences compare with; a value above 0 prefers ``run``.
        return_mean: Return means, not scores by topic.
        return_std: Return ``{"mean": …, "std": …}`` for each metric.
        threads: Threads of ranx; 0 for all.
        make_comparable: See :func:`irpref_ranx.compare`.

    Returns:
        As ``ranx.evaluate``: one value, or a dict by metric. As in ranx's metrics, every topic of the qrels
        counts; topics without relevant items count as 0.

    Raises:
        ValueError: A preference has no reference, or an option is unknown.

    Example:
        >>> qrels = {"q_1": {"garden-001": 1}}
        >>> new, old = ({"q_1": {"garden-001": s, "garden-002": 2}} for s in (3, 1))
        >>> evaluate(qrels, new, ["rpp", "lp"], reference=old)
        {'rpp': 1.0, 'lp': 1.0}
    """
    chosen = split_metrics(metrics)
    ranx_metrics = [metric for metric, preference in chosen.items() if preference is None]
    values: dict[str, Any] = {}
    if ranx_metrics:
        found = ranx.evaluate(
            own_qrels(qrels),
            own_run(run, make_comparable=make_comparable),
            ranx_metrics,
            return_mean=return_mean,
            return_std=return_std,
            threads=threads,
            make_comparable=make_comparable,
        )
        values = found if len(ranx_metrics) > 1 else {ranx_metrics[0]: found}

    preferences = [metric for metric in chosen.values() if metric is not None]
    if preferences:
        if reference is None:
            raise ValueError(
                f"{preferences[0].key} compares two runs: give the other one as reference=, or call "
                "irpref_ranx.compare with several runs"
            )
        judged = documents_by_topic(qrels)
        topics = sorted(map(str, judged))
        comparison = compare_runs(judged, {"run": run, "reference": reference}, preferences)
        for metric in preferences:
            by_topic = np.zeros(len(topics))
            if comparison is not None:
                found = comparison.per_topic(metric.preference, "run", "reference")
                by_topic = found.reindex(topics, fill_value=0.0).to_numpy()
            if not return_mean:
                values[metric.key] = by_topic
            elif return_std:
                values[metric.key] = {
                    "mean": float(by_topic.mean()),
                    "std": float(by_topic.std()),
                }
            else:
                values[metric.key] = float(by_topic.mean())
    return (
        {metric: values[metric] for metric in chosen}
        if len(chosen) > 1
        else values[next(iter(chosen))]
    )

"""``evaluate``: ranx's scores of one run, and preferences over a reference run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import ranx

from irpref import Preference
from irpref.for_adapters import Floats, ReadingOptions, shortened
from irpref_ranx.copies import for_ranx, only_judged, topics_in_order
from irpref_ranx.metric_names import listed, split_metrics
from irpref_ranx.preferences import compare_runs, judgments_by_topic
from irpref_ranx.reading import reading_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


def evaluate(
    qrels: Any,
    run: Any,
    metrics: str | Preference | Sequence[str | Preference],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
    *,
    reference: Any = None,
    **reading: Unpack[ReadingOptions],
) -> Any:
    """``ranx.evaluate``, which also takes preferences over a reference run.

    The rankings of the run stay unchanged.

    Args:
        qrels: A ``Qrels`` or ``{topic: {document: grade}}``.
        run: A ``Run`` or ``{topic: {document: score}}``.
        metrics: See :func:`irpref_ranx.compare`.
        return_mean: Return means, not scores by topic.
        return_std: Return ``{"mean": …, "std": …}`` for each metric.
        threads: Threads of ranx; 0 for all.
        save_results_in_run: Save the scores in a ``Run``, as ``run.scores``, ``run.mean_scores`` and, with
            ``return_std``, ``run.std_scores``; those of preferences too.
        make_comparable: See :func:`irpref_ranx.compare`.
        reference: The run that preferences compare with; a value above 0 prefers ``run``.
        reading: See :func:`irpref_ranx.compare`.

    Returns:
        As ``ranx.evaluate``: one value, or a dict by metric. As in ranx's metrics, every topic of the qrels
        counts; topics without relevant items count as 0. A topic that ``missing="skip"`` leaves out is NaN
        among the values by topic, and does not count in means.

    Raises:
        ValueError: A preference has no reference, or an option is unknown or means nothing for a ``Run``.
        TypeError: There is no such option.

    Example:
        >>> qrels = {"q_1": {"garden-001": 1}}
        >>> new, old = ({"q_1": {"garden-001": s, "garden-002": 2}} for s in (3, 1))
        >>> evaluate(qrels, new, ["rpp", "lp"], reference=old)
        {'rpp': 1.0, 'lp': 1.0}
    """
    asked = listed(metrics)
    chosen = split_metrics(asked)
    preferences = [metric for metric in chosen.values() if metric is not None]
    named = _named(run, reference)
    how = reading_of(evaluate, reading, named, make_comparable=make_comparable)
    if preferences and reference is None:
        raise ValueError(
            f"{preferences[0].key} compares two runs: give the other one as reference=, or call "
            "irpref_ranx.compare with several runs"
        )
    judged = judgments_by_topic(qrels) if preferences or how.judged_only else {}

    values: dict[str, Any] = {}
    own = [metric for metric in asked if isinstance(metric, str) and chosen[metric] is None]
    if own:
        found = ranx.evaluate(
            *for_ranx(
                qrels,
                only_judged(run, judged, next(iter(named))) if how.judged_only else run,
                make_comparable=make_comparable,
            ),
            own,
            return_mean=return_mean,
            return_std=return_std,
            threads=threads,
            save_results_in_run=save_results_in_run,
            make_comparable=make_comparable,
        )
        values = found if len(own) > 1 else {own[0]: found}

    if preferences:
        topics = topics_in_order(qrels, run)
        comparison = compare_runs(judged, named, preferences, reading)
        for metric in preferences:
            by_topic = np.zeros(len(topics))
            if comparison is not None:
                series = comparison.per_topic(metric.preference, *named).reindex(topics)
                by_topic = series.fillna(0.0).to_numpy(copy=True)
                if how.missing == "skip":
                    lacking = set().union(*comparison.coverage.missing.values())
                    by_topic[[topic in lacking for topic in topics]] = np.nan
                    if np.isnan(by_topic).all():
                        one, other = map(shortened, named)
                        raise ValueError(
                            f"runs {one!r} and {other!r} have no topic in common, and missing='skip' "
                            "leaves out all others"
                        )
            if save_results_in_run and isinstance(run, ranx.Run):
                _save(run, metric.key, topics, by_topic, with_std=return_std and return_mean)
            values[metric.key] = _returned(by_topic, mean=return_mean, std=return_std)
    return (
        {metric: values[metric] for metric in chosen}
        if len(asked) > 1
        else values[next(iter(chosen))]
    )


def _named(run: Any, reference: Any) -> dict[str, Any]:
    """The run and its reference, by the names that errors give them."""
    name = str((run.name if isinstance(run, ranx.Run) else None) or "run")
    if reference is None:
        return {name: run}
    other = str((reference.name if isinstance(reference, ranx.Run) else None) or "reference")
    return {name: run, f"{other} (reference)" if other == name else other: reference}


def _returned(by_topic: Floats, *, mean: bool, std: bool) -> Any:
    if not mean:
        return by_topic
    counted = by_topic[~np.isnan(by_topic)]
    if not std:
        return float(counted.mean())
    return {"mean": float(counted.mean()), "std": float(counted.std())}


def _save(run: Any, key: str, topics: Sequence[str], by_topic: Floats, *, with_std: bool) -> None:
    """Save the scores in the run, as ranx does."""
    counted = ~np.isnan(by_topic)
    run.scores[key] = {
        topic: score
        for topic, score, counts in zip(topics, by_topic, counted, strict=True)
        if counts
    }
    run.mean_scores[key] = np.mean(by_topic[counted])
    if with_std:
        run.std_scores[key] = np.std(by_topic[counted])

"""``compare``: ranx's report of several runs, with preferences among its metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import ranx
from ranx.data_structures import FrozensetDict

from irpref import PairTest, Preference
from irpref.choices import AnyCorrection, AnyMethod
from irpref.summarise.totals import Totals
from irpref_ranx.convert import documents_by_topic, own_qrels, own_run
from irpref_ranx.metric_names import PreferenceMetric, split_metrics
from irpref_ranx.preferences import HeadToHead, compare_runs, head_to_head
from irpref_ranx.report import PreferenceColumn, PreferenceReport

__all__ = ["compare"]


def compare(
    qrels: Any,
    runs: Sequence[Any] | Mapping[str, Any],
    metrics: str | Preference | Sequence[str | Preference],
    *,
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
    preference_test: AnyMethod | None = None,
    correction: AnyCorrection = "auto",
    n_resamples: int = 10_000,
) -> PreferenceReport:
    """``ranx.compare``, which also takes preferences and leaves runs and qrels unchanged.

    Args:
        qrels: A ``Qrels`` or ``{topic: {document: grade}}``.
        runs: ``Run`` objects, or ``{name: run}`` where a run is a ``Run`` or
            ``{topic: {document: score}}``.
        metrics: Any of ranx's metrics, which ranx computes; preferences in ranx's style (``rpp``,
            ``dcgrpp@100``, ``lp``, ``rrlp``, ``lr``, ``ipso@10``, with a relevance level ``rpp-l2``);
            irpref's texts (``RPP(weights='dcg')@100``); or preference objects.
        stat_test: ranx's test of its own metrics: ``"student"``, ``"fisher"`` or ``"tukey"``. ranx does
            not correct for the number of pairs.
        n_permutations: Permutations of ``"fisher"``.
        max_p: Differences with p ≤ max_p are significant.
        random_seed: Seed of ``"fisher"``, and of the preferences' ``"randomization"`` and ``"hsd"``.
        threads: Threads of ranx; 0 for all.
        rounding_digits: Digits shown.
        show_percentages: Show percentages.
        make_comparable: For ranx's metrics, a topic that a run lacks counts as 0, and topics that the
            qrels lack are left out; otherwise ranx refuses such runs. Preferences always count so.
        preference_test: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"`` or ``"hsd"``. By default
            the test that fits: the exact sign test for sgnLP, LR and IPSO, else the t-test.
        correction: The correction of the preferences' p-values over all pairs: ``"holm"``,
            ``"bonferroni"``, ``"bh"`` or None; by default Holm, and none for hsd.
        n_resamples: Resamples of ``"randomization"`` and ``"hsd"``.

    Returns:
        A ``ranx`` ``Report``. Preferences are means over all other systems and all topics of the qrels;
        topics without relevant items count as 0. A t-test of one topic gives NaN, as in ranx.

    Raises:
        ValueError: Two runs have one name, there are fewer than two runs, or an option is unknown.

    Example:
        >>> from ranx import Qrels, Run
        >>> qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
        >>> first = Run({q: {"garden-001": 2, "garden-002": 1} for q in ("q_1", "q_2")}, name="first")
        >>> second = Run({q: {"garden-001": 1, "garden-002": 2} for q in ("q_1", "q_2")}, name="second")
        >>> compare(qrels, [first, second], ["mrr", "rpp"]).results["first"]
        {'mrr': 1.0, 'rpp': 1.0}
    """
    named = _named(runs)
    if len(named) < 2:
        raise ValueError(f"there are {len(named)} runs: it takes two to compare")
    chosen = split_metrics(metrics)
    names = list(named)
    results: dict[str, dict[str, float]] = {name: {} for name in names}
    pairs = [(a, b) for a in names for b in names if a != b]
    comparisons = FrozensetDict({pair: {} for pair in pairs})
    win_tie_loss: dict[tuple[str, str], dict[str, dict[str, int | float]]] = {
        pair: {} for pair in pairs
    }

    ranx_metrics = [metric for metric, preference in chosen.items() if preference is None]
    if ranx_metrics:
        report = ranx.compare(
            own_qrels(qrels),
            [own_run(named[name], name, make_comparable=make_comparable) for name in names],
            ranx_metrics,
            stat_test=stat_test,
            n_permutations=n_permutations,
            max_p=max_p,
            random_seed=random_seed,
            threads=threads,
            make_comparable=make_comparable,
        )
        results.update({name: dict(report.results[name]) for name in names})
        for pair in pairs:
            comparisons[pair].update(report.comparisons[pair])
            win_tie_loss[pair].update(report.win_tie_loss[pair])

    columns = {}
    preferences = [metric for metric in chosen.values() if metric is not None]
    if preferences:
        judged = documents_by_topic(qrels)
        comparison = compare_runs(judged, named, preferences)
        options = PairTest(
            method=preference_test,
            correction=correction,
            alpha=max_p,
            rng=random_seed,
            n_resamples=n_resamples,
        )
        for metric in preferences:
            found = head_to_head(
                comparison, metric.preference, options, systems=len(names), topics=len(judged)
            )
            for number, name in enumerate(names):
                results[name][metric.key] = float(found.scores[number])
            for first, second in permutations(range(len(names)), 2):
                pair = names[first], names[second]
                # ranx counts p = max_p as significant, and so do its captions.
                comparisons[pair][metric.key] = {
                    "p_value": float(found.p[first, second]),
                    "significant": bool(found.p[first, second] <= max_p),
                }
                win_tie_loss[pair][metric.key] = _outcome(
                    found.totals, metric.preference, first, second
                )
            columns[metric.key] = _column(found, metric, names)

    return PreferenceReport(
        model_names=names,
        results={name: {metric: results[name][metric] for metric in chosen} for name in names},
        comparisons=comparisons,
        metrics=list(chosen),
        max_p=max_p,
        win_tie_loss=win_tie_loss,
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
        columns=columns,
    )


def _named(runs: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """The runs by name; a run without a name gets the name that ranx gives it."""
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    named: dict[str, Any] = {}
    for number, run in enumerate(runs, start=1):
        if not isinstance(run, ranx.Run):
            raise ValueError(
                f"run {number} is a {type(run).__name__} without a name: give {{name: run}}"
            )
        name = f"run_{number}" if run.name is None else run.name
        if name in named:
            raise ValueError(f"two runs are named {name!r}: give them different names")
        named[name] = run
    return named


def _outcome(
    totals: Totals, preference: Preference, first: int, second: int
) -> dict[str, int | float]:
    """Wins, ties and losses of one system against another; non-separable topics (IPSO) are ties."""
    wins, ties, losses, *nonseparable = (
        _count(totals.outcome(name)[first, second]) for name in preference.outcomes
    )
    outcome = {"W": wins, "T": ties + sum(nonseparable), "L": losses}
    return {**outcome, "N": sum(nonseparable)} if nonseparable else outcome


def _count(number: Any) -> int | float:
    """A number of topics; an expected number, over all orders of ties, need not be whole."""
    return int(number) if float(number).is_integer() else float(number)


def _column(found: HeadToHead, metric: PreferenceMetric, names: Sequence[str]) -> PreferenceColumn:
    means = found.totals.mean
    return PreferenceColumn(
        label=metric.label,
        test=found.test,
        correction=found.correction,
        means={
            (names[i], names[j]): float(means[i, j]) for i, j in permutations(range(len(names)), 2)
        },
        signature=found.signature,
    )

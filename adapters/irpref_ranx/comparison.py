"""``evaluate`` and ``compare``: ranx's scores of one run, and its report of several, with preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, compress, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import ranx
from ranx.data_structures import FrozensetDict, Report

from irpref import Preference
from irpref.for_adapters import (
    Alternative,
    AnyCorrection,
    ReadingOptions,
    shortened,
)
from irpref_ranx.metrics import listed, split_metrics
from irpref_ranx.preferences import (
    Column,
    compare_runs,
    corrected,
    head_to_head,
    judgments_by_topic,
    pair_test,
    tests_of_scores,
    with_verdicts,
)
from irpref_ranx.report import Margin, PreferenceReport
from irpref_ranx.runs import (
    for_ranx,
    only_judged,
    own_qrels,
    own_run,
    reading_of,
)

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
        reference: The run that preferences compare with; positive: ``run`` is better.
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
    named = _run_and_reference(run, reference)
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
        topics = list(map(str, qrels.keys()))
        if not (isinstance(qrels, Mapping) and isinstance(run, Mapping)):
            # ranx sorts the topics of its own objects, and leaves those of dicts in their order.
            topics.sort()
        comparison = compare_runs(judged, named, preferences, reading)
        counts = np.ones(len(topics), dtype=np.bool_)
        if comparison is not None and how.missing == "skip":
            lacking = set().union(*comparison.coverage.missing.values())
            counts = np.array([topic not in lacking for topic in topics])
            if not counts.any():
                one, other = map(shortened, named)
                raise ValueError(
                    f"runs {one!r} and {other!r} have no topic in common, and missing='skip' "
                    "leaves out all others"
                )
        for metric in preferences:
            by_topic = np.zeros(len(topics))
            if comparison is not None:
                series = comparison.per_topic(metric.preference, *named)
                by_topic = series.reindex(topics, fill_value=0.0).to_numpy(copy=True)
            by_topic[~counts] = np.nan
            counted = by_topic[counts]
            mean, std = counted.mean(), counted.std()
            if save_results_in_run and isinstance(run, ranx.Run):
                # As ranx saves them.
                run.scores[metric.key] = dict(zip(compress(topics, counts), counted, strict=True))
                run.mean_scores[metric.key] = mean
                if return_std and return_mean:
                    run.std_scores[metric.key] = std
            of_all = {"mean": float(mean), "std": float(std)} if return_std else float(mean)
            values[metric.key] = of_all if return_mean else by_topic
    if len(asked) > 1:
        return {metric: values[metric] for metric in chosen}
    return values[next(iter(chosen))]


def _run_and_reference(run: Any, reference: Any) -> dict[str, Any]:
    """The run and its reference, by the names that errors give them."""
    name = str((run.name if isinstance(run, ranx.Run) else None) or "run")
    if reference is None:
        return {name: run}
    other = str((reference.name if isinstance(reference, ranx.Run) else None) or "reference")
    return {name: run, f"{other} (reference)" if other == name else other: reference}


def compare(
    qrels: Any,
    runs: Sequence[Any] | Mapping[str, Any],
    metrics: str | Preference | Sequence[str | Preference],
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 0,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
    *,
    preference_test: str | None = None,
    correction: AnyCorrection = "auto",
    n_resamples: int = 10_000,
    margin: float | None = None,
    alternative: Alternative | None = None,
    baseline: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> Report:
    """``ranx.compare``, which also takes preferences, corrects p-values, and tests with a margin.

    The rankings of the runs stay unchanged. As ranx does, it saves the scores of ranx's metrics in ``Run``
    objects; a preference belongs to two runs, and is in the report.

    Args:
        qrels: A ``Qrels`` or ``{topic: {document: grade}}``.
        runs: ``Run`` objects, or ``{name: run}`` where a run is a ``Run`` or
            ``{topic: {document: score}}``.
        metrics: Any of ranx's metrics, which ranx computes; preferences in ranx's style (``rpp``,
            ``dcgrpp@100``, ``lp``, ``rrlp``, ``lr``, ``ipso@10``, with a relevance level ``rpp-l2``);
            irpref's texts (``RPP(weights='dcg')@100``); or preference objects.
        stat_test: ranx's test of its own metrics: ``"student"``, ``"fisher"`` or ``"tukey"``.
        n_permutations: Permutations of ``"fisher"``.
        max_p: Differences with p ≤ max_p are significant.
        random_seed: Seed of ``"fisher"``, and of the preferences' tests that draw; ranx's own default is
            42, and its ``"fisher"`` ignores it.
        threads: Threads of ranx; 0 for all.
        rounding_digits: Digits shown.
        show_percentages: Show percentages.
        make_comparable: For ranx's metrics, a topic that a run lacks counts as 0, and topics that the
            qrels lack are left out; otherwise ranx refuses such runs. Preferences always count so.
        preference_test: The name of one of irpref's tests, such as ``"flip"`` (``irpref list`` has all). By
            default the test that fits: the exact sign test for sgnLP, LR and IPSO, else joint sign
            flips of all pairs; the t-test of two runs, or where a correction is named.
        correction: What corrects the p-values of each metric for all pairs: ``"holm"``, ``"bonferroni"``,
            ``"bh"`` or None, for ranx's metrics and preferences. By default (``"auto"``) Holm for
            preferences, none for tests that correct by themselves, such as flip, and none for ranx's
            metrics, as in ranx; with a margin Holm for all. Two runs are one pair, which is not corrected.
        n_resamples: Resamples of the preferences' tests that draw.
        margin: How much worse may still count as not worse, in the unit of the scores. With a margin,
            t-tests of all metrics, ranx's too, ask for ``alternative``, and not whether runs differ.
        alternative: What to show with a margin: ``"noninferior"`` (a run is not worse than the baseline by
            the margin) or ``"equivalent"`` (neither is worse by the margin).
        baseline: With a margin, the name of the run to test all others against, which ``"noninferior"``
            needs; by default ``"equivalent"`` tests all pairs.
        reading: Those options of :class:`irpref.Reading` that mean something for ranx's runs:
            ``judged_only`` (for all metrics) and ``missing`` (``"skip"`` leaves a topic that a run lacks
            out of its pairs, for preferences).

    Returns:
        A ``ranx`` ``Report``; with ranx's metrics only, and as ranx computes and tests them, ranx's own.
        Preferences are means over all other systems and all topics of the qrels; topics without relevant
        items count as 0. A t-test of one topic gives NaN, as in ranx. With a margin, each test in
        ``comparisons`` has a ``"verdict"`` too: ``"better"``, ``"not worse"`` (or ``"equivalent"``),
        ``"worse"`` or ``"undecided"``, of a run over the baseline, or else of the first run of the report
        over the later one. Pairs without the baseline are not tested: their p-value is NaN.

    Raises:
        ValueError: Two runs have one name, there are fewer than two runs for a preference, or an option is
            unknown, means nothing for a ``Run`` or contradicts another.
        TypeError: There is no such option.

    Warns:
        UserWarning: A margin is tested on runs that differ on fewer than 10 topics.

    Example:
        >>> from ranx import Qrels, Run
        >>> qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
        >>> first = Run({q: {"garden-001": 2, "garden-002": 1} for q in ("q_1", "q_2")}, name="first")
        >>> second = Run({q: {"garden-001": 1, "garden-002": 2} for q in ("q_1", "q_2")}, name="second")
        >>> compare(qrels, [first, second], ["mrr", "rpp"]).results["first"]
        {'mrr': 1.0, 'rpp': 1.0}
    """
    named = _named(runs)
    given = listed(metrics)
    chosen = split_metrics(given)
    how = reading_of(compare, reading, named, make_comparable=make_comparable)
    preferences = [metric for metric in chosen.values() if metric is not None]
    if preferences and len(named) < 2:
        there = f"only one run ({shortened(next(iter(named)))})" if named else "no run"
        raise ValueError(f"there is {there}: {preferences[0].key} takes two to compare")
    with_margin = margin is not None or alternative is not None
    if with_margin:
        correction = "holm" if correction == "auto" else correction
    elif baseline is not None:
        raise ValueError(
            "baseline= belongs to a margin: give margin= and alternative= too, or leave it out "
            "(a report compares all pairs)"
        )
    if preferences or with_margin:
        how_tested = pair_test(
            preference_test,
            stat_test,
            correction,
            max_p,
            random_seed,
            n_resamples,
            margin,
            alternative,
            baseline,
            names=named,
            topics=qrels,
        )
    judged = judgments_by_topic(qrels) if preferences or how.judged_only else {}
    own = [metric for metric in given if isinstance(metric, str) and chosen[metric] is None]
    names = list(named)
    columns: dict[str, Column] = {}
    if own:
        theirs = named
        if how.judged_only:
            theirs = {name: only_judged(run, judged, name) for name, run in named.items()}
        copies = {
            name: own_run(run, name, make_comparable=make_comparable)
            for name, run in theirs.items()
        }
        report = ranx.compare(
            own_qrels(qrels),
            list(copies.values()),
            own,
            stat_test=stat_test,
            n_permutations=n_permutations,
            max_p=max_p,
            random_seed=random_seed,
            threads=threads,
            rounding_digits=rounding_digits,
            show_percentages=show_percentages,
            make_comparable=make_comparable,
        )
        as_in_ranx = correction in ("auto", None) and not how.judged_only and not with_margin
        if not preferences and as_in_ranx:
            return report
        for key in own:
            if with_margin:
                # A run may have scores of other topics, from before.
                scores = {
                    name: {topic: run.scores[key][topic] for topic in map(str, qrels.keys())}
                    for name, run in copies.items()
                }
                tests = with_verdicts(
                    tests_of_scores(scores, key, how_tested, baseline), names, max_p
                )
            else:
                tests = corrected(report, key, correction)
            columns[key] = Column(
                scores={name: report.results[name][key] for name in names},
                tests=tests,
                outcomes={pair: found[key] for pair, found in report.win_tie_loss.items()},
            )

    shown = {}
    if preferences:
        comparison = compare_runs(judged, named, preferences, reading)
        for metric in preferences:
            columns[metric.key], shown[metric.key] = head_to_head(
                comparison,
                metric,
                how_tested,
                names=names,
                topics=len(judged),
                baseline=baseline,
            )

    def of_metrics(numbers: str, keys: Iterable[Any]) -> dict[Any, dict[str, Any]]:
        """The numbers of all columns by run or pair of runs, and then by metric."""
        return {
            key: {metric: getattr(columns[metric], numbers)[key] for metric in chosen}
            for key in keys
        }

    return PreferenceReport(
        model_names=names,
        results=of_metrics("scores", names),
        comparisons=FrozensetDict(of_metrics("tests", combinations(names, 2))),
        metrics=list(chosen),
        max_p=max_p,
        win_tie_loss=of_metrics("outcomes", permutations(names, 2)),
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
        columns=shown,
        correction=None if correction == "auto" or len(named) == 2 else correction,
        judged_only=how.judged_only,
        margin=None
        if margin is None or alternative is None
        else Margin(margin=margin, alternative=alternative, baseline=baseline),
    )


def _named(runs: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """The runs by name; a run without a name gets the name that ranx gives it."""
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    named: dict[str, Any] = {}
    for number, run in enumerate(runs, start=1):
        name = f"run_{number}"
        if not isinstance(run, ranx.Run):
            raise ValueError(
                f"{name} is a {type(run).__name__} without a name: give {{name: run}}, a dict of all runs"
            )
        name = name if run.name is None else str(run.name)
        if name in named:
            raise ValueError(
                f"two runs are named {shortened(name)!r}: give one another name (run.name = …), or give "
                "{name: run}, a dict of all runs"
            )
        named[name] = run
    return named

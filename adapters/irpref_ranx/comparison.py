"""``compare``: ranx's report of several runs, with preferences between all pairs of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NoReturn

import ranx
from ranx.data_structures import FrozensetDict, Report

import irpref
from irpref import Preference
from irpref.for_adapters import AnyCorrection, by_text, check_flag, shortened, speaking
from irpref_ranx.evaluating import register
from irpref_ranx.metrics import IN_RANX, listed, split_metrics
from irpref_ranx.preferences import corrected, head_to_head, pair_test
from irpref_ranx.report import Column, PreferenceColumn, PreferenceReport
from irpref_ranx.runs import copied_qrels, copied_run, documents_by_topic, lists_of, refuse_others


@speaking(IN_RANX)
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
    judged_only: bool = False,
    **others: NoReturn,
) -> Report:
    """``ranx.compare``, which also takes preferences, and corrects p-values.

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
        preference_test: The name of one of irpref's tests, such as ``"t"`` (``irpref list`` has all); by
            default the randomization test.
        correction: What corrects the p-values of each metric for all pairs: ``"holm"``, ``"bonferroni"``,
            ``"bh"`` or None, for ranx's metrics, and preferences whose test does not correct by itself, as
            randomization does. By default (``"auto"``) none for ranx's metrics, as in ranx, and Holm for
            preferences. Two runs are one pair, which is not corrected.
        n_resamples: Resamples of the preferences' tests that draw.
        judged_only: Take unjudged documents out of the runs, for all metrics.
        others: None. Further options of :class:`irpref.Reading` mean nothing for ranx's runs, and the
            error says what to do instead.

    Returns:
        A ``ranx`` ``Report``; with ranx's metrics only, and as ranx computes and tests them, ranx's own.
        Preferences are means over all other systems and all topics of the qrels; topics without relevant
        items count as 0. With too few topics for a test p is NaN, as in ranx.

    Raises:
        ValueError: Two runs have one name, there are fewer than two runs for a preference, or an option is
            unknown, means nothing for a ``Run`` or contradicts another.
        TypeError: There is no such option.

    Example:
        >>> from ranx import Qrels, Run
        >>> qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
        >>> first = Run({q: {"garden-001": 2, "garden-002": 1} for q in ("q_1", "q_2")}, name="first")
        >>> second = Run({q: {"garden-001": 1, "garden-002": 2} for q in ("q_1", "q_2")}, name="second")
        >>> compare(qrels, [first, second], ["mrr", "rpp"]).results["first"]
        {'mrr': 1.0, 'rpp': 1.0}
    """
    register()
    refuse_others(others, list(inspect.signature(compare).parameters)[:-1])
    check_flag("judged_only", judged_only)
    named = _by_name(runs)
    given = listed(metrics)
    chosen = split_metrics(given)
    preferences = [metric for metric in chosen.values() if metric is not None]
    if preferences and len(named) < 2:
        there = f"only one run ({shortened(next(iter(named)))})" if named else "no run"
        raise ValueError(f"there is {there}: {preferences[0].key} takes two to compare")
    if preferences:
        test = pair_test(
            preference_test,
            stat_test,
            max_p,
            random_seed,
            correction=correction,
            n_resamples=n_resamples,
        )
    judged = lists_of(qrels, "the first argument (qrels)", "Qrels")
    of_ranx = [metric for metric in given if isinstance(metric, str) and chosen[metric] is None]
    columns: dict[str, Column] = {}
    if of_ranx:
        only = judged if judged_only else None
        copies = {name: copied_run(run, name, only) for name, run in named.items()}
        report = ranx.compare(
            copied_qrels(qrels),
            list(copies.values()),
            of_ranx,
            stat_test=stat_test,
            n_permutations=n_permutations,
            max_p=max_p,
            random_seed=random_seed,
            threads=threads,
            rounding_digits=rounding_digits,
            show_percentages=show_percentages,
            make_comparable=make_comparable,
        )
        as_in_ranx = correction in ("auto", None) and only is None
        if not preferences and as_in_ranx:
            return report
        for key in of_ranx:
            columns[key] = Column(
                scores={name: found[key] for name, found in report.results.items()},
                tests=corrected(report, key, correction),
                outcomes={pair: found[key] for pair, found in report.win_tie_loss.items()},
            )

    if preferences:
        lists = {name: documents_by_topic(run) for name, run in named.items()}
        asked = [metric.preference for metric in preferences]
        comparison = irpref.compare(judged, lists, asked, judged_only=judged_only)
        for metric in preferences:
            columns[metric.key] = head_to_head(comparison, metric, test, len(judged))

    def of_metrics(numbers: str, keys: Iterable[Any]) -> dict[Any, dict[str, Any]]:
        """The numbers of all columns by run or pair of runs, and then by metric."""
        return {
            key: {metric: getattr(columns[metric], numbers)[key] for metric in chosen}
            for key in keys
        }

    return PreferenceReport(
        model_names=list(named),
        results=of_metrics("scores", named),
        comparisons=FrozensetDict(of_metrics("tests", combinations(named, 2))),
        metrics=list(chosen),
        max_p=max_p,
        win_tie_loss=of_metrics("outcomes", permutations(named, 2)),
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
        columns={key: each for key, each in columns.items() if isinstance(each, PreferenceColumn)},
        correction=None if correction == "auto" or len(named) == 2 else correction,
        judged_only=judged_only,
    )


def _by_name(runs: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """The runs by name; a run without a name gets the name that ranx gives it."""
    if isinstance(runs, Mapping):
        return by_text(runs, "run")
    if not isinstance(runs, Iterable):
        raise ValueError("runs must be a list of Run objects, or {name: run}")
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

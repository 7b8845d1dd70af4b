"""``pt.pref.Experiment``, which is ``pt.Experiment`` with preferences, and ``pt.pref.compare``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
from scipy.stats import ttest_rel, wilcoxon

import irpref
from irpref import Comparison, PairTest, Reading
from irpref.for_adapters import DEFAULT_PREFERENCES, Alternative, ComparedBy, difference
from irpref_pyterrier.preferences import Preferences, baselines_of, split_metrics
from irpref_pyterrier.systems import is_mrt, prepare, split_options
from irpref_pyterrier.tables import (
    PLACEHOLDER,
    MeasureTest,
    RecordedValues,
    Test,
    Tested,
    add_by_query,
    add_means,
    by_query,
    check_correction,
    check_highlight,
    highlighted,
    margin_test,
    of_measures,
    of_preference,
    tables,
)


def Experiment(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    eval_metrics: Sequence[Any],
    names: Sequence[str] | None = None,
    perquery: bool | Literal["both"] = False,
    dataframe: bool = True,
    batch_size: int | None = None,
    filter_by_qrels: bool = False,
    filter_by_topics: bool = True,
    baseline: int | str | Sequence[int | str] | None = None,
    test: Test = None,
    correction: str | None = None,
    correction_alpha: float = 0.05,
    highlight: str | None = None,
    round: int | dict[str, int] | None = None,
    *,
    margin: float | None = None,
    alternative: Alternative | None = None,
    **options: Any,
) -> Any:
    """``pt.Experiment``, which also takes preferences, several baselines, and a margin.

    A preference compares each system with the baseline; without a baseline, with all others (the mean over
    them). ``pt.Experiment`` itself runs and times each pipeline once, so its documentation holds here too,
    for the arguments that are not listed below as well.

    Args:
        retr_systems: Pipelines or result frames: a list, or a dict by name.
        qrels: STRPP reads a column ``iteration`` or ``subtopic``.
        eval_metrics: Metrics of ``pt.Experiment``, and preferences as texts or objects: ``"RPP"``,
            ``"IPSO@10"``, ``irpref.LP``.
        perquery: Also works with baselines, for preferences over them.
        baseline: The index or the name of a system, or a list of these. With a list, the columns of each
            baseline end with ``vs NAME``.
        test: The name of a test of each pair by itself (``irpref list`` has them; those that draw have
            seed 0), or a function like ``scipy.stats.ttest_rel``, for measures and preferences. By default
            the t-test for measures, as in ``pt.Experiment``, and for each preference the test that fits a
            pair by itself: the exact sign test for LP, LR and IPSO, which have signs as values, else the
            t-test. (The joint sign flips that :func:`compare` takes by default correct all pairs together;
            here ``correction`` does that.)
        correction: A correction of statsmodels (``"holm"``, ``"bonferroni"``, …) for each measure and
            preference, over all its tests: of every system against every baseline. ``"bh"`` stands for
            ``"fdr_bh"``. With a margin ``"holm"``, ``"bonferroni"`` or ``"bh"``.
        correction_alpha: The level of ``reject``, and with a margin of the verdicts.
        margin: How much worse than a baseline may still count as not worse, in the unit of the means. With
            a margin, t-tests of all measures and preferences ask for ``alternative``, and not whether the
            systems differ.
        alternative: What to show with a margin: ``"noninferior"`` (a system is not worse than the baseline
            by the margin) or ``"equivalent"`` (neither is worse by the margin).
        options: Those of :class:`irpref.Reading` for the preferences (``order``, ``duplicates``,
            ``judged_only``, ``missing``; PyTerrier's metrics read the results as ever), and further options
            of ``pt.Experiment``: verbose, validate, save_dir, save_mode, save_format, precompute_prefix,
            plan. With ``save_dir``, ``preferences.csv`` has the values of the preferences.

    Returns:
        The result of ``pt.Experiment``. Each preference adds a column of means over all topics of the
        qrels (0 for topics without relevant items). A baseline adds columns ``+``, ``=``, ``-`` (topics
        won, tied, lost), for IPSO ``**`` (non-separable), ``p-value`` and, with a correction,
        ``reject`` and ``p-value corrected``. A margin adds ``verdict``: ``"better"``, ``"not worse"`` (or
        ``"equivalent"``), ``"worse"`` or ``"undecided"``, where a higher value counts as better.

    Raises:
        ValueError: A preference, test, correction or baseline is unknown, there are fewer than two systems,
            results cannot be used (the error names system, topic and document), or ``pt.Experiment``
            raises an error.
        TypeError: There is no such option.

    Warns:
        UserWarning: A margin is tested on systems that differ on fewer than 10 topics.

    Example:
        >>> import pandas as pd
        >>> topics = pd.DataFrame({"qid": ["1"], "query": ["slugs"]})
        >>> qrels = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "label": [1, 1]})
        >>> def results(*documents):
        ...     rows = [("1", docno, -rank, rank) for rank, docno in enumerate(documents)]
        ...     return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])
        >>> systems = {"old": results("a", "c", "b"), "new": results("a", "b", "c")}
        >>> found = Experiment(systems, topics, qrels, ["P_2", "RPP"], baseline="old")
        >>> found[["name", "P_2", "RPP", "RPP +"]].to_dict("records")[1]
        {'name': 'new', 'P_2': 1.0, 'RPP': 0.5, 'RPP +': 1.0}
    """
    reading, hosts = split_options(Experiment, options, but=("depth", "rel", "columns", "lists"))
    ordinary, preferences = split_metrics(eval_metrics)
    if not ordinary and not preferences:
        raise ValueError('eval_metrics is empty: give metrics, for example ["map", "RPP"]')
    if reading and not preferences:
        raise ValueError(
            f"{', '.join(f'{name}=' for name in reading)} is for preferences, and eval_metrics has none"
        )
    check_highlight(highlight)
    systems = prepare(retr_systems, topics, qrels, names, filter_by_qrels, filter_by_topics)
    baselines = baselines_of(baseline, systems.names)
    if correction is not None and not baselines:
        raise ValueError("a correction is for tests against a baseline: give baseline= too")
    with_margin = margin_test(
        margin,
        alternative,
        baselines=baselines,
        test=test,
        correction=correction,
        alpha=correction_alpha,
        preferences=preferences,
        averages=dataframe and not perquery,
    )
    recorded = RecordedValues()
    test = test if with_margin is None else recorded
    measure_test = _measure_test(test)
    correction = check_correction(correction)
    if preferences and len(systems.systems) < 2:
        raise ValueError("there is only one system: a preference takes two")
    # Qrels that preferences cannot use are refused before any pipeline runs.
    asked = (
        Preferences(preferences, systems.qrels, Reading(**reading), baselines)
        if preferences
        else None
    )

    only_preferences = all(map(is_mrt, ordinary))
    tested = baselines if dataframe and not perquery else []
    # What pt.Experiment has no tests for.
    own_tests = with_margin is not None or (bool(tested) and tested[0].suffix != "")
    if tested and not only_preferences:
        hosts |= {"baseline": tested[0].number, "test": recorded if own_tests else measure_test}
        if not own_tests:
            hosts |= {"correction": correction, "correction_alpha": correction_alpha}
    result, results = systems.run(
        [*ordinary, PLACEHOLDER] if only_preferences else ordinary,
        perquery=perquery,
        dataframe=dataframe,
        batch_size=batch_size,
        round=round,
        **hosts,
    )
    compared = asked.compare(systems.names, results) if asked is not None else []
    if compared and options.get("save_dir") is not None:
        path = os.path.join(options["save_dir"], "preferences.csv")
        by_query(compared, systems.names, None).to_csv(path, index=False)

    def columns(tests: Sequence[Tested]) -> list[pd.DataFrame]:
        return tables(tests, correction, correction_alpha, with_margin, systems.names)

    if perquery is True:
        return add_by_query(result, compared, systems.names, round, only_preferences)
    averages = result[0] if perquery == "both" else result
    if own_tests and not only_preferences:
        averages, values = recorded.taken_from(averages, tested[0].number)
        tests = [each for one in tested for each in of_measures(values, one, measure_test)]
        averages = pd.concat([averages, *columns(tests)], axis=1)
    averages = add_means(averages, compared, systems.names, round, only_preferences)
    if tested:
        tests = [of_preference(each, test) for each in compared]
        averages = pd.concat([averages, *columns(tests)], axis=1)
    if highlight is not None and dataframe:
        averages = highlighted(averages, highlight, baselines)
    if not perquery:
        return averages
    queries = add_by_query(result[1], compared, systems.names, round, only_preferences)
    return (
        result._replace(averages=averages, perquery=queries) if dataframe else (averages, queries)
    )


def _measure_test(test: Test) -> MeasureTest:
    """The test as ``pt.Experiment`` takes it for measures.

    Raises:
        ValueError: There is no such test.
    """
    if callable(test):
        return test
    method = PairTest(method=test).method_for_each(signs=False)
    # Those of pt.Experiment.
    hosts: dict[str, MeasureTest] = {"t": ttest_rel, "wilcoxon": wilcoxon}
    if method.name in hosts:
        return hosts[method.name]

    def of_differences(first: Any, second: Any) -> tuple[None, float]:
        values = difference(first, second)[:, None]
        return None, float(method.of_values(values).p[0])

    return of_differences


# Options of pt.Experiment for its table, which compare does not give.
_OF_TABLES = (
    *("baseline", "correction", "correction_alpha", "dataframe", "eval_metrics", "highlight"),
    *("perquery", "round", "test", "columns"),
)


def compare(
    retr_systems: Any,
    topics: Any,
    qrels: Any,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    names: Sequence[str] | None = None,
    *,
    filter_by_qrels: bool = False,
    filter_by_topics: bool = True,
    **options: Any,
) -> Comparison:
    """Run every pipeline once and compare every pair of them, as :func:`irpref.compare` does.

    Args:
        retr_systems: Pipelines or result frames: a list, or a dict by name.
        topics: See ``pt.Experiment``; None if all systems are result frames.
        qrels: See ``pt.Experiment``.
        preferences: See :func:`irpref.compare`.
        names: The name of each system.
        filter_by_qrels: See ``pt.Experiment``.
        filter_by_topics: See ``pt.Experiment``.
        options: Those of :class:`irpref.Reading` (``order``, ``duplicates``, …), and further ones of
            ``pt.Experiment``: batch_size, verbose, validate, save_dir, save_mode, save_format, plan.

    Returns:
        The comparison, which leaves out topics without relevant items.

    Raises:
        ValueError: Two systems have one name, or :func:`irpref.compare` or ``pt.Experiment`` raises an
            error.
        TypeError: Neither has such an option.
    """
    reading, hosts = split_options(compare, options, but=_OF_TABLES)
    systems = prepare(retr_systems, topics, qrels, names, filter_by_qrels, filter_by_topics)
    for name, times in Counter(systems.names).items():
        if times > 1:
            raise ValueError(f"{times} systems have the same name, {name!r}; give names=")
    if topics is None:
        if hosts:
            raise TypeError(f"without topics no pipeline runs: leave {', '.join(hosts)} out")
        frames = systems.systems
        for name, frame in zip(systems.names, frames, strict=True):
            if not isinstance(frame, pd.DataFrame):
                raise ValueError(f"without topics, {name} must be a result frame; or give topics")
    else:
        frames = systems.run([PLACEHOLDER], **hosts)[1]
    runs = dict(zip(systems.names, frames, strict=True))
    comparison: irpref.Comparison = irpref.compare(systems.qrels, runs, preferences, **reading)
    return comparison

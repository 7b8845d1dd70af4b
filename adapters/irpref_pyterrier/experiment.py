"""``pt.pref.Experiment``: ``pt.Experiment`` with preferences; and ``pt.pref.compare``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

import irpref
from irpref.choices import DEFAULT_PREFERENCES, Duplicates, Method, Missing
from irpref.comparison import Comparison
from irpref.errors import unknown
from irpref.names import ComparedBy
from irpref.summarise.statistics.paired_tests import paired_tests
from irpref_pyterrier.preferences import Test, compare_systems, split_metrics, test_columns
from irpref_pyterrier.systems import prepare
from irpref_pyterrier.tables import PLACEHOLDER, add_by_query, add_means, by_query, highlighted

__all__ = ["Experiment", "compare"]


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
    baseline: int | str | None = None,
    test: Test = None,
    correction: str | None = None,
    correction_alpha: float = 0.05,
    highlight: str | None = None,
    round: int | dict[str, int] | None = None,
    **options: Any,
) -> Any:
    """``pt.Experiment``, which also takes preferences among the systems.

    A preference compares each system with the baseline; without a baseline, with all others (the mean over
    them). ``pt.Experiment`` itself runs each pipeline once, so its documentation holds here too,
    for the arguments that are not listed below as well.

    Args:
        retr_systems: Pipelines or result frames: a list, or a dict by name.
        qrels: STRPP reads a column ``iteration`` or ``subtopic``.
        eval_metrics: Metrics of ``pt.Experiment``, and preferences as texts or objects: ``"RPP"``,
            ``"IPSO@10"``, ``irpref.LP``.
        perquery: Also works with a baseline, for preferences over the baseline.
        baseline: The index of a system, or its name if ``retr_systems`` is a dict.
        test: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"`` (with seed 0), or a function like
            ``scipy.stats.ttest_rel``, for measures and preferences. By default the t-test for measures, as
            in ``pt.Experiment``, and for each preference the test that fits: the exact sign test for LP,
            LR and IPSO, which have signs as values, else the t-test.
        correction: A correction of statsmodels (``"holm"``, ``"bonferroni"``, …) for
            each measure and preference, over all systems. ``"bh"`` stands for ``"fdr_bh"``.
        options: Further options of ``pt.Experiment``: verbose, validate, save_dir, save_mode,
            save_format, precompute_prefix, plan. With ``save_dir``, ``preferences.csv`` has the values of
            the preferences.

    Returns:
        The result of ``pt.Experiment``. Each preference adds a column of means over all topics of the
        qrels (0 for topics without relevant items). A baseline adds columns ``+``, ``=``, ``-`` (topics
        won, tied, lost), for IPSO ``**`` (non-separable), ``p-value`` and, with a correction,
        ``reject`` and ``p-value corrected``.

    Raises:
        ValueError: A preference, test or baseline is unknown, there are fewer than two systems, or
            ``pt.Experiment`` raises an error.
        TypeError: ``pt.Experiment`` has no such option.
    """
    ordinary, preferences = split_metrics(eval_metrics)
    number = _number_of(baseline, retr_systems)
    if correction is not None and number is None:
        raise ValueError("a correction is for tests against a baseline: give baseline= too")
    correction = "fdr_bh" if correction == "bh" else correction
    of_measures, of_preferences = _tests(test)
    systems = prepare(
        retr_systems,
        topics,
        qrels,
        names,
        filter_by_qrels=filter_by_qrels,
        filter_by_topics=filter_by_topics,
    )
    only_preferences = all(metric == "mrt" for metric in ordinary)
    if number is not None and not perquery and not only_preferences:
        options |= {"baseline": number, "correction": correction, "test": of_measures}
        options["correction_alpha"] = correction_alpha
    result, frames = systems.run(
        [*ordinary, PLACEHOLDER] if only_preferences else ordinary,
        perquery=perquery,
        dataframe=dataframe,
        batch_size=batch_size,
        round=round,
        **options,
    )
    compared = compare_systems(systems.qrels, frames, preferences, number) if preferences else []
    if compared and options.get("save_dir") is not None:
        path = os.path.join(options["save_dir"], "preferences.csv")
        by_query(compared, systems.names, None).to_csv(path, index=False)

    if perquery is True:
        return add_by_query(result, compared, systems.names, round, only_preferences)
    averages = result[0] if perquery == "both" else result
    averages = add_means(averages, compared, systems.names, round, only_preferences)
    if number is not None and not perquery and dataframe:
        for each in compared:
            columns = test_columns(
                each,
                number,
                test=of_preferences,
                correction=correction,
                alpha=correction_alpha,
            )
            averages = pd.concat([averages, columns], axis=1)
    if highlight is not None and dataframe:
        averages = highlighted(averages, highlight)
    if not perquery:
        return averages
    queries = add_by_query(result[1], compared, systems.names, round, only_preferences)
    return (
        result._replace(averages=averages, perquery=queries) if dataframe else (averages, queries)
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
    duplicates: Duplicates = "error",
    judged_only: bool = False,
    missing: Missing = "worst",
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
        duplicates: See :func:`irpref.compare`.
        judged_only: See :func:`irpref.compare`.
        missing: See :func:`irpref.compare`.
        options: Further options of ``pt.Experiment``: batch_size, verbose, validate, save_dir,
            save_mode, save_format, plan.

    Returns:
        The comparison, which leaves out topics without relevant items.

    Raises:
        ValueError: Two systems have one name, or :func:`irpref.compare` or ``pt.Experiment`` raises an
            error.
    """
    systems = prepare(
        retr_systems,
        topics,
        qrels,
        names,
        filter_by_qrels=filter_by_qrels,
        filter_by_topics=filter_by_topics,
    )
    if len(set(systems.names)) < len(systems.names):
        raise ValueError(f"two systems have the same name ({systems.names}); give names=")
    frames = systems.frames() if topics is None else systems.run([PLACEHOLDER], **options)[1]
    return irpref.compare(
        systems.qrels,
        dict(zip(systems.names, frames, strict=True)),
        preferences,
        duplicates=duplicates,
        judged_only=judged_only,
        missing=missing,
    )


def _number_of(baseline: int | str | None, retr_systems: Any) -> int | None:
    """The index of the baseline.

    Raises:
        ValueError: There is no such system.
    """
    if baseline is None:
        return None
    if isinstance(baseline, str):
        known = list(retr_systems) if isinstance(retr_systems, Mapping) else []
        if baseline not in known:
            raise unknown("baseline", baseline, known)
        return known.index(baseline)
    if not 0 <= baseline < len(retr_systems):
        raise ValueError(f"there is no system {baseline}: systems are 0 to {len(retr_systems) - 1}")
    return int(baseline)


def _tests(test: Test) -> tuple[Any, Test]:
    """The test as ``pt.Experiment`` takes it for measures, and as preferences take it.

    Raises:
        ValueError: There is no such test.
    """
    if test is None or callable(test) or test in ("t", "wilcoxon"):
        return "t" if test is None else test, test
    method: Any = test
    if method not in get_args(Method):
        raise unknown("test", method, get_args(Method))

    def of_measures(first: Any, second: Any) -> tuple[None, float]:
        difference = np.subtract(first, second)[:, None]
        return None, float(paired_tests(difference, method=method, rng=0).p[0])

    return of_measures, test

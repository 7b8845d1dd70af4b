"""Tests of a criterion for pairs of systems, as labelled pandas frames with a signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from irpref.arrays import Floats, Integers
from irpref.choices import Progress
from irpref.errors import warn
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.signature import signature
from irpref.summarise.statistics.corrections import adjust, too_few_resamples
from irpref.summarise.statistics.hsd import hsd_of_preferences, hsd_of_scores
from irpref.summarise.statistics.paired_tests import (
    SUMS_SUFFICE,
    paired_tests,
    paired_tests_of_sums,
)
from irpref.summarise.statistics.results import TooFewTopicsError
from irpref.summarise.topic_values import topic_values
from irpref.summarise.totals import Totals

__all__ = ["baseline_indices", "compare_pairs"]


def baseline_indices(
    placements: Placements, baseline: str | Sequence[str] | None
) -> tuple[int, ...] | None:
    """The indices of one or several baselines; None without a baseline.

    Raises:
        ValueError: A baseline is not among the systems.
    """
    if baseline is None:
        return None
    names = [baseline] if isinstance(baseline, str) else baseline
    return tuple(placements.system(name, "baseline") for name in names)


def compare_pairs(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    baselines: tuple[int, ...] | None = None,
    values: Floats | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Test which pairs of systems differ by a criterion.

    Args:
        placements: The placements to compare.
        criterion: The criterion to test.
        totals: The criterion's sums over the topics, of all systems against all. If the totals have more
            topics than the placements, every pair ties on the other topics.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        values: (T, S, S) the criterion's values on every topic, if known already.
        progress: Called after every batch of shuffles, and for every topic of a slow criterion.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted, significant, topics,
        used (topics that the test uses) and the criterion's further counts. ``attrs`` have the options.

    Raises:
        ValueError: The test is hsd with baselines, or there are too few topics.
    """
    method = test.method_for(criterion.fitting_test)
    if method == "hsd" and baselines is not None:
        raise ValueError(
            "hsd tests all pairs at once: take another method, or leave out the baseline"
        )
    correction = test.correction_for(method)
    first, second = _pairs(len(placements.systems), baselines)
    if method not in SUMS_SUFFICE:
        # With a known seed, the test can be repeated.
        test = replace(test, rng=test.seed())
    draw: dict[str, Any] = {"rng": test.rng, "n_resamples": test.n_resamples}
    try:
        if method == "hsd":
            data = _data(placements, criterion, totals, values, progress, scores_suffice=True)
            hsd = hsd_of_scores if data.ndim == 2 else hsd_of_preferences
            tests = hsd(data, progress=progress, **draw).pairs(first, second, alpha=test.alpha)
        elif method in SUMS_SUFFICE:
            tests = paired_tests_of_sums(
                method,
                topics=totals.topics[first, second],
                mean=totals.mean[first, second],
                deviations=totals.deviations[first, second],
                wins=np.asarray(totals.wins[first, second]),
                losses=np.asarray(totals.losses[first, second]),
                signs=totals.signs[first, second],
                alpha=test.alpha,
            )
        else:
            data = _data(placements, criterion, totals, values, progress)[:, first, second]
            tests = paired_tests(data, method=method, alpha=test.alpha, **draw)
    except TooFewTopicsError as error:
        one, other = (placements.systems[each[error.pair]] for each in (first, second))
        raise ValueError(f"{error} (the first is {one} against {other})") from None
    warning = too_few_resamples(
        tests.resamples,
        tests=1 if method == "hsd" else len(first),
        correction=correction,
        alpha=test.alpha,
    )
    if warning is not None:
        warn(warning)
    names = np.array(placements.systems, dtype=object)
    frame = pd.DataFrame({"a": names[first], "b": names[second]})
    for name in ("mean", "low", "high", "effect", "statistic", "p"):
        frame[name] = getattr(tests, name)
    frame["p_adjusted"] = adjust(tests.p, correction)
    frame["significant"] = frame["p_adjusted"] < test.alpha
    frame["topics"], frame["used"] = tests.topics, tests.used
    for name in criterion.own_outcomes:
        frame[name] = totals.outcome(name)[first, second]
    family = "all pairs"
    if baselines is not None:
        family = f"all against {', '.join(names[list(baselines)])}"
    frame.attrs.update(
        test=method,
        correction=correction,
        family=family,
        alpha=test.alpha,
        rng=None if tests.resamples is None else test.rng,
        n_resamples=tests.resamples,
        preference=str(criterion),
    )
    sign(frame, criterion, placements, topics=int(frame["topics"].max()))
    return frame


def sign(frame: pd.DataFrame, criterion: Criterion, placements: Placements, *, topics: int) -> None:
    """Add the signature to a frame of tests, from its attrs."""
    how = {name: frame.attrs[name] for name in ("test", "correction", "family", "alpha", "rng")}
    how |= {"correction": how["correction"] or "none", "B": frame.attrs["n_resamples"]}
    frame.attrs["signature"] = signature(criterion, placements, topics=topics, more=how)


def _pairs(systems: int, baselines: tuple[int, ...] | None) -> tuple[Integers, Integers]:
    """The pairs of the family, each once: all, or every other system against each baseline."""
    if baselines is None:
        first, second = np.triu_indices(systems, 1)
        return first, second
    pairs = [
        (system, baseline)
        for index, baseline in enumerate(baselines)
        for system in range(systems)
        if system != baseline and system not in baselines[:index]
    ]
    first, second = np.array(pairs, dtype=np.intp).T
    return first, second


def _data(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    values: Floats | None,
    progress: Progress | None,
    *,
    scores_suffice: bool = False,
) -> Floats:
    """The data to test, on topics that count for any pair; 0 on topics that only the totals have.

    Returns:
        (T', S) scores, if these suffice and no system lacks one; else (T', S, S) values.
    """
    scores = criterion.scores(placements) if scores_suffice else None
    relevant = criterion.has_relevant(TopicBatch(placements))
    if scores is not None and placements.counted[relevant].all():
        data = np.where(relevant[:, None], scores, np.nan)
    else:
        if values is None:
            values = topic_values(placements, criterion, progress=progress)
        data = values
    counted = ~np.isnan(data).reshape(len(data), -1).all(axis=1)
    if totals.most_topics > np.count_nonzero(counted):
        more = np.zeros((totals.most_topics - len(data), *data.shape[1:]))
        return np.concatenate((np.nan_to_num(data), more))
    # A shuffle needs every system on every topic; the other tests draw for all topics.
    return data[counted] if scores_suffice else data

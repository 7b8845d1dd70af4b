"""Tests of a criterion, pair by pair, as labelled pandas frames that say how they were made."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from irpref.arrays import Floats, Integers
from irpref.errors import unknown
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.reading import Progress
from irpref.summarise.signature import signature
from irpref.summarise.statistics.corrections import adjust, too_few_resamples
from irpref.summarise.statistics.hsd import TukeyHSD, hsd_of_preferences, hsd_of_scores
from irpref.summarise.statistics.paired_tests import (
    SUMS_SUFFICE,
    PairedTests,
    paired_tests,
    paired_tests_of_sums,
)
from irpref.summarise.topic_values import topic_values
from irpref.summarise.totals import Totals

__all__ = ["baseline_indices", "compare_pairs"]


def baseline_indices(
    baseline: str | Sequence[str] | None, systems: Sequence[str]
) -> tuple[int, ...] | None:
    """The indices of one or several baselines among the systems; None for no baseline.

    Raises:
        ValueError: One is not among them.
    """
    if baseline is None:
        return None
    names = [baseline] if isinstance(baseline, str) else list(baseline)
    for name in names:
        if name not in systems:
            raise unknown("baseline", name, systems)
    return tuple(systems.index(name) for name in names)


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
    """Which pairs of systems a criterion tells apart.

    Args:
        placements: What is compared.
        criterion: What is tested.
        totals: Its sums over the topics, of all systems against all; where they have more topics than
            the placements, every pair ties on the others.
        test: How; by default the test that fits.
        baselines: Integers of the systems that all others are tested against; None for all pairs.
        values: (T, S, S) its values on every topic, where they are known already.
        progress: Called after every batch of shuffles.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted, significant, topics,
        used (topics that the test uses) and the criterion's own outcomes. ``attrs`` say how it was made.

    Raises:
        ValueError: hsd is asked for with baselines, or there are too few topics.
    """
    method = test.method_for(criterion.fitting_test)
    if method == "hsd" and baselines is not None:
        raise ValueError(
            "hsd is a test of all pairs: with a baseline take another method, or no baseline"
        )
    first, second = _pairs(len(placements.systems), baselines)
    if method not in SUMS_SUFFICE:
        # What is drawn can be drawn again.
        test = replace(test, rng=test.seed())
    if method == "hsd":
        tukey, topics = _hsd(placements, criterion, totals, test, values, progress)
        frame = _hsd_frame(tukey, first, second, topics, test.alpha)
    else:
        if method in SUMS_SUFFICE:
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
            if values is None:
                values = topic_values(placements, criterion)
            tests = paired_tests(
                _ties_elsewhere(values[:, first, second], totals),
                method=method,
                alpha=test.alpha,
                rng=test.rng,
                n_resamples=test.n_resamples,
            )
        frame = _paired_frame(tests, test)
    for name in criterion.own_outcomes:
        frame[name] = totals.outcome(name)[first, second]
    names = np.array(placements.systems, dtype=object)
    frame.insert(0, "a", names[first])
    frame.insert(1, "b", names[second])
    drawn = frame.attrs.pop("n_resamples")
    family = "all pairs"
    if baselines is not None:
        family = f"all against {', '.join(names[list(baselines)])}"
    how: dict[str, Any] = {
        "test": method,
        "correction": test.correction_for(method),
        "family": family,
        "alpha": test.alpha,
        "rng": None if drawn is None else test.rng,
    }
    frame.attrs.update(how, n_resamples=drawn, preference=str(criterion))
    sign(frame, criterion, placements, topics=int(frame["topics"].max()))
    return frame


def sign(frame: pd.DataFrame, criterion: Criterion, placements: Placements, *, topics: int) -> None:
    """Give a frame of tests its signature, from what its attrs say of the tests."""
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


def _ties_elsewhere(values: Floats, totals: Totals) -> Floats:
    """(T', …) the values, and 0 on the topics that only the totals count."""
    counted = ~np.isnan(values).reshape(len(values), -1).all(axis=1)
    if totals.most_topics <= np.count_nonzero(counted):
        return values
    more = np.zeros((totals.most_topics - len(values), *values.shape[1:]))
    return np.concatenate((np.nan_to_num(values), more))


def _hsd(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    values: Floats | None,
    progress: Progress | None,
) -> tuple[TukeyHSD, int]:
    """The test of all pairs, over the topics that count for any, and their number."""
    scores = criterion.scores(placements)
    relevant = criterion.has_relevant(TopicBatch(placements))
    how: dict[str, Any] = {"rng": test.rng, "n_resamples": test.n_resamples, "progress": progress}
    if scores is not None and placements.counted[relevant].all():
        kept = _ties_elsewhere(np.where(relevant[:, None], scores, np.nan), totals)
        kept = kept[~np.isnan(kept).all(axis=1)]
        return hsd_of_scores(kept, **how), len(kept)
    if values is None:
        values = topic_values(placements, criterion)
    # Topics where nothing is relevant count for no pair.
    kept = _ties_elsewhere(values, totals)
    kept = kept[~np.isnan(kept).all(axis=(1, 2))]
    return hsd_of_preferences(kept, **how), len(kept)


def _paired_frame(tests: PairedTests, test: PairTest) -> pd.DataFrame:
    correction = test.correction_for(tests.method)
    if tests.resamples is not None:
        warning = too_few_resamples(
            tests.resamples, tests=len(tests.p), correction=correction, alpha=test.alpha
        )
        if warning is not None:
            warnings.warn(warning, UserWarning, stacklevel=4)
    names = ("mean", "low", "high", "effect", "statistic", "p")
    frame = pd.DataFrame({name: getattr(tests, name) for name in names})
    frame["p_adjusted"] = adjust(tests.p, correction)
    frame["significant"] = frame["p_adjusted"] < test.alpha
    frame["topics"], frame["used"] = tests.topics, tests.used
    frame.attrs["n_resamples"] = tests.resamples
    return frame


def _hsd_frame(
    tukey: TukeyHSD, first: Integers, second: Integers, topics: int, alpha: float
) -> pd.DataFrame:
    warning = too_few_resamples(len(tukey.null), tests=1, correction=None, alpha=alpha)
    if warning is not None:
        warnings.warn(warning, UserWarning, stacklevel=4)
    mean, p = tukey.mean[first, second], tukey.p[first, second]
    margin = tukey.margin(alpha)
    frame = pd.DataFrame(
        {
            "mean": mean,
            "low": mean - margin,
            "high": mean + margin,
            "effect": mean,
            "statistic": np.abs(mean),
            "p": p,
            "p_adjusted": p,
            "significant": p < alpha,
            "topics": topics,
            "used": topics,
        }
    )
    frame.attrs["n_resamples"] = len(tukey.null)
    return frame

"""Rank intervals: how the ranks of the systems vary if topics are drawn again, or tasks as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Floats, Integers, Values, batches, pair_counts
from irpref.base.checks import check_choice
from irpref.base.literals import Resample
from irpref.base.tolerance import difference, summable
from irpref.stats.method import USUAL, Draws, check_values
from irpref.stats.orders.win_rates import rounded
from irpref.stats.strata import check_finite
from irpref.stats.tests.bootstrap import TEST as BOOTSTRAP
from irpref.stats.tests.bootstrap import draw_topics

_SCORES = "scores must be (topics, systems)"


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """The rank of each of S systems by its mean, and the interval of this rank.

    Attributes:
        rank: (S,) rank from 1; systems with the same mean share the best rank.
        low: (S,) best rank of the interval; with a single topic the interval is all ranks.
        high: (S,) worst rank of the interval.
    """

    rank: Integers
    low: Integers
    high: Integers


def rank_intervals(scores: npt.ArrayLike, *, draws: Draws = USUAL) -> RankIntervals:
    """Bootstrap percentile intervals of the systems' ranks over topics, each by itself.

    Args:
        scores: (T, S) per-topic scores, higher is better: of a measure; or the win rates of a preference
            (mean preference over all others), for its mean order. Where pairs of systems have different
            topics, (T, S, S) preferences of the row over the column; NaN if a topic does not count for
            both. After each draw of topics, the win rate of a system is then the mean of its mean
            preference over each other system, over the drawn topics that the two share.
        draws: How to draw T topics with replacement, and the level of each interval.

    Raises:
        ValueError: A score is not finite, or there are no scores.

    Example:
        >>> best_first = [[0.9, 0.5, 0.1], [0.8, 0.6, 0.1], [0.4, 0.5, 0.1]]
        >>> intervals = rank_intervals(best_first)
        >>> intervals.rank.tolist(), intervals.low.tolist(), intervals.high.tolist()
        ([1, 2, 3], [1, 1, 3], [2, 2, 3])
        >>> a_beats_b = np.tile([[0.0, 1.0], [-1.0, 0.0]], (10, 1, 1))
        >>> rank_intervals(a_beats_b).high.tolist()
        [1, 2]
    """
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim == 3:
        return run_rank_intervals(given, list(np.arange(given.shape[1])[:, None]), draws=draws)
    [flat] = check_finite([given], _SCORES)
    topics = len(flat)
    exact = summable(flat, topics * np.abs(flat).max(axis=0))
    return _over_topics(lambda drawn, _: ranks_of(drawn @ exact / topics), flat, draws)


def run_rank_intervals(
    values: npt.ArrayLike, runs: Sequence[npt.ArrayLike], *, draws: Draws = USUAL
) -> RankIntervals:
    """Bootstrap percentile intervals of the systems' ranks over topics, and over the runs of each system.

    Each draw takes as many topics with replacement, and of each system as many of its runs, once for all
    topics. The win rate of a system is then its mean preference over each other system, on the drawn
    topics that count for all runs of both. Draws of n runs vary by (n - 1) / n of what runs do: so how far
    a run's weight is from 1 / n is multiplied by √(n / (n - 1)).

    Args:
        values: (T, R, R) preference of the row run over the column run; NaN where a topic does not count
            for one of them.
        runs: By system, the indices of its runs. One run alone is in every draw.
        draws: How to draw, and the level of each interval.

    Raises:
        ValueError: A value is infinite.

    Example:
        >>> a_beats_b = np.tile([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 0.0]], (10, 1, 1))
        >>> run_rank_intervals(a_beats_b, [[0, 1], [2]]).high.tolist()
        [1, 2]
    """
    members = [np.asarray(each, dtype=np.int64) for each in runs]
    sizes, order = np.array([len(each) for each in members]), np.concatenate(members)
    starts = np.cumsum(sizes) - sizes
    given = np.asarray(values, dtype=np.float64)[:, order[:, None], order]
    topics, flat = len(given), check_values(given.reshape(len(given), -1))
    lacking = np.isnan(given)
    for axis in (1, 2):
        lacking = np.repeat(np.logical_or.reduceat(lacking, starts, axis=axis), sizes, axis=axis)
    present = (~lacking).reshape(flat.shape).astype(np.float64)
    filled = np.where(present, flat, 0)
    exact = summable(filled, topics * np.abs(filled).max(axis=0))

    def ranks(drawn: Values, generator: np.random.Generator | None) -> Integers:
        shared = drawn @ present
        means = (drawn @ exact / np.maximum(shared, 1)).reshape(-1, *given.shape[1:])
        weights = np.ones((len(drawn), len(order)))
        for start, size in zip(starts, sizes, strict=True):
            if generator is not None and size > 1:
                times = generator.multinomial(size, np.full(size, 1 / size), size=len(drawn))
                weights[:, start : start + size] += (times - 1) * np.sqrt(size / (size - 1))
        weights /= np.repeat(sizes, sizes)
        # Between the runs of a system preferences cancel out.
        won = weights * (means @ weights[:, :, None])[:, :, 0]
        # Two systems that share none of the drawn topics do not meet.
        met = shared.reshape(means.shape)[:, starts[:, None], starts] > 0
        opponents = (met & ~np.eye(len(sizes), dtype=bool)).sum(axis=2)
        return ranks_of(np.add.reduceat(won, starts, axis=1) / np.maximum(opponents, 1))

    return _over_topics(ranks, flat, draws)


def simultaneous_ranks(scores: npt.ArrayLike, *, draws: Draws = USUAL) -> RankIntervals:
    """Intervals of the ranks that hold all together (Mogstad, Romano, Shaikh & Wilhelm 2024).

    A system's best rank is one more than the number of systems that are significantly better, and its
    worst rank leaves room below for those that are significantly worse. All pairs are tested together by
    the regularised studentised bootstrap, so that with a chance of about 1 - alpha no rank lies outside
    its interval. With joint sign flips, the pairs that vary most hide what differs elsewhere: of 125
    systems on 50 topics, intervals are 5 to 13 % wider (``scripts/rank_study.py``). With fewer than 50
    topics and very skewed values they are narrower, but fail more often: .10 for .02 on 12 topics.

    Args:
        scores: (T, S) per-topic scores, as of :func:`rank_intervals`.
        draws: How to draw the topics, and the level of all intervals together.

    Raises:
        ValueError: As of :func:`rank_intervals`.

    Example:
        >>> far_apart = np.random.default_rng(1).normal([5, 0, 0], 1, (30, 3))
        >>> intervals = simultaneous_ranks(far_apart)
        >>> intervals.low.tolist(), intervals.high.tolist()
        ([1, 2, 2], [1, 3, 3])
    """
    [given] = check_finite([scores], _SCORES)
    systems = given.shape[1]
    rank = ranks_of(given.mean(axis=0, keepdims=True))[0]
    if len(given) == 1:
        return _percentiles(rank, [], draws.alpha, alone=True)
    first, second = np.triu_indices(systems, 1)
    apart = difference(given[:, first], given[:, second])
    tests = BOOTSTRAP.of_values(apart, draws=draws)
    assert tests.adjusted is not None
    found = tests.adjusted < draws.alpha
    above = np.zeros((systems, systems), dtype=bool)
    above[first, second] = found & (tests.mean > 0)
    above[second, first] = found & (tests.mean < 0)
    return RankIntervals(rank, 1 + above.sum(axis=0), systems - above.sum(axis=1))


def task_rank_intervals(
    scores: Sequence[npt.ArrayLike],
    *,
    resample: Resample = "tasks and topics",
    draws: Draws = USUAL,
) -> RankIntervals:
    """Bootstrap percentile intervals of the systems' ranks by the mean of their task means.

    ====================  ===============================================================================
    resample              what each draw is
    ====================  ===============================================================================
    tasks and topics      As many tasks, with replacement; of each one drawn, as many topics.
    tasks                 As many tasks, with replacement; their topics as they are.
    topics                The tasks as they are; of each, as many topics, with replacement.
    ====================  ===============================================================================

    Where tasks are drawn, the question is how the systems would rank on other tasks like these. Where only
    topics are, it is how they would rank on other topics of these very tasks. The means of tasks vary by
    their topics too, so drawing the topics as well counts that twice (Davison & Hinkley 1997, section 3.8).
    But intervals from draws of few tasks are too short: of 95 % intervals of a mean, 72 % hold with three
    tasks and 88 % with ten. With the topics too, 83 % to 98 % hold (``scripts/task_intervals.py``).

    Args:
        scores: For each task (T, S) per-topic scores, as of :func:`rank_intervals`.
        resample: What to draw.
        draws: How to draw it, and the level of each interval.

    Returns:
        The ranks and intervals; all ranks, if tasks are drawn and there is one only, or topics are and a
        task has one only.

    Raises:
        ValueError: A score is not finite, there are no scores, or an option is out of range.

    Example:
        >>> tasks = [[[0.9, 0.5], [0.8, 0.6]], [[0.1, 0.4], [0.2, 0.3]], [[0.9, 0.1], [0.8, 0.2]]]
        >>> task_rank_intervals(tasks, resample="topics").high.tolist()
        [1, 2]
        >>> task_rank_intervals(tasks).high.tolist()
        [2, 2]
    """
    check_choice("resample", resample, Resample)
    given = check_finite(scores, f"{_SCORES} for each task")
    topics = [len(task) for task in given]
    means = np.mean([task.mean(axis=0) for task in given], axis=0)
    drawn = resampled_means(given, resample=resample, draws=draws)
    alone = min(topics) == 1 if resample == "topics" else len(given) == 1
    rank = ranks_of(means[None])[0]
    return _percentiles(rank, map(ranks_of, drawn), draws.alpha, alone=alone)


def resampled_means(
    scores: Sequence[Floats], *, resample: Resample, draws: Draws = USUAL
) -> Iterator[Floats]:
    """The means of the task means after every draw, in batches of (B, S).

    The arguments are those of :func:`task_rank_intervals`, which checks them: arrays of numbers.
    """
    tasks, generator = len(scores), np.random.default_rng(draws.rng)
    # A draw may have all its tasks from one.
    largest = np.max([np.abs(task).max(axis=0) for task in scores], axis=0)
    if resample == "tasks":
        scores = [task.mean(axis=0, keepdims=True) for task in scores]
    parts = [summable(task / (len(task) * tasks), largest) for task in scores]
    each = max(*(len(task) for task in scores), *scores[0].shape)
    for batch in batches(draws.n_resamples, each, MEMORY):
        size = batch.stop - batch.start
        times = np.ones((size, tasks), dtype=np.int64)
        if resample != "topics":
            times = generator.multinomial(tasks, np.full(tasks, 1 / tasks), size=size)
        total = np.zeros((size, scores[0].shape[1]))
        for number, part in enumerate(parts):
            # A task that is drawn twice gives two draws of its topics, which are one of twice as many.
            total += draw_topics(generator, times[:, number], len(part)) @ part
        yield total


def _over_topics(
    ranks: Callable[[Values, np.random.Generator | None], Integers], values: Floats, draws: Draws
) -> RankIntervals:
    """The intervals over draws of topics.

    Args:
        ranks: The ranks of (n, T) counts of the topics, with further draws; None where nothing is drawn.
        values: (T, …) what the ranks are of.
        draws: How to draw, and the level of each interval.
    """
    topics = len(values)
    rank = ranks(np.ones((1, topics)), None)[0]
    generator = np.random.default_rng(draws.rng)
    chances = np.full(topics, 1 / topics)
    resampled = (
        ranks(generator.multinomial(topics, chances, size=part.stop - part.start), generator)
        for part in batches(draws.n_resamples, max(values.shape), MEMORY)
    )
    return _percentiles(rank, resampled, draws.alpha, alone=topics == 1)


def _percentiles(
    rank: Integers, drawn: Iterable[Integers], alpha: float, *, alone: bool
) -> RankIntervals:
    """The intervals about the ranks, from (B, S) ranks in batches.

    Args:
        rank: (S,) the ranks.
        drawn: The ranks in each draw.
        alpha: 1 - alpha is the level of an interval.
        alone: Whether there is one draw only, which says nothing of others.
    """
    systems = len(rank)
    if alone:
        return RankIntervals(rank, np.ones(systems, dtype=np.int64), np.full(systems, systems))
    # By system, how often it has each rank.
    times = np.zeros((systems, systems + 1), dtype=np.int64)
    for ranks in drawn:
        times += pair_counts(np.tile(np.arange(systems), len(ranks)), ranks.ravel(), times.shape)
    reached = np.cumsum(times, axis=1)
    resamples = int(reached[0, -1])
    low, high = (
        (reached >= max(1, math.ceil(resamples * share))).argmax(axis=1)
        for share in (alpha / 2, 1 - alpha / 2)
    )
    return RankIntervals(rank, low, high)


def ranks_of(means: Floats) -> Integers:
    """The ranks of each row's means, greatest first; equal means share the best rank."""
    # scipy.stats has this too, and takes longer to import than most commands to run.
    falling = -rounded(means)
    order = np.argsort(falling, axis=1, kind="stable")
    placed = np.take_along_axis(falling, order, axis=1)
    first = np.diff(placed, axis=1, prepend=np.nan) != 0
    best = np.maximum.accumulate(np.where(first, np.arange(1, placed.shape[1] + 1), 0), axis=1)
    ranks = np.empty(means.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, best, axis=1)
    return ranks

"""The randomization test: random signs of the topics, the same for all pairs, and its intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import CACHE, MEMORY, Flags, Floats, Integers, batches
from irpref.base.message import Option, refusal
from irpref.base.tolerance import TOLERANCE, summable
from irpref.base.workers import in_workers
from irpref.stats.method import (
    USUAL,
    Draws,
    Method,
    PairedTests,
    PairSums,
    TooFewTopicsError,
    check_values,
    column_parts,
    seed_of,
)
from irpref.stats.strata import Strata
from irpref.stats.tests.sign import sign_interval, sign_test

# Batch size, in flips (8 bits can count so many flags), in signs, in pairs (whose sums after these flips
# stay in the cache), and in sums where all flips of a pair are kept.
_FLIPS, _SIGNS, _PAIRS, _SUMS = 252, 4 * MEMORY, CACHE // 1024, MEMORY // 8
# How many products of a sign and a value are worth a worker.
_WORTH_A_WORKER = 1 << 21

Result = TypeVar("Result")


class Randomization(Method):
    """Random signs of the topics test a pair (Fisher 1935; in IR Smucker, Allan & Carterette 2007), or many
    jointly (Westfall & Young 1993; in IR Boytsov, Belova & Westfall 2013).

    A flip draws one random sign a topic, the same for all pairs. ``p`` is of the pair alone, whatever pairs
    stand beside it: (1 + how many flips have a mean as far from 0 as the observed one) / (B + 1). It is
    exact where all sets of signs of the pair's topics are at most B: the share of these. It is also where
    all values are -1, 0 or +1: the randomization test is then the exact sign test.

    ``adjusted`` is of the family: the larger of p and of the step-down. That compares the largest
    \\|mean\\| with the largest of all pairs after each flip, the next one with the largest of all pairs
    but the first, and so on; times the root of the number of topics, where pairs have different ones. A
    pair of so few topics that no p can be below alpha is not tested (NaN), and is not of the family.

    The test supposes that the values of the topics are symmetric about their mean, for all pairs together.
    It does not suppose that the systems are exchangeable, as randomised Tukey HSD does. The effect is
    Cohen's d_z, the statistic the mean.

    Example:
        >>> first_is_ahead = np.array([[0.5, 0.1], [0.4, -0.1], [0.6, 0.2]] * 4)
        >>> found = TEST.of_values(first_is_ahead, draws=Draws(n_resamples=5000))
        >>> found.p.round(4).tolist(), found.adjusted.round(4).tolist()
        ([0.0005, 0.1548], [0.0005, 0.1548])
    """

    title = "randomization test"
    summary = (
        "Random signs of the topics, the same for all pairs: a test of one pair, or of all at once."
    )
    fits = "topics"
    correction = None
    draws = True
    least_topics = 6
    strata = True

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_values`. Signs are drawn for all T topics in their order.

        Raises:
            TooFewTopicsError: No pair has enough topics for a p below alpha.
            ValueError: See there; or the resamples are too few for it.
        """
        sample = _Sample(check_values(values), draws)
        if len(sample.total) and not sample.tested.any():
            raise _no_p_below_alpha(draws, sample.sums.topics)
        # The pairs stand in the order of their statistics, the smallest first.
        order = np.argsort(sample.total, kind="stable")
        order = order[sample.tested[order]]
        flips, ordered = sample.flips, sample.values[:, order]
        least, least_beside = sample.least[order], sample.least_beside[order]
        reached, largest = _count(flips, ordered, least, least_beside, draws)
        drawn, family = flips.p_values(reached)
        p, exact = sample.exact_where_it_can_be(order, drawn)
        stepped = np.maximum.accumulate(family[::-1])[::-1]
        still = int(np.count_nonzero(stepped >= draws.alpha))
        critical = _critical(flips, ordered, largest, still, draws.alpha)
        # A pair that is the whole family has one p.
        adjusted = np.maximum(p, stepped) if len(order) > 1 else p
        columns = np.full((3, len(sample.total)), np.nan)
        columns[:, order] = p, adjusted, critical / sample.width[order]
        alone = len(order) == 1 and exact.all()
        return sample.sums.tested(
            self.name,
            statistic=sample.sums.mean,
            resamples=None if flips.every or alone else draws.n_resamples,
            **dict(zip(("p", "adjusted", "critical"), columns, strict=True)),
        )

    def of_strata(self, values: Sequence[Floats], *, draws: Draws = USUAL) -> PairedTests:
        """A topic of a task with T topics counts 1 / T: each task weighs the same. See
        :meth:`.Method.of_strata`.

        Example:
            >>> ahead = [np.array([[0.4], [0.5], [0.6]] * 2), np.array([[0.1], [0.3]])]
            >>> TEST.of_strata(ahead).p.tolist()
            [0.0078125]
        """
        strata = Strata.of(values)
        weighted = np.concatenate(strata.values) * strata.weights[:, None]
        return replace(self.of_values(weighted, draws=draws), effect=strata.effect)

    def intervals(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> tuple[Floats, Floats]:
        """The test of each pair alone, inverted, by the same flips (Hartigan 1969): 0 lies outside exactly
        where p is below alpha. Values that are signs have Tango's interval. See :meth:`.Method.intervals`.

        A flip does not reject the means from that of the topics with one sign to that of the others.

        Example:
            >>> low, high = TEST.intervals([[0.5], [0.4], [0.6], [0.2], [0.3], [0.1]])
            >>> low.round(3).tolist(), high.round(3).tolist()
            ([0.1], [0.6])
        """
        given = check_values(values)
        return _intervals(given, np.ones(len(given)), draws)

    def intervals_of_strata(
        self, values: Sequence[Floats], *, draws: Draws = USUAL
    ) -> tuple[Floats, Floats]:
        """The same with weighted means: see :meth:`.Method.intervals_of_strata`."""
        strata = Strata.of(values)
        return _intervals(np.concatenate(strata.values), strata.weights, draws)


@dataclass(frozen=True)
class _Flips:
    """Sets of T signs: each once if these are at most B, else B at random.

    Attributes:
        topics: T.
        n_resamples: B.
        seed: That of the random ones.
    """

    topics: int
    n_resamples: int
    seed: int

    @property
    def every(self) -> bool:
        """Whether every set of signs is there, each once."""
        return bool(2**self.topics <= self.n_resamples)

    @property
    def count(self) -> int:
        """How many sets there are."""
        return 2**self.topics if self.every else self.n_resamples

    def p_values(self, reached: Integers) -> Floats:
        """p-values, from how many sets reach what was observed; a drawn one counts the observed too."""
        observed = 0 if self.every else 1
        return np.asarray((observed + reached) / (self.count + observed))

    def rejecting(self, alpha: float) -> int:
        """How many of the numbers 0, 1, … of sets that reach it have p < alpha."""
        return int(np.count_nonzero(self.p_values(np.arange(self.count)) < alpha))

    def blocks(self) -> Iterator[Integers]:
        """(n, T) signs of 8 bits, some sets at a time; how many does not change them."""
        generator = np.random.default_rng(self.seed)
        # Four bytes come from one random number, so that blocks are what all at once would be.
        step = 4 * max(1, min(_FLIPS, _SIGNS // max(1, self.topics)) // 4)
        for start in range(0, self.count, step):
            some = min(step, self.count - start)
            if self.every:
                bits = np.arange(start, start + some)[:, None] >> np.arange(self.topics) & 1
                signs = bits.astype(np.int8)
            else:
                signs = generator.integers(0, 2, (some, self.topics), dtype=np.int8)
            signs *= 2
            signs -= 1
            yield signs

    def each(self, work: Callable[[Floats], Result], values: Floats) -> Iterator[Result]:
        """The results of work on (n, T) signs and (T, P) values, some sets at a time."""
        most = None if _FLIPS * values.size > _WORTH_A_WORKER else 1
        return in_workers(lambda signs: work(signs.astype(np.float64)), self.blocks(), most=most)

    def sums(self, values: Floats) -> Floats:
        """(P, n) the sums over the topics of (T, P) values with each set of signs."""
        return np.concatenate(list(self.each(lambda signs: values.T @ signs.T, values)), axis=1)


class _Sample:
    """(T, P) values whose sums are exact in any order, and what each pair says alone.

    Attributes:
        sums: What the topics of each pair say.
        flips: The sets of signs of all topics.
        values: The values, 0 where a topic does not count, all pairs made as wide as one of T topics.
        width: (P,) by what to divide a sum of these for a mean.
        total: (P,) the size of the sum.
        least: (P,) the least size of a sum after a flip that is no smaller, but for float noise.
        least_beside: (P,) the same for sums of any pair.
        few: (P,) whether the sets of signs of the pair's own topics are at most B.
        tested: (P,) whether a p can be below alpha.
    """

    def __init__(self, given: Floats, draws: Draws) -> None:
        self.sums = PairSums.of(given)
        topics = self.sums.topics
        self.flips = _Flips(len(given), draws.n_resamples, seed_of(draws.rng))
        # A sum of fewer topics varies less.
        scale = np.sqrt(len(given) / np.maximum(topics, 1))
        self.values, size = np.empty(given.shape), np.empty(len(topics))
        for columns in column_parts(given):
            filled = np.nan_to_num(given[:, columns]) * scale[columns]
            # Pair by pair, so that those beside it change no digit.
            size[columns] = np.abs(filled.T, order="C").sum(axis=1)
            self.values[:, columns] = summable(filled, size[columns])
        self.width, self.total = topics * scale, np.abs(self.values.sum(axis=0))
        self.least = self.total - TOLERANCE * size
        self.least_beside = self.total - TOLERANCE * size.max(initial=0)
        self.few = topics < int(draws.n_resamples).bit_length()
        least_p = np.maximum(np.exp2(1.0 - topics), 1 / (draws.n_resamples + 1))
        self.tested = least_p < draws.alpha

    def exact_where_it_can_be(self, pairs: Integers, p: Floats) -> tuple[Floats, Flags]:
        """p of these pairs, exact instead of drawn where it can be; and where it is."""
        few, signs = self.few[pairs], self.sums.signs[pairs]
        if few.any() and not self.flips.every:
            values, least = self.values[:, pairs[few]], self.least[pairs[few]]
            values = np.take_along_axis(values, _own_topics(values != 0), axis=0)
            flips = replace(self.flips, topics=len(values))
            p[few] = flips.p_values(_count(flips, values, least, least)[0][0])
        p[signs] = sign_test(self.sums.wins[pairs[signs]], self.sums.losses[pairs[signs]])
        return p, few | signs


def _own_topics(count: Flags) -> Integers:
    """(n, P) the topics that count for each pair, and others where more of them count for another pair."""
    return np.argsort(~count, axis=0, kind="stable")[: count.sum(axis=0).max(initial=0)]


def _count(
    flips: _Flips, values: Floats, least: Floats, least_beside: Floats, draws: Draws = USUAL
) -> tuple[Integers, Floats]:
    """Count the flips that reach each statistic.

    Args:
        flips: The sets of signs.
        values: (T, P) values, whose sums are exact, in the order of the pairs' statistics.
        least: (P,) what a sum of the pair must reach.
        least_beside: (P,) what the largest of its sum and of all before it must reach; it ascends.
        draws: Whom to tell how many are done.

    Returns:
        (2, P) how many flips reach the one and the other; and (parts + 1, n) the largest sum after each
        flip of the pairs before each part of them, and of all.
    """
    pairs = values.shape[1]
    parts = batches(pairs, 1, _PAIRS)

    def work(signs: Floats) -> tuple[Integers, Floats]:
        reached = np.zeros((2, pairs), dtype=np.int64)
        largest = np.zeros((len(parts) + 1, len(signs)))
        for number, part in enumerate(parts):
            sums = signs @ values[:, part]
            np.abs(sums, out=sums)
            top, before, after = sums.max(axis=1), largest[number], largest[number + 1]
            np.maximum(top, before, out=after)
            alone, beside = least[part], least_beside[part]
            reached[0, part] = _how_many(sums[top >= alone.min()], alone)
            # Most flips reach all of a part by what is before it, or nothing in it.
            by_all = before >= beside[-1]
            some = np.flatnonzero((after >= beside[0]) & ~by_all)
            steps = sums[some]
            steps[:, 0] = np.maximum(steps[:, 0], before[some])
            np.maximum.accumulate(steps, axis=1, out=steps)
            reached[1, part] = np.count_nonzero(by_all) + _how_many(steps, beside)
        return reached, largest

    reached, maxima, done = np.zeros((2, pairs), dtype=np.int64), list[Floats](), 0
    for more, largest in flips.each(work, values):
        reached += more
        maxima.append(largest)
        done += largest.shape[1]
        if draws.progress is not None:
            draws.progress("flipping signs", done, flips.count)
    return reached, np.concatenate(maxima, axis=1)


def _how_many(sums: Floats, least: Floats) -> Integers:
    """(P,) how many of the (n, P) sums are large enough; n is at most 255."""
    return np.asarray(np.add.reduce((sums >= least).view(np.uint8), axis=0, dtype=np.uint8))


def _critical(flips: _Flips, values: Floats, largest: Floats, still: int, alpha: float) -> Floats:
    """(P,) the size of a sum above which a pair is significant: of one that is not, with all others as they
    are; of one that is, with any others that vary as these do.

    Args:
        flips: The sets of signs.
        values: (T, P) values as of :func:`_count`.
        largest: The largest sums as it returns them.
        still: How many pairs, from the first one on, are not significant by the step-down.
        alpha: The significance level.
    """
    whole, rank = still // _PAIRS, flips.rejecting(alpha)
    rest = values[:, whole * _PAIRS : still]
    tops = flips.each(lambda signs: np.abs(signs @ rest).max(axis=1, initial=0), rest)
    null = np.stack([np.maximum(largest[whole], np.concatenate(list(tops))), largest[-1]])
    critical = np.sort(null, axis=1)[:, -rank]
    return np.repeat(critical, [still, values.shape[1] - still])


def _intervals(given: Floats, weights: Floats, draws: Draws) -> tuple[Floats, Floats]:
    """(P,) ends of the intervals of weighted means of (T, P) values, by (T,) weights."""
    sample, present = _Sample(given * weights[:, None], draws), ~np.isnan(given)
    low, high = sign_interval(sample.sums, draws.alpha)
    low[~sample.tested], high[~sample.tested] = np.nan, np.nan
    rest = sample.tested & ~sample.sums.signs & (sample.sums.spread > 0)
    weights = np.where(present, summable(weights, weights.sum())[:, None], 0)
    for few in (True, False):
        pairs = np.flatnonzero(rest & (sample.few == few))
        for part in batches(len(pairs), sample.flips.count, _SUMS):
            some = pairs[part]
            rows = _own_topics(present[:, some]) if few else np.arange(len(given))[:, None]
            flips = replace(sample.flips, topics=len(rows))
            values, weighed = (
                np.take_along_axis(each[:, some], rows, axis=0) for each in (sample.values, weights)
            )
            ends = _typical_values(flips, values, weighed, sample.least[some], draws.alpha)
            step = sample.sums.topics[some] / sample.width[some]
            low[some], high[some] = ends * step
    return low, high


def _typical_values(
    flips: _Flips, values: Floats, weights: Floats, least: Floats, alpha: float
) -> Floats:
    """(2, P) the least and the greatest means that are not rejected (Hartigan 1969).

    Args:
        flips: The sets of signs.
        values: (T, P) values times their weights, whose sums are exact.
        weights: (T, P) weights, whose sums are too; 0 where a topic does not count.
        least: (P,) as of :func:`_count`.
        alpha: The significance level.
    """
    signed, weighed = flips.sums(values), flips.sums(weights)
    total, whole = values.sum(axis=0)[:, None], weights.sum(axis=0)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        means = [(total + side * signed) / (whole + side * weighed) for side in (1, -1)]
    # Of topics with one sign only, nothing is rejected; nor is 0 where the flip reaches the statistic.
    one_sign, reached = np.abs(weighed) == whole, np.abs(signed) >= least[:, None]
    low = np.where(one_sign, -np.inf, np.minimum(*means))
    high = np.where(one_sign, np.inf, np.maximum(*means))
    np.minimum(low, 0, out=low, where=reached)
    np.maximum(high, 0, out=high, where=reached)
    rank = flips.rejecting(alpha)
    return np.stack(
        [
            np.partition(low, rank - 1, axis=1)[:, rank - 1],
            np.partition(high, -rank, axis=1)[:, -rank],
        ]
    )


def _no_p_below_alpha(draws: Draws, topics: Integers) -> ValueError:
    """What is raised where no pair can be tested."""
    alpha, test = draws.alpha, "the randomization test needs at least"
    if 1 / (draws.n_resamples + 1) >= alpha:
        enough = Option("n_resamples", math.floor(1 / alpha))
        return refusal(f"{test} ", enough, f" at alpha = {alpha:g}, not {draws.n_resamples}")
    needed = math.floor(1 - math.log2(alpha)) + 1
    return TooFewTopicsError(
        f"{test} {needed} topics at alpha = {alpha:g}, and no pair has more than {topics.max()}"
    )


TEST = Randomization()

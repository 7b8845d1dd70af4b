"""What every test of pairs has, and gives back: its name, what it needs, its arithmetic, its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, Pairs, Values
from irpref.base.checks import check_between, check_count
from irpref.base.literals import Correction, Progress
from irpref.base.tolerance import TOLERANCE, mean_of_sums

# Batch size, in values; bounds memory.
_CELLS = MEMORY // 4

POWER = 0.8
"""How often a difference shall be found, for the least one that so many topics find."""

Requirement = Literal["sums", "topics", "systems", "runs"]
LEAST_RUNS = 5
"""How many runs a system needs, so that they say how others may come out."""
Fits = Literal["topics", "sums", "sums of signs", "runs"]


@dataclass(frozen=True, kw_only=True)
class Draws:
    """How a test draws random numbers, and its level.

    Attributes:
        rng: A seed or Generator. The number of processors does not change what is drawn.
        n_resamples: B, how often to draw.
        alpha: The significance level; 1 - alpha is that of the intervals.
        progress: Called after every batch.

    Raises:
        ValueError: n_resamples is below 1, or alpha is outside (0, 1).
    """

    rng: int | np.random.Generator | None = 0
    n_resamples: int = 10_000
    alpha: float = 0.05
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_count("n_resamples", self.n_resamples)
        check_between("alpha", self.alpha)


USUAL = Draws()
"""How a test is done where nobody says otherwise."""


def seed_of(rng: int | np.random.Generator | None) -> int:
    """The seed that is given, or one that is drawn, which can be said and given again."""
    return int(
        rng if isinstance(rng, int | np.integer) else np.random.default_rng(rng).integers(2**32)
    )


class TooFewTopicsError(ValueError):
    """A pair has too few topics for a test.

    Attributes:
        pair: The index of the first such pair; None where all have.
    """

    def __init__(self, message: str, *, pair: int | None = None) -> None:
        super().__init__(message)
        self.pair = pair


@dataclass(frozen=True, eq=False)
class PairedTests:
    """One two-sided test for each of P pairs.

    Attributes:
        method: The name of the test.
        mean: (P,) mean value over the topics that count.
        effect: (P,) effect size, with the sign of the mean difference. t and randomization: Cohen's d_z,
            mean / standard deviation (±∞ if all topics agree exactly). wilcoxon: the matched rank-biserial
            correlation, (W+ - W-) / (W+ + W-). sign: (wins - losses) / (wins + losses).
        statistic: (P,) t: Student's t. wilcoxon: the lesser of W+ and W-. sign: the number of wins.
            randomization: the mean.
        p: (P,) p-value; 1 for identical systems; NaN where the test has none, as of systems of few runs.
        topics: (P,) topics that count for the pair.
        used: (P,) topics that the test uses: sign and wilcoxon leave out topics with value 0.
        resamples: How many sets of signs were drawn; None if the test has a formula or takes all sets.
        adjusted: (P,) p-values that the test has adjusted for all pairs by itself; None if it tests each
            pair alone.
        critical: (P,) what the size of the mean must exceed to be significant by these: of a pair that is
            not, with all others as they are; of one that is, with any others that vary as these do. None if
            the test does not say it.
        ends: (P,) lower and (P,) upper ends of the intervals of the means, where the test comes with them.
        errors: Sums that have the standard error and the degrees of freedom, where the topics' have not.
        varies: By column, (P,) what the mean varies by besides topics.
    """

    method: str
    mean: Floats
    effect: Floats
    statistic: Floats
    p: Floats
    topics: Integers
    used: Integers
    resamples: int | None = None
    adjusted: Floats | None = None
    critical: Floats | None = None
    ends: tuple[Floats, Floats] | None = None
    errors: PairSums | None = None
    varies: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PairSums:
    """What sums over the topics say of P pairs.

    Attributes:
        topics: (P,) topics that count for the pair; of several tasks, so many as say as much.
        mean: (P,) mean value over these topics.
        deviations: (P,) sum of the squared deviations of the values from the mean.
        wins: (P,) values above 0.
        losses: (P,) values below 0.
        signs: (P,) whether all values are -1, 0 or +1.
    """

    topics: Values
    mean: Floats
    deviations: Floats
    wins: Integers
    losses: Integers
    signs: Flags

    @classmethod
    def of(cls, values: Floats) -> PairSums:
        """The sums of (T, P) values; NaN if a topic does not count for a pair."""
        topics, wins, losses = np.empty((3, values.shape[1]), dtype=np.int64)
        mean, deviations = np.empty((2, values.shape[1]))
        signs = np.empty(values.shape[1], dtype=np.bool_)
        for columns in column_parts(values):
            part = values[:, columns]
            present = ~np.isnan(part)
            part = np.where(present, part, 0)
            topics[columns] = np.count_nonzero(present, axis=0)
            wins[columns] = np.count_nonzero(part > 0, axis=0)
            losses[columns] = np.count_nonzero(part < 0, axis=0)
            signs[columns] = np.isin(part, (-1, 0, 1)).all(axis=0)
            squares = np.einsum("tp,tp->p", part, part)
            # Float noise is no mean.
            mean[columns] = mean_of_sums(part.sum(axis=0), topics[columns], squares)
            part -= mean[columns]
            deviations[columns] = (np.where(present, part, 0) ** 2).sum(axis=0)
        return cls(topics, mean, deviations, wins, losses, signs)

    @classmethod
    def of_errors(cls, mean: Floats, error: Floats, freedom: Floats) -> PairSums:
        """Of (P,) means with other errors than those of one sample: of a sample that knows them as well.

        It has one topic more than degrees of freedom.
        """
        none = np.zeros(len(mean), dtype=np.int64)
        deviations = error**2 * freedom * (freedom + 1)
        return cls(freedom + 1, mean, deviations, wins=none, losses=none, signs=none > 0)

    @cached_property
    def spread(self) -> Floats:
        """(P,) standard deviations of the values, with float noise as 0; NaN with a single topic."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.sqrt(self.deviations / (self.topics - 1))
            size = np.sqrt(self.deviations / self.topics + self.mean**2)
        spread[spread <= TOLERANCE * size] = 0
        return np.asarray(spread)

    @property
    def least_p(self) -> Floats:
        """(P,) the least p-values that signs can have: that of two of all sets of them; zeros have none."""
        return np.asarray(np.exp2(1.0 - (self.wins + self.losses)))

    def t_interval(self, alpha: float) -> tuple[Floats, Floats]:
        """(P,) ends of Student's interval of the mean; NaN where the values have no spread."""
        from scipy.special import stdtrit

        some = self.spread > 0
        half, topics = np.full(len(self.mean), np.nan), self.topics[some]
        half[some] = stdtrit(topics - 1, 1 - alpha / 2) * self.spread[some] / np.sqrt(topics)
        return self.mean - half, self.mean + half

    def detectable(self, critical: Floats) -> Floats:
        """(P,) the means that a test finds with a power of 0.8; NaN where it finds none, or none vary.

        Args:
            critical: (P,) how far a mean must lie from 0 to be found.
        """
        from scipy.special import stdtrit

        with np.errstate(divide="ignore", invalid="ignore"):
            found = critical + stdtrit(self.topics - 1, POWER) * self.spread / np.sqrt(self.topics)
        return np.where(np.isfinite(found) & (self.spread > 0), found, np.nan)

    def tested(self, method: str, **found: Any) -> PairedTests:
        """What a test says of the pairs, and what it found besides.

        If that does not say otherwise, the effect is Cohen's d_z, and the test uses all topics.
        """
        found = {"effect": ratio(self.mean, self.spread), "used": self.topics, **found}
        return PairedTests(method=method, mean=self.mean, topics=self.topics, **found)


class Method:
    """A two-sided test of whether the mean of a pair's per-topic values is 0, for many pairs at once.

    Its name is that of its file in ``irpref/stats/tests/``, which has the test as ``TEST``. A test that
    needs sums only has ``of_sums``; one that needs every topic, ``of_values``; one that needs every
    system on every topic, ``of_systems``; one that needs every run of each system, ``of_runs``.

    Attributes:
        title: What notes under tables call it.
        summary: A sentence for the documentation.
        requirements: ``"sums"`` over the topics, the values of a pair on all ``"topics"``, the values of
            all ``"systems"`` on every topic, or those of all their ``"runs"``.
        fits: What it is the test for where none is named: the values of all ``"topics"``, ``"sums"`` over
            them, ``"sums of signs"``, or systems of several ``"runs"``.
        correction: What corrects it for several pairs, where nothing is named; None if it corrects for all
            of them by itself.
        draws: Whether it draws random numbers.
        least_topics: How many topics a pair needs; at alpha = 0.05, where the least p decides.
        strata: Whether it can test tasks as strata (``of_strata``).
    """

    title: ClassVar[str]
    summary: ClassVar[str]
    requirements: ClassVar[Requirement] = "topics"
    fits: ClassVar[Fits | None] = None
    correction: ClassVar[Correction | None] = "holm"
    draws: ClassVar[bool] = False
    least_topics: ClassVar[int] = 1
    strata: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name of its file."""
        return type(self).__module__.rpartition(".")[-1]

    def check(self, topics: Values, alpha: float) -> None:
        """Refuse an alpha outside (0, 1), and (P,) topics of pairs that are too few for the test."""
        check_between("alpha", alpha)
        check_topics(topics, self.least_topics, self.name)

    def of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> PairedTests:
        """The tests of P pairs, from sums over their topics.

        Args:
            sums: The sums.
            alpha: The significance level.

        Raises:
            ValueError: The test needs more than sums, or a pair has too few topics.
        """
        what = "every run" if self.requirements == "runs" else "the value of every topic"
        raise ValueError(f"the test {self.name!r} needs {what}")

    def detectable(self, tests: PairedTests, sums: PairSums, *, alpha: float = 0.05) -> Floats:
        """(P,) the least mean that the test finds with a power of 0.8 on topics like these.

        It is as far from 0 as a mean must lie to be significant, and as far again as means vary, by
        Student's distribution. NaN where the test cannot find any.

        Args:
            tests: The tests of the pairs. Where they do not say how far from 0 a mean must lie, it is half
                of Student's interval.
            sums: What the topics of the pairs say.
            alpha: What a p-value must be below, if the test does not correct by itself.
        """
        sums, critical = tests.errors or sums, tests.critical
        if critical is None:
            low, high = sums.t_interval(alpha)
            # Student's t has no least p-value.
            none = self.requirements == "topics" and sums.least_p >= alpha
            critical = np.where(none, np.nan, (high - low) / 2)
        return sums.detectable(critical)

    def intervals_of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> tuple[Floats, Floats]:
        """(P,) ends of the confidence intervals of the means, each of its pair alone, from sums.

        They are Student's, if the test does not say otherwise; NaN where there is none: the values have no
        spread, or the test is of something else than the mean.

        Args:
            sums: What the topics of the pairs say.
            alpha: 1 - alpha is the level of each interval.
        """
        return sums.t_interval(alpha)

    def intervals(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> tuple[Floats, Floats]:
        """(P,) ends of the same intervals, from (T, P) values: the arguments are those of ``of_values``.

        An end is ∓∞ where the test rejects no mean on this side.

        Raises:
            ValueError: A value is infinite.
        """
        return self.intervals_of_sums(PairSums.of(check_values(values)), alpha=draws.alpha)

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """The tests of P pairs, from their values on every topic.

        Args:
            values: (T, P) values; NaN if a topic does not count for a pair. Float noise counts, so that
                differences are to be 0 where only noise is left.
            draws: How to draw random numbers, and the significance level.

        Raises:
            ValueError: A value is infinite, or a pair has too few topics.
        """
        return self.of_sums(PairSums.of(check_values(values)), alpha=draws.alpha)

    def of_systems(self, values: Values, pairs: Pairs, *, draws: Draws = USUAL) -> PairedTests:
        """The tests of P pairs of systems, from the values of all systems on every topic.

        Args:
            values: (T, S, S) preference of the row over the column; of a test that needs systems also
                (T, S) scores.
            pairs: (P,) indices of the first and of the second systems.
            draws: See ``of_values``.

        Raises:
            ValueError: See there.
        """
        return self.of_values(values[:, pairs[0], pairs[1]], draws=draws)

    def of_strata(self, values: Sequence[Floats], *, draws: Draws = USUAL) -> PairedTests:
        """The tests of the mean of the task means of P pairs, with the tasks as strata.

        Args:
            values: For each task (T, P) values, none missing, at least two topics a task.
            draws: See ``of_values``.

        Raises:
            ValueError: See there.
            NotImplementedError: The test does not know tasks as strata.
        """
        raise NotImplementedError

    def intervals_of_strata(
        self, values: Sequence[Floats], *, draws: Draws = USUAL
    ) -> tuple[Floats, Floats]:
        """(P,) ends of the intervals as of ``intervals``, with the tasks as strata: see ``of_strata``."""
        raise NotImplementedError


def check_values(values: npt.ArrayLike) -> Floats:
    """The (T, P) values of P pairs on T topics as floats.

    Raises:
        ValueError: They have another shape, or one is infinite.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"values must be (topics, pairs), not of shape {given.shape}")
    if np.isinf(given).any():
        raise ValueError("values must be finite, or NaN where a topic does not count for a pair")
    return given


def column_parts(values: Floats) -> Iterator[slice]:
    """Columns of (T, P) values to work on at a time, so that what is made of them takes little room.

    There are at least two columns in each part, if there are two: NumPy sums a single one differently.
    """
    topics, pairs = values.shape
    step = max(2, _CELLS // max(1, topics))
    ends = np.linspace(0, pairs, max(1, pairs // step) + 1).astype(int).tolist()
    return map(slice, ends, ends[1:])


def check_topics(topics: Integers, least: int, method: str) -> None:
    """Refuse pairs with too few topics for a test.

    Raises:
        TooFewTopicsError: A pair has fewer topics than ``least``.
    """
    few = np.flatnonzero(topics < least)
    if len(few):
        raise TooFewTopicsError(
            f"the test {method!r} needs at least {least} topic{'s' * (least > 1)} for every pair, and "
            f"{len(few)} of {len(topics)} pairs have fewer"
            + ("; 'sign' works with one topic" if method == "t" else ""),
            pair=int(few[0]),
        )


def ratio(part: Values, whole: Values) -> Floats:
    """The quotient; 0 if the part is 0, even over a whole of 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(part == 0, 0.0, part / whole)

"""What several judges say of the same pairs: their means, how far they agree, and what the order does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import Floats, Integers, pair_counts
from irpref.base.tolerance import snapped
from irpref.stats.method import TooFewTopicsError
from irpref.stats.tests.randomization import TEST


class Answers(NamedTuple):
    """N answers of judges, or means of them.

    Attributes:
        topic: (N,) index of the topic.
        first: (N,) index of the first system.
        second: (N,) index of the second system.
        judge: (N,) index of the judge.
        value: (N,) from -1 to +1, above 0 if the first system is better.
    """

    topic: Integers
    first: Integers
    second: Integers
    judge: Integers
    value: Floats


class Asking(NamedTuple):
    """How judges were asked, and how they answered. A case is two judges, a pair and a topic.

    Attributes:
        most_judges: How many were asked about a pair on a topic, at most.
        cases: How many cases there are.
        agree: The share of the cases in which both judges name the same winner, or say that it is a tie;
            NaN if there are none.
        contradict: The share in which they name different winners.
        both_orders: How many times a judge was asked about a pair on a topic in both orders (or anybody,
            where it is not known who judged).
        turned: The share of these in which the answer is another one in the other order; NaN if there are
            none.
        first_place: The mean outcome of the system that is shown first, from -1 to +1, over topics; 0 is
            fair.
        p_of_order: Of the hypothesis that the order makes no difference, by the randomization test; NaN
            where the topics are too few for it.
    """

    most_judges: int
    cases: int
    agree: float
    contradict: float
    both_orders: int
    turned: float
    first_place: float
    p_of_order: float


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel of judges: their answers, and what these come to.

    Attributes:
        answers: The answers as they were given; ``first`` was shown first.
        known: Whether it is known who judged; else each answer is of another judge.

    Example:
        One judge says that system 0 is better in either order, the other one always prefers the first.

        >>> shown = [0, 1, 0, 1], [1, 0, 1, 0]
        >>> given = [1.0, -1.0, 1.0, 1.0]
        >>> judged = Panel(Answers(*map(np.array, ([0] * 4, *shown, [0, 0, 1, 1], given))))
        >>> judged.by_judge.value.tolist(), judged.by_pair.value.tolist()
        ([1.0, 0.0], [0.5])
        >>> judged.asking.turned, judged.asking.agree
        (0.5, 0.0)
    """

    answers: Answers
    known: bool = True

    @cached_property
    def by_judge(self) -> Answers:
        """By topic, pair and judge: the mean answer. ``first`` is the lower index."""
        given = self.answers
        turned = given.first > given.second
        first, second = np.sort((given.first, given.second), axis=0)
        value = np.where(turned, -given.value, given.value)
        return _means(given._replace(first=first, second=second, value=value))

    @cached_property
    def by_pair(self) -> Answers:
        """By topic and pair: the mean over the judges, each of whom weighs the same."""
        return _means(_of_one(self.by_judge))

    @cached_property
    def counts(self) -> Integers:
        """(N, 3) of each row of ``by_pair``: how many judges prefer the first, neither, and the second."""
        kind = 1 - np.sign(self.by_judge.value).astype(np.int64)
        return pair_counts(self._pair, kind, (len(self.by_pair.topic), 3))

    @cached_property
    def of_others(self) -> Floats:
        """(N,) of each row of ``by_judge``: the mean of the other judges; NaN if there are none."""
        group = self._pair
        own, size = self.by_judge.value, self.counts.sum(axis=1)[group]
        sums = np.bincount(group, own)[group] - own
        return np.where(size > 1, snapped(sums / np.maximum(size - 1, 1)), np.nan)

    @cached_property
    def one_left_out(self) -> Integers:
        """(N, 3) of each row of ``by_pair``, each judge left out in turn: how often the mean of the others
        prefers the first system, neither, and the second.
        """
        some = ~np.isnan(self.of_others)
        kind = 1 - np.sign(self.of_others[some]).astype(np.int64)
        return pair_counts(self._pair[some], kind, (len(self.by_pair.topic), 3))

    @cached_property
    def asking(self) -> Asking:
        """How judges were asked, and how they answered."""
        first, _, second = self.counts.T
        asked = self.counts.sum(axis=1)
        cases, alike = (int((of * (of - 1) // 2).sum()) for of in (asked, self.counts))
        given = _means(self.answers if self.known else _of_one(self.answers))
        ends = np.sort((given.first, given.second), axis=0)
        group, (topic, *_) = _groups([given.topic, *ends, given.judge])
        both = np.bincount(group) == 2
        turned = first_place = p = float("nan")
        if both.any():
            # Who keeps to an answer says +1 in one order and -1 in the other.
            turned = np.mean(np.bincount(group, np.sign(given.value))[both] != 0)
            ahead = np.bincount(group, given.value)[both] / 2
            of, _ = _groups([topic[both]])
            by_topic = np.bincount(of, ahead) / np.bincount(of)
            first_place = by_topic.mean()
            with suppress(TooFewTopicsError):
                p = TEST.of_values(by_topic[:, None]).p[0]
        return Asking(
            most_judges=int(asked.max()),
            cases=cases,
            agree=alike / cases if cases else float("nan"),
            contradict=int((first * second).sum()) / cases if cases else float("nan"),
            both_orders=int(both.sum()),
            turned=float(turned),
            first_place=float(first_place),
            p_of_order=float(p),
        )

    @cached_property
    def _pair(self) -> Integers:
        """(N,) of each row of ``by_judge``: its row of ``by_pair``."""
        return _groups(self.by_judge[:3])[0]


def _of_one(answers: Answers) -> Answers:
    """The answers as if one judge gave them all."""
    return answers._replace(judge=np.zeros_like(answers.judge))


def _means(answers: Answers) -> Answers:
    """The mean of the answers that are about the same, sorted by topic, systems and judge."""
    group, (topic, first, second, judge) = _groups(answers[:4])
    value = snapped(np.bincount(group, answers.value) / np.bincount(group))
    return Answers(topic, first, second, judge, value)


def _groups(columns: Sequence[Integers]) -> tuple[Integers, Integers]:
    """The group of each row, and what the groups are, sorted: rows with the same in all columns."""
    found, group = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    # NumPy 2.0 gave it another shape.
    return group.reshape(-1), found.T

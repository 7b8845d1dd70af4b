"""IPSO, innate pairwise SERP orderings: would every binary metric agree? (Moffat & Mackenzie 2024)"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import ClassVar

import numpy as np

from irpref.base.arrays import CACHE, Flags, Floats, Integers, Values, at_least, batches
from irpref.base.checks import check_flag
from irpref.base.named import option
from irpref.methods.gains import check_gains
from irpref.methods.preferences.criterion import NOT_ONE_RELATION, Relation
from irpref.methods.preferences.folds import Fold, Mode, PlainFold, of_both, systems_at_once
from irpref.methods.preferences.reasons import NONE, FirstLeads, Reasons, RecallLevel
from irpref.methods.preferences.tie_aware import ExpectedFold
from irpref.methods.preferences.ties.relation_probabilities import relation_probabilities
from irpref.methods.preferences.unjudged.open_lists import Certain, OpenPairs
from irpref.methods.preferences.unjudged_aware import (
    UNCERTAIN,
    CertainFold,
    UnjudgedAwarePreference,
)
from irpref.positions.topic_batch import Interest, TopicBatch

Gain = int | float | Fraction | Decimal | str

EQUAL = Relation("=", "ties", meaning="as good at every depth")
NON_INFERIOR = Relation("ni", "wins", meaning="ahead at some depth and behind at none")
NON_SUPERIOR = Relation("ns", "losses")
NON_SEPARABLE = Relation(
    "**",
    "nonseparable",
    heading="not separable",
    meaning="each is ahead at some depth",
    word="both",
)
_RELATIONS = (EQUAL, NON_INFERIOR, NON_SUPERIOR, NON_SEPARABLE)
RELATIONS = tuple(relation.label for relation in _RELATIONS)
"""The relations that IPSO's values 0 to 3 stand for: equal, non-inferior, non-superior, non-separable."""
_FIRST_LED, _SECOND_LED = np.uint8(1), np.uint8(2)
# A topic, some of its first systems, and arrays that broadcast to (levels, A', C): what says at each level
# by being less which of the two is ahead, and the depth of the level if it is one or the other.
_Compared = tuple[int, slice, tuple[Values, Values], tuple[Values, Values]]


@dataclass(frozen=True, kw_only=True, repr=False)
class InnateOrdering(UnjudgedAwarePreference):
    """The relation that any binary metric at this depth must respect (Moffat & Mackenzie 2024, section 2).

    The first ranking is non-inferior (``ni``, +1) if it is ahead at some recall level and behind at none.
    It is non-superior (``ns``, -1) if it is behind at some level and ahead at none, and equal (``=``, 0) if
    it is never ahead or behind. The two are non-separable (``**``, 0) if each is ahead at some level.

    Attributes:
        graded: Unanimity over all grade thresholds: the closure of the paper's Rules 1 and 2, without
            gains.
        gains: ``{grade: gain}``: the paper's Algorithm 1 on summed gains, in exact arithmetic (a float
            means the decimal number that it prints as, and "1/3" means a third). The algorithm orders
            more pairs than the rules.
        ties: ``"trec"``, or ``"expected"``: the probabilities of the relations over all orders of the
            tied groups of both rankings (:meth:`.Preference.values`). The signed number is then the
            probability of ``ni`` less that of ``ns``. ``"expected"`` excludes ``graded`` and ``gains``.
        unjudged: ``"nonrelevant"`` or ``"any"`` (neither with ``graded`` nor with ``gains``):
            :class:`.UnjudgedAwarePreference`. The relation is one of the
            four, or ``uncertain``.

    Raises:
        ValueError: An option is unknown or out of range; the gains fall as the grade rises.

    Example:
        >>> from irpref import IPSO
        >>> IPSO(gains={1: 0.2, 2: 0.8}) @ 10
        IPSO(gains={1: 0.2, 2: 0.8})@10
    """

    name: ClassVar[str] = "IPSO"

    graded: bool = option(False, check_flag)
    gains: Mapping[float, Gain] | tuple[tuple[float, Gain], ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ties == "expected" and (self.graded or self.gains is not None):
            raise ValueError(
                "IPSO takes ties='expected' for binary relevance only: leave out ties=, or graded= and "
                "gains= (with counts of every grade, the number of states is not polynomial)"
            )
        if self.graded or self.gains is not None:
            self._only("binary relevance", f"{'graded' if self.graded else 'gains'}=")
        if self.gains is None:
            return
        if self.graded:
            raise ValueError("IPSO takes graded=True or gains=, not both: gains are graded already")
        pairs = check_gains(self.gains, _exact)
        for (_, less), (grade, gain) in pairwise(pairs):
            if _exact(gain) < _exact(less):
                raise ValueError(
                    f"gains must not fall as the grade rises: grade {grade} has {gain}, less than the "
                    f"{float(_exact(less)):g} before it"
                )
        object.__setattr__(self, "gains", pairs)

    @property
    def interest(self) -> Interest:
        return "grades" if self.graded else "relevant"

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        return {
            "plain": self._plain,
            "expected": ExpectedFold(self, relation_probabilities, relations=_RELATIONS),
            "certain": CertainFold(self, certain_relations, relations=(*_RELATIONS, UNCERTAIN)),
        }

    @property
    def _plain(self) -> _Relations:
        plain = _Relations if self.gains is None else _SummedGains
        return plain(self, dtype=np.uint8, relations=_RELATIONS)

    def fold(self, first: Integers, second: Integers) -> Values:
        # No more than k items lie within depth k.
        first, second = of_both(itemgetter(np.s_[:, : self.cutoff]), first, second)
        behind = _ever_later(first, second)
        ahead = (behind if second is first else _ever_later(second, first)).swapaxes(1, 2)
        return np.asarray(ahead * _FIRST_LED | behind * _SECOND_LED)

    def merge(
        self,
        total: Values,
        topics: Integers,
        folded: Values,
        weight: Floats,
    ) -> None:
        total[topics] |= folded

    def leads(self, batch: TopicBatch) -> tuple[Floats, Floats]:
        """The first depth where each system is ahead of the other.

        Args:
            batch: Topics, with one first and one second system.

        Returns:
            Two (T,) arrays of depths, for the first and the second system; ∞ if it is never ahead.

        Raises:
            ValueError: ``ties="expected"``, where depths are random too.
        """
        ahead, behind = self.first_leads(batch)
        return ahead[:, 0, 0], behind[:, 0, 0]

    def first_leads(self, batch: TopicBatch) -> tuple[Floats, Floats]:
        """The first depth where each first system is ahead of each second one, and where it is behind.

        The relations at any depth follow: a system is ahead at some depth down to k if this depth is at
        most k.

        Args:
            batch: Topics and systems.

        Returns:
            Two (T, A, C) arrays of depths; ∞ if it never is.

        Raises:
            ValueError: ``ties="expected"``, where depths are random too.

        Example:
            >>> import irpref
            >>> qrels = {"1": {"d1": 1, "d2": 1}}
            >>> runs = {"a": {"1": {"d1": 3, "x": 2, "y": 1}}, "b": {"1": {"x": 3, "d1": 2, "d2": 1}}}
            >>> ahead, _ = IPSO.first_leads(TopicBatch(irpref.collect(qrels, runs).placements))
            >>> ahead.tolist()
            [[[inf, 1.0], [3.0, inf]]]
        """
        if self.mode == "expected":
            raise ValueError(NOT_ONE_RELATION.format(self))
        return self._plain.leads(batch)


class _Relations(PlainFold):
    """The plain fold of IPSO, and the depths that decide."""

    of: InnateOrdering

    def leads(self, batch: TopicBatch) -> tuple[Floats, Floats]:
        """(T, A, C) the first depth where the first system is ahead, and where the second one is."""
        ahead, behind = (np.full(batch.shape, np.inf) for _ in range(2))
        for topic, some, (one, other), depths in self._compared(batch):
            for leads, led, at in zip(
                (ahead, behind), (one < other, one > other), depths, strict=True
            ):
                first = led.argmax(axis=0)[None]
                depth = np.take_along_axis(np.broadcast_to(at, led.shape), first, axis=0)[0]
                found = np.where(led.any(axis=0), depth, np.inf)
                leads[topic, some] = np.minimum(leads[topic, some], found)
        return ahead, behind

    def _compared(self, batch: TopicBatch) -> Iterator[_Compared]:
        for topic, some, one, other in self.at_levels(batch):
            # Neither ranking has an item at the levels below.
            levels = max(
                int((side != np.iinfo(side.dtype).max).sum(axis=0).max()) for side in (one, other)
            )
            # A ranking is ahead at an item that the other one has only later.
            if levels:
                yield topic, some, (one[:levels], other[:levels]), (one[:levels], other[:levels])

    def levels(
        self, batch: TopicBatch, place: tuple[int, int, int], leads: Sequence[float]
    ) -> list[RecallLevel]:
        """The recall levels where each ranking of a topic and pair is ahead first, at these depths."""
        topic, a, c = place
        found = []
        for positions in self.positions(batch):
            for row in np.flatnonzero(positions.topics == topic).tolist():
                population = int(positions.populations[row])
                first, second = positions.first[row, :, a], positions.second[row, :, c]
                for depth, early, late in ((leads[0], first, second), (leads[1], second, first)):
                    for level in np.flatnonzero((early == depth) & (early < late)).tolist():
                        found.append(RecallLevel(population, level + 1))
        return found

    def details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """The system that was ahead first, the depth where it was, and the depth where the other was too.

        The columns are led_first, decided_at and nonseparable_at; a depth is ∞ if there is none.
        """
        ahead, behind = self.of.leads(batch)
        pair = (batch.placements.systems[each] for each in (*batch.first, *batch.second))
        names = np.array([None, *pair], dtype=object)
        return {
            "led_first": names[(ahead < behind) * 1 + (behind < ahead) * 2],
            "decided_at": np.minimum(ahead, behind),
            "nonseparable_at": np.maximum(ahead, behind),
        }

    def reasons(self, batch: TopicBatch) -> Reasons:
        ahead, behind = self.leads(batch)
        first, second = (
            np.where(np.isfinite(side), side, NONE).astype(np.int64) for side in (ahead, behind)
        )
        codes = (first != NONE) * _FIRST_LED | (second != NONE) * _SECOND_LED
        metrics = "metrics" if self.of.graded else "metrics that ignore grades"
        if self.of.gains is not None:
            metrics = "metrics with these gains"
        return Reasons(
            kind=FirstLeads,
            columns={"relation": codes, "first": first, "second": second},
            labels={"relation": RELATIONS},
            constants={"metrics": metrics},
            maybe_none=("first", "second"),
            # The one that is ahead first is named first.
            variant=3 * codes + 1 + (ahead > behind) - (ahead < behind),
            relevant=self.of.has_relevant(batch),
            levels=lambda place: self.levels(batch, place, (ahead[place], behind[place])),
        )


class _SummedGains(_Relations):
    """The relations of summed gains, which follow no recall level."""

    def values(self, batch: TopicBatch) -> Values:
        values = np.zeros(batch.shape, dtype=self.dtype)
        for topic, some, (one, other), _ in self._compared(batch):
            ahead, behind = (one < other).any(axis=0), (one > other).any(axis=0)
            values[topic, some] = ahead * _FIRST_LED | behind * _SECOND_LED
        return values

    def _compared(self, batch: TopicBatch) -> Iterator[_Compared]:
        for index, topic in enumerate(batch.topics):
            first, second, depths = self._cumulated(batch, int(topic))
            at = depths[:, None, None]
            for some in systems_at_once(first, second) if len(depths) else []:
                # The greater sum is ahead.
                yield index, some, (-first[:, some, None], -second[:, None, :]), (at, at)

    def levels(
        self, batch: TopicBatch, place: tuple[int, int, int], leads: Sequence[float]
    ) -> list[RecallLevel]:
        return []

    def _cumulated(self, batch: TopicBatch, topic: int) -> tuple[Values, Values, Values]:
        """(D, A) and (D, C) summed gains at each depth where a sum changes, and the (D,) depths."""
        placements = batch.placements
        rows = placements.rows(topic)
        gains = self._scaled_gains(placements.grades[rows], placements.topics[topic])
        positions = self.of.cut(placements.positions[rows])
        systems = np.concatenate((batch.first, batch.second))
        found = positions[:, systems]
        row, column = np.nonzero(found != placements.unretrieved)
        depth, level = np.unique(found[row, column], return_inverse=True)
        summed = np.zeros((len(depth), len(systems)), dtype=gains.dtype)
        summed[level, column] = gains[row]
        summed = np.cumsum(summed, axis=0)
        return summed[:, : len(batch.first)], summed[:, len(batch.first) :], depth

    def _scaled_gains(self, grades: Floats, topic: str) -> Values:
        """The gains as whole numbers, all multiplied by one factor."""
        relevant = at_least(grades, self.of.rel)
        exact = {float(grade): _exact(gain) for grade, gain in dict(self.of.gains or {}).items()}
        for grade in np.unique(grades[relevant]):
            if grade not in exact:
                raise ValueError(f"gains: topic {topic} has grade {grade:g}, which has no gain")
        factor = math.lcm(*(gain.denominator for gain in exact.values()))
        counted = zip(grades.tolist(), relevant.tolist(), strict=True)
        whole = [int(exact[grade] * factor) if counts else 0 for grade, counts in counted]
        fits = sum(whole) < 2**63
        return np.array(whole, dtype=np.int64 if fits else object)


def certain_relations(pairs: OpenPairs) -> Certain:
    """The relations of Moffat & Mackenzie (2024, section 2) that hold under all judgments.

    One judgment makes the lead least at every depth at once: relevant are the documents that the second
    ranking has earlier, or alone. So the first ranking is behind at some depth under some judgments if and
    only if its least lead is below 0 somewhere, and ahead at some depth under all judgments if and only if
    its least lead is above 0 somewhere. O(k) for each pair.

    Returns:
        Codes: 0 equal, 1 ahead, 2 behind, 3 not separable, 4 uncertain. A ranking is unbeaten if it is
        behind at no depth.
    """
    least, most = pairs.leads()
    ahead, behind = least.max(axis=0) > 0, most.min(axis=0) < 0
    never_behind, never_ahead = least.min(axis=0) >= 0, most.max(axis=0) <= 0
    equal = never_behind & never_ahead
    # Only one of the cases holds: whoever is ahead somewhere for certain is not never ahead.
    cases = [equal, never_behind & ahead, never_ahead & behind, ahead & behind]
    return Certain(np.select(cases, range(4), 4).astype(np.uint8), never_behind, never_ahead)


def _exact(gain: Gain) -> Fraction:
    # repr gives the decimal number that the user wrote.
    return Fraction(repr(gain)) if isinstance(gain, float) else Fraction(gain)


def _ever_later(first: Integers, second: Integers) -> Flags:
    """(B, A, C): whether the first ranking has its item later at some recall level."""
    later = np.zeros((len(first), first.shape[2], second.shape[2]), dtype=np.bool_)
    for levels in batches(first.shape[1], later.size, CACHE):
        later |= (first[:, levels, :, None] > second[:, levels, None, :]).any(axis=1)
    return later


IPSO = InnateOrdering()

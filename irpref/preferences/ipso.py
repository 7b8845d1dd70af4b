"""IPSO, innate pairwise SERP orderings: would every metric agree? (Moffat & Mackenzie 2024)"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.checks import check_flag
from irpref.gains import check_gains
from irpref.noise import NOISE
from irpref.preferences.base import systems_at_once
from irpref.preferences.criterion import Relation
from irpref.preferences.reason_columns import NONE, ReasonColumns
from irpref.preferences.reasons import (
    EveryOrder,
    FirstLeads,
    NothingRelevant,
    Reason,
    RecallLevel,
)
from irpref.preferences.ties.relation_probabilities import relation_probabilities
from irpref.preferences.ties.tied_rankings import TiedRankings, fold_tied_rankings
from irpref.preferences.unjudged.open_lists import Certain, OpenPairs
from irpref.preferences.unjudged.unanimity import certain_relations
from irpref.preferences.unjudged_aware import UNCERTAIN, UnjudgedAwarePreference
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch

__all__ = [
    "EQUAL",
    "IPSO",
    "NON_INFERIOR",
    "NON_SEPARABLE",
    "NON_SUPERIOR",
    "RELATIONS",
    "InnateOrdering",
]

Gain = int | float | Fraction | Decimal | str

EQUAL = Relation("=", "ties", meaning="as good at every depth")
NON_INFERIOR = Relation("ni", "wins", meaning="ahead at some depth, behind at none")
NON_SUPERIOR = Relation("ns", "losses", meaning="behind at some depth, ahead at none")
NON_SEPARABLE = Relation(
    "**",
    "nonseparable",
    heading="not separable",
    meaning="ahead at one depth, behind at another",
)
_FIRST_LED, _SECOND_LED = np.uint8(1), np.uint8(2)
_NO_DEPTHS = "{} has probabilities, not one relation and its depths; use ties='trec' for these"
_BLOCK = 256


@dataclass(frozen=True, kw_only=True, repr=False)
class InnateOrdering(UnjudgedAwarePreference):
    """The relation that every metric at this depth must respect (Moffat & Mackenzie 2024, section 2).

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
            tied groups of both rankings (:meth:`values`). The signed number is then the probability of
            ``ni`` less that of ``ns``. ``"expected"`` excludes ``graded`` and ``gains``.
        unjudged: ``"nonrelevant"`` or ``"any"`` (neither with ``graded`` nor with ``gains``):
            :class:`~irpref.preferences.unjudged_aware.UnjudgedAwarePreference`. The relation is one of the
            four, or ``uncertain``.

    Raises:
        ValueError: An option is unknown or out of range; the gains fall as the grade rises.

    Example:
        >>> from irpref import IPSO
        >>> IPSO(gains={1: 0.2, 2: 0.8}) @ 10
        IPSO(gains={1: 0.2, 2: 0.8})@10
    """

    name: ClassVar[str] = "IPSO"
    plain_relations: ClassVar[tuple[Relation, ...]] = (
        EQUAL,
        NON_INFERIOR,
        NON_SUPERIOR,
        NON_SEPARABLE,
    )
    sure_relations: ClassVar[tuple[Relation, ...]] = (*plain_relations, UNCERTAIN)

    graded: bool = False
    gains: Mapping[float, Gain] | tuple[tuple[float, Gain], ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("graded", self.graded)
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
    def populations_asked(self) -> Interest:
        return "grades" if self.graded else "relevant"

    @property
    def dtype(self) -> type[np.generic]:
        return np.uint8 if self.ties == "trec" else np.float64

    def fold(self, first: Integers, second: Integers) -> Values:
        # No more than k items lie within depth k.
        left = _packed(first[:, : self.cutoff])
        right = left if second is first else _packed(second[:, : self.cutoff])
        sign_bits = np.full(8 // first.itemsize, np.iinfo(first.dtype).min, dtype=first.dtype)
        [free] = sign_bits.view(np.uint64)
        behind = _ever_later(left, right, free)
        ahead = (behind if second is first else _ever_later(right, left, free)).swapaxes(1, 2)
        return np.asarray(ahead * _FIRST_LED | behind * _SECOND_LED)

    def certain(self, pairs: OpenPairs) -> Certain:
        return certain_relations(pairs)

    def merge(
        self,
        total: Values,
        topics: Integers,
        folded: Values,
        weight: Floats,
    ) -> None:
        total[topics] |= folded

    def signed_values(self, values: Values) -> Values:
        if self.ties == "trec":
            return super().signed_values(values)
        difference = values[..., _FIRST_LED] - values[..., _SECOND_LED]
        return np.where(np.abs(difference) < NOISE, 0.0, difference)

    def relation_codes(self, values: Values) -> Integers:
        if self.ties == "expected":
            raise ValueError(_NO_DEPTHS.format(self))
        return super().relation_codes(values)

    def relation_shares(self, values: Values) -> Floats:
        return super().relation_shares(values) if self.ties == "trec" else values

    def count_outcomes(
        self,
        values: Values,
        counted: Flags | None = None,
        *,
        mirrored: bool = False,
    ) -> dict[str, Values]:
        if self.ties == "trec":
            return super().count_outcomes(values, counted, mirrored=mirrored)
        # A ranking against itself is as uncertain as any pair, so nothing is mirrored.
        shares = values if counted is None else values * counted[..., None]
        total = shares.sum(axis=0)
        return {
            relation.counts_as: total[..., code]
            for code, relation in enumerate(self.relations)
            if relation.counts_as != "ties"
        }

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        return relation_probabilities(rankings, first, second)

    def values(self, batch: TopicBatch) -> Values:
        """The relations on every topic, or with ``ties="expected"`` their probabilities.

        Returns:
            (T, A, C) indices in :data:`RELATIONS`, or (T, A, C, 4) probabilities in that order; all
            probabilities are 0 on topics without relevant items.

        Raises:
            ValueError: ``ties="expected"``, but the runs were ordered by rank, which has no ties.
        """
        if self.unjudged == "any":
            return self.sure_values(batch)
        if self.ties == "expected":
            return fold_tied_rankings(
                batch,
                self.populations_asked,
                self.rel,
                self.cutoff,
                self.expected,
                trailing=(len(RELATIONS),),
            )
        if self.gains is None:
            return super().values(batch)
        values = np.zeros(batch.shape, dtype=np.uint8)
        for index, topic in enumerate(batch.topics):
            first, second, _ = self._cumulated(batch, int(topic))
            ahead, behind = (np.zeros(batch.shape[1:], dtype=bool) for _ in range(2))
            for start in range(0, len(first), _BLOCK):
                block = slice(start, start + _BLOCK)
                left, right = first[block, :, None], second[block, None, :]
                ahead |= (left > right).any(axis=0)
                behind |= (left < right).any(axis=0)
            values[index] = ahead * _FIRST_LED | behind * _SECOND_LED
        return values

    def relation_details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """The system that was ahead first, the depth where it was, and the depth where the other was too.

        The columns are led_first, decided_at and nonseparable_at; a depth is ∞ if there is none.
        """
        if self.unjudged == "any":
            return super().relation_details(batch)
        ahead, behind = self.leads(batch)
        systems = batch.placements.systems
        names = np.array([None, systems[batch.first[0]], systems[batch.second[0]]], dtype=object)
        return {
            "led_first": names[(ahead < behind) * 1 + (behind < ahead) * 2],
            "decided_at": np.minimum(ahead, behind),
            "nonseparable_at": np.maximum(ahead, behind),
        }

    def leads(self, batch: TopicBatch) -> tuple[Floats, Floats]:
        """The first depth where each system is ahead of the other.

        Args:
            batch: Topics, with one first and one second system.

        Returns:
            Two (T,) arrays of depths, for the first and the second system; ∞ if it is never ahead.

        Raises:
            ValueError: ``ties="expected"``, where depths are random too.
        """
        ahead, behind = self._all_leads(batch)
        return ahead[:, 0, 0], behind[:, 0, 0]

    def _all_leads(self, batch: TopicBatch) -> tuple[Floats, Floats]:
        """(T, A, C) the first depth where the first system is ahead, and where the second one is.

        Raises:
            ValueError: See :meth:`leads`.
        """
        if self.ties == "expected":
            raise ValueError(_NO_DEPTHS.format(self))
        ahead, behind = (np.full(batch.shape, np.inf) for _ in range(2))
        if self.gains is not None:
            for index, topic in enumerate(batch.topics):
                first, second, depth = self._cumulated(batch, int(topic))
                for some in systems_at_once(first, second) if len(depth) else []:
                    left, right = first[:, some, None], second[:, None, :]
                    for leads, led in ((ahead, left > right), (behind, left < right)):
                        found = depth[led.argmax(axis=0)]
                        leads[index, some] = np.where(led.any(axis=0), found, np.inf)
            return ahead, behind
        for positions in batch.position_batches(self.populations_asked, self.rel):
            for row, topic in enumerate(positions.topics):
                both = [self.cut(side[row]) for side in (positions.first, positions.second)]
                # Neither ranking has an item at the levels below.
                levels = max(
                    int((side != batch.placements.unretrieved).sum(axis=0).max()) for side in both
                )
                first, second = (side[:levels] for side in both)
                for some in systems_at_once(first, second) if levels else []:
                    left, right = first[:, some, None], second[:, None, :]
                    # A ranking is ahead at an item that the other one has only later.
                    for leads, led, early in (
                        (ahead, left < right, left),
                        (behind, left > right, right),
                    ):
                        at = np.broadcast_to(early, led.shape)
                        depth = np.take_along_axis(at, led.argmax(axis=0)[None], axis=0)[0]
                        found = np.where(led.any(axis=0), depth.astype(np.float64), np.inf)
                        leads[topic, some] = np.minimum(leads[topic, some], found)
        return ahead, behind

    def reason_columns(self, batch: TopicBatch) -> ReasonColumns | None:
        if self.unjudged == "any" or self.ties != "trec":
            return super().reason_columns(batch)
        ahead, behind = self._all_leads(batch)
        leads = [np.isfinite(side) for side in (ahead, behind)]
        codes = leads[0] * _FIRST_LED | leads[1] * _SECOND_LED
        columns = [
            np.where(led, side, NONE) for led, side in zip(leads, (ahead, behind), strict=True)
        ]
        return ReasonColumns(
            kind=FirstLeads,
            columns={
                "relation": codes,
                "first": columns[0].astype(np.int64),
                "second": columns[1].astype(np.int64),
            },
            labels={"relation": RELATIONS},
            maybe_none=("first", "second"),
            # The one that is ahead first is named first.
            variant=3 * codes + 1 + (ahead > behind) - (ahead < behind),
            relevant=self.has_relevant(batch),
        )

    def reason(self, batch: TopicBatch) -> Reason:
        if self.unjudged == "any":
            return super().reason(batch)
        if self.ties != "trec":
            return EveryOrder()
        if not self.has_relevant(batch)[0]:
            return NothingRelevant()
        leads = [float(lead[0]) for lead in self.leads(batch)]
        ahead, behind = (None if depth == np.inf else int(depth) for depth in leads)
        return FirstLeads(
            levels=self._levels_of(batch, leads),
            relation=RELATIONS[
                (ahead is not None) * _FIRST_LED | (behind is not None) * _SECOND_LED
            ],
            first=ahead,
            second=behind,
        )

    def _levels_of(self, batch: TopicBatch, leads: Sequence[float]) -> tuple[RecallLevel, ...]:
        """The recall levels where each ranking is ahead first; none with gains, which follow no level."""
        found = []
        for positions in batch.position_batches(self.populations_asked, self.rel):
            first, second = (
                self.cut(side)[:, :, 0] for side in (positions.first, positions.second)
            )
            for depth, early, late in ((leads[0], first, second), (leads[1], second, first)):
                for row, level in np.argwhere((early == depth) & (early < late)).tolist():
                    found.append(RecallLevel(int(positions.populations[row]), level + 1))
        return () if self.gains is not None else tuple(found)

    def _cumulated(self, batch: TopicBatch, topic: int) -> tuple[Values, Values, Values]:
        """(D, A) and (D, C) summed gains at each depth where a sum changes, and the (D,) depths."""
        placements = batch.placements
        rows = placements.rows(topic)
        gains = self._scaled_gains(placements.grades[rows], placements.topics[topic])
        positions = self.cut(placements.positions[rows])
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
        exact = {float(grade): _exact(gain) for grade, gain in self._pairs()}
        for grade in np.unique(grades[grades >= self.rel]):
            if grade not in exact:
                raise ValueError(f"gains: topic {topic} has grade {grade:g}, which has no gain")
        factor = math.lcm(*(gain.denominator for gain in exact.values()))
        whole = [
            int(exact[grade] * factor) if grade >= self.rel else 0 for grade in grades.tolist()
        ]
        fits = sum(whole) < 2**63
        return np.array(whole, dtype=np.int64 if fits else object)

    def _pairs(self) -> tuple[tuple[float, Gain], ...]:
        return tuple(dict(self.gains or {}).items())


def _exact(gain: Gain) -> Fraction:
    # repr gives the decimal number that the user wrote.
    return Fraction(repr(gain)) if isinstance(gain, float) else Fraction(gain)


def _packed(positions: Integers) -> npt.NDArray[np.uint64]:
    """(B, m', S) words, each with the positions of several recall levels, whose sign bits are free."""
    batch, levels, systems = positions.shape
    fields = 8 // positions.itemsize
    packed = np.zeros((batch, -(-levels // fields), systems, fields), dtype=positions.dtype)
    for field in range(fields):
        part = positions[:, field::fields]
        packed[:, : part.shape[1], :, field] = part
    return packed.view(np.uint64)[..., 0]


def _ever_later(
    first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64], free: np.uint64
) -> Flags:
    """(B, A, C): whether the first ranking has its item later at some recall level.

    Subtraction takes the free bit of a level if the first position is greater than the second.
    """
    kept = np.full((first.shape[0], first.shape[2], second.shape[2]), free)
    lent = second | free
    for word in range(first.shape[1]):
        kept &= lent[:, word, None, :] - first[:, word, :, None]
    return np.asarray(kept != free)


RELATIONS = tuple(relation.label for relation in InnateOrdering.plain_relations)
"""The relations that IPSO's values 0 to 3 stand for: equal, non-inferior, non-superior, non-separable."""

IPSO = InnateOrdering()

"""What is certain of recall-paired preference, however the unjudged documents are judged: proved bounds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Integers
from irpref.memory import CACHE
from irpref.preferences.unjudged.first_difference import certain_of
from irpref.preferences.unjudged.open_lists import OPEN, Certain, OpenPairs

# How many sums are updated at a time, which fit into the processor's cache.
_SUMS = CACHE


def certain_recall_paired_preference(pairs: OpenPairs) -> Certain:
    """What is certain of RPP with binary relevance and uniform weights (Diaz & Ferraro 2022, Eq. 4).

    Its sign is that of the levels won less the levels lost. With more relevant documents there are more
    recall levels: RPP is divided by more, and its sign stays. A level is won at each rank where the first
    ranking has a relevant document and leads after it, and lost where the second one has one and leads.

    The bounds are the least and the greatest number of levels won less lost, over all pairs of sequences of
    labels that respect the judgments, keep the lead within its bounds at each depth
    (:meth:`.OpenPairs.leads`), and label a document equally if both rankings have it at the same rank. Any
    judgment of the documents gives such sequences, so what follows from the bounds holds under all
    judgments. But some of the sequences label a document differently where the rankings have it at
    different ranks. So a pair may be uncertain here that a search through all judgments would find certain;
    never the other way round.

    Returns:
        See :func:`.certain_of`.
    """
    sides = _Sides.of(pairs)
    least, most = _fewest_won(sides), -_fewest_won(sides.swapped())
    return certain_of(most > 0, least < 0, (least <= 0) & (most >= 0))


def _impossible(kind: npt.DTypeLike) -> int:
    """The number of this type that stands for "impossible": three of them can be added."""
    return int(np.iinfo(kind).max) // 4


def _kind(depth: int) -> type[np.signedinteger[Any]]:
    """The type of leads and numbers of levels won, which are at most the depth: "impossible" is more."""
    return np.int16 if depth < _impossible(np.int16) else np.int32


@dataclass(frozen=True, eq=False)
class _Sides:
    """(k, N) labels of the first and of the second rankings, and how much the first one leads.

    Attributes:
        first: Labels of the documents of the first rankings.
        second: Labels of those of the second ones.
        same: Whether both have the same unjudged document at that rank.
        first_later: Whether it is unjudged, and the second ranking has it earlier.
        second_later: The same of the document of the second ranking.
        least: The least lead down to this rank.
        most: The greatest lead.
    """

    first: Integers
    second: Integers
    same: Flags
    first_later: Flags
    second_later: Flags
    least: Integers
    most: Integers

    @classmethod
    def of(cls, pairs: OpenPairs) -> _Sides:
        shape = pairs.depth, len(pairs.first)
        first, second = np.zeros((2, *shape), dtype=np.int8)
        same, first_later, second_later = np.zeros((3, *shape), dtype=np.bool_)
        least, most = np.zeros((2, *shape), dtype=_kind(pairs.depth))
        for rank, leads in enumerate(pairs.leads()):
            one, other = pairs.met(rank)
            first[rank], second[rank] = one.labels, other.labels
            same[rank] = (one.labels == OPEN) & (one.elsewhere == rank)
            first_later[rank] = (one.labels == OPEN) & (one.elsewhere < rank)
            second_later[rank] = (other.labels == OPEN) & (other.elsewhere < rank)
            least[rank], most[rank] = leads
        return cls(first, second, same, first_later, second_later, least, most)

    def swapped(self) -> _Sides:
        """The same, seen from the second rankings."""
        return _Sides(
            self.second,
            self.first,
            self.same,
            self.second_later,
            self.first_later,
            -self.most,
            -self.least,
        )

    def of_pairs(self, some: Integers) -> _Sides:
        """Those of some pairs."""
        return _Sides(*(getattr(self, each.name)[:, some] for each in fields(self)))


def _fewest_won(sides: _Sides) -> Integers:
    """(N,) a bound: the first ranking wins at least so many levels more than it loses.

    Where a quick bound and some judgments agree on the sign, it is the quick bound.
    """
    bound = _count((sides.first == 1) & (sides.least > 0))
    bound -= _count((sides.second != 0) & (sides.least < 0))
    # The judgments there are, and those under which the lead is least everywhere.
    steps = (sides.first == 1).view(np.int8) - (sides.second == 1).view(np.int8)
    lead = np.cumsum(steps, axis=0, dtype=sides.least.dtype)
    found = _won(sides.first == 1, sides.second == 1, lead)
    first = (sides.first == 1) | sides.first_later
    second = (sides.second == 1) | ((sides.second == OPEN) & ~sides.same & ~sides.second_later)
    np.minimum(found, _won(first, second, sides.least), out=found)
    open_ = np.flatnonzero((bound <= 0) & (found >= 0) & (bound < found))
    if len(open_):
        least, most = sides.least[:, open_].min(), sides.most[:, open_].max()
        step = max(1, _SUMS // (int(most) - int(least) + 1))
        for start in range(0, len(open_), step):
            part = open_[start : start + step]
            bound[part] = _fewest_by_lead(sides.of_pairs(part))
    return bound


def _won(first: Flags, second: Flags, lead: Integers) -> Integers:
    """(N,) levels won less levels lost, from (k, N) relevant documents and the lead after each rank."""
    return _count(first & (lead > 0)) - _count(second & (lead < 0))


def _count(flags: Flags) -> Integers:
    return np.asarray(flags.sum(axis=0, dtype=np.int32))


def _fewest_by_lead(sides: _Sides) -> Integers:
    """(N,) the least number of levels won less lost over all sequences of labels.

    Rank by rank, the state is the lead: O(k · leads) for each pair.
    """
    least, most = min(0, int(sides.least.min())), max(0, int(sides.most.max()))
    kind = sides.least.dtype
    impossible = kind.type(_impossible(kind))

    def unless(allowed: Flags) -> Integers:
        return np.where(allowed, kind.type(0), impossible)

    lead = np.arange(least, most + 1, dtype=kind)[:, None]
    sign = np.sign(lead)
    fewest = np.full((len(lead), sides.first.shape[1]), impossible)
    fewest[-least] = 0
    for rank in range(len(sides.first)):
        first, second, same = sides.first[rank], sides.second[rank], sides.same[rank]
        neither = fewest + unless((first != 1) & (second != 1))
        both = fewest + sign + unless((first != 0) & (second != 0))
        following = np.minimum(neither, both)
        one = fewest[:-1] + unless((first != 0) & (second != 1) & ~same) + (lead[1:] > 0)
        np.minimum(following[1:], one, out=following[1:])
        other = fewest[1:] + unless((first != 1) & (second != 0) & ~same) - (lead[:-1] < 0)
        np.minimum(following[:-1], other, out=following[:-1])
        within = (sides.least[rank] <= lead) & (lead <= sides.most[rank])
        fewest = np.where(within, np.minimum(following, impossible), impossible)
    return np.asarray(fewest.min(axis=0))

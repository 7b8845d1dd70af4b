"""Hashes of topics and documents: quick to compare and to find, but equal ones need a look at the names."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.base.arrays import Integers, ranges
from irpref.base.memory import CACHE
from irpref.positions.segments import Segments

Hashes: TypeAlias = npt.NDArray[np.uint64]

_BITS = 64
_ODD = np.uint64(0x9E3779B97F4A7C15)
# How many hashes are compared with each other at a time: they and their table stay in the cache.
_BLOCK = 3 << 13
# How many are looked for at a time.
_AT_ONCE = CACHE // 4
# A filter has 16 slots for each hash, but no more than a cache holds.
_ROOM, _MOST_ROOM = 4, 23


def hash_names(names: pl.Series) -> Hashes:
    """(N,) hash of each name."""
    return names.hash().to_numpy()


def hash_pairs(hashes: Hashes, topics: Integers, lengths: Integers, number: int) -> Hashes:
    """(N,) hash of the topic and the document of each row; those of a topic are near each other.

    Args:
        hashes: (N,) hash of each document.
        topics: (T,) index of the topic of each segment of rows; -1 if it is unknown.
        lengths: (T,) how many rows it has.
        number: How many topics there are.
    """
    # The first bits are the index of the topic; those of -1 are larger than any.
    bits = np.uint64(number.bit_length())
    pairs = np.repeat(topics.astype(np.uint64) << (np.uint64(_BITS) - bits), lengths)
    pairs |= hashes >> bits
    return pairs


def repeated(hashes: Hashes) -> Integers:
    """The indices of the hashes that are there again further back.

    Every hash writes its index into the slot of a table that some of its bits name. Those that then find an
    equal hash there are repeated. Those that find another one have their slot in common by chance, and try
    again with other bits.

    Example:
        >>> repeated(np.array([7, 8, 7], dtype=np.uint64)).tolist()
        [0]
    """
    bits = len(hashes).bit_length() + 2
    table = np.empty(1 << bits, dtype=np.int32)
    index, shift = np.arange(len(hashes), dtype=np.int32), 0
    tried, found = hashes, [index[:0]]
    while len(index):
        slot = ((tried >> np.uint64(shift)) & np.uint64(len(table) - 1)).view(np.int64)
        # Of several values for one slot, NumPy leaves the last.
        table[slot] = index
        holder = table[slot]
        lost = np.flatnonzero(holder != index)
        equal = tried[lost] == hashes[holder[lost]]
        found.append(index[lost[equal]])
        index = index[lost[~equal]]
        tried, shift = hashes[index], (shift + bits) % (_BITS - bits)
    return np.concatenate(found)


def any_repeated(hashes: Hashes, segments: Segments) -> bool:
    """Whether a hash is there twice in a segment."""
    ends, lengths = segments.ends, segments.lengths
    first = start = 0
    while start < len(hashes):
        # Whole segments, of so many hashes at least.
        last = int(np.searchsorted(ends, min(start + _BLOCK, len(hashes))))
        end = int(ends[last])
        # A number for each segment keeps apart what is there in several.
        numbers = np.arange(first, last + 1, dtype=np.uint64) * _ODD
        if len(repeated(hashes[start:end] ^ np.repeat(numbers, lengths[first : last + 1]))):
            return True
        first, start = last + 1, end
    return False


class HashFilter:
    """Tells most hashes that are not among known ones."""

    def __init__(self, known: Hashes) -> None:
        bits = min(len(known).bit_length() + _ROOM, _MOST_ROOM)
        self._shift = _BITS - bits
        self._known = np.zeros(1 << bits, dtype=np.bool_)
        self._known[_first_bits(known, self._shift)] = True

    def maybe(self, hashes: Hashes) -> Integers:
        """The indices of the given hashes that may be known."""
        found = [
            start
            + np.flatnonzero(self._known[_first_bits(hashes[start : start + _BLOCK], self._shift)])
            for start in range(0, len(hashes), _BLOCK)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *found])


class HashIndex:
    """Finds hashes among known ones, of which the first bits of a hash tell where to begin."""

    def __init__(self, known: Hashes) -> None:
        """Index hashes; what is found are their indices in this array."""
        self._index = np.argsort(known, kind="stable").astype(np.int32)
        self._known = known[self._index]
        self._repeats = bool((self._known[1:] == self._known[:-1]).any())
        bits = len(known).bit_length() + 1
        self._shift = _BITS - bits
        counts = np.bincount(_first_bits(known, self._shift), minlength=1 << bits)
        # Behind the last one, the last, which is less.
        begins = np.minimum(np.cumsum(counts) - counts, len(known) - 1)
        self._begins = begins.astype(np.int32)

    def find(self, hashes: Hashes) -> tuple[Integers, Integers]:
        """All pairs of a given hash and an equal known one, as their indices; those of the given ascend.

        Example:
            >>> index = HashIndex(np.array([9, 5, 2], dtype=np.uint64))
            >>> [found.tolist() for found in index.find(np.array([2, 3, 9], dtype=np.uint64))]
            [[0, 2], [2, 0]]
        """
        if not len(self._known):
            return self._index, self._index
        if len(hashes) > _AT_ONCE:
            starts = range(0, len(hashes), _AT_ONCE)
            parts = [self.find(hashes[start : start + _AT_ONCE]) for start in starts]
            shifted = [start + part for start, (part, _) in zip(starts, parts, strict=True)]
            return np.concatenate(shifted), np.concatenate([known for _, known in parts])
        found = np.full(len(hashes), -1, dtype=np.int32)
        left, wanted = np.arange(len(hashes)), hashes
        at = self._begins[_first_bits(hashes, self._shift)]
        while len(left):
            here = self._known[at]
            equal = here == wanted
            found[left[equal]] = at[equal]
            further = (here < wanted) & (at < len(self._known) - 1)
            left, wanted, at = left[further], wanted[further], at[further] + 1
        given = np.flatnonzero(found >= 0)
        at = found[given]
        if self._repeats:
            sizes = np.searchsorted(self._known, hashes[given], side="right") - at
            given, at = np.repeat(given, sizes), ranges(at, sizes)
        return given, self._index[at]


def _first_bits(hashes: Hashes, by: int) -> Integers:
    return (hashes >> np.uint64(by)).view(np.int64)

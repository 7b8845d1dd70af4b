"""Hashes of topics and documents: quick to compare and to find, but equal ones need a look at the names."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.base.arrays import Integers, ranges
from irpref.positions.segments import Segments

Hashes: TypeAlias = npt.NDArray[np.uint64]

_BITS = 64
_ODD = np.uint64(0x9E3779B97F4A7C15)
# How many hashes are compared with each other at a time: they and their table stay in the cache.
_BLOCK = 3 << 13
# A filter has 16 slots for each hash, but no more than a cache holds.
_SPARE_BITS, _MOST_BITS = 4, 23


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


class HashIndex:
    """Finds hashes among known ones; a filter first tells most of those that are not."""

    def __init__(self, known: Hashes) -> None:
        """Index hashes; what is found are their indices in this array."""
        self._index = np.argsort(known, kind="stable").astype(np.int32)
        self._known = known[self._index]
        self._repeats = bool((self._known[1:] == self._known[:-1]).any())
        bits = min(len(known).bit_length() + _SPARE_BITS, _MOST_BITS)
        self._shift = np.uint64(_BITS - bits)
        self._filter = np.zeros(1 << bits, dtype=np.bool_)
        self._filter[(known >> self._shift).view(np.int64)] = True

    def find(self, hashes: Hashes) -> tuple[Integers, Integers]:
        """All pairs of a given hash and an equal known one, as their indices; those of the given ascend.

        Example:
            >>> index = HashIndex(np.array([9, 5, 2], dtype=np.uint64))
            >>> [found.tolist() for found in index.find(np.array([2, 3, 9], dtype=np.uint64))]
            [[0, 2], [2, 0]]
        """
        maybe = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(hashes), _BLOCK):
            bits = (hashes[start : start + _BLOCK] >> self._shift).view(np.int64)
            maybe.append(start + np.flatnonzero(self._filter[bits]))
        given = np.concatenate(maybe)
        wanted = hashes[given]
        at: Integers = self._known.searchsorted(wanted)
        equal = self._known[np.minimum(at, len(self._known) - 1)] == wanted
        given, at = given[equal], at[equal]
        if self._repeats:
            sizes = self._known.searchsorted(wanted[equal], side="right") - at
            given, at = np.repeat(given, sizes), ranges(at, sizes)
        return given, self._index[at]

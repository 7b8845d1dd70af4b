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


def pairs_by_topic(pairs: Hashes, number: int) -> Integers:
    """(E,) how many of the hashes from :func:`hash_pairs` are of each of so many topics."""
    topics = (pairs >> np.uint64(_BITS - number.bit_length())).astype(np.int64)
    return np.bincount(topics, minlength=number)[:number]


def any_repeated(hashes: Hashes, segments: Segments) -> bool:
    """Whether a hash is there twice in a segment.

    Example:
        >>> found = Segments.of(pl.DataFrame({"topic": ["1", "1", "2"]}))
        >>> [any_repeated(np.array(each, dtype=np.uint64), found) for each in ([7, 8, 7], [7, 7, 8])]
        [False, True]
    """
    # A number for each segment keeps apart what is there in several.
    numbers = np.arange(len(segments.lengths), dtype=np.uint64) * _ODD
    apart = hashes ^ np.repeat(numbers, segments.lengths)
    return pl.Series(apart).n_unique() < len(apart)


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

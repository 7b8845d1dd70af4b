"""Hashes of topics and documents: quick to compare and to find, but equal ones need a look at the names."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.arrays import Integers
from irpref.project.indices import ranges
from irpref.project.stretches import Stretches

__all__ = [
    "HashFilter",
    "HashIndex",
    "Hashes",
    "any_repeated",
    "hash_names",
    "hash_pairs",
    "repeated",
]

Hashes: TypeAlias = npt.NDArray[np.uint64]

_BITS = 64
# How many hashes are compared with each other at a time: they and their table stay in the cache.
_BLOCK = 3 << 13
# A filter has 16 slots for each hash, but no more than a cache holds.
_ROOM, _MOST_ROOM = 4, 23


def hash_names(names: pl.Series, seed: int = 0) -> Hashes:
    """(N,) hash of each name."""
    return names.hash(seed).to_numpy()


def hash_pairs(stretches: Stretches, documents: pl.Series) -> Hashes:
    """(N,) hash of the topic and the document of each row."""
    # With another seed, a topic and a document of one name do not cancel out.
    pairs = np.repeat(hash_names(stretches.topics, seed=1), stretches.lengths)
    pairs ^= hash_names(documents)
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


def any_repeated(hashes: Hashes, stretches: Stretches) -> bool:
    """Whether a hash is there twice in a stretch."""
    start = 0
    while start < len(hashes):
        # Whole stretches, of so many hashes at least.
        enough = int(np.searchsorted(stretches.ends, start + _BLOCK))
        end = int(stretches.ends[: enough + 1][-1])
        if len(repeated(hashes[start:end])):
            return True
        start = end
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
        return np.flatnonzero(self._known[_first_bits(hashes, self._shift)])


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

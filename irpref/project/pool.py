"""The pool: the distinct documents that the runs retrieved for each topic."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from irpref.arrays import Flags, Integers
from irpref.memory import CACHE, MEMORY
from irpref.project.hashes import Hashes, repeated
from irpref.project.judgments import Judgments, Located

# Hashes that wait for a merge into the pools; bounds memory (32 MB).
_POOLED = MEMORY
# How many of them are compared with each other at a time, so that they stay in the cache.
_BLOCK = CACHE // 8


class Pool:
    """The distinct retrieved documents of each topic, as hashes; the qrels have E topics."""

    def __init__(self, judgments: Judgments) -> None:
        self._judgments = judgments
        self._distinct = np.zeros(len(judgments.topics), dtype=np.int64)
        self._waiting: list[tuple[Hashes, Integers]] = []
        # By the first topic and the end of those that are merged together.
        self._seen: dict[tuple[int, int], Hashes] = {}

    def add(self, located: Located) -> None:
        """Add the documents of a run that was located for a pool."""
        if located.pairs is not None:
            self._waiting.append((located.pairs, located.retrieved))
        if sum(len(pairs) for pairs, _ in self._waiting) > _POOLED:
            self._merge()

    def distinct(self) -> Integers:
        """(E,) how many distinct documents the runs retrieved for each topic."""
        self._merge()
        return self._distinct

    def found(self) -> Flags:
        """(K,) whether any run retrieved each judged document."""
        self._merge()
        found = np.zeros(self._judgments.keys.height, dtype=np.bool_)
        for seen in self._seen.values():
            keys = self._judgments.keys_of(seen)
            found[keys[keys >= 0]] = True
        return found

    def _merge(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        lengths = np.stack([retrieved for _, retrieved in waiting])
        ends = np.cumsum(lengths, axis=1)
        starts = ends - lengths
        self._seen = self._seen or dict.fromkeys(_blocks(ends.sum(axis=0)), _NOTHING)
        for (first, end), seen in self._seen.items():
            new = [
                pairs[start:stop]
                for (pairs, _), start, stop in zip(
                    waiting, starts[:, first], ends[:, end - 1], strict=True
                )
            ]
            # What was seen is last, and so is not counted again.
            pairs = np.concatenate([*new, seen])
            stays = np.ones(len(pairs), dtype=np.bool_)
            stays[repeated(pairs)] = False
            self._seen[first, end] = pairs[stays]
            stays = stays[: len(pairs) - len(seen)]
            list_ends = np.cumsum(lengths[:, first:end])
            lists = np.searchsorted(list_ends, np.flatnonzero(stays), side="right")
            counts = np.bincount(lists % (end - first), minlength=end - first)
            self._distinct[first:end] += counts


_NOTHING: Hashes = np.empty(0, dtype=np.uint64)


def _blocks(ends: Integers) -> list[tuple[int, int]]:
    """The first topic and the end of those that are merged together."""
    bounds = np.searchsorted(ends, np.arange(_BLOCK, ends[-1], _BLOCK))
    return list(pairwise(np.unique(np.concatenate([[0], bounds, [len(ends)]])).tolist()))

"""The pool: the distinct documents that the runs retrieved for each topic."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from irpref.arrays import Flags, Integers
from irpref.project.hashes import Hashes, repeated
from irpref.project.judgments import Judgments, Located

__all__ = ["Pool"]

# Hashes that wait for a merge into the pools; bounds memory (32 MB).
_POOLED = 1 << 22
# How many of them are compared with each other at a time, so that they stay in the cache.
_BLOCK = 1 << 16


class Pool:
    """The distinct retrieved documents of each topic, as hashes; the qrels have E topics."""

    def __init__(self, judgments: Judgments) -> None:
        self._judgments = judgments
        self._distinct = np.zeros(len(judgments.topics), dtype=np.int64)
        self._waiting: list[tuple[Hashes, Integers]] = []
        self._seen: dict[tuple[int, int], Hashes] = {}

    def add(self, located: Located) -> None:
        """Add the documents of a run."""
        if located.pairs is not None:
            self._waiting.append((located.pairs, np.append(0, np.cumsum(located.retrieved))))
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
        self._seen = self._seen or _divided(waiting)
        for (first, end), seen in self._seen.items():
            new = [pairs[starts[first] : starts[end]] for pairs, starts in waiting]
            lengths = [np.diff(starts[first : end + 1]) for _, starts in waiting]
            topics = np.tile(np.arange(first, end), len(waiting))
            # What was seen is last, and so is not counted again.
            pairs = np.concatenate([*new, seen])
            stays = np.ones(len(pairs), dtype=np.bool_)
            stays[repeated(pairs)] = False
            counted = np.repeat(topics, np.concatenate(lengths))[stays[: len(pairs) - len(seen)]]
            self._distinct[first:end] += np.bincount(counted - first, minlength=end - first)
            self._seen[first, end] = pairs[stays]


def _divided(waiting: list[tuple[Hashes, Integers]]) -> dict[tuple[int, int], Hashes]:
    """Nothing seen yet, by the first topic and the end of those that are merged together."""
    starts = np.sum([starts for _, starts in waiting], axis=0)
    bounds = np.searchsorted(starts, np.arange(_BLOCK, starts[-1], _BLOCK))
    bounds = np.unique(np.concatenate([[0], bounds, [len(starts) - 1]]))
    nothing = np.empty(0, dtype=np.uint64)
    return dict.fromkeys(pairwise(bounds.tolist()), nothing)

"""The pool: the distinct documents that the runs retrieved for each topic."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Flags, Integers
from irpref.project.judgments import Judgments, Located

__all__ = ["Pool"]

# Hashes that wait for a merge into the pools; bounds memory (32 MB).
_POOLED = 1 << 22


class Pool:
    """The distinct retrieved documents of each topic, as hashes."""

    def __init__(self, judgments: Judgments) -> None:
        self._seen = [[np.empty(0, dtype=np.uint64)] for _ in judgments.topics]
        self._waiting = 0

    def add(self, located: Located) -> None:
        for topic, pairs in located.pairs.items():
            self._seen[topic].append(pairs)
            self._waiting += len(pairs)
        if self._waiting > _POOLED:
            self._merge()

    def distinct(self) -> Integers:
        """(E,) how many distinct documents the runs retrieved for each topic."""
        self._merge()
        return np.array([len(pairs) for [pairs] in self._seen], dtype=np.int64)

    def found(self, judgments: Judgments) -> Flags:
        """(K,) whether any run retrieved each judged document."""
        self._merge()
        found = np.zeros(judgments.keys.height, dtype=np.bool_)
        keys = judgments.keys_of(np.concatenate([pairs for [pairs] in self._seen]))
        found[keys[keys >= 0]] = True
        return found

    def _merge(self) -> None:
        if self._waiting:
            self._seen = [[np.unique(np.concatenate(arrays))] for arrays in self._seen]
        self._waiting = 0

"""The distinct documents of each topic that any run retrieved."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.project.judgments import Judgments, Placed

__all__ = ["Pool"]

# Hashes of retrieved documents that wait to be merged into the pools: 32 MB.
_POOLED = 1 << 22


class Pool:
    """The distinct retrieved documents of each topic, as hashes."""

    def __init__(self, judgments: Judgments) -> None:
        self._seen = [[np.empty(0, dtype=np.uint64)] for _ in judgments.topics]
        self._waiting = 0

    def add(self, placed: Placed) -> None:
        for topic, pairs in placed.pairs.items():
            self._seen[topic].append(pairs)
            self._waiting += len(pairs)
        if self._waiting > _POOLED:
            self._merge()

    def distinct(self) -> npt.NDArray[np.int64]:
        """(E,) how many documents of each topic any run retrieved."""
        self._merge()
        return np.array([len(pairs) for [pairs] in self._seen], dtype=np.int64)

    def found(self, judgments: Judgments) -> npt.NDArray[np.bool_]:
        """(K,) whether any run retrieved each judged document."""
        self._merge()
        found = np.zeros(judgments.keys.height, dtype=np.bool_)
        numbers = judgments.numbers(np.concatenate([pairs for [pairs] in self._seen]))
        found[numbers[numbers >= 0]] = True
        return found

    def _merge(self) -> None:
        if self._waiting:
            self._seen = [[np.unique(np.concatenate(arrays))] for arrays in self._seen]
        self._waiting = 0

"""The judged documents at the top of the runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.arrays import Flags, Integers


@dataclass(frozen=True, eq=False)
class FirstJudged:
    """The judged documents among the first 10 of every run; an entry for each run that has one there.

    Attributes:
        keys: (N,) key of the document, see :class:`.Judgments`.
        positions: (N,) where, from 1 to 10.
        systems: (N,) index of the system that has it.
    """

    keys: Integers
    positions: Integers
    systems: Integers

    def only(self, entries: Flags) -> FirstJudged:
        """Some of the entries."""
        return FirstJudged(self.keys[entries], self.positions[entries], self.systems[entries])

    def of_systems(self, index: Integers) -> FirstJudged:
        """Those of some systems, by the new index of each; -1 leaves a system out."""
        systems = index[self.systems]
        return FirstJudged(self.keys, self.positions, systems).only(systems >= 0)

    @classmethod
    def joined(cls, parts: list[FirstJudged]) -> FirstJudged:
        """Those of several parts."""
        return cls(
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.systems for part in parts]),
        )

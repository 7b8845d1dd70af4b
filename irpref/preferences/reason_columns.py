"""The reasons of one criterion for many topics and pairs, as columns: too many to be made one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irpref.arrays import Flags, Integers, Values
from irpref.preferences.reasons import NothingRelevant, Reason

__all__ = ["NONE", "ReasonColumns"]

NONE = 0
"""Stands for None in a column: no level, position or depth is 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ReasonColumns:
    """Reasons for T topics and the pairs of A first and C second systems: one whose fields are arrays.

    Attributes:
        kind: The class of the reasons.
        columns: (T, A, C), or what broadcasts to it: its fields that differ, by name. In a field that may
            be None, :data:`NONE` stands for it.
        constants: Its other fields, by name.
        labels: Of the columns that number texts: the texts, by name.
        maybe_none: The columns in which :data:`NONE` is None.
        variant: (T, A, C), or what broadcasts to it, from 0: the same number where a sentence has the same
            words but for the numbers in it.
        relevant: (T,) whether anything is relevant; where nothing is, that is the reason.
        rest: A column, and the others to which it adds up to the same number for all pairs of a topic: with
            them and that number, it need not be told.
        rel: If ``first`` and ``second`` are the positions of the ``level``-th of all items of at least this
            grade: this grade. Who knows the positions need not be told them.
    """

    kind: type[Reason]
    columns: Mapping[str, Values] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    maybe_none: tuple[str, ...] = ()
    variant: Integers = field(default_factory=lambda: np.zeros((1, 1, 1), dtype=np.int64))
    relevant: Flags
    rest: tuple[str, tuple[str, ...]] | None = None
    rel: float | None = None

    def reason(self, place: tuple[int, ...], shape: tuple[int, ...]) -> Reason:
        """The reason of one topic and pair, without the levels that decide.

        Args:
            place: Which topic, first and second system.
            shape: (T, A, C).
        """
        if not self.relevant[place[0]]:
            return NothingRelevant()
        said: dict[str, Any] = {}
        for name, column in self.columns.items():
            value = np.broadcast_to(column, shape)[place].item()
            if name in self.labels:
                value = self.labels[name][value]
            elif name in self.maybe_none and value == NONE:
                value = None
            said[name] = value
        return self.kind(**said, **self.constants)

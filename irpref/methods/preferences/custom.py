"""Make a preference from any function of two position vectors."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.escape import shown
from irpref.base.named import quoted
from irpref.base.short_hash import short_hash
from irpref.methods.preferences.folds import Preference, of_both
from irpref.methods.preferences.reasons import OwnFunction, Reasons
from irpref.positions.topic_batch import TopicBatch


@dataclass(frozen=True, kw_only=True, repr=False)
class FunctionPreference(Preference):
    """A preference that a function of two position vectors computes.

    Attributes:
        function: Takes two float arrays of m positions, one for each ranking, ascending from 1, with ∞ if
            not retrieved. Returns a number above 0 if the first ranking is preferred. The function must
            be antisymmetric, since irpref calls it once for each pair.
        label: The name of the preference; by default the function's name.

    Raises:
        ValueError: The function has no name and no label is given, or it returns no finite number.
    """

    name: ClassVar[str] = "preference"

    function: Callable[[Floats, Floats], float]
    label: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.label is None:
            name = getattr(self.function, "__name__", "<lambda>")
            if name == "<lambda>":
                raise ValueError(
                    "a function without a name needs a label: preference(f, label='…')"
                )
            object.__setattr__(self, "label", name)

    def __getstate__(self) -> dict[str, Any]:
        # pickle finds a function by its name, which a decorated one has given to its preference.
        module, name = self.function.__module__, self.function.__qualname__
        named = getattr(sys.modules.get(module), name, None)
        decorated = isinstance(named, FunctionPreference)
        return {**self.__dict__, "function": (module, name) if decorated else self.function}

    def __setstate__(self, state: dict[str, Any]) -> None:
        function = state["function"]
        if isinstance(function, tuple):
            module, name = function
            function = getattr(importlib.import_module(module), name).function
        self.__dict__.update(state, function=function)

    def __str__(self) -> str:
        rel = f"(rel={self.rel!r})" if self.rel is not None else ""
        return f"{self.label}{rel}" + (f"@{self.cutoff}" if self.cutoff is not None else "")

    @property
    def described(self) -> list[str]:
        what = f"pref:{quoted(str(self).replace(' ', ''))}#{short_hash(self.function)}"
        # Of the parts of every preference, the function is said already.
        return [what, *super().described[-3:]]

    @property
    def bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def reasons(self, batch: TopicBatch) -> Reasons:
        return Reasons(
            kind=OwnFunction,
            constants={"label": str(self.label)},
            relevant=np.ones(len(batch.topics), dtype=np.bool_),
        )

    def fold(self, first: Integers, second: Integers) -> Values:
        same = second is first
        left, right = of_both(_floats, first, second)
        values = np.zeros((first.shape[0], first.shape[2], second.shape[2]))
        for population, a, c in np.ndindex(values.shape):
            if same and c <= a:
                continue
            value = self.function(left[population, :, a], right[population, :, c])
            try:
                values[population, a, c] = float(value)
            except (TypeError, ValueError, OverflowError):
                raise ValueError(f"{self} must return a number, not {shown(value)}") from None
            if same:
                values[population, c, a] = -values[population, a, c]
        return values


def preference(
    function: Callable[[Floats, Floats], float],
    *,
    label: str | None = None,
    rel: float | None = None,
) -> FunctionPreference:
    """Make a preference from a function of two position vectors; also a decorator.

    Args:
        function: See :class:`.FunctionPreference`.
        label: The name of the preference; by default the function's name.
        rel: The least grade that is relevant; by default as the qrels were read.

    Raises:
        ValueError: The function has no name and no label is given.

    Example:
        >>> import irpref
        >>> @irpref.preference
        ... def median_effort(first, second):
        ...     return float(np.sign(np.median(second) - np.median(first)))
        >>> qrels = {"301": {"d1": 1, "d2": 1, "d3": 1}}
        >>> runs = {
        ...     "a": {"301": {"d1": 3.0, "d2": 2.0, "d3": 1.0}},
        ...     "b": {"301": {"d1": 3.0, "x": 2.0, "d2": 1.0}},
        ... }
        >>> irpref.compare(qrels, runs, [median_effort]).per_topic(median_effort, "a", "b").to_dict()
        {'301': 1.0}
    """
    return FunctionPreference(function=function, label=label, rel=rel)


def _floats(positions: Integers) -> Floats:
    unretrieved = np.iinfo(positions.dtype).max
    return np.where(positions == unretrieved, np.inf, positions.astype(np.float64))

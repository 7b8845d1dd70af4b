"""What every preference has in common: its options, its text, and how it goes over the topics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from irpref.errors import unknown
from irpref.project.populations import Integers, Interest, Projection

__all__ = ["NOISE", "Named", "Preference", "check_cutoff", "signs"]

Self = TypeVar("Self", bound="Named")
Values = npt.NDArray[Any]
Ties = Literal["trec", "expected"]

# So many comparisons of two positions are made at a time.
_BATCH = 1 << 21
NOISE = 1e-12
"""What is nearer to 0 than this is 0 in exact arithmetic."""


def check_cutoff(cutoff: object) -> int:
    """The cutoff as an int.

    Raises:
        ValueError: It is not a whole number above 0.

    Example:
        >>> check_cutoff(10)
        10
    """
    if isinstance(cutoff, bool) or not isinstance(cutoff, int | np.integer) or cutoff < 1:
        raise ValueError(f"a cutoff must be a whole number of at least 1, not {cutoff!r}")
    return int(cutoff)


@dataclass(frozen=True, kw_only=True)
class Named:
    """An object with options, which is written as ``NAME(option=value)@cutoff``.

    Calling it gives it other options, ``@`` a cutoff.
    """

    name: ClassVar[str]
    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            object.__setattr__(self, "cutoff", check_cutoff(self.cutoff))

    def __call__(self: Self, **options: Any) -> Self:
        """The same with other options.

        Raises:
            TypeError: There is no such option.
            ValueError: The option cannot have this value.
        """
        known = [field.name for field in fields(self) if field.init and field.name != "cutoff"]
        for option in options:
            if option not in known:
                raise TypeError(f"{self.name}: {unknown('option', option, known)}")
        return replace(self, **options)

    def __matmul__(self: Self, cutoff: int) -> Self:
        """The same, cut at a depth: what lies below is not retrieved."""
        return replace(self, cutoff=check_cutoff(cutoff))

    def __str__(self) -> str:
        options = [
            f"{field.name}={_text(getattr(self, field.name))}"
            for field in fields(self)
            if field.init and field.name != "cutoff" and getattr(self, field.name) != field.default
        ]
        return (
            self.name
            + (f"({', '.join(options)})" if options else "")
            + (f"@{self.cutoff}" if self.cutoff is not None else "")
        )

    def __repr__(self) -> str:
        return str(self)


def _text(value: Any) -> str:
    if callable(value):
        return str(getattr(value, "__name__", repr(value)))
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return repr(dict(value))
    return repr(value)


@dataclass(frozen=True, kw_only=True, repr=False)
class Preference(Named, ABC):
    """Which of two rankings of one topic is preferred, and by how much.

    A preference says what it asks (:attr:`interest`: which items satisfy whom) and how it folds the
    positions of those items in two rankings into one value (:meth:`fold`). All else follows.

    Attributes:
        rel: The least grade that is relevant (grades of 0 and below never are).
        cutoff: Items below this depth are not retrieved; None for no cutoff.
    """

    interest: ClassVar[Interest] = "relevant"

    rel: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.rel, bool) or not isinstance(
            self.rel, int | float | np.integer | np.floating
        ):
            raise ValueError(f"rel must be a number, not {self.rel!r}")
        if not np.isfinite(self.rel):
            raise ValueError(f"rel must be finite, not {self.rel!r}")
        if isinstance(self.rel, np.generic):
            object.__setattr__(self, "rel", self.rel.item())

    @abstractmethod
    def fold(self, first: Integers, second: Integers) -> Values:
        """The preference of each first ranking over each second one.

        Args:
            first: (B, m, A) positions of B populations of m items in A rankings, ascending along m.
                What is not retrieved has the greatest value of the dtype.
            second: (B, m, C) positions in the rankings to compare with; the same object as ``first``
                where the rankings are the same.

        Returns:
            (B, A, C) above 0 where the first ranking is preferred, below 0 where the second one is.
        """

    @property
    def populations_asked(self) -> Interest:
        """The interest, which an option may change."""
        return self.interest

    @property
    def dtype(self) -> type[np.generic]:
        """The type of the values; int8 where they are signs only."""
        return np.float64

    def values(self, projection: Projection) -> Values:
        """The preference on every topic of a projection, for every pair of its systems.

        Returns:
            (T, A, C) of :attr:`dtype`; 0 on topics where nothing is relevant.
        """
        total = np.zeros(projection.shape, dtype=self.dtype)
        for group in projection.groups(self.populations_asked, self.rel):
            size, levels, _ = group.first.shape
            step = max(1, _BATCH // (levels * group.first.shape[2] * group.second.shape[2]))
            for start in range(0, size, step):
                part = slice(start, start + step)
                first = self.cut(group.first[part])
                same = group.second is group.first
                second = first if same else self.cut(group.second[part])
                self.merge(total, group.topics[part], self.fold(first, second), group.share[part])
        return self.finish(total)

    def merge(
        self,
        total: Values,
        topics: npt.NDArray[np.int64],
        folded: Values,
        share: npt.NDArray[np.float64],
    ) -> None:
        """Add what some populations prefer to what their topics prefer: by default the weighted mean."""
        if np.issubdtype(self.dtype, np.floating):
            total[topics] += share[:, None, None] * folded
        else:
            total[topics] = folded

    def finish(self, total: Values) -> Values:
        """The last step on (T, A, C) values: what is zero in exact arithmetic becomes 0."""
        if np.issubdtype(self.dtype, np.floating):
            total[np.abs(total) < NOISE] = 0
        return total

    def numbers(self, values: Values) -> Values:
        """The values as numbers to average."""
        return values

    def reason(self, projection: Projection) -> str:
        """What decides between the one first and the one second system on the one topic projected."""
        groups = projection.groups(self.populations_asked, self.rel)
        if not groups:
            return "nothing is relevant"
        profiles = [signs(self.cut(group.first), self.cut(group.second)) for group in groups]
        won, tied, lost = (
            sum(int(np.count_nonzero(profile == sign)) for profile in profiles)
            for sign in (1, 0, -1)
        )
        populations = sum(len(group.topics) for group in groups)
        over = f" over {populations} populations" if populations > 1 else ""
        return f"recall levels won {won}, tied {tied}, lost {lost}{over}"

    def cut(self, positions: Integers) -> Integers:
        """The positions, those below the cutoff not retrieved."""
        if self.cutoff is None:
            return positions
        return np.where(positions > self.cutoff, np.iinfo(positions.dtype).max, positions).astype(
            positions.dtype
        )


def signs(first: Integers, second: Integers) -> npt.NDArray[np.int8]:
    """The sign profiles of every pair: ``sgn(second - first)`` at each recall level.

    Args:
        first: (B, m, A) positions.
        second: (B, m, C) positions.

    Returns:
        (B, m, A, C): +1 where the first ranking needs less effort, -1 where the second does, 0 where
        they tie.

    Example:
        >>> first, second = np.array([[[2], [4]]]), np.array([[[2], [9]]])
        >>> signs(first, second).ravel().tolist()
        [0, 1]
    """
    left, right = first[:, :, :, None], second[:, :, None, :]
    return (left < right).view(np.int8) - (left > right).view(np.int8)


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {value!r}")


def check_choice(name: str, value: object, choices: Any) -> None:
    """Refuse a value that is not among those of a ``Literal``.

    Raises:
        ValueError: It is not; the nearest one is named.
    """
    if value not in get_args(choices):
        raise unknown(name, value, get_args(choices))

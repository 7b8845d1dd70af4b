"""What every preference has in common: how it goes over the topics."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.options import Named
from irpref.preferences.criterion import NOISE, Criterion
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch

__all__ = ["NOISE", "Preference", "Ties", "signs"]

Ties = Literal["trec", "expected"]

# What several populations of a topic are, in words.
_KINDS: dict[Interest, str] = {"relevant": "topics", "grades": "grades", "subtopics": "subtopics"}
# Comparisons of two positions made at a time; bounds memory.
_COMPARISONS = 1 << 21


@dataclass(frozen=True, kw_only=True, repr=False)
class Preference(Named, Criterion):
    """Which of two rankings of one topic is preferred, and by how much.

    A preference says what it asks (:attr:`interest`: which items satisfy whom) and how it folds the
    positions of those items in two rankings into one value (:meth:`fold`). All else follows.
    """

    kind: ClassVar[str] = "pref"
    interest: ClassVar[Interest] = "relevant"
    """Which items satisfy whom: ``"relevant"``, ``"grades"`` or ``"subtopics"``."""

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

    @property
    def named(self) -> Named:
        return self

    @property
    def signs_only(self) -> bool:
        return np.issubdtype(self.dtype, np.integer)

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return batch.has_relevant(self.populations_asked, self.rel)

    def values(self, batch: TopicBatch) -> Values:
        """The preference on every topic of a batch, for every pair of its systems.

        Returns:
            (T, A, C) of :attr:`dtype`; 0 on topics where nothing is relevant.
        """
        total = np.zeros(batch.shape, dtype=self.dtype)
        for positions in batch.position_batches(self.populations_asked, self.rel):
            size, levels, _ = positions.first.shape
            step = max(
                1, _COMPARISONS // (levels * positions.first.shape[2] * positions.second.shape[2])
            )
            for start in range(0, size, step):
                part = slice(start, start + step)
                first = self.cut(positions.first[part])
                same = positions.second is positions.first
                second = first if same else self.cut(positions.second[part])
                folded = self.fold(first, second)
                self._check(folded, first, second)
                self.merge(total, positions.topics[part], folded, positions.weight[part])
        return self.finish(total)

    def _check(self, folded: Values, first: Integers, second: Integers) -> None:
        """Refuse what is no preference: of another shape, or for both of two rankings.

        Raises:
            ValueError: It is not.
        """
        shape = (len(first), first.shape[2], second.shape[2])
        found = np.shape(folded)
        if found != shape:
            raise ValueError(
                f"{self}: of positions {first.shape} and {second.shape} the fold must give {shape}, "
                f"not {found}"
            )
        if second is first:
            # One population is enough to see it.
            signed = self.signed_values(folded[:1]).astype(np.float64)
            if np.abs(signed + signed.swapaxes(1, 2)).max(initial=0) > NOISE:
                raise ValueError(
                    f"{self}: the fold must be antisymmetric: where it prefers the first ranking to the "
                    "second, it must prefer the second less when they are swapped"
                )

    def merge(
        self,
        total: Values,
        topics: Integers,
        folded: Values,
        weight: Floats,
    ) -> None:
        """Add what some populations prefer to what their topics prefer: by default the weighted mean."""
        if np.issubdtype(self.dtype, np.floating):
            total[topics] += weight[:, None, None] * folded
        elif (weight < 1).any():
            raise TypeError(f"{self}: signs or relations of several populations need a merge()")
        else:
            total[topics] = folded

    def finish(self, total: Values) -> Values:
        """The last step on (T, A, C) values: what is zero in exact arithmetic becomes 0."""
        if np.issubdtype(self.dtype, np.floating):
            total[np.abs(total) < NOISE] = 0
        return total

    def explain(self, batch: TopicBatch) -> str:
        """What decides between the one first and the one second system on the one topic projected."""
        batches = batch.position_batches(self.populations_asked, self.rel)
        if not batches:
            return "nothing is relevant"
        profiles = [signs(self.cut(each.first), self.cut(each.second)) for each in batches]
        won, tied, lost = (
            sum(int(np.count_nonzero(profile == sign)) for profile in profiles)
            for sign in (1, 0, -1)
        )
        a, b = batch.pair
        text = f"{a} is earlier at {won} recall level{'s' * (won != 1)}, {b} at {lost}; {tied} tied"
        populations = sum(len(each.topics) for each in batches)
        return (
            text
            if populations == 1
            else f"{text} (over {populations} {_KINDS[self.populations_asked]})"
        )

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

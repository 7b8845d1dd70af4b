"""The base class of preferences, which goes over the topics and their populations."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.errors import InputError
from irpref.gains import LARGEST
from irpref.noise import NOISE
from irpref.options import Named
from irpref.preferences.criterion import Criterion
from irpref.preferences.reason_columns import ReasonColumns
from irpref.preferences.reasons import NothingRelevant, Reason, SomeLevels
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch

__all__ = ["Preference", "Ties", "signs", "systems_at_once"]

Ties = Literal["trec", "expected"]

# Batch size, in comparisons of two positions; bounds memory.
_COMPARISONS = 1 << 21


@dataclass(frozen=True, kw_only=True, repr=False)
class Preference(Named, Criterion):
    """Which of two rankings of one topic is preferred, and by how much.

    A preference defines which items satisfy which users (:attr:`interest`), and how the positions of these
    items in two rankings become one value (:meth:`fold`). This class does the rest.
    """

    kind: ClassVar[str] = "pref"
    interest: ClassVar[Interest] = "relevant"
    """Which items satisfy which users: ``"relevant"``, ``"grades"`` or ``"subtopics"``."""

    @abstractmethod
    def fold(self, first: Integers, second: Integers) -> Values:
        """The preference of each first ranking over each second one.

        Args:
            first: (B, m, A) positions of B populations of m items in A rankings, ascending along m. An
                item that is not retrieved has the greatest value of the dtype.
            second: (B, m, C) positions in the rankings to compare with; the same object as ``first``
                if the rankings are the same.

        Returns:
            (B, A, C) above 0 if the first ranking is preferred, below 0 if the second one is.
        """

    @property
    def populations_asked(self) -> Interest:
        """The interest; an option may change it."""
        return self.interest

    @property
    def looks_at(self) -> tuple[Interest, float]:
        return self.populations_asked, self.rel

    @property
    def dtype(self) -> type[np.generic]:
        """The type of the values; int8 if they are signs only."""
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
            (T, A, C) of :attr:`dtype`; 0 on topics without relevant items.
        """
        total = np.zeros(batch.shape, dtype=self.dtype)
        for positions in batch.position_batches(self.populations_asked, self.rel):
            size, levels, rankings = positions.first.shape
            step = max(1, _COMPARISONS // (levels * rankings * positions.second.shape[2]))
            for start in range(0, size, step):
                part = slice(start, start + step)
                first = self.cut(positions.first[part])
                same = positions.second is positions.first
                second = first if same else self.cut(positions.second[part])
                folded = self.fold(first, second)
                self._check(folded, first, second)
                self.merge(total, positions.topics[part], folded, positions.weight[part])
        self._check_values(total, batch)
        return self.finish(total)

    def _check(self, folded: Values, first: Integers, second: Integers) -> None:
        """Raise a ValueError if folded values have a wrong shape."""
        shape = (len(first), first.shape[2], second.shape[2])
        found = np.shape(folded)
        if found != shape:
            raise ValueError(
                f"{self}: for positions of shapes {first.shape} and {second.shape}, fold must give shape "
                f"{shape}, not {found}"
            )

    def _check_values(self, total: Values, batch: TopicBatch) -> None:
        """Check the values of a batch before the last step.

        Raises:
            ValueError: They are not antisymmetric.
            InputError: One cannot be summed; the error names topic and systems.
        """
        if batch.second is batch.first:
            # One topic is enough for this check.
            one = np.flatnonzero(self.has_relevant(batch))[:1]
            signed = self.signed_values(total[one]).astype(np.float64)
            with np.errstate(invalid="ignore"):
                both = np.abs(signed + signed.swapaxes(1, 2))
            if both.max(initial=0) > NOISE:
                raise ValueError(
                    f"{self}: the fold must be antisymmetric: the value must change its sign if the two "
                    "rankings are swapped"
                )
        if self.signs_only or (
            total.max(initial=0) <= LARGEST and total.min(initial=0) >= -LARGEST
        ):
            return
        topic, a, c = np.argwhere(~(np.abs(total) <= LARGEST))[0]
        systems, names = batch.placements.systems, batch.placements.topics
        raise InputError(
            f"{self} is {total[topic, a, c]:g} for {systems[batch.first[a]]} against "
            f"{systems[batch.second[c]]}, and must be a number from -{LARGEST:g} to {LARGEST:g}",
            topic=names[batch.topics[topic]],
        )

    def merge(
        self,
        total: Values,
        topics: Integers,
        folded: Values,
        weight: Floats,
    ) -> None:
        """Add the values of some populations to those of their topics; by default a weighted mean."""
        if np.issubdtype(self.dtype, np.floating):
            total[topics] += weight[:, None, None] * folded
        elif (weight < 1).any():
            raise TypeError(f"{self}: signs or relations of several populations need a merge()")
        else:
            total[topics] = folded

    def finish(self, total: Values) -> Values:
        """The last step on (T, A, C) values: float noise becomes 0."""
        if np.issubdtype(self.dtype, np.floating):
            total[np.abs(total) < NOISE] = 0
        return total

    def reason(self, batch: TopicBatch) -> Reason:
        batches = batch.position_batches(self.populations_asked, self.rel)
        if not batches:
            return NothingRelevant()
        profiles = [signs(self.cut(each.first), self.cut(each.second)) for each in batches]
        won, tied, lost = (
            sum(int(np.count_nonzero(profile == sign)) for profile in profiles)
            for sign in (1, 0, -1)
        )
        return SomeLevels(
            won=won,
            tied=tied,
            lost=lost,
            populations=sum(len(each.topics) for each in batches),
            interest=self.populations_asked,
            cutoff=self.cutoff,
        )

    def reason_columns(self, batch: TopicBatch) -> ReasonColumns | None:
        won, levels, populations = (np.zeros(batch.shape, dtype=np.int32) for _ in range(3))
        lost = np.zeros(batch.shape, dtype=np.int32)
        for positions in batch.position_batches(self.populations_asked, self.rel):
            first, second = self.cut(positions.first), self.cut(positions.second)
            levels[positions.topics] += first.shape[1]
            populations[positions.topics] += 1
            for row, topic in enumerate(positions.topics):
                for some in systems_at_once(first[row], second[row]):
                    one, other = first[row][:, some, None], second[row][:, None, :]
                    won[topic, some] += np.add.reduce(one < other, axis=0, dtype=np.int32)
                    lost[topic, some] += np.add.reduce(one > other, axis=0, dtype=np.int32)
        return ReasonColumns(
            kind=SomeLevels,
            columns={
                "won": won,
                "tied": levels - won - lost,
                "lost": lost,
                "populations": populations,
            },
            constants={"interest": self.populations_asked, "cutoff": self.cutoff},
            variant=(populations > 1).astype(np.int64),
            relevant=self.has_relevant(batch),
            rest=("tied", ("won", "lost")),
        )

    def cut(self, positions: Integers) -> Integers:
        """The positions; items below the cutoff count as not retrieved."""
        if self.cutoff is None:
            return positions
        return np.where(positions > self.cutoff, np.iinfo(positions.dtype).max, positions).astype(
            positions.dtype
        )


def systems_at_once(first: Integers, second: Integers) -> list[slice]:
    """Some first rankings at a time, which are compared with all second ones in little memory.

    Args:
        first: (m, A) positions.
        second: (m, C) positions.
    """
    step = max(1, _COMPARISONS // max(1, second.size))
    return [slice(start, start + step) for start in range(0, first.shape[1], step)]


def signs(first: Integers, second: Integers) -> npt.NDArray[np.int8]:
    """The sign profiles of every pair: ``sgn(second - first)`` at each recall level.

    Args:
        first: (B, m, A) positions.
        second: (B, m, C) positions.

    Returns:
        (B, m, A, C): +1 if the first ranking is earlier, -1 if the second is, 0 if they tie.

    Example:
        >>> first, second = np.array([[[2], [4]]]), np.array([[[2], [9]]])
        >>> signs(first, second).ravel().tolist()
        [0, 1]
    """
    left, right = first[:, :, :, None], second[:, :, None, :]
    return (left < right).view(np.int8) - (left > right).view(np.int8)

"""The base class of preferences, and the folds by which they get their values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, Values, batches
from irpref.base.errors import InputError
from irpref.base.named import Named
from irpref.base.tolerance import TOLERANCE
from irpref.methods.gains import LARGEST
from irpref.methods.preferences.criterion import Criterion, Relation
from irpref.methods.preferences.reasons import Reasons, SomeLevels
from irpref.positions.topic_batch import Interest, PositionBatch, TopicBatch

Mode = Literal["plain", "expected", "certain"]

# Batch size, in comparisons of two positions; bounds memory.
_COMPARISONS = MEMORY // 2


class Preference(Named, Criterion):
    """Which of two rankings of one topic is preferred, and by how much.

    A preference defines which items satisfy which users (:attr:`interest`), and how the positions of these
    items in two rankings become one value (:meth:`fold`), or the index of one of its ``relations``.
    This class does the rest.
    """

    kind: ClassVar[str] = "pref"

    @property
    def interest(self) -> Interest:
        """Which items satisfy which users: ``"relevant"``, ``"grades"`` or ``"subtopics"``."""
        return "relevant"

    @abstractmethod
    def fold(self, first: Integers, second: Integers) -> Values:
        """The preference of each first ranking over each second one.

        Args:
            first: (B, m, A) positions of B populations of m items in A rankings, ascending along m. An
                item that is not retrieved has the greatest value of the dtype.
            second: (B, m, C) positions in the rankings to compare with; the same object as ``first``
                if the rankings are the same.

        Returns:
            (B, A, C) above 0 if the first ranking is preferred, below 0 if the second one is; or, if the
            preference has relations, their indices as uint8.
        """

    def merge(
        self,
        total: Values,
        topics: Integers,
        folded: Values,
        weight: Floats,
    ) -> None:
        """Add the values of some populations to those of their topics; by default a weighted mean."""
        if np.issubdtype(total.dtype, np.floating):
            total[topics] += weight[:, None, None] * folded
        elif (weight < 1).any():
            raise TypeError(f"{self}: signs or relations of several populations need a merge()")
        else:
            total[topics] = folded

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        """How the values are made, by mode."""
        dtype = np.uint8 if self.relations else np.float64
        return {"plain": PlainFold(self, dtype=dtype, relations=self.relations)}

    @property
    def mode(self) -> Mode:
        """Which of the :attr:`folds` the options ask for."""
        return "plain"

    @property
    def chosen(self) -> Fold:
        """The fold of this mode, which says whatever depends on the mode."""
        return self.folds[self.mode]

    @property
    def looks_at(self) -> tuple[Interest, float | None]:
        return self.interest, self.rel

    @property
    def named(self) -> Named:
        return self

    @property
    def signs_only(self) -> bool:
        return np.issubdtype(self.chosen.dtype, np.integer)

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return batch.has_relevant(*self.looks_at)

    def values(self, batch: TopicBatch) -> Values:
        """The preference on every topic of a batch, for every pair of its systems.

        Returns:
            (T, A, C) values or signs, indices of relations, or (T, A, C, relations) probabilities; 0 on
            topics without relevant items.
        """
        return self.chosen.values(batch)

    def reasons(self, batch: TopicBatch) -> Reasons:
        return self.chosen.reasons(batch)

    def cut(self, positions: Integers) -> Integers:
        """The positions; items below the cutoff count as not retrieved."""
        if self.cutoff is None:
            return positions
        return np.where(positions > self.cutoff, np.iinfo(positions.dtype).max, positions)


@dataclass(frozen=True, eq=False)
class Fold(ABC):
    """How a preference gets its values in one mode, and what these are.

    Attributes:
        of: The preference.
        dtype: The type of the values: int8 if they are signs, uint8 if indices of relations.
        relations: The relations of one ranking to another in this mode; none if there are values only.
    """

    of: Preference
    dtype: type[np.generic] = field(default=np.float64, kw_only=True)
    relations: tuple[Relation, ...] = field(default=(), kw_only=True)

    @abstractmethod
    def values(self, batch: TopicBatch) -> Values:
        """See :meth:`.Preference.values`."""

    @abstractmethod
    def reasons(self, batch: TopicBatch) -> Reasons:
        """See :meth:`.Criterion.reasons`."""

    def details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """See :meth:`.Criterion.relation_details`."""
        return {}

    @property
    def labels(self) -> dict[str, list[str]]:
        """What reasons say of the relations: to programs, and to people."""
        return {
            "relation": [relation.label for relation in self.relations],
            "cell": [relation.cell("{a}", "{b}") for relation in self.relations],
        }


class PlainFold(Fold):
    """By the judgments there are, with tied scores in trec_eval's order: :meth:`.Preference.fold`."""

    exact: ClassVar[bool] = False
    """Whether values below the noise of sums are no noise, as nothing was summed."""

    def positions(self, batch: TopicBatch) -> Iterator[PositionBatch]:
        """The positions of each population's items; those below the cutoff are not retrieved."""
        for each in batch.position_batches(*self.of.looks_at):
            first, second = of_both(self.of.cut, each.first, each.second)
            yield replace(each, first=first, second=second)

    def at_levels(self, batch: TopicBatch) -> Iterator[tuple[int, slice, Integers, Integers]]:
        """The positions of each population in pairs of rankings, in little memory.

        Yields:
            The topic's index in the batch, some of the first rankings, the (m, A', 1) positions in these,
            and the (m, 1, C) positions in all second ones.
        """
        for positions in self.positions(batch):
            for row, topic in enumerate(positions.topics.tolist()):
                first, second = positions.first[row], positions.second[row]
                for some in systems_at_once(first, second):
                    yield topic, some, first[:, some, None], second[:, None, :]

    def values(self, batch: TopicBatch) -> Values:
        total = np.zeros(batch.shape, dtype=self.dtype)
        for positions in self.positions(batch):
            size, levels, rankings = positions.first.shape
            each = levels * rankings * positions.second.shape[2]
            for part in batches(size, each, _COMPARISONS):
                first, second = of_both(itemgetter(part), positions.first, positions.second)
                folded = self.of.fold(first, second)
                self._check(folded, first, second)
                self.of.merge(total, positions.topics[part], folded, positions.weight[part])
        self._check_values(total, batch)
        return self.snapped(total)

    def snapped(self, total: Values) -> Values:
        """The values; float noise becomes 0 (in place)."""
        if not self.exact and np.issubdtype(self.dtype, np.floating):
            total[np.abs(total) < TOLERANCE] = 0
        return total

    def _check(self, folded: Values, first: Integers, second: Integers) -> None:
        """Raise a ValueError if folded values have a wrong shape, or are no relations."""
        relations = len(self.relations)
        if relations and (np.max(folded, initial=0) >= relations or np.min(folded, initial=0) < 0):
            raise ValueError(
                f"{self.of}: the fold must return indices into its {relations} relations"
            )
        shape = (len(first), first.shape[2], second.shape[2])
        found = np.shape(folded)
        if found != shape:
            raise ValueError(
                f"{self.of}: for positions of shapes {first.shape} and {second.shape}, fold must give "
                f"shape {shape}, not {found}"
            )

    def _check_values(self, total: Values, batch: TopicBatch) -> None:
        """Check the values of a batch before the last step.

        Raises:
            ValueError: They are not antisymmetric.
            InputError: One cannot be summed; the error names topic and systems.
        """
        if batch.second is batch.first:
            # One topic is enough for this check.
            one = np.flatnonzero(self.of.has_relevant(batch))[:1]
            signed = self.of.signed_values(total[one]).astype(np.float64)
            with np.errstate(invalid="ignore"):
                both = np.abs(signed + signed.swapaxes(1, 2))
            if both.max(initial=0) > TOLERANCE:
                raise ValueError(
                    f"{self.of}: the fold must be antisymmetric: the value must change its sign if the two "
                    "rankings are swapped"
                )
        if np.issubdtype(self.dtype, np.integer) or (
            total.max(initial=0) <= LARGEST and total.min(initial=0) >= -LARGEST
        ):
            return
        topic, a, c = np.argwhere(~(np.abs(total) <= LARGEST))[0]
        systems, names = batch.placements.systems, batch.placements.topics
        raise InputError(
            f"{self.of} is {total[topic, a, c]:g} for {systems[batch.first[a]]} against "
            f"{systems[batch.second[c]]}, and must be a number from -{LARGEST:g} to {LARGEST:g}",
            topic=names[batch.topics[topic]],
        )

    def reasons(self, batch: TopicBatch) -> Reasons:
        won, lost, levels, populations = (np.zeros(batch.shape, dtype=np.int32) for _ in range(4))
        for topic, some, one, other in self.at_levels(batch):
            won[topic, some] += np.add.reduce(one < other, axis=0, dtype=np.int32)
            lost[topic, some] += np.add.reduce(one > other, axis=0, dtype=np.int32)
            levels[topic, some] += len(one)
            populations[topic, some] += 1
        columns = {
            "won": won,
            "tied": levels - won - lost,
            "lost": lost,
            "populations": populations,
        }
        variant = (populations > 1).astype(np.int64)
        if self.relations:
            columns["relation"] = columns["cell"] = self.values(batch)
            variant = variant * len(self.relations) + columns["relation"]
        return Reasons(
            kind=SomeLevels,
            columns=columns,
            constants={"interest": self.of.interest, "cutoff": self.of.cutoff},
            labels=self.labels,
            variant=variant,
            relevant=self.of.has_relevant(batch),
            rest=("tied", ("won", "lost")),
        )


def of_both(
    make: Callable[[Values], Values], first: Values, second: Values
) -> tuple[Values, Values]:
    """What is made of the positions in both lists of rankings; one object, made once, if they are one."""
    made = make(first)
    return made, made if second is first else make(second)


def systems_at_once(first: Integers, second: Integers) -> list[slice]:
    """Some first rankings at a time, which are compared with all second ones in little memory.

    Args:
        first: (m, A) positions.
        second: (m, C) positions.
    """
    return batches(first.shape[1], second.size, _COMPARISONS)


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

"""The base classes of measures: of all, of sums over items, of those that know how long the corpus is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.base.named import Named, choice, option
from irpref.methods.gains import LARGEST
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups
from irpref.methods.preferences.ties.tied_rankings import refuse_rank_order
from irpref.positions.placements import NoPool, Placements

TieOrder = Literal["trec", "expected", "best", "worst"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Named, ABC):
    """A measure scores a single ranking: one number for every topic and system.

    Attributes:
        ties: The order of tied scores. ``"trec"``: by document name, descending, as in trec_eval.
            ``"expected"``: the mean over all orders. ``"best"`` and ``"worst"``: the order with the
            best and the worst score.
    """

    kind: ClassVar[str] = "measure"
    higher_is_better: ClassVar[bool] = True
    """Whether a higher score is better; differences and orders of systems follow this."""
    graded: ClassVar[bool] = False
    """Whether the measure distinguishes the grades of relevant items."""
    takes_ties: ClassVar[bool] = True
    """Whether other orders of tied scores than trec_eval's can be asked for."""

    ties: TieOrder = choice("trec", TieOrder)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.takes_ties and self.ties != "trec":
            raise ValueError(
                f"{self.name} has no ties={self.ties!r}: it takes trec_eval's order among ties"
            )

    @property
    def options(self) -> dict[str, Any]:
        options = super().options
        if not self.takes_ties:
            del options["ties"]
        return options

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest score there can be."""
        return 0.0, 1.0

    def scores(self, placements: Placements | RankedItems) -> Floats:
        """The score of every system on every topic.

        Args:
            placements: Positions of the relevant items, or the ``RankedItems`` that measures share.

        Returns:
            (T, S) scores; 0 on topics without relevant items for this ``rel``.

        Raises:
            ValueError: The runs were ordered by rank, and ``ties`` is not ``"trec"``.
            InputError: A score is not a finite number.

        Example:
            >>> import irpref
            >>> from irpref.methods.measures import AP
            >>> qrels = {"301": {"d1": 1, "d2": 1}}
            >>> runs = {"a": {"301": {"d1": 2, "d3": 1, "d2": 1}}, "b": {"301": {"d2": 1}}}
            >>> AP(ties="expected").scores(irpref.collect(qrels, runs).placements).round(4).tolist()
            [[0.9167, 0.5]]
        """
        ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
        if self.ties != "trec":
            refuse_rank_order(str(self), ranked.placements)
        scores = self._scores(ranked)
        unusable = np.argwhere(~(np.abs(scores) <= LARGEST))
        if len(unusable):
            topic, system = unusable[0]
            raise InputError(
                f"the score of {ranked.placements.systems[system]} by {self} is {scores[topic, system]:g}, "
                "which no mean can hold",
                topic=ranked.placements.topics[topic],
            )
        return scores

    @abstractmethod
    def _scores(self, ranked: RankedItems) -> Floats:
        """(T, S) scores."""


class SumOfItems(Measure):
    """A sum over the retrieved relevant items, divided by a number that no order of ties changes.

    A measure defines the value of an item at a known position (:meth:`item_values`), the mean value of a
    tied group over its orders (:meth:`group_values`), and the :meth:`divisor`. An expected score sums over
    items outside tied groups, and over tied groups. A group takes no longer than an item, and lists without
    ties take no extra time (McSherry & Najork 2008, section 2).
    """

    @abstractmethod
    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        """(I,) value of each item; all items are within the cutoff."""

    @abstractmethod
    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        """(G,) mean value of each tied group, if its first ``reached`` positions count."""

    def divisor(self, ranked: RankedItems) -> Values:
        """(1 or T, 1 or S) divisor of the sum, by default the number of relevant items.

        A divisor of 0 gives a score of 0.
        """
        return ranked.relevant(self.rel).per_topic[:, None]

    def row_gains(self, ranked: RankedItems) -> Floats | None:
        """(R,) gain of each row of the collection; None if all gains are the same."""
        return None

    def depths(self, ranking: Integers, ranked: RankedItems) -> Integers | int | None:
        """The last position that counts: the cutoff, or (I,) one for each of these rankings."""
        return self.cutoff

    def sums(self, ranked: RankedItems) -> Floats:
        """(T, S) sum of each ranking, before it is divided."""
        relevant = ranked.relevant(self.rel)
        if self.ties == "expected":
            items = relevant.untied
        else:
            items = relevant.items(self.ties, self.row_gains(ranked))
        items = items.within(self.depths(items.ranking, ranked))
        total = relevant.totals(items.ranking, self.item_values(items, ranked))
        if self.ties == "expected":
            tied_groups = relevant.tied_groups
            reached = tied_groups.reached(self.depths(tied_groups.ranking, ranked))
            total += relevant.totals(
                tied_groups.ranking, self.group_values(tied_groups, reached, ranked)
            )
        return total.reshape(len(ranked.placements.topics), -1)

    def _scores(self, ranked: RankedItems) -> Floats:
        total = self.sums(ranked)
        divisor = self.divisor(ranked)
        return np.divide(total, divisor, out=np.zeros_like(total), where=divisor > 0)


# No list is longer.
_LONGEST = 2**31 - 1


def _size(_: str, n: Any) -> int | str:
    if isinstance(n, str) and n == "pool":
        return n
    whole = isinstance(n, int | np.integer) and not isinstance(n, bool)
    if not whole or not 1 <= n <= _LONGEST:
        raise ValueError(f"n must be 'pool' or a whole number from 1 to {_LONGEST}, not {shown(n)}")
    return int(n)


@dataclass(frozen=True, kw_only=True, repr=False)
class CorpusSized(Measure):
    """A measure that knows how many documents there are to rank.

    Attributes:
        n: How many; ``"pool"``: the distinct documents of the topic in the qrels and in all runs.

    Raises:
        ValueError: n is neither ``"pool"`` nor a whole number above 0, or longer than any list.
    """

    n: int | Literal["pool"] = option("pool", _size)

    @property
    def requires_pool(self) -> bool:
        """Whether the measure needs the size of the pool, which takes a count of all documents."""
        return self.n == "pool"

    def sizes(self, placements: Placements) -> Integers:
        """(T,) how many documents there are to rank on each topic.

        Raises:
            ValueError: The pool is asked for and unknown.
        """
        if self.n != "pool":
            return np.full(len(placements.topics), self.n, dtype=np.int64)
        if isinstance(placements.pool, NoPool):
            raise ValueError(f"{self}: the size of the pool (n='pool') {placements.pool.value}")
        return placements.pool

    def refuse_small(self, ranked: RankedItems) -> None:
        """Refuse a size without room for a system's documents and the items it misses in the worst order.

        Raises:
            ValueError: There is no room.
        """
        placements, relevant = ranked.placements, ranked.relevant(self.rel)
        n = self.sizes(placements)
        items = relevant.items("worst" if self.ties == "expected" else self.ties)
        found = np.bincount(items.within(self.cutoff).ranking, minlength=relevant.rankings)
        missed = relevant.per_topic[:, None] - found.reshape(placements.retrieved.shape)
        retrieved = np.minimum(placements.retrieved, self.cutoff or placements.unretrieved)
        needed = retrieved + missed
        full = (needed.max(axis=1) > n) & (relevant.per_topic > 0)
        if full.any():
            topic = full.argmax()
            worst = topic, needed[topic].argmax()
            raise ValueError(
                f"{self}: n={n[topic]} is too small for topic {placements.topics[topic]}, where "
                f"{placements.systems[worst[1]]} retrieves {retrieved[worst]} documents "
                f"and misses {missed[worst]} relevant ones; n must be at least {needed[worst]}"
            )

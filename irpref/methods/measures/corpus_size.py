"""How many documents there are to rank: a number, or the documents of the qrels and of all runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from irpref.base.arrays import Integers
from irpref.base.escape import shown
from irpref.base.named import option
from irpref.methods.measures.base import Measure
from irpref.methods.measures.tied_groups import RankedItems
from irpref.positions.placements import NoPool, Placements

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
    def needs_pool(self) -> bool:
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

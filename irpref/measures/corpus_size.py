"""How many documents there are to rank: a number, or the documents of the qrels and of all runs."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from irpref.arrays import Integers
from irpref.project.placements import NoPool, Placements
from irpref.visible import shown

__all__ = ["CorpusSize", "check_corpus_size", "corpus_sizes", "refuse_small_corpus"]

CorpusSize: TypeAlias = int | Literal["pool"]

# No list is longer.
_LONGEST = 2**31 - 1


def check_corpus_size(n: object) -> CorpusSize:
    """The size as an int, or ``"pool"``.

    Raises:
        ValueError: It is neither ``"pool"`` nor a whole number above 0, or longer than any list.

    Example:
        >>> check_corpus_size(1000)
        1000
    """
    if isinstance(n, str) and n == "pool":
        return "pool"
    whole = isinstance(n, int | np.integer) and not isinstance(n, bool)
    if not whole or not 1 <= n <= _LONGEST:  # type: ignore[operator]
        raise ValueError(f"n must be 'pool' or a whole number from 1 to {_LONGEST}, not {shown(n)}")
    return int(n)  # type: ignore[call-overload, no-any-return]


def corpus_sizes(n: CorpusSize, placements: Placements, measure: object) -> Integers:
    """(T,) how many documents there are to rank on each topic.

    Args:
        n: The number, or ``"pool"``.
        placements: Positions of the relevant items.
        measure: What needs the sizes, for the error.

    Raises:
        ValueError: The pool is asked for and unknown.
    """
    if n == "pool":
        if isinstance(placements.pool, NoPool):
            raise ValueError(f"{measure}: the size of the pool (n='pool') {placements.pool.value}")
        return placements.pool
    return np.full(len(placements.topics), n, dtype=np.int64)


def refuse_small_corpus(
    n: int,
    retrieved: Integers,
    missed: Integers,
    placements: Placements,
    topic: int,
    measure: object,
) -> None:
    """Refuse a size that has no room for what a system retrieves and misses on a topic.

    Args:
        n: The size.
        retrieved: (S,) documents that each system retrieves, within the cutoff.
        missed: (S,) relevant items that are not among them.
        placements: Positions of the relevant items.
        topic: Index of the topic.
        measure: What the size is for, for the error.

    Raises:
        ValueError: There is no room.
    """
    needed = retrieved + missed
    worst = int(needed.argmax())
    if needed[worst] > n:
        raise ValueError(
            f"{measure}: n={n} is too small for topic {placements.topics[topic]}, where "
            f"{placements.systems[worst]} retrieves {retrieved[worst]} documents "
            f"and misses {missed[worst]} relevant ones; n must be at least {needed[worst]}"
        )

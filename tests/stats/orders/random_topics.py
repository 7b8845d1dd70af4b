"""Orders of systems by their scores on random topics."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from irpref.stats.orders.order import SystemOrder, order_systems

METHODS = ("mean", "borda", "copeland", "mc4", "kemeny", "bradley-terry")


def topic_scores(systems: int, topics: int, seed: int, *, levels: int = 5) -> np.ndarray:
    """(T, S) scores with ties: what each topic prefers is an order with ties."""
    return np.random.default_rng((systems, topics, seed)).integers(0, levels, (topics, systems))


def order(method: str, scores: np.ndarray, **options: float) -> SystemOrder:
    signs = np.sign(scores[:, :, None] - scores[:, None, :])
    wins = (signs > 0).sum(axis=0)
    return order_systems(
        method,  # type: ignore[arg-type]
        mean=signs.mean(axis=0),
        wins=wins,
        topics=np.full_like(wins, len(scores)),
        **options,
    )


some_scores = st.builds(
    topic_scores,
    systems=st.integers(1, 6),
    topics=st.integers(1, 9),
    seed=st.integers(0, 10_000),
    levels=st.sampled_from((2, 5, 100)),
)


def best_orders(value: np.ndarray) -> set[tuple[int, ...]]:
    """All orders that put higher values first, by enumeration: each pair the wrong way costs."""
    costs = {
        candidate: sum(
            max(0.0, value[b] - value[a]) for a, b in itertools.combinations(candidate, 2)
        )
        for candidate in itertools.permutations(range(len(value)))
    }
    return {candidate for candidate, cost in costs.items() if cost < 1e-9}


def in_the_given_order(candidates: set[tuple[int, ...]]) -> tuple[int, ...]:
    """Of orders that differ only in ties, the one that leaves those as they were given."""
    return min(candidates)


def reachable(beats: np.ndarray) -> np.ndarray:
    reach = beats.copy()
    for middle, first, last in itertools.product(range(len(beats)), repeat=3):
        reach[first, last] |= reach[first, middle] & reach[middle, last]
    return reach


majority_wins = st.builds(
    lambda systems, seed, topics: np.random.default_rng((systems, seed)).integers(
        0, topics, (systems, systems)
    ),
    systems=st.integers(1, 9),
    seed=st.integers(0, 10_000),
    topics=st.sampled_from((2, 3, 50)),
)

"""Preferences summed over the topics, pair by pair: nothing of the size pairs × topics is kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.preferences.base import Preference, Values
from irpref.preferences.ipso import RELATIONS, InnateOrdering
from irpref.project.collection import Collection, Progress
from irpref.project.populations import Interest, Populations, Projection

__all__ = ["Totals", "per_topic", "sum_topics"]

Counts = npt.NDArray[np.int64]
Outcomes = npt.NDArray[Any]
"""Counts of topics; sums of probabilities, as floats, for IPSO with expected ties."""

# So many values (topics × pairs) are worked on at a time.
_CHUNK = 1 << 20
# So few are not worth another thread.
_WORTH_A_THREAD = 1 << 8
# So many flags add up in 8 bits.
_BYTE = 255


@dataclass(frozen=True)
class Totals:
    """Sums over topics of one preference, for every first system against every second one.

    Totals of different topics add up with ``+``.

    Attributes:
        topics: (A, C) topics compared.
        total: (A, C) sum of the preference.
        squares: (A, C) sum of its squares.
        wins: (A, C) topics where the first system is preferred.
        losses: (A, C) topics where the second one is.
        nonseparable: (A, C) topics where IPSO cannot separate them; 0 for other preferences.
    """

    topics: Counts
    total: npt.NDArray[np.float64]
    squares: npt.NDArray[np.float64]
    wins: Outcomes
    losses: Outcomes
    nonseparable: Outcomes

    @property
    def ties(self) -> Outcomes:
        """(A, C) topics where neither is preferred and they can be separated."""
        return np.maximum(self.topics - self.wins - self.losses - self.nonseparable, 0)

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """(A, C) mean preference over the topics compared; 0 where there are none."""
        return np.asarray(self.total / np.maximum(self.topics, 1))

    @property
    def most_topics(self) -> int:
        """On how many topics two different systems are compared, at most (of all against all)."""
        return int(np.triu(self.topics, 1).max())

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            **{
                field.name: getattr(self, field.name) + getattr(other, field.name)
                for field in fields(self)
            }
        )


def sum_topics(
    collection: Collection,
    preferences: Sequence[Preference],
    *,
    first: Sequence[int] | None = None,
    second: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> list[Totals]:
    """Every preference summed over all topics.

    Args:
        collection: Positions of the relevant items.
        preferences: What to sum.
        first: Numbers of the first systems; all if not given.
        second: Numbers of the second systems; the first ones if not given.
        progress: Told after every part of the topics.

    Returns:
        One :class:`Totals` for each preference.
    """
    firsts = np.arange(len(collection.systems)) if first is None else np.asarray(first)
    seconds = firsts if second is None else np.asarray(second)
    topics = np.arange(len(collection.topics))
    workers = os.cpu_count() or 1
    pairs = len(firsts) * len(seconds)
    fair = max(-(-len(topics) // workers), _WORTH_A_THREAD // pairs)
    per_chunk = max(1, min(_CHUNK // pairs, fair))
    chunks = [topics[start : start + per_chunk] for start in range(0, len(topics), per_chunk)]
    populations: dict[tuple[Interest, float], Populations] = {}
    # Made here once, so that the threads only read them.
    whole = Projection(collection, topics=topics, first=firsts, populations=populations)
    for preference in preferences:
        whole.populations(preference.populations_asked, preference.rel)

    def work(chunk: npt.NDArray[np.int64]) -> list[Totals]:
        projection = Projection(
            collection,
            topics=chunk,
            first=firsts,
            second=None if second is None else seconds,
            populations=populations,
        )
        return [_totals(preference, projection) for preference in preferences]

    sums: list[Totals] | None = None
    with ThreadPoolExecutor(max_workers=workers) as pool:
        for done, totals in enumerate(pool.map(work, chunks), start=1):
            sums = totals if sums is None else [a + b for a, b in zip(sums, totals, strict=True)]
            if progress is not None:
                progress("comparing topics", done, len(chunks))
    return sums or []


def _compared(preference: Preference, projection: Projection) -> npt.NDArray[np.bool_]:
    """(T, A, C) whether a topic counts for a pair."""
    asked = projection.asked(preference.populations_asked, preference.rel)
    compared = np.broadcast_to(asked[:, None, None], projection.shape)
    if projection.collection.missing == "skip":
        found = projection.collection.retrieved[projection.topics] > 0
        compared = compared & found[:, projection.first, None] & found[:, None, projection.second]
    return compared


def _totals(preference: Preference, projection: Projection) -> Totals:
    if isinstance(preference, InnateOrdering) and preference.ties == "expected":
        return _expected_relations(preference, projection)
    values = preference.values(projection)
    if projection.collection.missing == "skip":
        compared = _compared(preference, projection)
        values = np.where(compared, values, values.dtype.type(0))
        topics = _count(compared)
    else:
        # Values are 0 already where nothing is relevant.
        asked = projection.asked(preference.populations_asked, preference.rel)
        topics = np.full(projection.shape[1:], np.count_nonzero(asked), dtype=np.int64)
    numbers = preference.numbers(values)
    wins = _count(numbers > 0)
    losses = wins.T if projection.second is projection.first else _count(numbers < 0)
    signs = numbers.dtype == np.int8
    return Totals(
        topics=topics,
        total=(wins - losses).astype(np.float64) if signs else numbers.sum(axis=0),
        squares=(wins + losses).astype(np.float64)
        if signs
        else np.einsum("tac,tac->ac", numbers, numbers),
        wins=wins,
        losses=losses,
        nonseparable=_count(values == RELATIONS.index("**"))
        if isinstance(preference, InnateOrdering)
        else np.zeros_like(wins),
    )


def _expected_relations(preference: InnateOrdering, projection: Projection) -> Totals:
    compared = _compared(preference, projection)
    probabilities = preference.probabilities(projection) * compared[..., None]
    _, wins, losses, nonseparable = np.moveaxis(probabilities.sum(axis=0), -1, 0)
    values = probabilities[..., 1] - probabilities[..., 2]
    return Totals(
        topics=_count(compared),
        total=wins - losses,
        squares=np.einsum("tac,tac->ac", values, values),
        wins=wins,
        losses=losses,
        nonseparable=nonseparable,
    )


def _count(flags: npt.NDArray[np.bool_]) -> Counts:
    """(A, C) how many of (T, A, C) flags are set; sums of 8 bits are several times as fast."""
    counts = np.zeros(flags.shape[1:], dtype=np.int64)
    for start in range(0, len(flags), _BYTE):
        counts += flags[start : start + _BYTE].sum(axis=0, dtype=np.uint8)
    return counts


def per_topic(
    collection: Collection,
    preference: Preference,
    first: Sequence[int],
    second: Sequence[int],
) -> tuple[Values, npt.NDArray[np.bool_]]:
    """A preference on every topic, for every first system against every second one.

    Returns:
        (T, A, C) values as :meth:`Preference.values` gives them, and (T, A, C) whether the topic counts.
    """
    projection = Projection(
        collection,
        topics=np.arange(len(collection.topics)),
        first=np.asarray(first),
        second=np.asarray(second),
    )
    return preference.values(projection), _compared(preference, projection)

"""Placements of rankings that are known by the positions of their relevant items, such as random ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.base.arrays import Integers
from irpref.base.reading_options import Reading
from irpref.positions.coverage import TopicCounts
from irpref.positions.placements import NoPool, Placements

UNRETRIEVED = int(np.iinfo(np.int32).max)
"""The position of an item that is not retrieved."""


def placements_at(
    positions: npt.ArrayLike, relevant: npt.ArrayLike, retrieved: int | Integers
) -> Placements:
    """Rankings without tied scores that put their relevant items, all of grade 1, at these positions.

    Args:
        positions: (R, S) position of each relevant item in each of S rankings, topic by topic;
            ``UNRETRIEVED`` if it is not retrieved.
        relevant: (T,) how many rows each topic has; at least 1.
        retrieved: How many items a ranking retrieves; (T, S) if that differs. The pool of a topic is its
            longest ranking, with the relevant items that this one lacks.

    Returns:
        Placements of topics and systems named "1", "2", ….

    Example:
        >>> from irpref.methods.measures import AP
        >>> AP.scores(placements_at([[1, 2], [3, UNRETRIEVED]], [2], 10)).round(3).tolist()
        [[0.833, 0.25]]
    """
    rows = np.asarray(positions, dtype=np.int32)
    counts = np.asarray(relevant, dtype=np.int64)
    systems = tuple(map(str, range(1, rows.shape[1] + 1)))
    topics = tuple(map(str, range(1, len(counts) + 1)))
    shape = len(topics), len(systems)
    lengths = np.broadcast_to(np.asarray(retrieved, dtype=np.int64), shape)
    starts = np.append(0, np.cumsum(counts))
    missing = np.add.reduceat((rows == UNRETRIEVED).astype(np.int64), starts[:-1], axis=0)
    pool = (lengths + missing).max(axis=1)
    return given(systems, topics, starts, rows, lengths, judged=np.zeros_like(lengths), pool=pool)


def given(
    systems: tuple[str, ...],
    topics: tuple[str, ...],
    starts: Integers,
    positions: Integers,
    lengths: Integers,
    *,
    judged: Integers,
    pool: Integers | NoPool = NoPool.NOT_COUNTED,
) -> Placements:
    """Placements that no run was read for: items without names, all of grade 1, and no tied scores.

    Args:
        systems: (S,) names of the systems.
        topics: (T,) names of the topics.
        starts: (T + 1,) where the rows of each topic start.
        positions: (R, S) positions.
        lengths: (T, S) how many documents each ranking has.
        judged: (T, S) how many of the first ones are judged.
        pool: See :class:`.Placements`.
    """
    return Placements(
        systems=systems,
        topics=topics,
        starts=starts,
        document_names=pl.Series([""] * len(positions), dtype=pl.String),
        grades=np.ones(len(positions)),
        positions=positions,
        tie_first=positions,
        tie_last=positions,
        by_topic=TopicCounts(
            topics=topics,
            relevant=np.ones(len(topics), dtype=np.bool_),
            retrieved=lengths,
            listed=lengths,
            judged=judged,
            repeated=np.zeros_like(lengths),
            ignored=np.zeros(len(systems), dtype=np.int64),
        ),
        pool=pool,
    )


def names_only(systems: Sequence[str], topics: Sequence[str], reading: Reading) -> Placements:
    """Placements without items: only the systems and the topics.

    Args:
        systems: The names of the systems; each may be there several times.
        topics: The names of the topics, in the same way.
        reading: How they are called.
    """
    systems, topics = (tuple(dict.fromkeys(names)) for names in (systems, topics))
    each = np.ones((len(topics), len(systems)), dtype=np.int32)
    starts, none = np.zeros(len(topics) + 1, dtype=np.int64), np.empty((0, len(systems)), np.int16)
    reading.check_names(systems)
    placements = given(systems, topics, starts, none, each, judged=each)
    return replace(placements, reading=reading)

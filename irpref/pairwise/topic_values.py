"""A criterion on every topic: its values, its relations, the win rates, and which topics systems lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

import numpy as np

from irpref.base.arrays import MEMORY, Floats, Integers, Objects, batches
from irpref.base.literals import Progress
from irpref.base.message import Message, Option, refusal
from irpref.methods.preferences.criterion import Criterion, Relation
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.orders.win_rates import win_rates


def topic_values(
    placements: Placements,
    criterion: Criterion,
    first: Sequence[int] | None = None,
    second: Sequence[int] | None = None,
    *,
    topics: Integers | None = None,
    progress: Progress | None = None,
) -> Floats:
    """The values of a criterion, for every first system against every second one (indices; default all).

    Args:
        topics: Indices of topics that follow each other; default all.
        progress: Called for every topic of a slow criterion.

    Returns:
        (T, A, C) numbers, above 0 if the first system is preferred; NaN if a topic does not count.
    """
    before = 0 if topics is None else int(topics[0])

    def watch(done: int) -> None:
        if progress is not None:
            progress("comparing topics", before + done, len(placements.topics))

    batch = TopicBatch(placements, topics=topics, first=first, second=second, watch=watch)
    values = criterion.signed_values(criterion.values(batch)).astype(np.float64)
    values[~criterion.compared(batch)] = np.nan
    return values


def lacking_systems(
    what: str, placements: Placements | None, criterion: Criterion, *, instead: Option | None = None
) -> ValueError:
    """What is raised where a topic lacks a pair, and what is made needs every pair on every topic."""
    asked = f"{what} need every pair of systems on every topic, and some topics lack one: "
    also = () if instead is None else (", or take ", instead)
    return refusal(asked, how_to_fill(placements, criterion), *also)


def how_to_fill(placements: Placements | None, criterion: Criterion) -> Message:
    """What to do where a topic lacks a system, for its run or for the criterion alone."""
    whole = placements is not None and placements.counted.all()
    if whole and criterion.fills_gaps is not None:
        return Message(criterion.fills_gaps)
    return Message("count a missing topic as worst (", Option("missing", "worst"), ")")


def topic_relations(
    placements: Placements,
    criterion: Criterion,
    first: int,
    second: int,
    say: Callable[[Relation], str] = attrgetter("label"),
) -> Objects:
    """(T,) what to say of the relation of two systems on every topic; None if a topic does not count.

    Raises:
        ValueError: The criterion has probabilities of relations only, or none.
    """
    batch = TopicBatch(placements, first=[first], second=[second])
    codes = criterion.relation_codes(criterion.values(batch))[:, 0, 0]
    labels = np.array([*map(say, criterion.relations)], dtype=object)[codes]
    labels[~criterion.compared(batch)[:, 0, 0]] = None
    return np.asarray(labels)


def topic_win_rates(
    placements: Placements,
    criterion: Criterion,
    *,
    progress: Progress | None = None,
) -> Floats:
    """The mean value of every system over all others on every topic.

    Returns:
        (T, S) means; NaN if a system is compared with no other.
    """
    every, pairs = np.arange(len(placements.topics)), len(placements.systems) ** 2
    rates = [
        win_rates(topic_values(placements, criterion, topics=every[part], progress=progress))
        # At most so many values (topics × pairs) at a time.
        for part in batches(len(every), pairs, MEMORY)
    ]
    return np.concatenate(rates)

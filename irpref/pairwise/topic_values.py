"""A criterion on every topic: its values, its relations, the win rates, and which topics systems lack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.base.arrays import MEMORY, Floats, Integers, Objects, batches
from irpref.base.literals import Progress
from irpref.base.message import Message, Option, refusal
from irpref.methods.preferences.criterion import Criterion
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


def same_topics(placements: Placements, criterion: Criterion) -> bool:
    """Whether a topic that counts for two systems counts for all."""
    relevant = criterion.has_relevant(TopicBatch(placements))
    systems = criterion.counted(placements)[relevant].sum(axis=1)
    return bool(((systems < 2) | (systems == len(placements.systems))).all())


def lacking_systems(
    what: str, placements: Placements | None = None, *, instead: Option | None = None
) -> ValueError:
    """What is raised where a system lacks a topic, and what is made needs every system on every topic."""
    asked = f"{what} need every system on every topic, and some lack one: "
    also = () if instead is None else (", or take ", instead)
    return refusal(asked, as_worst(placements), *also)


def as_worst(placements: Placements | None = None) -> Message:
    """How to count as worst what a system lacks: topics of its run, or if it has all of these, scores."""
    if placements is not None and placements.counted.all():
        return Message("fill in the worst score for each that is missing")
    return Message("count a missing topic as worst (", Option("missing", "worst"), ")")


def topic_relations(
    placements: Placements, criterion: Criterion, first: int, second: int
) -> Objects:
    """(T,) label of the relation of two systems on every topic; None if a topic does not count.

    Raises:
        ValueError: The criterion has probabilities of relations only, or none.
    """
    batch = TopicBatch(placements, first=[first], second=[second])
    codes = criterion.relation_codes(criterion.values(batch))[:, 0, 0]
    labels = np.array([relation.label for relation in criterion.relations], dtype=object)[codes]
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
    topics, systems = len(placements.topics), len(placements.systems)
    # At most so many values (topics × pairs) at a time.
    parts = [np.arange(topics)[part] for part in batches(topics, systems**2, MEMORY)]
    return np.concatenate(
        [
            win_rates(topic_values(placements, criterion, topics=part, progress=progress))
            for part in parts
        ]
    )

"""What the page of a comparison draws: every pair of systems, and every ranking, topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from irpref.base.arrays import MEMORY, Floats, Integers, Pairs, batches, pair_counts
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.profile import by_share, half_width
from irpref.positions.placements import Placements
from irpref.positions.selection_index import FirstDocuments
from irpref.positions.topic_batch import TopicBatch

# Batch size, in signs (recall levels × pairs); bounds memory.
_SIGNS = 4 * MEMORY


def pairs_of(order: Sequence[int] | Integers) -> Pairs:
    """The first and the second system of every pair: the first one stands before the second in the order.

    Example:
        >>> [side.tolist() for side in pairs_of([5, 7, 6])]
        [[5, 5, 7], [7, 6, 6]]
    """
    systems = np.asarray(order, dtype=np.int64)
    first, second = np.triu_indices(len(systems), 1)
    return systems[first], systems[second]


def every_pair(batch: TopicBatch, criterion: Criterion) -> Floats:
    """What a criterion says of the pairs of the systems of a batch, in the order of :func:`pairs_of`.

    Args:
        batch: All topics, with the systems in their order.
        criterion: A preference, or the difference of two scores.

    Returns:
        (T, P) the value of the first system over the second, or the index of their relation if the
        criterion has relations; NaN if the topic does not count.
    """
    say = criterion.relation_codes if criterion.has_relations else criterion.signed_values
    said = np.where(criterion.compared(batch), say(criterion.values(batch)), np.nan)
    first, second = np.triu_indices(len(batch.first), 1)
    return np.asarray(said[:, first, second])


def pair_profiles(batch: TopicBatch, *, bins: int) -> tuple[Floats, Floats, Floats]:
    """The profiles of the pairs of the systems of a batch, in the order of :func:`.pairs_of`.

    They are what :meth:`irpref.Comparison.profile` says of each pair, divided by the topics that count.

    Args:
        batch: All topics, with the systems in their order.
        bins: Into how many segments of equal width the recall is divided.

    Returns:
        (bins, P) the share of the topics that the first system wins, in each segment of the recall; the
        same of the second system; and half the width of the interval of their difference
        (:func:`.half_width`).
    """
    first, second = np.triu_indices(len(batch.first), 1)
    counted = batch.for_both(batch.placements.counted)[:, first, second]
    won, lost, squares = (np.zeros((bins, len(first))) for _ in range(3))
    for positions in batch.position_batches("relevant", 1):
        parts = batches(len(first), positions.first.shape[1], _SIGNS)
        for (topic, levels), part in product(
            zip(positions.topics, positions.first, strict=True), parts
        ):
            one, other = (levels[:, side[part]] for side in (first, second))
            counts = counted[topic, part]
            wins, losses = (by_share(each, bins) * counts for each in (one < other, one > other))
            won[:, part] += wins
            lost[:, part] += losses
            squares[:, part] += (wins - losses) ** 2
    topics = np.maximum(counted.sum(axis=0), 1)
    return won / topics, lost / topics, half_width(won - lost, squares, topics)


def relevant_positions(placements: Placements, order: Sequence[int]) -> dict[str, Any]:
    """Where the relevant documents are in the rankings of S systems, in the given order, on T topics.

    Returns:
        By name: ``relevant``, (T,) how many relevant documents the topic has; ``found``, (T, S) how many of
        them each system retrieved; ``steps``, (N,) for each topic and system, their positions in ascending
        order: the first one, and then how much farther down each one is than the one before; and
        ``grades``, (N,) their grades.

    Example:
        >>> import irpref
        >>> qrels = {"1": {"d1": 1, "d2": 2, "d3": 1}}
        >>> runs = {"a": {"1": {"d9": 3.0, "d2": 2.0, "d8": 1.5, "d1": 1.0}}}
        >>> found = relevant_positions(irpref.collect(qrels, runs).placements, [0])
        >>> {name: array.tolist() for name, array in found.items()}
        {'relevant': [3], 'found': [[2]], 'steps': [2, 2], 'grades': [2.0, 1.0]}
    """
    steps, grades = [np.empty(0, dtype=np.int64)], [np.empty(0)]
    found = np.zeros((len(placements.topics), len(order)), dtype=np.int64)
    for topic in range(len(placements.topics)):
        rows = placements.rows(topic)
        positions = placements.positions[rows][:, list(order)]
        by_position = np.argsort(positions, axis=0, kind="stable")
        ascending = np.take_along_axis(positions, by_position, axis=0).T.astype(np.int64)
        retrieved = ascending != placements.unretrieved
        found[topic] = retrieved.sum(axis=1)
        steps.append(np.diff(ascending, axis=1, prepend=0)[retrieved])
        grades.append(placements.grades[rows][by_position.T][retrieved])
    return {
        "relevant": np.diff(placements.starts),
        "found": found,
        "steps": np.concatenate(steps),
        "grades": np.concatenate(grades),
    }


def first_lists(kept: FirstDocuments, order: Sequence[int], depth: int) -> dict[str, Any]:
    """The first documents of S systems, in the given order, on T topics.

    Each topic has a number for each of its documents.

    Args:
        kept: The lists that were kept.
        order: The indices of the systems.
        depth: How many documents of each ranking; as many as were kept, if these are fewer.

    Returns:
        By name:

        - ``depth``: How many documents of each ranking there are at most.
        - ``lengths``: (T, S) how many there are.
        - ``documents``: (N,) for each topic and system, by position: the number of the document in its
          topic.
        - ``ties``: (N,) whether it has the score of the document before it.
        - ``starts``: (T + 1,) the documents of topic t are ``starts[t]:starts[t + 1]`` of the next two;
          those that are in many rankings come first.
        - ``named``: (D,) the index of each one's name.
        - ``grades``: (D,) its grade; NaN if it is not judged.
        - ``names``: All documents, each one once.
    """
    topics, systems = len(kept.topics), len(order)
    place = pl.DataFrame(
        {"system": list(order), "s": range(systems)},
        schema={"system": kept.table.schema["system"], "s": pl.Int64},
    )
    shown = (
        kept.first(depth)
        .join(place, on="system")
        .sort("row", "s", "position")
        .with_columns(pl.col("document").cast(pl.String))
    )
    names = shown["document"].unique().sort()
    index = pl.DataFrame({"document": names, "name": range(len(names))})
    # Those that are in many rankings get small numbers, which are shorter when they are packed.
    known = (
        shown.group_by("row", "document")
        .agg(pl.len().alias("rankings"), pl.col("grade").first())
        .join(index, on="document")
        .sort("row", "rankings", "document", descending=[False, True, False])
        .with_columns(pl.int_range(pl.len()).over("row").alias("number"))
    )
    numbered = shown.join(known, on=["row", "document"], how="left", maintain_order="left")
    return {
        "depth": min(depth, kept.depth),
        "lengths": pair_counts(shown["row"].to_numpy(), shown["s"].to_numpy(), (topics, systems)),
        "documents": numbered["number"].to_numpy(),
        "ties": (shown["tie_first"] < shown["position"]).to_numpy(),
        "starts": np.searchsorted(known["row"].to_numpy(), np.arange(topics + 1)),
        "named": known["name"].to_numpy(),
        "grades": known["grade"].to_numpy(),
        "names": tuple(names),
    }

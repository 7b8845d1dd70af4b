"""The first documents of every ranking, each named once a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from irpref.arrays import Flags, Floats, Integers
from irpref.processes import refuse_forked
from irpref.project.unjudged import FirstDocuments


@dataclass(frozen=True, eq=False)
class FirstLists:
    """The first documents of S systems on T topics. Each topic has a number for each of its documents.

    Attributes:
        depth: How many documents of each ranking there are at most.
        lengths: (T, S) how many there are.
        documents: (N,) for each topic and system, by position: the number of the document in its topic.
        tied: (N,) whether it has the score of the document before it.
        starts: (T + 1,) the documents of topic t are ``starts[t]:starts[t + 1]`` of the next two; those
            that are in many rankings come first.
        named: (D,) the index of each one's name.
        grades: (D,) its grade; NaN if it is not judged.
        names: All documents, each one once.
    """

    depth: int
    lengths: Integers
    documents: Integers
    tied: Flags
    starts: Integers
    named: Integers
    grades: Floats
    names: tuple[str, ...]


def first_lists(kept: FirstDocuments, order: Sequence[int], depth: int) -> FirstLists:
    """The first documents of some systems, in the given order.

    Args:
        kept: The lists that were kept.
        order: The indices of the systems.
        depth: How many documents of each ranking; as many as were kept, if these are fewer.
    """
    refuse_forked()
    topics, systems = len(kept.topics), len(order)
    place = pl.DataFrame(
        {"system": list(order), "s": range(systems)},
        schema={"system": kept.table.schema["system"], "s": pl.Int64},
    )
    row = pl.DataFrame(
        {"topic": kept.topics, "t": np.arange(topics)},
        schema={"topic": kept.table.schema["topic"], "t": pl.Int64},
    )
    shown = (
        kept.table.filter(pl.col("position") <= depth)
        .join(place, on="system")
        .join(row, on="topic")
        .sort("t", "s", "position")
        .with_columns(pl.col("document").cast(pl.String))
    )
    names = shown["document"].unique().sort()
    index = pl.DataFrame({"document": names, "name": range(len(names))})
    # Those that are in many rankings get small numbers, which are shorter when they are packed.
    known = (
        shown.group_by("t", "document")
        .agg(pl.len().alias("rankings"), pl.col("key").first())
        .join(index, on="document")
        .sort("t", "rankings", "document", descending=[False, True, False])
        .with_columns(pl.int_range(pl.len()).over("t").alias("number"))
    )
    numbered = shown.join(known, on=["t", "document"], how="left", maintain_order="left")
    lists = shown["t"].to_numpy() * systems + shown["s"].to_numpy()
    lengths = np.bincount(lists, minlength=topics * systems)
    # An unjudged document has the key -1, which takes the last grade.
    grades = np.append(kept.grades, np.nan)[known["key"].to_numpy()]
    return FirstLists(
        depth=min(depth, kept.depth),
        lengths=lengths.reshape(topics, systems),
        documents=numbered["number"].to_numpy(),
        tied=(shown["tie_first"] < shown["position"]).to_numpy(),
        starts=np.searchsorted(known["t"].to_numpy(), np.arange(topics + 1)),
        named=known["name"].to_numpy(),
        grades=grades,
        names=tuple(names),
    )

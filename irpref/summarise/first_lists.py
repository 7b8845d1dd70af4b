"""The first documents of every ranking, each named once a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from irpref.arrays import Flags, Floats, Integers, pair_counts
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
    return FirstLists(
        depth=min(depth, kept.depth),
        lengths=pair_counts(shown["row"].to_numpy(), shown["s"].to_numpy(), (topics, systems)),
        documents=numbered["number"].to_numpy(),
        tied=(shown["tie_first"] < shown["position"]).to_numpy(),
        starts=np.searchsorted(known["row"].to_numpy(), np.arange(topics + 1)),
        named=known["name"].to_numpy(),
        grades=known["grade"].to_numpy(),
        names=tuple(names),
    )

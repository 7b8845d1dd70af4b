"""What is doubtful about the order of a run, where it has both scores and ranks."""

from __future__ import annotations

import numpy as np
import polars as pl

from irpref.arrays import Flags, Integers
from irpref.choices import Order
from irpref.message import Message, Option
from irpref.project.stretches import Stretches

__all__ = ["doubt_about_order", "orders_something"]


def doubt_about_order(
    table: pl.DataFrame, stretches: Stretches, *, order: Order, name: str
) -> str | None:
    """What a user should know about the order of a run; None if all is well.

    The ranks may contradict the scores; all scores of a topic may be equal where the ranks are not; and
    documents may share a rank. One topic in two must be so, as single slips are common.

    Args:
        table: The run, each topic's rows together: columns rank and score.
        stretches: The rows of each topic.
        order: What the run is ordered by.
        name: The name of the run, for the option that orders it otherwise.

    Example:
        >>> table = pl.DataFrame({"rank": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
        >>> one_topic = Stretches(pl.Series(["301"]), np.array([3]))
        >>> doubt_about_order(table, one_topic, order="score", name="bm25")
        "the rank column contradicts the scores: the score rises at 100% of the steps down the ranks, on 1 \
of 1 topics; the scores were used (order={'bm25': 'rank'} uses the ranks)"
    """
    if table["rank"].null_count() or table.is_empty() or not _doubtful(table, stretches, order):
        return None
    topic = stretches.indices
    rank, score = _by_rank(table, topic)
    step = topic[1:] == topic[:-1]
    topics, several = int(topic[-1]) + 1, len(np.unique(topic[1:][step]))
    shared = step & (rank[1:] == rank[:-1])
    if order == "rank":
        if not shared.any():
            return None
        return (
            f"{_documents(shared)} share their rank with another document of the topic, on "
            f"{_topics(shared, topic)} of {topics} topics; such documents are ordered by score, then by "
            "name"
        )
    instead = Message(Option("order", {name: "rank"}), " uses the ranks")
    down = step & ~shared
    rises = down & (score[1:] > score[:-1])
    contradicted = _topics(rises, topic)
    if 2 * contradicted > topics:
        share = np.count_nonzero(rises) / np.count_nonzero(down)
        return Message(
            f"the rank column contradicts the scores: the score rises at {_percent(share)} of the steps "
            f"down the ranks, on {contradicted} of {topics} topics; the scores were used (",
            instead,
            ")",
        )
    # Topics where every step keeps the score, and none the rank.
    level = several - _topics(step & ((score[1:] != score[:-1]) | shared), topic)
    if 2 * level > several:
        return Message(
            f"all documents of a topic have one score, on {level} of {several} topics with several "
            "documents, but ranks that differ; the scores were used, and so the names (",
            instead,
            ")",
        )
    return None


def orders_something(table: pl.DataFrame, stretches: Stretches) -> bool:
    """Whether the rank column tells any two documents of a topic apart, if there are two."""
    rank = table["rank"].to_numpy()
    differ = stretches.within(rank[1:] != rank[:-1])
    return bool(differ.any() or (stretches.lengths < 2).all())


def _doubtful(table: pl.DataFrame, stretches: Stretches, order: Order) -> bool:
    """Whether there is any reason to look closer; in most files ranks rise, and scores fall."""
    rank, score = table["rank"].to_numpy(), table["score"].to_numpy()
    if stretches.within(rank[1:] <= rank[:-1]).any():
        return True
    if order == "rank":
        return False
    rises = stretches.within(score[1:] > score[:-1]).any()
    level = score[stretches.starts] == score[stretches.ends - 1]
    return bool(rises or (level & (stretches.lengths > 1)).any())


def _by_rank(table: pl.DataFrame, topic: Integers) -> tuple[Integers, Integers]:
    """Ranks and scores, every topic's sorted by rank."""
    rank, score = table["rank"].to_numpy(), table["score"].to_numpy()
    if np.any((rank[1:] < rank[:-1]) & (topic[1:] == topic[:-1])):
        # Most files are nearly sorted, where a stable sort takes nearly linear time.
        by_rank = np.argsort(rank, kind="stable")
        by_rank = by_rank[np.argsort(topic[by_rank], kind="stable")]
        rank, score = rank[by_rank], score[by_rank]
    return rank, score


def _documents(shared: Flags) -> str:
    """How many documents stand at either side of a shared rank."""
    either = np.append(shared, False) | np.insert(shared, 0, False)
    return f"{np.count_nonzero(either):,} documents"


def _topics(steps: Flags, topic: Integers) -> int:
    return len(np.unique(topic[1:][steps]))


def _percent(share: float) -> str:
    return (
        f"{share:.0%}" if share >= 0.1 else f"{share:.1%}" if share >= 0.001 else "less than 0.1%"
    )

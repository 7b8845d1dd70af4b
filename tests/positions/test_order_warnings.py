"""What is said of ranks that contradict scores, that are shared, or that alone hold the order."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.positions.ranking import rank_run
from irpref.read import read_run

Documents = list[tuple[int | None, float]]
"""The rank and score of each document of a topic."""

AGREE: Documents = [(1, 3.0), (2, 2.0), (3, 1.0)]
DOCUMENTS = st.tuples(st.sampled_from([0, 0, 1]), st.sampled_from([0.0, 1.0]))
WRONG: Documents = [(1, 1.0), (2, 2.0), (3, 3.0)]
LEVEL: Documents = [(1, 1.0), (2, 1.0), (3, 1.0)]


def warning(*topics: Documents, shuffle: bool = False, order: str = "score") -> str | None:
    rows = [
        (f"t{t}", f"d{i}", rank, score)
        for t, documents in enumerate(topics)
        for i, (rank, score) in enumerate(documents)
    ]
    if shuffle:
        rows = rows[::2] + rows[1::2]
    frame = pl.DataFrame(rows, schema=["topic", "document", "rank", "score"], orient="row")
    return rank_run(read_run(frame), name="UOS-1", order=order).warning  # type: ignore[arg-type]


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_contradiction_is_told_with_its_size(shuffle: bool) -> None:
    said = warning(AGREE, WRONG, AGREE, WRONG, [(1, 5.0), (2, 4.0), (3, 4.5)], shuffle=shuffle)
    assert said is not None
    assert "the score rises at 5 of the 10 steps down the ranks, on 3 of 5 topics" in said
    assert "order={'UOS-1': 'rank'}" in said


def test_a_small_contradiction_reads_otherwise_than_a_whole_one() -> None:
    nearly: Documents = [(i, float(-i)) for i in range(200)]
    nearly[100] = (100, -98.5)
    assert "at 1 of the 199 steps" in str(warning(nearly))
    assert "at 2 of the 2 steps" in str(warning(WRONG))


@pytest.mark.parametrize(
    "documents",
    [
        AGREE,
        AGREE[::-1],
        [AGREE[1], AGREE[2], AGREE[0]],
        [(0, 1.0), (0, 2.0), (0, 3.0)],
        [(1, 1.0), (1, 2.0), (2, 0.5)],
        [(10, 2.0), (70, 1.0)],
        [(0, 2.0)],
        [(0, 2.0), (0, 2.0)],
        [(1, 2.0), (1, 2.0), (2, 2.0)],
        [(None, 1.0), (2, 1.0), (3, 2.0)],
        [(1, math.inf), (2, math.inf), (3, -math.inf)],
    ],
)
def test_ranks_that_agree_are_shared_or_are_unknown_are_no_contradiction(
    documents: Documents,
) -> None:
    assert warning(documents) is None


def test_a_topic_does_not_contradict_the_one_before() -> None:
    assert warning([(1, 1.0)], [(2, 5.0)], [(3, 9.0)]) is None


def test_half_of_the_topics_are_not_enough() -> None:
    assert warning(WRONG, AGREE) is None
    assert warning(LEVEL, AGREE) is None


def test_scores_that_are_all_tied_under_ranks_that_are_not_are_told_of() -> None:
    said = warning(LEVEL, LEVEL, AGREE, [(1, 1.0)])
    assert said is not None
    assert (
        "all documents of a topic have one score, on 2 of 3 topics with several documents" in said
    )
    assert "order={'UOS-1': 'rank'}" in said


def test_shared_ranks_are_told_of_where_ranks_order() -> None:
    said = warning([(1, 1.0), (1, 2.0), (2, 0.5), (3, 1.0), (3, 0.0)], AGREE, order="rank")
    assert said is not None
    assert (
        "4 documents share their rank with another document of the topic, on 1 of 2 topics" in said
    )
    assert "by score, then by name" in said
    assert warning(AGREE, WRONG, LEVEL, order="rank") is None


@given(
    st.lists(
        st.lists(DOCUMENTS, min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_no_advice_leads_to_ranks_that_order_nothing(topics: list[Documents]) -> None:
    said = warning(*topics)
    if said is not None:
        # It would raise an error.
        warning(*topics, order="rank")

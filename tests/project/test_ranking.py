"""The one ranking function against a plain sort, and what it refuses and counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.errors import InputError
from irpref.project import ranking
from irpref.project.ranking import Ranking, rank_run
from irpref.read import read_run
from tests.literal import ranked, tied_group

# Names whose order by code point, by UTF-16 and by locale differ, and prefixes of each other.
NAMES = ["a", "A", "B", "aa", "é", "e", "z", "ﬀ", "文", "🙂", "\ue000", "10", "9", "-", "_", "ab"]
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, 0.1, 0.1 + 2**-54, 5e-324]),
    st.floats(allow_nan=False),
)
RUNS = st.dictionaries(
    st.sampled_from(["t1", "t2", "é"]),
    st.dictionaries(st.sampled_from(NAMES), SCORES, min_size=1, max_size=len(NAMES)),
    min_size=1,
)


def table(rows: list[tuple[Any, ...]], *columns: str) -> pl.DataFrame:
    return read_run(pl.DataFrame(rows, schema=list(columns), orient="row"))


def places(found: Ranking) -> dict[tuple[str, str], tuple[int, int, int]]:
    """By topic and document, the position and the bounds of the tied group."""
    rows = found.table.rows()
    assert len(set(rows)) == len(rows)
    bounds = zip(
        found.position.tolist(), found.tie_first.tolist(), found.tie_last.tolist(), strict=True
    )
    return dict(zip(rows, bounds, strict=True))


@given(run=RUNS, data=st.data())
def test_score_descending_then_name_descending_byte_by_byte(
    run: dict[str, dict[str, float]], data: st.DataObject
) -> None:
    rows = [(t, d, score) for t, scores in run.items() for d, score in scores.items()]
    shuffled = data.draw(st.permutations(rows))
    found = rank_run(table(shuffled, "topic", "document", "score"))
    wanted = {
        (topic, document): (position, *tied_group(scores, document))
        for topic, scores in run.items()
        for position, document in enumerate(ranked(scores), start=1)
    }
    assert places(found) == wanted
    assert dict(zip(found.topics, found.lengths.tolist(), strict=True)) == {
        topic: len(scores) for topic, scores in run.items()
    }
    assert found.table["topic"].rle().struct.field("value").to_list() == found.topics
    assert (found.duplicates, found.contradicted) == (0, 0)


@given(
    seed=st.integers(0, 2**32),
    size=st.integers(1, 4000),
    values=st.sampled_from([1, 2, 50, 10**9]),
)
def test_long_lists_are_ranked_as_a_plain_sort_ranks_them(
    seed: int, size: int, values: int
) -> None:
    rng = np.random.default_rng(seed)
    scores = dict(
        zip((f"d{i}" for i in range(size)), rng.integers(0, values, size).tolist(), strict=True)
    )
    found = places(rank_run(read_run({"t": scores})))
    assert ranked(scores) == sorted(scores, key=lambda d: found["t", d][0])
    assert sorted(position for position, _, _ in found.values()) == list(range(1, size + 1))
    for document in list(scores)[:20]:
        assert found["t", document][1:] == tied_group(scores, document)


def test_negative_zero_ties_with_zero_and_infinities_with_themselves() -> None:
    scores = {"a": 0.0, "b": -0.0, "c": math.inf, "d": math.inf, "e": -math.inf, "f": -math.inf}
    found = places(rank_run(read_run({"t": scores})))
    assert {document: place for (_, document), place in found.items()} == {
        "d": (1, 1, 2),
        "c": (2, 1, 2),
        "b": (3, 3, 4),
        "a": (4, 3, 4),
        "f": (5, 5, 6),
        "e": (6, 5, 6),
    }


def test_scores_that_only_64_bits_keep_apart_are_not_tied() -> None:
    found = places(rank_run(read_run({"t": {"a": 1.0 + 2**-40, "b": 1.0}})))
    assert found["t", "a"] == (1, 1, 1)
    assert np.float32(1.0 + 2**-40) == np.float32(1.0)


def test_the_rank_column_is_not_read() -> None:
    rows = [("t", "a", 1, 0.5), ("t", "b", 2, 0.7), ("t", "c", 3, 0.5)]
    found = rank_run(table(rows, "topic", "document", "rank", "score"))
    assert [found.position[i] for i in np.argsort(found.table["document"])] == [3, 1, 2]


def test_equal_hashes_are_told_apart_by_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    run = {"t": {"a": 2.0, "b": 1.0}, "u": {"a": 1.0}}
    expected = places(rank_run(read_run(run)))
    monkeypatch.setattr(
        ranking, "hash_pairs", lambda frame: np.zeros(frame.height, dtype=np.uint64)
    )
    assert places(rank_run(read_run(run))) == expected
    with pytest.raises(InputError, match="there twice"):
        rank_run(table([("t", "a", 1.0), ("t", "a", 1.0)], "topic", "document", "score"))


# order="rank"


@given(
    ranks=st.lists(st.integers(-5, 10**6), min_size=1, max_size=12, unique=True),
    scores=st.data(),
)
def test_order_by_rank_has_the_order_of_the_rank_column_and_no_ties(
    ranks: list[int], scores: st.DataObject
) -> None:
    rows = [
        ("t", f"d{i}", rank, scores.draw(st.sampled_from([0.0, 1.0])))
        for i, rank in enumerate(ranks)
    ]
    found = rank_run(table(rows, "topic", "document", "rank", "score"), order="rank")
    by_rank = sorted(range(len(ranks)), key=ranks.__getitem__)
    assert places(found) == {
        ("t", f"d{i}"): (position, position, position)
        for position, i in enumerate(by_rank, start=1)
    }
    assert found.contradicted == 0


def test_equal_ranks_keep_the_order_of_the_file() -> None:
    rows = [("t", "b", 1, 0.0), ("u", "x", 1, 0.0), ("t", "a", 1, 0.0), ("t", "c", 0, 0.0)]
    found = places(rank_run(table(rows, "topic", "document", "rank", "score"), order="rank"))
    assert [found["t", d][0] for d in "cba"] == [1, 2, 3]


def test_equal_ranks_keep_the_order_of_a_long_file_with_its_topics_interleaved() -> None:
    rows = [("tu"[i % 2], f"d{i * 7919 % 5000}", 1, 0.0) for i in range(5000)]
    found = rank_run(table(rows, "topic", "document", "rank", "score"), order="rank")
    assert sorted(found.table.rows()) == sorted((t, d) for t, d, _, _ in rows)
    for topic in "tu":
        wanted = [document for t, document, _, _ in rows if t == topic]
        assert [document for t, document in found.table.rows() if t == topic] == wanted
    assert found.position.tolist() == [*range(1, 2501)] * 2


def test_order_by_rank_needs_ranks() -> None:
    with pytest.raises(InputError, match="needs a whole number in the rank column") as error:
        rank_run(read_run({"301": {"d1": 1.0}}), source="some.run", order="rank")
    found = error.value
    assert (found.source, found.line, found.topic, found.document) == ("some.run", 1, "301", "d1")
    rows = [("t", "a", 1, 1.0), ("t", "b", None, 1.0)]
    with pytest.raises(InputError, match="line 2, topic t, document b"):
        rank_run(table(rows, "topic", "document", "rank", "score"), order="rank")


# Ranks against scores


def contradicted(*topics: list[tuple[int, float]], shuffle: bool = False) -> int:
    rows = [
        (f"t{t}", f"d{i}", rank, score)
        for t, pairs in enumerate(topics)
        for i, (rank, score) in enumerate(pairs)
    ]
    if shuffle:
        rows = rows[::2] + rows[1::2]
    return rank_run(table(rows, "topic", "document", "rank", "score")).contradicted


AGREE = [(1, 3.0), (2, 2.0), (3, 1.0)]
WRONG = [(1, 1.0), (2, 2.0), (3, 3.0)]


@pytest.mark.parametrize("shuffle", [False, True])
def test_topics_where_ranks_contradict_scores_are_counted(shuffle: bool) -> None:
    assert (
        contradicted(AGREE, WRONG, AGREE, WRONG, [(1, 5.0), (2, 4.0), (3, 4.5)], shuffle=shuffle)
        == 3
    )


@pytest.mark.parametrize(
    "pairs",
    [
        AGREE,
        AGREE[::-1],
        [AGREE[1], AGREE[2], AGREE[0]],
        [(0, 1.0), (0, 2.0), (0, 3.0)],
        [(1, 1.0), (1, 2.0), (2, 0.5)],
        [(1, 2.0), (2, 2.0), (3, 2.0)],
        [(10, 2.0), (70, 1.0)],
        [(0, 2.0)],
        [(1, math.inf), (2, math.inf), (3, -math.inf)],
    ],
)
def test_equal_or_unknown_ranks_and_equal_scores_are_no_contradiction(
    pairs: list[tuple[int, float]],
) -> None:
    assert contradicted(pairs) == 0


def test_a_topic_does_not_contradict_the_one_before() -> None:
    assert contradicted([(1, 1.0)], [(2, 5.0)], [(3, 9.0)]) == 0


# Duplicates

REPEATED = [
    ("301", "a", 5.0),
    ("301", "b", 4.0),
    ("302", "a", 9.0),
    ("301", "a", 3.0),
    ("301", "c", 2.0),
    ("301", "b", 7.0),
]


def test_a_repeated_document_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="there twice in this topic") as error:
        rank_run(table(REPEATED, "topic", "document", "score"), source="my.run")
    found = error.value
    assert (found.source, found.line, found.topic, found.document) == ("my.run", 4, "301", "a")
    assert str(found).startswith("my.run, line 4, topic 301, document a: ")
    assert "duplicates='first' (--duplicates first)" in str(found)


def test_first_keeps_the_best_placed_one_and_counts_the_rest() -> None:
    found = rank_run(table(REPEATED, "topic", "document", "score"), duplicates="first")
    assert found.duplicates == 2
    assert places(found) == {
        ("301", "b"): (1, 1, 1),
        ("301", "a"): (2, 2, 2),
        ("301", "c"): (3, 3, 3),
        ("302", "a"): (1, 1, 1),
    }


def test_first_by_rank_keeps_the_one_of_the_best_rank() -> None:
    rows = [("t", "a", 3, 9.0), ("t", "b", 2, 5.0), ("t", "a", 1, 1.0)]
    found = rank_run(
        table(rows, "topic", "document", "rank", "score"), order="rank", duplicates="first"
    )
    assert found.duplicates == 1
    assert places(found) == {("t", "a"): (1, 1, 1), ("t", "b"): (2, 2, 2)}


@given(
    rows=st.lists(
        st.tuples(st.sampled_from("tu"), st.sampled_from("abcd"), st.integers(0, 4).map(float)),
        min_size=1,
        max_size=20,
    )
)
def test_first_is_the_ranking_of_the_best_scores(rows: list[tuple[str, str, float]]) -> None:
    best: dict[str, dict[str, float]] = {}
    for topic, document, score in rows:
        scores = best.setdefault(topic, {})
        scores[document] = max(score, scores.get(document, score))
    found = rank_run(table(rows, "topic", "document", "score"), duplicates="first")
    assert places(found) == places(rank_run(read_run(best)))
    assert found.duplicates == len(rows) - sum(map(len, best.values()))


def test_one_document_in_two_topics_is_no_duplicate() -> None:
    assert rank_run(read_run({"t": {"a": 1.0}, "u": {"a": 1.0}})).duplicates == 0
    # Nor are pairs whose names run together to the same text.
    rank_run(table([("ab", "c", 1.0), ("a", "bc", 1.0)], "topic", "document", "score"))


# Options


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        ({"order": "scores"}, "score"),
        ({"order": "ranks"}, "rank"),
        ({"duplicates": "firsts"}, "first"),
        ({"duplicates": "errors"}, "error"),
    ],
)
def test_unknown_options_are_refused_with_the_nearest(
    options: dict[str, Any], nearest: str
) -> None:
    name, value = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"unknown {name} '{value}'; did you mean '{nearest}'"):
        rank_run(read_run({"t": {"a": 1.0}}), **options)

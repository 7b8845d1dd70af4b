"""The one ranking function against a plain sort, and what it refuses and counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.errors import InputError
from irpref.positions import ranking
from irpref.positions.ranking import Ranking, rank_run
from irpref.read import read_run
from tests.literal import ranked, tied_group
from tests.positions.same_hash import same_hash

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


def topics_of(found: Ranking) -> list[str]:
    return found.segments.topics.gather(found.segments.indices).to_list()


def places(found: Ranking) -> dict[tuple[str, str], tuple[int, int, int]]:
    """By topic and document, the position and the bounds of the tied group."""
    rows = list(zip(topics_of(found), found.documents, strict=True))
    assert len(set(rows)) == len(rows)
    bounds = zip(*(place.tolist() for place in found.everywhere[1:]), strict=True)
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
    assert dict(zip(found.segments.topics, found.segments.lengths.tolist(), strict=True)) == {
        topic: len(scores) for topic, scores in run.items()
    }
    assert found.segments.topics.is_unique().all()
    assert (len(found.repeated), found.warning) == (0, None)


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
    assert [found.everywhere.position[i] for i in np.argsort(found.documents)] == [3, 1, 2]


def test_equal_hashes_are_told_apart_by_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    run = {"t": {"a": 2.0, "b": 1.0}, "u": {"a": 1.0}}
    expected = places(rank_run(read_run(run)))
    monkeypatch.setattr(ranking, "hash_names", same_hash)
    assert places(rank_run(read_run(run))) == expected
    with pytest.raises(InputError, match="there twice"):
        rank_run(table([("t", "a", 1.0), ("t", "a", 1.0)], "topic", "document", "score"))


# order="rank"


RANKED = ("topic", "document", "rank", "score")


@given(
    documents=st.dictionaries(
        st.sampled_from(NAMES),
        st.tuples(st.integers(-2, 2) | st.integers(-(2**62), 2**62), st.sampled_from([0.0, 1.0])),
        min_size=1,
    ),
    data=st.data(),
)
def test_order_by_rank_is_by_rank_then_score_then_name_and_has_no_ties(
    documents: dict[str, tuple[int, float]], data: st.DataObject
) -> None:
    rows = [("t", name, *values) for name, values in documents.items()]
    # Another topic has ranks that differ, so that the column orders something.
    rows += [("u", "x", 1, 0.0), ("u", "y", 2, 0.0)]
    found = rank_run(table(data.draw(st.permutations(rows)), *RANKED), order="rank")
    by_name = sorted(documents, key=lambda name: name.encode(), reverse=True)
    wanted = sorted(by_name, key=lambda name: (documents[name][0], -documents[name][1]))
    assert {pair: place for pair, place in places(found).items() if pair[0] == "t"} == {
        ("t", name): (position, position, position) for position, name in enumerate(wanted, start=1)
    }
    shared = len({rank for rank, _ in documents.values()}) < len(documents)
    assert (found.warning is not None) == shared


def test_a_long_run_with_tied_ranks_and_its_topics_interleaved_is_as_its_shuffled_copy() -> None:
    rng = np.random.default_rng(0)
    rows = [("tu"[i % 2], f"d{i}", i // 100, float(rng.integers(5))) for i in range(5000)]
    one = places(rank_run(table(rows, *RANKED), order="rank"))
    assert (
        places(rank_run(table([rows[i] for i in rng.permutation(5000)], *RANKED), order="rank"))
        == one
    )


@pytest.mark.parametrize("rank", [0, 1, -1])
def test_a_rank_column_that_orders_nothing_is_refused(rank: int) -> None:
    rows = [("t", "a", rank, 1.0), ("t", "b", rank, 2.0), ("u", "a", rank + 1, 1.0)]
    with pytest.raises(InputError, match=r"my\.run: the rank column orders nothing") as error:
        rank_run(table(rows, *RANKED), source="my.run", order="rank")
    assert "order='score'" in str(error.value.remedy)


def test_topics_of_one_document_need_no_order() -> None:
    rows = [("t", "a", 0, 1.0), ("u", "b", 0, 1.0)]
    assert rank_run(table(rows, *RANKED), order="rank").everywhere.position.tolist() == [1, 1]


def test_order_by_rank_needs_ranks() -> None:
    with pytest.raises(InputError, match="needs a whole number in the rank column") as error:
        rank_run(read_run({"301": {"d1": 1.0}}), source="some.run", order="rank")
    found = error.value
    assert (found.source, found.topic, found.document) == ("some.run", "301", "d1")
    rows = [("t", "a", 1, 1.0), ("t", "b", None, 1.0)]
    with pytest.raises(InputError, match="line 2, topic t, document b"):
        rank_run(table(rows, "topic", "document", "rank", "score"), order="rank")


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
    assert "duplicates='first'" in str(found)


@pytest.mark.parametrize("order", ["score", "rank"])
def test_the_first_of_two_faulty_lines_is_named(order: Any) -> None:
    rows = [("t", "a", 1, 1.0), ("t", "b", 2, 1.0), ("t", "a", 3, 1.0), ("t", "c", None, 1.0)]
    with pytest.raises(InputError, match=r"line 3.*there twice"):
        rank_run(table(rows, *RANKED), order=order)
    rows[1] = ("t", "b", None, 1.0)
    wanted = "line 2.*needs a whole number" if order == "rank" else "line 3.*there twice"
    with pytest.raises(InputError, match=wanted):
        rank_run(table(rows, *RANKED), order=order)


def test_first_keeps_the_best_placed_one_and_counts_the_rest() -> None:
    found = rank_run(table(REPEATED, "topic", "document", "score"), duplicates="first")
    assert len(found.repeated) == 2
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
    assert len(found.repeated) == 1
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
    assert len(found.repeated) == len(rows) - sum(map(len, best.values()))


def test_one_document_in_two_topics_is_no_duplicate() -> None:
    assert rank_run(read_run({"t": {"a": 1.0}, "u": {"a": 1.0}})).repeated.is_empty()
    # Nor are pairs whose names run together to the same text.
    rank_run(table([("ab", "c", 1.0), ("a", "bc", 1.0)], "topic", "document", "score"))

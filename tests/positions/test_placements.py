"""Where every run puts every relevant item: how the arrays are laid out, and names to indices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.positions.found_positions import QRELS, RUNS
from tests.random_cases import place


def test_topics_in_the_order_of_the_qrels_and_rows_by_falling_grade() -> None:
    qrels = {"9": {"b": 1, "a": 1, "c": 3}, "10": {"z": 0}, "1": {"é": 1}}
    collection = place(qrels, {"s": {"1": {"é": 1.0}}})
    assert collection.topics == ("9", "1")
    assert collection.starts.tolist() == [0, 3, 4]
    assert collection.documents.tolist() == ["c", "a", "b", "é"]
    assert collection.coverage.topics_without_relevant == ("10",)
    assert collection.coverage.missing == {"s": ("9", "10")}


def test_systems_and_topics_are_found_by_name_or_refused_with_the_nearest() -> None:
    collection = place(QRELS, RUNS)
    assert (collection.system("tfidf"), collection.topic("302"), collection.topic(301)) == (1, 1, 0)
    with pytest.raises(ValueError, match="unknown system 'bm52'; did you mean 'bm25'"):
        collection.system("bm52")
    with pytest.raises(ValueError, match=r"unknown topic '303' \(known: 301, 302\)"):
        collection.topic("303")


def test_a_long_list_needs_wider_positions() -> None:
    for length, dtype in ((32_766, np.int16), (32_767, np.int32), (100_000, np.int32)):
        run = {"t": {f"d{i}": float(-i) for i in range(length)}}
        qrels = {"t": {f"d{length - 1}": 1, "d0": 1, "never": 1}}
        collection = place(qrels, {"s": run})
        assert collection.positions.dtype == dtype
        where = dict(zip(collection.documents, collection.positions[:, 0].tolist(), strict=True))
        assert where == {"d0": 1, f"d{length - 1}": length, "never": collection.unretrieved}
        assert length < collection.unretrieved


def test_a_pair_needs_rankings_only_where_these_are_looked_at() -> None:
    collection = place(QRELS, RUNS)
    assert collection.pair("bm25", "tfidf", "explain") == collection.pair("bm25", "tfidf") == (0, 1)
    nothing = collection.positions[:0]
    scores = replace(collection, positions=nothing, tie_first=nothing, tie_last=nothing)
    assert scores.pair("tfidf", "bm25") == (1, 0)
    with pytest.raises(ValueError, match=r"^explain needs rankings, and this comparison has none$"):
        scores.pair("bm25", "tfidf", "explain")


def test_no_array_can_be_written_to_and_none_that_was_handed_over_is_locked() -> None:
    whole = place(QRELS, RUNS)
    handed_over = whole.positions.copy()
    for collection in (whole, whole.at(1), replace(whole, positions=handed_over)):
        arrays = {
            name: array for name, array in vars(collection).items() if isinstance(array, np.ndarray)
        }
        assert {"positions", "tie_first", "tie_last", "grades", "starts"} <= set(arrays)
        for array in arrays.values():
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 1
    handed_over[0] = 1

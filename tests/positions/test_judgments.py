"""The qrels: repeated judgments, names with one hash, and qrels that no run can be held against."""

from __future__ import annotations

from pathlib import Path

import pytest

from irpref.base.errors import InputError
from irpref.positions import judgments, ranking
from tests.positions.found_positions import QRELS, RUNS, found_in
from tests.positions.same_hash import same_hash
from tests.random_cases import place


def test_a_repeated_judgment_takes_its_highest_grade() -> None:
    lines = "301 4.5 d1 1\n301 5 d1 2\n301 5 d2 1\n301 4 d2 -1\n301 4 d3 0\n"
    path_rows = [line.split() for line in lines.splitlines()]
    records = [
        type("Judgment", (), {"query_id": t, "doc_id": d, "relevance": float(g), "iteration": i})
        for t, i, d, g in path_rows
    ]
    collection = place(records, {"s": {"301": {"d1": 1.0}}})
    assert dict(zip(collection.documents, collection.grades, strict=True)) == {"d1": 2, "d2": 1}


def test_equal_hashes_are_told_apart_by_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = found_in(place(QRELS, RUNS))
    for module in (ranking, judgments):
        monkeypatch.setattr(module, "hash_names", same_hash)
    assert found_in(place(QRELS, RUNS)) == expected


def test_a_run_that_has_no_topic_in_common_with_the_qrels_is_refused() -> None:
    with pytest.raises(InputError, match="no topic in common with the qrels") as error:
        place(QRELS, {"bm25": RUNS["bm25"], "odd": {"0301": {"d1": 1.0}}})
    assert error.value.source == "run 'odd'"
    assert "(qrels: 301, 302; run: 0301)" in str(error.value)
    assert "written differently?" in str(error.value)


def test_topics_in_common_without_relevant_items_are_enough() -> None:
    qrels = {"301": {"d1": 1}, "302": {"d1": 0}}
    collection = place(qrels, {"s": {"302": {"d1": 1.0}}})
    assert collection.coverage.missing == {"s": ("301",)}


@pytest.mark.parametrize("grade", [0, -1])
def test_qrels_in_which_nothing_is_relevant_are_refused(grade: int, tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"301 0 d1 {grade}\n")
    with pytest.raises(InputError, match="no judgment has a grade above 0") as error:
        place(path, RUNS)
    assert error.value.source == str(path)

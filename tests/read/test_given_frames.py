"""Objects in memory: dicts, frames under three sets of names, and the frameworks' own records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.read import read_qrels, read_run

RUN_ROWS = [("301", "d1", 2.5), ("301", "d2", 1.5), ("302", "d1", 7.0)]
QRELS_ROWS = [("301", "d1", 2.0), ("301", "d2", 0.0), ("302", "d1", -1.0)]
NAMES = {
    "ir_measures": ("query_id", "doc_id", "score", "relevance"),
    "PyTerrier": ("qid", "docno", "score", "label"),
    "ranx": ("q_id", "doc_id", "score", "score"),
    "irpref": ("topic", "document", "score", "grade"),
}


def run_rows(run: Any) -> list[tuple[str, str, float]]:
    return read_run(run).select("topic", "document", "score").rows()


def qrels_rows(qrels: Any) -> list[tuple[str, str, float]]:
    return read_qrels(qrels).select("topic", "document", "grade").rows()


def nested(rows: list[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    data: dict[str, dict[str, float]] = {}
    for topic, document, number in rows:
        data.setdefault(topic, {})[document] = number
    return data


# Legal


def test_dicts_are_read_in_their_order() -> None:
    assert run_rows(nested(RUN_ROWS)) == RUN_ROWS
    assert qrels_rows(nested(QRELS_ROWS)) == QRELS_ROWS
    assert read_qrels(nested(QRELS_ROWS))["subtopic"].to_list() == [None] * 3
    assert read_run(nested(RUN_ROWS))["rank"].to_list() == [None] * 3
    assert read_run(nested(RUN_ROWS))["line"].to_list() == [None] * 3


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy"])
def test_frames_under_the_names_of_each_tool(names: tuple[str, ...], kind: str) -> None:
    topic, document, score, grade = names
    for rows, number, read in ((RUN_ROWS, score, run_rows), (QRELS_ROWS, grade, qrels_rows)):
        frame: Any = pd.DataFrame(rows, columns=[topic, document, number])
        if kind != "pandas":
            frame = pl.DataFrame(rows, schema=[topic, document, number], orient="row")
        if kind == "lazy":
            frame = frame.lazy()
        assert read(frame) == rows


class Exporter:
    """Has data of Arrow, and nothing else in common with a frame."""

    def __init__(self, frame: pl.DataFrame | None) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if self._frame is None:
            raise RuntimeError("there is nothing left")
        return self._frame.__arrow_c_stream__(requested_schema)


def test_data_of_arrow_are_read() -> None:
    for rows, number, read in ((RUN_ROWS, "score", run_rows), (QRELS_ROWS, "label", qrels_rows)):
        frame = pl.DataFrame(rows, schema=["qid", "docno", number], orient="row")
        assert read(Exporter(frame)) == rows
        assert read(Exporter(frame.cast({"qid": pl.Categorical}))) == rows
    assert "there is nothing left" in refused(Exporter(None)).problem
    assert "a known name for the topic" in refused(Exporter(pl.DataFrame({"x": [1]}))).problem


def test_columns_that_are_not_used_are_not_computed() -> None:
    frame = pl.LazyFrame(RUN_ROWS, schema=["qid", "docno", "score"], orient="row")
    broken = pl.col("docno").str.to_integer()
    assert run_rows(frame.with_columns(tag=broken)) == RUN_ROWS
    assert "cannot be collected" in refused(frame.with_columns(rank=broken)).problem


def test_other_columns_and_the_order_of_columns_do_not_matter() -> None:
    frame = pd.DataFrame(
        {"query": ["x"], "score": [1.5], "rank": [0], "docid": [9], "docno": ["d"], "qid": ["q"]}
    )
    assert read_run(frame).drop("line").rows() == [("q", "d", 0, 1.5)]


def test_the_index_of_a_frame_does_not_matter() -> None:
    frame = (
        pd.DataFrame(RUN_ROWS, columns=["qid", "docno", "score"]).iloc[::-1].set_index([[7, 7, 7]])
    )
    assert run_rows(frame) == RUN_ROWS[::-1]


@pytest.mark.parametrize("column", ["subtopic", "iteration"])
def test_subtopics_are_those_of_their_column(column: str) -> None:
    frame = pd.DataFrame({"qid": ["q"] * 2, column: [1, 2], "docno": ["d"] * 2, "label": [1, 0]})
    assert read_qrels(frame)["subtopic"].to_list() == ["1", "2"]
    assert read_qrels(pl.DataFrame(frame.to_dict("list")))["subtopic"].to_list() == ["1", "2"]


def test_records_of_ir_measures_are_read() -> None:
    run = [ir_measures.ScoredDoc(*row) for row in RUN_ROWS]
    qrels = [ir_measures.Qrel(topic, document, int(grade)) for topic, document, grade in QRELS_ROWS]
    assert run_rows(run) == RUN_ROWS
    assert qrels_rows(qrels) == QRELS_ROWS
    assert read_qrels(qrels)["subtopic"].to_list() == ["0"] * 3
    assert read_qrels([ir_measures.Qrel("q", "d", 1, "7")])["subtopic"].to_list() == ["7"]


def test_an_iterator_is_consumed_once() -> None:
    taken = []

    def records() -> Iterator[ir_measures.ScoredDoc]:
        for row in RUN_ROWS:
            taken.append(row)
            yield ir_measures.ScoredDoc(*row)

    assert run_rows(records()) == RUN_ROWS
    assert taken == RUN_ROWS
    assert qrels_rows(ir_measures.Qrel(*row) for row in QRELS_ROWS) == QRELS_ROWS


def test_records_need_no_subtopics() -> None:
    @dataclass
    class Judgment:
        query_id: int
        doc_id: int
        relevance: int

    table = read_qrels([Judgment(1, 2, 3)])
    assert table.rows() == [("1", None, "2", 3.0, 1)]


def test_objects_with_a_to_dict_like_those_of_ranx_are_read() -> None:
    """ranx's Qrels and Run are no mappings; their to_dict gives a dict of dicts, ranked.

    Not ranx itself: it takes half a minute to compile what makes them.
    """

    class LikeRanx:
        def __init__(self, rows: list[tuple[str, str, float]]) -> None:
            self._rows = rows

        def to_dict(self) -> dict[str, dict[str, float]]:
            return nested(self._rows)

    assert run_rows(LikeRanx(RUN_ROWS)) == RUN_ROWS
    assert qrels_rows(LikeRanx(QRELS_ROWS)) == QRELS_ROWS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (301, "301"),
        (301.0, "301"),
        (np.int64(7), "7"),
        (np.float64(7.0), "7"),
        (0, "0"),
        (-3, "-3"),
        (2**60, str(2**60)),
        (1.5, "1.5"),
        ("é 文", "é 文"),
        ("007", "007"),
        ("1.0", "1.0"),
    ],
)
def test_ids_become_text(name: Any, text: str) -> None:
    assert run_rows({name: {name: 1}}) == [(text, text, 1.0)]
    frame = pd.DataFrame({"qid": [name], "docno": [name], "score": [1]})
    assert run_rows(frame) == [(text, text, 1.0)]
    assert run_rows(pl.DataFrame(frame.to_dict("list"))) == [(text, text, 1.0)]
    assert run_rows([SimpleNamespace(query_id=name, doc_id=name, score=1)]) == [(text, text, 1.0)]


def test_columns_of_numbers_are_the_text_of_the_file() -> None:
    """A frame that pandas read from a file has whole numbers, or floats where one was missing."""
    frame = pd.DataFrame({"qid": [301.0, 302.0], "docno": [17, 18], "label": [1, 0]})
    assert qrels_rows(frame) == [("301", "17", 1.0), ("302", "18", 0.0)]


def test_categories_and_pandas_strings_are_read() -> None:
    frame = pd.DataFrame(RUN_ROWS, columns=["qid", "docno", "score"])
    frame = frame.astype({"qid": "category", "docno": "string", "score": "Float64"})
    assert run_rows(frame) == RUN_ROWS
    assert (
        run_rows(
            pl.DataFrame(RUN_ROWS, schema=["qid", "docno", "score"], orient="row").cast(
                {"qid": pl.Categorical}
            )
        )
        == RUN_ROWS
    )


def test_grades_and_scores_are_floats() -> None:
    assert qrels_rows({"q": {"a": 1.5, "b": -2, "c": True}}) == [
        ("q", "a", 1.5),
        ("q", "b", -2),
        ("q", "c", 1),
    ]
    rows = run_rows({"q": {"a": np.float32(0.5), "b": float("inf"), "c": -np.inf, "d": np.int8(3)}})
    assert rows == [("q", "a", 0.5), ("q", "b", np.inf), ("q", "c", -np.inf), ("q", "d", 3)]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_ranks_that_are_not_there_are_unknown(missing: Any) -> None:
    frame = pd.DataFrame(
        {"qid": ["q"] * 2, "docno": ["a", "b"], "score": [1, 2], "rank": [1, missing]}
    )
    assert read_run(frame)["rank"].to_list() == [1, None]
    typed = frame.astype({"rank": "Int64"})
    assert read_run(typed)["rank"].to_list() == [1, None]
    assert read_run(pl.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0], "rank": [None]}))[
        "rank"
    ].to_list() == [None]


def test_ranks_that_are_no_whole_numbers_are_unknown_as_in_a_file() -> None:
    frame = pd.DataFrame(
        {"qid": ["q"] * 3, "docno": ["a", "b", "c"], "score": [1, 2, 3], "rank": [2.0, 1.5, "x"]}
    )
    assert read_run(frame)["rank"].to_list() == [2, None, None]


def test_the_given_object_is_not_changed() -> None:
    frame = pd.DataFrame({"qid": [301.0], "docno": [1], "score": [1]})
    before = frame.copy()
    read_run(frame)
    pd.testing.assert_frame_equal(frame, before)


# What is wrong


def refused(data: Any, kind: str = "run", **where: object) -> InputError:
    with pytest.raises(InputError) as caught:
        (read_run if kind == "run" else read_qrels)(data)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.source == kind
    for name in ("line", "topic", "document"):
        assert getattr(error, name) == where.get(name), name
        if name in where:
            assert f"{name} {where[name]}" in str(error)
    return error


@pytest.mark.parametrize("bad", ["x", None, "", [1], pd.NA, 10**400])
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_what_is_no_number_is_refused_with_its_place(kind: str, bad: Any) -> None:
    number, what = ("score", "score") if kind == "run" else ("relevance", "grade")
    expected = f"the {what} {shortened(repr(bad))} is not a number"
    where = {"line": 2, "topic": "7", "document": "b"}
    in_a_dict = refused({7: {"a": 1.0, "b": bad}}, kind, topic="7", document="b")
    assert in_a_dict.problem == expected
    frame = pd.DataFrame(
        {"query_id": [7, 7], "doc_id": ["a", "b"], number: pd.Series([1.0, bad], dtype=object)}
    )
    assert refused(frame, kind, **where).problem == expected
    records = [
        SimpleNamespace(query_id=7, doc_id=d, **{number: n}) for d, n in (("a", 1), ("b", bad))
    ]
    assert refused(records, kind, **where).problem == expected


@pytest.mark.filterwarnings("error")
def test_whole_numbers_of_any_size_are_read_or_refused_by_name() -> None:
    assert run_rows({"q": {"a": 2**63, "b": -(2**64), "c": 1}})[0] == ("q", "a", 2.0**63)
    error = refused({7: {"a": 1, "b": 10**5000}}, topic="7", document="b")
    assert error.problem == "the score a number of thousands of digits is not a number"


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_nan_is_refused_with_its_place(kind: str) -> None:
    where = {"line": 2, "topic": "7", "document": "b"}
    in_a_dict = refused({7: {"a": 1.0, "b": float("nan")}}, kind, topic="7", document="b")
    assert "NaN" in in_a_dict.problem
    frame = pd.DataFrame({"qid": [7, 7], "docno": ["a", "b"], "score": [1, np.nan]})
    assert "NaN" in refused(frame, kind, **where).problem


def test_null_scores_of_polars_are_refused_with_their_place() -> None:
    frame = pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, None]})
    assert "not a number" in refused(frame, line=2, topic="q", document="b").problem


@pytest.mark.parametrize("bad", [None, float("nan"), "", pd.NA, np.nan])
def test_ids_that_are_not_there_are_refused(bad: Any) -> None:
    for topics, documents, what in (
        (["q", bad], ["a", "b"], "topic"),
        (["q", "q"], ["a", bad], "document"),
    ):
        frame = pd.DataFrame(
            {
                "qid": pd.Series(topics, dtype=object),
                "docno": pd.Series(documents, dtype=object),
                "score": [1, 2],
            }
        )
        where = {"document": "b"} if what == "topic" else {"topic": "q"}
        assert refused(frame, line=2, **where).problem == f"the {what} is empty"


@pytest.mark.parametrize(
    "empty", [{}, {"q": {}}, [], iter(()), pd.DataFrame({"qid": [], "docno": [], "score": []})]
)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_what_is_empty_is_refused(kind: str, empty: Any) -> None:
    assert refused(empty, kind).problem == f"the {kind} is empty"


def test_a_dict_that_is_not_nested_is_refused() -> None:
    error = refused({"d1": 1.0, "d2": 2.0}, topic="d1")
    assert "expected {document: score}, found float" in error.problem
    problem = refused({"q": {"d": 1}, "r": ["d1"]}, "qrels", topic="r").problem
    assert "expected {document: grade}, found list" in problem


@pytest.mark.parametrize("record", [("q", "d", 1.0), SimpleNamespace(query_id="q", doc_id="d")])
def test_records_without_the_attributes_are_refused(record: Any) -> None:
    good = SimpleNamespace(query_id="q", doc_id="c", score=2.0)
    assert "attributes query_id, doc_id and score" in refused([good, record], line=2).problem


@pytest.mark.parametrize("data", [None, 7, b"301 Q0 d 1 1 x"])
def test_other_objects_are_refused_with_what_to_give(data: Any) -> None:
    error = refused(data)
    assert type(data).__name__ in error.problem
    assert "give a path, a dict of dicts, a DataFrame or an iterable" in str(error.remedy)


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_whole_numbers_that_are_one_float_are_refused_with_their_place(
    kind: str, tmp_path: Path
) -> None:
    """Documents that someone told apart would tie, in silence."""
    name = "score" if kind == "run" else "relevance"
    columns = {"query_id": [7, 7, 7], "doc_id": ["a", "b", "c"], name: [1, 2**53 + 1, 2**53]}
    pl.DataFrame(columns).write_parquet(tmp_path / "parquet")
    (tmp_path / "json").write_text(json.dumps({"7": {"a": 1, "b": 2**53 + 1, "c": 2**53}}))
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "lines").write_text("\n".join(map(json.dumps, rows)))
    sources = [pl.DataFrame(columns), pd.DataFrame(columns), tmp_path / "parquet"]
    sources += [tmp_path / "json", tmp_path / "lines", {7: {"a": 1, "b": 2**53 + 1, "c": 2**53}}]
    for data in sources:
        with pytest.raises(InputError) as caught:
            (read_run if kind == "run" else read_qrels)(data)
        what = "score" if kind == "run" else "grade"
        assert str(caught.value).endswith(
            f"topic 7, document b: the {what} 9007199254740993 equals another one as a float; "
            "give numbers below 2^53"
        )

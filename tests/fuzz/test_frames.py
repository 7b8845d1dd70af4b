"""Objects in memory, with odd values: read value by value, or refused at the first row that is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irpref.base.errors import InputError
from tests.fuzz.agreement import assert_agrees, library_rows
from tests.fuzz.effort import effort
from tests.fuzz.frames import (
    Either,
    column_names,
    columns_of_values,
    held,
    literal,
    name_of,
    pandas_frame,
    polars_frame,
)
from tests.fuzz.strict_reader import Kind, Reading, anywhere

KINDS = pytest.mark.parametrize("kind", ["run", "qrels"])


def assert_read_so(data: Any, kind: Kind, wanted: Reading, *, lines: bool = True) -> None:
    """The library agrees; ranks and subtopics that may be read either way are taken as it reads them."""
    found = library_rows(data, kind)
    if not isinstance(found, InputError) and len(found) == len(wanted.rows):
        rows = []
        for row, read in zip(wanted.rows, found, strict=True):
            either = [n for n in ("rank", "subtopic") if isinstance(getattr(row, n), Either)]
            free = {name: getattr(read, name) for name in either}
            rows.append(replace(row, **free, line=row.line if lines else None))
        wanted = replace(wanted, rows=tuple(rows))
    assert_agrees(data, kind, wanted if lines else anywhere(wanted))


@KINDS
@effort(150)
@given(data=st.data())
def test_pandas_frames_are_read_literally(data: st.DataObject, kind: Kind) -> None:
    columns, names = data.draw(columns_of_values(kind)), data.draw(column_names(kind))
    dtype = data.draw(st.sampled_from((object, None, "category", "string", "Float64")))
    try:
        frame = pandas_frame(columns, names, dtype)
    except Exception:
        assume(False)  # pandas cannot hold them so
    assert_read_so(frame, kind, literal(held(frame, columns, names), kind))


@KINDS
@effort(150)
@given(data=st.data())
def test_polars_frames_are_read_literally(data: st.DataObject, kind: Kind) -> None:
    columns, names = data.draw(columns_of_values(kind)), data.draw(column_names(kind))
    strict, lazy = data.draw(st.booleans()), data.draw(st.booleans())
    try:
        frame = polars_frame(columns, names, strict)
    except (Exception, pl.exceptions.PanicException):
        assume(False)  # polars cannot hold them so
    assert_read_so(
        frame.lazy() if lazy else frame, kind, literal(held(frame, columns, names), kind)
    )


@KINDS
@effort(150)
@given(data=st.data())
def test_dicts_are_read_literally(data: st.DataObject, kind: Kind) -> None:
    columns = data.draw(columns_of_values(kind))
    nested: dict[Any, Any] = {}
    try:
        for topic, document, number in zip(*list(columns.values())[:3], strict=True):
            nested.setdefault(topic, {})[document] = number
    except Exception:
        assume(False)  # they are no keys
    rows = [(t, d, n) for t, documents in nested.items() for d, n in documents.items()]
    named = {"topic": 0, "document": 1, "number": 2}
    wanted = literal({name: [row[i] for row in rows] for name, i in named.items()}, kind)
    # 1 and "1" are one topic as text.
    names = [list(map(name_of, keys)) for keys in (nested, *nested.values())]
    texts = [[n.value if isinstance(n, Either) else n for n in each] for each in names]
    alike = any(len(set(each)) < len(each) for each in texts)
    assert_read_so(nested, kind, replace(wanted, loose=wanted.loose or alike), lines=False)


@KINDS
@pytest.mark.parametrize("column", ["topic", "document", "number", "rank", "other"])
def test_a_column_that_is_there_twice_is_refused_by_name(column: str, kind: Kind) -> None:
    names = ["qid", "docno", "score" if kind == "run" else "label", "rank", "tag"]
    twice = names[["topic", "document", "number", "rank", "other"].index(column)]
    frame = pd.DataFrame([["q", "d", 1.0, 1, "t", "again"]], columns=[*names, twice])
    found = library_rows(frame, kind)
    if column == "other" or (column, kind) == ("rank", "qrels"):
        assert not isinstance(found, InputError)
    else:
        assert isinstance(found, InputError)
        assert twice in str(found)


@pytest.mark.parametrize(
    "data",
    [
        pl.scan_parquet("/no/such.parquet"),
        pl.LazyFrame({"a": [1]}).select("b"),
        pl.LazyFrame({"qid": ["1"]}).with_columns(pl.col("qid").cast(pl.Date)),
        pd.DataFrame,
        type(pd.DataFrame),
        pd.DataFrame({f"column{i}\x1b": [1] for i in range(3000)}),
        pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1]}).groupby("qid"),
        pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1]}).set_index("qid"),
        pd.Series([1, 2]),
        [("q", "d", 1.0)],
        ["x" * 5000],
        iter([]),
        b"301 Q0 d 1 1 t",
        {"q": [("d", 1.0)]},
        {"q": {"d": {"x": 1}}},
        {"q": None, "r": {"d": 1}},
        {},
        None,
        5,
        object(),
    ],
    ids=lambda data: type(data).__name__,
)
@KINDS
def test_what_is_no_run_and_no_qrels_is_refused(data: Any, kind: Kind) -> None:
    assert isinstance(library_rows(data, kind), InputError)

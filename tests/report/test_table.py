"""A table as people read it: numbers in their formats, marks behind them, nothing for what is missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from irpref.base.wording import Words
from irpref.report.report import Report, render
from irpref.report.table import (
    P_VALUE,
    Table,
    count_of,
    table_of,
    to_pandas,
)

ROWS = pl.DataFrame(
    {
        "system": ["a", None],
        "mean": [-1 / 3, float("nan")],
        "wins": [3, None],
        "share": [1.0, 0.25],
        "sure": [True, False],
        "p": [0.04999, 1e-9],
    }
)


def test_numbers_are_aligned() -> None:
    wins = [3, 0, 2, 1, 5, 10**6]
    frame = pl.DataFrame({"wins": wins})
    below = render(Report("", (Table("", frame),), frame)).partition("─\n")[2]
    rows = below.partition("\n\n")[0].splitlines()
    assert [row.rstrip() for row in rows] == [f"{n:7}" for n in wins]


def test_cells_are_in_their_format_and_empty_where_there_is_nothing() -> None:
    table = Table("", ROWS, {"mean": "+.3f", "share": ".0%", "p": P_VALUE})
    assert table.cells() == [
        ["a", "-0.333", "3", "100%", "True", "0.0500"],
        ["", "", "", "25%", "False", "<0.0001"],
    ]
    assert Table("", ROWS).cells()[0][3] == "1"
    assert table.right_aligned() == [False, True, True, True, True, True]


def test_marks_stand_behind_their_cells_and_texts_are_cleaned() -> None:
    table = Table("", ROWS.select("system", "wins"), marks={"wins": ["†", ""]})
    assert table.cells() == [["a", "3 †"], ["", ""]]
    assert table.cells(lambda mark: f"({mark})", str.upper) == [["A", "3(†)"], ["", ""]]
    labelled = table.labelled_cells(lambda mark: f"^{mark}", str.upper)
    assert labelled.columns.to_list() == ["SYSTEM", "WINS"]
    assert labelled.iloc[0].to_list() == ["A", "3^†"]


def test_texts_among_the_keys_are_flexible_unless_others_are_named() -> None:
    frame = ROWS.select("wins", "system", pl.lit("x").alias("word"))
    assert Table("", frame, keys=2).flexible_columns() == {1}
    assert Table("", frame, keys=3).flexible_columns() == {1, 2}
    assert Table("", frame, keys=1).flexible_columns() == set()
    assert Table("", frame, keys=1, flexible=["word"]).flexible_columns() == {2}


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 topics"), (1, "1 topic"), (2, "2 topics"), (1234, "1,234 topics")]
)
def test_a_noun_is_plural_unless_there_is_one(number: int, text: str) -> None:
    assert count_of(number, "topic") == text


def test_a_table_goes_to_pandas_and_back() -> None:
    infinite = ROWS.with_columns(share=pl.Series([float("inf"), 0.25]))
    frame = to_pandas(infinite)
    assert str(frame["wins"].dtype) == "Int64"
    assert frame["wins"].isna().to_list() == [False, True]
    assert frame["system"][0] == "a"
    assert frame["system"].isna().to_list() == [False, True]
    assert table_of(frame).fill_nan(None).equals(infinite.fill_nan(None))


def test_columns_of_pandas_of_any_type_are_columns_of_a_table() -> None:
    frame = pd.DataFrame(
        {
            "text": np.array(["a", None], dtype=object),
            "whole": pd.array([1, None], dtype="Int64"),
            "flag": [True, False],
            "number": np.array([0.5, np.nan], dtype=np.float32),
        },
        index=[7, 7],
    )
    table = table_of(frame)
    assert table.rows() == [("a", 1, True, 0.5), (None, None, False, None)]
    assert table.schema["whole"] == pl.Int64


def test_words_change_what_is_read_and_not_the_frame() -> None:
    frame = pl.DataFrame({"topic": ["topic 7", "a topic"], "user": [1, 2], "documents": [0.5, 2]})
    table = Table("By topic", frame, {"documents": "+.1f"}, {"user": ["†", ""]})
    plain = Report("Topics", (table,), frame, ("A document.",))
    report = plain.worded(Words(True, ["topic 7"]))
    assert (report.title, report.remarks, report.tables[0].caption) == (
        "Users",
        ("An item.",),
        "By user",
    )
    assert report.tables[0].headings == ["user", "user", "items"]
    assert report.tables[0].cells() == [["topic 7", "1 †", "+0.5"], ["a user", "2", "+2.0"]]
    assert report.tables[0].frame.equals(frame)
    assert report.to_csv() == plain.to_csv()
    for text in (report.to_text(), report.to_latex(), report.to_markdown(), report.to_html()):
        assert "topic" not in text.replace("topic 7", "")
        assert "items" in text
    assert plain.worded(Words()).to_json() == plain.to_json()

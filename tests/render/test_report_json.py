"""The JSON of a report: every type of a table is there, and nothing that JSON does not have."""

from __future__ import annotations

import json
import math

import polars as pl
import pytest

from irpref.render.report import Report
from irpref.render.table import Table


def test_every_type_of_a_table_is_written() -> None:
    frame = pl.DataFrame(
        {
            "text": ["a\x1b\x9b\n", None],
            "flag": [True, None],
            "nothing": [None, None],
            "whole": pl.Series([2**64 - 1, None], dtype=pl.UInt64),
            "small": pl.Series([-128, 127], dtype=pl.Int8),
            "single": pl.Series([-math.inf, 1.5], dtype=pl.Float32),
            "double": [1e308, math.nan],
        }
    )
    text = Report("", (Table("", frame, {"absent": "p"}, keys=99),), frame).to_json()
    written = json.loads(text, parse_constant=pytest.fail)
    one, other = written["results"]
    assert list(one.values()) == ["a\x1b\x9b\n", True, None, 2**64 - 1, -128, "-inf", 1e308]
    assert list(other.values()) == [None, None, None, None, 127, 1.5, None]
    assert list(written["types"]) == frame.columns
    [table] = written["tables"]
    assert table["rows"] == written["results"]
    assert (table["formats"], table["keys"]) == ({}, frame.width)


def test_an_empty_table_is_written() -> None:
    report = Report("", (Table("", pl.DataFrame()),), pl.DataFrame())
    assert json.loads(report.to_json())["tables"][0]["rows"] == []

"""Columns of one type are what their values are, one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.read.columns import column_of_pandas, name_of, names_of, numbers_of, ranks_of
from irpref.read.text import is_number

WHOLE = st.integers(-(2**63), 2**64 - 1)
FLOATS = st.integers(-(2**54), 2**54).map(float) | st.floats()
TEXTS = st.text("0123456789+-.eE _infNa\x0b１", max_size=6) | st.floats().map(repr)
ONE_TYPE = st.lists(WHOLE, min_size=1) | st.lists(FLOATS, min_size=1) | st.lists(TEXTS, min_size=1)


def literal_number(value: Any) -> float | None:
    return None if isinstance(value, str) and not is_number(value) else float(value)


@given(values=ONE_TYPE)
def test_columns_of_one_type_are_read_as_value_by_value(values: list[Any]) -> None:
    assert names_of(values).to_list() == [name_of(value) for value in values]
    # None at the end makes two types of them.
    assert ranks_of(values).to_list() == ranks_of([*values, None]).to_list()[:-1]
    wanted = [literal_number(value) for value in values]
    wholes = {value for value in values if isinstance(value, int)}
    merged = {number for number, count in Counter(map(float, wholes)).items() if count > 1}
    wanted = [None if number in merged else number for number in wanted]
    assert repr(numbers_of(values).to_list()) == repr(wanted)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats_that_are_no_longer_exact_are_no_names(dtype: str) -> None:
    """From 2^24 on floats of 32 bits step over whole numbers, so that two ids may have become one."""
    first = 2 ** (np.finfo(dtype).nmant + 1)
    numbers = np.array([first - 1, first, 1], dtype=dtype)
    wanted = [str(first - 1), None, "1"]
    assert names_of(list(numbers)).to_list() == wanted
    if dtype != "float16":
        assert names_of(pl.Series(numbers)).to_list() == wanted
        assert names_of(column_of_pandas(pd.Series(numbers))).to_list() == wanted
        assert names_of(pl.Series(numbers[::2])).to_list() == wanted[::2]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([2**53, 2**53 + 1, 5], [None, None, 5.0]),
        ([-(2**53), -(2**53) - 1], [None, None]),
        ([2**53 + 2, 2**53 + 2, 2**53], [2.0**53 + 2, 2.0**53 + 2, 2.0**53]),
        ([2**53 + 1, 0.5], [2.0**53, 0.5]),
        ([2**53 + 1, 2.0**53], [None, None]),
        ([2**53, 2.0**53, None], [2.0**53, 2.0**53, None]),
        ([2**70, 2**70 + 1], [None, None]),
        (pl.Series([2**64 - 1, 2**64 - 2], dtype=pl.UInt64), [None, None]),
        ([float("inf"), 1e300, 2], [float("inf"), 1e300, 2.0]),
    ],
    ids=repr,
)
def test_whole_numbers_that_would_become_one_float_are_none(
    values: Any, wanted: list[float | None]
) -> None:
    assert numbers_of(values).to_list() == wanted
    assert numbers_of([*values, "x"]).to_list() == [*wanted, None]


TYPED = {
    "object": ["a", "b"],
    "str": ["a", "b"],
    "string": ["a", "b"],
    "category": ["a", "b"],
    "int8": [1, 2],
    "uint64": [1, 2**64 - 1],
    "Int64": [1, 2],
    "float32": [1.0, 2.5],
    "Float64": [1.0, 2.5],
    ">f8": [1.0, 2.5],
    "float16": [1.0, 2.5],
    "bool": [True, False],
}


@pytest.mark.parametrize("dtype", TYPED)
@pytest.mark.parametrize("missing", [False, True])
def test_columns_of_pandas_hold_what_their_lists_hold(dtype: str, missing: bool) -> None:
    column = pd.Series(TYPED[dtype], dtype=dtype)
    if missing:
        column = column.where([True, False])
    found = column_of_pandas(column)
    assert repr(list(found)) == repr(column.to_list())


@pytest.mark.parametrize("dtype", ["int8", "Int64", "float32", "Float64", "category"])
def test_columns_of_pandas_stay_columns(dtype: str) -> None:
    assert isinstance(column_of_pandas(pd.Series(TYPED[dtype], dtype=dtype)), pl.Series)
    assert isinstance(column_of_pandas(pd.Series([1, 2], dtype="category")), pl.Series)
    assert names_of(pl.Series(np.array([1.0, 2.0]))).to_list() == ["1", "2"]

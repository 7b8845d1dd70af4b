"""Columns of values in memory as names, numbers and ranks: all at once where the values are of one type."""

from __future__ import annotations

from numbers import Integral, Number
from typing import Any

import numpy as np
import polars as pl

from irpref.base.escape import is_whole
from irpref.read.text import is_number, whole_ranks

Column = pl.Series | list[Any]
"""Values as polars holds them, or one by one."""

# Python's floats from here on are not exact.
_INEXACT = 2**53
_TEXTS = (pl.String, pl.Categorical, pl.Enum)
_OF_NUMPY = {
    np.dtype(name).str for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
}


def text_of_id(value: Any) -> str:
    """The name of a topic or document that may be a number.

    Example:
        >>> text_of_id(301.0), text_of_id("d1"), text_of_id(1.5)
        ('301', 'd1', '1.5')
    """
    # pandas turns a column of whole numbers with a gap into floats: 301.0 is topic 301.
    whole = isinstance(value, float | np.floating) and value.is_integer()
    return str(int(value)) if whole else str(value)


def column_of_pandas(column: Any) -> Column:
    """A column of a pandas frame, without a Python object for each value where polars can hold them so."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype):
        # A copy: polars would share numbers that people change in place.
        return pl.Series(column.to_numpy(copy=True)) if dtype.str in _OF_NUMPY else column.to_list()
    made = None if column.hasnans else _of_extension(column, dtype)
    return column.to_list() if made is None else made


def _of_extension(column: Any, dtype: Any) -> pl.Series | None:
    """A column of pandas' own types, with nothing missing; None if polars does not hold them so."""
    beneath = getattr(dtype, "numpy_dtype", None)
    if isinstance(beneath, np.dtype) and beneath.str in _OF_NUMPY:
        return pl.Series(column.to_numpy(dtype=beneath, copy=True))
    if hasattr(dtype, "categories"):
        categories = column_of(column.cat.categories.to_list())
        if isinstance(categories, pl.Series):
            return categories.gather(column.cat.codes.to_numpy())
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "") == "pyarrow":
        texts = pl.Series(column.array.__arrow_array__())
        return texts if texts.dtype == pl.String else None
    return None


def column_of(values: Column) -> Column:
    """The values as polars holds them, if they are of one type that it knows."""
    if isinstance(values, pl.Series):
        return values
    # What polars makes of a list of several types is anyone's guess, and sometimes a panic.
    types = set(map(type, values))
    if types not in ({str}, {int}, {float}):
        return values
    if types == {int} and max(map(abs, values)) >= 2**63:
        return values
    try:
        return pl.Series(values)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return values


def names_of(values: Column) -> pl.Series:
    """The values as names, null where one is missing or cannot be one.

    Example:
        >>> names_of(pl.Series([301.0, 302.0])).to_list(), names_of(["d1", "", 7, 1.5]).to_list()
        (['301', '302'], ['d1', None, '7', '1.5'])
    """
    column = column_of(values)
    if isinstance(column, pl.Series) and column.dtype.is_float():
        floats = column.to_numpy()
        # NaN, as null becomes, is no whole number.
        whole = (np.floor(floats) == floats) & (np.abs(floats) < _inexact(floats.dtype))
        column = column.cast(pl.Int64) if whole.all() else list(floats)
    if isinstance(column, pl.Series) and (column.dtype.is_integer() or column.dtype in _TEXTS):
        names = column.cast(pl.String)
        empty = names == ""
        return names.set(empty, None) if empty.any() else names
    return pl.Series([name_of(value) for value in column], dtype=pl.String)


def _inexact(dtype: Any) -> int:
    """From where on floats of a type of numpy are not exact: larger ids have lost their last digits."""
    return int(2 ** (np.finfo(dtype).nmant + 1))


def numbers_of(values: Column) -> pl.Series:
    """The values as numbers, null where one is none, or where several whole numbers would become one.

    Example:
        >>> numbers_of([1, "2.5", "1_000"]).to_list()
        [1.0, 2.5, None]
    """
    column = column_of(values)
    if isinstance(column, pl.Series):
        if column.dtype.is_numeric():
            numbers = column.cast(pl.Float64)
            return _without_merged(column, numbers) if column.dtype.is_integer() else numbers
        if column.dtype == pl.String:
            numbers = column.cast(pl.Float64, strict=False)
            # Python knows a few more, and which are too large.
            odd = (numbers.is_null() | numbers.is_infinite()).arg_true()
            known = pl.Series([number_of(text) for text in column.gather(odd)], dtype=pl.Float64)
            return numbers.scatter(odd, known)
    numbers = pl.Series([number_of(value) for value in column], dtype=pl.Float64)
    exact = [
        str(value) if number and isinstance(value, Integral) else f"{number or 0:.0f}"
        for value, number in zip(column, numbers, strict=True)
    ]
    return _without_merged(pl.Series(exact), numbers)


def _without_merged(exact: pl.Series, numbers: pl.Series) -> pl.Series:
    """The numbers, null where several exact values are one number."""
    both = pl.DataFrame({"exact": exact, "number": numbers})
    large = both.filter(pl.col("number").abs() >= _INEXACT).unique()["number"]
    return numbers.set(numbers.is_in(large.filter(large.is_duplicated()).implode()), None)


def ranks_of(values: Column) -> pl.Series:
    """The values as whole ranks, null where one is none: whatever they are, a file would hold their texts.

    Example:
        >>> ranks_of([1, "2.0", "x", None]).to_list()
        [1, 2, None, None]
    """
    column = column_of(values)
    if isinstance(column, pl.Series) and (column.dtype.is_integer() or column.dtype.is_float()):
        return whole_ranks(column)
    return whole_ranks(names_of(column))


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, NaT, NA or an empty text."""
    if value is None or isinstance(value, str):
        return not value
    if hasattr(value, "__len__"):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124
    except (TypeError, ArithmeticError):  # NA is neither true nor false, nor is a NaN that signals
        return True


def number_of(value: Any) -> float | None:
    """The value as a number; None if it is none."""
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    if isinstance(text, str) and not is_number(text):
        return None
    try:
        return float(text)
    except (TypeError, ValueError, OverflowError):
        return None


def name_of(value: Any) -> str | None:
    """The value as a name; None if it is missing or cannot be one."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return str(value) if value and is_whole(value) else None
    if is_missing(value) or not isinstance(value, Number):
        return None
    if isinstance(value, float | np.floating):
        exact = abs(float(value)) < _inexact(np.asarray(value).dtype)
        return text_of_id(value) if exact else None
    return text_of_id(value)

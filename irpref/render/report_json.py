"""The JSON of a report: how it is written, and read back with the first fault named."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.checks import unique_keys
from irpref.render.markup import clean_json
from irpref.render.table import P_VALUE, Table
from irpref.visible import shown

if TYPE_CHECKING:
    from irpref.render.report import Report

__all__ = ["report_parts", "report_text"]

_REPORT = ("title", "results", "types", "tables", "notes", "facts", "signatures")
_TABLE = ("caption", "rows", "types", "formats", "marks", "keys", "flexible", "together")
_WHOLE = {
    **{f"Int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"UInt{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}
_GREATEST = {"Float32": 3.4028234663852886e38, "Float64": sys.float_info.max}
_TYPES = [*_WHOLE, *_GREATEST, "Boolean", "String", "Null"]
# JSON has no infinity, which is a text there.
_INFINITE = {"inf": math.inf, "-inf": -math.inf}
_HALF = re.compile("[\ud800-\udfff]")
_FORMAT = re.compile(rf"|{P_VALUE}|\+?,?(\.\d)?[f%]")


def report_text(report: Report) -> str:
    """Everything in a report, as JSON."""
    content = {
        "title": report.title,
        **_written(report.rows, "results"),
        "tables": [
            {
                "caption": table.caption,
                **_written(table.frame, "rows"),
                "formats": {
                    column: each
                    for column, each in table.formats.items()
                    if column in table.frame.columns
                },
                "marks": {column: list(marks) for column, marks in table.marks.items()},
                "keys": min(table.keys, table.frame.width),
                "flexible": None if table.flexible is None else list(table.flexible),
                "together": table.together,
            }
            for table in report.tables
        ],
        "notes": list(report.notes),
        "facts": dict(report.facts),
        "signatures": list(report.signatures),
    }
    return clean_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def _written(frame: pl.DataFrame, name: str) -> dict[str, Any]:
    rows = [
        {key: _plain(value) for key, value in row.items()} for row in frame.iter_rows(named=True)
    ]
    return {name: rows, "types": {key: str(dtype) for key, dtype in frame.schema.items()}}


def _plain(value: Any) -> Any:
    """The value as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def report_parts(text: str) -> dict[str, Any]:
    """The fields of the report that :func:`report_text` wrote.

    Raises:
        ValueError: The text is not such JSON; the message names the first fault and its place.
    """
    try:
        content = json.loads(text, object_pairs_hook=unique_keys, parse_constant=_no_number)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"report JSON: {error}") from None
    _check_keys(content, "", _REPORT)
    return {
        "title": _text(content["title"], "title"),
        "tables": tuple(
            _table(table, f"tables[{number}]")
            for number, table in enumerate(_list(content["tables"], "tables"))
        ),
        "rows": _frame(content, "", "results"),
        "notes": _texts(content["notes"], "notes"),
        "facts": _object(content["facts"], "facts"),
        "signatures": _texts(content["signatures"], "signatures"),
    }


def _table(table: Any, at: str) -> Table:
    _check_keys(table, at, _TABLE)
    frame = _frame(table, f"{at}.", "rows")
    keys, flexible, together = table["keys"], table["flexible"], table["together"]
    if type(keys) is not int or not 0 <= keys <= frame.width:
        raise _fault(f"{at}.keys", f"must be a whole number from 0 to {frame.width}", keys)
    if type(together) is not int or together < 1:
        raise _fault(f"{at}.together", "must be a whole number of at least 1", together)
    formats = _of_columns(table["formats"], f"{at}.formats", frame)
    for column, each in formats.items():
        here = f"{at}.formats{_key(column)}"
        if not _FORMAT.fullmatch(_text(each, here)):
            raise _fault(here, "must be the format of a number, such as '+.3f'", each)
    marks = _of_columns(table["marks"], f"{at}.marks", frame)
    for column, each in marks.items():
        here = f"{at}.marks{_key(column)}"
        if len(_texts(each, here)) != frame.height:
            raise _fault(here, f"must be {frame.height} texts, one a row; there are {len(each)}")
    if flexible is not None:
        for number, column in enumerate(_texts(flexible, f"{at}.flexible")):
            if column not in frame.columns:
                raise _fault(f"{at}.flexible[{number}]", "must be the name of a column", column)
    caption = _text(table["caption"], f"{at}.caption")
    return Table(caption, frame, formats, marks, keys, flexible, together)


def _frame(content: Mapping[str, Any], at: str, name: str) -> pl.DataFrame:
    types = _object(content["types"], f"{at}types")
    for column, dtype in types.items():
        if dtype not in _TYPES:
            raise _fault(f"{at}types{_key(column)}", f"must be one of {', '.join(_TYPES)}", dtype)
    rows = _list(content[name], f"{at}{name}")
    for number, row in enumerate(rows):
        _check_keys(row, f"{at}{name}[{number}]", types)
        if not types:
            raise _fault(f"{at}{name}[{number}]", "is a row without columns")
    for column, dtype in types.items():
        for number, row in enumerate(rows):
            if not _fits(row[column], dtype):
                what = "a text of whole characters" if dtype == "String" else f"of type {dtype}"
                raise _fault(f"{at}{name}[{number}]{_key(column)}", f"must be {what}", row[column])
    # Not from a list of series: one without a name would be given one.
    return pl.DataFrame(
        {
            column: pl.Series(
                [_INFINITE.get(row[column], row[column]) for row in rows]
                if dtype in _GREATEST
                else [row[column] for row in rows],
                dtype=getattr(pl, dtype),
            )
            for column, dtype in types.items()
        }
    )


def _fits(value: Any, dtype: str) -> bool:
    """Whether a value in JSON stands for one of that type."""
    if value is None:
        return True
    if dtype == "String":
        return isinstance(value, str) and (value.isascii() or not _HALF.search(value))
    if dtype in _WHOLE:
        least, greatest = _WHOLE[dtype]
        return type(value) is int and least <= value <= greatest
    if dtype in _GREATEST:
        number = type(value) in (int, float) and abs(value) <= _GREATEST[dtype]
        # A whole number of more digits than a float has would lose some.
        number = number and float(value) == value
        return number or (isinstance(value, str) and value in _INFINITE)
    return dtype == "Boolean" and isinstance(value, bool)


def _of_columns(value: Any, at: str, frame: pl.DataFrame) -> dict[str, Any]:
    for column in _object(value, at):
        if column not in frame.columns:
            raise _fault(f"{at}{_key(column)}", "must be under the name of a column")
    found: dict[str, Any] = value
    return found


def _check_keys(value: Any, at: str, keys: Iterable[str]) -> None:
    _object(value, at)
    for key in keys:
        if key not in value:
            raise _fault(at, f"the key {shown(key)} is missing")
    for key in value:
        if key not in keys:
            raise _fault(at, f"the key {shown(key)} is not known; is it by a newer irpref?")


def _object(value: Any, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _fault(at, "must be an object", value)
    return value


def _list(value: Any, at: str) -> list[Any]:
    if not isinstance(value, list):
        raise _fault(at, "must be a list", value)
    return value


def _texts(value: Any, at: str) -> tuple[str, ...]:
    return tuple(_text(each, f"{at}[{number}]") for number, each in enumerate(_list(value, at)))


def _text(value: Any, at: str) -> str:
    if not isinstance(value, str):
        raise _fault(at, "must be a text", value)
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


_NOTHING = object()


def _fault(at: str, problem: str, value: object = _NOTHING) -> ValueError:
    place = f"report JSON, {at}" if at else "report JSON"
    return ValueError(
        f"{place}: {problem}" + ("" if value is _NOTHING else f", not {shown(value)}")
    )


def _key(column: str) -> str:
    return f"[{shown(column)}]"

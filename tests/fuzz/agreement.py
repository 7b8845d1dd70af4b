"""Whether the library reads what the strict reader reads, and says well what it refuses."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from irpref.base.errors import InputError
from irpref.read import read_qrels, read_run
from tests.fuzz.strict_reader import Fault, Kind, Reading, Row

LONGEST = 500
# What a terminal obeys, what ends a line, what turns the direction of writing, and halves of characters.
_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


@contextmanager
def warnings_said_well() -> Iterator[None]:
    """What irpref warns of is short, and nothing in it acts on a terminal."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        assert_said_well(warning.message)


def assert_said_well(error: Exception | str) -> None:
    """The message is short, and nothing in it acts on a terminal."""
    message = str(error)
    assert message
    assert len(message) <= LONGEST, message
    assert not _ACTIVE.search(message), repr(message)


def library_rows(data: Any, kind: Kind) -> list[Row] | InputError:
    """The rows that the library reads, or its error. Any other exception is a fault of the library."""
    try:
        table = read_run(data) if kind == "run" else read_qrels(data)
    except InputError as error:
        assert_said_well(error)
        return error
    except pl.exceptions.PanicException as panic:
        # It is no Exception, which hypothesis would shrink.
        raise AssertionError(f"polars panics: {panic}") from None
    rows = table.rename({"score" if kind == "run" else "grade": "number"}).rows(named=True)
    return [Row(**row) for row in rows]


def assert_agrees(data: Any, kind: Kind, wanted: Reading) -> None:
    """The library reads the same rows, or refuses the same first line."""
    found = library_rows(data, kind)
    if wanted.fault is not None:
        assert isinstance(found, InputError), f"{wanted.fault} was read as {found[:9]}"
        # What is loose may have been refused before.
        if not wanted.loose:
            _assert_names(found, wanted.fault)
    elif isinstance(found, InputError):
        assert wanted.loose, f"legal, but refused: {found}"
    else:
        expected = list(wanted.rows)
        assert found == expected, _first_difference(found, expected)


def assert_refused(error: InputError, wanted: Reading) -> None:
    """The error is said well, and names the line of the fault that there is."""
    assert_said_well(error)
    assert wanted.fault is not None, f"legal, but refused: {error}"
    found = error.line == wanted.fault.line
    assert found or wanted.loose, f"{wanted.fault}, but it said: {error}"


def _assert_names(error: InputError, fault: Fault) -> None:
    """The error names the place of the fault, as far as it has one."""
    for part in ("line", "topic", "document"):
        place = getattr(fault, part)
        assert place in (None, getattr(error, part)), f"{fault}, but it said: {error}"


def _first_difference(found: list[Row], expected: list[Row]) -> str:
    pairs = zip(found, expected, strict=False)
    first = next(((f, e) for f, e in pairs if f != e), "one has more rows")
    return f"{len(found)} rows for {len(expected)}; the first that differ: {first}"

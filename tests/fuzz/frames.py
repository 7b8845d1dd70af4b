"""Frames, dicts and records of odd values, and what they hold, value by value."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import uuid
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import strategies as st

from tests.fuzz.strict_reader import (
    NAMES,
    Fault,
    Kind,
    Reading,
    Row,
    is_name,
    is_usable,
    number_of,
    rank_of,
)

NAN, INF = math.nan, math.inf


class Odd:
    """An object whose text is long and acts on a terminal."""

    def __repr__(self) -> str:
        return "\x1b[2J\n" * 500


NO_NAMES = (list, tuple, dict, frozenset, np.ndarray, range, type, Odd)


@dataclass(frozen=True)
class Either:
    """Either a reader takes a value so, or it refuses it."""

    value: Any


USUAL_IDS = ("q1", "q2", "d1", "d2", "d3", 7, 301.0, "7", "é")
ODD_IDS: tuple[Any, ...] = (
    *("", " ", "a b", "a\n", "\x1b[2J", "\ud800", "nan", "None", "x" * 5000, "\u202e"),
    *(0, -3, 2**60, 2**70, True, 1.5, NAN, INF, -0.0, 2.0**53, 2.0**53 - 1, 1e300, np.int8(7)),
    *(np.float32(7), np.float64(7), np.str_("q1"), np.bytes_(b"q1"), np.bool_(True)),
    *(b"q1", b"\xff", bytearray(b"q1"), None, pd.NA, pd.NaT, np.datetime64("NaT", "D"), Odd(), Odd),
    *(
        decimal.Decimal("1"),
        decimal.Decimal("NaN"),
        decimal.Decimal("sNaN"),
        1j,
        fractions.Fraction(1),
    ),
    *(datetime.date(2020, 1, 1), pd.Timestamp("2020"), datetime.timedelta(1), uuid.UUID(int=1)),
    *(["a"], ("a", 1), {"a": 1}, frozenset("a"), np.array([1, 2]), np.array(1), range(2)),
)
USUAL_NUMBERS = (1, 2.5, 0, -1, 3.0, 1e-3, "1", "2.5", np.float32(0.5), np.int64(2))
ODD_NUMBERS: tuple[Any, ...] = (
    *("1_000", "１", " 1 ", "1\n", "x", "", "nan", "inf", "0x10", "1e400", "x" * 5000, "\x1b[2J"),
    *(
        NAN,
        INF,
        -INF,
        True,
        None,
        pd.NA,
        pd.NaT,
        10**400,
        2**70,
        2**70 + 1,
        1j,
        b"1",
        b"x",
        Odd(),
        [1],
        (1,),
    ),
    *(
        {},
        np.array([1.0]),
        np.array(1.0),
        np.float64("nan"),
        np.datetime64(1, "D"),
        pd.Timedelta(1),
    ),
    *(
        decimal.Decimal("0.1"),
        decimal.Decimal("NaN"),
        decimal.Decimal("sNaN"),
        fractions.Fraction(1, 3),
    ),
    *("9" * 5000, "\ud800", np.longdouble(1), datetime.date(2020, 1, 1)),
)
USUAL_RANKS = (1, 2, 3, 1.0, "1", "2.0")
ODD_RANKS: tuple[Any, ...] = (
    *ODD_NUMBERS,
    2**63,
    -(2**63),
    2**53 + 1,
    1e30,
    "9007199254740993",
    1.5,
)


def name_of(value: Any) -> str | Either | None:
    """The id that a value is; None if it is missing, or no id."""
    name: str | Either | None = None
    if isinstance(value, str):
        name = value if value.strip() == value else Either(value)
        name = name if is_name(value) else None
    elif isinstance(value, bytes | bytearray):
        name = _decoded(bytes(value))
    elif isinstance(value, bool | np.bool_):
        name = Either(str(value))
    elif isinstance(value, int | np.integer):
        name = str(int(value))
    elif isinstance(value, float | np.floating):
        name = _name_of_float(value)
    elif not isinstance(value, NO_NAMES) and not _is_missing(value):
        name = Either(str(value))
    return name


def _name_of_float(value: float | np.floating[Any]) -> str | Either | None:
    # Beyond that a float may have been another whole number.
    digits = np.finfo(type(value)).nmant + 1 if isinstance(value, np.floating) else 53
    if not abs(value) < 2**digits:
        return None
    return str(int(value)) if float(value).is_integer() else Either(str(value))


def _decoded(value: bytes) -> Either | None:
    try:
        return Either(value.decode())
    except UnicodeDecodeError:
        return None


def _is_missing(value: Any) -> bool:
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    return value is None or value is pd.NA or (np.isscalar(value) and bool(pd.isna(value)))


def value_of(value: Any, kind: Kind) -> float | Either | None:
    """The score or grade that a value is; None if it is none."""
    if isinstance(value, str):
        number = number_of(value.strip(), kind)
        return number if number is None or value.strip() == value else Either(number)
    if isinstance(value, bytes):
        number = number_of(value.decode(errors="replace").strip(), kind)
        return None if number is None else Either(number)
    if isinstance(value, list | tuple | dict | complex) or value is pd.NA or value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not is_usable(number, kind):
        return None
    usual = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return number if usual else Either(number)


def whole_of(value: Any) -> int | Either | None:
    """The rank that a value is; None if it is none."""
    if isinstance(value, str):
        return rank_of(value) if value.strip() == value else Either(None)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value) if -(2**63) <= value < 2**63 else None
    if isinstance(value, float | np.floating):
        return int(value) if float(value).is_integer() and abs(value) < 2**53 else None
    return Either(None)


def _merged(values: list[Any]) -> list[int]:
    """The rows whose whole numbers are different, and the same as floats."""
    wholes = {
        row: int(value)
        for row, value in enumerate(values)
        if isinstance(value, int | np.integer) and abs(int(value)) < 2**1023
    }
    count = Counter(map(float, set(wholes.values())))
    return [row for row, whole in wholes.items() if count[float(whole)] > 1]


def literal(columns: dict[str, list[Any]], kind: Kind) -> Reading:
    """What the columns topic, document, number, rank and subtopic hold, value by value."""
    rows: list[Row] = []
    loose = False
    merged = _merged(columns["number"])
    number_of_rows = len(columns["topic"])
    for line in range(1, number_of_rows + 1):
        values = {name: column[line - 1] for name, column in columns.items()}
        topic, document = name_of(values["topic"]), name_of(values["document"])
        number = None if line - 1 in merged else value_of(values["number"], kind)
        rank = whole_of(values.get("rank"))
        subtopic = name_of(values.get("subtopic"))
        needed = (topic, document, number)
        loose |= any(isinstance(value, Either) for value in needed)
        if any(value is None for value in needed):
            return Reading(tuple(rows), Fault("name or number", line), loose)
        bare = [value.value if isinstance(value, Either) else value for value in needed]
        # Either may stand for a rank or a subtopic, which whoever compares takes out.
        rest: Any = {"rank": rank, "subtopic": subtopic}
        rows.append(Row(str(bare[0]), str(bare[1]), cast(float, bare[2]), line=line, **rest))
    return Reading(tuple(rows), None, loose) if rows else Reading((), Fault("empty"))


@st.composite
def columns_of_values(draw: st.DrawFn, kind: Kind) -> dict[str, list[Any]]:
    """Up to five rows of mostly usual values."""
    odd = draw(st.integers(0, 5))
    pools = {
        "topic": (USUAL_IDS, ODD_IDS),
        "document": (USUAL_IDS, ODD_IDS),
        "number": (USUAL_NUMBERS, ODD_NUMBERS),
        ("rank" if kind == "run" else "subtopic"): (
            (USUAL_RANKS, ODD_RANKS) if kind == "run" else (USUAL_IDS, ODD_IDS)
        ),
    }
    rows = draw(st.integers(1, 5)) if odd else draw(st.integers(0, 1))
    columns = {}
    for number, (name, (usual, odds)) in enumerate(pools.items(), start=1):
        # One type only, as in most frames, or several.
        alike = draw(st.sampled_from((str, int, float, object)))
        fitting = [value for value in usual if isinstance(value, alike)] or usual
        pool = st.sampled_from(list(fitting) + (list(odds) if odd == number else []))
        columns[name] = draw(st.lists(pool, min_size=rows, max_size=rows))
    if draw(st.booleans()):
        columns.popitem()
    return columns


def pandas_frame(columns: dict[str, list[Any]], names: dict[str, str], dtype: Any) -> Any:
    """A pandas frame; with ``dtype=object`` the values stay as they are."""
    series = {}
    for name, values in columns.items():
        made = pd.Series([None] * len(values), dtype=object)
        for row, value in enumerate(values):
            made.iat[row] = value
        series[names[name]] = made if dtype is object else pd.Series(made.tolist(), dtype=dtype)
    return pd.DataFrame(series)


def polars_frame(columns: dict[str, list[Any]], names: dict[str, str], strict: bool) -> Any:
    return pl.DataFrame({names[name]: pl.Series(v, strict=strict) for name, v in columns.items()})


def held(frame: Any, columns: dict[str, list[Any]], names: dict[str, str]) -> dict[str, list[Any]]:
    """What the frame gives back: pandas and polars may have changed the types."""
    made = {name: frame[names[name]] for name in columns}
    # As numbers of Python nobody would see that they are of 32 bits.
    short = {name for name in columns if str(made[name].dtype).lower() == "float32"}
    return {
        name: list(column.to_numpy()) if name in short else column.to_list()
        for name, column in made.items()
    }


@st.composite
def column_names(draw: st.DrawFn, kind: Kind) -> dict[str, str]:
    """What the columns are called."""
    called = {
        name: draw(st.sampled_from(NAMES[name]))
        for name in ("topic", "document", "rank", "subtopic")
    }
    value = "grade" if kind == "qrels" else "score"
    return {**called, "number": draw(st.sampled_from(NAMES[value]))}

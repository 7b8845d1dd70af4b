"""The tables of a saved collection: each is as many numbers, in range, as the others say."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import polars as pl
import pytest

from irpref.positions.saved_tables import SavedTables

JUDGED = pl.DataFrame(
    {"topic": ["1", "1", "2"], "document": ["d", "e", "d"], "grade": [1.0, 0.0, 2.0]}
)
BY_SYSTEM = {"a": [1, 2], "b": [None, 1]}
TABLES: dict[str, pl.DataFrame] = {
    "judgments": JUDGED,
    "topics": pl.DataFrame({"topic": ["1", "2"]}),
    **{
        name: pl.DataFrame(BY_SYSTEM, schema=dict.fromkeys("ab", pl.Int16))
        for name in ("positions", "tie_first", "tie_last")
    },
    "retrieved": pl.DataFrame({"a": [1, 2], "b": [0, 1]}, schema=dict.fromkeys("ab", pl.Int32)),
    "first_judged": pl.DataFrame({"key": [0], "position": [1], "system": [0]}),
    "repetitions": pl.DataFrame({"key": [-1], "system": [1]}),
    "lists": pl.DataFrame(
        {
            "system": [0, 1],
            "topic": [0, 1],
            "position": [1, 2],
            "tie_first": [1, 2],
            "tie_last": [1, 2],
            "document": ["d", "x"],
            "key": [0, -1],
        }
    ),
}


def tables_with(folder: Path, **other: pl.DataFrame) -> SavedTables:
    with ZipFile(folder / "x.zip", "w") as file:
        for name, table in {**TABLES, **other}.items():
            content = io.BytesIO()
            table.write_parquet(content)
            file.writestr(f"part=0/{name}.parquet", content.getvalue())
    rows = {name: table.height for name, table in {**TABLES, **other}.items()}
    return SavedTables(ZipFile(folder / "x.zip"), "part=0/", rows, ("a", "b"))


def index_of(tables: SavedTables, lists: int | None = 9) -> Any:
    return tables.index(lists)


def test_what_is_right_is_read(tmp_path: Path) -> None:
    tables = tables_with(tmp_path)
    most = np.iinfo(np.int16).max
    assert [each.tolist() for each in tables.places(2, "ab")] == [[[1, most], [2, 1]]] * 3
    # A system that is not asked for seems to have retrieved nothing.
    assert tables.places(2, "b")[0].tolist() == [[most, most], [most, 1]]
    assert tables.counts("retrieved", 2).tolist() == [[1, 0], [2, 1]]
    assert index_of(tables).lists.height == 2
    assert index_of(tables, lists=1).lists["document"].to_list() == ["d"]
    assert index_of(tables, lists=None).lists is None


WRONG: list[tuple[str, str, Any]] = [
    ("first_judged", "key", [3]),
    ("first_judged", "key", [-2]),
    ("first_judged", "key", [None]),
    ("first_judged", "key", [0.5]),
    ("first_judged", "position", [0]),
    ("first_judged", "position", ["1"]),
    ("first_judged", "system", [2]),
    ("first_judged", "system", [-1]),
    ("repetitions", "key", [9]),
    ("repetitions", "system", [2]),
    ("lists", "topic", [0, 2]),
    ("lists", "key", [0, 7]),
    ("lists", "position", [-1, 1]),
    ("lists", "tie_first", [0, 1]),
    ("lists", "tie_last", [None, 1]),
    ("topics", "documents", [-1, 1]),
    ("topics", "documents", [1.5, 1]),
    ("topics", "topic", ["2", "1"]),
    ("judgments", "grade", [1.0, float("inf"), 2.0]),
    ("judgments", "topic", ["1", None, "2"]),
    ("retrieved", "a", [-1, 1]),
    ("tie_first", "a", [2, 2]),
    ("tie_first", "a", [0, 2]),
    ("tie_last", "a", [1, 1]),
    ("positions", "b", [1, 1]),
]


@pytest.mark.parametrize(("name", "column", "values"), WRONG)
def test_a_number_out_of_range_is_refused(
    name: str, column: str, values: list[Any], tmp_path: Path
) -> None:
    by_system = name in ("retrieved", "positions", "tie_first", "tie_last")
    dtype = TABLES[name].schema[column] if by_system else None
    other = TABLES[name].with_columns(pl.Series(column, values, dtype=dtype, strict=False))
    tables = tables_with(tmp_path, **{name: other})

    def read() -> None:
        index_of(tables)
        tables.places(2, "ab")
        tables.counts("retrieved", 2)

    with pytest.raises(ValueError):  # noqa: PT011
        read()

"""The tables of a saved collection: a value that is missing, or of another type or range, is one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import irpref
from irpref.positions.saved import Saved, saved_in
from irpref.positions.saved_tables import SavedTables
from irpref.positions.saving import COUNTS, PLACES
from tests.positions.forged import Members, members_of, packed, said_of, saved_bytes, with_table


@pytest.fixture(scope="module")
def members() -> Members:
    return members_of(saved_bytes(lists=5))


# By table and column, what must not stand in its first row.
WRONG: dict[tuple[str, str], list[Any]] = {
    **{(name, "bm25"): [0, -1, "1", 1.0, 2**15 - 1, 2**40] for name in PLACES},
    **{(name, "bm25"): [None, -1, "1", 1.0, 2**27, 2**31 - 1, 2**40] for name in COUNTS},
    ("first_judged", "key"): [None, -1, 0.5, 10**6, 2**40],
    ("first_judged", "position"): [None, 0, 11, 300, "1"],
    ("first_judged", "system"): [None, -1, 3, True],
    ("repetitions", "key"): [None, -2, 10**6],
    ("repetitions", "system"): [None, -1, 3],
    ("lists", "topic"): [None, -1, 12],
    ("lists", "position"): [None, 0, 2**27],
    ("lists", "tie_first"): [None, 0],
    ("lists", "tie_last"): [None, 0, 2**31 - 1],
    ("lists", "document"): [None, 7],
    ("lists", "key"): [None, -2, 10**6],
    ("lists", "system"): [None, -1, 3],
    ("topics", "topic"): [None, "none", 7],
    ("topics", "documents"): [None, -1, 1.5, "1", 2**62],
    ("judgments", "topic"): [None, ["1"]],
    ("judgments", "document"): [None, ["d"]],
    ("judgments", "grade"): [None, float("nan"), float("inf"), "1", True],
    ("judgments", "retrieved"): [None, 1, "x"],
}


def with_value(members: Members, name: str, column: str, value: Any) -> Members:
    """Another value in the first row; in an empty table, a row of its own."""

    def change(table: pl.DataFrame) -> pl.DataFrame:
        if table.is_empty():
            table = pl.DataFrame({"key": [0], "system": [0]})
        numbers = table[column].dtype.is_integer() and type(value) is int
        if value is None or numbers:
            return table.with_columns(pl.Series(column, [value, *table[column].to_list()[1:]]))
        # A column of other values altogether.
        return table.with_columns(pl.Series(column, [value] * table.height))

    return with_table(members, f"part=0/{name}", change)


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [(*of, value) for of, values in WRONG.items() for value in values],
)
def test_a_value_of_another_kind_is_one_line(
    name: str, column: str, value: Any, members: Members, tmp_path: Path
) -> None:
    path = tmp_path / "x.irpref"
    path.write_bytes(packed(with_value(members, name, column, value)))
    found, refused = said_of(path)
    assert found is None
    assert "this is no collection that irpref saved, or a damaged one (" in refused


@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt32, pl.UInt64])
def test_whole_numbers_of_another_size_are_the_same(
    dtype: Any, members: Members, tmp_path: Path
) -> None:
    path = tmp_path / "x.irpref"
    path.write_bytes(packed(members))
    wanted = said_of(path)
    for name in (*PLACES, *COUNTS):
        members = with_table(members, f"part=0/{name}", lambda table: table.cast(dtype))
    path.write_bytes(packed(members))
    assert said_of(path) == wanted


def test_what_is_not_asked_for_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "x.irpref"
    path.write_bytes(saved_bytes(lists=5))
    saved = saved_in(path)
    assert isinstance(saved, Saved)
    assert irpref.collect(path, lists=2).lists["position"].max() == 2
    _, (found, *_), _ = SavedTables(saved.archive, "part=0/", saved.systems).read(
        saved.reading, lists=None, wanted=["bm25"]
    )
    column = saved.systems.index("bm25")
    whole = irpref.collect(path).placements.positions
    assert (found[:, column] == whole[:, column]).all()
    others = [number for number in range(len(saved.systems)) if number != column]
    assert (found[:, others] == np.iinfo(found.dtype).max).all()

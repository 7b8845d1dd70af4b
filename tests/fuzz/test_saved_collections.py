"""Saved collections at random: a damaged or forged file is refused in a line, or says the very same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.positions.saving import COUNTS, PLACES
from tests.fuzz.damage import damaged, other_headers
from tests.fuzz.effort import effort
from tests.positions.forged import (
    Members,
    header_of,
    members_of,
    packed,
    said_of,
    saved_bytes,
    signed,
    with_header,
    with_table,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="module")
def whole() -> bytes:
    return saved_bytes(lists=4, parts=2)


@pytest.fixture(scope="module")
def members(whole: bytes) -> Members:
    return members_of(whole)


@pytest.fixture(scope="module")
def same(whole: bytes, path: Path) -> str | None:
    return said(whole, path)


def said(content: bytes, path: Path) -> str | None:
    """All that is said, or None where one line refuses it."""
    path.write_bytes(content)
    return said_of(path)[0]


@effort(500)
@given(seed=st.integers(0, 2**32))
def test_damaged_bytes(seed: int, whole: bytes, path: Path, same: str | None) -> None:
    assert said(damaged(whole, seed), path) in (None, same)


@effort(120)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 99))
def test_damaged_tables_whose_checksums_are_right(
    seed: int, number: int, members: Members, path: Path, same: str | None
) -> None:
    name = list(members)[number % len(members)]
    changed = {**members, name: damaged(members[name], seed)}
    assert said(packed(changed), path) in (None, same)
    if name.endswith(".parquet"):
        # A name or a grade may be another one; nothing else is raised than a line.
        said(packed(signed(changed)), path)


@effort(120)
@given(draw=st.data())
def test_another_header(
    draw: st.DataObject, members: Members, path: Path, same: str | None
) -> None:
    header, another_value = draw.draw(other_headers(header_of(members)))
    found = said(packed(with_header(members, header)), path)
    # What is more in the header is not looked at.
    assert found in (None, same) or another_value


NUMBERED = ("topic", "position", "tie_first", "tie_last", "key", "system", "documents")
# What no number of a table may become, and what it may.
NUMBERS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-3, 40),
    st.sampled_from([2**15 - 1, 2**15, 2**27, 2**31 - 2, 2**31 - 1, 2**31]),
)


@effort(160)
@given(draw=st.data())
def test_forged_numbers(
    draw: st.DataObject, members: Members, path: Path, same: str | None
) -> None:
    """With right checksums: refused, but where lists say nothing of it, or it could be so."""
    names = [*PLACES, *COUNTS, "first_judged", "lists", "topics"]
    name = draw.draw(st.sampled_from(names))
    where = f"part={draw.draw(st.integers(0, 1))}/{name}"
    table = pl.read_parquet(members[f"{where}.parquet"])
    columns = [each for each in table.columns if table.schema[each].is_integer()]
    column, row = draw.draw(st.sampled_from(columns)), draw.draw(st.integers(0, table.height - 1))
    number, before = draw.draw(NUMBERS), table[column][row]
    values: list[Any] = table[column].to_list()
    values[row] = number
    forged = with_table(
        members, where, lambda of: of.with_columns(pl.Series(column, values, pl.Int64))
    )
    found = said(packed(forged), path)
    missing = number is None and (name not in PLACES or before is not None)
    outside = number is not None and not -1 < number < 2**27
    if number == before:
        assert found == same
    elif missing or (outside and column != "key"):
        assert found is None


@effort(60)
@given(draw=st.data())
def test_exchanged_tables(
    draw: st.DataObject, members: Members, path: Path, same: str | None
) -> None:
    one, other = (
        draw.draw(st.sampled_from(list(members))),
        draw.draw(st.sampled_from(list(members))),
    )
    found = said(packed({**members, one: members[other], other: members[one]}), path)
    assert found == (same if members[one] == members[other] else None)


@effort(40)
@given(draw=st.data())
def test_tables_with_rows_of_others(
    draw: st.DataObject, members: Members, path: Path, same: str | None
) -> None:
    """Rows that are there twice, in another order, or not at all."""
    name = draw.draw(st.sampled_from([each for each in members if each.endswith(".parquet")]))
    table = pl.read_parquet(members[name])
    rows = draw.draw(st.lists(st.integers(0, max(0, table.height - 1)), max_size=table.height))
    forged = with_table(members, name.removesuffix(".parquet"), lambda of: of[rows])
    found = said(packed(forged), path)
    if table[rows].equals(table):
        assert found == same

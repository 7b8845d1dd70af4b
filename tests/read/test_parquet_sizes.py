"""Damaged Parquet loses no rows and ends no process, and none fills the memory: it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irpref
from irpref import InputError
from irpref.methods.score_tables import frame_of, score_tables
from irpref.read import read_run
from irpref.read.cutting import batches
from irpref.read.parquet_sizes import check_sizes
from tests.fuzz.child import Child
from tests.read.damaged_parquet import RUN, flipped, stored, with_other_heights


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    child = Child()
    yield child
    child.close()


def test_no_bit_in_a_number_of_rows_loses_rows(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    cases = with_other_heights(stored())
    assert len(cases) > 20
    for content in cases:
        path.write_bytes(content)
        for read in (read_run, lambda file: pl.concat(batches(file, "run", str(file)))):
            with pytest.raises(InputError, match=r"run\.parquet: not a readable Parquet file"):
                read(path)
        with pytest.raises(InputError, match="not a readable Parquet file"):
            irpref.compare({"301": {"d1": 1}}, tmp_path, "RPP", keep="summary")


def test_no_bit_in_a_number_of_rows_loses_outcomes(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    names = {"query_id": "topic", "doc_id": "system", "score": "value"}
    for content in with_other_heights(stored(RUN.rename(names))):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"scores\.parquet: not a readable Parquet file"):
            score_tables(path)


@pytest.mark.slow
def test_a_panic_of_polars_is_an_error_in_one_line(tmp_path: Path) -> None:
    """It panics on some numbers in the footer, whatever they are of."""
    path = tmp_path / "scores.parquet"
    content = stored(RUN.rename({"query_id": "topic", "doc_id": "system", "score": "value"}))
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    said = []
    for number, changed in enumerate(flipped(content, footer)):
        if number % 5:
            continue
        path.write_bytes(changed)
        try:
            frame_of(path, "scores")
        except InputError as error:
            said.append(str(error))
    assert len(said) > 200
    assert not any("\n" in message for message in said)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["run", "outcomes"])
def test_a_page_that_counts_below_0_ends_no_process(
    kind: str, child: Child, tmp_path: Path
) -> None:
    """The first bit of a number in the header of a page is its sign: polars asks for 2^61 bytes."""
    content, path = stored(RUN.select("score", "query_id", "doc_id")), tmp_path / "file.parquet"
    for number, changed in enumerate(flipped(content[:48], 4)):
        if number % 8 == 0:
            path.write_bytes(changed + content[48:])
            _, how = child.read(path, kind)
            assert how.startswith(("read", "refused")), how


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    rows = 12_000_000
    path = tmp_path / "run.parquet"
    columns = [
        pl.repeat(value, rows, eager=True).alias(name)
        for name, value in (("query_id", "301"), ("doc_id", "d"), ("score", 1.0))
    ]
    pl.DataFrame(columns).write_parquet(path, compression="zstd")
    for read in (read_run, lambda file: frame_of(file, "scores")):
        with pytest.raises(InputError, match="the file grows to more than 300 times its size"):
            read(path)


def test_one_list_for_all_users_is_no_bomb(tmp_path: Path) -> None:
    """What most people took, a hundred a user and ten million rows, is a file of half a megabyte."""
    path = tmp_path / "popular.parquet"
    users, depth = 100_000, 100
    pl.DataFrame(
        {
            "query_id": np.repeat(np.arange(users), depth),
            "doc_id": np.tile(np.arange(depth), users),
            "score": np.tile(np.linspace(1, 0, depth), users),
        }
    ).write_parquet(path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    check_sizes(path, "popular")


def test_values_of_lists_are_not_rows(tmp_path: Path) -> None:
    frame = RUN.with_columns(pl.lit([[1, 2, 3]]).repeat_by(1).list.first().alias("passages"))
    frame.write_parquet(tmp_path / "run")
    assert read_run(tmp_path / "run").height == 50

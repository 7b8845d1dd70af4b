"""Parquet files of odd columns, and damaged ones: read value by value, or refused."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from irpref.read.parquet_sizes import check_sizes
from tests.fuzz.child import Child
from tests.fuzz.effort import effort
from tests.fuzz.frames import column_names, columns_of_values, held, literal, polars_frame
from tests.fuzz.reading_child import rows_read
from tests.fuzz.strict_reader import Kind
from tests.fuzz.test_frames import assert_read_so


@pytest.mark.parametrize("kind", ["run", "qrels"])
@effort(100)
@given(data=st.data(), packed=st.booleans())
def test_parquet_is_read_literally(
    data: st.DataObject, packed: bool, kind: Kind, path: Path
) -> None:
    columns, names = data.draw(columns_of_values(kind)), data.draw(column_names(kind))
    file = io.BytesIO()
    try:
        polars_frame(columns, names, False).write_parquet(file)
        frame = pl.read_parquet(file.getvalue())
    except (Exception, pl.exceptions.PanicException):
        assume(False)  # polars cannot write them
    path.write_bytes(gzip.compress(file.getvalue()) if packed else file.getvalue())
    assert_read_so(path, kind, literal(held(frame, columns, names), kind))


def parquet(kind: str, writer: str, compression: Any) -> bytes:
    """A run, qrels or outcomes, in three groups of rows."""
    rng = random.Random(7)
    topics = [str(301 + row // 8) for row in range(40)]
    documents = [f"d{row}" for row in range(40)]
    columns: dict[str, list[Any]] = {
        "run": {"qid": topics, "docno": documents, "score": [rng.random() for _ in topics]},
        "qrels": {"qid": topics, "docno": range(40), "grade": [row % 3 for row in range(40)]},
        "outcomes": {"topic": topics, "system": documents, "value": [row / 2 for row in range(40)]},
    }[kind]
    frame, file = pl.DataFrame(columns), io.BytesIO()
    if writer == "polars":
        frame.write_parquet(file, compression=compression, row_group_size=16)
    else:
        version: Any = writer.removeprefix("pyarrow ")
        pq.write_table(
            frame.to_arrow(compat_level=pl.CompatLevel.oldest()),
            file,
            compression=compression,
            row_group_size=16,
            data_page_version=version,
        )
    return file.getvalue()


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    child = Child()
    yield child
    child.close()


FILES = [
    (kind, parquet(kind, writer, compression))
    for kind in ("run", "qrels", "outcomes")
    for writer in ("polars", "pyarrow 1.0", "pyarrow 2.0")
    for compression in ("zstd", "snappy")
]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes, bytes]:
    """A kind, a file, and the same with a bit or some bytes changed: every other one in the footer."""
    kind, whole = draw(st.sampled_from(FILES))
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    place = draw(st.integers(footer, len(whole) - 1) | st.integers(4, footer - 1))
    if draw(st.integers(0, 3)):
        bit = whole[place] ^ 1 << draw(st.integers(0, 7))
        return kind, whole, whole[:place] + bytes([bit]) + whole[place + 1 :]
    new, omitted = draw(st.binary(max_size=3)), draw(st.integers(0, 8))
    return kind, whole, whole[:place] + new + whole[place + omitted :]


def strictly(content: bytes, kind: str) -> str:
    """What pyarrow reads, if the numbers of rows in the footer add up."""
    try:
        with pq.ParquetFile(io.BytesIO(content)) as file:
            about, table = file.metadata, file.read()
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError):
        return "refused"
    groups = [about.row_group(group).num_rows for group in range(about.num_row_groups)]
    if not sum(groups) == about.num_rows == table.num_rows:
        return "refused"
    return rows_read(pl.DataFrame(table) if kind != "outcomes" else table, kind)


@pytest.mark.slow
@effort(1200)
@given(case=damaged())
def test_damaged_parquet_is_read_as_strictly_or_refused(
    case: tuple[str, bytes, bytes], child: Child, path: Path
) -> None:
    """No damage is a traceback, ends the process or loses rows.

    There is no checksum, so that values may change; and of damaged pages polars fills in some where pyarrow
    refuses them.
    """
    kind, whole, content = case
    path.write_bytes(content)
    _, how = child.read(path, kind)
    event(how.partition(":")[0])
    if how.startswith("refused"):
        return
    assert how.startswith("read"), how
    strict = strictly(content, kind)
    if how not in (strict, strictly(whole, kind)):
        event("read otherwise than pyarrow reads it")
        assert how.partition(",")[0] == strictly(whole, kind).partition(",")[0], how


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Columns of any shape: flat, with nulls, lists, structs and dictionaries."""
    rows = draw(st.integers(0, 60))
    columns: dict[str, list[Any]] = {
        "flat": [row // 7 for row in range(rows)],
        "null": [None if row % 3 else "x" * row for row in range(rows)],
        "list": [[row] * (row % 4) for row in range(rows)],
        "struct": [{"a": row, "b": [None] * (row % 2)} for row in range(rows)],
        "flag": [row % 2 == 0 for row in range(rows)],
        "empty": [""] * rows,
    }
    names = draw(st.lists(st.sampled_from(list(columns)), min_size=1, unique=True))
    return pa.table({name: columns[name] for name in names})


@effort(200)
@given(data=st.data(), table=tables())
def test_what_is_written_has_no_contradictions(
    data: st.DataObject, table: pa.Table, path: Path
) -> None:
    draw = data.draw
    if draw(st.booleans()):
        compression: Any = draw(st.sampled_from(("lz4", "uncompressed", "snappy", "gzip", "zstd")))
        pl.DataFrame(table).write_parquet(
            path,
            compression=compression,
            row_group_size=draw(st.sampled_from((None, 1, 9))),
            data_page_size=draw(st.sampled_from((None, 64))),
            statistics=draw(st.sampled_from((True, False, "full"))),
        )
    else:
        pq.write_table(
            table,
            path,
            compression=draw(st.sampled_from(("none", "snappy", "gzip", "zstd", "lz4", "brotli"))),
            row_group_size=draw(st.sampled_from((1, 9, 100))),
            data_page_size=draw(st.sampled_from((1, 64, 1 << 20))),
            data_page_version=draw(st.sampled_from(("1.0", "2.0"))),
            use_dictionary=draw(st.booleans()),
            write_page_index=draw(st.booleans()),
            write_page_checksum=draw(st.booleans()),
        )
    check_sizes(path, "a file")
    check_sizes(path.read_bytes(), "a file")

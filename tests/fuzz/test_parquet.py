"""Parquet files of odd columns, and damaged ones: read value by value, or refused."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fuzz.child import Child
from tests.fuzz.effort import effort
from tests.fuzz.frames import column_names, columns_of_values, held, literal, polars_frame
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


def parquet(compression: str) -> bytes:
    """A run of three documents."""
    file = io.BytesIO()
    frame = pl.DataFrame(
        {
            "qid": ["1", "1", "2"],
            "docno": ["a", "b", "a"],
            "score": [2.0, 1, 0.5],
            "rank": [1, 2, 1],
        }
    )
    frame.write_parquet(file, compression=compression)  # type: ignore[arg-type]
    return file.getvalue()


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    child = Child()
    yield child
    child.close()


FILES = [parquet("uncompressed"), parquet("zstd")]
CHANGES = st.lists(
    st.tuples(st.integers(4, 1500), st.binary(max_size=3), st.integers(0, 8)),
    min_size=1,
    max_size=4,
)


@effort(200)
@given(whole=st.sampled_from(FILES), changes=CHANGES)
def test_damaged_parquet_is_read_or_refused(
    whole: bytes, changes: list[tuple[int, bytes, int]], child: Child, path: Path
) -> None:
    """There is no checksum, so that numbers may change; but no damage is a traceback, or ends the process.

    One does: polars aborts if a damaged size asks for more memory than there is.
    """
    content = whole
    for at, new, left_out in changes:
        content = content[:at] + new + content[at + left_out :]
    path.write_bytes(content)
    _, how = child.read(path)
    assert how.startswith(("read", "refused")) or "memory allocation of" in how, how

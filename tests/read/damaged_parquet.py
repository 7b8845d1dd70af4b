"""Parquet files with one bit changed."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

RUN = pl.DataFrame(
    {
        "query_id": [str(301 + row // 10) for row in range(50)],
        "doc_id": [f"d{row}" for row in range(50)],
        "score": [float(50 - row) for row in range(50)],
    }
)


def stored(frame: pl.DataFrame = RUN) -> bytes:
    """A file of several groups of rows."""
    file = io.BytesIO()
    frame.write_parquet(file, row_group_size=16, compression="zstd")
    return file.getvalue()


def flipped(content: bytes, first: int) -> Iterator[bytes]:
    """The file with one bit changed, from a place on."""
    for place in range(first, len(content)):
        for bit in range(8):
            yield content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def heights(content: bytes) -> list[int]:
    """The rows of the file and of each group, as pyarrow reads them in the footer; none if it cannot."""
    try:
        about = pq.read_metadata(io.BytesIO(content))
        return [about.num_rows, *(about.row_group(i).num_rows for i in range(about.num_row_groups))]
    except (pa.ArrowException, OSError, ValueError):
        return []


def with_other_heights(content: bytes) -> list[bytes]:
    """The file with one bit changed in the number of the rows of all or of a group."""
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    usual = heights(content)
    return [
        changed
        for changed in flipped(content, footer)
        if len(found := heights(changed)) == len(usual) and found != usual
    ]

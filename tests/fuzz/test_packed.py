"""Gzipped files, whole and damaged: read as gzip does, or refused."""

from __future__ import annotations

import gzip
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.agreement import assert_agrees, library_rows
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import read_bytes
from tests.fuzz.texts import text_files


@st.composite
def packed_files(draw: st.DrawFn) -> bytes:
    """Runs in one or two members of a gzip file, or gzipped twice, with or without something after them."""
    content = draw(text_files("run", most_faults=1)).content
    at = draw(st.integers(0, len(content)))
    return draw(
        st.sampled_from(
            (
                gzip.compress(content),
                gzip.compress(content[:at]) + gzip.compress(content[at:]),
                gzip.compress(gzip.compress(content)),
                gzip.compress(content) + b"\0" * 512,
                gzip.compress(content) + b"\0" * 9 + gzip.compress(content),
                gzip.compress(content) + content,
                gzip.compress(content, 0)[: at + 1],
            )
        )
    )


@effort(150)
@given(content=packed_files())
def test_gzip_is_unpacked_literally(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    assert_agrees(path, "run", read_bytes(content, "run"))


@effort(150)
@given(content=packed_files(), at=st.floats(0, 1, exclude_max=True), new=st.binary(max_size=2))
def test_damaged_gzip_is_refused_or_read_literally(
    content: bytes, at: float, new: bytes, path: Path
) -> None:
    place = int(at * len(content))
    damaged = content[:place] + new + content[place + 1 :]
    path.write_bytes(damaged)
    found, wanted = library_rows(path, "run"), read_bytes(damaged, "run")
    # A header may be damaged where one reader looks and another does not.
    assert isinstance(found, ValueError) or found == list(wanted.rows)

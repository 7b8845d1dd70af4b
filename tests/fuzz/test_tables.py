"""JSON files and tables with a header: read as they say, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.agreement import assert_agrees, library_rows
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import DIFFERENT, Kind, anywhere, read_bytes
from tests.fuzz.tables import headed_files, json_files


@effort(300)
@given(content=json_files(), kind=st.sampled_from(("qrels", "run")))
def test_json_is_read_literally(content: bytes, kind: Kind, path: Path) -> None:
    path.write_bytes(content)
    wanted = read_bytes(content, kind)
    # What is damaged is no JSON, or TREC text: either has its own way to name the place.
    assert_agrees(path, kind, anywhere(wanted))


@pytest.mark.parametrize("kind", ["qrels", "run"])
@effort(200)
@given(data=st.data())
def test_tables_with_a_header_are_read_literally(
    data: st.DataObject, kind: Kind, path: Path
) -> None:
    content = data.draw(headed_files(kind))
    path.write_bytes(content)
    if b'"' in content:
        # Quoted fields are left to the library, which must not fail on them.
        library_rows(path, kind)
        return
    wanted = read_bytes(content, kind)
    # Of two columns for one thing that are not equal, the library says so without a line.
    several = wanted.fault is not None and wanted.fault.why == DIFFERENT
    assert_agrees(path, kind, anywhere(wanted) if several else wanted)


def test_columns_that_are_not_equal_go_before_what_is_wrong_in_a_row(path: Path) -> None:
    content = b"label\tquery_id\tdoc_id\trelevance\n1\t\td1\t1\n1\t301\td1\t2\n"
    path.write_bytes(content)
    wanted = read_bytes(content, "qrels")
    assert wanted.fault is not None
    assert wanted.fault.why == DIFFERENT
    assert_agrees(path, "qrels", anywhere(wanted))

"""JSON files and tables with a header: read as they say, or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.errors import InputError
from irpref.methods.outcome_table import outcome_table
from irpref.methods.preferences.side_by_side import Outcomes
from tests.fuzz.agreement import (
    assert_agrees,
    assert_said_well,
    library_rows,
    warnings_said_well,
)
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import DIFFERENT, Kind, anywhere, once, read_bytes
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


CELLS = st.sampled_from((None, 0, 1, -0.9, 7.5, 2**53 + 1, "1", "a", "b", "tie", "x", ""))
ROWS = st.lists(
    st.dictionaries(
        st.sampled_from(("topic", "a", "b", "outcome", "judge", "note")), CELLS, max_size=6
    ),
    min_size=1,
    max_size=4,
)


@effort(200)
@given(
    rows=ROWS,
    before=st.sampled_from((0, 100)),
    lines=st.booleans(),
    damage=st.integers(0, 60),
    byte=st.sampled_from((None, b"", b"x", b'"', b"}", b"9", b"\xff")),
)
def test_outcomes_in_json_are_what_json_holds(
    rows: list[dict[str, Any]],
    before: int,
    lines: bool,
    damage: int,
    byte: bytes | None,
    path: Path,
) -> None:
    """The same as the frame of what Python's json reads, or refused as it is, in a line."""
    usual = {"topic": 3, "a": "x", "b": "y", "outcome": 1, "judge": "me"}
    objects = [usual] * before + rows
    text = "\n".join(map(json.dumps, objects)) if lines else json.dumps(objects)
    content = text.encode()
    if byte is not None:
        content = content[: -damage - 1] + byte + content[len(content) - damage :]
    path.write_bytes(content)
    try:
        pieces = content.decode().split("\n") if lines else [content.decode()]
        read = [
            json.loads(piece, object_pairs_hook=once) for piece in pieces if piece.strip(" \r\n\t")
        ]
        wanted = read if lines else read[0]
        names = dict.fromkeys(name for row in wanted for name in row)
        columns = {name: [row.get(name) for row in wanted] for name in names}
        frame = pd.DataFrame(columns, dtype=object)
    except (ValueError, AttributeError, TypeError):
        frame = None
    with warnings_said_well():
        found = _outcomes(path)
        held = InputError("no JSON") if frame is None else _outcomes(frame)
    assert isinstance(found, InputError) == isinstance(held, InputError), (found, held)
    if isinstance(found, InputError):
        assert_said_well(found)
    elif not isinstance(held, InputError):
        assert (found.systems, found.topics) == (held.systems, held.topics)
        for name, values in found.given.answers._asdict().items():
            assert (values == getattr(held.given.answers, name)).all()


def _outcomes(table: Any) -> Outcomes | InputError:
    try:
        return outcome_table(table)
    except InputError as error:
        return error

"""TREC text, mostly legal: rows are read as by the strict reader, or the first wrong line is named."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from tests.fuzz.agreement import assert_agrees
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import read_bytes
from tests.fuzz.texts import File, text_files


@effort(400)
@given(file=text_files("run"))
def test_runs_are_read_literally(file: File, path: Path) -> None:
    path.write_bytes(file.whole)
    assert_agrees(path, "run", read_bytes(file.whole, "run"))


@effort(300)
@given(file=text_files("qrels"))
def test_qrels_are_read_literally(file: File, path: Path) -> None:
    path.write_bytes(file.whole)
    assert_agrees(path, "qrels", read_bytes(file.whole, "qrels"))

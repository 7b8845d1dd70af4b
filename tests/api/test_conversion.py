"""``convert`` saves a collection whole or not at all, in parts or at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

import irpref
from irpref import InputError, demo_paths

QRELS, RUNS = demo_paths()


def parts_in(path: Path) -> int:
    with ZipFile(path) as file:
        return len(json.loads(file.read("irpref.json"))["parts"])


def test_it_saves_what_collect_reads(tmp_path: Path) -> None:
    saved, converted = tmp_path / "saved.irpref", tmp_path / "converted.irpref"
    irpref.collect(QRELS, RUNS, lists=5).save(saved)
    irpref.convert(QRELS, RUNS, converted, lists=5)
    assert saved.read_bytes() == converted.read_bytes()
    irpref.convert(QRELS, iter(RUNS), converted, lists=5, parts=3)
    assert parts_in(converted) == 3
    # A page says what was read.
    pages = [irpref.compare(*of, lists=5).to_html() for of in ((converted,), (QRELS, RUNS))]
    assert pages[0] == pages[1]
    # Saved again it is whole.
    irpref.convert(converted, None, tmp_path / "again.irpref")
    assert parts_in(tmp_path / "again.irpref") == 1
    irpref.convert(saved, None, converted)
    assert saved.read_bytes() == converted.read_bytes()


def test_large_data_are_cut_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irpref.read.parts.parts_for", lambda *_: 4)
    irpref.convert(QRELS, RUNS, tmp_path / "x.irpref")
    assert parts_in(tmp_path / "x.irpref") == 4


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    irpref.convert(
        QRELS, RUNS, tmp_path / "x.irpref", parts=3, progress=lambda *now: told.append(now)
    )
    assert {what for what, _, _ in told} == {"cutting runs into parts", "reading parts"}
    assert told[-1] == ("reading parts", 3, 3)


def test_nothing_is_written_where_something_is_wrong(tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    place.write_text("mine")
    nothing = {"1": {"d": 0}}
    bad = {"good": RUNS[0], "bad": {"1": {"d": float("nan")}}}
    for parts in (None, 1, 3):
        with pytest.raises(InputError, match="its folder does not exist"):
            irpref.convert(QRELS, RUNS, tmp_path / "no" / "x.irpref", parts=parts)
        with pytest.raises(InputError, match=r"this is a directory"):
            irpref.convert(QRELS, RUNS, tmp_path, parts=parts)
        with pytest.raises(InputError, match=r"run 'bad'.*NaN"):
            irpref.convert(QRELS, bad, place, parts=parts)
        with pytest.raises(InputError, match="nothing relevant"):
            irpref.convert(nothing, {"a": nothing}, place, parts=parts)
        with pytest.raises(InputError, match="run 'other': the run has no topic in common"):
            irpref.convert(QRELS, {"a": RUNS[0], "other": {"x": {"d": 1.0}}}, place, parts=parts)
    with pytest.raises(ValueError, match="parts must be"):
        irpref.convert(QRELS, RUNS, place, parts=0)
    assert place.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [place.name]


def test_qrels_or_a_run_without_rows_are_refused(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.parquet"
    columns = {"query_id": ["1"], "doc_id": ["d"], "relevance": [1], "score": [1.0]}
    pl.DataFrame(columns).clear().write_parquet(nothing)
    for parts, of_qrels, of_run in (
        (None, "the qrels is empty", "the run is empty"),
        (3, "nothing relevant to find", "run 'none': the run has no topic in common"),
    ):
        for judged, runs, said in (
            (nothing, {"one": RUNS[0]}, of_qrels),
            (QRELS, {"one": RUNS[0], "none": nothing}, of_run),
        ):
            with pytest.raises(InputError, match=said):
                irpref.convert(judged, runs, tmp_path / "x.irpref", parts=parts)
    assert [file.name for file in tmp_path.iterdir()] == [nothing.name]


# Files may be so large, as where a disk is full: in a process of its own, each with another limit.
_LIMITED = """
import json, resource, signal, sys
from irpref import InputError, collect, demo_paths

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
data, found = collect(*demo_paths()), []
for most in (0, 2000, 6000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        data.save(sys.argv[1])
    except InputError as error:
        found.append(str(error))
print(json.dumps(found))
"""


def test_where_the_disk_is_full_nothing_is_left(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    place = tmp_path / "x.irpref"
    command = [sys.executable, "-B", "-c", _LIMITED, str(place)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert len(found) == 3
    for said in found:
        assert said.startswith(f"{place}: cannot be written (")
        assert "File too large" in said
        assert "\n" not in said
    assert not list(tmp_path.iterdir())

"""An archive is opened once: what is read is of one file, whole, or refused in a line."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest

import irpref
from irpref import Collection, InputError
from irpref.cli.main import main
from irpref.positions.archive import Archive, ArchiveWriter, Column, Form
from irpref.positions.saved import saved_in
from tests.positions.forged import members_of, packed, signed, with_header

FORM = Form("thing", 3, "make another")
TABLES = {
    "a": pl.DataFrame({"x": [1, 2, 3], "y": ["a", "b", None]}),
    "b": pl.DataFrame({"x": [1.0, 2.0]}),
}
COLUMNS = {
    "a": {"x": Column(pl.Int8, 0, 4), "y": Column(nulls=True)},
    "b": {"x": Column(pl.Float64)},
}
DAMAGED = "this is no thing that irpref saved, or a damaged one"


def written(path: Path, form: Form = FORM) -> None:
    with ZipFile(path, "w") as file:
        archive = ArchiveWriter(file, form)
        for name, table in TABLES.items():
            archive.add(name, table)
        archive.finish({"title": "t"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "x.irpref"
    written(place)
    return place


def read(path: Path) -> dict[str, pl.DataFrame]:
    archive = Archive(str(path), FORM)
    with archive.reading():
        assert archive.header == {"title": "t"}
        return {name: archive.table(name, columns) for name, columns in COLUMNS.items()}


def refused(path: Path, said: str = DAMAGED) -> None:
    with pytest.raises(InputError) as caught:
        read(path)
    assert said in str(caught.value)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)


def test_what_was_written_is_read(path: Path) -> None:
    for name, table in read(path).items():
        assert table.to_dict(as_series=False) == TABLES[name].to_dict(as_series=False)
    assert read(path)["a"].schema["x"] == pl.Int8
    archive = Archive(str(path), FORM)
    assert archive.table("a", COLUMNS["a"], rows=3, only=["y"]).columns == ["y"]
    with pytest.raises(ValueError, match="another shape"):
        archive.table("a", COLUMNS["a"], rows=2)
    with pytest.raises(ValueError, match="another shape"):
        archive.table("b", COLUMNS["a"])


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (Column(pl.Int8, 0, 3), [3]),
        (Column(pl.Int8, 0, 3), [-1]),
        (Column(pl.Int8, 0, 3), [None]),
        (Column(pl.Int8, 0, 3), [1.0]),
        (Column(pl.Int8, 0, 3), [True]),
        (Column(pl.Int8, 0, 3), ["1"]),
        (Column(pl.Float64), [float("nan")]),
        (Column(pl.Float64), [float("inf")]),
        (Column(pl.Float64), ["1"]),
        (Column(pl.Float64, 0), [-0.5]),
        (Column(pl.Boolean), [1]),
        (Column(pl.Boolean), [None]),
        (Column(), [None]),
        (Column(), [["a"]]),
        (Column(nulls=True), [{"a": 1}]),
    ],
)
def test_a_value_out_of_range_is_refused(column: Column, values: list[Any]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        column.checked(pl.Series("x", values))


def test_another_form_and_other_files(path: Path) -> None:
    written(path, Form("thing", 4, ""))
    refused(path, "saved this thing, in another form; read it with that version")
    written(path, Form("bow", 3, ""))
    refused(path)
    refused(path.with_name("none"), "there is no such file")
    refused(path.parent, "this is no file that can hold a thing")
    for content in (b"", b"PK\x03\x04", b"text"):
        path.write_bytes(content)
        refused(path)


@pytest.mark.parametrize("bit", range(16))
def test_flags_of_the_members(bit: int, path: Path) -> None:
    content, same = path.read_bytes(), read(path)
    # Where the directory and the members have them.
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = content.index(mark) + offset
        changed = bytearray(content)
        changed[at + bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        if offset == 8 and bit != 11:
            refused(path)
        else:
            assert [table.equals(same[name]) for name, table in read(path).items()] == [True, True]


def test_sizes_and_places_that_are_wrong(path: Path) -> None:
    content = path.read_bytes()
    entry = content.index(b"PK\x01\x02")
    # How it is packed, checksum, sizes, lengths of names, and where it is.
    for start, size in ((10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (30, 2), (42, 4)):
        for number in (1, 2 ** (8 * size - 1) - 1, 2 ** (8 * size) - 1):
            changed = bytearray(content)
            changed[entry + start : entry + start + size] = number.to_bytes(size, "little")
            path.write_bytes(changed)
            refused(path)


def test_a_table_that_claims_more_than_memory_holds(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irpref.positions.archive.memory_here", lambda: 10)
    refused(path, "it does not fit into memory")


def test_members_that_the_header_does_not_name(path: Path) -> None:
    members = members_of(path.read_bytes())
    for changed in (
        {**members, "more": b""},
        {**members, "c.parquet": members["a.parquet"]},
        {name: of for name, of in members.items() if name != "b.parquet"},
        {**members, "a.parquet": members["b.parquet"]},
        with_header(members, {"irpref_thing": 3}),
    ):
        path.write_bytes(packed(changed))
        refused(path)
    path.write_bytes(packed(signed(members)))
    read(path)
    # The directory has each member twice.
    content = packed(members)
    start, end = content.index(b"PK\x01\x02"), content.rindex(b"PK\x05\x06")
    last = bytearray(content[end:])
    for at, number in ((8, 6), (10, 6)):
        last[at : at + 2] = number.to_bytes(2, "little")
    last[12:16] = (2 * (end - start)).to_bytes(4, "little")
    path.write_bytes(content[:end] + content[start:end] + last)
    refused(path)


# On so many of five topics the new one is better.
WINS = (4, 2)


def save_version(wins: int, path: Path) -> None:
    """Save it in two parts."""
    best, worst = {"d1": 2.0, "d2": 1.0}, {"d1": 1.0, "d2": 2.0}
    runs = {
        "new": {str(topic): best if topic < wins else worst for topic in range(5)},
        "old": {str(topic): worst if topic < wins else best for topic in range(5)},
    }
    irpref.convert({str(topic): {"d1": 1} for topic in range(5)}, runs, path, parts=2)


@pytest.fixture
def versions(tmp_path: Path) -> list[bytes]:
    """Two versions of a collection, saved."""
    contents = []
    for wins in WINS:
        save_version(wins, tmp_path / "version")
        contents.append((tmp_path / "version").read_bytes())
    return contents


def wins_of(data: Any) -> tuple[int, int]:
    """The topics that the new and the old system win."""
    outcomes = (data if isinstance(data, Collection) else irpref.collect(data)).compare("LP")
    frame = outcomes.outcomes("LP")
    return int(frame["wins"][0]), int(frame["losses"][0])


def test_a_file_that_is_replaced_is_read_as_it_was_opened(
    versions: list[bytes], tmp_path: Path
) -> None:
    place = tmp_path / "x.irpref"
    place.write_bytes(versions[0])
    data = irpref.collect(place)
    (tmp_path / "new").write_bytes(versions[1])
    (tmp_path / "new").replace(place)
    assert wins_of(data) == (4, 1)
    assert wins_of(place) == (2, 3)
    again = irpref.collect(place)
    place.unlink()
    assert wins_of(again) == (2, 3)


def test_a_file_that_is_written_over_says_so(versions: list[bytes], tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    for content in (versions[1], versions[0][:100], b"text"):
        place.write_bytes(versions[0])
        data = irpref.collect(place)
        before = os.stat(place)
        place.write_bytes(content)
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        with pytest.raises(InputError, match="was changed since it was opened; open it again"):
            wins_of(data)


def test_it_goes_to_threads_and_other_processes(versions: list[bytes], tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    place.write_bytes(versions[0])
    data = irpref.collect(place)
    sent = pickle.dumps(data)
    assert wins_of(pickle.loads(sent)) == (4, 1)
    saved = saved_in(place)
    assert saved is not None
    with ThreadPoolExecutor(8) as threads:
        read = threads.map(lambda _: saved.read(saved.systems, saved.reading), range(40))
        positions = [each.placements.positions.tolist() for each in read]
    assert positions == [data.placements.positions.tolist()] * 40
    # The same, saved anew, is the same; another one is not.
    save_version(4, place)
    assert wins_of(pickle.loads(sent)) == (4, 1)
    save_version(2, place)
    with pytest.raises(InputError, match="was changed since it was opened; open it again"):
        pickle.loads(sent)


_FORKED = """
import os, sys
from irpref.positions.saved import saved_in

saved = saved_in(sys.argv[1])
child = os.fork()
# Both read at once, and neither moves where the other one reads.
names = sorted(saved.archive.tables)
for _ in range(300):
    for name in names:
        saved.archive._bytes(f"{name}.parquet")
if child:
    _, code = os.waitpid(child, 0)
    sys.exit(code)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_processes_read_at_once(versions: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "x.irpref").write_bytes(versions[0])
    command = [sys.executable, "-c", _FORKED, str(tmp_path / "x.irpref")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_file_is_closed_when_nobody_needs_it(versions: list[bytes], tmp_path: Path) -> None:
    place = tmp_path / "x.irpref"
    place.write_bytes(versions[0])
    opened = [os.open(place, os.O_RDONLY)]
    for _ in range(300):
        saved_in(place)
    opened.append(os.open(place, os.O_RDONLY))
    assert opened[1] < opened[0] + 20
    for descriptor in opened:
        os.close(descriptor)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_nothing_is_read_of_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert saved_in(pipe) is None
    with pytest.raises(InputError, match="this is no file that can hold a summary"):
        irpref.Summary.load(pipe)


@contextmanager
def writing(place: Path, versions: list[bytes]) -> Iterator[None]:
    """Meanwhile one version after the other takes the place of the file."""
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            new = place.with_name("new")
            new.write_bytes(versions[number % len(versions)])
            new.replace(place)

    place.write_bytes(versions[0])
    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


def test_no_answer_is_of_two_files(
    versions: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "x.irpref"
    until = time.monotonic() + (20 if "IRPREF_FUZZ" in os.environ else 3)
    found = set[Any]()
    with writing(place, versions):
        while time.monotonic() < until:
            found.add(wins_of(place))
            frame = irpref.compare(place, None, "LP", keep="summary").outcomes("LP")
            found.add((int(frame["wins"][0]), int(frame["losses"][0])))
            assert main(["compare", str(place), "-p", "LP", "--no-test", "--format", "csv"]) == 0
            row = capsys.readouterr().out.splitlines()
            values = dict(zip(row[0].split(","), row[1].split(","), strict=True))
            counts = int(values["wins"]), int(values["losses"])
            # Of two systems, the winner stands first.
            found.add(counts if values["a"] == frame["a"][0] else counts[::-1])
    assert found == {(4, 1), (2, 3)}

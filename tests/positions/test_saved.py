"""The file of a saved collection: what cannot be asked of it, and what is not as it was written."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

import numpy as np
import polars as pl
import pytest

import irpref
from irpref import InputError, demo_paths
from irpref.base.reading_options import Reading
from irpref.positions.saved import opened_once, saved_in
from tests.positions.forged import (
    header_of,
    members_of,
    packed,
    saved_bytes,
    signed,
    with_header,
    with_table,
)

QRELS, RUNS = demo_paths()
NOT_OURS = "this is no collection that irpref saved, or a damaged one"


@pytest.fixture(scope="module")
def content() -> bytes:
    """A small collection in two parts, saved."""
    return saved_bytes(parts=2)


@pytest.fixture
def place(content: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "x.irpref"
    path.write_bytes(content)
    return path


def refused(path: Path, said: str = NOT_OURS, *more: Any, **how: Any) -> None:
    with pytest.raises(InputError) as caught:
        # All that is kept is read.
        irpref.collect(path, *more, **how).compare("RPP")
    assert said in str(caught.value)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def outcome(path: Path) -> tuple[str | None, str]:
    """A report, or what is said to a damaged file."""
    try:
        return irpref.compare(path, None, "RPP").report(test=False).to_json(), ""
    except InputError as error:
        return None, str(error)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"order": "rank"}, "its runs were not read with order='rank'"),
        ({"order": {"bm25": "rank"}}, "its runs were not read with order="),
        ({"duplicates": "first"}, "its runs were not read with duplicates='first'"),
        ({"judged_only": True}, "its runs were not read with judged_only=True"),
        ({"rel": 2}, "its runs were not read with rel=2"),
        ({"columns": {"topic": "t"}}, "its runs were not read with columns="),
        ({"depth": 6}, "its runs were cut to 5 documents"),
        ({"depth": None}, "its runs were cut to 5 documents"),
        ({"lists": 3}, "it keeps only the first 2 documents of the runs"),
    ],
)
def test_what_is_settled_names_the_option(how: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.irpref"
    path.write_bytes(saved_bytes(depth=5, lists=2))
    refused(path, said, **how)
    [name] = how
    with pytest.raises(InputError, match=rf"read the runs again, and save them, with {name}="):
        irpref.collect(path, **how)
    with pytest.raises(InputError, match=name):
        irpref.convert(path, None, tmp_path / "y.irpref", **how)
    assert not (tmp_path / "y.irpref").exists()
    # What is free, and what is asked for as it is.
    free = {"depth": 3, "lists": 1, "missing": "skip", "users": True, "order": "score"}
    assert irpref.collect(path, **free).reading.depth == 3


def test_lists_that_were_not_kept_name_the_option(place: Path) -> None:
    refused(place, "it keeps no lists of the runs", lists=1)


def test_systems_are_named_once_and_known(place: Path) -> None:
    with pytest.raises(ValueError, match=r"unknown system 'bm52'; did you mean 'bm25'\?"):
        irpref.collect(place, ["bm52"])
    with pytest.raises(ValueError, match="name at least one system, and none twice"):
        irpref.collect(place, ["bm25", "bm25"])
    with pytest.raises(ValueError, match="name at least one system"):
        irpref.collect(place, [])
    with pytest.raises(ValueError, match="has its runs already"):
        irpref.collect(place, {"bm25": RUNS[0]})
    assert irpref.collect(place, "bm25").systems == ("bm25",)
    place.write_bytes(saved_bytes(groups={"any": "bm25*"}))
    assert set(irpref.collect(place, ["any"]).systems) == {"bm25", "bm25-prf"}
    with pytest.raises(ValueError, match="none twice"):
        irpref.collect(place, ["any", "bm25"])


def test_it_says_how_it_was_read(place: Path) -> None:
    saved = saved_in(place)
    assert saved is not None
    assert saved.systems == tuple(path.stem for path in RUNS[:3])
    assert len(saved.parts) == 2
    assert opened_once(irpref.collect, QRELS, {}) == (QRELS, Reading())
    for data in (place, saved):
        _, reading = opened_once(irpref.collect, data, {"missing": "skip"})
        assert (reading.order, reading.missing, reading.lists) == ("score", "skip", None)
    assert saved_in({"1": {}}) is None
    assert saved_in(saved) is saved


def test_another_zip_file_is_one_line(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    irpref.compare(QRELS, RUNS, keep="summary").save(summary)
    refused(summary)
    (tmp_path / "plain.zip").write_bytes(packed({"a.txt": b"text"}))
    refused(tmp_path / "plain.zip")
    with ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(InputError):
        irpref.collect(tmp_path / "empty.zip", RUNS)


def test_a_newer_form_says_which_irpref_reads_it(content: bytes, place: Path) -> None:
    files = members_of(content)
    header = {**header_of(files), "irpref_collection": 99, "irpref": "9.1"}
    place.write_bytes(packed(with_header(files, header)))
    refused(place, "irpref 9.1 saved this collection, in another form; read it with that version")


@pytest.mark.parametrize(
    "change",
    [
        lambda header: [],
        lambda header: {},
        lambda header: {**header, "systems": []},
        lambda header: {**header, "systems": ["a", "a", "b"]},
        lambda header: {**header, "systems": header["systems"][::-1]},
        lambda header: {**header, "systems": 7},
        lambda header: {**header, "reading": {"order": "none"}},
        lambda header: {**header, "reading": {"more": 1}},
        lambda header: {**header, "sources": None},
        lambda header: {**header, "selected": [["a"]]},
        lambda header: {**header, "pool": "none such"},
        lambda header: {**header, "warnings": [{"system": "a"}]},
        lambda header: {**header, "warnings": [7]},
        lambda header: {**header, "parts": []},
        lambda header: {**header, "parts": [{}]},
        lambda header: {**header, "parts": header["parts"] * 2},
        lambda header: {**header, "tables": {}},
        lambda header: {**header, "tables": dict.fromkeys(header["tables"])},
        *(
            lambda header, bits=bits: {**header, "bits": bits}
            for bits in (8, 64, 10**9, "16", None)
        ),
        *(
            lambda header, value=value: {
                **header,
                "parts": [{"ignored": value} for _ in header["parts"]],
            }
            for value in (
                *([1], "x", [-1, 0, 0], [2**70, 0, 0], None),
                *([2**63, 0, 0], [0.5, 0, 0], [None, 0, 0]),
            )
        ),
    ],
)
def test_a_header_that_says_something_else_is_one_line(
    change: Callable[[Any], Any], content: bytes, place: Path
) -> None:
    files = members_of(content)
    place.write_bytes(packed(with_header(files, change(header_of(files)))))
    refused(place)


def test_deep_or_packed_content_is_one_line(content: bytes, place: Path) -> None:
    files = members_of(content)
    for changed in (
        packed(files, ZIP_DEFLATED),
        packed({**files, "irpref.json": b"[" * 100_000}),
        packed({**files, "irpref.json": b"\xff"}),
    ):
        place.write_bytes(changed)
        refused(place)


def test_a_file_that_was_cut_is_one_line(content: bytes, place: Path) -> None:
    for end in range(4, len(content), 97):
        place.write_bytes(content[:end])
        refused(place)


def test_a_byte_that_changed_changes_nothing_or_is_one_line(content: bytes, place: Path) -> None:
    wanted, _ = outcome(place)
    rng, same = random.Random(1), 0
    for at in rng.sample(range(4, len(content)), 60):
        flipped = bytearray(content)
        flipped[at] ^= 1 << rng.randrange(8)
        place.write_bytes(flipped)
        found, said = outcome(place)
        assert "\n" not in said
        if found is not None:
            assert found == wanted
            same += 1
    assert same < 30


@pytest.mark.slow
def test_bytes_of_a_table_that_changed_never_panic(content: bytes, place: Path) -> None:
    """Where the checksum fits what somebody changed."""
    files, rng = members_of(content), random.Random(2)
    names = [name for name in files if name.endswith(".parquet")]
    for _ in range(60):
        name = rng.choice(names)
        flipped = bytearray(files[name])
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        place.write_bytes(packed(signed({**files, name: bytes(flipped)})))
        assert "\n" not in outcome(place)[1]


SHAPES: list[tuple[str, Callable[[pl.DataFrame], pl.DataFrame]]] = [
    ("positions", lambda table: table[1:]),
    ("positions", lambda table: table.select(reversed(table.columns))),
    ("positions", lambda table: table.drop("bm25")),
    ("positions", lambda table: table.cast(pl.Float64)),
    ("positions", lambda table: table.cast(pl.String)),
    ("positions", lambda table: table.with_columns(pl.all() * 0)),
    ("positions", lambda table: table.with_columns(-pl.all())),
    ("tie_first", lambda table: table.with_columns(pl.all() + 3)),
    ("tie_last", lambda table: table.with_columns(pl.all() * 0 + 1)),
    ("retrieved", lambda table: table[:-1]),
    ("retrieved", lambda table: table.with_columns(pl.all() * 0 - 1)),
    ("listed", lambda table: table.with_columns(pl.all() * 0 - 1)),
    ("topics", lambda table: table[::-1]),
    ("topics", lambda table: table[:-1]),
    ("topics", lambda table: table.with_columns(documents=pl.lit("many"))),
    ("topics", lambda table: table.with_columns(documents=pl.lit(-1))),
    ("judgments", lambda table: table[:-1]),
    ("judgments", lambda table: table.drop("document")),
    ("judgments", lambda table: table.with_columns(grade=pl.lit(float("nan")))),
    ("judgments", lambda table: table.with_columns(grade=pl.lit(None, pl.Float64))),
    ("judgments", lambda table: table.with_columns(topic=pl.lit(None, pl.String))),
    ("first_judged", lambda table: table.with_columns(key=table["key"] + 10_000)),
    ("first_judged", lambda table: table.with_columns(system=pl.lit(3))),
    ("first_judged", lambda table: table.with_columns(system=pl.lit(-1))),
    ("first_judged", lambda table: table.drop("position")),
    ("repetitions", lambda table: table.drop("key")),
]


@pytest.mark.parametrize(("name", "change"), SHAPES)
def test_tables_of_other_shapes_and_numbers_are_one_line(
    name: str, change: Callable[[pl.DataFrame], pl.DataFrame], content: bytes, place: Path
) -> None:
    place.write_bytes(packed(with_table(members_of(content), f"part=1/{name}", change)))
    refused(place)


def test_a_part_that_is_gone_is_one_line(content: bytes, place: Path) -> None:
    files = members_of(content)
    few = {name: of for name, of in files.items() if not name.startswith("part=1/pos")}
    for members in (few, signed(few)):
        place.write_bytes(packed(members))
        refused(place)


def damaged_where(content: bytes, path: Path, name: str, column: str) -> None:
    """Other bytes in a column of a table; all checksums fit."""
    files = members_of(content)
    table = files[name]
    alone = io.BytesIO()
    frame = pl.read_parquet(table).select(column)
    frame.write_parquet(alone, compression="zstd", statistics=False)
    body = alone.getvalue()[4:40]
    at = table.index(body)
    changed = {**files, name: table[:at] + bytes(len(body)) + table[at + len(body) :]}
    header = header_of(signed(files))
    header["tables"][name.removesuffix(".parquet")]["crc32"] = crc32(changed[name])
    path.write_bytes(packed(with_header(changed, header)))


def test_only_the_systems_that_are_asked_for_are_decoded(content: bytes, place: Path) -> None:
    damaged_where(content, place, "part=0/positions.parquet", "bm25")
    few = irpref.collect(place, ["boolean", "bm25-prf"])
    wanted = irpref.collect(QRELS, RUNS[:3]).select(systems=["boolean", "bm25-prf"])
    assert few.compare("RPP").order("RPP").to_list() == wanted.compare("RPP").order("RPP").to_list()
    np.testing.assert_array_equal(few.placements.positions, wanted.placements.positions)
    refused(place)


def test_nothing_is_decoded_before_it_is_needed(content: bytes, place: Path) -> None:
    files = members_of(content)
    nothing = {name: of if name == "irpref.json" else b"" for name, of in files.items()}
    place.write_bytes(packed(nothing))
    irpref.collect(place)
    refused(place)

"""What is written of a collection: tables that others open, the same bytes each time, or nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pandas as pd
import polars as pl
import pytest

import irpref
from irpref import demo_paths
from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.positions.saved import saved_in
from irpref.positions.saving import COUNTS, PLACES, collection_file

QRELS, RUNS = demo_paths()


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    return irpref.collect(QRELS, RUNS, lists=3)


def test_the_tables_are_those_of_the_collection(data: irpref.Collection, tmp_path: Path) -> None:
    data.save(tmp_path / "x.irpref")
    with ZipFile(tmp_path / "x.irpref") as file:
        assert {info.compress_type for info in file.infolist()} == {ZIP_STORED}
        # The time of day would make other bytes.
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        tables = {
            name.removeprefix("part=0/").removesuffix(".parquet"): pl.read_parquet(file.read(name))
            for name in file.namelist()
            if name.endswith(".parquet")
        }
        header = json.loads(file.read("irpref.json"))
        # Others open it.
        with file.open("part=0/positions.parquet") as table:
            assert tuple(pd.read_parquet(io.BytesIO(table.read()))) == data.systems
    rest = {"judgments", "topics", "first_judged", "repetitions", "lists"}
    assert tables.keys() == {*PLACES, *COUNTS, *rest}
    rows = {name: table["rows"] for name, table in header["tables"].items()}
    assert rows == {f"part=0/{name}": table.height for name, table in tables.items()}
    assert (header["irpref_collection"], tuple(header["systems"])) == (2, data.systems)
    placements = data.placements
    for name in PLACES:
        wanted = getattr(placements, name)
        found = tables[name].fill_null(placements.unretrieved).to_numpy()
        assert (found == wanted).all()
        assert sum(tables[name].null_count().row(0)) == (wanted == placements.unretrieved).sum()
    for name in COUNTS:
        assert (tables[name].to_numpy() == getattr(placements.by_topic, name)).all()
    assert tables["judgments"]["document"].to_list() == data.judgments["document"].to_list()


def test_the_same_collection_is_the_same_bytes(data: irpref.Collection, tmp_path: Path) -> None:
    for name in "ab":
        data.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    irpref.collect(tmp_path / "a").save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    # Over itself, which is read when it is written.
    irpref.collect(tmp_path / "a").save(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_stops_in_the_middle_leaves_what_was_there(
    data: irpref.Collection, tmp_path: Path
) -> None:
    place = tmp_path / "x.irpref"
    place.write_text("mine")

    def stopped() -> None:
        with collection_file(place) as file:
            file.add(data.placements, data.index)
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        stopped()
    assert place.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [place]
    for where, said in ((tmp_path, "directory"), (tmp_path / "no" / "x", "does not exist|No such")):
        with pytest.raises(InputError, match=said) as caught:
            data.save(where)
        assert "\n" not in str(caught.value)


def test_warnings_are_made_again_with_all_their_parts(
    data: irpref.Collection, tmp_path: Path
) -> None:
    told = InputError(
        Message("looks wrong (", Option("order", {"bm25": "rank"}), ")"),
        source="run 'bm25'",
        line=7,
        topic="6",
        document="d",
        remedy=Message("set ", Option("judged_only")),
    )
    with collection_file(tmp_path / "x.irpref") as file:
        file.add(data.placements, data.index)
        file.finish({"bm25": told})
    saved = saved_in(tmp_path / "x.irpref")
    assert saved is not None
    found = saved.warnings["bm25"]
    assert (str(found), found.line, found.topic) == (str(told), 7, "6")

    def spelled(option: Option) -> str:
        return f"<{option.name}={option.value if not option.alone else None}>"

    for name in ("problem", "remedy"):
        made, wanted = getattr(found, name), getattr(told, name)
        assert [spelled(of) if isinstance(of, Option) else of for of in made.parts] == [
            spelled(of) if isinstance(of, Option) else of for of in wanted.parts
        ]

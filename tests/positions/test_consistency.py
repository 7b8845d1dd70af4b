"""Tables that are right by themselves, and contradict each other: one line, whatever the checksums say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tests.positions.forged import (
    Members,
    header_of,
    members_of,
    packed,
    said_of,
    saved_bytes,
    signed,
    with_header,
    with_table,
)

Change = Callable[[pl.DataFrame], pl.DataFrame]
SYSTEM = "bm25"


@pytest.fixture(scope="module")
def members() -> Members:
    """A collection in one part."""
    return members_of(saved_bytes(lists=12))


@pytest.fixture(scope="module")
def in_parts() -> Members:
    """The same in two parts, of six topics each."""
    return members_of(saved_bytes(lists=12, parts=2))


def refused(members: Members, path: Path) -> str:
    path.write_bytes(packed(members))
    found, line = said_of(path)
    assert found is None
    return line


def at(row: int, **values: object) -> Change:
    """A table with other values in a row."""

    def change(table: pl.DataFrame) -> pl.DataFrame:
        here = pl.int_range(pl.len()) == row
        kinds = table.schema
        return table.with_columns(
            pl.when(here).then(pl.lit(value, kinds[name])).otherwise(pl.col(name)).alias(name)
            for name, value in values.items()
        )

    return change


def plus(name: str, number: int) -> Change:
    return lambda table: table.with_columns(pl.col(name) + number)


def first_retrieved(members: Members) -> int:
    """A row of a relevant document that the system retrieves."""
    positions = pl.read_parquet(members["part=0/positions.parquet"])[SYSTEM]
    return int(positions.is_not_null().arg_true()[0])


@pytest.mark.parametrize("name", ["positions", "tie_first", "tie_last"])
def test_a_document_has_all_its_places_or_none(name: str, members: Members, tmp_path: Path) -> None:
    row = first_retrieved(members)
    forged = with_table(members, f"part=0/{name}", at(row, **{SYSTEM: None}))
    assert "without a tied group" in refused(forged, tmp_path / "x.irpref")


def test_a_position_is_in_its_tied_group(members: Members, tmp_path: Path) -> None:
    row = first_retrieved(members)
    for name, value in (("tie_first", 5000), ("tie_last", 1)):
        forged = with_table(members, f"part=0/{name}", at(row, **{SYSTEM: value}))
        where = pl.read_parquet(members["part=0/positions.parquet"])[SYSTEM][row]
        if name == "tie_first" or where > 1:
            assert "outside its tied group" in refused(forged, tmp_path / "x.irpref")


def test_two_documents_at_one_position(members: Members, tmp_path: Path) -> None:
    def doubled(table: pl.DataFrame) -> pl.DataFrame:
        # The first two of the first topic take one place.
        rows = table[SYSTEM].is_not_null().arg_true()[:2].to_list()
        values = table[SYSTEM].to_list()
        values[rows[1]] = values[rows[0]]
        return table.with_columns(pl.Series(SYSTEM, values, table.schema[SYSTEM]))

    forged = members
    for name in ("positions", "tie_first", "tie_last"):
        forged = with_table(forged, f"part=0/{name}", doubled)
    assert "two documents at one position" in refused(forged, tmp_path / "x.irpref")


def test_two_documents_that_are_not_relevant_at_one_position(
    members: Members, tmp_path: Path
) -> None:
    judgments = pl.read_parquet(members["part=0/judgments.parquet"]).with_row_index("key")

    def moved(table: pl.DataFrame) -> pl.DataFrame:
        judged = table.with_row_index("row").join(
            judgments.select(pl.col("key").cast(pl.Int32), "topic", "grade"), on="key"
        )
        several = judged.filter(pl.len().over("system", "topic") > 1)
        row, system, topic = (
            several.filter(pl.col("grade") <= 0).select("row", "system", "topic").row(0)
        )
        same_list = (pl.col("system") == system) & (pl.col("topic") == topic)
        place = several.filter(same_list & (pl.col("row") != row))["position"][0]
        return at(row, position=place)(table)

    forged = with_table(members, "part=0/first_judged", moved)
    assert "two documents at one position" in refused(forged, tmp_path / "x.irpref")


def test_tied_groups_do_not_overlap(members: Members, tmp_path: Path) -> None:
    position = pl.read_parquet(members["part=0/positions.parquet"])[SYSTEM]
    deep = int(position.arg_max())  # type: ignore[arg-type]
    forged = with_table(members, "part=0/tie_first", at(deep, **{SYSTEM: 1}))
    assert "a tied group with two ends" in refused(forged, tmp_path / "x.irpref")


def test_a_position_is_within_its_list(members: Members, tmp_path: Path) -> None:
    for name in ("retrieved", "listed"):
        none = with_table(members, f"part=0/{name}", lambda table: table.with_columns(pl.all() * 0))
        refused(none, tmp_path / "x.irpref")
    short = with_table(members, "part=0/retrieved", lambda table: table.with_columns(pl.all() // 2))
    refused(short, tmp_path / "x.irpref")
    within = with_table(short, "part=0/topics", lambda table: table.drop("documents"))
    within = with_table(within, "part=0/judgments", lambda table: table.drop("retrieved"))
    assert "below its list" in refused(within, tmp_path / "x.irpref")
    longer = with_table(members, "part=0/retrieved", plus(SYSTEM, 1))
    assert "longer than its run" in refused(longer, tmp_path / "x.irpref")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("topics", plus("documents", 10**6)),
        ("topics", lambda table: table.with_columns(documents=pl.lit(1))),
        ("topics", lambda table: table.drop("documents")),
        ("topics", lambda table: table[::-1]),
        ("judgments", lambda table: table.drop("retrieved")),
        ("judgments", lambda table: table.with_columns(retrieved=~pl.col("retrieved"))),
        ("judgments", lambda table: table.with_columns(grade=pl.lit(0.0))),
        ("judgments", lambda table: table[::-1]),
        ("judgments", lambda table: table.with_columns(chosen=pl.int_range(pl.len()) > 0)),
        ("first_judged", lambda table: pl.concat([table, table[:1]])),
        ("first_judged", lambda table: table[1:]),
        ("first_judged", lambda table: table.with_columns(position=pl.lit(1, pl.Int8))),
        ("first_judged", lambda table: table.with_columns(key=table["key"].shuffle(1))),
        ("repetitions", lambda table: pl.DataFrame({"key": [0], "system": [0]})),
        ("lists", lambda table: table[1:]),
        ("lists", lambda table: table[::-1]),
        ("lists", lambda table: pl.concat([table, table[-1:]])),
        ("lists", lambda table: table.with_columns(document=table["document"].shuffle(1))),
        ("lists", lambda table: table.with_columns(key=pl.lit(-1, pl.Int32))),
        ("lists", lambda table: table.with_columns(document=pl.lit("d"), key=pl.lit(-1, pl.Int32))),
        ("lists", lambda table: table.with_columns(tie_last=pl.col("tie_last") + 9)),
        ("lists", lambda table: table.with_columns(tie_first=pl.col("position"))),
        ("lists", lambda table: table.with_columns(depth=pl.col("position"))),
        ("lists", lambda table: table.drop("key")),
    ],
)
def test_tables_agree(name: str, change: Change, members: Members, tmp_path: Path) -> None:
    refused(with_table(members, f"part=0/{name}", change), tmp_path / "x.irpref")


def test_an_unjudged_document_is_once_in_a_list(members: Members, tmp_path: Path) -> None:
    def doubled(table: pl.DataFrame) -> pl.DataFrame:
        unjudged = table.with_row_index().filter(pl.col("key") < 0)
        one = unjudged.filter(pl.len().over("system", "topic") > 1)[:2]
        names = table["document"].to_list()
        names[one["index"][1]] = names[one["index"][0]]
        return table.with_columns(document=pl.Series(names))

    forged = with_table(members, "part=0/lists", doubled)
    assert "twice in a list" in refused(forged, tmp_path / "x.irpref")


def test_the_depth_of_lists_of_judged_documents(tmp_path: Path) -> None:
    members = members_of(saved_bytes(lists=12, judged_only=True))
    (tmp_path / "y.irpref").write_bytes(packed(members))
    assert said_of(tmp_path / "y.irpref")[0] is not None
    for change in (
        lambda table: table.drop("depth"),
        lambda table: table.with_columns(depth=pl.lit(1, pl.Int32)),
        lambda table: table.with_columns(depth=pl.col("position") - 1),
    ):
        refused(with_table(members, "part=0/lists", change), tmp_path / "x.irpref")


NAMES = ("judgments", "topics", "positions", "tie_first", "tie_last", "retrieved", "listed")
NAMES = (*NAMES, "repeated", "first_judged", "repetitions", "lists")


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_another_part_is_one_line(name: str, in_parts: Members, tmp_path: Path) -> None:
    one, other = (f"part={part}/{name}.parquet" for part in (0, 1))
    exchanged = {**in_parts, one: in_parts[other], other: in_parts[one]}
    if in_parts[one] != in_parts[other]:
        refused(exchanged, tmp_path / "x.irpref")
        if name != "repeated":
            refused(signed(exchanged), tmp_path / "x.irpref")


def test_a_part_that_is_there_twice_is_one_line(in_parts: Members, tmp_path: Path) -> None:
    twice = {
        name.replace("part=0", "part=1"): of for name, of in in_parts.items() if "1/" not in name
    }
    forged = signed({**in_parts, **twice})
    assert "two parts have one topic" in refused(forged, tmp_path / "x.irpref")
    header = header_of(forged)
    header["parts"] = header["parts"][:1]
    refused(with_header(forged, header), tmp_path / "x.irpref")


def test_judgments_that_do_not_count_are_in_no_part(in_parts: Members, tmp_path: Path) -> None:
    forged = with_table(
        in_parts,
        "part=0/judgments",
        lambda table: table.select(
            *table.columns[:-1], pl.lit(value=True).alias("chosen"), table.columns[-1]
        ),
    )
    (tmp_path / "x.irpref").write_bytes(packed(forged))
    assert said_of(tmp_path / "x.irpref")[0] is not None
    some = with_table(forged, "part=0/judgments", at(0, chosen=False))
    refused(some, tmp_path / "x.irpref")

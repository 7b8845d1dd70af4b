"""Qrels and runs are cut into parts of the topics, the same on every machine."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from irpref import demo_paths
from irpref.base.reading_options import USUAL
from irpref.read import read_qrels, read_run
from irpref.read.cutting import part_of, write_parts
from irpref.read.stored import QRELS_ROW


def test_parts_do_not_depend_on_machine_or_version() -> None:
    assert part_of(pl.Series(["301", "302", "ünï", "301"]), 1000).to_list() == [476, 850, 718, 476]


def test_every_row_is_in_the_part_of_its_topic_with_its_line(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    named = {path.stem: path for path in runs}
    found: dict[str | None, list[pl.DataFrame]] = {}
    for (part, name), paths in write_parts(qrels, named, tmp_path, 5, USUAL).items():
        rows = pl.concat(map(pl.read_parquet, paths))
        assert part_of(rows["topic"], 5).unique().to_list() == [part]
        found.setdefault(name, []).append(rows)
    judged = pl.concat(found.pop(None)).sort(QRELS_ROW)
    whole = read_qrels(qrels).select("topic", "document", "line")
    assert judged.select(whole.columns).equals(whole)
    assert judged[QRELS_ROW].to_list() == list(range(whole.height))
    assert found.keys() == named.keys()
    for name, tables in found.items():
        whole = read_run(named[str(name)]).select("topic", "document", "score", "line")
        assert pl.concat(tables).select(whole.columns).sort("line").equals(whole)

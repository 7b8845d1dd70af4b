"""``convert`` writes Parquet that irpref and other tools read, whole or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import irpref
from irpref import InputError, demo_paths
from irpref.cli.main import main
from irpref.read.conversion import part_of

COLUMNS = {"query_id", "doc_id", "score", "rank", "system"}


@pytest.mark.parametrize("subtopics", [False, True])
def test_what_was_converted_is_compared_as_before(tmp_path: Path, subtopics: bool) -> None:
    qrels, runs = demo_paths(subtopics=subtopics)
    folder = tmp_path / "parts"
    irpref.convert(qrels, runs, folder, parts=5)
    asked = ["RPP", "LP", "IPSO@10", "nDCG@10", *(["STRPP"] if subtopics else [])]
    systems = sorted(Path(run).name.removesuffix(".txt") for run in runs)
    for order in ("score", "rank"):
        how: Any = {"order": order}
        whole = irpref.collect(qrels, runs, **how).select(systems=systems).compare(asked)
        summary = irpref.compare(folder / "qrels", folder / "runs", asked, keep="summary", **how)
        again = irpref.compare(folder / "qrels", folder / "runs", asked, **how)
        assert summary.systems == again.systems == tuple(systems)
        for each in asked:
            for found in (summary, again):
                np.testing.assert_allclose(found.mean(each), whole.mean(each), rtol=0, atol=1e-12)
                assert found.outcomes(each).to_dict("list") == whole.outcomes(each).to_dict("list")


def test_the_files_have_the_columns_that_others_know(tmp_path: Path) -> None:
    irpref.convert(*demo_paths(), tmp_path / "parts", parts=12)
    places = sorted(path.name for path in (tmp_path / "parts" / "runs").iterdir())
    assert places[:2] == ["_irpref.json", "part=00"]
    found = pl.scan_parquet(tmp_path / "parts/runs/**/*.parquet", hive_partitioning=True).collect()
    assert set(found.columns) == COLUMNS | {"part"}
    assert found.group_by("query_id").agg(pl.col("part").n_unique())["part"].to_list() == [1] * 12
    qrels = pd.read_parquet(tmp_path / "parts" / "qrels")
    assert {"query_id", "doc_id", "relevance"} <= set(qrels.columns)
    assert len(qrels) == len(irpref.collect(*demo_paths()).judgments)


def test_parts_do_not_depend_on_machine_or_version() -> None:
    assert part_of(pl.Series(["301", "302", "ünï", "301"]), 1000).to_list() == [476, 850, 718, 476]


def test_nothing_is_written_where_something_is_or_something_is_wrong(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="full: there is something here already"):
        irpref.convert(qrels, runs, tmp_path / "full")
    with pytest.raises(InputError, match="its folder does not exist"):
        irpref.convert(qrels, runs, tmp_path / "no" / "parts")
    bad = {"good": runs[0], "bad": {"1": {"d": float("nan")}}}
    with pytest.raises(InputError, match=r"run 'bad'.*NaN"):
        irpref.convert(qrels, bad, tmp_path / "parts")
    with pytest.raises(ValueError, match="parts must be"):
        irpref.convert(qrels, runs, tmp_path / "parts", parts=0)
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    (tmp_path / "empty").mkdir()
    irpref.convert(qrels, runs, tmp_path / "empty")
    assert (tmp_path / "empty" / "runs").is_dir()


# Files may be so large, as where a disk is full: in a process of its own, each convert with another limit.
_LIMITED = """
import json, resource, sys
from irpref import InputError, convert, demo_paths

found = []
for most in (0, 2000, 6000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        convert(*demo_paths(), sys.argv[1], parts=12)
    except InputError as error:
        found.append(str(error))
print(json.dumps(found))
"""


def test_where_the_disk_is_full_nothing_is_left(tmp_path: Path) -> None:
    """Of the files as well as of the manifest, which is the largest here."""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", _LIMITED, str(tmp_path / "parts")]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert len(found) == 3
    for said in found:
        assert said.startswith(f"{tmp_path / 'parts'}: cannot be written (")
        assert "File too large" in said
        assert len(said) < 300
        assert "\n" not in said
    assert "parquet" in found[0]
    assert "parquet" not in found[-1]
    assert not list(tmp_path.iterdir())


def test_qrels_or_a_run_without_rows_are_refused(tmp_path: Path) -> None:
    qrels, (run, *_) = demo_paths()
    nothing = tmp_path / "nothing.parquet"
    pl.DataFrame(
        {"query_id": ["1"], "doc_id": ["d"], "relevance": [1], "score": [1.0]}
    ).clear().write_parquet(nothing)
    for judged, runs, said in (
        (nothing, {"one": run}, "qrels: there are no rows"),
        (qrels, {"one": run, "none": nothing}, "run 'none': there are no rows"),
    ):
        with pytest.raises(InputError, match=said):
            irpref.convert(judged, runs, tmp_path / "parts")
    assert [file.name for file in tmp_path.iterdir()] == [nothing.name]


def test_the_command_converts_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = map(str, demo_paths()[0:1]), list(map(str, demo_paths()[1]))
    [judged] = qrels
    folder = tmp_path / "parts"
    assert main(["convert", judged, *runs, "-o", str(folder), "--parts", "3"]) == 0
    assert capsys.readouterr() == ("", "")
    asked = [str(folder / "qrels"), str(folder / "runs"), "--keep", "summary", "--test", "fit"]
    assert main(["compare", *asked]) == 0
    text = capsys.readouterr().out
    assert "bm25-prf leads by RPP (6 systems, 15 pairs, 12 topics)." in text
    assert "test:t|correction:holm" in text
    for more, said in (
        (["--test", "flip"], "--test flip needs every topic"),
        (["--per-topic"], "--per-topic needs every topic"),
        (["--test", "fit", "--ranks", "simultaneous"], "--ranks needs every topic"),
        (["--test", "fit", "--seed", "1"], "--seed is for random numbers"),
    ):
        assert main(["compare", *asked[:4], *more]) == 2
        assert said in capsys.readouterr().err

"""Comparing part by part of the topics is comparing all at once; split topics are refused."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import irpref
from irpref import InputError, Summary, demo_paths
from irpref.base.reading_options import Reading
from irpref.read import parts as reading_in_parts
from irpref.read import read_run
from tests.random_cases import Case, cases

ASKED = ("RPP", "LR", "IPSO@3", "nDCG@5", "LexiRecall(n='pool')", "IPSO(unjudged='any')@5")
QRELS = {"1": {"d": 1, "e": 0}, "2": {"d": 2}, "3": {"d": 1}, "4": {"f": 0}}
RUNS = {
    "a": {"1": {"d": 2.0, "e": 1.0}, "2": {"d": 1.0}, "9": {"d": 1.0}},
    "b": {"1": {"e": 2.0, "d": 1.0}, "3": {"x": 1.0, "d": 0.5}},
}


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the data were so large that they are cut into three parts."""
    monkeypatch.setattr(reading_in_parts, "parts_for", lambda qrels, runs: 3)


def assert_same(summary: Summary, whole: irpref.Comparison) -> None:
    assert summary.systems == whole.systems
    for each in whole.preferences:
        np.testing.assert_allclose(summary.mean(each), whole.mean(each), rtol=0, atol=1e-12)
        assert summary.outcomes(each).to_dict("list") == whole.outcomes(each).to_dict("list")
        assert summary.signature(each) == whole.signature(each)
    pd.testing.assert_frame_equal(
        summary.coverage.frame, whole.coverage.frame, check_dtype=False, rtol=1e-12
    )


@pytest.mark.usefixtures("in_parts")
@settings(max_examples=8, suppress_health_check=[])
@given(case=cases(topics=15), missing=st.sampled_from(["worst", "skip"]))
def test_parts_are_the_whole(case: Case, missing: Any) -> None:
    assume(case.comparable)
    options: Any = {"missing": missing}
    whole = irpref.compare(case.qrels, case.runs, ASKED, **options)
    assert_same(irpref.compare(case.qrels, case.runs, ASKED, keep="summary", **options), whole)


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("subtopics", [False, True])
def test_files_of_every_kind_are_cut(tmp_path: Path, subtopics: bool) -> None:
    qrels, runs = demo_paths(subtopics=subtopics)
    mixed: dict[str, Any] = {}
    for number, given_path in enumerate(runs):
        path, text = Path(given_path), Path(given_path).read_bytes()
        mixed[f"run {number}"] = path
        if number == 0:
            mixed["run 0"] = tmp_path / "packed.gz"
            mixed["run 0"].write_bytes(gzip.compress(text))
        if number == 1:
            mixed["run 1"] = tmp_path / "columns.parquet"
            columns = ["query_id", "q0", "doc_id", "rank", "score", "tag"]
            table = pl.read_csv(text, separator=" ", has_header=False, new_columns=columns)
            table.write_parquet(mixed["run 1"])
        if number == 2:
            mixed["run 2"] = read_run(path)
    asked = [*ASKED, *(["STRPP"] if subtopics else [])]
    for options in ({}, {"order": "rank"}, {"judged_only": True, "missing": "skip"}):
        some = (
            [each for each in asked if "unjudged" not in each]
            if "judged_only" in options
            else asked
        )
        reading: Any = options
        whole = irpref.compare(qrels, mixed, some, **reading)
        assert_same(irpref.compare(qrels, mixed, some, keep="summary", **reading), whole)


@pytest.mark.usefixtures("in_parts")
def test_faults_found_in_a_part_name_the_file_and_line_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text("1 Q0 d 1 3 t\n2 Q0 d 1 2 t\n1 Q0 d 2 1 t\n")
    runs = {"twice": path, "b": RUNS["b"]}
    with pytest.raises(InputError, match="the document is there twice") as found:
        irpref.compare(QRELS, runs, keep="summary")
    error = found.value
    assert (error.source, error.line, error.topic, error.document) == (str(path), 3, "1", "d")
    summary = irpref.compare(QRELS, runs, keep="summary", duplicates="first")
    assert summary.coverage.frame.loc["twice", "duplicates"] == 1
    path.write_text("1 Q0 d 1 3 t\n2 Q0 d 1 nan t\n")
    with pytest.raises(InputError, match=r"twice\.txt, line 2, topic 2, document d: .*NaN"):
        irpref.compare(QRELS, runs, keep="summary")
    path.write_text("7 Q0 d 1 3 t\n")
    with pytest.raises(InputError, match="run 'twice': the run has no topic in common"):
        irpref.compare(QRELS, runs, keep="summary")
    with pytest.raises(InputError, match="nothing relevant to find"):
        irpref.compare({"1": {"d": 0}}, RUNS, keep="summary")


@pytest.mark.usefixtures("in_parts")
def test_nothing_is_left_of_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    irpref.compare(QRELS, RUNS, keep="summary")
    with pytest.raises(InputError):
        irpref.compare(QRELS, {"a": RUNS["a"], "b": {"1": {"d": float("nan")}}}, keep="summary")
    assert not list(tmp_path.iterdir())


def qrels_of(*topics: Any) -> pl.DataFrame:
    """In every topic, d is relevant, and e is not."""
    return pl.concat(
        pl.DataFrame({"query_id": [topic] * 2, "doc_id": ["d", "e"], "relevance": [1, 0]})
        for topic in topics
    )


def runs_of(system: str, *topics: Any, document: Any = "d") -> pl.DataFrame:
    rows = len(topics)
    columns = {"query_id": topics, "doc_id": [document] * rows, "score": [1.0] * rows}
    return pl.DataFrame({**columns, "system": [system] * rows})


def with_parts(folder: Path, **files: pl.DataFrame) -> Path:
    """A folder with folders part=… , by place."""
    for place, frame in files.items():
        part, _, name = place.partition("__")
        path = folder / f"part={part.removeprefix('p')}" / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(path)
    return folder


def compared(qrels: Path, runs: Path) -> Summary:
    return irpref.compare(qrels, runs, ["RPP", "LP"], keep="summary")


def test_partitions_of_others_are_read_as_they_are(tmp_path: Path) -> None:
    qrels = with_parts(
        tmp_path / "qrels", p0__x=qrels_of(1, 2), p1__x=qrels_of("3"), p2__x=qrels_of("4")[:0]
    )
    runs = with_parts(
        tmp_path / "runs",
        p0__x=runs_of("a", "1", "2", document="e"),
        p0__y=runs_of("b", 1, 2),
        p1__x=runs_of("b", "3"),
        p3__x=runs_of("a", "9"),
    )
    summary = compared(qrels, runs)
    assert (summary.systems, summary.topic_count) == (("a", "b"), 3)
    assert summary.mean("RPP").loc["b", "a"] == 1
    assert summary.coverage.frame["ignored"].to_dict() == {"a": 1, "b": 0}
    assert summary.coverage.frame["missing"].to_dict() == {"a": 1, "b": 0}
    whole = irpref.compare(qrels, runs, ["RPP", "LP"])
    assert_same(summary, whole)


def test_what_is_wrong_with_partitions_names_partition_and_topic(tmp_path: Path) -> None:
    good = with_parts(tmp_path / "qrels", p0__x=qrels_of("1", "2"), p1__x=qrels_of("3"))
    split = with_parts(tmp_path / "split", p0__x=qrels_of("1", "2"), p1__x=qrels_of("3", "2"))
    runs = with_parts(tmp_path / "runs", p0__x=runs_of("a", "1", "2"), p1__x=runs_of("b", "3"))
    with pytest.raises(InputError, match=r"topic 2: .*two partitions, part=0 and part=1"):
        compared(split, runs)
    moved = with_parts(tmp_path / "moved", p0__x=runs_of("a", "1", "3"), p1__x=runs_of("b", "3"))
    with pytest.raises(
        InputError, match="topic 3: the runs have this topic in part=0, and the qrels in part=1"
    ):
        compared(good, moved)
    nameless = with_parts(
        tmp_path / "nameless", p0__x=runs_of("a", "1"), p1__x=runs_of("b", "3").drop("system")
    )
    with pytest.raises(InputError, match=r"part=1/x\.parquet: there is no column 'system'"):
        compared(good, nameless)
    short = with_parts(
        tmp_path / "short", p0__x=runs_of("a", "1"), p1__x=runs_of("b", "3").drop("score")
    )
    with pytest.raises(InputError, match=r"part=1.*no column has a known name for the score"):
        compared(good, short)
    twice = with_parts(
        tmp_path / "twice",
        p0__x=runs_of("a", "1"),
        p1__x=runs_of("b", "3"),
        p1__y=runs_of("b", "3"),
    )
    with pytest.raises(InputError, match=r"part=1, system b, .*topic 3, document d: .*twice"):
        compared(good, twice)


def test_a_table_with_a_column_system_stands_for_all_runs(tmp_path: Path) -> None:
    whole = pl.concat([runs_of("b", "1", "2"), runs_of("a", "1", "2", document="e")])
    qrels = qrels_of("1", "2")
    path, text = tmp_path / "runs.parquet", tmp_path / "runs.tsv"
    whole.write_parquet(path)
    whole.write_csv(text, separator="\t")
    folder = tmp_path / "folder"
    folder.mkdir()
    whole[:3].write_parquet(folder / "0.parquet")
    whole[3:].write_parquet(folder / "1.parquet")
    for table in (
        path,
        str(text),
        folder,
        [path],
        whole,
        whole.lazy(),
        whole.to_pandas(),
        whole.to_arrow(),
    ):
        comparison = irpref.compare(qrels, table, "RPP")
        assert comparison.systems == ("a", "b")
        assert comparison.mean("RPP").loc["b", "a"] == 1
    with pytest.raises(ValueError, match="two runs are named 'a'"):
        irpref.collect(qrels, [path, folder])
    one = tmp_path / "one.parquet"
    runs_of("name", "1").write_parquet(one)
    assert irpref.collect(qrels, [one, path]).systems == ("one", "a", "b")
    nobody = whole.with_columns(
        system=pl.when(pl.col("doc_id") == "e").then(None).otherwise(pl.lit("b"))
    )
    for table in (nobody, nobody.lazy()):
        with pytest.raises(InputError, match="names no system"):
            irpref.collect(qrels, table)
    nobody.write_parquet(path)
    with pytest.raises(InputError, match=r"runs\.parquet: a row names no system"):
        irpref.collect(qrels, path)


@pytest.mark.parametrize("kind", ["parquet", "text"])
def test_a_table_of_all_systems_that_cannot_be_split_is_refused(tmp_path: Path, kind: str) -> None:
    whole = pl.concat([runs_of("b", "1"), runs_of("a", "1", document="e")])
    content = io.BytesIO()
    (whole.write_parquet if kind == "parquet" else whole.write_csv)(content)
    said = "the table has rows of several systems, such as 'a' and 'b'"
    for run in (io.BytesIO(content.getvalue()), tmp_path / "run.gz"):
        if isinstance(run, Path):
            run.write_bytes(gzip.compress(content.getvalue()))
        with pytest.raises(InputError, match=said):
            irpref.collect(qrels_of("1"), {"one": run}, duplicates="first")


def test_small_data_are_read_at_once() -> None:
    with reading_in_parts.topic_parts(QRELS, RUNS, Reading()) as parts:
        assert parts is None


def test_folders_of_one_part_in_several_places_are_one_part(tmp_path: Path) -> None:
    for day, topics in (("day=1", (1, 2)), ("day=2", (3, 4))):
        for part, topic in enumerate(topics):
            runs = pl.concat([runs_of("a", topic), runs_of("b", topic, document="e")])
            for kind, rows in (("qrels", qrels_of(topic)), ("runs", runs)):
                folder = tmp_path / kind / day / f"part={part}"
                folder.mkdir(parents=True)
                rows.write_parquet(folder / "0.parquet")
    summary = compared(tmp_path / "qrels", tmp_path / "runs")
    assert summary.topic_count == 4
    assert summary.coverage.retrieved.tolist() == [4, 4]
    assert summary.outcomes("RPP")["wins"].item() == 4


@pytest.mark.parametrize("first", ["0", "9"])
def test_a_file_without_the_column_system_is_refused_wherever_it_is(
    tmp_path: Path, first: str
) -> None:
    runs_of("a", 1).drop("system").write_parquet(tmp_path / f"{first}.parquet")
    runs_of("b", 1).write_parquet(tmp_path / "5.parquet")
    with pytest.raises(InputError, match=rf"{first}\.parquet: there is no column 'system'"):
        irpref.compare(qrels_of(1), tmp_path)


def test_rows_in_the_folder_of_no_system_are_refused(tmp_path: Path) -> None:
    for name in ("a", "__HIVE_DEFAULT_PARTITION__"):
        folder = tmp_path / f"system={name}"
        folder.mkdir()
        runs_of("a", 1).drop("system").write_parquet(folder / "0.parquet")
    with pytest.raises(
        InputError, match="HIVE_DEFAULT_PARTITION__: the rows in this folder have no"
    ):
        irpref.compare(qrels_of(1), tmp_path)


def test_flags_may_tell_systems_apart(tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    tables = [
        runs_of("", 1, document=document).with_columns(system=pl.lit(flag))
        for document, flag in (("d", True), ("e", False))
    ]
    pl.concat(tables).write_parquet(path)
    for runs in (path, pl.scan_parquet(path), pl.read_parquet(path)):
        mean = irpref.compare(qrels_of(1), runs, "RPP").mean("RPP")
        assert mean.loc["True", "False"] == 1


def test_an_iterator_of_paths_is_gone_through_once() -> None:
    qrels, paths = demo_paths()
    summary = irpref.compare(qrels, iter(paths), "RPP", keep="summary")
    assert_same(summary, irpref.compare(qrels, paths, "RPP"))


@pytest.mark.usefixtures("in_parts")
def test_a_temporary_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"none: parts of the topics cannot be written.*TMPDIR"):
        irpref.compare(QRELS, RUNS, keep="summary")


def test_what_looks_wrong_with_saved_parts_is_said_once(tmp_path: Path) -> None:
    qrels = {str(topic): {f"d{topic}": 1} for topic in range(6)}
    runs = {
        "good": {topic: dict.fromkeys(judged, 1.0) for topic, judged in qrels.items()},
        "none": {topic: {"x": 1.0} for topic in qrels},
    }
    runs["also good"] = runs["good"]
    path = tmp_path / "parts.irpref"
    with pytest.warns(UserWarning, match="'none': the run retrieves no judged document"):
        irpref.convert(qrels, runs, path, parts=3)
    with pytest.warns(UserWarning, match="'none'") as warned:
        irpref.compare(path, keep="summary")
    [said] = [str(each.message) for each in warned if "'none'" in str(each.message)]
    assert "first part" not in said


@pytest.mark.slow
def test_a_full_disk_is_told_of(tmp_path: Path) -> None:
    """Of limits for this process, the tests that follow would not recover."""
    program = (
        "import resource, signal, sys, irpref\n"
        "from irpref import demo_paths\n"
        "from irpref.read import parts\n"
        "parts.parts_for = lambda qrels, runs: 3\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
        "for ask in (lambda: irpref.compare(*demo_paths(), keep='summary'),\n"
        "            lambda: irpref.collect(*demo_paths()).save(sys.argv[1])):\n"
        "    try: ask()\n"
        "    except irpref.InputError as error: print(error)\n"
    )
    # -B: of a module that it compiles, Python 3.10 would keep the first 200 bytes.
    full = subprocess.run(
        [sys.executable, "-B", "-c", program, tmp_path / "saved"],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        check=True,
    )
    compared, saved = full.stdout.splitlines()
    assert compared.startswith(f"{tmp_path}: parts of the topics cannot be written")
    assert saved.startswith(f"{tmp_path}/saved: cannot be written")
    assert "File too large" in compared
    assert "File too large" in saved
    assert not list(tmp_path.iterdir())


def test_a_table_of_several_systems_is_no_run_of_one(tmp_path: Path) -> None:
    """Their lists would be one, if documents may be there twice."""
    path = tmp_path / "all.parquet"
    table = pl.concat([runs_of("new", 1), runs_of("old", 1)])
    table.write_parquet(path)
    for runs in (path, table, table.lazy(), table.to_pandas()):
        with pytest.raises(
            InputError, match="run 'x': the table has rows of several systems, such as"
        ):
            irpref.compare(qrels_of(1), {"x": runs, "y": runs}, duplicates="first")
    alone = {name: table.filter(pl.col("system") == name) for name in ("new", "old")}
    assert irpref.compare(qrels_of(1), alone).systems == ("new", "old")

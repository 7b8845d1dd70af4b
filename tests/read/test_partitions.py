"""Folders that somebody partitioned by topic: the parts say what the whole says, or what is wrong."""

from __future__ import annotations

import gzip
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import irpref
from irpref.read import cutting
from irpref.read import parts as parts_of_topics
from irpref.read.names_of_runs import name_runs
from irpref.read.parts import topic_parts
from irpref.read.stored import Cut
from tests.random_cases import Case, cases, make_case

PREFERENCES = ["RPP", "LP", "IPSO@3", "nDCG@2"]
# Parquet files by their places below a folder.
Files = Mapping[str, Mapping[str, list[Any]]]

QRELS: dict[str, dict[str, list[Any]]] = {
    "part=0/a": {"query_id": ["1", "2"], "doc_id": ["d", "e"], "relevance": [1, 2]},
    "part=1/a": {"query_id": ["3"], "doc_id": ["d"], "relevance": [1]},
}
RUNS: dict[str, dict[str, list[Any]]] = {
    "part=0/a": {
        "query_id": ["1", "2", "1"],
        "doc_id": ["d", "e", "x"],
        "score": [2.0, 1.0, 3.0],
        "system": ["a", "a", "b"],
    },
    "part=1/a": {
        "query_id": ["3", "3"],
        "doc_id": ["d", "x"],
        "score": [2.0, 3.0],
        "system": ["b", "a"],
    },
}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is left of what is cut, whatever happens."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert not list(place.iterdir())


def written(folder: Path, files: Files) -> Path:
    for name, columns in files.items():
        path = folder / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pl.DataFrame(dict(columns)).write_parquet(path)
    return folder


def summed(qrels: Any, runs: Any, preferences: Any = "RPP", **how: Any) -> irpref.Summary:
    return irpref.compare(qrels, runs, preferences, keep="summary", **how)


def refused(tmp_path: Path, qrels: Files = QRELS, runs: Files = RUNS) -> irpref.InputError:
    judged, ran = written(tmp_path / "qrels", qrels), written(tmp_path / "runs", runs)
    with pytest.raises(irpref.InputError) as found:
        summed(judged, ran)
    return found.value


def assert_same(found: irpref.Summary, wanted: irpref.Summary) -> None:
    assert found.systems == wanted.systems
    assert_frame_equal(found.coverage.frame, wanted.coverage.frame, check_dtype=False, rtol=1e-12)
    assert found.fingerprint == wanted.fingerprint
    for criterion in wanted.totals:
        name = str(criterion)
        np.testing.assert_allclose(found.mean(name), wanted.mean(name), atol=1e-12, rtol=0)
        assert found.outcomes(name).equals(wanted.outcomes(name))


def frame_of_runs(case: Case) -> pl.DataFrame:
    rows = [
        (topic, document, score, system)
        for system, topics in case.runs.items()
        for topic, scores in topics.items()
        for document, score in scores.items()
    ]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "score", "system"], orient="row")


@settings(
    max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=cases(topics=8, systems=3), seed=st.integers(0, 2**32))
def test_partitions_of_any_files_are_the_whole(
    case: Case, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever topics a partition has, whichever rows a file has, and though some are empty."""
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("partitioned")
    chosen = {topic: rng.randrange(3) for topic in case.judgments}
    for name, frame in (("qrels", case.qrels), ("runs", frame_of_runs(case))):
        parts = pl.Series([chosen[topic] for topic in frame["query_id"]])
        files = pl.Series(rng.choices(range(2), k=frame.height))
        for part in range(3):
            for file in range(2):
                path = folder / name / f"part={part}" / f"{file}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                frame.filter((parts == part) & (files == file)).write_parquet(path)
    how = {"missing": rng.choice(["worst", "skip"]), "judged_only": rng.random() < 0.5}
    judged, ran = folder / "qrels", folder / "runs"
    wanted = irpref.compare(case.qrels, case.runs, PREFERENCES, **how)
    assert_same(summed(judged, ran, PREFERENCES, **how), wanted.summary)
    # All parts at once.
    assert_same(irpref.collect(judged, ran, **how).compare(PREFERENCES).summary, wanted.summary)


def trec(case: Case, folder: Path, rng: random.Random) -> tuple[Path, dict[str, Path]]:
    """The case as text, with ranks that contradict the scores, and a document twice."""
    qrels = folder / "qrels.txt"
    qrels.write_text(
        "".join(
            f"{topic} {subtopic} {document} {grade}\n"
            for topic, subtopic, document, grade in case.qrels.rows()
        )
    )
    runs = {}
    for system, topics in case.runs.items():
        lines = []
        for topic, scores in topics.items():
            ranks = rng.sample(range(1, len(scores) + 1), len(scores))
            lines += [
                f"{topic} Q0 {document} {rank} {score} tag"
                for rank, (document, score) in zip(ranks, scores.items(), strict=True)
            ]
            lines.append(f"{topic} Q0 {next(iter(scores))} {len(scores) + 1} -2 tag")
        text = "\n".join(lines).encode()
        packed = rng.random() < 0.5
        runs[system] = folder / f"{system}.txt"
        runs[system].write_bytes(gzip.compress(text) if packed else text)
    return qrels, runs


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*the rank column contradicts the scores")
@settings(
    max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=cases(topics=9, systems=3, subtopics=2), seed=st.integers(0, 2**32))
def test_what_is_cut_into_parts_or_converted_is_the_whole(
    case: Case,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("trec")
    qrels, runs = trec(case, folder, rng)
    how = {"duplicates": "first", "order": rng.choice(["score", "rank"])}
    preferences = [*PREFERENCES, "STRPP"]
    wanted = irpref.compare(qrels, runs, preferences, **how).summary
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "_ROWS_OF_PART", 1)
        with topic_parts(qrels, runs) as parts:
            assert parts is not None
            assert len(parts) > 2
        assert_same(summed(qrels, runs, preferences, **how), wanted)
    kept = folder / "kept.irpref"
    irpref.convert(qrels, runs, kept, parts=rng.randint(1, 4), **how)
    assert_same(summed(kept, None, preferences), wanted)
    assert_same(irpref.compare(kept, None, preferences).summary, wanted)


@settings(
    max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=cases(topics=8, systems=3), seed=st.integers(0, 2**32))
def test_a_table_of_all_systems_that_is_cut_or_converted_is_the_whole(
    case: Case, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("table")
    frame = frame_of_runs(case)
    frame = frame[rng.sample(range(frame.height), frame.height)]
    at = rng.randint(0, frame.height)
    (folder / "files").mkdir()
    frame[:at].write_parquet(folder / "files" / "a.parquet")
    frame[at:].write_parquet(folder / "files" / "b.parquet")
    wanted = irpref.compare(case.qrels, case.runs, PREFERENCES).summary
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "_ROWS_OF_PART", 1)
        for table in (folder / "files", frame, frame.lazy(), frame.to_pandas()):
            assert_same(summed(case.qrels, table, PREFERENCES), wanted)
    irpref.convert(case.qrels, folder / "files", folder / "kept.irpref", parts=3)
    assert_same(summed(folder / "kept.irpref", None, PREFERENCES), wanted)


def test_a_folder_for_each_run_may_be_partitioned_too(tmp_path: Path) -> None:
    judged = written(tmp_path / "qrels", QRELS)
    ran = written(tmp_path / "runs", RUNS)
    runs = {}
    for name in ("a", "b"):
        runs[name] = tmp_path / name
        for place, columns in RUNS.items():
            path = runs[name] / f"{place}.parquet"
            path.parent.mkdir(parents=True)
            pl.DataFrame(columns).filter(pl.col("system") == name).drop("system").write_parquet(
                path
            )
    assert_same(summed(judged, runs), summed(judged, ran))
    # As the command line gives them.
    named = name_runs(ran)
    for given_runs in (runs, named):
        with topic_parts(judged, given_runs) as parts:
            assert parts is not None
            assert [list(part.qrels.files) for part in parts] == [
                [judged / f"{place}.parquet"] for place in QRELS
            ]
    moved = pl.DataFrame(QRELS["part=0/a"])[:1].with_columns(score=1.0)
    moved.write_parquet(runs["a"] / "part=1" / "b.parquet")
    with pytest.raises(irpref.InputError, match="runs have this topic in part=1") as found:
        summed(judged, runs)
    assert found.value.topic == "1"


def test_a_topic_of_a_run_in_a_partition_that_the_qrels_lack_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, runs={"part=0/a": RUNS["part=0/a"], "part=2/a": RUNS["part=1/a"]})
    assert error.topic == "3"
    assert all(name in str(error) for name in ("part=1", "part=2"))


@pytest.mark.parametrize("name", ["qrels", "runs"])
def test_an_empty_partition_is_fine(tmp_path: Path, name: str) -> None:
    wanted = summed(written(tmp_path / "qrels", QRELS), written(tmp_path / "runs", RUNS))
    files = QRELS if name == "qrels" else RUNS
    # Spark leaves a folder with a note, Dask a file without rows.
    (tmp_path / name / "part=2").mkdir()
    (tmp_path / name / "part=2" / "_SUCCESS").touch()
    assert_same(summed(tmp_path / "qrels", tmp_path / "runs"), wanted)
    pl.DataFrame(dict(files["part=0/a"])).clear().write_parquet(
        tmp_path / name / "part=2" / "a.parquet"
    )
    assert_same(summed(tmp_path / "qrels", tmp_path / "runs"), wanted)


def test_a_system_that_is_in_one_partition_only_has_nothing_in_the_others(tmp_path: Path) -> None:
    third = {"query_id": ["3"], "doc_id": ["d"], "score": [1.0], "system": ["third"]}
    judged = written(tmp_path / "qrels", QRELS)
    ran = written(tmp_path / "runs", {**RUNS, "part=1/b": third})
    wanted = irpref.compare(judged, ran, "RPP")
    assert wanted.systems == ("a", "b", "third")
    assert_same(summed(judged, ran), wanted.summary)
    assert summed(judged, ran).mean("RPP").loc["third", "a"].item() < 0


def test_the_names_of_folders_may_say_the_system(tmp_path: Path) -> None:
    """DuckDB and Spark leave the column out of the files that they write below such folders."""
    judged = written(tmp_path / "qrels", QRELS)
    wanted = summed(judged, written(tmp_path / "runs", RUNS))
    table = pl.concat([pl.DataFrame(columns) for columns in RUNS.values()])
    for (system,), rows in table.partition_by("system", as_dict=True, include_key=False).items():
        folder = tmp_path / "by-system" / f"system={system}"
        folder.mkdir(parents=True)
        rows.write_parquet(folder / "a.parquet")
    assert_same(summed(judged, tmp_path / "by-system"), wanted)
    assert irpref.collect(judged, tmp_path / "by-system").systems == ("a", "b")


def test_systems_may_be_numbers(tmp_path: Path) -> None:
    judged = written(tmp_path / "qrels", QRELS)
    table = pl.concat([pl.DataFrame(columns) for columns in RUNS.values()])
    numbers = table.with_columns(pl.col("system").replace_strict({"a": 1, "b": 2}))
    for place, dtype in enumerate((pl.Int8, pl.Float64, pl.Categorical)):
        cast = numbers.with_columns(pl.col("system").cast(pl.String).cast(dtype))
        path = tmp_path / f"{place}.parquet"
        cast.write_parquet(path)
        for runs in (path, cast, cast.lazy()):
            comparison = irpref.compare(judged, runs, "RPP")
            assert comparison.systems == ("1", "2")
            assert comparison.coverage.frame["retrieved"].to_list() == [3, 2]


def test_an_error_names_the_row_of_a_table_of_all_systems(tmp_path: Path) -> None:
    judged = written(tmp_path / "qrels", QRELS)
    path = tmp_path / "runs.parquet"
    table = pl.concat([pl.DataFrame(columns) for columns in RUNS.values()])
    table = pl.concat([table, table[2:3]])
    table.write_parquet(path)
    text = tmp_path / "runs.csv.gz"
    text.write_bytes(gzip.compress(table.write_csv().encode()))
    for runs, line in ((path, 6), (text, 7), (table, 6), (table.to_pandas(), 6)):
        with pytest.raises(irpref.InputError, match="twice") as found:
            irpref.collect(judged, runs)
        assert (found.value.line, found.value.topic, found.value.document) == (line, "1", "x")
        if isinstance(runs, Path):
            assert found.value.source == f"{runs}, system b"


def in_tables(folder: Path, case: Case, dtype: Any) -> tuple[Path, dict[str, Path]]:
    """The case in Parquet, a table for the qrels and a folder for each run; topics are numbers.

    Those of the qrels have this type, and those of the runs are texts.
    """
    topic = pl.col("query_id").str.strip_prefix("t")
    qrels, runs = folder / "qrels.parquet", {}
    case.qrels.with_columns(topic.cast(dtype)).write_parquet(qrels)
    for (name,), rows in frame_of_runs(case).partition_by("system", as_dict=True).items():
        runs[str(name)] = folder / str(name)
        runs[str(name)].mkdir()
        own, half = rows.drop("system").with_columns(topic), rows.height // 2
        own[:half].write_parquet(runs[str(name)] / "0.parquet")
        own[half:].write_parquet(runs[str(name)] / "1.parquet", row_group_size=9)
    return qrels, runs


@pytest.mark.parametrize("dtype", [pl.String, pl.Int32, pl.Float64])
def test_parquet_is_read_a_few_times_rather_than_cut(
    dtype: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = in_tables(tmp_path, make_case(3, topics=40), dtype)
    wanted = irpref.compare(qrels, runs, PREFERENCES).summary
    monkeypatch.setattr(cutting, "_ROWS_OF_PART", 40)
    assert_same(summed(qrels, runs, PREFERENCES), wanted)
    # Floats may be written as 7 in one table and as 7.0 in another.
    with topic_parts(qrels, runs) as parts:
        assert parts is not None
        assert 2 < len(parts) < 9
        assert isinstance(parts[0].qrels, Cut) == (dtype == pl.Float64)
    # Cutting costs less than to read everything so many times.
    monkeypatch.setattr(cutting, "_ROWS_OF_PART", 5)
    with topic_parts(qrels, runs) as parts:
        assert parts is not None
        assert isinstance(parts[0].qrels, Cut)
    assert_same(summed(qrels, runs, PREFERENCES), wanted)


@pytest.mark.parametrize("ratings", [[0, 1, 3, 3], [1, 1, 5, 5]])
def test_ratings_are_refused_for_a_part_where_they_are_for_the_whole(
    ratings: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One user alone has a zero, or each rates all alike: only the whole says what ratings there are."""
    own = {"user": ["1", "1", "2", "2"], "item": [*"abab"]}
    pl.DataFrame({**own, "rating": ratings}).write_parquet(tmp_path / "ratings.parquet")
    pl.DataFrame({**own, "score": [2.0, 1, 1, 2]}).write_parquet(tmp_path / "run.parquet")
    run = tmp_path / "run.parquet"
    asked = tmp_path / "ratings.parquet", {"one": run, "other": run}, "RPP"
    monkeypatch.setattr(parts_of_topics, "parts_for", lambda *_: 3)
    if 0 in ratings:
        irpref.compare(*asked)
        assert irpref.compare(*asked, keep="summary").topic_count == 2
    else:
        for keep in ("topics", "summary"):
            with pytest.raises(irpref.InputError, match="rates from 1 to 5"):
                irpref.compare(*asked, keep=keep)


def test_an_empty_run_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = in_tables(tmp_path, make_case(3, topics=40), pl.String)
    empty = tmp_path / "empty.parquet"
    pl.read_parquet(next(iter(runs.values())) / "0.parquet").head(0).write_parquet(empty)
    monkeypatch.setattr(parts_of_topics, "parts_for", lambda *_: 3)
    with pytest.raises(irpref.InputError, match="empty"):
        irpref.compare(qrels, runs | {"empty": empty}, keep="summary")


def test_faults_in_parquet_that_is_read_a_few_times_name_file_and_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_of_topics, "parts_for", lambda *_: 3)
    good = pl.DataFrame(
        {"query_id": ["1", "2", "3"], "doc_id": ["d"] * 3, "score": [1.0, 2.0, 3.0]}
    )
    places = {name: tmp_path / f"{name}.parquet" for name in ("qrels", "good", "bad")}
    good.select("query_id", "doc_id", relevance=1).write_parquet(places["qrels"])
    good.write_parquet(places["good"])
    row = good[2:]
    for wrong, line, said in (
        (row.with_columns(query_id=pl.lit(None, pl.String)), 4, "the topic is empty"),
        (row.with_columns(query_id=pl.lit("")), 4, "the topic is empty"),
        (row.with_columns(score=float("nan")), 4, "the score is not a number"),
        (row, 4, "the document is there twice"),
    ):
        pl.concat([good, wrong]).write_parquet(places["bad"])
        with pytest.raises(irpref.InputError, match=said) as found:
            summed(places["qrels"], [places["good"], places["bad"]])
        assert (found.value.source, found.value.line) == (str(places["bad"]), line)

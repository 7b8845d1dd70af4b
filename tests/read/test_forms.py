"""Forms of files that could be taken for others: tables of several systems, and columns without names."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref.base.errors import InputError
from irpref.base.reading_options import Reading
from irpref.cli.main import main
from irpref.read import read_qrels
from irpref.read.column_names import SYSTEM_WORDS
from irpref.read.forms import File, form_of, names_within

Way = Callable[[pd.DataFrame, Path], Any]


def in_csv(frame: pd.DataFrame, path: Path) -> Any:
    frame.to_csv(path, index=False)
    return path


def in_json_lines(frame: pd.DataFrame, path: Path) -> Any:
    frame.to_json(path, orient="records", lines=True)
    return path


def in_json_list(frame: pd.DataFrame, path: Path) -> Any:
    path.write_text(json.dumps(frame.to_dict("records")))
    return path


def in_parquet(frame: pd.DataFrame, path: Path) -> Any:
    pl.from_pandas(frame).write_parquet(path)
    return path


WAYS: list[Way] = [
    in_csv,
    in_json_lines,
    in_json_list,
    in_parquet,
    lambda frame, _: frame,
    lambda frame, _: pl.from_pandas(frame),
    lambda frame, _: pl.from_pandas(frame).lazy(),
    lambda frame, _: pa.Table.from_pandas(frame),
]
NAMES = ("csv", "json-lines", "json-list", "parquet", "pandas", "polars", "lazy", "arrow")
QRELS = {"1": {"a": 1, "b": 0}, "2": {"b": 2}}
ROWS = [
    (system, topic, document, score)
    for system, scores in (("bm25", (1, 2)), ("dense", (2, 1)))
    for topic in "12"
    for document, score in zip("ab", scores, strict=True)
]


def table(word: str) -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=[word, "query_id", "doc_id", "score"])


@pytest.mark.parametrize("word", [*SYSTEM_WORDS, "Model Name", "run_id"])
@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_table_with_a_column_for_the_system_is_several_runs(
    way: Way, word: str, tmp_path: Path
) -> None:
    found = irpref.compare(QRELS, way(table(word), tmp_path / "runs.json"), "RR")
    assert found.systems == ("bm25", "dense")
    assert found.mean("RR").loc["bm25", "dense"] == 0
    assert found.per_topic("RR", "bm25", "dense").to_dict() == {"1": -0.5, "2": 0.5}
    summed = irpref.compare(QRELS, way(table(word), tmp_path / "runs.json"), "RR", keep="summary")
    assert summed.mean("RR").loc["bm25", "dense"] == 0


@settings(max_examples=30)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["s", "t", "u v"]),
            st.sampled_from(["1", "2", "3"]),
            st.sampled_from("abcd"),
            st.integers(-5, 5),
        ),
        min_size=1,
        unique_by=lambda row: row[:3],
    ),
    word=st.sampled_from(SYSTEM_WORDS),
    way=st.sampled_from(WAYS),
)
def test_every_system_of_a_table_has_its_own_rows(
    rows: list[tuple[str, str, str, int]], word: str, way: Way, tmp_path: Path
) -> None:
    qrels = {topic: dict.fromkeys("abcd", 1) for topic in "123"}
    frame = pd.DataFrame(rows, columns=[word, "topic", "doc", "score"])
    lists: dict[str, dict[str, dict[str, int]]] = {}
    for system, topic, document, score in rows:
        lists.setdefault(system, {}).setdefault(topic, {})[document] = score
    named = way(frame, tmp_path / "table")
    if len(lists) == 1 and isinstance(named, Path):
        lists = {"table": next(iter(lists.values()))}
    expected, found = (irpref.collect(qrels, runs) for runs in (dict(sorted(lists.items())), named))
    assert found.systems == expected.systems
    assert (found.placements.positions == expected.placements.positions).all()


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_table_of_several_systems_is_not_one_run(way: Way, tmp_path: Path) -> None:
    given = way(table("algorithm"), tmp_path / "runs")
    with pytest.raises(InputError, match="rows of several systems, such as 'bm25' and 'dense'"):
        irpref.collect(QRELS, {"mine": given})


def test_folders_name_their_systems_whatever_a_column_says(tmp_path: Path) -> None:
    for system, rows in table("system").groupby("system"):
        folder = tmp_path / f"system={system}"
        folder.mkdir()
        numbered = rows.drop(columns="system").assign(run=[1, 2, 1, 2])
        pl.from_pandas(numbered).write_parquet(folder / "0.parquet")
    assert irpref.collect(QRELS, tmp_path).systems == ("bm25", "dense")
    assert irpref.compare(QRELS, tmp_path, "RR", keep="summary").systems == ("bm25", "dense")


def test_topics_of_json_called_as_columns_are_topics(tmp_path: Path) -> None:
    run = {"model": {"system": 1.0, "x": 2.0}, "run": {"method": 1.0}}
    (tmp_path / "run.json").write_text(json.dumps(run))
    found = irpref.collect({"model": {"system": 1}}, tmp_path / "run.json")
    assert found.systems == ("run",)
    assert found.placements.positions.tolist() == [[2]]


def test_what_is_no_table_of_systems_is_named_with_its_columns() -> None:
    with pytest.raises(ValueError, match="not DataFrame with the columns qid, docno, score"):
        irpref.collect(QRELS, pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]}))


# Columns without names


RATINGS = [
    (str(user), str(item), random.Random(user * item).randint(1, 5), 881250949 + user)
    for user in range(1, 41)
    for item in range(user, user + 60)
]


def ratings(between: str, columns: int = 4, rows: Any = RATINGS) -> str:
    return "".join(between.join(map(str, row[:columns])) + "\n" for row in rows)


PLACES = {"topic": 1, "document": 2, "grade": 3}
RUN = "".join(f"{user} Q0 {item} 1 {item} x\n" for user, item, *_ in RATINGS)


@pytest.mark.parametrize("between", ["\t", ",", ";", " ", "   "])
@pytest.mark.parametrize("columns", [3, 4])
def test_numbers_are_places_where_no_line_names_the_columns(
    between: str, columns: int, tmp_path: Path
) -> None:
    (tmp_path / "u1.test").write_text(ratings(between, columns))
    found = read_qrels(tmp_path / "u1.test", Reading(columns=PLACES, rel=4))
    rows = [(user, item, float(stars if stars >= 4 else 0)) for user, item, stars, _ in RATINGS]
    assert found.select("topic", "document", "grade").rows() == rows
    assert found["line"].to_list() == list(range(1, len(rows) + 1))


def test_trec_runs_stand_beside_columns_by_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("u1.test").write_text(ratings("\t"))
    Path("best.txt").write_text("".join(f"{u} Q0 {i} 1 {s} x\n" for u, i, s, _ in RATINGS))
    Path("worst.csv").write_text(
        "user,item,score\n" + "".join(f"{u},{i},{-s}\n" for u, i, s, _ in RATINGS)
    )
    words = ["compare", "u1.test", "best.txt", "worst.csv", "-p", "RR"]
    assert main([*words, "--format", "csv"]) == 2
    problem = capsys.readouterr().err
    assert "column 4 holds 881250950, which is no grade" in problem
    assert "--columns topic=1,document=2,grade=3" in problem
    words += ["--columns", "topic=1,document=2,grade=3"]
    assert main(words) == 2
    assert "rates from 1 to 5, and all of it would be relevant" in capsys.readouterr().err
    assert main([*words, "--rel", "4"]) == 0
    shown = capsys.readouterr()
    assert "best is better than worst by RR" in shown.out
    assert "columns" not in shown.err
    judged = [{"topic": u, "document": i, "grade": s} for u, i, s, _ in RATINGS]
    runs = [Path("best.txt"), Path("worst.csv")]
    named = irpref.compare(pl.DataFrame(judged), runs, "RR", rel=4)
    placed = irpref.compare("u1.test", runs, "RR", rel=4, columns=PLACES)
    assert named.mean("RR").equals(placed.mean("RR"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            ratings("\t"),
            "u1.test, line 1, topic 1, document .: column 4 holds 881250950, which is no grade",
        ),
        (
            "1 0 d1 1\n1 0 d2 1000001\n",
            "u1.test, line 2, topic 1, document d2: column 4 holds 1000001, which is no grade",
        ),
        (
            "".join(f"1 {item} {item % 5} 1\n" for item in range(1000)),
            "u1.test: column 2 holds 1000 iterations, and column 3 only 5 documents",
        ),
        (ratings(","), "u1.test, line 1: the line '1,1,.*,881250950' has 1 column"),
        (ratings(" ", 3), "u1.test, line 1: the line '1 1 .' has 3 columns"),
    ],
)
def test_other_columns_than_those_of_trec_are_asked_for(
    text: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("u1.test").write_text(text)
    with pytest.raises(InputError, match=problem) as error:
        read_qrels("u1.test")
    assert "columns={'topic': 1, 'document': 2, 'grade': 3}" in str(error.value)


def test_many_iterations_of_many_documents_are_subtopics(tmp_path: Path) -> None:
    text = "".join(f"1 {item} d{item // 49} 1\n" for item in range(3000))
    (tmp_path / "qrels.txt").write_text(text)
    assert read_qrels(tmp_path / "qrels.txt").height == 3000
    # What is no number is another fault, and stands before.
    (tmp_path / "qrels.txt").write_text("1 0 d1 nan\n1 0 d2 5000000\n")
    with pytest.raises(InputError, match="line 1, topic 1, document d1: the grade is not a number"):
        read_qrels(tmp_path / "qrels.txt")
    # The places say that such a grade is one.
    (tmp_path / "qrels.txt").write_text("1 0 d1 5000000\n")
    places = Reading(columns={"topic": 1, "document": 3, "grade": 4}, rel=1)
    assert read_qrels(tmp_path / "qrels.txt", places)["grade"].to_list() == [5e6]


def test_a_fault_behind_places_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "u1.test").write_text("1,a,3\n1,b,4\n1,c,x\n")
    with pytest.raises(
        InputError, match="line 3, topic 1, document c: the grade 'x' is not a number"
    ):
        read_qrels(tmp_path / "u1.test", Reading(columns=PLACES, rel=3))
    (tmp_path / "u1.test").write_text("1,a,3\n1,b\n")
    with pytest.raises(InputError, match="line 2: the line has 2 columns"):
        read_qrels(tmp_path / "u1.test", Reading(columns=PLACES, rel=3))


def test_one_form_fits_every_beginning() -> None:
    beginnings = (
        b"PAR1",
        b"{}",
        b'[{"a": 1}]',
        b"1 0 d 1\n",
        b"qid,doc\n",
        b"",
        b"\xff",
        b"1,2,3\n",
    )
    for content in beginnings:
        assert form_of(File(content, "x", any_table=True))
        for reading in (Reading(), Reading(columns=PLACES)):
            assert form_of(File(content, "x", "qrels", reading))
            assert form_of(File(content, "x", "run", reading))
    assert names_within(b'{"q1": {"model": 1}}') == []

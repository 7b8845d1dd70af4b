"""Tables as people have them: what they call their columns, and tables without grades or scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import irpref
from irpref.base.errors import InputError
from irpref.base.reading_options import Reading
from irpref.cli.main import main
from irpref.read import read_qrels, read_run
from irpref.read.cutting import batches
from tests.command_line import fail

GRADES = [("1", "d1", 1.0), ("1", "d2", 0.0), ("2", "d1", 2.0)]
HEADERS = [
    "userId,itemId,rating",
    "user_id,item_id,score",
    "query,doc,label",
    "Query ID;Doc ID;Relevance",
    "QUERY-ID\tCORPUS-ID\tSCORE",
    "topicId;productId;stars",
    "user\titem\tgrade",
    '"session_id","movieId","judgement"',
    "qid,query,docno",
]


def judged(table: pl.DataFrame) -> list[tuple[Any, ...]]:
    return table.select("topic", "document", "grade").rows()


def in_csv(frame: pd.DataFrame, path: Path) -> Any:
    frame.to_csv(path, index=False)
    return path


def in_parquet(frame: pd.DataFrame, path: Path) -> Any:
    pl.from_pandas(frame).write_parquet(path)
    return path


def in_json_lines(frame: pd.DataFrame, path: Path) -> Any:
    frame.to_json(path, orient="records", lines=True)
    return path


def in_memory(frame: pd.DataFrame, path: Path) -> Any:
    return frame


def by_column(frame: pd.DataFrame, path: Path) -> Any:
    return frame.to_dict("list")


WAYS = [in_csv, in_parquet, in_json_lines, in_memory, by_column]
Way = Callable[[pd.DataFrame, Path], Any]


@pytest.mark.parametrize("header", HEADERS[:-1])
def test_ordinary_names_are_known_whatever_separates_them(tmp_path: Path, header: str) -> None:
    separator = next(each for each in "\t;," if each in header)
    rows = [[topic, document, f"{grade:g}"] for topic, document, grade in GRADES]
    lines = [header, *(separator.join(row) for row in rows)]
    path = tmp_path / "table"
    path.write_text("\n".join(lines) + "\n")
    assert judged(read_qrels(path)) == GRADES
    names = header.replace('"', "").split(separator)
    assert judged(read_qrels(pd.DataFrame(rows, columns=names))) == GRADES


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["qid", "query", "docno", "docid"], ["qid", "docno"]),
        (["query", "query_id", "document", "doc_id"], ["query_id", "doc_id"]),
        (["item", "user_id", "itemId", "user"], ["user_id", "itemId"]),
        (["docid", "title", "topic"], ["topic", "docid"]),
    ],
)
def test_beside_an_id_a_word_is_its_text(names: list[str], found: list[str]) -> None:
    frame = pd.DataFrame({name: [f"of {name}"] for name in names} | {"label": [1]})
    assert judged(read_qrels(frame)) == [(f"of {found[0]}", f"of {found[1]}", 1.0)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["query_id", "user_id", "doc"], "topic"),
        (["query", "user", "doc"], "topic"),
        (["query", "doc_id", "item_id"], "document"),
        (["qid", "docno", "docId"], "document"),
    ],
)
def test_two_columns_that_could_be_one_are_no_guess(
    tmp_path: Path, way: Way, names: list[str], wanted: str
) -> None:
    frame = pd.DataFrame({name: [f"of {name}"] for name in names} | {"label": [1]})
    given = way(frame, tmp_path / "table")
    with pytest.raises(InputError, match=f"several columns could be the {wanted}: ") as error:
        read_qrels(given)
    chosen = names[-1] if wanted == "document" else names[0]
    assert str(error.value.remedy).startswith("say which one it is: columns={")
    found = judged(read_qrels(given, Reading(columns={wanted: chosen})))
    assert f"of {chosen}" in found[0]


@pytest.mark.parametrize("way", WAYS)
def test_any_names_may_be_given(tmp_path: Path, way: Way) -> None:
    rows = [(topic, "x", document, grade) for topic, document, grade in GRADES]
    given = way(pd.DataFrame(rows, columns=["kunde", "topic", "ware", "note"]), tmp_path / "table")
    columns = {"topic": "kunde", "document": "ware", "grade": "note"}
    assert judged(read_qrels(given, Reading(columns=columns))) == GRADES
    with pytest.raises(InputError) as error:
        read_qrels(given)
    assert error.value.problem == (
        "no column has a known name for the document (found: kunde, topic, ware, note)"
    )
    assert error.value.remedy == "say which one it is: columns={'document': 'NAME'}"
    with pytest.raises(InputError, match=r"there is no column 'punkte' \(found: kunde, topic"):
        read_qrels(given, Reading(columns={**columns, "grade": "punkte"}))


def test_a_name_that_another_table_has_is_said_and_the_known_word_is_taken() -> None:
    reading = Reading(columns={"topic": "kunde", "document": "ware", "score": "punkte"})
    frame = pd.DataFrame({"user": ["1"], "item": ["d"], "punkte": [2.0]})
    with pytest.warns(UserWarning, match=r"no column 'kunde' .* the topic is 'user'"):
        table, *_ = [read_run(frame)] if "score" in frame else [_read_run(frame, reading)]
    assert table.select("topic", "document", "score").rows() == [("1", "d", 2.0)]


def _read_run(frame: Any, reading: Reading) -> pl.DataFrame:
    from irpref.read import read_to_fault

    table, fault = read_to_fault(frame, "run", reading)
    assert fault is None
    return table


@pytest.mark.parametrize("way", WAYS)
def test_rows_without_grades_are_all_relevant_and_that_is_said(tmp_path: Path, way: Way) -> None:
    frame = pd.DataFrame([(*row[:2], 99) for row in GRADES], columns=["userId", "itemId", "time"])
    given = way(frame, tmp_path / "table")
    said = r"no column has grades \(others: time\), so every row counts as relevant; columns="
    with pytest.warns(UserWarning, match=said) as warned:
        assert judged(read_qrels(given)) == [(*row[:2], 1.0) for row in GRADES]
    assert len(warned) == 1


LISTS = {"1": ["d2", "d1", "d3"], "2": [], "3": ["d1"]}


@pytest.mark.parametrize("file", [False, True])
def test_lists_by_topic_are_rankings_or_relevant_documents(tmp_path: Path, file: bool) -> None:
    given: Any = LISTS
    if file:
        given = tmp_path / "lists.json"
        given.write_text(json.dumps(LISTS))
    pairs = [("1", "d2"), ("1", "d1"), ("1", "d3"), ("3", "d1")]
    run = read_run(given)
    assert run.select("topic", "document").rows() == pairs
    assert run["rank"].to_list() == [1, 2, 3, 1]
    assert run["score"].to_list() == [-1, -2, -3, -1]
    with pytest.warns(UserWarning, match="lists of documents have no grades, so every document"):
        found = judged(read_qrels(given))
    # Topic 2 has no judgment, and is a topic all the same.
    assert found == [*((*pair, 1.0) for pair in pairs), ("2", "", 0.0)]


def test_a_set_is_of_relevant_documents_and_no_ranking(recwarn: pytest.WarningsRecorder) -> None:
    given = {"1": {"d2", "d1"}, "3": frozenset({"d1"})}
    expected = [("1", "d1", 1.0), ("1", "d2", 1.0), ("3", "d1", 1.0)]
    assert sorted(judged(read_qrels(given))) == expected
    assert not recwarn
    with pytest.raises(InputError, match="found set"):
        read_run(given)


def test_a_document_twice_in_a_list_is_an_error() -> None:
    runs = {"a": {"1": ["d1", "d2", "d1"]}, "b": {"1": ["d1"]}}
    with pytest.raises(InputError, match="document d1: the document is there twice"):
        irpref.compare({"1": {"d1": 1}}, runs, "LP")
    first = irpref.compare({"1": {"d1": 1}}, runs, "LP", duplicates="first")
    assert first.per_topic("LP", "a", "b")["1"] == 0


def test_ranks_alone_order_a_run(tmp_path: Path) -> None:
    frame = pd.DataFrame({"user": [1, 1, 1], "item": ["x", "d", "y"], "rank": [3, 1, 2]})
    by_scores = {"1": {"d": 3.0, "y": 2.0, "x": 1.0}}
    qrels = {"1": {"y": 1, "x": 1}}
    for order in ("score", "rank"):
        runs = {"a": frame, "b": by_scores if order == "score" else frame}
        compared = irpref.compare(qrels, runs, "LP", order=order)
        assert compared.placements.positions.tolist() == [[3, 3], [2, 2]]
        assert not compared.warnings
    with pytest.raises(InputError, match="the rank 'x' is not a number"):
        read_run(frame.assign(rank=["1", "x", "2"]))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["rating", "Ratings", "stars", "note"])
def test_ratings_need_a_least_one_that_is_relevant(tmp_path: Path, way: Way, name: str) -> None:
    frame = pd.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "a"], name: [0.5, 5, 3]})
    columns = {"grade": "note"} if name == "note" else None
    given = way(frame, tmp_path / "table")
    with pytest.raises(InputError) as error:
        read_qrels(given, Reading(columns=columns))
    assert error.value.problem == (
        f"the column {name!r} rates from 0.5 to 5, and all of it would be relevant"
    )
    assert error.value.remedy == "say which rating is relevant at least: rel=… (0.5 takes all)"
    table = read_qrels(given, Reading(columns=columns, rel=3))
    assert table["grade"].to_list() == [0, 5, 3]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rating", [1, 1, 1]),
        ("rating", [5, 5, 5]),
        ("rating", [0, 3, 5]),
        ("rating", [-1, 3, 5]),
        ("relevance", [1, 2, 3]),
        ("label", [1, 2, 3]),
        ("score", [1, 2, 1]),
    ],
)
def test_judgments_and_single_ratings_need_none(name: str, values: list[int]) -> None:
    frame = pd.DataFrame({"query": [1, 1, 2], "doc": ["a", "b", "a"], name: values})
    assert read_qrels(frame)["grade"].to_list() == values


def test_trec_qrels_need_none(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 2\n2 0 a 5\n")
    assert read_qrels(tmp_path / "qrels.txt")["grade"].to_list() == [1, 2, 5]


# On the command line, and in what reads files in parts


RATED = "kunde;ware;sterne\n1;a;5\n1;b;1\n2;a;4\n"
RUN = "user_id,item_id,score\n1,a,2\n1,b,3\n2,a,1\n"
OTHER = '{"1": ["a", "b"], "2": ["c", "a"]}'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("rated.csv", RATED), ("one.csv", RUN), ("two.json", OTHER)):
        (tmp_path / name).write_text(text)
    return tmp_path


WORDS = ["rated.csv", "one.csv", "two.json", "-p", "LP"]
NAMED = ["--columns", "topic=kunde,document=ware,grade=sterne"]


def test_the_command_line_names_columns(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = fail(capsys, "compare", *WORDS)
    assert "rated.csv: no column has a known name for the topic (found: kunde, ware, ste" in told
    assert told.rstrip().endswith("say which one it is: --columns topic=NAME")
    told = fail(capsys, "compare", *WORDS, *NAMED)
    assert "rated.csv: the column 'sterne' rates from 1 to 5" in told
    assert "say which rating is relevant at least: --rel G (1 takes all)" in told
    assert main(["compare", *WORDS, *NAMED, "--rel", "4", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    named = "columns:document=ware,grade=sterne,topic=kunde"
    assert f"|grades-from:4|{named}|" in found["signatures"][0]
    assert found["results"][0]["mean"] == 0


@pytest.mark.parametrize(
    "text", ["kunde", "topic=", "topic=a,topic=b", "themen=a", "topic=a,grade=a"]
)
def test_names_of_columns_that_say_nothing(
    files: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert "--columns" in fail(capsys, "compare", *WORDS, "--columns", text)


def test_parts_are_read_by_the_same_names(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading: Any = {"columns": {"topic": "kunde", "document": "ware", "grade": "sterne"}, "rel": 4}
    runs = {"one": "one.csv", "two": "two.json"}
    whole = irpref.compare("rated.csv", runs, "RPP", **reading).mean("RPP")
    convert = ["convert", *WORDS[:3], "--parts", "2", *NAMED, "-o"]
    assert main([*convert, "parts.irpref", "--rel", "4"]) == 0
    parts = irpref.compare("parts.irpref", preferences="RPP", keep="summary")
    assert parts.mean("RPP").equals(whole)
    monkeypatch.setattr("irpref.read.parts.parts_for", lambda *_: 2)
    cut = irpref.compare("rated.csv", runs, "RPP", keep="summary", **reading)
    assert cut.mean("RPP").equals(whole)
    capsys.readouterr()
    assert "all of it would be relevant" in fail(capsys, *convert, "others.irpref")
    assert not (files / "others.irpref").exists()


SCORED = {
    "query_id": ["1", "1", "2"],
    "doc_id": ["a", "b", "a"],
    "score": [12.5, 3.0, 1.0],
}


def in_json(frame: pd.DataFrame, path: Path) -> Path:
    """As ``{topic: {document: number}}``."""
    by_topic: dict[str, dict[str, float]] = {}
    for topic, document, number in frame.iloc[:, :3].itertuples(index=False):
        by_topic.setdefault(topic, {})[document] = number
    path.write_text(json.dumps(by_topic))
    return path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("scores", "others"),
    [
        ([12.5, 3.0, 1.0], {}),
        ([-7.0, 3.0, 1.0], {}),
        ([3, 2, 1], {"rank": [1, 2, 1]}),
        ([3, 2, 1], {"system": ["x", "x", "x"]}),
    ],
)
def test_a_run_in_the_place_of_the_qrels_is_refused(
    tmp_path: Path, way: Way, scores: list[float], others: dict[str, list[Any]]
) -> None:
    frame = pd.DataFrame({**SCORED, "score": scores, **others})
    table = way(frame, tmp_path / "run")
    with pytest.raises(InputError, match=r"these are no qrels, but a run .*; name the qrels first"):
        read_qrels(table)
    meant = Reading(columns={"grade": "score"})
    assert [grade for *_, grade in judged(read_qrels(table, meant))] == scores


def test_a_run_in_json_in_the_place_of_the_qrels_is_refused(tmp_path: Path) -> None:
    path = in_json(pd.DataFrame(SCORED), tmp_path / "run.json")
    with pytest.raises(InputError, match=r"a run \(the score 12\.5 is no grade\).* say rel="):
        read_qrels(path)
    assert judged(read_qrels(path, Reading(rel=1)))[0] == ("1", "a", 12.5)


@pytest.mark.parametrize("way", WAYS)
def test_grades_may_be_called_scores_below_0_or_beside_ranks(tmp_path: Path, way: Way) -> None:
    frame = pd.DataFrame({**SCORED, "score": [2, -1, -2]})
    assert [grade for *_, grade in judged(read_qrels(way(frame, tmp_path / "a")))] == [2, -1, -2]
    frame = frame.assign(relevance=[0.5, 1, 0], rank=[1, 2, 3])
    grades = judged(read_qrels(way(frame, tmp_path / "b"), Reading(rel=0.5)))
    assert [grade for *_, grade in grades] == [0.5, 1, 0]


@pytest.mark.parametrize("way", WAYS)
def test_qrels_of_beir_are_no_run(tmp_path: Path, way: Way) -> None:
    names = dict(zip(SCORED, ("query-id", "corpus-id", "score"), strict=True))
    frame = pd.DataFrame({**SCORED, "score": [2, 1, 1]}).rename(columns=names)
    table = way(frame, tmp_path / "qrels")
    with pytest.raises(
        InputError, match=r"these may be qrels of BEIR.*if it is a run, say columns="
    ):
        read_run(table)
    data = irpref.collect({"1": {"a": 1}}, {"x": table}, columns={"score": "score"})
    assert data.evaluate("RR")["value"].tolist() == [1]
    for scores in ([2.5, 1.0, 1.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]):
        documents = [f"d{number}" for number in range(len(scores))]
        run = pd.DataFrame({"query-id": "1", "corpus-id": documents, "score": scores})
        assert read_run(way(run, tmp_path / "run"))["score"].to_list() == scores


def test_grades_and_scores_may_have_one_name(tmp_path: Path) -> None:
    frame = pd.DataFrame({**SCORED, "number": SCORED["score"]}).drop(columns="score")
    named = {"grade": "number", "score": "number"}
    found = irpref.collect(frame, {"x": frame}, columns=named, rel=1)
    assert found.evaluate("RR")["value"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="gives one name to two columns"):
        Reading(columns={"grade": "number", "rank": "number"})


@pytest.mark.parametrize("large", [False, True])
def test_named_columns_of_a_text_without_names_are_warned_of(
    tmp_path: Path, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr("irpref.read.cutting._BYTES", 1)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 a 1\n")
    reading = Reading(columns={"topic": "user", "score": "points"})
    with pytest.warns(
        UserWarning, match=r"qrels.txt: no first line names columns, so columns=.*user"
    ):
        tables = list(batches(qrels, "qrels", str(qrels), reading))
    assert pl.concat(tables)["topic"].to_list() == ["1"]

"""JSON lines, as sentence-transformers saves results and as data sets of BEIR and MTEB hold judgments.

The lines are those of ``InformationRetrievalEvaluator`` and ``ReciprocalRankFusionEvaluator`` of
sentence-transformers (sentence_transformer/evaluation/information_retrieval.py and
sparse_encoder/evaluation/reciprocal_rank_fusion.py); the files in ``saved/`` are its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref import AP, RR, InputError, nDCG
from irpref.api.evaluation import mean_scores
from irpref.base.reading_options import Reading
from irpref.read import read_qrels, read_run, read_to_fault
from irpref.read.text import Kind
from tests.read.files import written

SAVED = Path(__file__).parent / "saved"
SCORED = SAVED / "Information-Retrieval_evaluation_garden_predictions_cosine.jsonl"
FUSED = SAVED / "ReciprocalRankFusion_evaluation_garden_predictions.jsonl"
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.integers(0, 99).map(str)


def lines_of(run: dict[str, dict[str, float]]) -> str:
    return "".join(
        json.dumps(
            {
                "query_id": topic,
                "query": "a {text}\nof two: lines",
                "results": [{"corpus_id": d, "score": s} for d, s in documents.items()],
            }
        )
        + "\n"
        for topic, documents in run.items()
    )


def columns(table: Any, *names: str) -> list[tuple[Any, ...]]:
    return list(table.select(names).rows())


@given(
    run=st.dictionaries(
        NAMES, st.dictionaries(NAMES, st.floats(allow_nan=False), min_size=1), min_size=1
    ),
    mark=st.sampled_from(["", "\ufeff", "\n \n"]),
    end=st.sampled_from(["", "\n", "\n \n"]),
)
def test_results_read_as_the_dict_of_them(
    run: dict[str, Any], mark: str, end: str, tmp_path: Path
) -> None:
    path = written(tmp_path, mark + lines_of(run) + end, "x.jsonl")
    found, wanted = read_run(path), read_run(run)
    for names in (("topic", "document", "score"),):
        assert columns(found, *names) == columns(wanted, *names)
    blank = mark.count("\n")
    numbers = [blank + n for n, documents in enumerate(run.values(), 1) for _ in documents]
    assert found["line"].to_list() == numbers


def test_the_own_files_of_sentence_transformers() -> None:
    qrels = read_qrels(FUSED)
    assert set(columns(qrels, "topic", "document", "grade")) == {
        (record["query_id"], document, 1.0)
        for record in map(json.loads, FUSED.read_text().splitlines())
        for document in record["positive"]
    }
    fused = read_run(FUSED)
    for record in map(json.loads, FUSED.read_text().splitlines()):
        its = fused.filter(fused["topic"] == record["query_id"])
        assert its.sort("score", descending=True)["document"].to_list() == record["documents"]
    # What the evaluator printed for this file; it has ties, which it breaks by ascending names.
    judged = {(t, d): 1 for t, d, _ in columns(qrels, "topic", "document", "grade")}
    by_place: dict[str, dict[str, float]] = {}
    for topic, document in columns(read_run(SCORED), "topic", "document"):
        lists = by_place.setdefault(topic, {})
        lists[document] = -float(len(lists))
    nested: dict[str, dict[str, int]] = {}
    for topic, document in judged:
        nested.setdefault(topic, {})[document] = 1
    means = mean_scores(irpref.evaluate(nested, {"st": by_place}, [nDCG @ 10, RR @ 10, AP @ 100]))
    wanted = {
        "nDCG@10": 0.9208301722001488,
        "RR@10": 0.8888888888888888,
        "AP@100": 0.8888888888888888,
    }
    assert means.loc["st"].to_dict() == pytest.approx(wanted)


@pytest.mark.parametrize("first", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_byte_order_mark_inside_is_named_with_its_line(
    first: str, end: str, tmp_path: Path
) -> None:
    line = '{"query-id": "1", "corpus-id": "d", "score": 2}' + end
    path = written(tmp_path, first + line + "\ufeff" + line.replace("1", "2"), "x.jsonl")
    number = 1 + end.count("\n")
    with pytest.raises(InputError, match=f"line {number}: the line begins with a byte order mark"):
        read_qrels(path)


def test_rows_of_a_table_are_read_by_their_names(tmp_path: Path) -> None:
    text = """{"query-id": "PLAIN-2", "corpus-id": "MED-1", "score": 2}
    {"query-id": 3, "corpus-id": 7, "score": 1}
    """
    qrels = read_qrels(written(tmp_path, text, "test.jsonl"))
    assert columns(qrels, "topic", "document", "grade", "line") == [
        ("PLAIN-2", "MED-1", 2, 1),
        ("3", "7", 1, 2),
    ]
    run = read_run(
        written(tmp_path, '{"qid": 1, "docno": "d", "rank": 1, "score": 0.5}', "run.jsonl")
    )
    assert columns(run, "topic", "document", "rank", "score") == [("1", "d", 1, 0.5)]


def test_topics_in_one_object_are_not_taken_for_lines(tmp_path: Path) -> None:
    run = {"query_id": {"d1": 1.0}, "results": {"d2": 2.0}}
    assert (
        read_run(written(tmp_path, json.dumps(run) + "\n", "run.json")).rows()
        == read_run(run).rows()
    )


GOOD = '{"query_id": "q", "query": "", "results": [{"corpus_id": "d", "score": 1}]}\n'


@pytest.mark.parametrize(
    ("line", "where", "problem"),
    [
        ('{"query_id": "r", "results": [{"corpus_id": "d"}]}', {}, "the line has no 'score'"),
        ('{"query_id": "r"}', {}, "the line has no 'results'"),
        ('{"query_id": "r", "results": {"d": 1}}', {}, "no list of documents"),
        ('{"query_id": "r", "results": [[1]]}', {}, "no list of documents"),
        ('{"query_id": "r", "results": 7}', {}, "no list of documents"),
        ('{"query_id": "r", "results": [', {}, "this is no JSON"),
        ('{"query_id": "r", "query_id": "s"}', {}, "the key 'query_id' is there twice"),
        ("[]", {}, "this is no JSON object"),
        (GOOD.strip(), {"topic": "q"}, "line 1 has the same topic"),
        (
            '{"query_id": "r", "results": [{"corpus_id": "e", "score": "x"}]}',
            {"topic": "r", "document": "e"},
            "the score 'x' is not a number",
        ),
        (
            '{"query_id": "r", "results": [{"corpus_id": null, "score": 1}]}',
            {"topic": "r"},
            "the document is empty",
        ),
        (
            '{"query_id": "r", "results": [{"corpus_id": "e", "score": NaN}]}',
            {"topic": "r", "document": "e"},
            "the score is not a number (NaN)",
        ),
    ],
)
def test_errors_name_file_line_topic_and_document(
    line: str, where: dict[str, str], problem: str, tmp_path: Path
) -> None:
    # The last line ends as an object does, by which the content is known.
    last = GOOD.replace('"q"', '"z"')
    path = written(tmp_path, f"{GOOD}\n{line}\n{last}", "x.jsonl")
    with pytest.raises(InputError) as caught:
        read_run(path)
    error = caught.value
    assert problem in error.problem
    assert (error.source, error.line) == (str(path), 3)
    assert (error.topic, error.document) == (where.get("topic"), where.get("document"))


def test_results_are_no_qrels() -> None:
    with pytest.raises(InputError, match="no qrels; were qrels and run swapped"):
        read_qrels(SCORED)


def test_a_document_twice_in_a_topic_is_named(tmp_path: Path) -> None:
    text = GOOD.replace("}]", '}, {"corpus_id": "d", "score": 2}]')
    path = written(tmp_path, text, "x.jsonl")
    with pytest.raises(InputError) as caught:
        irpref.collect({"q": {"d": 1}}, {"x": path})
    assert (caught.value.topic, caught.value.document, caught.value.line) == ("q", "d", 1)


@pytest.mark.parametrize("kind", ["qrels", "run"])
def test_a_line_that_lacks_what_others_have_is_an_error(kind: Kind, tmp_path: Path) -> None:
    name = "grade" if kind == "qrels" else "score"
    whole = json.dumps({"topic": "1", "document": "a", name: 2})
    lacking = '{"topic": "1", "document": "b"}'
    for lines in ([lacking, whole], [whole, lacking]):
        path = written(tmp_path, "\n".join(lines), "x.jsonl")
        with pytest.raises(InputError, match=f"the {name} None is not a number") as caught:
            (read_qrels if kind == "qrels" else read_run)(path)
        assert caught.value.line == lines.index(lacking) + 1


def test_columns_that_are_named_make_rows(tmp_path: Path) -> None:
    path = written(tmp_path, '{"frage": 1, "seite": "a", "punkte": 2}\n', "x.jsonl")
    reading = Reading(columns={"topic": "frage", "document": "seite", "score": "punkte"})
    table, fault = read_to_fault(path, "run", reading)
    assert fault is None
    assert table.select("topic", "document", "score").rows() == [("1", "a", 2)]

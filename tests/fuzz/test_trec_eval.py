"""Evaluations of fuzzed files: literal ones, and trec_eval's where it reads the files as TREC text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given

import irpref
from irpref.base.errors import InputError
from tests.fuzz.agreement import assert_refused, warnings_said_well
from tests.fuzz.effort import effort
from tests.fuzz.strict_reader import Fault, Reading, Row, read_bytes
from tests.fuzz.texts import text_files
from tests.literal import positions, ranked, relevant, sgn_lp

Lists = dict[str, dict[str, float]]

QRELS = text_files("qrels", most_faults=1).map(lambda file: file.content)
RUN = text_files("run", most_faults=1).map(lambda file: file.content)


def lists_of(rows: tuple[Row, ...]) -> Lists:
    """``{topic: {document: number}}``, with the highest number of a document that is there twice."""
    lists: Lists = {}
    for row in rows:
        documents = lists.setdefault(row.topic, {})
        documents[row.document] = max(row.number, documents.get(row.document, row.number))
    return lists


def average_precision(scores: dict[str, float], grades: dict[str, float]) -> float:
    """The definition: the mean over the relevant documents of the precision where each is."""
    wanted = relevant(grades)
    found = sorted(rank for rank, name in enumerate(ranked(scores), start=1) if name in wanted)
    precisions = [number / rank for number, rank in enumerate(found, start=1)]
    return sum(precisions) / len(wanted) if wanted else 0.0


def written(path: Path, *contents: bytes) -> list[Path]:
    """Files of these contents: file0, file1 and so on."""
    paths = [path.with_name(f"file{number}") for number in range(len(contents))]
    for file, content in zip(paths, contents, strict=True):
        file.write_bytes(content)
    return paths


def read_all(qrels: bytes, runs: Sequence[bytes]) -> list[Reading]:
    """What the qrels and the runs hold; what cannot be evaluated is a fault, too."""
    judged = read_bytes(qrels, "qrels")
    if judged.fault is None and not any(row.number > 0 for row in judged.rows):
        judged = replace(judged, fault=Fault("nothing is relevant"))
    topics = {row.topic for row in judged.rows}
    retrieved = [read_bytes(run, "run").with_repeated() for run in runs]
    for number, run in enumerate(retrieved):
        if run.fault is None and topics.isdisjoint(row.topic for row in run.rows):
            retrieved[number] = replace(run, fault=Fault("no topic of the qrels"))
    pairs = {(row.topic, row.document) for row in judged.rows}
    if not any(read.fault for read in (judged, *retrieved)):
        for number, run in enumerate(retrieved):
            if pairs.isdisjoint((row.topic, row.document) for row in run.rows):
                retrieved[number] = replace(run, fault=Fault("no judged document"))
    return [judged, *retrieved]


def assert_refused_rightly(error: InputError, paths: list[Path], wanted: list[Reading]) -> None:
    """The error names the first file that has a fault, and the line."""
    path, read = next(
        (p, r) for p, r in zip(paths, wanted, strict=True) if r.fault or p == paths[-1]
    )
    assert_refused(error, read)
    assert error.source == str(path)


@effort(300)
@given(qrels=QRELS, run=RUN)
def test_average_precision_is_the_literal_one(qrels: bytes, run: bytes, path: Path) -> None:
    paths, wanted = written(path, qrels, run), read_all(qrels, [run])
    try:
        with warnings_said_well():
            scores = irpref.evaluate(paths[0], paths[1:], "AP")
    except InputError as error:
        assert_refused_rightly(error, paths, wanted)
        return
    assert not any(read.fault for read in wanted), wanted
    grades, lists = (lists_of(read.rows) for read in wanted)
    found = dict(zip(scores["topic"], scores["value"], strict=True))
    literal = {t: average_precision(lists.get(t, {}), judged) for t, judged in grades.items()}
    assert found == pytest.approx(literal, rel=1e-12)
    for topic, value in trec_eval(qrels, run).items():
        assert found[topic] == pytest.approx(value, rel=1e-6), "not trec_eval's"


def trec_eval(qrels: bytes, run: bytes) -> dict[str, float]:
    """trec_eval's average precision by topic; nothing where it does not read the files as TREC text.

    It compares scores as float32: it gets the places of the float64 scores. Python splits its lines, which
    takes other blanks and control characters for the ends of names and lines.
    """
    try:
        texts = [content.decode() for content in (qrels, run)]
        if any(re.search(r"[^\S \t\r\n]", text) for text in texts):
            return {}
        lines = [[line for line in text.split("\n") if line.strip()] for text in texts]
        judged, retrieved = pytrec_eval.parse_qrel(lines[0]), pytrec_eval.parse_run(lines[1])
    except (UnicodeDecodeError, ValueError, AssertionError):
        return {}
    places = sorted({score for scores in retrieved.values() for score in scores.values()})
    run_of_places = {
        topic: {document: float(places.index(score)) for document, score in scores.items()}
        for topic, scores in retrieved.items()
    }
    # It writes outside its arrays, and crashes at times, where no grade of a topic is above -2.
    judged = {topic: grades for topic, grades in judged.items() if max(grades.values()) > -2}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"map"})
    return {topic: values["map"] for topic, values in evaluator.evaluate(run_of_places).items()}


@effort(150)
@given(qrels=QRELS, first=RUN, second=RUN)
def test_lexiprecision_is_the_literal_one(
    qrels: bytes, first: bytes, second: bytes, path: Path
) -> None:
    paths, wanted = written(path, qrels, first, second), read_all(qrels, [first, second])
    try:
        with warnings_said_well():
            compared = irpref.compare(paths[0], paths[1:], "LP")
    except InputError as error:
        assert_refused_rightly(error, paths, wanted)
        return
    assert not any(read.fault for read in wanted), wanted
    grades, *runs = (lists_of(read.rows) for read in wanted)
    values = compared.per_topic("LP", "file1", "file2")
    found = {str(topic): value for topic, value in values.items()}
    assert set(found) == {topic for topic in grades if relevant(grades[topic])}
    for topic, value in found.items():
        places = [positions(run.get(topic, {}), relevant(grades[topic])) for run in runs]
        assert value == sgn_lp(*places)

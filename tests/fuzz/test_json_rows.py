"""Rows in JSON, as qrels, runs, scores and outcomes: read to the last, by all keys, or refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.outcome_table import outcome_table
from irpref.methods.score_tables import frame_of, score_tables
from irpref.read.score_files import read_scores
from tests.fuzz.agreement import assert_agrees, assert_said_well, library_rows, warnings_said_well
from tests.fuzz.effort import effort
from tests.fuzz.frames import Either, literal, name_of
from tests.fuzz.json_rows import NAMES, NUMBERS, WORDS, json_rows
from tests.fuzz.strict_json import Objects, strict_objects
from tests.fuzz.strict_reader import Fault, Kind, Reading, anywhere, is_name, number_of

OUTCOMES = {"topic": NAMES, "a": ('"x"',), "b": ('"y"', '"z"'), "outcome": NUMBERS + WORDS}
SCORES = {"topic": NAMES, "system": ('"x"', '"y"'), "value": NUMBERS}
PRINTED = {"query_id": NAMES, "measure": ('"AP"',), "value": NUMBERS}
COLUMNS: dict[Kind, dict[str, tuple[str, ...]]] = {
    "qrels": {"qid": NAMES, "docno": NAMES, "grade": NUMBERS},
    "run": {"qid": NAMES, "docno": NAMES, "score": NUMBERS, "rank": ("1", "2", '"3"')},
}
BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:(\{)|\[\s*\{)")
VALUES = {"a": 1.0, "model_a": 1.0, "b": -1.0, "model_b": -1.0, "tie": 0.0}


def library(read: Callable[[Any], Any], path: Path) -> Any:
    """What the library reads; None if it refuses it in one line. Any other exception is a fault of it."""
    try:
        with warnings_said_well():
            return read(path)
    except ValueError as error:
        assert_said_well(error)
        return None


def has_odd_keys(objects: Objects, columns: dict[str, tuple[str, ...]]) -> bool:
    """Whether a key was spoilt, which may still name a column."""
    return bool(objects.columns.keys() - {*columns, "other", "more"})


@pytest.mark.parametrize("columns", [OUTCOMES, SCORES], ids=["outcomes", "scores"])
@effort(150)
@given(data=st.data())
def test_all_values_of_all_rows_are_read(
    data: st.DataObject, columns: dict[str, tuple[str, ...]], path: Path
) -> None:
    content = data.draw(json_rows(columns))
    path.write_bytes(content)
    found = library(lambda file: frame_of(file, "rows"), path)
    if not BEGINS.match(content):
        return
    wanted = strict_objects(content)
    assert (found is None) == wanted.faulty
    if found is not None:
        frame, lines, _ = found
        assert lines.tolist() == [line for line, _ in wanted.rows]
        # The texts say more than == does: 1 is no 1.0, and nan is nan.
        assert repr({name: frame[name].to_list() for name in frame}) == repr(wanted.columns)


@pytest.mark.parametrize("kind", ["qrels", "run"])
@effort(150)
@given(data=st.data())
def test_qrels_and_runs_are_read_literally(data: st.DataObject, kind: Kind, path: Path) -> None:
    content = data.draw(json_rows(COLUMNS[kind]))
    path.write_bytes(content)
    start, objects = BEGINS.match(content), strict_objects(content)
    is_json = start is not None and content.rstrip()[-1:] == (b"}" if start[1] else b"]")
    is_rows = start is not None and (not start[1] or _names_columns(objects))
    # Ranks alone order a run too, which test_json_lines.py tries.
    is_rows &= kind == "qrels" or "score" in objects.columns or "rank" not in objects.columns
    if is_json and is_rows and not has_odd_keys(objects, COLUMNS[kind]):
        assert_agrees(path, kind, _reading(objects, kind))
    else:
        library_rows(path, kind)


def _names_columns(objects: Objects) -> bool:
    """Whether lines are rows, and not an object of topics, by the first of them."""
    first = objects.rows[0][1] if objects.rows else {}
    if len(objects.rows) == 1 and isinstance(next(iter(first.values()), None), dict):
        return False
    return any(not isinstance(first.get(name, []), list | dict) for name in ("qid", "docno"))


def _reading(objects: Objects, kind: Kind) -> Reading:
    columns = objects.columns
    number = "grade" if kind == "qrels" else "score"
    if not {"qid", "docno", *(("score",) if kind == "run" else ())} <= columns.keys():
        return Reading((), Fault("no such column"), loose=True)
    columns.setdefault(number, [1] * len(objects.rows))
    named = {"topic": "qid", "document": "docno", "number": number, "rank": "rank"}
    reading = literal({name: columns[key] for name, key in named.items() if key in columns}, kind)
    lines = [line for line, _ in objects.rows]
    rows = tuple(
        replace(row, rank=None if isinstance(row.rank, Either) else row.rank, line=lines[place])
        for place, row in enumerate(reading.rows)
    )
    fault = reading.fault
    if fault is not None and fault.line is not None:
        fault = replace(fault, line=lines[fault.line - 1])
    elif objects.faulty:
        fault = Fault("no JSON")
    made = Reading(rows, fault, reading.loose)
    return anywhere(made) if objects.faulty else made


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _name(value: Any) -> str:
    """The name that a value is; a ValueError if it is none."""
    name = str(value) if isinstance(value, list | dict) else name_of(value)
    name = name.value if isinstance(name, Either) else name
    if not isinstance(name, str) or not is_name(name):
        raise ValueError
    return name


def _number(value: Any) -> float:
    """The number that a value is; NaN if it is missing, and a ValueError if it is none."""
    if _is_missing(value):
        return math.nan
    number = number_of(value.strip(), "run") if isinstance(value, str) else float(value)
    if number is None or not abs(number) <= 1e100:
        raise ValueError
    return number


def _scores(objects: Objects) -> dict[tuple[str, str], float] | None:
    """The scores by system and topic; None if they must be refused."""
    scores: dict[tuple[str, str], float] = {}
    if objects.faulty or SCORES.keys() - objects.columns.keys():
        return None
    try:
        for _, row in objects.rows:
            key = _name(row.get("system")), _name(row.get("topic"))
            if key in scores:
                return None
            scores[key] = _number(row.get("value"))
    except (ValueError, TypeError, OverflowError):
        return None
    there = {key: value for key, value in scores.items() if not math.isnan(value)}
    return there if {key[0] for key in there} == {key[0] for key in scores} else None


@effort(150)
@given(content=json_rows(SCORES))
def test_scores_are_read_literally(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    found = library(score_tables, path)
    objects = strict_objects(content)
    if not BEGINS.match(content) or has_odd_keys(objects, SCORES):
        return
    wanted = _scores(objects)
    assert (found is None) == (wanted is None)
    if found is not None:
        [table] = found
        values = {
            (system, topic): table.values_by_topic[row, column]
            for row, topic in enumerate(table.topics)
            for column, system in enumerate(table.systems)
        }
        assert {key: value for key, value in values.items() if not math.isnan(value)} == wanted


def _outcomes(objects: Objects) -> list[tuple[str, str, str, float]] | None:
    """Topic, systems and value of each row; None if they must be refused."""
    rows = []
    if objects.faulty or OUTCOMES.keys() - objects.columns.keys():
        return None
    for _, row in objects.rows:
        if _is_missing(row.get("outcome")):
            continue
        word = str(row["outcome"]).strip().lower().partition(" (")[0]
        value = VALUES[word] if word in VALUES else number_of(word, "run")
        try:
            topic, first, second = (_name(row.get(name)) for name in ("topic", "a", "b"))
        except ValueError:
            return None
        if first == second or value is None or not abs(value) <= 1:
            return None
        rows.append((topic, first, second, value))
    return rows or None


@effort(150)
@given(content=json_rows(OUTCOMES))
def test_outcomes_are_read_literally(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    found = library(partial(outcome_table, scale="-1..1"), path)
    objects = strict_objects(content)
    if not BEGINS.match(content) or has_odd_keys(objects, OUTCOMES):
        return
    wanted = _outcomes(objects)
    assert (found is None) == (wanted is None)
    if found is not None:
        answers = found.given.answers
        columns = (answers.topic, answers.first, answers.second, answers.value.tolist())
        rows = [
            (found.topics[topic], found.systems[first], found.systems[second], value)
            for topic, first, second, value in zip(*columns, strict=True)
        ]
        assert rows == wanted


def _printed(objects: Objects) -> list[tuple[str, str, float]] | None:
    """Topic, measure and value of each row; None if they must be refused."""
    rows = []
    for _, row in objects.rows:
        text = str(row.get("value"))
        value = math.nan if text.strip("+-").lower() == "nan" else number_of(text, "run")
        names = [row.get("query_id"), row.get("measure")]
        if value is None or any(isinstance(name, list | dict) for name in names):
            return None
        try:
            topic, measure = map(_name, names)
        except ValueError:
            return None
        rows.append((topic, measure, value))
    return None if objects.faulty else rows or None


@effort(150)
@given(content=json_rows(PRINTED))
def test_printed_scores_are_read_literally(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    found = library(lambda file: read_scores({"x": file}), path)
    if not BEGINS.match(content):
        return
    wanted = _printed(strict_objects(content))
    assert (found is None) == (wanted is None)
    if found is not None:
        assert repr([row[1:] for row in found.rows()]) == repr(wanted)

"""The JSON of a report: the first fault in it is named, and nothing is read otherwise."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irpref.render.report import Report
from irpref.render.table import Table

GOLDEN = [
    path.read_text(encoding="utf-8") for path in (Path(__file__).parent / "golden").glob("*.json")
]
FORMS: list[Callable[[Report], str]] = [
    Report.to_text,
    lambda report: report.to_text(40, encoding="ascii"),
    Report.to_latex,
    Report.to_markdown,
    Report.to_html,
    Report.to_csv,
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(
        [2**63, 10**400, 1e308, "inf", "-inf", "String", "Int64", "Null", "mean", "p"]
    )
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(categories=None), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


def fault(text: str) -> str:
    with pytest.raises(ValueError, match=r"^report JSON") as caught:
        Report.from_json(text)
    return str(caught.value)


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """The fault of a report of one table, once that is done to it."""
    frame = pl.DataFrame({"system": ["a", "b"], "mean": [0.5, math.inf], "wins": [1, None]})
    marks = {"mean": ["†", ""]}
    report = Report("Two", (Table("", frame, {"mean": "+.3f"}, marks, flexible=["system"]),), frame)
    content = json.loads(report.to_json())
    change(content)
    return fault(json.dumps(content))


def put(*path: Any) -> Callable[[dict[str, Any]], object]:
    """What sets the value at a path, its last part."""

    def change(content: Any) -> None:
        for part in path[:-2]:
            content = content[part]
        content[path[-2]] = path[-1]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.pop("facts"), "report JSON: the key 'facts' is missing"),
        (put("fact", 1), "report JSON: the key 'fact' is not known; is it by a newer irpref?"),
        (put("title", 3), "report JSON, title: must be a text, not 3"),
        (put("notes", ["", 7]), "report JSON, notes[1]: must be a text, not 7"),
        (put("signatures", "x"), "report JSON, signatures: must be a list, not 'x'"),
        (put("facts", []), "report JSON, facts: must be an object, not []"),
        (put("results", 1, 3), "report JSON, results[1]: must be an object, not 3"),
        (
            lambda c: c["results"][1].pop("mean"),
            "report JSON, results[1]: the key 'mean' is missing",
        ),
        (put("results", 0, "me\x1ban", 1), "results[0]: the key 'me\\x1ban' is not known"),
        (put("results", 1, "wins", 1.5), "results[1]['wins']: must be of type Int64, not 1.5"),
        (put("results", 1, "wins", True), "results[1]['wins']: must be of type Int64, not True"),
        (put("results", 1, "wins", 2**63), "must be of type Int64, not 9223372036854775808"),
        (put("results", 1, "mean", "1"), "results[1]['mean']: must be of type Float64, not '1'"),
        (put("results", 1, "mean", 10**400), "must be of type Float64, not 1000"),
        (
            put("results", 0, "system", 7),
            "results[0]['system']: must be a text of whole characters, not 7",
        ),
        (
            put("results", 0, "system", "\udcff"),
            "must be a text of whole characters, not '\\udcff'",
        ),
        (put("types", "wins", "Int65"), "types['wins']: must be one of Int8, Int16"),
        (put("types", "wins", "List"), "types['wins']: must be one of Int8, Int16"),
        (put("tables", 0, []), "report JSON, tables[0]: must be an object, not []"),
        (lambda c: c["tables"][0].pop("keys"), "tables[0]: the key 'keys' is missing"),
        (put("tables", 0, "keys", 4), "tables[0].keys: must be a whole number from 0 to 3, not 4"),
        (put("tables", 0, "keys", True), "tables[0].keys: must be a whole number from 0 to 3"),
        (
            put("tables", 0, "together", 0),
            "tables[0].together: must be a whole number of at least 1, not 0",
        ),
        (
            put("tables", 0, "flexible", ["x"]),
            "tables[0].flexible[0]: must be the name of a column",
        ),
        (
            put("tables", 0, "formats", "x", "p"),
            "tables[0].formats['x']: must be under the name of",
        ),
        (
            put("tables", 0, "formats", "mean", "zz"),
            "tables[0].formats['mean']: must be the format",
        ),
        (put("tables", 0, "formats", "mean", "9999999d"), "must be the format of a number"),
        (
            put("tables", 0, "marks", "mean", ["†"]),
            "marks['mean']: must be 2 texts, one a row; there",
        ),
        (put("tables", 0, "marks", "x", []), "tables[0].marks['x']: must be under the name of a"),
        (
            put("tables", 0, "rows", 1, "mean", "x"),
            "tables[0].rows[1]['mean']: must be of type Float",
        ),
        (put("tables", 0, "types", {}), "tables[0].rows[0]: the key 'system' is not known"),
    ],
)
def test_the_first_fault_is_named(change: Callable[[dict[str, Any]], object], said: str) -> None:
    assert said in changed(change)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "report JSON: Expecting value: line 1 column 1"),
        ("[1, 2", "report JSON: Expecting"),
        ("[]", "report JSON: must be an object, not []"),
        ('{"a": NaN}', "report JSON: NaN is no number of JSON"),
        ('{"title": "", "title": ""}', "report JSON: the key 'title' is there twice in an object"),
        ("[" * 100_000, "report JSON: "),
        ("1" * 10_000, "report JSON: "),
        (None, "report JSON: "),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    assert fault(text).startswith(said)


def places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything that is in an object or a list."""
    inside = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    return [
        place for key, value in inside for place in [(*path, key), *places(value, (*path, key))]
    ]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The JSON of a report with one thing in it replaced, taken out, moved or added."""
    content = json.loads(draw(st.sampled_from(GOLDEN)))
    # As many faults in the few keys of the report as in its many values.
    found = places(content)
    depth = draw(st.integers(1, max(map(len, found))))
    *path, last = draw(st.sampled_from([place for place in found if len(place) == depth]))
    inside = content
    for key in path:
        inside = inside[key]
    match draw(st.sampled_from(["replace", "delete", "add", "copy", "rename"])):
        case "replace":
            inside[last] = draw(VALUES)
        case "delete":
            del inside[last]
        case "copy":
            inside[last] = copy.deepcopy(content[draw(st.sampled_from(sorted(content)))])
        case _ if isinstance(inside, list):
            inside.insert(last, draw(VALUES))
        case "add":
            inside[draw(st.text(max_size=5))] = draw(VALUES)
        case "rename":
            inside[draw(st.text(max_size=5))] = inside.pop(last)
    return json.dumps(content, ensure_ascii=draw(st.booleans()))


@settings(max_examples=300)
@given(mutated())
def test_a_fault_is_named_or_every_format_shows_the_report(text: str) -> None:
    try:
        report = Report.from_json(text)
    except ValueError:
        assert "\n" not in fault(text)
        return
    for form in FORMS:
        form(report).encode()
    again = Report.from_json(report.to_json())
    assert again.to_json() == report.to_json()
    assert json.loads(report.to_json()) == json.loads(text)


def test_every_type_of_a_table_comes_back() -> None:
    frame = pl.DataFrame(
        {
            "text": ["a\x1b\x9b\n", None],
            "flag": [True, None],
            "nothing": [None, None],
            "whole": pl.Series([2**64 - 1, None], dtype=pl.UInt64),
            "small": pl.Series([-128, 127], dtype=pl.Int8),
            "single": pl.Series([-math.inf, 1.5], dtype=pl.Float32),
            "double": [1e308, math.nan],
        }
    )
    text = Report("", (Table("", frame, {"absent": "p"}, keys=99),), frame).to_json()
    again = Report.from_json(text)
    assert again.to_json() == text
    assert again.rows.equals(frame.fill_nan(None))
    assert again.tables[0].keys == frame.width
    assert Report.from_json(Report("", (Table("", pl.DataFrame()),), pl.DataFrame()).to_json())

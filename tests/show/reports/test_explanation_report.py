"""How an explanation is shown: short where it is long, whatever the systems are called."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP, LR


def test_explanation_of_a_long_topic_is_short_and_shows_what_decides() -> None:
    items = [f"d{i:03}" for i in range(300)]
    first = {item: float(-i) for i, item in enumerate(items)}
    second = {**first, "d199": first["d200"], "d200": first["d199"], "x": -290.5}
    qrels = {"1": {item: 1 for item in items if item != "d200"}}
    explanation = irpref.compare(qrels, {"a": {"1": first}, "b": {"1": second}}, [LP, LR]).explain(
        "1", "a", "b"
    )
    lines = repr(explanation).splitlines()
    assert len(lines) < 34
    shown = {line.split()[0] for line in lines if line.split()[:1] and line.split()[0].isdigit()}
    assert {"1", "200", "299"} <= shown
    assert len(explanation.levels) == 299


def test_runs_may_be_named_like_the_columns_of_an_explanation() -> None:
    qrels = {"1": {"d": 1}}
    runs = {"level": {"1": {"d": 1}}, "at": {"1": {"d": 1}}}
    text = repr(irpref.compare(qrels, runs).explain(1, "level", "at"))
    assert text.count("d (1)") == 2


def test_what_is_folded_adds_up_to_all_levels() -> None:
    items = [f"d{i:03}" for i in range(60)]
    first = {item: -float(i) for i, item in enumerate(items)}
    # The second ranking swaps two halves of the list.
    second = {item: -float((i + 30) % 60) for i, item in enumerate(items)}
    qrels = {"1": dict.fromkeys(items[::2], 1)}
    explanation = irpref.compare(qrels, {"a": {"1": first}, "b": {"1": second}}, [LP, LR]).explain(
        "1", "a", "b"
    )
    [table] = explanation.report.tables[1:]
    folded = [row for row in table.cells() if "–" in row[0]]
    counted = 0
    for level, a, _, _, _, b, *_ in folded:
        start, end = map(int, level.split("–"))
        signs = explanation.levels.set_index("level").loc[start:end, "sign"]
        counted += len(signs)
        assert a == f"earlier at {(signs > 0).sum()} of {len(signs)}"
        assert b == f"earlier at {(signs < 0).sum()} of {len(signs)}"
    assert counted + len(table.cells()) - len(folded) == len(explanation.levels)


def test_what_is_known_of_the_reasons_goes_to_json() -> None:
    runs = {"a": {"1": {"d": 2.0, "e": 1.0}}, "b": {"1": {"e": 1.0}}}
    report = (
        irpref.compare({"1": {"d": 1, "e": 1}}, runs, [LP, LR @ 5]).explain("1", "a", "b").report
    )
    first, last = report.facts["decisions"]
    assert first == {
        "preference": "LP",
        "value": 1.0,
        "kind": "one level",
        "level": 2,
        "first": 2,
        "second": None,
        "retrieved": 2,
        "lacking": 0,
        "cutoff": None,
    }
    assert (last["preference"], last["cutoff"]) == ("LR@5", 5)
    assert "LR@5: a document below rank 5 counts as not retrieved." in report.remarks


_EQUAL = re.compile(
    r"(neither|each) has (?:a|(\d+)) relevant documents?(?: down to rank (\d+))?"
    r"(?:, as early as the other(?:, and lacks (\d+))?)?"
)
_LIST = st.permutations(["r1", "r2", "r3", "x", "y"])


@pytest.mark.parametrize("preference", [LP, LR], ids=str)
@settings(max_examples=40, deadline=None)
@given(
    lists=st.tuples(_LIST, _LIST),
    ends=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    relevant=st.integers(1, 3),
    cutoff=st.none() | st.integers(1, 4),
)
def test_what_is_said_of_equal_rankings_holds_literally(
    preference: Any,
    lists: tuple[list[str], list[str]],
    ends: tuple[int, int],
    relevant: int,
    cutoff: int | None,
) -> None:
    cut = [each[:end] for each, end in zip(lists, ends, strict=True)]
    qrels = {"1": {f"r{i}": 1 for i in range(1, relevant + 1)}, "2": {"d": 1}}
    runs = {
        name: {"1": {document: -rank for rank, document in enumerate(each)}, "2": {"d": 1}}
        for name, each in zip("ab", cut, strict=True)
    }
    asked = preference if cutoff is None else preference @ cutoff
    explanation = irpref.compare(qrels, runs, asked).explain("1", "a", "b")
    ranks = [
        [rank for rank, name in enumerate(each[:cutoff], 1) if name in qrels["1"]] for each in cut
    ]
    [row] = explanation.decisions.itertuples()
    said = _EQUAL.fullmatch(row.decided_by)
    assert (said is not None) == (row.value == 0) == (ranks[0] == ranks[1])
    if said is not None:
        number = len(ranks[0])
        assert said[1] == ("each" if number else "neither")
        assert said[2] == (str(number) if number else None)
        assert said[3] == (None if cutoff is None else str(cutoff))
        assert said[4] == (str(relevant - number) if 0 < number < relevant else None)


def test_an_explanation_of_a_user_says_user_and_item() -> None:
    qrels, runs = (
        {"topic 7": {"document 1": 1, "d": 1}},
        {
            "a": {"topic 7": {"document 1": 2.0, "d": 1.0}},
            "topic-model": {"topic 7": {"x": 2.0, "d": 1.0}},
        },
    )
    found = irpref.compare(qrels, runs, [LP, LR @ 5], users=True).explain("topic 7", *runs)
    assert "1st relevant document: a at rank 1" in found.decisions.loc["LP", "decided_by"]
    quoted = replace(
        found, query="which document?", texts={"d": "A document of topics", "document 1": "topics"}
    )
    report = quoted.report
    text = " ".join(replace(report, signatures=()).to_text().split())
    assert text.startswith("User topic 7 (which document?): a against topic-model (positive")
    assert "1st relevant item: a at rank 1" in text
    assert "item below rank 5" in text
    assert "What these items say item text" in text
    for name in ("topic 7", "which document?", "A document of topics", "document 1", "topic-model"):
        assert name in text
        text = text.replace(name, "")
    assert re.findall(r"\w*topic\w*|document", text, re.IGNORECASE) == ["topics"]

"""Two results with different numbers never have the same signature; the same result always has."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import irpref
from irpref import RPP, demo_paths
from tests.pairwise.every_result import Result, every_result


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return list(every_result())


def test_different_results_have_different_signatures(results: list[Result]) -> None:
    known: dict[str, str] = {}
    alike = [line for line, text in results if known.setdefault(line, text) != text]
    assert alike == []
    assert len(known) > 400


@pytest.mark.slow
def test_the_same_results_have_the_same_signatures_in_every_process(results: list[Result]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.pairwise.every_result"],
        # Another order of sets than here.
        env={**os.environ, "PYTHONHASHSEED": "1" if hash("a") % 2 else "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    # The kinds of results, preferences and weights, of the whole.
    found = done.stdout.splitlines()
    assert len(found) > 190
    assert set(found) <= {line for line, _ in results}


def test_parts_of_parts_have_the_signature_of_the_part_taken_at_once() -> None:
    data = irpref.collect(*demo_paths())
    topics, systems = data.topics[1:5], data.systems[3:0:-1]
    chosen = np.arange(len(data.judgments)) % 3 > 0
    asked = {"topics": topics, "systems": systems, "judgments": chosen}
    at_once = data.select(**asked)
    for first, one in asked.items():
        part = data.select(**{first: one})
        # The judgments of a part are those of its topics.
        rest = {name: value for name, value in asked.items() if name != first}
        if first == "topics":
            rest["judgments"] = chosen[data.judgments["topic"].isin(topics)]
        part = part.select(**rest)
        assert set(part.placements.parts) == set(at_once.placements.parts)
    assert "judgments=" in ",".join(map(str, at_once.placements.parts))
    # Less and less of the same.
    fewer = data.select(topics=data.topics[:8], systems=data.systems[1:4]).select(
        **asked | {"judgments": chosen[data.judgments["topic"].isin(data.topics[:8])]}
    )
    assert set(fewer.placements.parts) == set(at_once.placements.parts)


def test_names_that_differ_in_blanks_and_commas_are_told_apart() -> None:
    qrels = {"1": {"d": 1, "e": 1}, "2": {"d": 1}}
    lists = [["d", "e"], ["x", "d"], ["e", "x"], ["x", "y", "e"]]
    names = ["a b", "ab", "a,b", "a|topic:1"]
    runs = {
        name: {topic: {each: -float(n) for n, each in enumerate(found)} for topic in qrels}
        for name, found in zip(names, lists, strict=True)
    }
    compared = irpref.compare(qrels, runs, RPP)
    lines = [compared.test(baseline=each, test="t").attrs["signature"] for each in names]
    lines += [compared.per_topic(RPP, names[0], each).attrs["signature"] for each in names[1:]]
    lines += [line for each in names for line in compared.report(baseline=each).signatures]
    assert len(set(lines)) == len(lines)
    # No name adds a part.
    reports = [compared.report(baseline=each, test="t") for each in names]
    assert len({line.count("|") for report in reports for line in report.signatures}) == 1


def test_a_signature_names_functions_by_what_they_do() -> None:
    falling = lambda level: 1 / level  # noqa: E731
    even = lambda level: level * 0 + 1  # noqa: E731
    compared = [irpref.compare(*demo_paths(), RPP(weights=weights)) for weights in (falling, even)]
    shown = [
        (
            each.mean(each.preferences[0]).attrs["signature"],
            each.report().signatures[0],
            each.report().to_json(),
            each.to_html(),
        )
        for each in compared
    ]
    for one, other in zip(*shown, strict=True):
        assert "weights:<lambda>#" in one or "weights:&lt;lambda&gt;#" in one
        assert one != other
    # The heading stays as it is.
    assert {str(each.preferences[0]) for each in compared} == {"RPP(weights=<lambda>)"}


def test_several_preferences_are_told_apart_by_their_functions() -> None:
    lines = set()
    for power in (1.0, 2.0):
        asked = [RPP(weights=lambda level, power=power: level**-power), "LP"]
        compared = irpref.compare(*demo_paths(), asked)
        lines.add(compared.explain("6", "bm25", "tfidf").signature)
    assert len(lines) == 2

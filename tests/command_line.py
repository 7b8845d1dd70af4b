"""A small collection for the command line, what it says by the definitions, and how commands are called."""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import fmean

import pytest

from irpref.cli.main import main
from tests import literal

QRELS = {
    "1": {"a": 2, "b": 1, "c": 0},
    "2": {"a": 1, "c": -1},
    "10": {"a": 1, "b": 1, "c": 1},
    "11": {"a": 0},
}
RUNS = {
    "new": {"1": "abx", "2": "xa", "10": "axbyc", "11": "a"},
    "old": {"1": "xba", "2": "ax", "10": "xabcy", "11": "x"},
    "third": {"1": "bxa", "10": "xyab", "11": "a"},
}


def run_text(lists: dict[str, str], name: str = "tag") -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {100 - rank} {name}\n"
        for topic, ranking in lists.items()
        for rank, document in enumerate(ranking, start=1)
    )


def scores(system: str, topic: str) -> dict[str, float]:
    ranking = RUNS[system].get(topic, "")
    return {document: -float(rank) for rank, document in enumerate(ranking)}


def values(preference: str, a: str, b: str) -> dict[str, float | str]:
    """What the definitions say, topic by topic."""
    found: dict[str, float | str] = {}
    for topic, grades in QRELS.items():
        wanted = literal.relevant(grades)
        if not wanted:
            continue
        first, second = (literal.positions(scores(s, topic), wanted) for s in (a, b))
        if preference == "LP":
            found[topic] = literal.sgn_lp(first, second)
        elif preference == "RPP":
            found[topic] = literal.rounded(
                literal.graded_rpp(
                    grades, scores(a, topic), scores(b, topic), weight=literal.WEIGHTS["uniform"]
                )
            )
        else:
            gains = dict.fromkeys(wanted, literal.Fraction(1))
            found[topic] = literal.algorithm_1(
                *(literal.serp(scores(s, topic), gains, 3, 3) for s in (a, b))
            )
    return found


def mean(preference: str, a: str, b: str) -> float:
    numbers = {"ni": 1, "ns": -1, "=": 0, "**": 0}
    return fmean(numbers.get(v, v) for v in values(preference, a, b).values())


PREFERENCES = ["-p", "LP", "-p", "RPP", "-p", "IPSO@3"]


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a mistake gives."""
    try:
        code = main(arguments)
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("irpref: error: ")
    return line


def table_rows(text: str) -> list[list[str]]:
    """The cells of the first table in a text."""
    _, _, below = text.partition("─\n")
    return [line.split() for line in below.partition("\n\n")[0].splitlines()]


def compare_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    return json.loads(succeed(capsys, "compare", *arguments, "--format", "json"))


COMMAND = [sys.executable, "-m", "irpref"]


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, capture_output=True, text=True, check=False, timeout=300, **options
    )

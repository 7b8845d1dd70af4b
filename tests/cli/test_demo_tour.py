"""The demo: what it prints is true of its collection, and its commands run."""

from __future__ import annotations

import shlex
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from irpref import AP, RPP, compare, demo_paths
from irpref.cli.demo_data import tour
from irpref.cli.main import main
from tests import literal
from tests.command_line import table_rows

QRELS, RUNS = demo_paths()


@cache
def read() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    grades: dict[str, dict[str, int]] = {}
    for line in QRELS.read_text().splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault(topic, {})[document] = int(grade)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for path in RUNS:
        lists = runs.setdefault(path.stem, {})
        for line in path.read_text().splitlines():
            topic, _, document, _, score, _ = line.split()
            lists.setdefault(topic, {})[document] = float(score)
    return grades, runs


def positions(system: str, topic: str) -> literal.Positions:
    grades, runs = read()
    return literal.positions(runs[system].get(topic, {}), literal.relevant(grades[topic]))


def rpp(first: str, second: str, topic: str) -> Fraction:
    grades, runs = read()
    sides = (runs[system].get(topic, {}) for system in (first, second))
    return literal.graded_rpp(grades[topic], *sides, weight=literal.WEIGHTS["uniform"])


@pytest.fixture(scope="module")
def printed() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "irpref", "demo"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def learned(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("- ")]


def precision(found: literal.Positions) -> Fraction:
    """Average precision, times the number of relevant documents."""
    return sum(
        (number * literal.reciprocal(position) for number, position in enumerate(found, start=1)),
        Fraction(),
    )


@pytest.mark.slow
def test_the_shares_of_ties_are_those_of_the_collection(printed: str) -> None:
    grades, runs = read()
    cases = [
        (positions(first, topic), positions(second, topic))
        for first, second in combinations(runs, 2)
        for topic in grades
    ]
    assert f"{len(runs)} rankers on {len(grades)} topics" in printed
    tied = sum(first[0] == second[0] for first, second in cases) / len(cases)
    left = sum(first == second for first, second in cases) / len(cases)
    assert f"on {tied:.0%} of their topics" in learned(printed)[0]
    same = sum(precision(first) == precision(second) for first, second in cases) / len(cases)
    assert f"; average precision, on {same:.0%}; " in learned(printed)[0]
    assert learned(printed)[0].endswith(f"on {left:.0%}.")
    assert tied > 10 * left


def best_first(score: dict[str, Fraction]) -> list[str]:
    return sorted(score, key=lambda system: -score[system])


def by_rpp() -> list[str]:
    grades, runs = read()
    return best_first(
        {a: sum(rpp(a, b, topic) for b in runs if b != a for topic in grades) for a in runs}
    )


def test_the_leaders_are_those_by_the_definitions(printed: str) -> None:
    grades, runs = read()
    by_metric = best_first(
        {a: sum(literal.reciprocal(positions(a, topic)[0]) for topic in grades) for a in runs}
    )
    line = learned(printed)[1]
    assert line.startswith(f"- {by_metric[0]} leads by reciprocal rank, {by_rpp()[0]} leads by RPP")
    assert by_metric[0] != by_rpp()[0]


def test_the_profile_is_the_mean_sign_level_by_level(printed: str) -> None:
    grades, _ = read()
    best, second, *_ = by_rpp()
    signs = [literal.signs(positions(best, t), positions(second, t)) for t in grades]
    line = learned(printed)[2]
    shown = "(positive: " in line and line.partition("): ")[2].rstrip(".").split(", ")
    level = 0
    for level, part in enumerate(shown, start=1):
        here = [profile[level - 1] for profile in signs if len(profile) >= level]
        assert part == f"{level}: {sum(here) / len(here):+.2f}"
    assert sum(len(profile) > level for profile in signs) <= len(signs) / 2
    assert line.startswith(f"- {best} against {second}")


def test_the_last_sentence_says_what_the_topics_leave_open(printed: str) -> None:
    grades, _ = read()
    line = learned(printed)[3]
    counts = [compare(QRELS, RUNS, each).test(each)["significant"].sum() for each in (RPP, AP)]
    assert line == (
        f"- {len(grades)} topics leave open whether this is luck: of {comb(len(RUNS), 2)} pairs "
        f"{counts[0]} differ significantly by RPP, {counts[1]} by average precision."
    )
    assert counts[0] == 0


def test_explained_topic_is_the_clearest(printed: str) -> None:
    grades, _ = read()
    best, second, *_ = by_rpp()
    topic = max(grades, key=lambda topic: abs(rpp(best, second, topic)))
    said = f"Topic {topic}: {best} against {second} "
    assert said in printed
    # Where a file has the signatures, a terminal has what is typed next.
    assert "|report:pair|" in printed
    shown = tour(80)
    assert "|irpref:" not in shown
    # It can be typed as it is.
    (step,) = [line for line in shown.splitlines() if line.startswith("Why?")]
    assert step.startswith("Why?  irpref explain ")
    assert step.endswith(f"{best}.txt {RUNS[0].parent / second}.txt --topic {topic}")
    assert f"{step}\n{said}" in shown.replace("\n\n", "\n")
    (row,) = [line for line in printed.partition("Topic ")[2].splitlines() if line[:4] == "RPP "]
    assert row.split()[1] == f"{float(rpp(best, second, topic)):+.3f}"


def test_printed_commands_give_what_is_printed(
    printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [line.split("irpref ", 1)[1] for line in printed.splitlines() if "  irpref " in line]
    assert len(commands) == 2
    texts = []
    for command in commands:
        words = shlex.split(command)
        assert words[-1].endswith("*.txt") == (not texts)
        runs = [str(run) for run in RUNS] if "*" in words[-1] else words[2:]
        assert main([*words[:2], *runs]) == 0
        texts.append(capsys.readouterr().out)
    board, pair = texts
    assert pair in printed
    # The tour has one more column, that of its own preference.
    rows = table_rows(board)
    assert [row[:2] for row in rows] == [
        [letter, str(rank)] for rank, letter in enumerate("abcdef", start=1)
    ]
    shown = [line.split()[:-1] for line in printed.splitlines()]
    assert all(row in shown for row in rows)

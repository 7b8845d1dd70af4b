"""Colour: where a terminal has it, and nowhere else; the text stays the same, character by character."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import suppress

import polars as pl
import pytest

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from irpref.report.report import Report
from irpref.report.styles import SIDES
from irpref.report.table import Table
from irpref.report.terminal import has_colour
from tests.cli.test_cli_terminal import on_terminal
from tests.command_line import COMMAND
from tests.show.reports.test_golden import NAMES, reports

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
ABOVE, BELOW = (SIDES[sign].render("\0").partition("\0")[0] for sign in "+-")
BOLD, DIM, END = "\x1b[1m", "\x1b[2m", "\x1b[0m"
QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]


@pytest.mark.parametrize("width", [40, 80, None])
@pytest.mark.parametrize("name", NAMES)
def test_the_text_without_escapes_is_the_plain_text(name: str, width: int | None) -> None:
    report = reports()[name]
    plain, coloured = report.to_text(width), report.to_text(width, colour=True)
    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert ESCAPE.sub("", coloured) == plain
    # Nothing is left open at the end of a line, where the next one is someone else's.
    for line in coloured.splitlines():
        assert len(ESCAPE.findall(line)) == 2 * line.count(END)


@pytest.mark.parametrize("encoding", ["ascii", "cp437"])
def test_a_poor_terminal_may_have_colours(encoding: str) -> None:
    report = reports()["pair"]
    coloured = report.to_text(60, encoding=encoding, colour=True)
    assert ESCAPE.sub("", coloured) == report.to_text(60, encoding=encoding)


def test_above_and_below_0_have_a_colour_each() -> None:
    frame = pl.DataFrame(
        {
            "system": ["+up", "-down", "level", "none", "bit"],
            "mean": [0.5, -0.25, 0.0, None, -0.0001],
            "p": [0.1, -0.2, 0.3, 0.4, 0.5],
        }
    )
    marks = {"mean": ["†", "†", "", "", ""]}
    report = Report("t", (Table("", frame, {"mean": "+.3f", "p": ".1f"}, marks),), frame)
    for width in (None, 12):
        text = report.to_text(width, colour=True)
        colours = re.findall(rf"({re.escape(ABOVE)}|{re.escape(BELOW)})(.*?)\x1b\[0m", text)
        assert colours == [(ABOVE, "+0.500 †"), (BELOW, "-0.250 †")]


def test_headlines_and_headings_are_bold_and_signatures_dim() -> None:
    report = reports()["pair"]
    lines = report.to_text(80, colour=True, signatures=True).splitlines()
    assert lines[0] == f"{BOLD}{report.answer[0]}{END}"
    # What follows the headline is plain.
    answer, table = lines[1 : lines.index("")], lines[lines.index("") + 1 :]
    assert " ".join(answer) == " ".join(report.answer[1:])
    assert table[0] == f"{BOLD}bm25-prf − bm25{END}"
    assert table[1].startswith(f"{BOLD}preference{END}")
    assert f"{BOLD}Topics bm25-prf wins most clearly{END}" in lines
    signatures = [line for line in lines if "|irpref:" in line]
    assert len(signatures) == 1
    assert all(line.startswith(DIM) and line.endswith(END) for line in signatures)
    # Where the headline goes over several lines, each of them is bold.
    narrow = report.to_text(30, colour=True).splitlines()
    bold = [line for line in narrow[: narrow.index("")] if BOLD in line]
    assert len(bold) == 2
    assert " ".join(ESCAPE.sub("", line) for line in bold) == report.answer[0]
    assert all(line.startswith(BOLD) and line.endswith(END) for line in bold)


def test_what_to_type_next_is_plain_and_takes_the_place_of_the_signatures() -> None:
    report = reports()["pair"]
    *above, step = report.to_text(80, colour=True).splitlines()
    assert step == report.next_step == "Why?  comparison.explain('6', 'bm25-prf', 'bm25')"
    assert not any("|irpref:" in line for line in above)
    assert above == report.to_text(80, colour=True, signatures=True).splitlines()[:-1]


def test_a_name_cannot_bring_colours_of_its_own() -> None:
    frame = pl.DataFrame({"system": ["\x1b[31mred"], "mean": [0.5]})
    report = Report("t", (Table("", frame, {"mean": "+.3f"}),), frame)
    assert "\\x1b[31mred" in report.to_text(colour=True)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "unknown"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_colour_is_for_terminals_that_have_it(
    environment: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_colour(Screen()) is wanted
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    assert not has_colour(io.StringIO())
    assert not has_colour(None)


@pytest.mark.slow
def test_commands_colour_a_terminal_and_nothing_else() -> None:
    def seen(**environment: str) -> str:
        return "\n".join(on_terminal("compare", *PATHS[:3], environment=environment))

    plain = seen(TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in plain
    assert seen(TERM="dumb") == plain
    coloured = seen(TERM="xterm")
    assert ABOVE in coloured
    assert BELOW in coloured
    assert ESCAPE.sub("", coloured) == plain
    environment = {**os.environ, "TERM": "xterm", "FORCE_COLOR": "1"}
    piped = subprocess.run(
        [*COMMAND, "compare", *PATHS[:3]], capture_output=True, check=True, env=environment
    )
    assert b"\x1b" not in piped.stdout


@pytest.mark.filterwarnings("always")
def test_errors_and_warnings_are_marked_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*words: str, term: str = "xterm") -> str:
        monkeypatch.setenv("TERM", term)
        screen = Screen()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", screen)
            with suppress(SystemExit):
                main(words)
        return screen.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    wrong = ["compare", "absent", "b", "c"]
    assert said(*wrong).startswith("\x1b[1;31mirpref: error:\x1b[0m absent: there is no such file")
    assert said("comprae").startswith("\x1b[1;31mirpref: error:\x1b[0m unknown command")
    assert said(*wrong, term="dumb").startswith("irpref: error: absent: ")
    warned = said("corroborate", *PATHS[:3], "-m", "AP", "-p", "IPSO@5")
    assert warned.startswith("\x1b[1;33mirpref: warning:\x1b[0m IPSO looks at depth 5")


def test_a_prompt_may_colour_and_a_string_never_does(monkeypatch: pytest.MonkeyPatch) -> None:
    data = irpref.collect(QRELS, RUNS[:2])
    comparison = data.compare(["RPP", "IPSO@10"])
    results = [
        data,
        comparison,
        comparison.report(),
        comparison.explain("6", "bm25-prf", "bm25"),
        data.corroborate("bm25", "bm25-prf", measure="AP@10"),
        irpref.plan("RPP", difference=0.2, sd=0.4),
    ]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    for result in results:
        assert "\x1b" not in repr(result)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", Screen())
            shown, text, html = repr(result), str(result), result._repr_html_()
        assert "\x1b" in shown
        assert ESCAPE.sub("", shown) == text
        assert "\x1b" not in html
        assert html.startswith("<p><strong>")

"""What a screen says to type next: it can be typed, and nothing in it acts on the screen."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import irpref
from irpref import RPP
from irpref.base.escape import escaped
from irpref.cli.main import main
from irpref.report.report import Report
from tests.html import assert_well_formed
from tests.report.test_colour import Screen
from tests.report.test_hostile_names import ACTING, HOSTILE

QRELS = {topic: {"d": 1, "e": 0} for topic in ("1", "2")}
FILES = [name for name in HOSTILE if "/" not in name]


def runs_of(*names: str) -> dict[str, Any]:
    """The first one wins a topic more than each of the others."""
    good, bad = {"d": 2.0, "e": 1.0}, {"d": 1.0, "e": 2.0}
    lists = [{"1": good, "2": good}, *({"1": bad, "2": good} for _ in names[1:])]
    return dict(zip(names, lists, strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_in_python_it_can_be_typed_whatever_the_names_are(name: str) -> None:
    for others in (["b"], ["b", "c"]):
        comparison = irpref.compare(QRELS, runs_of(name, *others), RPP)
        report = comparison.report()
        line = report.to_text(80).splitlines()[-1]
        assert not ACTING.search(line)
        # The page of a notebook has the same.
        step = assert_well_formed(report.to_html()).all("p")[-1 - len(report.signatures)].text
        assert step == line
        why, code = line.split("  ", 1)
        found = eval(code, {"comparison": comparison})
        assert why == "Why?"
        if len(others) > 1:
            assert isinstance(found, Report)
            assert escaped(name) in found.answer[0] or name in found.answer[0]
        else:
            assert (found.topic, found.a, found.b) == ("1", name, "b")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_topic_of_any_name_can_be_typed_in_python(name: str) -> None:
    qrels = {name: QRELS["1"]}
    runs = {system: {name: run["1"]} for system, run in runs_of("a", "b").items()}
    comparison = irpref.compare(qrels, runs, RPP)
    code = comparison.report().to_text(80).splitlines()[-1].removeprefix("Why?  ")
    assert eval(code, {"comparison": comparison}).topic == name


def shown(monkeypatch: pytest.MonkeyPatch, *words: object) -> str:
    """What a command writes to a screen."""
    screen = Screen()
    with monkeypatch.context() as patched:
        patched.setenv("TERM", "dumb")
        patched.setenv("COLUMNS", "60")
        patched.setattr(sys, "stdout", screen)
        assert main(list(map(str, words))) == 0
    return screen.getvalue()


def written(folder: Path, *names: str, topics: tuple[str, str] = ("1", "2")) -> list[Path]:
    """Judgments and runs as files."""
    lines = [f"{topic} 0 d 1\n" for topic in topics]
    (folder / "qrels.txt").write_text("".join(lines))
    paths = [folder / "qrels.txt"]
    for name, run in runs_of(*names).items():
        lines = [
            f"{topic} Q0 {document} 1 {score} x\n"
            for topic, of in zip(topics, run.values(), strict=True)
            for document, score in of.items()
        ]
        (folder / f"{name}.txt").write_text("".join(lines))
        paths.append(folder / f"{name}.txt")
    return paths


@pytest.mark.parametrize("name", FILES)
def test_on_a_screen_it_can_be_copied_and_does_nothing_by_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = written(tmp_path, name, "b")
    text = shown(monkeypatch, "compare", *paths, "-p", "RPP")
    assert not ACTING.search(text)
    # One line, as it is copied, however narrow the screen is.
    *_, blank, line = text.splitlines()
    assert blank == ""
    words = shlex.split(line)
    assert words[:3] == ["Why?", "irpref", "explain"]
    assert words[3:] == [*(escaped(str(path)) for path in paths), "-p", "RPP", "--topic", "1"]
    if escaped(name) == name:
        assert "".join(name.split()) in "".join(shown(monkeypatch, *words[2:]).split())


def test_a_topic_that_begins_like_an_option_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for topic in ("-1", "--help", "-x"):
        paths = written(tmp_path, "a", "b", topics=(topic, "2"))
        line = shown(monkeypatch, "compare", *paths, "-p", "RPP").splitlines()[-1]
        assert f"Topic {topic}:" in shown(monkeypatch, *shlex.split(line)[2:])


def test_names_that_were_given_and_ways_of_reading_are_typed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, one, other = written(tmp_path, "a", "b")
    words = [qrels, f"it's mine={one}", other, "--order", "score", "-p", "RPP"]
    line = shown(monkeypatch, "compare", *words).splitlines()[-1]
    typed = shlex.split(line)[2:]
    assert typed[:4] == ["explain", str(qrels), f"it's mine={one}", str(other)]
    assert "it's mine" in shown(monkeypatch, *typed)
    assert typed[4:] == ["-p", "RPP", "--order", "score", "--topic", "1"]


def test_a_file_holds_no_next_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path, "a", "b")
    for form in ("table", "markdown", "latex", "html", "csv", "json"):
        assert main(["compare", *map(str, paths), "-p", "RPP", "--format", form]) == 0
        assert "Why?" not in capsys.readouterr().out

"""What the command line reads: named runs, stdin, an order for each run."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irpref.cli.main import main
from tests.command_line import fail

QRELS = "1 0 a 1\n1 0 b 0\n"
BY_RANK = "1 Q0 a 1 1 x\n1 Q0 b 2 2 x\n"
BY_SCORE = "1 Q0 a 2 1 x\n1 Q0 b 1 2 x\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").mkdir()
    for name, text in (
        ("qrels.txt", QRELS),
        ("one.txt", BY_RANK),
        ("two.txt", BY_SCORE),
        ("more/one.txt", BY_SCORE),
        ("odd=name.txt", BY_SCORE),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["one.txt", "two.txt"], {"one": 0, "two": 0}),
        (["--order", "rank", "one.txt", "two.txt"], {"one": 1, "two": 0}),
        (["--order", "one=rank", "one.txt", "two.txt"], {"one": 1, "two": 0}),
        (["--order", "a=rank", "--order", "b=rank", "a=one.txt", "b=two.txt"], {"a": 1, "b": 0}),
        (["one.txt", "other=more/one.txt"], {"one": 0, "other": 0}),
        (["odd=name.txt", "two.txt"], {"odd=name": 0, "two": 0}),
        (["./more/one.txt", "two.txt"], {"one": 0, "two": 0}),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_runs_have_the_names_and_the_orders_that_are_typed(
    words: list[str],
    wanted: dict[str, float],
    files: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", "qrels.txt", *words, "-m", "P@1", "--format", "csv"]) == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines())
    assert {row["system"]: float(row["mean"]) for row in rows} == wanted


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "qrels.txt", "one.txt", "more/one.txt"], "NAME=more/one.txt"),
        (["evaluate", "qrels.txt", "=one.txt"], "'=one.txt' must read FILE or NAME=FILE"),
        (["evaluate", "-", "-"], "- (stdin) can be read once only"),
        (["corroborate", "qrels.txt", "-", "-", "-m", "AP@10"], "can be read once only"),
        (
            ["evaluate", "qrels.txt", "one.txt", "--order", "rank", "--order", "one=score"],
            "--order takes one value for all runs, or NAME=VALUE for some of them",
        ),
        (["evaluate", "qrels.txt", "one.txt", "--order", "onn=rank"], "did you mean 'one'?"),
        (["evaluate", "qrels.txt", "one.txt", "--order", "one=rnak"], "did you mean 'rank'?"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    words: list[str], said: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(words)
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


@pytest.mark.slow
def test_a_run_or_the_qrels_may_come_from_stdin(files: Path) -> None:
    def asked(*words: str, given: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", "irpref", "compare", *words, "-p", "RPP", "--format", "csv"],
            input=given,
            capture_output=True,
            text=True,
            check=True,
        )
        return ended.stdout

    (files / "three.txt").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    plain = asked("qrels.txt", "three.txt", "x=two.txt", given="")
    assert asked("-", "three.txt", "x=two.txt", given=QRELS) == plain
    assert asked("qrels.txt", "three.txt", "x=-", given=BY_SCORE) == plain
    assert "stdin" in asked("qrels.txt", "-", "three.txt", given=BY_SCORE)
    ended = subprocess.run(
        [sys.executable, "-m", "irpref", "evaluate", "qrels.txt", "-"],
        input="1 Q0 a\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "<stdin>, line 1: the line '1 Q0 a' has 3 columns" in ended.stderr


def test_a_closed_stdin_is_said(files: Path) -> None:
    ended = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m irpref evaluate qrels.txt - <&-"],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "there is no stdin to read from" in ended.stderr


def test_an_error_names_a_flag_that_there_is(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "one.txt").write_text(BY_RANK + BY_RANK)
    assert "--duplicates first" in fail(capsys, "evaluate", "qrels.txt", "one.txt")


NAMES = [
    "judged_only",
    "n_resamples",
    "order={'x': 'rank'}",
    "missing='skip'",
    "depth=K",
    "--depth",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_topics_and_documents_stay_as_they_are(
    files: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    line = name.replace(" ", "_")
    (files / f"{name}.txt").write_text("9 Q0 a 1 1 x\n")
    told = fail(capsys, "evaluate", "qrels.txt", f"./{name}.txt")
    assert f"{name}.txt: the run has no topic in common" in told
    (files / f"{name}.txt").write_text(f"{line} Q0 {line} 1 1 x\n{line} Q0 {line} 2 2 x\n")
    told = fail(capsys, "evaluate", "qrels.txt", f"./{name}.txt")
    assert f"{name}.txt, line 2, topic {line}, document {line}: the document is there twice" in told
    assert told.strip().endswith("keep the one with the best position: --duplicates first")

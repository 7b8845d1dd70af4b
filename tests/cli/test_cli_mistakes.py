"""The command line: what it says to mistakes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from irpref.cli.main import main
from tests.command_line import RUNS, fail, run_text

RUN = run_text(RUNS["new"])
BAD_RUNS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "malformed line": (b"1 Q0 a 1 9 t\n1 Q0 b\n", ("bad.txt, line 2", "3 columns")),
    "score is no number": (
        b"1 Q0 a 1 9 t\n1 Q0 b 2 high t\n",
        ("bad.txt, line 2, topic 1, document b", "'high' is not a number"),
    ),
    "NaN": (b"1 Q0 a 1 nan t\n", ("bad.txt, line 1, topic 1, document a", "NaN")),
    "document twice": (
        b"1 Q0 a 1 9 t\n2 Q0 a 1 9 t\n1 Q0 a 2 8 t\n",
        ("bad.txt, line 3, topic 1, document a", "twice", "--duplicates first"),
    ),
    "empty file": (b"", ("bad.txt", "empty")),
    "blank file": (b"\n \n", ("bad.txt", "empty")),
    "qrels as run": (b"1 0 a 1\n1 0 b 0\n", ("bad.txt, line 1", "were qrels and run swapped?")),
    "no topic in common": (b"77 Q0 a 1 9 t\n", ("bad.txt", "no topic in common", "77")),
    "truncated gz": (gzip.compress(RUN.encode() * 50)[:-20], ("bad.txt", "gzip", "cut short")),
    "invalid UTF-8": (b"1 Q0 a 1 9 t\n1 Q0 b\xff 2 8 t\n", ("bad.txt, line 2", "UTF-8")),
}
BAD_QRELS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "malformed line": (b"1 0 a 1\n1 0 b\n", ("bad.txt, line 2", "3 columns")),
    "grade is no number": (
        b"1 0 a 1\n1 0 b yes\n",
        ("bad.txt, line 2, topic 1, document b", "'yes' is not a number"),
    ),
    "empty file": (b"", ("bad.txt", "empty")),
    "run as qrels": (RUN.encode(), ("bad.txt, line 1", "were qrels and run swapped?")),
    "nothing relevant": (b"1 0 a 0\n1 0 b -1\n", ("bad.txt", "nothing relevant")),
}


@pytest.mark.parametrize("name", BAD_RUNS)
def test_a_bad_run_is_named_in_one_line_and_no_output_is_touched(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, parts = BAD_RUNS[name]
    (folder / "bad.txt").write_bytes(content)
    (folder / "out.csv").write_text("as it was")
    line = fail(capsys, "compare", "qrels.txt", "new.txt", "bad.txt", "-o", "out.csv")
    assert all(part in line for part in parts), line
    assert (folder / "out.csv").read_text() == "as it was"
    assert len(list(folder.iterdir())) == 6


@pytest.mark.parametrize("name", BAD_QRELS)
def test_bad_qrels_are_named_in_one_line_and_nothing_is_written(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, parts = BAD_QRELS[name]
    (folder / "bad.txt").write_bytes(content)
    line = fail(capsys, "compare", "bad.txt", "new.txt", "old.txt", "-o", "out.csv")
    assert all(part in line for part in parts), line
    assert not (folder / "out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["qrels.txt", "new.txt", "absent.txt"], ["absent.txt", "no such file"]),
        (["absent.txt", "new.txt", "old.txt"], ["absent.txt", "no such file"]),
        (["qrels.txt", "new.txt", "."], [": this is a directory"]),
        (["qrels.txt", "new.txt"], ["only one run was given (new)"]),
        (["qrels.txt", "new.txt", "./new.txt"], ["two runs are named 'new'"]),
        (["new.txt", "qrels.txt", "old.txt"], ["new.txt, line 1", "swapped?"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "LP@0"], ["cutoff", "not 0"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "LP@-5"], ["cutoff", "not -5"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "IPSO@2.5"], ["cutoff", "not 2.5"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "IPSO@ten"], ["'ten' is not a plain value"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "STRP"], ["'STRP'", "(did you mean 'STRPP'?)"]),
        (
            ["qrels.txt", "new.txt", "old.txt", "-p", "RPP(weight='dcg')"],
            ["did you mean 'weights'"],
        ),
        (["qrels.txt", "new.txt", "old.txt", "-p", "RPP(weights='dgc')"], ["did you mean 'dcg'"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", "RPP("], ["must read NAME"]),
        (["qrels.txt", "new.txt", "old.txt", "-p", ""], ["must read NAME"]),
        (
            ["qrels.txt", "new.txt", "old.txt", "-p", "IPSO(gains={1: 2, 2: 1})@3"],
            ["gains must not fall", "grade 2"],
        ),
        (
            ["qrels.txt", "new.txt", "old.txt", "-p", "IPSO(gains={1: 2})@3"],
            ["topic 1 has grade 2, which has no gain"],
        ),
        (["qrels.txt", "new.txt", "old.txt", "--baseline", "odl"], ["'odl'", "mean 'old'?"]),
        (
            ["qrels.txt", "new.txt", "old.txt", "--baseline", "odl", "--per-topic"],
            ["unknown baseline 'odl'"],
        ),
        (["qrels.txt", "new.txt", "old.txt", "--formt", "csv"], ["--formt", "--help"]),
        (["qrels.txt", "new.txt", "old.txt", "--format", "xml"], ["'xml'", "csv"]),
        (["qrels.txt", "new.txt", "old.txt", "--order", "scores"], ["'scores'"]),
        (["qrels.txt"], ["RUN"]),
        (["qrels.txt", "new.txt", "old.txt", "-o", "absent/out.csv"], ["absent", "folder"]),
        (["qrels.txt", "new.txt", "old.txt", "-o", "."], ["directory"]),
    ],
)
def test_a_mistake_ends_in_one_line_that_names_it(
    arguments: list[str], parts: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = fail(capsys, "compare", *arguments)
    assert all(part in line for part in parts), line


@pytest.mark.parametrize("arguments", [["compere"], ["--nonsense"]])
def test_a_mistaken_command_is_referred_to_the_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--help" in fail(capsys, *arguments)


def test_a_mistaken_baseline_or_output_is_told_before_anything_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["compare", "absent.txt", "new.txt", "old.txt"]
    assert "unknown baseline" in fail(capsys, *arguments, "--baseline", "x")
    assert "folder" in fail(capsys, *arguments, "-o", "absent/out.csv")


def test_debug_shows_the_traceback(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "qrels.txt", "new.txt", "absent.txt", "--debug"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert shown.endswith("InputError: absent.txt: there is no such file\n")


def test_a_fault_of_ours_is_no_mistake_and_no_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("irpref.api.verbs.compare", lambda *_, **__: [].pop())
    assert main(["gate", "qrels.txt", "new.txt", "old.txt", "--margin", "0.1"]) == 2
    assert capsys.readouterr().err.endswith("IndexError: pop from empty list\n")

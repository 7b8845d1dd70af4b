"""Systems of several runs on the command line: which runs are whose, and what is said of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irpref
from irpref import demo_paths
from tests.command_line import fail, succeed

QRELS, (ONE, *_, OTHER) = demo_paths()
_SEEDS = 5


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five runs of two systems each, and one of a third."""
    folder, noise = tmp_path_factory.mktemp("trained"), np.random.default_rng(1)
    for system, path in (("old", ONE), ("new", OTHER)):
        for seed in range(1, _SEEDS + 1):
            lines = (line.split() for line in Path(path).read_text().splitlines())
            rows = (
                f"{topic} Q0 {document} 0 {noise.normal() - np.log(int(rank))} x\n"
                for topic, _, document, rank, *_ in lines
            )
            (folder / f"{system}-{seed}.txt").write_text("".join(rows))
    (folder / "bm25.txt").write_text(Path(ONE).read_text())
    return folder


_GROUPS = ["--group", "new=new-*", "--group", "old=old-1,old-2", "--group", "old=old-[345]"]
_FIXED = [*_GROUPS, "--deterministic", "bm25"]


@pytest.fixture
def paths(trained: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(trained)
    return [str(QRELS), *sorted(path.name for path in trained.iterdir())]


def _compared(paths: list[str], **options: Any) -> irpref.Comparison:
    groups = {"new": "new-*", "old": "old-*"}
    qrels, *runs = paths
    return irpref.compare(qrels, runs, ["RPP", "AP"], groups=groups, **options)


def test_it_says_what_python_says(capsys: pytest.CaptureFixture[str], paths: list[str]) -> None:
    given = ["compare", *paths, "-p", "RPP", "-p", "AP", *_FIXED]
    compared = _compared(paths, deterministic="bm25")
    said = succeed(capsys, *given, "--format", "json")
    rows = json.loads(said)["results"]
    wanted = compared.report().to_json()
    assert [{**row, "signature": ""} for row in rows] == [
        {**row, "signature": ""} for row in json.loads(wanted)["results"]
    ]
    assert {row["system"] for row in rows} == {"bm25", "new", "old"}
    table = list(csv.DictReader(io.StringIO(succeed(capsys, *given, "--format", "csv"))))
    assert [float(row["mean"]) for row in table] == [row["mean"] for row in rows]
    assert r"\begin{tabular}" in succeed(capsys, *given, "--format", "latex")
    per_topic = succeed(capsys, *given[:-2], "--per-topic", "--format", "csv")
    values = {(row["topic"], row["system"]): row for row in csv.DictReader(io.StringIO(per_topic))}
    assert len(values) == 3 * 12
    top = succeed(capsys, *given, "--top", "1")
    assert "1 of 3 shown; --top 3 for all." in top


def test_a_baseline_is_a_system(capsys: pytest.CaptureFixture[str], paths: list[str]) -> None:
    given = ["compare", *paths, "-p", "RPP", "-p", "AP"]
    said = succeed(capsys, *given, *_FIXED, "--baseline", "old", "--format", "json")
    rows = [row for row in json.loads(said)["results"] if row["preference"] == "RPP"]
    tested = _compared(paths, deterministic="bm25").test("RPP", baseline="old").set_index("a")
    assert {row["system"]: row["p"] for row in rows} == tested["p"].to_dict()
    assert {row["system"]: row["mean"] for row in rows} == pytest.approx(tested["mean"].to_dict())
    assert "unknown baseline 'old-1'" in fail(capsys, *given, *_FIXED, "--baseline", "old-1")


def test_where_there_are_too_few_runs_p_is_null(
    capsys: pytest.CaptureFixture[str], paths: list[str]
) -> None:
    given = ["compare", *paths, "-p", "RPP", *_GROUPS, "--baseline", "old"]
    rows = {
        row["system"]: row
        for row in json.loads(succeed(capsys, *given, "--format", "json"))["results"]
    }
    assert rows["new"]["p"] is not None
    assert rows["bm25"]["p"] is None
    assert rows["bm25"]["low"] < rows["bm25"]["mean"] < rows["bm25"]["high"]
    said = " ".join(succeed(capsys, *given).split())
    assert "Not tested, as there are too few runs or common topics: bm25 (" in said
    assert "Fewer than 5 runs of a system (bm25: 1)" in said
    assert "come out the same again (--deterministic SYSTEM)" in said
    board = " ".join(succeed(capsys, "compare", *paths, "-p", "RPP", *_GROUPS, "--notes").split())
    assert "pairs of enough runs, corrected by Holm" in board
    assert "0 of 1 pairs differ significantly; 2 could not be tested." in board


@pytest.mark.parametrize(
    ("command", "more", "said"),
    [
        ("compare", ["--group", "x="], "argument --group: invalid SYSTEM=RUN,… value: 'x='"),
        ("compare", ["--group", "new-*"], "argument --group: invalid SYSTEM=RUN,… value: 'new-*'"),
        ("compare", ["--group", "x=nope*"], "unknown run in --group 'x=nope*' 'nope*'"),
        (
            "compare",
            ["--group", "x=new-*", "--group", "y=new-1"],
            "--group SYSTEM=RUN,…: the run new-1 is in two groups, x and y",
        ),
        (
            "compare",
            ["--group", "bm25=new-*"],
            "--group SYSTEM=RUN,…: bm25 is a group, and a run that is not in it: rename one",
        ),
        (
            "compare",
            [*_GROUPS, "--deterministic", "old"],
            "old has 5 runs, and so is not deterministic: leave it out of --deterministic",
        ),
        (
            "compare",
            [*_GROUPS, "--deterministic", "bm26"],
            "unknown system in --deterministic 'bm26' (known: bm25, new, old)",
        ),
        (
            "compare",
            ["--deterministic", "bm25"],
            "--deterministic belongs to groups of runs, and there are none",
        ),
        (
            "compare",
            ["--test", "crossed"],
            "crossed tests systems of several runs each: say which runs are of one system "
            "(--group SYSTEM=RUN,…)",
        ),
        *(
            (
                "compare",
                [*_GROUPS, "--test", test],
                f"{test} asks about other topics, and takes the runs that there are for all that there "
                "could be: with groups of runs leave it out",
            )
            for test in ("randomization", "hsd", "t", "sign")
        ),
        (
            "compare",
            [*_GROUPS, "--baseline", "old", "--margin", ".1", "--alternative", "noninferior"],
            "a margin asks about other topics, and takes the runs",
        ),
        (
            "compare",
            [*_GROUPS, "--keep", "summary"],
            "sums over topics do not say how runs of a system differ: leave --group SYSTEM=RUN,… out",
        ),
        (
            "study ties",
            _GROUPS,
            "a study looks at each run by itself: leave --group SYSTEM=RUN,… out",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], paths: list[str], command: str, more: list[str], said: str
) -> None:
    assert said in fail(capsys, *command.split(), *paths, *more)


def test_an_explanation_takes_two_runs(
    capsys: pytest.CaptureFixture[str], paths: list[str]
) -> None:
    given = ["explain", paths[0], "old-1.txt", "new-1.txt", "--topic", "6", "--group", "x=old-1"]
    assert "--group makes systems of several: leave it out, and name the two" in fail(
        capsys, *given
    )


def test_a_gate_compares_two_runs(capsys: pytest.CaptureFixture[str], paths: list[str]) -> None:
    given = ["gate", paths[0], "old-1.txt", "new-1.txt", "--margin", "0.1", "--group", "x=old-1"]
    said = "a gate compares two runs: leave --group SYSTEM=RUN,… out"
    assert said in fail(capsys, *given)

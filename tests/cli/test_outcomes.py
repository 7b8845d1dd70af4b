"""Side-by-side judgments on the command line."""

from __future__ import annotations

import json
import shutil
from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from tests.command_line import fail, succeed
from tests.literal_judges import some_judgments

QRELS, RUNS = demo_paths()
WORDS = [str(QRELS), *map(str, RUNS)]


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    some_judgments().to_csv("judged.csv", index=False)
    return "judged.csv"


def of_demo() -> pd.DataFrame:
    """Three judges: two who always prefer the system that comes first, and one who never does."""
    data = irpref.collect(QRELS, RUNS)
    rows = [
        (topic, a, b, "b" if judge == "z" else "a", judge)
        for topic in data.topics
        for a, b in combinations(data.systems, 2)
        for judge in "xyz"
    ]
    return pd.DataFrame(rows, columns=["topic", "a", "b", "outcome", "judge"])


def test_it_says_what_python_says(capsys: pytest.CaptureFixture[str], judged: str) -> None:
    said = json.loads(succeed(capsys, "compare", "--outcomes", judged, "--format", "json"))
    wanted = json.loads(irpref.compare_outcomes(judged).report().to_json())
    assert said == wanted
    board = succeed(capsys, "compare", "--outcomes", judged)
    assert board.startswith("bm25 leads by judges (4 systems, 6 pairs, 15 topics).")
    text = succeed(capsys, "compare", "--outcomes", judged, "--baseline", "zero", "--test", "t")
    assert "against zero" in text or "Better than zero by judges" in text
    assert "judges" in succeed(capsys, "compare", "--outcomes", judged, "--per-topic")


def test_it_writes_a_page(capsys: pytest.CaptureFixture[str], judged: str, tmp_path: Path) -> None:
    succeed(capsys, "compare", "--outcomes", judged, "-o", "page.html", "--title", "Side by side")
    page = (tmp_path / "page.html").read_text()
    assert "Side by side" in page
    assert "bm25 leads by judges" in page


def test_what_is_of_runs_is_refused(capsys: pytest.CaptureFixture[str], judged: str) -> None:
    either = "compare takes either QRELS and RUNs, or --outcomes FILE"
    assert either in fail(capsys, "compare")
    assert "name the RUNs behind the QRELS" in fail(capsys, "compare", WORDS[0])
    assert either in fail(capsys, "compare", WORDS[0], "--outcomes", judged)
    assert either in fail(capsys, "compare", *WORDS, "--outcomes", judged)
    for flags in (["-p", "RPP"], ["--rel", "2"], ["--keep", "summary"], ["--topics", judged]):
        said = fail(capsys, "compare", "--outcomes", judged, *flags)
        assert "is of QRELS and RUNs: leave it out, or --outcomes" in said
    assert "unknown baseline 'none'" in fail(
        capsys, "compare", "--outcomes", judged, "--baseline", "none"
    )
    said = fail(capsys, "compare", "--outcomes", judged, "-o", judged, "--format", "csv")
    assert "judged.csv" in said
    assert Path(judged).read_text().startswith("topic,")


def test_the_study_of_agreement_takes_judges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "judged.tsv"
    of_demo().to_csv(file, index=False, sep="\t")
    flags = ["--outcomes", str(file), "-p", "RPP", "--resamples", "20"]
    text = succeed(capsys, "study", "agreement", *WORDS, *flags)
    assert "Agreement with the judges" in text
    assert "the judge left out" in text
    agree = "two judges about the same pair on the same topic (540 cases) agree in 33%"
    assert agree in " ".join(text.split())
    said = fail(capsys, "study", "ties", *WORDS, "--outcomes", str(file))
    assert "--outcomes" in said


@pytest.mark.parametrize("flag", ["--outcomes", "--scores"])
def test_what_is_read_beside_folders_is_not_written_over(
    capsys: pytest.CaptureFixture[str], judged: str, tmp_path: Path, flag: str
) -> None:
    runs = tmp_path / "mine" / "runs"
    runs.mkdir(parents=True)
    shutil.copy(QRELS, tmp_path / "mine" / "qrels.txt")
    for run in RUNS[:2]:
        shutil.copy(run, runs)
    before = Path(judged).read_text()
    words = "study", "agreement", "--collection", "mine", flag, judged, "-o", judged
    assert "would destroy an input" in fail(capsys, *words)
    assert Path(judged).read_text() == before


def test_doubts_are_said_where_rows_only_are_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "judged.jsonl"
    of_demo().query("topic in ('1', '2')").to_json(file, orient="records", lines=True)
    doubt = "judges: 2 judged topics: fewer than 10 say little of others."
    for words in (["compare"], ["study", "agreement", *WORDS, "-p", "RPP", "--resamples", "20"]):
        for form, where in (("csv", "err"), ("json", "out")):
            assert main([*words, "--outcomes", str(file), "--format", form]) in (0, None)
            said = capsys.readouterr()
            assert doubt in getattr(said, where)
            assert doubt not in {"err": said.out, "out": said.err}[where]

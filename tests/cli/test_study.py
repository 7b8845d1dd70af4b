"""The command irpref study: it does what the function does, and says each mistake in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from irpref.studies import known_studies
from tests.command_line import fail, succeed

QRELS, RUNS = demo_paths()
WORDS = [str(QRELS), *map(str, RUNS), "--resamples", "20"]


def test_alone_it_lists_the_studies(capsys: pytest.CaptureFixture[str]) -> None:
    text = succeed(capsys, "study")
    for name in known_studies():
        assert f"\n  {name} " in text


@pytest.mark.parametrize("name", sorted(known_studies()))
def test_every_study_has_a_help(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stopped:
        main(["study", name, "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert f"irpref study {name}" in text
    assert "--claims" in text
    assert ">>>" not in text
    # Its first page holds the words, in paragraphs that are folded; a point of a list begins one.
    words = text.partition("positional arguments:")[0].partition("options:")[0].splitlines()
    assert all(len(line) <= 80 for line in words[2:])
    assert not any("; - " in line or ". - " in line for line in words)


def test_json_has_what_the_function_finds(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "ties", *WORDS, "-m", "RR", "-p", "LP", "--seed", "3", "--format", "json"]
    found = json.loads(succeed(capsys, *words))
    study = irpref.studies.ties(irpref.collect(QRELS, RUNS), ["RR", "LP"], rng=3, n_resamples=20)
    assert found == json.loads(study.table().to_json())


def test_collections_claims_scores_and_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "runs").mkdir(parents=True)
        shutil.copy(QRELS, tmp_path / name / "qrels.txt")
        for run in RUNS:
            shutil.copy(run, tmp_path / name / "runs")
    scores = tmp_path / "theirs.csv"
    irpref.evaluate(QRELS, RUNS, "RR").drop(columns="measure").to_csv(scores, index=False)
    table, picture = tmp_path / "t.md", tmp_path / "p.svg"
    folders = [f"--collection={tmp_path / 'one'}", f"--collection=second={tmp_path / 'two'}"]
    words = ["--scores", str(scores), "--claims", "-o", str(table), "--plot", str(picture)]
    assert succeed(capsys, "study", "ties", *folders, "--resamples", "9", *words) == ""
    text = table.read_text()
    # The paper's methods, and one more row.
    for said in ("| one ", "| second ", " theirs |", " IPSO@10 |", "holds"):
        assert said in text
    assert picture.read_bytes().startswith(b"<?xml")


def test_names_in_a_file_of_scores_are_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As MTEB calls the columns, too: the system 01 is not 1."""
    scores = irpref.evaluate(QRELS, {"01": RUNS[0], "02": RUNS[1]}, "RR")
    scores.columns = ["model_name", "task_name", "measure", "score"]
    file = tmp_path / "theirs.csv"
    scores.drop(columns="measure").to_csv(file, index=False)
    words = ["study", "ties", str(QRELS), f"01={RUNS[0]}", f"02={RUNS[1]}", "--scores", str(file)]
    assert "theirs" in succeed(capsys, *words, "--resamples", "9")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tise"], "unknown study 'tise'; did you mean 'ties'?"),
        (["ties"], "either QRELS and RUNs, or --collection NAME=DIR"),
        (["ties", *WORDS, "--collection", "{folder}"], "either QRELS and RUNs, or --collection"),
        (["ties", "--collection", "x=away"], "away must hold qrels.txt and runs/"),
        (["ties", "--collection", "{folder}", "--collection", "{folder}"], "named 'data'"),
        (["ties", *WORDS[:2]], "there is one only (bm25-prf)"),
        (["ties", *WORDS, "-p", "RRP"], "unknown preference or measure 'RRP'"),
        (["ties", *WORDS[:-1], "0"], "--resamples must be a whole number of at least 1"),
        (["ties", *WORDS, "--plot", "p.jpg"], "end the name of the --plot file so"),
        (["ties", *WORDS, "--plot", "a.svg", "-o", "a.svg"], "irpref writes no .svg files"),
        (["ties", *WORDS, "--scores", "{folder}/qrels.txt"], "the first line names no columns"),
        (["ties", *WORDS, "--seed", "x"], "invalid int (or none) value"),
    ],
    ids=lambda each: "-".join(each[-2:])[:40] if isinstance(each, list) else "said",
)
def test_a_mistake_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    (folder / "runs").mkdir(parents=True)
    shutil.copy(QRELS, folder / "qrels.txt")
    shutil.copy(RUNS[0], folder / "runs")
    given = [word.replace("{folder}", str(folder)) for word in words]
    assert said in fail(capsys, "study", *given)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data"]

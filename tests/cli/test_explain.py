"""The command ``irpref explain``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from tests.command_line import fail, succeed

QRELS, RUNS = demo_paths()
PAIR = [str(QRELS), str(RUNS[0]), str(RUNS[1])]
CORPUS = Path(__file__).parents[2] / "scripts" / "demo_corpus"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--format", "json"],
        ["--format", "csv"],
        ["--format", "markdown"],
        ["-p", "nDCG@10", "-p", "LP", "--rel", "2", "--depth", "5"],
    ],
    ids=lambda words: " ".join(words) or "table",
)
def test_two_runs_get_what_compare_says_of_them(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert succeed(capsys, "explain", *PAIR, *words) == succeed(capsys, "compare", *PAIR, *words)


def test_two_runs_get_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = irpref.compare(QRELS, RUNS[:2])
    expected = comparison.verdict(*comparison.systems)
    assert succeed(capsys, "explain", *PAIR) == expected.to_text()
    assert expected.to_text() == comparison.report().to_text()
    found = json.loads(succeed(capsys, "explain", *PAIR, "--format", "json"))
    assert found["answer"] == list(expected.answer)
    headline, evidence, *_ = expected.answer
    assert headline == "Neither bm25-prf nor bm25 is shown to be better by RPP."
    assert evidence.startswith(
        "bm25-prf wins 7 of 12 topics and loses 4 (mean +0.08, 95 % interval "
    )
    assert "A mean of ±0." in evidence
    assert evidence.endswith("would likely be found (power 0.8) if topics vary as these do.")
    other = irpref.compare(QRELS, [RUNS[0], RUNS[-1]]).report().answer[2]
    assert other == (
        "bm25-prf is ahead for those who want all relevant documents (LR 10:2, p = 0.039). LP shows no "
        "difference (p = 0.39)."
    )


def test_a_topic_is_explained_with_its_texts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    topics, documents = str(CORPUS / "topics.tsv"), str(CORPUS / "documents.jsonl")
    words = ["--topic", "6", "-p", "RPP", "-p", "LP@20", "--topics", topics, "--docs", documents]
    text = succeed(capsys, "explain", *PAIR, *words)
    assert text.startswith("Topic 6 (bottling, drying or freezing a glut of tomatoes): bm25-prf")
    assert "grade 2 or more" in text
    assert "LP@20" in text
    assert "Home-made ketchup" in text
    comparison = irpref.compare(QRELS, RUNS[:2], ["RPP", "LP@20"])
    explained = comparison.explain("6", *comparison.systems, topics=topics, docs=documents)
    assert text == explained.report.to_text()
    assert set(explained.texts) == set(explained.levels["document_a"].dropna()) | set(
        explained.levels["document_b"].dropna()
    )
    succeed(capsys, "explain", *PAIR, *words, "-o", str(tmp_path / "e.html"))
    assert "Home-made ketchup" in (tmp_path / "e.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_texts_may_come_from_pipes_and_from_stdin(capsys: pytest.CaptureFixture[str]) -> None:
    """Pipes are what ``<(…)`` gives: they can be read once."""
    topics, documents = CORPUS / "topics.tsv", CORPUS / "documents.jsonl"
    words = ["explain", *PAIR, "--topic", "6"]
    plain = succeed(capsys, *words, "--topics", str(topics), "--docs", str(documents))
    assert "Home-made ketchup" in plain
    command = f"{sys.executable} -m irpref {' '.join(words)}"

    def said(words: str) -> str:
        ended = subprocess.run(
            ["bash", "-c", f"{command} {words}"], capture_output=True, text=True, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    assert said(f"--topics <(cat {topics}) --docs <(gzip -c {documents})") == plain
    assert said(f"--topics - --docs {documents} < {topics}") == plain


@pytest.mark.parametrize("flag", ["--topics", "--docs"])
def test_texts_are_an_input_too(
    flag: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """They are not written over, and stdin is read once."""
    texts = tmp_path / "texts.html"
    texts.write_bytes((CORPUS / "topics.tsv").read_bytes())
    words = [*PAIR, "--topic", "6", flag, str(texts), "-o", str(texts)]
    assert "writing here would destroy an input" in fail(capsys, "explain", *words)
    assert texts.read_bytes() == (CORPUS / "topics.tsv").read_bytes()
    twice = ["-", *PAIR[1:], "--topic", "6", flag, "-"]
    assert "- (stdin) can be read once only" in fail(capsys, "explain", *twice)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*PAIR, str(RUNS[2])], "explain takes two runs, not 3"),
        (PAIR[:2], "explain takes two runs, not 1"),
        (
            [*PAIR, "--topic", "6", "--group", "one=bm25*"],
            "explain takes two runs, and --group makes systems of several: leave it out, and name the two",
        ),
        ([*PAIR, "-p", "LPP"], "did you mean 'LP'?"),
        ([*PAIR, "--test", "t"], "unknown option --test"),
        ([*PAIR, "--docs", "d.tsv"], "--docs belongs to one topic"),
        ([*PAIR, "--topics", "t.tsv"], "--topics belongs to one topic"),
        ([*PAIR, "--topic", "99"], "unknown topic '99'"),
        ([*PAIR, "--topic", "6", "--docs", "none.tsv"], "none.tsv: there is no such file"),
        ([*PAIR, "--topic", "6", "--docs", str(CORPUS / "topics.tsv")], "such as 'garden-0"),
    ],
    ids=[
        "three",
        "one",
        "groups",
        "preference",
        "test",
        "docs",
        "topics",
        "topic",
        "file",
        "others",
    ],
)
def test_a_mistake_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in fail(capsys, "explain", *words)

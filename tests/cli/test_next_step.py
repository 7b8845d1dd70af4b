"""What a terminal shows last: what to type next, or with --signature how the results were made."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.cli.main import main
from tests.cli.test_cli_terminal import on_terminal
from tests.command_line import succeed

QRELS, RUNS = demo_paths()
PAIR = [str(QRELS), str(RUNS[0]), str(RUNS[1])]
ALL = [str(QRELS), *map(str, RUNS)]
START = "Why?  irpref "


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irpref.report.terminal.terminal_width", lambda: 80)


def next_step(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The words of the command that is named last."""
    assert main(words) == 0
    said, last = capsys.readouterr().out.splitlines()[-2:]
    assert said == ""
    assert last.startswith(START)
    return shlex.split(last.removeprefix(START))


@pytest.mark.slow
def test_a_terminal_shows_what_to_type_next_and_signatures_if_they_are_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ["compare", *PAIR]
    monkeypatch.setattr("irpref.report.terminal.terminal_width", lambda: 80)
    assert succeed(capsys, *words).splitlines() == on_terminal(*words)
    for words in (["compare", *PAIR], ["compare", *ALL], ["explain", *PAIR]):
        shown, signed = (
            succeed(capsys, *words, *more).splitlines() for more in ([], ["--signature"])
        )
        assert shown[-1].startswith(START)
        assert not any("|irpref:" in line for line in shown)
        with monkeypatch.context() as pipe:
            pipe.setattr("irpref.report.terminal.terminal_width", lambda: None)
            piped = succeed(capsys, *words)
            assert succeed(capsys, *words, "--signature") == piped
        assert START not in piped
        signature = piped.splitlines()[-1]
        assert signature.startswith("{pref:RPP|")
        assert signed == [*shown[:-1], signature]
        succeed(capsys, *words, "-o", str(tmp_path / "r.txt"))
        assert (tmp_path / "r.txt").read_text() == piped
    for words in (["evaluate", *PAIR], ["compare", *PAIR, "--per-topic"]):
        assert "|irpref:" not in succeed(capsys, *words)
        assert "|irpref:" in succeed(capsys, *words, "--signature").splitlines()[-1]


@pytest.mark.usefixtures("_terminal")
def test_two_are_explained_on_the_topic_that_the_better_one_wins_most_clearly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    step = next_step(capsys, "compare", *PAIR)
    assert step == ["explain", *PAIR, "--topic", "6"]
    assert next_step(capsys, "explain", *PAIR) == step
    assert succeed(capsys, *step).startswith("Topic 6")
    # The other way round, the same one is better.
    back = next_step(capsys, "compare", *PAIR, "--baseline", "bm25-prf")
    assert back == ["explain", PAIR[0], PAIR[2], PAIR[1], "--topic", "6"]
    assert succeed(capsys, *back).startswith("Topic 6")


@pytest.mark.usefixtures("_terminal")
def test_of_many_the_two_best_are_explained_or_the_best_and_the_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    best = [f"{RUNS[0].parent}/{name}.txt" for name in ("bm25-prf", "bm25", "tfidf")]
    for words, pair in (
        ([], best[:2]),
        (["--no-test"], best[:2]),
        (["--top", "1"], best[:2]),
        (["--baseline", "tfidf"], [best[0], best[2]]),
    ):
        step = next_step(capsys, "compare", *ALL, *words)
        assert step == ["explain", str(QRELS), *pair]
        assert next_step(capsys, *step)[:4] == step


@pytest.mark.usefixtures("_terminal")
def test_names_and_how_files_are_read_are_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("new", "old", "third"):
        path = folder / "my runs" / f"{name}'s run.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((folder / f"{name}.txt").read_bytes())
    new, old, third = (f"my runs/{name}'s run.txt" for name in ("new", "old", "third"))
    runs = [f"the new={new}", old, f"3rd={third}"]
    (folder / "qrels 1.txt").write_bytes((folder / "qrels.txt").read_bytes())
    cases: list[list[str]] = [
        [],
        ["--rel", "2"],
        ["--depth", "3", "--judged-only", "--missing", "skip", "--duplicates", "first"],
        ["--order", "rank"],
        ["-p", "RPP(weights='dcg')", "-p", "nDCG@10"],
    ]
    for words in cases:
        step = next_step(capsys, "compare", "qrels 1.txt", *runs, *words, "--no-test")
        verb, qrels, *two = step[:4]
        assert (verb, qrels) == ("explain", "qrels 1.txt")
        assert set(two) <= {*runs}
        same = succeed(capsys, "compare", "qrels 1.txt", *two, *words, "--format", "csv")
        assert succeed(capsys, *step, "--format", "csv") == same
        topic = next_step(capsys, *step)
        assert topic[:-2] == step
        assert succeed(capsys, *topic).startswith(f"Topic {topic[-1]}")
    by_run = ["--order", "the new=rank", "--order", "3rd=rank", "--order", "old's run=score"]
    step = next_step(capsys, "compare", "qrels 1.txt", *runs, *by_run)
    assert step[2:4] == runs[:2]
    assert step[4:] == ["--order", "the new=rank", "--order", "old's run=score"]
    next_step(capsys, *step)
    # None of those that are shown has an order of its own.
    step = next_step(capsys, "compare", "qrels 1.txt", *runs, *by_run[2:4])
    assert step == ["explain", "qrels 1.txt", *runs[:2]]


@pytest.mark.usefixtures("_terminal")
def test_columns_are_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "q.csv").write_text("who,thing,grade\n1,a,1\n2,b,1\n")
    for name, scores in (("new", (2, 1)), ("old", (1, 2))):
        rows = [f"{t},{d},{s}" for t in (1, 2) for d, s in zip("ac", scores, strict=True)]
        (folder / f"{name}.csv").write_text("\n".join(["who,thing,score", *rows, ""]))
    words = ["q.csv", "new.csv", "old.csv", "--columns", "topic=who,document=thing"]
    step = next_step(capsys, "compare", *words)
    assert step == ["explain", *words, "--topic", "1"]
    assert succeed(capsys, *step).startswith("Topic 1")


@pytest.mark.usefixtures("_terminal")
def test_what_cannot_be_typed_again_is_not_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of a table of several systems has no file of its own."""
    lines = (folder / "new.txt").read_text().splitlines()
    rows = [line.split() for line in lines]
    table = [
        f"{system},{topic},{document},{score}"
        for system in ("x", "y")
        for topic, _, document, _, score, _ in rows
    ]
    (folder / "all.csv").write_text("\n".join(["system,topic,document,score", *table, ""]))
    text = succeed(capsys, "compare", "qrels.txt", "all.csv")
    assert "Why?" not in text
    assert "|irpref:" not in text
    assert text.splitlines()[-1]

"""The command line: what it prints, what it writes, and what it says to mistakes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from statistics import fmean

import pytest

import irpref
from irpref.cli import main
from tests import literal

QRELS = {
    "1": {"a": 2, "b": 1, "c": 0},
    "2": {"a": 1, "c": -1},
    "10": {"a": 1, "b": 1, "c": 1},
    "11": {"a": 0},
}
RUNS = {
    "new": {"1": "abx", "2": "xa", "10": "axbyc", "11": "a"},
    "old": {"1": "xba", "2": "ax", "10": "xabcy", "11": "x"},
    "third": {"1": "bxa", "10": "xyab", "11": "a"},
}


def run_text(lists: dict[str, str], name: str = "tag") -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {100 - rank} {name}\n"
        for topic, ranking in lists.items()
        for rank, document in enumerate(ranking, start=1)
    )


def scores(system: str, topic: str) -> dict[str, float]:
    ranking = RUNS[system].get(topic, "")
    return {document: -float(rank) for rank, document in enumerate(ranking)}


def values(preference: str, a: str, b: str) -> dict[str, float | str]:
    """What the definitions say, topic by topic."""
    found: dict[str, float | str] = {}
    for topic, grades in QRELS.items():
        wanted = literal.relevant(grades)
        if not wanted:
            continue
        first, second = (literal.positions(scores(s, topic), wanted) for s in (a, b))
        if preference == "LP":
            found[topic] = literal.sgn_lp(first, second)
        elif preference == "RPP":
            found[topic] = literal.rounded(
                literal.graded_rpp(
                    grades, scores(a, topic), scores(b, topic), weight=literal.WEIGHTS["uniform"]
                )
            )
        else:
            gains = dict.fromkeys(wanted, literal.Fraction(1))
            found[topic] = literal.algorithm_1(
                *(literal.serp(scores(s, topic), gains, 3, 3) for s in (a, b))
            )
    return found


def mean(preference: str, a: str, b: str) -> float:
    numbers = {"ni": 1, "ns": -1, "=": 0, "**": 0}
    return fmean(numbers.get(v, v) for v in values(preference, a, b).values())


PREFERENCES = ["-p", "LP", "-p", "RPP", "-p", "IPSO@3"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: qrels.txt and three runs."""
    lines = [f"{t} 0 {d} {g}\n" for t, judged in QRELS.items() for d, g in judged.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, lists in RUNS.items():
        (tmp_path / f"{name}.txt").write_text(run_text(lists, name))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def succeed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a mistake gives."""
    try:
        code = main(arguments)
    except SystemExit as stopped:
        code = stopped.code
    assert code == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("irpref: error: ")
    return line


def table_rows(text: str) -> list[list[str]]:
    """The cells of the first table in a text."""
    _, _, below = text.partition("─\n")
    return [line.split() for line in below.partition("\n\n")[0].splitlines()]


def compare_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    return json.loads(succeed(capsys, "compare", *arguments, "--format", "json"))


# Two runs


def test_two_runs_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = compare_json(capsys, "qrels.txt", "new.txt", "old.txt", *PREFERENCES)
    results = {row["preference"]: row for row in report["results"]}
    assert list(results) == ["LP", "RPP", "IPSO@3"]
    for preference, row in results.items():
        wanted = list(values(preference.partition("@")[0], "new", "old").values())
        assert (row["a"], row["b"], row["topics"]) == ("new", "old", 3)
        assert row["mean"] == pytest.approx(mean(preference, "new", "old"))
        signs = [value if isinstance(value, str) else literal.sign(value) for value in wanted]
        ways = {"ni": "wins", 1: "wins", "ns": "losses", -1: "losses", "**": "nonseparable"}
        counted = [ways.get(sign, "ties") for sign in signs]
        for way in ("wins", "ties", "losses", "nonseparable"):
            assert (row[way] or 0) == counted.count(way)
    facts = report["facts"]
    assert facts["systems"] == ["new", "old"]
    assert facts["topics"] == ["1", "2", "10"]
    assert facts["topics_without_relevant"] == ["11"]
    assert len(report["signatures"]) == 3


def test_two_runs_as_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = succeed(capsys, "compare", "qrels.txt", "new.txt", "old.txt", *PREFERENCES)
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert text.startswith("new against old on 3 topics")
    for preference in ("LP", "RPP", "IPSO@3"):
        assert rows[preference][1] == f"{mean(preference, 'new', 'old'):+.3f}"
    assert "Clearest wins of new" in text
    assert "Clearest wins of old" in text
    by_topic = values("LP", "new", "old")
    after = text.partition("Clearest wins of new")[2].partition("Clearest wins of old")
    for part, sign in ((after[0], 1), (after[2], -1)):
        table = table_rows(part)
        shown = [row[0] for row in table]
        assert shown
        assert all(by_topic[topic] == sign for topic in shown)
        ipso = values("IPSO", "new", "old")
        assert [row[-1] for row in table] == [ipso[topic] for topic in shown]
    assert "1 topic (11)" in text


def test_two_runs_in_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["qrels.txt", "new.txt", "old.txt", *PREFERENCES]
    text = succeed(capsys, "compare", *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["preference"] for row in rows] == ["LP", "RPP", "IPSO@3"]
    for row in rows:
        assert float(row["mean"]) == pytest.approx(mean(row["preference"], "new", "old"))
    assert [row["nonseparable"] for row in rows[:2]] == ["", ""]


def test_baseline_of_two_turns_the_pair_round(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["qrels.txt", "new.txt", "old.txt", "-p", "LP", "--baseline", "new"]
    (row,) = compare_json(capsys, *arguments)["results"]
    assert (row["a"], row["b"]) == ("old", "new")
    assert row["mean"] == pytest.approx(mean("LP", "old", "new"))


# More runs


def test_leaderboard(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["qrels.txt", "new.txt", "old.txt", "third.txt", *PREFERENCES]
    rows = {(r["preference"], r["system"]): r for r in compare_json(capsys, *arguments)["results"]}
    for preference in ("LP", "RPP", "IPSO@3"):
        for system in RUNS:
            others = [other for other in RUNS if other != system]
            row = rows[preference, system]
            assert row["mean"] == pytest.approx(fmean(mean(preference, system, o) for o in others))
            counted = row["wins"] + row["ties"] + row["losses"] + (row["nonseparable"] or 0)
            assert counted == 6
    text = succeed(capsys, "compare", *arguments)
    best_first = sorted(RUNS, key=lambda system: -rows["LP", system]["mean"])
    assert [row[:3] for row in table_rows(text)] == [
        [str(rank), system, f"{rows['LP', system]['mean']:+.3f}"]
        for rank, system in enumerate(best_first, start=1)
    ]
    assert "third lacks 1 (2)" in text


def test_leaderboard_by_ipso_counts_what_cannot_be_separated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = succeed(capsys, "compare", "qrels.txt", *(f"{n}.txt" for n in RUNS), "-p", "IPSO@3")
    assert "not separable" in text
    for row in table_rows(text):
        _, system, _, wins, ties, losses, nonseparable = row
        wanted = [v for o in RUNS if o != system for v in values("IPSO", system, o).values()]
        counts = [wanted.count(relation) for relation in ("ni", "=", "ns", "**")]
        assert [int(wins), int(ties), int(losses), int(nonseparable)] == counts


def test_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["qrels.txt", *(f"{n}.txt" for n in RUNS), *PREFERENCES, "--baseline", "old"]
    results = compare_json(capsys, *arguments)["results"]
    assert {(row["system"], row["baseline"]) for row in results} == {
        ("new", "old"),
        ("third", "old"),
    }
    for row in results:
        assert row["mean"] == pytest.approx(mean(row["preference"], row["system"], "old"))
    text = succeed(capsys, "compare", *arguments)
    for system in ("new", "third"):
        (line,) = [line for line in text.splitlines() if line.startswith(system)]
        ipso = list(values("IPSO", system, "old").values())
        counts = "/".join(str(ipso.count(relation)) for relation in ("ni", "=", "ns", "**"))
        assert line.split()[-1] == counts


@pytest.mark.parametrize("systems", [("new", "old"), ("old", "third", "new")])
def test_per_topic_against_one(
    folder: Path, capsys: pytest.CaptureFixture[str], systems: tuple[str, ...]
) -> None:
    arguments = ["qrels.txt", *(f"{n}.txt" for n in systems), *PREFERENCES, "--per-topic"]
    arguments += ["--baseline", "old"]
    text = succeed(capsys, "compare", *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    others = [system for system in systems if system != "old"]
    assert len(rows) == 3 * 3 * len(others)
    for row in rows:
        wanted = values(row["preference"].partition("@")[0], row["system"], "old")[row["topic"]]
        assert row["over"] == "old"
        if row["preference"] == "IPSO@3":
            assert row["relation"] == wanted
            assert float(row["value"]) == {"ni": 1, "ns": -1}.get(wanted, 0)
        else:
            assert float(row["value"]) == pytest.approx(wanted)
            assert row["relation"] == ""
    shown = table_rows(succeed(capsys, "compare", *arguments))
    assert [row[0] for row in shown] == [topic for topic in ("1", "2", "10") for _ in others]
    for topic, system, lp, _, ipso in shown:
        assert float(lp) == values("LP", system, "old")[topic]
        assert ipso == values("IPSO", system, "old")[topic]


def test_per_topic_of_two_is_the_first_over_the_second(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["qrels.txt", "old.txt", "new.txt", "-p", "LP", "--per-topic"]
    results = compare_json(capsys, *arguments)["results"]
    assert {(row["system"], row["over"]) for row in results} == {("old", "new")}
    assert {row["topic"]: row["value"] for row in results} == values("LP", "old", "new")


def test_per_topic_against_all_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["qrels.txt", *(f"{n}.txt" for n in RUNS), *PREFERENCES, "--per-topic"]
    results = compare_json(capsys, *arguments)["results"]
    numbers = {"ni": 1, "ns": -1, "=": 0, "**": 0}
    assert len(results) == 3 * 3 * 3
    for row in results:
        name = row["preference"].partition("@")[0]
        against = [values(name, row["system"], o)[row["topic"]] for o in RUNS if o != row["system"]]
        assert row["value"] == pytest.approx(fmean(numbers.get(v, v) for v in against))
        assert row["over"] == "all others"


@pytest.mark.parametrize("more", [[], ["--baseline", "old"]])
def test_per_topic_where_a_preference_has_no_topic(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    arguments = ["qrels.txt", *(f"{n}.txt" for n in RUNS), "--per-topic", *more]
    text = succeed(capsys, "compare", *arguments, "-p", "LP(rel=9)", "-p", "LP")
    assert "LP(rel=9) leaves out 3 topics" in text
    assert "LP(rel=9)" in succeed(capsys, "compare", *arguments, "-p", "LP(rel=9)")


def test_options_reach_the_comparison(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # By rank a is first, by score b, as in the other run; u is not judged.
    (folder / "ranked.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n1 Q0 u 3 3 t\n1 Q0 u 4 4 t\n")
    arguments = ["qrels.txt", "ranked.txt", "old.txt", "-p", "RPP"]
    options = ["--order", "rank", "--duplicates", "first", "--missing", "skip", "--judged-only"]
    report = compare_json(capsys, *arguments, *options)
    (row,) = report["results"]
    assert (row["topics"], row["wins"]) == (1, 1)
    assert report["facts"]["judged_at_10"] == {"ranked": 1, "old": 1}
    assert ":skipped|order:rank|judged-only" in report["signatures"][0]
    report = compare_json(capsys, *arguments, *options[:4])
    assert report["facts"]["duplicates"] == {"ranked": 1}
    assert report["results"][0]["topics"] == 3


def test_default_preferences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = compare_json(capsys, "qrels.txt", "new.txt", "old.txt")
    assert [row["preference"] for row in report["results"]] == ["RPP", "LP", "LR", "IPSO@10"]


def test_warnings_go_to_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "upside.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")
    assert main(["compare", "qrels.txt", "new.txt", "upside.txt", "--format", "json"]) == 0
    captured = capsys.readouterr()
    json.loads(captured.out)
    (line,) = captured.err.splitlines()
    assert line.startswith("irpref: warning: upside.txt: the rank column contradicts the scores")
    assert "--order rank" in line


# Mistakes

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
def test_bad_run(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, parts = BAD_RUNS[name]
    (folder / "bad.txt").write_bytes(content)
    (folder / "out.csv").write_text("as it was")
    line = fail(capsys, "compare", "qrels.txt", "new.txt", "bad.txt", "-o", "out.csv")
    assert all(part in line for part in parts), line
    assert (folder / "out.csv").read_text() == "as it was"
    assert len(list(folder.iterdir())) == 6


@pytest.mark.parametrize("name", BAD_QRELS)
def test_bad_qrels(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
        (["qrels.txt", "new.txt"], ["there is only one run (new)"]),
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
def test_mistakes(
    arguments: list[str], parts: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = fail(capsys, "compare", *arguments)
    assert all(part in line for part in parts), line


@pytest.mark.parametrize("arguments", [[], ["compere"], ["--nonsense"]])
def test_mistaken_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help" in fail(capsys, *arguments)


def test_a_mistaken_baseline_or_output_is_told_before_anything_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["compare", "absent.txt", "new.txt", "old.txt"]
    assert "unknown baseline" in fail(capsys, *arguments, "--baseline", "x")
    assert "folder" in fail(capsys, *arguments, "-o", "absent/out.csv")


def test_debug_shows_the_traceback(folder: Path) -> None:
    with pytest.raises(irpref.InputError, match=r"absent\.txt"):
        main(["compare", "qrels.txt", "new.txt", "absent.txt", "--debug"])


# What is legal


def test_files_as_they_are_found_give_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = succeed(capsys, "compare", "qrels.txt", "new.txt", "old.txt", "--format", "csv")
    lines = (folder / "new.txt").read_text().splitlines()
    interleaved = sorted(lines, key=lambda line: line.split()[3])
    odd = folder / "odd"
    odd.mkdir()
    (odd / "new.run").write_bytes("\r\n".join(interleaved).encode())
    mixed = (folder / "old.txt").read_text().replace(" ", " \t ", 7).encode()
    (odd / "input.old.gz").write_bytes(gzip.compress(mixed))
    judged = (folder / "qrels.txt").read_text().splitlines()
    (odd / "qrels").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(judged).encode())
    arguments = ["odd/qrels", "odd/new.run", "odd/input.old.gz", "--format", "csv"]
    assert succeed(capsys, "compare", *arguments) == plain


def test_infinite_scores_and_unicode_ids(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "q").write_text("θ 0 naïve-文 3\nθ 0 x -2\n", encoding="utf-8")
    (folder / "up").write_text("θ Q0 naïve-文 1 inf t\nθ Q0 x 2 2 t\n", encoding="utf-8")
    (folder / "down").write_text("θ Q0 x 1 2 t\nθ Q0 naïve-文 2 -inf t\n", encoding="utf-8")
    (row,) = compare_json(capsys, "q", "up", "down", "-p", "LP(magnitude='rr')")["results"]
    assert row["mean"] == 0.5


# Output


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_output_file_holds_what_is_printed(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["compare", "qrels.txt", "new.txt", "old.txt", "--format", form]
    printed = succeed(capsys, *arguments)
    before = set(folder.iterdir())
    (folder / "out").write_text("old content, longer than the new one" * 200)
    assert succeed(capsys, *arguments, "-o", "out") == ""
    assert (folder / "out").read_text() == printed
    assert set(folder.iterdir()) == before | {folder / "out"}


@pytest.mark.parametrize("existing", [True, False])
def test_an_output_file_is_whole_or_not_there(
    existing: bool,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if existing:
        (folder / "out").write_text("as it was")
    before = set(folder.iterdir())
    monkeypatch.setattr(os, "replace", full)
    line = fail(capsys, "compare", "qrels.txt", "new.txt", "old.txt", "-o", "out")
    assert "out: cannot be written (No space left on device)" in line
    assert set(folder.iterdir()) == before
    if existing:
        assert (folder / "out").read_text() == "as it was"


# As a process

COMMAND = [sys.executable, "-m", "irpref"]


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, capture_output=True, text=True, check=False, timeout=60, **options
    )


def test_process_succeeds_without_a_progress_bar(folder: Path) -> None:
    done = process(*COMMAND, "compare", "qrels.txt", "new.txt", "old.txt", "-p", "LP")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{mean('LP', 'new', 'old'):+.3f}" in done.stdout


def test_process_fails_with_one_line(folder: Path) -> None:
    done = process(*COMMAND, "compare", "qrels.txt", "new.txt", "absent.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "irpref: error: absent.txt: there is no such file\n"
    debug = process(*COMMAND, "compare", "qrels.txt", "new.txt", "absent.txt", "--debug")
    assert debug.returncode == 1
    assert debug.stderr.startswith("Traceback (most recent call last)")


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    done = process(*COMMAND, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert {"compare", "demo"} <= set(done.stdout.split())
    for arguments, part in (
        (["--version"], irpref.__version__),
        (["compare", "--help"], "--baseline"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 0
        assert part in capsys.readouterr().out


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_reader_that_has_seen_enough(reader: str, folder: Path) -> None:
    command = " ".join([*COMMAND, "compare qrels.txt new.txt old.txt"])
    done = process("bash", "-c", f"{command} | {reader}; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ("" if reader == "true" else done.stdout.splitlines()[0] + "\n")


@pytest.mark.parametrize(("patience", "terminal"), [(0, True), (3600, True), (0, False)])
def test_progress_bar(patience: float, terminal: bool, folder: Path) -> None:
    script = (
        "import sys; from irpref.render import progress; from irpref.cli import main; "
        f"progress._PATIENCE = {patience}; sys.exit(main(sys.argv[1:]))"
    )
    arguments = [sys.executable, "-c", script, "compare", "qrels.txt", "new.txt", "old.txt"]
    reading, writing = pty.openpty() if terminal else os.pipe()
    done = subprocess.run(
        arguments,
        stdout=subprocess.PIPE,
        stderr=writing,
        check=False,
        timeout=60,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(writing)
    shown = b""
    # A terminal whose other end is closed gives an error instead of nothing.
    try:
        while part := os.read(reading, 1 << 16):
            shown += part
    except OSError:
        assert terminal
    os.close(reading)
    assert done.returncode == 0
    assert done.stdout.startswith(b"new against old")
    if terminal and not patience:
        assert b"reading runs" in shown
        assert b"comparing topics" in shown
    else:
        assert shown == b""

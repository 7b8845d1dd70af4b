"""The command line: what it prints and what it writes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from pathlib import Path
from statistics import fmean

import pytest

import irpref
from irpref.cli.main import main
from tests import literal
from tests.command_line import (
    COMMAND,
    PREFERENCES,
    RUNS,
    compare_json,
    fail,
    mean,
    process,
    succeed,
    table_rows,
    values,
)

# Two runs


def test_two_runs_in_json_are_what_the_definitions_say(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_the_table_of_two_runs_shows_means_and_the_clearest_wins(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = "qrels.txt", "new.txt", "old.txt"
    text = succeed(capsys, "compare", *pair, *PREFERENCES, "--test", "sign")
    lines = [line.split() for line in text.splitlines() if line.strip()]
    rows = {words[0]: words for words in reversed(lines)}
    by_topic = values("LP", "new", "old")
    won, lost = (list(by_topic.values()).count(sign) for sign in (1, -1))
    answer = " ".join(text.partition("\n\n")[0].split())
    assert answer.startswith(
        "Neither new nor old is shown to be better by LP. "
        f"new wins {won} of 3 topics and loses {lost} (mean {mean('LP', 'new', 'old'):+.2f}, "
        "95 % interval -"
    )
    assert answer.endswith(", p = 1).")
    assert "new − old" in text.splitlines()
    for preference in ("LP", "RPP", "IPSO@3"):
        assert rows[preference][1] == f"{mean(preference, 'new', 'old'):+.3f}"
        assert rows[preference][3] == "to"
        assert rows[preference][-1] == "1.0000"
    heads = [f"Topics {system} wins most clearly" for system in ("new", "old")]
    assert [line for line in text.splitlines() if line.startswith("Topics ")] == heads
    after = text.partition(heads[0])[2].partition(heads[1])
    for part, sign in ((after[0], 1), (after[2], -1)):
        table = table_rows(part)
        shown = [row[0] for row in table]
        assert shown
        assert all(by_topic[topic] == sign for topic in shown)
        names = {"ni": "new", "ns": "old", "=": "=", "**": "both"}
        ipso = values("IPSO", "new", "old")
        assert [row[-1] for row in table] == [names[ipso[topic]] for topic in shown]
    assert "1 topic (11)" in text


def test_two_runs_in_csv_are_a_row_for_each_preference(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_leaderboard_is_over_all_other_systems_best_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["qrels.txt", "new.txt", "old.txt", "third.txt", *PREFERENCES]
    rows = {(r["preference"], r["system"]): r for r in compare_json(capsys, *arguments)["results"]}
    for preference in ("LP", "RPP", "IPSO@3"):
        for system in RUNS:
            others = [other for other in RUNS if other != system]
            row = rows[preference, system]
            assert row["mean"] == pytest.approx(fmean(mean(preference, system, o) for o in others))
            counted = row["wins"] + row["ties"] + row["losses"] + (row["nonseparable"] or 0)
            assert counted == 6
    text = succeed(capsys, "compare", *arguments, "--test", "sign")
    best_first = sorted(RUNS, key=lambda system: -rows["LP", system]["mean"])
    assert text.startswith(
        f"{best_first[0]} leads by LP (3 systems, 3 pairs, 3 topics).\n"
        "Best, or not significantly worse: all 3 systems. "
        "0 of 3 pairs differ significantly.\n"
    )
    assert text.splitlines()[3].split("  ")[1:3] == [" rank (95 % CI)", "system"]
    shown = [row[:2] + row[3:] for row in table_rows(text)]
    means = {
        system: [f"{rows[each, system]['mean']:+.3f}" for each in ("LP", "RPP", "IPSO@3")]
        for system in RUNS
    }
    # "better than" is empty.
    assert shown == [
        ["abc"[place], str(place + 1), system, *means[system]]
        for place, system in enumerate(best_first)
    ]
    assert "third lacks 1 (2)" in text
    plain = succeed(capsys, "compare", *arguments, "--no-test")
    assert plain.startswith(
        f"{best_first[0]} leads by LP (3 systems, 3 pairs, 3 topics).\n"
        "Nothing was tested.\n\nrank  system "
    )
    counts = ("wins", "ties", "losses")
    assert table_rows(plain) == [
        [
            *[str(place + 1), system, means[system][0]],
            *(str(rows["LP", system][each]) for each in counts),
            *means[system][1:],
        ]
        for place, system in enumerate(best_first)
    ]


def test_a_leaderboard_says_who_is_better_than_whom(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Good and fair are better than the worst on every topic, and alike."""
    topics = range(12)
    (folder / "q").write_text("".join(f"{topic} 0 r 1\n" for topic in topics))
    ranks = {"good": [1] * 12, "fair": [1] * 11 + [2], "worst": [3] * 12}
    for name, at in ranks.items():
        lines = [
            f"{topic} Q0 {'r' if rank == at[topic] else f'd{rank}'} {rank} {9 - rank} t\n"
            for topic in topics
            for rank in (1, 2, 3)
        ]
        (folder / f"{name}.txt").write_text("".join(lines))
    words = ["compare", "q", *(f"{name}.txt" for name in ranks)]
    text = succeed(capsys, *words, "--notes")
    assert text.startswith(
        "good leads by RPP (3 systems, 3 pairs, 12 topics).\n"
        "Best, or not significantly worse: 2 systems (good, fair). "
        "2 of 3 pairs differ significantly.\n"
    )
    head, rows = text.splitlines()[3], table_rows(text)
    assert [row[3] for row in rows] == ["good", "fair", "worst"]
    at = head.index("better than")
    better = [line[at : at + 11].strip() for line in text.splitlines()[5:8]]
    assert better == ["c", "c", ""]
    meaning = "better than: significantly better than the systems with these letters, by RPP."
    assert meaning in text.splitlines()
    said, *_ = succeed(capsys, *words, "--baseline", "worst").splitlines()
    p = 2 / 2**12
    each = f"(+1.00, p = {p:.2g})"
    assert said == f"Better than worst by RPP on 12 topics: good {each}, fair {each}."
    pair = succeed(capsys, *words[:3], "worst.txt")
    assert pair.startswith(
        "good is better than worst by RPP.\ngood wins 12 of 12 topics and loses 0"
    )
    assert ": significant (mean +1.00, p = " in " ".join(pair.split())


def test_leaderboard_by_ipso_counts_what_cannot_be_separated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "qrels.txt", *(f"{n}.txt" for n in RUNS), "-p", "IPSO@3", "--no-test"]
    text = succeed(capsys, *words)
    assert "not separable" in text
    for row in table_rows(text):
        _, system, _, wins, ties, losses, nonseparable = row
        wanted = [v for o in RUNS if o != system for v in values("IPSO", system, o).values()]
        counts = [wanted.count(relation) for relation in ("ni", "=", "ns", "**")]
        assert [int(wins), int(ties), int(losses), int(nonseparable)] == counts


def test_every_other_system_is_compared_with_the_baseline(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["qrels.txt", *(f"{n}.txt" for n in RUNS), *PREFERENCES, "--baseline", "old"]
    results = compare_json(capsys, *arguments)["results"]
    assert {(row["system"], row["baseline"]) for row in results} == {
        ("new", "old"),
        ("third", "old"),
    }
    for row in results:
        assert row["mean"] == pytest.approx(mean(row["preference"], row["system"], "old"))
    text = succeed(capsys, "compare", *arguments, "--test", "sign")
    for system in ("new", "third"):
        (line,) = [line for line in text.splitlines() if line.startswith(system)]
        main = list(values("LP", system, "old").values())
        counts = [sum((value > 0) - (value < 0) == sign for value in main) for sign in (1, 0, -1)]
        assert list(map(int, line.split()[5:8])) == counts


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
        names = {"ni": system, "ns": "old", "=": "=", "**": "both"}
        assert ipso == names[values("IPSO", system, "old")[topic]]


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


def test_without_preferences_it_compares_by_the_four_default_ones(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = compare_json(capsys, "qrels.txt", "new.txt", "old.txt")
    assert [row["preference"] for row in report["results"]] == ["RPP", "LP", "LR", "IPSO@10"]


def test_warnings_go_to_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "upside.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")
    assert main(["compare", "qrels.txt", "new.txt", "upside.txt", "--format", "json"]) == 0
    captured = capsys.readouterr()
    # Once: where the report stands.
    assert captured.err == ""
    [warning] = (each for each in json.loads(captured.out)["remarks"] if "rank column" in each)
    assert warning.startswith("upside: the rank column contradicts the scores")
    assert "--order upside=rank" in warning
    for form in ("table", "markdown", "latex", "html", "csv"):
        assert main(["compare", "qrels.txt", "new.txt", "upside.txt", "--format", form]) == 0
        captured = capsys.readouterr()
        assert ("rank column contradicts" in " ".join(captured.out.split())) is (form != "csv")
        assert len(captured.err.splitlines()) == (form == "csv")
    # A file has it, and whoever waits for the file is told too.
    file = ["-o", str(folder / "report.txt")]
    assert main(["compare", "qrels.txt", "new.txt", "upside.txt", *file]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irpref: warning: upside.txt: the rank column contradicts the scores")
    assert "rank column contradicts" in (folder / "report.txt").read_text()


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


def test_infinite_scores_and_unicode_ids_are_legal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


@pytest.mark.slow
def test_process_succeeds_without_a_progress_bar(folder: Path) -> None:
    done = process(*COMMAND, "compare", "qrels.txt", "new.txt", "old.txt", "-p", "LP")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{mean('LP', 'new', 'old'):+.3f}" in done.stdout


@pytest.mark.slow
def test_process_fails_with_one_line(folder: Path) -> None:
    done = process(*COMMAND, "compare", "qrels.txt", "new.txt", "absent.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "irpref: error: absent.txt: there is no such file\n"


def test_a_mistake_is_shown_with_its_traceback_when_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "qrels.txt", "new.txt", "absent.txt", "--debug"]) == 2
    assert capsys.readouterr().err.startswith("Traceback (most recent call last)")


def test_help_and_version_are_printed_with_success(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, part in (
        (["--help"], "corroborate"),
        (["--version"], irpref.__version__),
        (["compare", "--help"], "--baseline"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 0
        said = capsys.readouterr()
        assert part in said.out
        assert said.err == ""


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_ends_it_without_an_error(folder: Path) -> None:
    command = " ".join([*COMMAND, "compare qrels.txt new.txt old.txt"])
    done = process("bash", "-c", f"{command} | head -1; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == done.stdout.splitlines()[0] + "\n"

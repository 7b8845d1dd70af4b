"""The options of the command line: those of the dataclasses, and what they refuse."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.base.reading_options import Reading
from irpref.cli.main import main
from irpref.pairwise import untested
from irpref.pairwise.testing_options import PairTest
from tests.command_line import fail, succeed

QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]


def test_the_command_line_offers_every_option_that_says_what_it_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in (*fields(Reading), *fields(PairTest)):
        if option.metadata:
            assert option.metadata["help"] in text
            flag = option.metadata["flag"] or f"--{option.name.replace('_', '-')}"
            assert flag in text


def test_options_of_reports_that_would_do_nothing_are_refused() -> None:
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(ValueError, match="goes with neither test nor top"):
        comparison.report(per_topic=True, test="fit")
    with pytest.raises(ValueError, match="two have none: leave it out"):
        irpref.compare(QRELS, RUNS[:2], "LP").report(top=1)


TWO, ALL, BASELINE = PATHS[:3], PATHS[:5], [*PATHS[:5], "--baseline", "bm25"]
NO_DRAW = "is for random numbers, and no test here draws any"
IGNORED: dict[str, list[tuple[list[str], str]]] = {
    # A value that is the default one is ignored as well.
    **{
        f"{flag} without a test": [
            (
                ["compare", *paths, "--no-test", flag, *value],
                f"{flag} belongs to a test: leave --no-test out, or {flag}",
            )
            for paths in (TWO, ALL, BASELINE)
        ]
        for flag, *value in (
            ("--seed", "1"),
            ("--alpha", "0.05"),
            ("--resamples", "10000"),
            ("--correction", "auto"),
            ("--margin", "0.1"),
        )
    },
    "a test and none": [
        (["compare", *TWO, "--no-test", "--test", *test], "--test: not allowed with argument --no-")
        for test in ([], ["fit"], ["t"])
    ],
    **{
        f"{flag} by topic": [
            (
                ["compare", *paths, "--per-topic", flag, *value],
                f"--per-topic tests nothing: leave out {flag}",
            )
            for paths in (TWO, ALL)
        ]
        for flag, *value in (
            ("--test", "fit"),
            ("--test",),
            ("--no-test",),
            ("--seed", "1"),
            ("--margin", "0.1"),
        )
    },
    "checks where there are none": [
        (["compare", *TWO, "--no-checks", "--no-test"], "--no-checks belongs to a test"),
        (["compare", *TWO, "--no-checks", "--keep", "summary"], "--no-checks needs every topic"),
        (["compare", *TWO, "--no-checks", "--per-topic"], "--per-topic tests nothing"),
        (["explain", *TWO, "--no-checks", "--topic", "1"], "--no-checks is about all topics"),
    ],
    "seed of a test that draws none": [
        (["compare", *paths, "--test", test, "--seed", "1"], f"--seed {NO_DRAW} ({test})")
        for paths in (TWO, BASELINE)
        for test in ("t", "wilcoxon", "sign")
    ],
    "resamples of a test that draws none": [
        (
            ["compare", *BASELINE, "--test", "sign", "--resamples", "9"],
            f"{NO_DRAW} (sign)",
        ),
        (["corroborate", *TWO, "-m", "AP", "--seed", "1"], f"--seed {NO_DRAW} (t)"),
        (["corroborate", *TWO, "-m", "AP", "--test", "sign", "--resamples", "9"], NO_DRAW),
    ],
    "top where there is no list, or all of it": [
        (["compare", *TWO, "--top", "1"], "--top shows the best systems of a list"),
        (["compare", *ALL, "--top", "1", "--per-topic"], "--per-topic shows all systems"),
        (["compare", *ALL, "--top", "1", "--format", "csv"], "csv holds all systems"),
        (["evaluate", *ALL, "--top", "1", "-o", "absent.json"], "json holds all systems"),
    ],
    "others": [
        (["compare", *BASELINE, "--alternative", "equivalent"], "--alternative equivalent needs"),
        (["compare", *ALL, "--test", "hsd", "--correction", "holm"], "hsd corrects for all pairs"),
        (
            ["plan", "-p", "LP", "--difference", ".2", "--sd", ".5", "--order", "score"],
            "--order says",
        ),
        (
            ["plan", "-p", "LP", "--difference", ".2", "--sd", ".5", "--missing", "worst"],
            "--missing",
        ),
    ],
}


@pytest.mark.parametrize("name", IGNORED)
def test_an_option_that_would_be_ignored_is_an_error(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in IGNORED[name]:
        assert said in fail(capsys, *words), words


@pytest.mark.parametrize(
    "words",
    [
        ["compare", *ALL, "-p", "LP", "--seed", "1"],
        ["compare", *BASELINE, "--margin", ".1", "--alternative", "equivalent", "--seed", "1"],
        ["compare", *BASELINE, "--seed", "1", "--resamples", "500"],
        ["compare", *TWO, "--test", "randomization", "--seed", "1"],
        ["compare", *TWO, "--baseline", "bm25"],
        ["corroborate", *TWO, "-m", "AP", "--test", "randomization", "--seed", "1", "-p", "IPSO@5"],
    ],
    ids=["leaderboard", "margin", "baseline", "randomization", "baseline of two", "corroborate"],
)
@pytest.mark.filterwarnings("ignore")
def test_an_option_that_is_used_is_none(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0


def test_a_test_that_fits_is_there_unless_nobody_wants_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is said of a test changes it, with or without its name."""
    words_of_tests = ["|test:", "α", "p =", " p\n", "95 %", "significantly", "†"]
    for paths, fits, shown in (
        (TWO, "|test:randomization|", ["p =", " p\n", "95 %", "†"]),
        (ALL, "|test:randomization|", ["95 %", "significantly"]),
        (BASELINE, "|test:randomization|", ["p =", "95 %", "†"]),
    ):
        words = ["compare", *paths, "-p", "RPP", "-p", "LP", "--notes"]
        tested = succeed(capsys, *words)
        assert fits in tested
        assert "Nothing" not in tested
        named = [["--test"], ["--test", "fit"], ["--alpha", "0.05"], ["--correction", "auto"]]
        for more in named if paths is TWO else named[:1]:
            assert succeed(capsys, *words, *more) == tested
        first = [*words[:1], "--test=fit", *words[1:]]
        assert succeed(capsys, *first) == tested
        plain = succeed(capsys, *words, "--no-test")
        assert [word for word in words_of_tests if word in plain] == []
        assert [word for word in words_of_tests if word in tested] == ["|test:", "α", *shown]
        rows = json.loads(succeed(capsys, *words, "--no-test", "--format", "json"))["results"]
        assert rows
        assert {"mean", "wins", "ties", "losses"} < set(rows[0])
        assert {"p", "p_adjusted", "significant", "low", "better_than"}.isdisjoint(rows[0])
        assert "alpha:0.1" in succeed(capsys, *words, "--alpha", "0.1")
    assert "is ahead of bm25 by RPP; nothing was tested." in succeed(
        capsys, "compare", *TWO, "--no-test"
    )


def test_what_cannot_be_tested_is_still_compared_where_no_test_was_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says why; a test that is asked for is an error."""
    (folder / "one.txt").write_text("1 Q0 a 1 1 t\n")
    (folder / "two.txt").write_text("2 Q0 a 1 1 t\n")
    needs = "the randomization test needs at least 6 topics at alpha = 0.05,"
    cases = [
        (["one.txt", "old.txt"], f"{needs} and no pair has more than 1"),
        (["one.txt", "two.txt"], f"{needs} and no pair has more than 0"),
    ]
    for runs, why in cases:
        words = ["compare", "qrels.txt", *runs, "-p", "RPP@1", "--missing", "skip"]
        text = " ".join(succeed(capsys, *words).split())
        assert f"Nothing was tested: {why}" in text
        assert "|test:" not in text
        for asked in (["--test"], ["--test", "fit"], ["--alpha", "0.05"]):
            assert why in fail(capsys, *words, *asked)


def test_of_many_systems_a_test_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert untested._MOST_SYSTEMS == 200
    monkeypatch.setattr(untested, "_MOST_SYSTEMS", 5)
    run = (folder / "new.txt").read_text()
    for number in range(6):
        (folder / f"r{number}").write_text(run)
    words = ["compare", "qrels.txt", *(f"r{number}" for number in range(6)), "-p", "LP"]
    _, said, blank, head, *_ = succeed(capsys, *words, "--top", "1").splitlines()
    assert (said, blank) == (
        "6 systems on 3 topics were not tested: --test fit does it, and takes long.",
        "",
    )
    assert head.split() == ["rank", "system", "LP", "wins", "ties", "losses"]
    text = succeed(capsys, *words, "--top", "1", "--test", "sign")
    assert "0 of 15 pairs differ significantly." in " ".join(text.split())
    few = succeed(capsys, *words[:-3], "-p", "LP", "--top", "1", "--test", "sign")
    assert "0 of 10 pairs differ" in " ".join(few.split())


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("r.csv", "a,b,preference"),
        ("r.md", "**Neither bm25-prf nor bm25 is shown to be better by RPP.**"),
        ("r", "Neither bm25-prf nor bm25 is shown to be better by RPP.\n"),
    ],
)
def test_the_name_of_the_output_gives_its_format(name: str, start: str, tmp_path: Path) -> None:
    assert main(["compare", *PATHS[:3], "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text().startswith(start)
    assert main(["compare", *PATHS[:3], "-o", str(tmp_path / name), "--format", "json"]) == 0
    assert (tmp_path / name).read_text().startswith("{")


OUTPUTS = {
    "compare": ["compare", *PATHS[:4]],
    "evaluate": ["evaluate", *PATHS[:4], "-m", "RR"],
    "explain": ["explain", *PATHS[:3], "--topic", "6"],
    "corroborate": ["corroborate", *PATHS[:3], "-m", "AP"],
    "gate": ["gate", *PATHS[:3], "--margin", "0.9"],
    "plan": ["plan", "-p", "RPP", "--difference", "0.2", "--sd", "0.4"],
    "list": ["list"],
}


@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.filterwarnings("ignore")
def test_every_command_writes_the_format_that_the_ending_names(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    starts = {".json": "{", ".tex": r"\begin{table}", ".md": "**", ".html": "<!doctype html>"}
    endings = {**starts, ".CSV": None, ".txt": None, "": None}
    for ending in endings if command == "plan" else (".html", ".CSV", ".txt"):
        start = endings[ending]
        path = tmp_path / f"out{ending}"
        assert main([*OUTPUTS[command], "-o", str(path)]) == 0
        text = path.read_text(encoding="utf-8")
        assert text.startswith(start or text[0])
        table = "─" in text
        assert table == (ending in (".txt", "")), ending
    capsys.readouterr()
    for ending in (".xlsx", ".pdf", ".jsn") if command == "plan" else (".xlsx",):
        path = tmp_path / f"out{ending}"
        line = fail(capsys, *OUTPUTS[command], "-o", str(path))
        assert f"irpref writes no {ending} files; end the name in .txt, .csv, .json, .tex, " in line
        assert "--format" in line
        assert not path.exists()
    assert main([*OUTPUTS[command], "-o", str(path), "--format", "csv"]) == 0


def test_a_wrong_ending_is_told_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("compare", "evaluate"):
        assert "no .xlsx" in fail(capsys, command, "absent", "absent", "x=absent", "-o", "x.xlsx")


@pytest.mark.parametrize(
    "command",
    [
        ["compare", *PATHS[:4]],
        ["compare", *PATHS[:3], "--per-topic"],
        ["evaluate", *PATHS[:4]],
        ["evaluate", *PATHS[:4], "--ties-report"],
        ["explain", *PATHS[:3], "--topic", "6"],
        ["corroborate", *PATHS[:3], "-m", "AP@10"],
        ["gate", *PATHS[:3], "--margin", "0.9"],
        ["plan", *PATHS[:3], "-p", "LP", "--difference", "0.3"],
        ["study", "describe", *PATHS[:4], "--resamples", "2", "--claims"],
    ],
    ids=lambda command: " ".join(word for word in command if word not in PATHS),
)
def test_users_have_words_of_their_own(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    text, plain = (
        "\n".join(
            line for line in succeed(capsys, *command, *users).splitlines() if "|" not in line
        )
        for users in (["--users"], [])
    )
    assert re.search(r"\btopics?\b", plain, re.IGNORECASE)
    assert re.search(r"\busers?\b", text, re.IGNORECASE)
    assert not re.search(r"\b(topics?|documents?)\b", text, re.IGNORECASE)
    csv = [succeed(capsys, *command, *users, "--format", "csv") for users in (["--users"], [])]
    assert csv[0] == csv[1]

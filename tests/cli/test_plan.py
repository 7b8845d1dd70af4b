"""The command ``irpref plan``."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.cli.main import main
from irpref.pairwise.testing_options import Planning
from tests.command_line import COMMAND, fail, process, succeed

QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]
ASKED = ["-p", "RPP", "--difference", "0.2"]


def test_a_standard_deviation_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    text = succeed(capsys, "plan", *ASKED, "--sd", "0.4")
    assert text.startswith(
        "34 topics: a difference of 0.2 by RPP would likely be found (power 0.808)"
    )
    assert text == irpref.plan("RPP", difference=0.2, sd=0.4).report.to_text()


def test_qrels_and_runs_are_a_pilot_wherever_options_stand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pilot = irpref.compare(QRELS, RUNS, "LP", judged_only=True)
    plan = irpref.plan(
        "LP", difference=0.3, pilot=pilot, pair=("bm25", "tfidf"), power=0.9, pairs=5, alpha=0.1
    )
    asked = ["-p", "LP", "--difference=.3", "--judged-only", "--pair", "bm25", "tfidf"]
    more = ["--power", ".9", "--pairs", "5", "--alpha", ".1"]
    for words in (
        [*PATHS, *asked, *more],
        [*asked, *more, *PATHS],
        [PATHS[0], *asked, *PATHS[1:], *more],
        [*asked, PATHS[0], *more, *PATHS[1:]],
    ):
        assert succeed(capsys, "plan", *words) == plan.report.to_text()


def test_the_first_run_of_the_pair_may_be_behind(capsys: pytest.CaptureFixture[str]) -> None:
    pilot = irpref.compare(QRELS, RUNS, "RPP")
    words = [*PATHS, "-p", "RPP", "--difference", "-0.2", "--pair", "bm25", "tfidf"]
    plan = irpref.plan("RPP", difference=-0.2, pilot=pilot, pair=("bm25", "tfidf"))
    assert succeed(capsys, "plan", *words) == plan.report.to_text()
    assert "a difference of -0.2 by RPP would likely be found" in plan.report.title


def test_a_pilot_may_have_several_runs_of_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    reading = {"groups": {"any bm25": "bm25*"}, "deterministic": ("tfidf",)}
    pilot = irpref.compare(QRELS, RUNS, "RPP", **reading)
    pair = ("any bm25", "tfidf")
    plan = irpref.plan("RPP", difference=0.2, pilot=pilot, pair=pair)
    words = ["--group", "any bm25=bm25*", "--deterministic", "tfidf", "--pair", *pair]
    text = succeed(capsys, "plan", *PATHS, *ASKED, *words)
    assert text == plan.report.to_text()
    assert f"with {plan.runs} runs of each system: a difference" in text
    message = fail(capsys, "plan", *PATHS, *ASKED, *words[:2])
    assert "has one run, which does not say" in message
    assert "--deterministic" in message


def test_every_format_and_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = irpref.plan("RPP", difference=0.2, sd=0.4).report
    out = succeed(capsys, "plan", *ASKED, "--sd", ".4", "--format", "json")
    assert json.loads(out)["facts"]["topics"] == 34
    for name, text in (("p.csv", report.to_csv()), ("p.md", report.to_markdown())):
        succeed(capsys, "plan", *ASKED, "--sd", ".4", "-o", str(tmp_path / name))
        assert (tmp_path / name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a plan takes either a pilot, which is QRELS and two or more RUNs, or --sd"),
        ([*PATHS, "--sd", ".4"], "a plan takes either a pilot"),
        (PATHS[:1], "name the RUNs behind the QRELS; a saved collection stands for both"),
        (PATHS[:2], "it takes two to compare"),
        ([*PATHS, "--pair", "bm25", "tfdif"], "unknown system 'tfdif'; did you mean 'tfidf'?"),
        (["--sd", ".4", "--pair", "a", "b"], "pair names two systems of a pilot"),
        (["--sd", ".4", "--missing", "skip"], "leave --missing out"),
        (["--sd", ".4", "--order", "rank"], "leave --order out"),
        (["--sd", ".4", "--judged-only"], "leave --judged-only out"),
        (["--sd", "0"], "sd must be above 0"),
        (["--sd", ".4", "--pairs", "0"], "pairs must be a whole number of at least 1, not 0"),
        (["--sd", ".4", "--power", "2"], "power must lie between alpha (0.05) and 1, not 2.0"),
        (["--sd", ".4", "--difference", "0"], "give the least that matters"),
        (["--sd", "x"], "argument --sd: invalid float value: 'x'"),
        (["/no/such/file", "b", "c"], "/no/such/file"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in fail(capsys, "plan", *ASKED, *words)


def test_what_is_wrong_is_said_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.write_text("")
    files = [str(empty)] * 2
    assert "of 0: give" in fail(capsys, "plan", "-p", "RPP", "--difference", "0", *files)
    assert "unknown system" in fail(capsys, "plan", *ASKED, *files, "--pair", "a", "b")
    written = str(tmp_path / "no" / "p.csv")
    assert "folder does not exist" in fail(capsys, "plan", *ASKED, *files, "-o", written)


def test_the_preference_and_the_difference_must_be_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "required: --difference" in fail(capsys, "plan", "-p", "RPP", "--sd", ".4")
    assert "-p/--preference" in fail(capsys, "plan", "--difference", ".1", "--sd", ".4")


def test_the_help_says_every_option_and_needs_nothing_heavy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["plan", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in fields(Planning):
        assert f"--{option.metadata['flag'] or option.name}".replace("----", "--") in text
        assert option.metadata["help"] in text
    code = "import sys; from irpref.cli.main import main; main(['plan', '--help'])"
    heavy = "{'numpy', 'polars', 'pandas', 'scipy', 'rich'}"
    checked = (
        f"import atexit, sys; atexit.register(lambda: print({heavy} & set(sys.modules))); {code}"
    )
    assert process(COMMAND[0], "-c", checked).stdout.endswith("set()\n")

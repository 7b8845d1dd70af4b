"""The command irpref plot: a file for each picture, and one clear line for each mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irpref import demo_paths
from irpref.cli.main import main
from tests.command_line import fail

QRELS, RUNS = demo_paths()
PAIR = [str(QRELS), *map(str, RUNS[:2])]
ALL = [str(QRELS), *map(str, RUNS)]
SOME = ALL[:5]
STARTS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("svg", ["profile", *PAIR, "--graded", "--rel", "1", "--depth", "20"]),
        ("PNG", ["strip", *PAIR, "--topic", "6", "--depth", "10"]),
        ("pdf", ["topics", *PAIR, "--depth", "5", "--judged-only"]),
        ("svg", ["outcomes", *PAIR, "-p", "AP", "-p", "IPSO@5"]),
        ("svg", ["ranks", *SOME, "-p", "LR", "--top", "3", "--seed", "1", "--resamples", "50"]),
        ("svg", ["matrix", *SOME, "-p", "LP", "--test", "sign", "--alpha", "0.1"]),
        ("svg", ["matrix", *SOME, "-p", "LP", "--test"]),
        ("png", ["scatter", *SOME, "--x", "RR", "--y", "AP", "--colour", "LR"]),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else each,
)
def test_every_picture_is_written_in_the_format_of_its_ending(
    ending: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / f"picture.{ending}"
    assert main(["plot", *words, "-o", str(place)]) == 0
    assert tuple(capsys.readouterr()) == ("", "")
    assert place.read_bytes().startswith(STARTS[ending.lower()])
    assert [each.name for each in tmp_path.iterdir()] == [place.name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["profile", *ALL, "-o", "p.svg"], "plot profile is of two runs, not 6: name the two"),
        (["strip", *ALL[:2], "--topic", "6", "-o", "p.svg"], "plot strip is of two runs, not 1"),
        (["matrix", *ALL[:2], "-o", "p.svg"], "two"),
        (["profile", *PAIR, "-o", "p.jpg"], "p.jpg: a picture is svg, pdf or png; end the name of"),
        (["profile", *PAIR, "-o", "p"], "as in p.svg"),
        (["profile", *PAIR], "-o/--output"),
        (["profile", *PAIR, "-o", "away/p.svg"], "its folder does not exist"),
        (["strip", *PAIR, "-o", "p.svg"], "--topic"),
        (["strip", *PAIR, "--topic", "77", "-o", "p.svg"], "unknown topic '77'"),
        (["topics", *PAIR, "--depth", "0", "-o", "p.svg"], "--depth must be a whole number"),
        (
            ["profile", *PAIR, "--rel", "9", "-o", "p.svg"],
            "no judgment has a grade of at least 9",
        ),
        (["ranks", *ALL, "--top", "0", "-o", "p.svg"], "top must be a whole number"),
        (["ranks", *ALL, "--no-test", "-o", "p.svg"], "--no-test"),
        (["matrix", *ALL, "--test", "t", "--seed", "1", "-o", "p.svg"], "no test here draws any"),
        (["matrix", *ALL, "--no-test", "--alpha", "0.1", "-o", "p.svg"], "leave --no-test out, or"),
        (["matrix", *ALL, "-p", "LPP", "-o", "p.svg"], "did you mean 'LP'?"),
        (
            ["profile", *PAIR, "--group", "one=bm25*", "-o", "p.svg"],
            "plot profile is of two runs, and --group makes systems of several: leave it out",
        ),
        (
            ["outcomes", *ALL, "--group", "one=bm25*", "-o", "p.svg"],
            "plot outcomes is of two systems, not 5: name the two to compare",
        ),
        (["profiles", *PAIR, "-o", "p.svg"], "did you mean 'profile'?"),
    ],
    ids=lambda each: (
        " ".join(word for word in each if "/" not in word) if isinstance(each, list) else "said"
    ),
)
def test_mistakes_are_said_in_a_line_and_nothing_is_written(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in fail(capsys, "plot", *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_what_is_said_of_a_test_asks_for_one(tmp_path: Path) -> None:
    """Without its name, or without all, it is the one that fits; --no-test asks for none."""
    drawn = []
    for number, words in enumerate(
        [["--no-test"], [], ["--test", "fit"], ["--alpha", "0.05"], ["--alpha", "0.9"]]
    ):
        place = tmp_path / f"{number}.svg"
        assert main(["plot", "matrix", *SOME[:4], "-p", "RPP", *words, "-o", str(place)]) == 0
        drawn.append(place.read_bytes())
    plain, tested, *same, less = drawn
    assert same == [tested, tested]
    assert len({plain, tested, less}) == 3


def test_it_writes_over_no_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run.svg"
    run.write_bytes(RUNS[0].read_bytes())
    words = ["plot", "profile", str(QRELS), str(run), str(RUNS[1]), "-o", str(run)]
    assert "would destroy an input" in fail(capsys, *words)


@pytest.mark.slow
def test_no_display_is_needed_and_another_process_writes_the_same_bytes(tmp_path: Path) -> None:
    script = """
import sys
from irpref.cli.main import main
assert main(sys.argv[1:]) == 0
assert "matplotlib.pyplot" not in sys.modules
"""
    words = ["plot", "outcomes", *PAIR, "-o"]
    environment = {**os.environ, "PYTHONHASHSEED": "1", "MPLBACKEND": "TkAgg"}
    here, there = tmp_path / "here.svg", tmp_path / "there.svg"
    assert main([*words, str(here)]) == 0
    subprocess.run([sys.executable, "-c", script, *words, str(there)], env=environment, check=True)
    assert here.read_bytes() == there.read_bytes()


def test_letters_that_the_font_lacks_are_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["plot", "outcomes", str(QRELS), f"名={RUNS[0]}", str(RUNS[1])]
    assert main([*words, "-p", "LP", "-o", str(tmp_path / "p.svg")]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "Glyph 21517" in line


def test_help_has_an_example_of_every_picture(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["plot", "--help"])
    text = capsys.readouterr().out
    for name in ("profile", "strip", "topics", "outcomes", "ranks", "matrix", "scatter"):
        assert f"\n  {name} " in text
        with pytest.raises(SystemExit):
            main(["plot", name, "--help"])
        assert f"  irpref plot {name} qrels.txt " in capsys.readouterr().out


def test_outcomes_are_of_two_systems_of_several_runs(tmp_path: Path) -> None:
    groups = ["--group", "one=bm25*", "--group", "other=lm*"]
    runs = [str(each) for each in RUNS if each.stem.startswith(("bm25", "lm"))]
    assert len(runs) > 2
    place = tmp_path / "outcomes.svg"
    words = ["outcomes", str(QRELS), *runs, *groups, "-p", "RPP", "-o", str(place)]
    assert main(["plot", *words]) == 0
    assert place.stat().st_size > 1000

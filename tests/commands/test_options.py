"""The options of the command line: those of the dataclasses, and what they refuse."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import irpref
from irpref.cli import main
from irpref.demo import demo_paths
from irpref.pair_test import PairTest
from irpref.reading import Reading

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


def test_options_that_would_do_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(ValueError, match="goes with neither test nor top"):
        comparison.report(per_topic=True, test="fit")
    words = ["compare", str(QRELS), str(RUNS[0]), str(RUNS[1])]
    for flag in ("--seed", "--alpha", "--resamples"):
        assert main([*words, flag, "1" if flag != "--alpha" else "0.1"]) == 1
        assert f"{flag} belongs to a test: name one with --test" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("r.csv", "a,b,preference"),
        ("r.json", "{"),
        ("r.tex", r"\begin{table}"),
        ("r.md", "**bm25"),
        ("r.html", "<p>"),
        ("r.txt", "bm25"),
        ("r", "bm25"),
    ],
)
def test_the_name_of_the_output_gives_its_format(name: str, start: str, tmp_path: Path) -> None:
    assert main(["compare", *PATHS[:3], "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text().startswith(start)
    assert main(["compare", *PATHS[:3], "-o", str(tmp_path / name), "--format", "json"]) == 0
    assert (tmp_path / name).read_text().startswith("{")


def test_a_correction_without_a_test_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *PATHS, "--correction", "holm"]) == 1
    assert "--correction belongs to a test: name one with --test" in capsys.readouterr().err

"""The commands evaluate, corroborate and ir-measures, and compare with tests, as a user calls them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from irpref.api.evaluation import mean_scores
from irpref.cli.main import main
from irpref.stats.corrections import adjust

QRELS, RUNS = demo_paths()
PATHS = [str(QRELS), *map(str, RUNS)]


def read_csv(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


def test_evaluate_prints_the_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *PATHS, "-m", "TieRR@10", "-m", "AP", "--format", "csv"]) == 0
    frame = read_csv(capsys.readouterr().out)
    means = mean_scores(irpref.evaluate(QRELS, RUNS, ["TieRR@10", "AP"]))
    for row in frame.itertuples():
        assert row.mean == pytest.approx(means.loc[row.system, row.measure])
    assert main(["evaluate", *PATHS]) == 0
    shown = capsys.readouterr().out
    assert "first-sentence" in shown
    assert "measure:AP|" in shown


def test_evaluate_gives_every_system_on_every_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *PATHS, "-m", "P@5", "--per-topic", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    expected = irpref.evaluate(QRELS, RUNS, "P@5")
    assert len(content["results"]) == len(expected) == 72


def test_ties_report_bounds_every_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["evaluate", *PATHS, "-m", "RR", "-m", "P@5", "--ties-report", "--format", "csv"]) == 0
    )
    frame = read_csv(capsys.readouterr().out)
    assert len(frame) == 12
    assert (frame["worst"] <= frame["expected"]).all()
    assert (frame["expected"] <= frame["best"]).all()
    boolean = frame[(frame["system"] == "boolean") & (frame["measure"] == "RR")].iloc[0]
    assert boolean["worst"] < boolean["best"]
    assert boolean["unsettled"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evaluate", *PATHS, "-m", "RPP"], "a preference"),
        (["evaluate", *PATHS, "-m", "nDGC@10"], "did you mean 'nDCG'"),
        (["evaluate", *PATHS, "-m", "TSE", "--ties-report"], "expected value"),
        (["evaluate", *PATHS, "-m", "RR(ties='best')", "--order", "rank"], "--order rank"),
        (["evaluate", *PATHS, "-m", "LexiRecall(n=3)"], "n"),
        (
            ["compare", *PATHS, "--test", "hsd", "--correction", "holm"],
            "leave out --correction holm",
        ),
        (["compare", *PATHS, "--test", "fit", "--alpha", "2"], "alpha"),
        (["compare", *PATHS, "-p", "LP(ties='expected')", "--order", "rank"], "--order rank"),
        (["corroborate", *PATHS[:3], "-m", "RPP"], "a preference"),
        (["corroborate", *PATHS[:3]], "-m/--measure"),
        (["corroborate", *PATHS[:3], "-m", "AP@10", "-p", "IPSO@0"], "at least 1"),
    ],
)
def test_mistakes_end_in_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    [line] = captured.err.splitlines()
    assert line.startswith("irpref: error:")
    assert message in line


def test_compare_with_a_test_says_ranks_letters_and_test_and_again_the_same_by_its_seed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", *PATHS, "-p", "RPP", "--test", "hsd", "--seed", "7"]
    assert main([*words, "--resamples", "500", "--format", "csv"]) == 0
    frame = read_csv(capsys.readouterr().out)
    assert {"rank", "rank_low", "rank_high", "better_than"} <= set(frame.columns)
    assert frame["signature"].str.contains("test:hsd").all()
    assert main([*words, "--resamples", "500", "--format", "csv"]) == 0
    pd.testing.assert_frame_equal(read_csv(capsys.readouterr().out), frame)
    assert (
        main(["compare", *PATHS, "--baseline", "bm25", "--test", "fit", "--format", "latex"]) == 0
    )
    assert r"\toprule" in capsys.readouterr().out


def test_corroborate_writes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "table.tex"
    words = ["corroborate", *PATHS, "-m", "AP@10", "--format", "latex", "-o", str(target)]
    assert main(words) == 0
    assert capsys.readouterr().out == ""
    assert "corroborated by IPSO@10" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("correction", ["auto", "bh", "none"])
def test_corroborate_corrects_as_the_flag_says(
    correction: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["corroborate", *PATHS, "-m", "AP@10", "--format", "csv", "--correction", correction]
    assert main(words) == 0
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out))
    used = {"auto": "holm", "bh": "bh", "none": None}[correction]
    for raw, adjusted in (("p", "p_adjusted"), ("ipso_p", "ipso_p_adjusted")):
        expected = adjust(frame[raw].tolist(), used)  # type: ignore[arg-type]
        assert frame[adjusted].tolist() == pytest.approx(expected)
    assert frame["signature"].str.contains(f"correction:{used or 'none'}|", regex=False).all()
    assert main(["corroborate", *PATHS, "-m", "nDCG@10"]) == 0
    assert "uses grades and IPSO does not" in capsys.readouterr().err


def test_the_command_of_ir_measures_knows_our_measures(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ir_measures")
    reference = str(RUNS[1])
    assert main(["ir-measures", str(QRELS), str(RUNS[0]), f"TieRR@10 RPP(ref={reference!r})"]) == 0
    lines = dict(line.split("\t") for line in capsys.readouterr().out.splitlines())
    comparison = irpref.compare(QRELS, RUNS[:2], irpref.RPP)
    expected = comparison.mean(irpref.RPP).iloc[0, 1]
    assert float(lines[f"RPP(ref={reference!r})"]) == pytest.approx(expected, abs=5e-5)


def test_the_command_line_takes_measures_beside_preferences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    qrels, runs = demo_paths()
    paths = [str(path) for path in (qrels, *runs)]
    assert main(["compare", *paths, "-p", "RPP", "-p", "nDCG@10", "--test", "fit"]) == 0
    out = capsys.readouterr().out
    assert "nDCG@10" in out
    assert "measure:nDCG|" in out
    assert main(["compare", *paths[:3], "-p", "LexiRecall", "-p", "AP", "--format", "csv"]) == 0
    assert "LexiRecall" in capsys.readouterr().out

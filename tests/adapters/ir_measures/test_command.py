"""The command of ir_measures with the plugin loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import ir_measures
import pytest
from ir_measures import AP

from irpref import demo_paths
from irpref_ir_measures import RPP, TieRR
from irpref_ir_measures.command import main

QRELS, RUNS = demo_paths()
GIVEN = [str(QRELS), str(RUNS[0])]
ASKED = f"TieRR@10 RPP(ref={str(RUNS[1])!r}) AP"


def expected(*measures: ir_measures.Measure) -> list[float]:
    judged = ir_measures.read_trec_qrels(str(QRELS))
    found = ir_measures.calc_aggregate(measures, judged, ir_measures.read_trec_run(str(RUNS[0])))
    return [found[measure] for measure in measures]


def test_the_command_prints_the_means(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.argv
    main([*GIVEN, ASKED])
    assert sys.argv is before
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    values = expected(TieRR @ 10, RPP(ref=RUNS[1]), AP)
    assert lines == [
        ["TieRR@10", f"{values[0]:.4f}"],
        [f"RPP(ref={str(RUNS[1])!r})", f"{values[1]:.4f}"],
        ["AP", f"{values[2]:.4f}"],
    ]


def test_all_options_work(capsys: pytest.CaptureFixture[str]) -> None:
    main([*GIVEN, "TieRR@10", "-q", "-n", "-o", "jsonl", "--provider", "irpref", "-p", "4"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["query_id"] for row in rows} == {str(topic) for topic in range(1, 13)}
    assert sum(row["value"] for row in rows) / 12 == pytest.approx(expected(TieRR @ 10)[0])
    main([*GIVEN, "TieRR@10", "--by_query", "--places", "-1"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 13
    assert lines[-1].startswith("all\tTieRR@10\t")


@pytest.mark.slow
def test_it_is_a_command_of_irpref(tmp_path: Path) -> None:
    done = [
        subprocess.run(
            [sys.executable, "-m", "irpref", "ir-measures", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        for arguments in ([*GIVEN, "TieRR@10"], [*GIVEN, "RPP(ref='no.run')"])
    ]
    assert done[0].stdout == f"TieRR@10\t{expected(TieRR @ 10)[0]:.4f}\n"
    assert done[1].returncode == 2
    assert done[1].stderr.startswith("irpref: error: RPP(ref='no.run'): there is no run file")


def test_advice_in_an_error_works_where_it_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = tmp_path / "twice.run"
    run.write_text(RUNS[0].read_text() + RUNS[0].read_text().splitlines()[0])
    with pytest.raises(ValueError, match=r"the evaluated run.*TieRR\(duplicates='first'\)"):
        main([GIVEN[0], str(run), "TieRR"])
    main([GIVEN[0], str(run), "TieRR(duplicates='first')"])
    assert capsys.readouterr().out.endswith(f"\t{expected(TieRR)[0]:.4f}\n")


def test_mistakes_are_explained_and_help_names_the_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="RPP compares a run with a reference run"):
        main([*GIVEN, "RPP"])
    with pytest.raises(ValueError, match=r"RPP takes no order=: .*ref_order='rank'"):
        main([*GIVEN, "AP RPP(ref='b',order='rank')@10"])
    with pytest.raises(ValueError, match="did you mean 'weights'"):
        main([*GIVEN, "RPP(ref='b',weight='dcg')"])
    with pytest.raises(SystemExit):
        main([*GIVEN, "RRP"])
    assert "unknown measure: RRP" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "irpref ir-measures" in capsys.readouterr().out

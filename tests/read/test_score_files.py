"""Per-topic scores that trec_eval and the real ir_measures print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import irpref
from irpref import demo_paths
from irpref.base.errors import InputError
from irpref.read.score_files import read_scores

QRELS, RUNS = demo_paths()

# What trec_eval 9.0.8 prints (trec_eval -q -m map -m P.5): measures are filled up to 22 characters.
TREC_EVAL = """\
map                   \t301\t0.2500
P_5                   \t301\t0.4000
map                   \t302\t1.0000
P_5                   \t302\t0.2000
runid                 \tall\tmy run
num_q                 \tall\t2
map                   \tall\t0.6250
P_5                   \tall\t0.3000
"""
ROWS = [
    ("bm25", "301", "map", 0.25),
    ("bm25", "301", "P_5", 0.4),
    ("bm25", "302", "map", 1.0),
    ("bm25", "302", "P_5", 0.2),
]


def test_what_trec_eval_prints_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bm25.txt"
    path.write_text(TREC_EVAL)
    assert read_scores(path).rows() == read_scores([path]).rows() == ROWS
    assert read_scores({"other": path})["system"].unique().to_list() == ["other"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_byte_order_mark_inside_is_named_with_its_line(end: str, tmp_path: Path) -> None:
    path = tmp_path / "bm25.txt"
    scores = "\ufeff" + TREC_EVAL.replace("\n", end)
    path.write_text(scores, encoding="utf-8", newline="")
    assert read_scores(path).rows() == ROWS
    path.write_text(scores + scores, encoding="utf-8", newline="")
    with pytest.raises(InputError, match="line 9: the line begins with a byte order mark"):
        read_scores(path)


def test_a_long_name_of_a_measure_needs_no_blanks(tmp_path: Path) -> None:
    path = tmp_path / "bm25.txt"
    path.write_text(
        "iprec_at_recall_0.00_and_more\t7\t0.5\niprec_at_recall_0.00_and_more\tall\t0.5\n"
    )
    assert read_scores(path).row(0)[1:] == ("7", "iprec_at_recall_0.00_and_more", 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-n"], ["-o", "jsonl"], ["-n", "-o", "jsonl"]])
def test_what_ir_measures_prints_is_read_as_its_own_scores(
    options: list[str], tmp_path: Path
) -> None:
    """Compared with irpref's scores of the same measures, where the printed digits allow."""
    files = []
    for run in RUNS[:2]:
        ended = subprocess.run(
            [sys.executable, "-m", "ir_measures", QRELS, run, "AP", "P@5", "-q", *options],
            capture_output=True,
            text=True,
            check=True,
        )
        files.append(tmp_path / run.name)
        files[-1].write_text(ended.stdout)
    wanted = irpref.evaluate(QRELS, RUNS[:2], ["AP", "P@5"])
    printed = {(s, t, m): value for s, t, m, value in read_scores(files).iter_rows()}
    scores = {(s, t, m): value for s, t, m, value in wanted.itertuples(index=False)}
    assert printed.keys() == scores.keys()
    assert printed == pytest.approx(scores, abs=6e-5)
    of_files = irpref.compare_scores(files).mean("AP")
    assert of_files.to_numpy() == pytest.approx(
        irpref.compare_scores(wanted).mean("AP").to_numpy(), abs=6e-5
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("map                   \tall\t0.6250\n", "bm25.txt: there are only means over all topics"),
        ("all\tAP\t0.5\n", "-q, which prints each topic"),
        ("1\tAP\t0.5\n\n2\tAP\n", "line 3: the line '2 AP' has 2 columns"),
        ("1\tAP\t0.5\n2\tAP\tx\n", "line 2, topic 2: the score 'x' is not a number"),
        ('{"query_id": "1", "measure": "AP"}', "line 1, topic 1: the score 'None' is not a number"),
        (
            '{"query_id": "1", "measure": "AP", "value": 1, "value": 0}',
            "line 1: this is no JSON that can be read (the key 'value' is there twice",
        ),
        (
            '{"query_id": "\\ud800", "measure": "AP", "value": 1}',
            "line 1: the query_id ",
        ),
        ("[1]\t\n", "has 2 columns"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bm25.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_scores(path)
    assert said in str(error.value)


def test_what_is_neither_a_frame_nor_a_file_is_refused() -> None:
    with pytest.raises(
        ValueError, match="scores must be a frame with columns system, topic and value"
    ):
        irpref.compare_scores(7)
    with pytest.raises(InputError, match="there is no such file"):
        irpref.compare_scores(["none.txt"])

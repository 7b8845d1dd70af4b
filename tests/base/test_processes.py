"""Processes that were forked before irpref worked, and after; and those that were spawned."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irpref import demo_paths

pytestmark = pytest.mark.slow

QRELS, RUNS = demo_paths()

PROGRAM = """
import multiprocessing, warnings
warnings.simplefilter("ignore", DeprecationWarning)
import irpref

QRELS, RUNS = {qrels!r}, {runs!r}

def mean(paths):
    return irpref.compare(QRELS, paths, "RPP").mean("RPP").iloc[0, 1]

def refused(paths):
    try:
        return mean(paths)
    except RuntimeError as error:
        return str(error)

TEST = irpref.PairTest(method="t", rng=1)

def of_comparison(name):
    one, other = COMPARISON.systems[:2]
    said = COMPARISON.explain(COMPARISON.topics[0], one, other), COMPARISON.verdict(one, other)
    return (
        COMPARISON.mean(name).iloc[0, 1], str(COMPARISON.report(test=TEST)), *map(str, said),
        COMPARISON.report(per_topic=True).to_json(), DATA.compare(name).order(name).to_list(),
    )

if __name__ == "__main__":
    fork = multiprocessing.get_context("fork")
    with fork.Pool(2) as pool:
        found = pool.map(mean, [RUNS[:2], RUNS[1:]], chunksize=1)
    print(found == [mean(RUNS[:2]), mean(RUNS[1:])])
    # They are new processes, so what went before in this one is one case for both.
    for method in ("spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(mean, [RUNS[:2]] * 2) == [found[0]] * 2)
    DATA = irpref.collect(QRELS, RUNS)
    COMPARISON = DATA.compare(["RPP", "LP"])
    wanted = of_comparison("RPP")
    with fork.Pool(1) as pool:
        print(pool.map(of_comparison, ["RPP"]) == [wanted])
        print(pool.map(refused, [RUNS]))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the program says of processes from before irpref worked, new ones, and forks after it."""
    program = tmp_path_factory.mktemp("processes") / "program.py"
    program.write_text(PROGRAM.format(qrels=str(QRELS), runs=[str(path) for path in RUNS[:3]]))
    ended = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert len(lines) == 5
    return lines


def test_processes_that_begin_before_irpref_works_give_what_one_process_gives(
    said: list[str],
) -> None:
    assert said[0] == "True"


def test_new_processes_work_after_it(said: list[str]) -> None:
    assert said[1:3] == ["True", "True"], "spawn, forkserver"


def test_a_process_forked_after_it_says_so_at_once_and_can_ask_what_is_in_memory(
    said: list[str],
) -> None:
    assert said[3] == "True"
    assert "this process was forked from one that had used irpref" in said[4]
    assert "multiprocessing.get_context('spawn')" in said[4]


SENT = """
import multiprocessing, sys, warnings
warnings.simplefilter("ignore")
import irpref
from tests.test_copies import RESULTS, VALUES, said

def outcome(name, one, use):
    try:
        if use == "save":
            one.save(sys.argv[1])
        elif use == "load":
            irpref.Summary.load(sys.argv[2])
        elif use == "open":
            irpref.collect(sys.argv[3])
        elif use == "scores":
            return repr(irpref.compare_scores(one.evaluate("AP")).mean("AP"))
        elif use == "report":
            return one.report.to_json()
        else:
            return repr(said(one))
    except RuntimeError as error:
        return str(error)
    return "done"

if __name__ == "__main__":
    objects = RESULTS | {f"option {name}": one for name, (one, _) in VALUES.items()}
    RESULTS["Summary"].save(sys.argv[2])
    RESULTS["Collection"].save(sys.argv[3])
    asked = [(name, one, "said") for name, one in objects.items()]
    asked += [("Summary", RESULTS["Summary"], use) for use in ("save", "load")]
    asked += [("Collection", RESULTS["Collection"], use) for use in ("scores", "open")]
    asked += [("Plan", irpref.plan("RPP", difference=0.2, sd=0.4), "report")]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for name, one, use in asked:
            try:
                there = pool.apply_async(outcome, (name, one, use)).get(timeout=60)
            except multiprocessing.TimeoutError:
                there = "hangs"
            here = outcome(name, one, use)
            print(name, use, "same" if there == here else there.partition(",")[0], sep="|")
            if there == "hangs":
                break
"""


def test_what_is_sent_to_a_forked_process_works_there_or_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SENT)
    files = [str(tmp_path / name) for name in ("written", "summary", "collection")]
    ended = subprocess.run(
        [sys.executable, str(program), *files],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    outcomes = {
        tuple(line.split("|")[:2]): line.split("|")[2] for line in ended.stdout.splitlines()
    }
    assert len(outcomes) > 30
    refused = {asked for asked, outcome in outcomes.items() if outcome != "same"}
    assert {outcomes[asked] for asked in refused} == {
        "this process was forked from one that had used irpref"
    }
    # To choose a part, and to read or write a file, is work for polars.
    assert refused == {
        ("Collection", "said"),
        ("a part of it", "said"),
        ("Summary", "save"),
        ("Summary", "load"),
        ("Collection", "open"),
    }

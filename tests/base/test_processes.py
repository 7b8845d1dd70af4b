"""Processes that were forked before irpref worked, and after; and those that were spawned."""

from __future__ import annotations

import subprocess
import sys

import pytest

from irpref import demo_paths

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

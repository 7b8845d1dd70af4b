"""Processes that were forked before irpref worked, and after; and those that were spawned."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irpref import demo_paths

QRELS, RUNS = demo_paths()

PROGRAM = """
import multiprocessing, sys, warnings
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
    context = multiprocessing.get_context(sys.argv[1])
    {body}
"""


def run(tmp_path: Path, method: str, body: str) -> str:
    program = tmp_path / "program.py"
    lines = body.strip().replace("\n", "\n    ")
    program.write_text(
        PROGRAM.format(qrels=str(QRELS), runs=[str(path) for path in RUNS[:3]], body=lines)
    )
    ended = subprocess.run(
        [sys.executable, str(program), method],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_processes_that_begin_before_irpref_works_give_what_one_process_gives(
    tmp_path: Path,
) -> None:
    body = """
with context.Pool(2) as pool:
    found = pool.map(mean, [RUNS[:2], RUNS[1:]], chunksize=1)
print(found == [mean(RUNS[:2]), mean(RUNS[1:])])
"""
    assert run(tmp_path, "fork", body) == "True"


# They are new processes, so what went before in this one is one case for both.
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_new_processes_work_after_it(method: str, tmp_path: Path) -> None:
    body = """
wanted = mean(RUNS)
with context.Pool(1) as pool:
    print(set(pool.map(mean, [RUNS] * 2)) == {wanted})
"""
    assert run(tmp_path, method, body) == "True"


def test_a_process_forked_after_it_says_so_at_once_and_can_ask_what_is_in_memory(
    tmp_path: Path,
) -> None:
    body = """
DATA = irpref.collect(QRELS, RUNS)
COMPARISON = DATA.compare(["RPP", "LP"])
wanted = of_comparison("RPP")
with context.Pool(1) as pool:
    print(pool.map(of_comparison, ["RPP"]) == [wanted])
    print(pool.map(refused, [RUNS]))
"""
    answered, said = run(tmp_path, "fork", body).splitlines()
    assert answered == "True"
    assert "this process was forked from one that had used irpref" in said
    assert "multiprocessing.get_context('spawn')" in said

"""The number of processors, and of the threads of BLAS, changes no byte of any result."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from irpref.positions.placements import Placements
from tests.random_cases import make_case

pytestmark = pytest.mark.slow

PROGRAM = """
import os, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import irpref
from irpref import PairTest
from irpref.methods.names import known_names
from irpref.methods.preferences.recall_paired import mean_sign
from tests.stats.named import intervals, paired_tests
from irpref.base.tolerance import product
from tests.random_cases import make_case

os.cpu_count = lambda: int(sys.argv[1])
rng = np.random.default_rng(0)
found = np.sort(rng.integers(1, 999, (1, 300, 70)), axis=1)
print(mean_sign(found, found, weights="dcg").tobytes().hex())
print(product(rng.random((125, 777)), rng.random((777, 125))).tobytes().hex())
values = rng.random((50, 999)) - 0.5
print(paired_tests(values, method="randomization", rng=1, n_resamples=999))
print(intervals(values, method="randomization", rng=1, n_resamples=999))
case = make_case(5, topics=40, systems=7, documents=16, subtopics=3)
data = irpref.collect(case.qrels, case.runs, duplicates="first")
names = [*known_names(), "RPP(ties='expected')", "rrLP(ties='expected')", "LR(ties='expected')@9",
         "IPSO(ties='expected')@9", "nDCG(dcg='exp-log2')", "IPSO(gains={1: 1, 2: 3, 3: 5})"]
measures = [name for name in names if isinstance(irpref.parse(name), irpref.methods.measures.Measure)]
print(data.evaluate(measures).to_json(double_precision=15))
compared = data.compare(names)
for criterion, totals in compared.totals.items():
    sums = (totals.total, totals.deviations, *totals.counts.values())
    print(criterion, *(np.ascontiguousarray(array).tobytes().hex() for array in sums))
for name in ("RPP", "dcgRPP", "RPP(ties='expected')", "AP"):
    for method in ("t", "wilcoxon", "sign", "randomization", "hsd"):
        how = irpref.PairTest(method=method, rng=7, n_resamples=99)
        print(compared.test(name, test=how).to_json(double_precision=15))
    print(compared.leaderboard(name, test=irpref.PairTest(rng=7, n_resamples=99)).to_json())
    for method in ("mean", "borda", "copeland", "mc4", "kemeny"):
        print(compared.order(name, method=method).to_json(double_precision=15))
print(compared.report(test=PairTest(method="hsd", rng=7, n_resamples=99)).to_json())
print(compared.report(baseline="s1", per_topic=True).to_json())
"""


def of_one_processor() -> str:
    """What another process prints that has one processor and one thread."""
    command = [sys.executable, "-c", PROGRAM, "1"]
    if sys.platform == "linux":
        command = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]
    done = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        cwd=Path(__file__).resolve().parent.parent,
    )
    return done.stdout


def of_several(monkeypatch: pytest.MonkeyPatch) -> str:
    """What is printed here, as if there were seven processors, with four threads of BLAS."""
    monkeypatch.setattr(sys, "argv", ["", "7"])
    # The program sets it anew.
    monkeypatch.setattr(os, "cpu_count", os.cpu_count)
    printed = io.StringIO()
    with threadpool_limits(4, user_api="blas"), contextlib.redirect_stdout(printed):
        blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        assert all(pool["num_threads"] == 4 for pool in blas)
        exec(PROGRAM, {"__name__": "program"})
    return printed.getvalue()


def test_results_have_the_same_bytes_on_any_number_of_processors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = of_one_processor()
    assert len(one) > 100_000
    assert of_several(monkeypatch) == one


@cache
def placements() -> Placements:
    return make_case(3, topics=300, systems=9, documents=30).collect()


@pytest.mark.parametrize("processors", [1, 3, 64])
def test_sums_of_many_topics_are_split_alike(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    from irpref.methods.preferences import dcgRPP, rrLP
    from irpref.pairwise.totals import sum_topics

    here = sum_topics(placements(), [dcgRPP, rrLP])
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    for one, other in zip(here, sum_topics(placements(), [dcgRPP, rrLP]), strict=True):
        assert np.array_equal(one.total, other.total)
        assert np.array_equal(one.deviations, other.deviations)

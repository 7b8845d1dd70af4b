"""Work shared among threads: order, room, errors, and one thread of BLAS."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from threading import Lock

import numpy as np  # noqa: F401 -- loads a BLAS
import pytest
from threadpoolctl import threadpool_info

from irpref.base.workers import in_workers


def blas_threads() -> list[int]:
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


@pytest.fixture(params=[1, 2, 4])
def processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(os, "cpu_count", lambda: request.param)
    return request.param


def test_results_are_in_the_order_of_the_jobs(processors: int) -> None:
    release = [threading.Event() for _ in range(4)]
    release[0].set()

    def work(job: int) -> int:
        # With several workers, each job ends after the one behind it.
        if processors > 1:
            release[1 - job % 2].wait(0.01)
        release[job % 2].set()
        return job**2

    assert list(in_workers(work, range(20))) == [job**2 for job in range(20)]


def test_no_more_is_under_way_than_there_is_room_for(processors: int) -> None:
    lock, under_way, most = Lock(), 0, 0

    def work(job: int) -> int:
        nonlocal under_way, most
        with lock:
            under_way += job
            most = max(most, under_way)
        return job

    jobs = [3, 1, 2, 5, 1, 1, 9, 2, 2, 4]
    for done in in_workers(work, jobs, size=lambda job: job, budget=5):
        with lock:
            under_way -= done
    # 9 is alone.
    assert most == 9
    assert under_way == 0


def test_work_that_is_worth_one_worker_stays_in_this_thread(processors: int) -> None:
    threads = set(in_workers(lambda _: threading.get_ident(), range(5), most=1))
    assert threads == {threading.get_ident()}


def test_an_error_ends_the_work(processors: int) -> None:
    begun = []

    def work(job: int) -> int:
        begun.append(job)
        if job == 3:
            raise ValueError("job 3")
        return job

    results = in_workers(work, range(1000))
    with pytest.raises(ValueError, match="job 3"):
        list(results)
    assert len(begun) < 100


def test_blas_has_one_thread_within_and_what_it_had_behind(processors: int) -> None:
    before = blas_threads()
    assert before
    assert set(in_workers(lambda _: max(blas_threads()), range(5))) == {1}
    assert blas_threads() == before


@pytest.mark.slow
def test_a_blas_that_comes_later_has_one_thread_too() -> None:
    program = (
        "import numpy\n"
        "from tests.base.test_workers import blas_threads, in_workers\n"
        "within = lambda: next(in_workers(lambda _: blas_threads(), [1], most=1))\n"
        "assert set(within()) == {1}\n"
        "import scipy.linalg\n"
        "assert set(within()) == {1}, within()"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=root)

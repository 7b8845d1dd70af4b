"""Workers that are killed while they compare: the result is the same, or there is an error, never less."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import dask
import dask.dataframe as dd
import numpy as np
import pytest
from distributed import Client, KilledWorker, LocalCluster
from distributed.scheduler import NoWorkerError

from irpref import Summary, preference
from irpref_dask import compare
from tests.adapters.dask.long_tables import assert_same, long_qrels, long_runs, of_core
from tests.random_cases import make_case

CASE = make_case(12, topics=150)
TABLES = long_qrels(CASE), long_runs(CASE)


@contextmanager
def cluster(**settings: object) -> Iterator[Client]:
    """Two processes, which Dask starts anew when they die, with some of Dask's settings."""
    named = {
        f"distributed.{name.replace('__', '.').replace('_', '-')}": settings[name]
        for name in settings
    }
    with (
        dask.config.set(named),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made,
        Client(made) as client,
    ):
        yield client


def first_level(under_way: Path) -> Callable[[np.ndarray, np.ndarray], float]:
    """LP's first level; it takes its time, and its first call leaves a mark."""

    def sign(first: np.ndarray, second: np.ndarray) -> float:
        under_way.touch()
        time.sleep(0.001)
        return float(first[0] < second[0]) - float(first[0] > second[0])

    return sign


def compared_while_killed(client: Client, number: int, folder: Path) -> tuple[Summary, Summary]:
    """What Dask says if so many workers are killed amid the sums, and what the core says."""
    pids = list(client.run(os.getpid).values())[:number]
    under_way = folder / "under-way"
    asked = ["RPP", "IPSO@3", preference(first_level(under_way), label="first")]

    def kill() -> None:
        while not under_way.exists():
            time.sleep(0.01)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    qrels, runs = TABLES
    parts = dd.from_pandas(qrels, npartitions=3), dd.from_pandas(runs, npartitions=10)
    with ThreadPoolExecutor() as threads:
        killing = threads.submit(kill)
        found = compare(*parts, asked, npartitions=16)
        killing.result()
    return found, of_core(qrels, runs, asked)


def test_one_of_two_is_killed(tmp_path: Path) -> None:
    with cluster() as client:
        assert_same(*compared_while_killed(client, 1, tmp_path))


def test_all_are_killed_and_come_back(tmp_path: Path) -> None:
    # A busy machine takes longer than the usual 15 seconds to start them.
    with cluster(deploy__lost_worker_timeout="100s") as client:
        assert_same(*compared_while_killed(client, 2, tmp_path))


def test_all_are_killed_and_none_comes_back(tmp_path: Path) -> None:
    settings = {"deploy__lost_worker_timeout": "10ms", "scheduler__no_workers_timeout": "1s"}
    with cluster(**settings) as client, pytest.raises(NoWorkerError, match="worker"):
        compared_while_killed(client, 2, tmp_path)


def test_parts_that_died_with_their_worker_too_often_are_an_error(tmp_path: Path) -> None:
    with cluster(scheduler__allowed_failures=0) as client, pytest.raises(KilledWorker):
        compared_while_killed(client, 2, tmp_path)

"""Workers of which none is left, or that die again and again, are an error: never fewer topics."""

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
from tests.adapters.dask.long_tables import long_qrels, long_runs
from tests.random_cases import make_case

CASE = make_case(12, topics=12)
TABLES = long_qrels(CASE), long_runs(CASE)


@contextmanager
def cluster(**settings: object) -> Iterator[Client]:
    """A process, which Dask starts anew when it dies, with some of Dask's settings."""
    named = {
        f"distributed.{name.replace('__', '.').replace('_', '-')}": settings[name]
        for name in settings
    }
    with (
        dask.config.set(named),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as made,
        Client(made) as client,
    ):
        yield client


def first_level(under_way: Path) -> Callable[[np.ndarray, np.ndarray], float]:
    """LP's first level; its first call leaves a mark, and waits to be killed."""

    def sign(first: np.ndarray, second: np.ndarray) -> float:
        if not under_way.exists():
            under_way.touch()
            time.sleep(600)
        return float(first[0] < second[0]) - float(first[0] > second[0])

    return sign


def compared_while_killed(client: Client, folder: Path) -> Summary:
    """What Dask says if the only worker is killed amid the sums."""
    (pid,) = client.run(os.getpid).values()
    under_way = folder / "under-way"
    own = preference(first_level(under_way), label="first")

    def kill() -> None:
        while not under_way.exists():
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)

    qrels, runs = TABLES
    parts = dd.from_pandas(qrels, npartitions=2), dd.from_pandas(runs, npartitions=3)
    with ThreadPoolExecutor() as threads:
        killing = threads.submit(kill)
        found = compare(*parts, ["RPP", "IPSO@3", own], npartitions=4)
        killing.result()
    return found


def test_the_last_is_killed_and_none_comes_back(tmp_path: Path) -> None:
    settings = {"deploy__lost_worker_timeout": "10ms", "scheduler__no_workers_timeout": "1s"}
    with cluster(**settings) as client, pytest.raises(NoWorkerError, match="worker"):
        compared_while_killed(client, tmp_path)


def test_parts_that_died_with_their_worker_too_often_are_an_error(tmp_path: Path) -> None:
    with cluster(scheduler__allowed_failures=0) as client, pytest.raises(KilledWorker):
        compared_while_killed(client, tmp_path)

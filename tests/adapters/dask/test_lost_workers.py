"""Workers of which none is left, or that die again and again, are an error: never fewer topics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import dask
import dask.dataframe as dd
import numpy as np
import pytest
from distributed import Client, KilledWorker, LocalCluster, Scheduler
from distributed.scheduler import NoWorkerError

from irpref import Summary, preference
from irpref_dask import compare
from tests.adapters.dask.long_tables import long_qrels, long_runs
from tests.random_cases import make_case

pytestmark = pytest.mark.slow

CASE = make_case(12, topics=12)
TABLES = long_qrels(CASE), long_runs(CASE)


@contextmanager
def cluster(**settings: object) -> Iterator[Client]:
    """A worker of this process, which the scheduler can lose, with some of Dask's settings."""
    named = {f"distributed.scheduler.{name.replace('_', '-')}": settings[name] for name in settings}
    with (
        dask.config.set(named),
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as made,
        Client(made) as client,
    ):
        yield client


def first_level(under_way: Path, lost: Path) -> Callable[[np.ndarray, np.ndarray], float]:
    """LP's first level; it leaves a mark, and waits until its worker is lost."""

    def sign(first: np.ndarray, second: np.ndarray) -> float:
        under_way.touch()
        while not lost.exists():
            time.sleep(0.01)
        return float(first[0] < second[0]) - float(first[0] > second[0])

    return sign


async def lose_workers(dask_scheduler: Scheduler) -> None:
    for address in list(dask_scheduler.workers):
        await dask_scheduler.remove_worker(address, stimulus_id="test")


def compared_while_lost(client: Client, folder: Path) -> Summary:
    """What Dask says if the only worker is lost amid the sums."""
    under_way, lost = folder / "under-way", folder / "lost"
    own = preference(first_level(under_way, lost), label="first")

    def lose() -> None:
        while not under_way.exists():
            time.sleep(0.01)
        client.run_on_scheduler(lose_workers)
        lost.touch()

    qrels, runs = TABLES
    parts = dd.from_pandas(qrels, npartitions=2), dd.from_pandas(runs, npartitions=3)
    with ThreadPoolExecutor() as threads:
        losing = threads.submit(lose)
        found = compare(*parts, ["RPP", "IPSO@3", own], npartitions=4)
        losing.result()
    return found


def test_the_last_is_lost_and_none_comes_back(tmp_path: Path) -> None:
    with cluster(no_workers_timeout="1s") as client, pytest.raises(NoWorkerError, match="worker"):
        compared_while_lost(client, tmp_path)


def test_parts_that_died_with_their_worker_too_often_are_an_error(tmp_path: Path) -> None:
    with cluster(allowed_failures=0) as client, pytest.raises(KilledWorker):
        compared_while_lost(client, tmp_path)

"""On a cluster of processes, of which one may be killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from irpref import InputError, preference
from irpref_dask import compare
from tests.adapters.dask.long_tables import assert_same, long_qrels, long_runs, of_core
from tests.random_cases import make_case

pytestmark = pytest.mark.slow

ASKED = ["RPP", "IPSO@3", "AP"]


@pytest.fixture(scope="module")
def _cluster() -> Iterator[None]:
    # Processes, which are started by spawn: polars does not survive a fork. None that was lost comes back.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10ms"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        yield


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    case = make_case(12, topics=60)
    return long_qrels(case), long_runs(case)


def partitions(tables: tuple[pd.DataFrame, pd.DataFrame]) -> tuple[dd.DataFrame, dd.DataFrame]:
    qrels, runs = tables
    return dd.from_pandas(qrels, npartitions=2), dd.from_pandas(runs, npartitions=5)


Signs = Callable[[np.ndarray, np.ndarray], float]


def first_level(mark: Path) -> Signs:
    """LP's first level; the process that is first to ask leaves a mark and kills itself as by kill -9."""

    def sign(first: np.ndarray, second: np.ndarray) -> float:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            os.kill(os.getpid(), signal.SIGKILL)
        except FileExistsError:
            pass
        return float(first[0] < second[0]) - float(first[0] > second[0])

    return sign


@pytest.mark.usefixtures("_cluster")
def test_two_workers_of_which_one_is_killed(
    tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path
) -> None:
    mark = tmp_path / "killed"
    # A function of this process is another one in each worker. Dask has moved the rows by the time that
    # it is called: some are lost, and some sums.
    own = preference(first_level(mark), label="first")
    found = compare(*partitions(tables), [*ASKED, own], npartitions=6)
    assert mark.exists()
    # Now that the mark is there, it kills no more.
    assert_same(found, of_core(*tables, [*ASKED, own]))


@pytest.mark.usefixtures("_cluster")
def test_an_error_of_a_worker_is_the_one_of_this_process(
    tables: tuple[pd.DataFrame, pd.DataFrame],
) -> None:
    qrels, runs = tables
    twice = pd.concat([runs, runs[:1]], ignore_index=True)
    with pytest.raises(InputError, match=r"runs, partition 0 and runs, partition 4, system 's"):
        compare(*partitions((qrels, twice)))

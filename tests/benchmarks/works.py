"""Works that the benchmarks measure, by name: ``python works.py NAME ARGUMENTS`` prints what one costs.

Each prepares what is not measured, and returns what is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cost import cost_here

from irpref import PairTest

Work = Callable[[], Any]


def qrels_path(folder: Path | str) -> Path:
    [path] = Path(folder).glob("qrels*")
    return path


def run_paths(folder: Path | str) -> list[Path]:
    return sorted((Path(folder) / "runs").iterdir())


def collect(folder: str) -> Work:
    """Files to the positions of the relevant documents."""
    import irpref

    return lambda: irpref.collect(qrels_path(folder), run_paths(folder))


def read(folder: str) -> Work:
    """Files to tables."""
    from irpref.read import read_run

    return lambda: [read_run(path) for path in run_paths(folder)]


def rank(folder: str) -> Work:
    """Tables to rankings."""
    from irpref.positions.ranking import rank_run
    from irpref.read import read_run

    tables = [read_run(path) for path in run_paths(folder)]
    return lambda: [rank_run(table) for table in tables]


def locate(folder: str) -> Work:
    """Rankings to the positions of the relevant documents."""
    from irpref.positions.judgments import Judgments
    from irpref.positions.ranking import rank_run
    from irpref.read import read_qrels, read_run

    judgments = Judgments(read_qrels(qrels_path(folder)))
    rankings = [rank_run(read_run(path)) for path in run_paths(folder)]
    return lambda: [judgments.locate(ranking, "run") for ranking in rankings]


def compare(folder: str, *names: str) -> Work:
    """A comparison of all pairs, of a collection in memory."""
    import irpref

    data = irpref.collect(qrels_path(folder), run_paths(folder))
    return lambda: data.compare(list(names))


def files(folder: str, *names: str) -> Work:
    """Files to mean matrices."""
    import irpref

    def work() -> None:
        comparison = irpref.compare(qrels_path(folder), run_paths(folder), list(names))
        for name in names:
            comparison.mean(name)

    return work


def test(folder: str, name: str, method: str, resamples: str) -> Work:
    """A test of all pairs, of a comparison in memory."""
    import irpref

    comparison = irpref.compare(qrels_path(folder), run_paths(folder), [name])
    return lambda: comparison.test(
        name, test=PairTest(method=method, rng=1, n_resamples=int(resamples))
    )


def _board(topics: str, systems: str) -> Any:
    """(T, P) differences between the scores of systems of several qualities."""
    import numpy as np

    rng, number = np.random.default_rng(0), int(systems)
    scores = rng.normal(rng.normal(0, 0.12, number), 0.2, (int(topics), number))
    first, second = np.triu_indices(number, 1)
    return scores[:, first] - scores[:, second]


def randomize(topics: str, systems: str, resamples: str) -> Work:
    """The randomization test of all pairs of a board."""
    from irpref.stats.method import Draws
    from irpref.stats.tests.randomization import TEST

    values, draws = _board(topics, systems), Draws(n_resamples=int(resamples))
    # What it imports is not measured.
    TEST.of_values(values[:, :1], draws=draws)
    return lambda: TEST.of_values(values, draws=draws)


def multiply(topics: str, systems: str, resamples: str) -> Work:
    """The sums of the same board with as many signs, and the largest of each set."""
    import numpy as np

    values, rng = _board(topics, systems), np.random.default_rng(0)
    signs = rng.choice((-1.0, 1.0), (int(resamples), len(values)))

    def work() -> None:
        for part in np.array_split(signs, len(signs) // 250):
            for pairs in np.array_split(values, values.shape[1] // 250, axis=1):
                (part @ pairs).max(axis=1)

    return work


def evaluate_files(folder: str, *names: str) -> Work:
    """Files to scores by measures."""
    import irpref

    return lambda: irpref.evaluate(qrels_path(folder), run_paths(folder), list(names))


def score(folder: str, name: str, times: str) -> Work:
    """Positions to scores by a measure, so many times."""
    import irpref
    from irpref.methods.measures import RankedItems

    placements = irpref.collect(qrels_path(folder), run_paths(folder)).placements
    measure = irpref.parse(name)
    return lambda: [measure.scores(RankedItems(placements)) for _ in range(int(times))]


def select(folder: str, times: str) -> Work:
    """Parts of a collection by random shares of its judgments."""
    import numpy as np

    import irpref

    data = irpref.collect(qrels_path(folder), run_paths(folder))
    rng = np.random.default_rng(0)
    masks = [rng.random(len(data.judgments)) < share for share in rng.random(int(times))]
    return lambda: [len(data.select(judgments=mask).topics) for mask in masks]


def pytrec_eval(folder: str) -> Work:
    """pytrec_eval reads the runs into dicts."""
    import gzip

    import pytrec_eval

    def read(path: Path) -> None:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
            pytrec_eval.parse_run(file)

    return lambda: [read(path) for path in run_paths(folder)]


def dask_processes(folder: str, number: str, *names: str) -> Work:
    """Parquet to a summary, on processes of Dask with one thread each; only the wall time is theirs."""
    from distributed import Client, LocalCluster

    from irpref_dask import compare

    cluster = LocalCluster(n_workers=int(number), threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)
    # Each worker imports what it needs before the clock starts.
    client.run(__import__, "irpref_dask.comparison")
    runs = {path.stem: str(path) for path in run_paths(folder)}

    return lambda: compare(str(qrels_path(folder)), runs, list(names))


def dask_partitions(workers: str, number: str) -> Work:
    """Two runs, a topic or two in a partition; the CPU time is that of scheduler and client."""
    import dask.dataframe as dd
    import pandas as pd
    from distributed import Client, LocalCluster

    from irpref_dask import compare

    cluster = LocalCluster(n_workers=int(workers), threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)
    client.run(__import__, "irpref_dask.comparison")
    topics = pd.DataFrame({"query_id": range(int(number)), "doc_id": "d"})
    qrels = dd.from_pandas(topics.assign(relevance=1), npartitions=1)
    both = pd.concat([topics.assign(score=1.0, system=name) for name in "ab"])
    runs = dd.from_pandas(both.sort_values("query_id", ignore_index=True), npartitions=int(number))

    return lambda: compare(qrels, runs, ["RPP"], systems=["a", "b"], npartitions=int(number))


WORKS: dict[str, Callable[..., Work]] = {
    work.__name__: work
    for work in (
        collect,
        dask_partitions,
        dask_processes,
        read,
        rank,
        locate,
        compare,
        files,
        test,
        randomize,
        multiply,
        evaluate_files,
        score,
        select,
        pytrec_eval,
    )
}

if __name__ == "__main__":
    _, name, *arguments = sys.argv
    print(json.dumps(cost_here(WORKS[name](*arguments))))

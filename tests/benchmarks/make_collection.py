"""Write a synthetic collection of the size of Robust04 (or any other), for the benchmarks.

110 runs of 249 topics to depth 1000 are 27.4 million lines, about 1.1 GB. The files depend on the seed
alone. Run with ``--help`` for the options.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import polars as pl
from trec_tables import qrels_table, run_table

SOURCES = ("FBIS3", "FBIS4", "FR940", "FT911", "FT923", "FT934", "LA010", "LA112")


def write_collection(
    folder: Path,
    *,
    systems: int = 110,
    topics: int = 249,
    depth: int = 1000,
    judged: int = 1250,
    relevant: float = 70.0,
    corpus: int = 500_000,
    seed: int = 0,
) -> None:
    """Write ``qrels.txt`` and ``runs/system-NNN.txt`` into the folder."""
    rng = np.random.default_rng(seed)
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    names = pl.Series(
        [f"{SOURCES[i % len(SOURCES)]}-{i:06d}" for i in rng.permutation(corpus)], dtype=pl.String
    )
    # A topic's pool is what its systems retrieve from; the judged documents are part of it.
    pool_size = min(corpus, max(4 * depth, 2 * judged))
    pools = np.stack([rng.choice(corpus, pool_size, replace=False) for _ in range(topics)])
    counts = np.clip(rng.lognormal(np.log(relevant) - 0.5, 1.0, topics), 1, judged * 0.6).astype(
        int
    )
    grade = np.zeros((topics, pool_size), dtype=np.int64)
    for topic, count in enumerate(counts):
        grade[topic, :count] = rng.choice([1, 2], count, p=[0.7, 0.3])
    numbers = [str(301 + topic) for topic in range(topics)]

    with (folder / "qrels.txt").open("wb") as file:
        for topic in range(topics):
            documents = names[pools[topic, :judged]]
            table = qrels_table(_repeated(numbers[topic], judged), documents, grade[topic, :judged])
            table.sort("doc_id").write_csv(file, separator=" ", include_header=False)

    for system in range(systems):
        skill = rng.uniform(0.5, 3.0)
        tag = f"system-{system:03d}"
        with (runs / f"{tag}.txt").open("wb") as file:
            for topic in range(topics):
                score = rng.normal(size=pool_size) + skill * (grade[topic] > 0)
                best = np.argsort(-score, kind="stable")[:depth]
                run_table(
                    _repeated(numbers[topic], len(best)),
                    names[pools[topic, best]],
                    np.arange(1, len(best) + 1),
                    np.round(score[best] + 10, 4),
                    tag,
                ).write_csv(file, separator=" ", include_header=False)


def _repeated(topic: str, times: int) -> pl.Series:
    return pl.repeat(topic, times, eager=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", type=int, default=110)
    parser.add_argument("--topics", type=int, default=249)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--judged", type=int, default=1250)
    parser.add_argument("--relevant", type=float, default=70.0, help="mean per topic")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    write_collection(
        arguments.folder,
        systems=arguments.systems,
        topics=arguments.topics,
        depth=arguments.depth,
        judged=arguments.judged,
        relevant=arguments.relevant,
        seed=arguments.seed,
    )


if __name__ == "__main__":
    main()

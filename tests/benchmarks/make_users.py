"""Write a synthetic collection of a recommender: many users with short lists, as Parquet or as text.

A user is a topic. The files depend on the seed and the numbers alone. Run with ``--help`` for the options.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from trec_tables import qrels_table, run_table

# A prime, so that the items of a user differ.
ITEMS = 49_999
_AT_ONCE = 100_000


def write_users(
    folder: Path, *, users: int, systems: int, depth: int, parquet: bool, seed: int = 0
) -> None:
    """Write the qrels, with some five relevant items a user, and a run of each system.

    Many users are several files of Parquet, in a folder for each run: no more than 100,000 users are in
    memory at a time.
    """
    starts = range(0, users, _AT_ONCE)
    for start in starts:
        some = np.arange(start, min(start + _AT_ONCE, users))
        tables = _tables(some, systems, depth, np.random.default_rng((seed, start)))
        for number, table in enumerate(tables):
            name = f"runs/system-{number - 1:02d}" if number else "qrels"
            part = f"part-{start // _AT_ONCE:03d}" if len(starts) > 1 else None
            _write(table, folder / name, part=part, parquet=parquet)


def _tables(
    users: np.ndarray, systems: int, depth: int, rng: np.random.Generator
) -> Iterator[pl.DataFrame]:
    """The qrels of some users, then each system's run."""
    pool = 2 * depth
    items = (rng.integers(0, ITEMS, (len(users), 1)) + np.arange(pool) * 7919) % ITEMS
    relevant = rng.random((len(users), pool)) < 5 / pool
    relevant[:, 0] = True
    user, item = np.nonzero(relevant)
    names = pl.Series(users).cast(pl.String)
    grades = np.ones(len(user), dtype=np.int64)
    yield qrels_table(names[user], _item_names(items[user, item]), grades)
    for system in range(systems):
        score = rng.normal(size=items.shape) + relevant * (0.5 + system / systems)
        best = np.argsort(-score, axis=1)[:, :depth]
        yield run_table(
            names[np.repeat(np.arange(len(users)), depth)],
            _item_names(np.take_along_axis(items, best, axis=1).ravel()),
            np.tile(np.arange(1, depth + 1), len(users)),
            np.take_along_axis(score, best, axis=1).round(4).ravel(),
            f"system-{system:02d}",
        )


def _item_names(items: np.ndarray) -> pl.Series:
    return "item-" + pl.Series(items).cast(pl.String)


def _write(table: pl.DataFrame, path: Path, *, part: str | None, parquet: bool) -> None:
    if parquet:
        place = (path if part is None else path / part).with_suffix(".parquet")
        place.parent.mkdir(parents=True, exist_ok=True)
        table.write_parquet(place)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    first = part in (None, "part-000")
    with path.with_suffix(".txt").open("wb" if first else "ab") as file:
        table.write_csv(file, separator=" ", include_header=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--parquet", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    write_users(
        options.folder,
        users=options.users,
        systems=options.systems,
        depth=options.depth,
        parquet=options.parquet,
        seed=options.seed,
    )


if __name__ == "__main__":
    main()

"""How time and memory grow with topics, systems and depth; prints tables in Markdown.

    python tests/benchmarks/growth.py --pref-eval CHECKOUT

Each size is compared with ``irpref compare --keep summary`` in a process of its own, from Parquet: CPU and
wall time, and peak memory. The exponent says how the CPU time grows: 1.0 is as fast as the number itself,
2.0 as fast as its square. It is the slope of a straight line through the logarithms.

Collections of a recommender (see ``make_users.py``) are made in a temporary folder, where there must be
3 GB; ``--folder`` keeps them.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cost import Cost, cost_of_process, cost_of_work
from peers import pref_eval
from works import qrels_path, run_paths

HERE = Path(__file__).parent
FOUR = ("RPP", "LP", "LR", "IPSO@10")
SIX = ("sgnLP", "rrLP", "LR", "RPP", "dcgRPP", "invRPP")
# Of a part this large pref_eval's cost a pair-topic is known; all of it would take days.
PART = 500


class Size(NamedTuple):
    """How large a collection is."""

    topics: int = 100_000
    systems: int = 5
    depth: int = 20

    def __str__(self) -> str:
        return f"{self.topics:,} topics × {self.systems} systems × {self.depth} documents"


GROWTH: dict[str, list[Size]] = {
    "topics": [Size(topics=number) for number in (10_000, 100_000, 1_000_000)],
    "systems": [Size(topics=10_000, systems=number) for number in (5, 20, 80)],
    "depth": [Size(topics=30_000, depth=number) for number in (10, 30, 100)],
}


def collection(folder: Path, size: Size, *, parquet: bool = True) -> Path:
    """The folder with a collection of this size; it is made if it is not there."""
    path = folder / "-".join(map(str, [*size, "parquet" if parquet else "text"]))
    if not path.exists():
        # In another process: the peak memory of this one would count as that of its children.
        words = zip(("--users", "--systems", "--depth"), size, strict=True)
        command = [sys.executable, HERE / "make_users.py", path]
        command += [str(word) for pair in words for word in pair]
        subprocess.run([*command, *(["--parquet"] if parquet else [])], check=True)
    return path


def cost_of_comparing(folder: Path, preferences: Sequence[str], processors: int) -> Cost:
    """What the command costs, from files to its report."""
    asked = [part for each in preferences for part in ("-p", each)]
    command: list[Any] = [sys.executable, "-W", "ignore", "-m", "irpref", "compare"]
    command += [qrels_path(folder), *run_paths(folder), *asked, "--keep", "summary"]
    return cost_of_process([*command, "--format", "csv"], processors=processors)


def growth(folder: Path, processors: int) -> Iterator[str]:
    """How the cost grows with each number."""
    for number, sizes in GROWTH.items():
        yield from _heading(number, "CPU", "wall", "peak memory")
        costs = []
        for size in sizes:
            costs.append(cost_of_comparing(collection(folder, size), FOUR, processors))
            cpu, wall, memory = costs[-1]
            yield f"| {size} | {cpu:.1f} s | {wall:.1f} s | {memory:.0f} MB |"
        numbers = [getattr(size, number) for size in sizes]
        slope = np.polyfit(np.log(numbers), np.log([cost.cpu for cost in costs]), 1)[0]
        last = np.log(costs[-1].cpu / costs[-2].cpu) / np.log(numbers[-1] / numbers[-2])
        room = np.polyfit(np.log(numbers), np.log([cost.memory for cost in costs]), 1)[0]
        yield (
            f"| exponent | {slope:.2f} (last step {last:.2f}, where the start weighs least) | "
            f"| {room:.2f} |"
        )


def shares(folder: Path, processors: int) -> Iterator[str]:
    """Where the time goes, of what fits into memory at once."""
    size = Size()
    made = collection(folder, size)
    yield from _heading(str(size), "CPU", "share")
    names = ("read", "rank", "locate", "compare")
    costs = [
        cost_of_work(name, made, *(FOUR if name == "compare" else ()), processors=processors).cpu
        for name in names
    ]
    words = ("reading", "ranking", "finding the relevant documents", "folding and summing")
    for word, cpu in zip(words, costs, strict=True):
        yield f"| {word} | {cpu:.2f} s | {cpu / sum(costs):.0%} |"


def processes(folder: Path) -> Iterator[str]:
    """One process of Dask against two, each with one thread."""
    size = Size()
    made = collection(folder, size)
    yield from _heading(f"{size}, on Dask", "wall")
    for number in (1, 2):
        cost = cost_of_work("dask_processes", made, str(number), *FOUR)
        yield f"| {number} process{'es' * (number > 1)} of one thread | {cost.wall:.1f} s |"


def partitions() -> Iterator[str]:
    """What a partition costs Dask's scheduler, which runs in the process of the client."""
    yield from _heading("partitions read, and compared", "CPU of scheduler and client", "wall")
    for workers in (1, 2):
        for number in (100, 400, 1600):
            cost = cost_of_work("dask_partitions", workers, number)
            yield f"| {number}, workers: {workers} | {cost.cpu:.1f} s | {cost.wall:.1f} s |"


def beside(folder: Path, checkout: Path, processors: int) -> Iterator[str]:
    """A pair-topic of irpref from files, beside one of pref_eval in memory."""
    size = Size()
    pairs = size.systems * (size.systems - 1) // 2
    ours = cost_of_comparing(collection(folder, size), SIX, processors)
    ours = ours.times(1 / (size.topics * pairs))
    part = collection(folder, size._replace(topics=PART), parquet=False)
    theirs = pref_eval(part, checkout, size.systems)
    yield from _heading("a pair-topic by six preferences", "CPU")
    yield f"| irpref, from files ({size}) | {1e6 * ours.cpu:.2f} µs |"
    yield f"| pref_eval, in memory ({PART} topics, the others extrapolated) | {1e6 * theirs.cpu:.0f} µs |"
    yield f"| all of these topics by pref_eval, extrapolated | {theirs.cpu * size.topics * pairs:,.0f} s |"


def _heading(first: str, *others: str) -> Iterator[str]:
    yield ""
    yield "| " + " | ".join([first, *others]) + " |"
    yield "| --- " + "| ---: " * len(others) + "|"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the collections are, or are made")
    parser.add_argument("--pref-eval", type=Path, help="a checkout of diazf/pref_eval")
    parser.add_argument("--processors", type=int, default=os.cpu_count())
    parser.add_argument(
        "--only",
        choices=["growth", "shares", "processes", "partitions", "beside"],
        help="one table",
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        tables = {
            "growth": lambda: growth(folder, given.processors),
            "shares": lambda: shares(folder, given.processors),
            "processes": lambda: processes(folder),
            "partitions": partitions,
        }
        if given.pref_eval is not None:
            tables["beside"] = lambda: beside(folder, given.pref_eval, given.processors)
        print(f"Python {platform.python_version()}, {given.processors} processors.")
        for name, lines in tables.items():
            for line in lines() if given.only in (None, name) else ():
                print(line, flush=True)


if __name__ == "__main__":
    main()

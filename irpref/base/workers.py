"""Work shared among threads, with the same results on any number of processors.

NumPy, polars and zlib release the interpreter's lock in large steps. Small steps wait for it most of the
time, so work in small steps stays in one thread. BLAS has threads of its own, which only get in the
workers' way; within, it has one.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache, partial
from typing import Any, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_workers(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    most: int | None = None,
    size: Callable[[Job], int] | None = None,
    budget: int | None = None,
) -> Iterator[Result]:
    """The results of all jobs, in their order.

    Args:
        work: What to do with a job.
        jobs: The jobs.
        most: How many workers the work is worth; with 1, all is done in this thread. By default as many as
            there are processors, and never more.
        size: How much of the budget a job and its result take, such as bytes; by default 1.
        budget: What all jobs may take whose results are not taken yet. A larger job is alone. By default
            so much that there are twice as many jobs as workers.

    Example:
        >>> list(in_workers(len, ["a", "bc"]))
        [1, 2]
    """
    processors = os.cpu_count() or 1
    workers = processors if most is None else max(1, min(most, processors))
    limit = _limit(len(sys.modules))
    with limit():
        if workers == 1:
            yield from map(work, jobs)
            return
        taken: deque[tuple[Future[Result], int]] = deque()
        free = 2 * workers if budget is None else budget
        # Some kinds of BLAS limit each thread by itself.
        with ThreadPoolExecutor(workers, initializer=limit) as threads:
            try:
                for job in jobs:
                    needed = 1 if size is None else size(job)
                    while taken and needed > free:
                        future, freed = taken.popleft()
                        yield future.result()
                        free += freed
                    taken.append((threads.submit(work, job), needed))
                    free -= needed
                while taken:
                    yield taken.popleft()[0].result()
            finally:
                threads.shutdown(cancel_futures=True)


@lru_cache(maxsize=1)
def _limit(imported: int) -> Callable[[], Any]:
    """What limits BLAS to one thread; of so many imported modules, as each may bring a BLAS of its own.

    To look for the libraries of the process takes milliseconds, which is more than small work does.
    """
    # Slow to import.
    from threadpoolctl import ThreadpoolController

    return partial(ThreadpoolController().limit, limits=1, user_api="blas")


def require_threads() -> None:
    """Raise an error where polars would wait for threads that are gone; call it before polars works.

    Raises:
        RuntimeError: This process was forked from one in which polars has worked, and has no threads of it.
    """
    if _first_process() != os.getpid():
        raise RuntimeError(
            "this process was forked from one that had used irpref, and polars, which irpref reads with, "
            "never returns in such a process; start processes by 'spawn' or 'forkserver', for example "
            "multiprocessing.get_context('spawn'), or use irpref in the forked ones only"
        )


@cache
def _first_process() -> int:
    """The process in which polars started its threads: a fork keeps what is known here."""
    return os.getpid()

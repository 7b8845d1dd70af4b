"""What work costs: CPU time, wall time and memory, of a process or of a part of it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Cost", "cost_here", "cost_of_process", "cost_of_work", "in_turns"]

HERE = Path(__file__).parent


class Cost(NamedTuple):
    """What work costs.

    Attributes:
        cpu: Seconds of CPU, of all threads.
        wall: Seconds that passed.
        memory: Greatest memory of the process, in MB; 0 if unknown.
    """

    cpu: float
    wall: float
    memory: float = 0.0

    def times(self, factor: float) -> Cost:
        """The cost of so many times the work."""
        return Cost(self.cpu * factor, self.wall * factor, self.memory)


def cost_here(work: Callable[[], Any]) -> Cost:
    """What work costs in this process."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Cost(
        time.process_time() - cpu,
        time.perf_counter() - wall,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def cost_of_process(command: Sequence[Any], *, processors: int | None = None) -> Cost:
    """What a process costs, from its start to its end; its output is thrown away."""
    begun = time.perf_counter()
    process = subprocess.Popen(_on(processors, command), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def cost_of_work(name: str, *arguments: Any, processors: int | None = None) -> Cost:
    """What a work of ``works.py`` costs, in a process of its own, without its preparation."""
    command = [sys.executable, "-W", "ignore", HERE / "works.py", name, *arguments]
    done = subprocess.run(
        _on(processors, command), check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return Cost(*json.loads(done))


def in_turns(*works: Callable[[], Cost], times: int = 3) -> list[Cost]:
    """The least cost of each work; they take turns, so that a busy machine is busy for all."""
    costs = [[work() for work in works] for _ in range(times)]
    return [
        Cost(min(c.cpu for c in mine), min(c.wall for c in mine), max(c.memory for c in mine))
        for mine in zip(*costs, strict=True)
    ]


def _on(processors: int | None, command: Sequence[Any]) -> list[str]:
    """The command, held to so many processors."""
    held = [] if processors is None else ["taskset", "-c", f"0-{processors - 1}"]
    return [*held, *map(str, command)]

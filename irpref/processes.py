"""What this process is: maybe a fork, in which polars waits for ever; and what its new files may be."""

from __future__ import annotations

import os
from functools import cache


def refuse_forked() -> None:
    """Raise an error where the next call of polars would never return; call it before polars works.

    Raises:
        RuntimeError: This process was forked from one in which polars has worked.
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


def umask() -> int:
    """What a new file may not be, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

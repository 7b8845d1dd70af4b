"""How much room runs take while they are read, so that only so many are read at a time."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any

__all__ = ["ROOM", "room_of"]

ROOM = 3 << 23
"""Bytes of runs that are read at a time, on any number of processors; tables of them take more."""

# What one retrieved document takes in a file, about.
_LINE = 40
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
# Parquet packs names that come again and again.
_PACKED = 8


def room_of(run: Any) -> int:
    """How many bytes a run is as plain text, about; a run that cannot be read takes none.

    Example:
        >>> room_of({"301": {"d1": 2.0, "d2": 1.0}})
        80
    """
    if isinstance(run, str | os.PathLike):
        return _room_of_file(run)
    if isinstance(run, Mapping):
        return _LINE * sum(len(scores) for scores in run.values() if isinstance(scores, Mapping))
    # What has no length is read alone.
    return _LINE * len(run) if hasattr(run, "__len__") else ROOM


def _room_of_file(path: str | os.PathLike[str]) -> int:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            # What is read from a pipe is gone.
            return ROOM
        with open(path, "rb") as file:
            first = file.read(4)
            end = file.seek(-4, os.SEEK_END) + 4
            if first.startswith(_GZIP):
                # A gzip file ends with the size of its content.
                return max(end, int.from_bytes(file.read(4), "little"))
    except (OSError, ValueError):
        # What cannot be read is told of when it is read.
        return 0
    return end * _PACKED if first == _PARQUET else end

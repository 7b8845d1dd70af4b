"""Reads the files that it is told of, in a process of its own, which a damaged file may end.

``python -m tests.fuzz.reading_child`` takes a kind and a path a line, and answers each with a line.
"""

from __future__ import annotations

import faulthandler
import hashlib
import resource
import sys
from typing import Any

from irpref.base.errors import InputError
from irpref.methods.score_tables import frame_of
from tests.fuzz.agreement import assert_said_well, library_rows

_HANGS = 300


def rows_read(data: Any, kind: str) -> str:
    """How many rows the library reads, and a hash of them; or why it refuses."""
    if kind != "outcomes":
        rows: Any = library_rows(data, "qrels" if kind == "qrels" else "run")
    else:
        try:
            rows = frame_of(data, kind)[0].to_numpy().tolist()
        except InputError as error:
            assert_said_well(error)
            rows = error
    if isinstance(rows, InputError):
        return f"refused: {rows}"
    return f"read: {len(rows)} rows, {hashlib.sha256(repr(rows).encode()).hexdigest()}"


def answer(kind: str, path: str) -> str:
    """How the library takes a file, and how many megabytes the process has used at most."""
    faulthandler.dump_traceback_later(_HANGS, exit=True)
    try:
        how = rows_read(path, kind)
    except BaseException as error:
        how = f"failed: {error!r}"
    faulthandler.cancel_dump_traceback_later()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In kilobytes, but on macOS in bytes.
    megabytes = used >> (20 if sys.platform == "darwin" else 10)
    return f"{megabytes} {' '.join(how.split())}"


if __name__ == "__main__":
    for line in sys.stdin:
        kind, _, path = line.removesuffix("\n").partition(" ")
        print(answer(kind, path), flush=True)

"""Reads the run files that it is told of, in a process of its own, which a damaged file may end.

``python -m tests.fuzz.reading_child`` takes a path a line, and answers each with a line.
"""

from __future__ import annotations

import faulthandler
import resource
import sys

from irpref.base.errors import InputError
from tests.fuzz.agreement import library_rows

_HANGS = 300


def answer(path: str) -> str:
    """How the library takes a file, and how many megabytes the process has used at most."""
    faulthandler.dump_traceback_later(_HANGS, exit=True)
    try:
        rows = library_rows(path, "run")
        how = f"refused: {rows}" if isinstance(rows, InputError) else f"read: {len(rows)} rows"
    except Exception as error:
        how = f"failed: {error!r}"
    faulthandler.cancel_dump_traceback_later()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In kilobytes, but on macOS in bytes.
    megabytes = used >> (20 if sys.platform == "darwin" else 10)
    return f"{megabytes} {' '.join(how.split())}"


if __name__ == "__main__":
    for line in sys.stdin:
        print(answer(line.removesuffix("\n")), flush=True)

"""A process that reads files, and is started anew if a file has ended it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Child:
    """Tells ``reading_child`` of files."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.reading_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
        )

    def read(self, path: Path, kind: str = "run") -> tuple[int, str]:
        """The megabytes used so far, and what came of it: read, refused, failed or died, and more.

        Args:
            path: A file.
            kind: What it holds: a run, qrels or outcomes.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{kind} {path}\n")
        process.stdin.flush()
        megabytes, _, how = process.stdout.readline().rstrip().partition(" ")
        if how:
            return int(megabytes), how
        code = process.wait()
        self._errors.seek(0)
        said = self._errors.read()[-2000:]
        self._errors.truncate(0)
        self._process = self._started()
        return 0, f"died: {code}, {said}"

    def close(self) -> None:
        """End the process."""
        process = self._process
        for pipe in (process.stdin, process.stdout, self._errors):
            assert pipe is not None
            pipe.close()
        process.wait()

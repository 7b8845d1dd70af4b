"""The progress bar: on a terminal, once it takes a while."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(("patience", "terminal"), [(0, True), (3600, True), (0, False)])
def test_a_progress_bar_is_shown_on_a_terminal_and_only_once_it_takes_a_while(
    patience: float, terminal: bool, folder: Path
) -> None:
    script = (
        "import sys; from irpref.report import terminal; from irpref.cli.main import main; "
        f"terminal._PATIENCE = {patience}; sys.exit(main(sys.argv[1:]))"
    )
    arguments = [sys.executable, "-c", script, "compare", "qrels.txt", "new.txt", "old.txt"]
    reading, writing = pty.openpty() if terminal else os.pipe()
    done = subprocess.run(
        arguments,
        stdout=subprocess.PIPE,
        stderr=writing,
        check=False,
        timeout=60,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(writing)
    shown = b""
    # A terminal whose other end is closed gives an error instead of nothing.
    try:
        while part := os.read(reading, 1 << 16):
            shown += part
    except OSError:
        assert terminal
    os.close(reading)
    assert done.returncode == 0
    assert done.stdout.startswith(b"Neither new nor old is ahead by RPP: the mean is 0.\n")
    if terminal and not patience:
        assert b"reading runs" in shown
        assert b"comparing topics" in shown
    else:
        assert shown == b""

"""A progress bar for work that takes a while."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from irpref.render.terminal import is_terminal

if TYPE_CHECKING:
    from rich.progress import TaskID

    from irpref.choices import Progress


_PATIENCE = 1.0


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A callback that shows a bar on stderr once more than a second has passed.

    Gives None where stderr is not a terminal.
    """
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    begun = time.monotonic()
    tasks: dict[str, TaskID] = {}
    bar = Bar(console=Console(stderr=True), transient=True)
    handler = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()

    def show(what: str, done: int, total: int) -> None:
        if time.monotonic() - begun < _PATIENCE:
            return
        if not tasks and main and callable(handler):
            # Ctrl-C must take the bar away, and show the cursor again.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done)

    try:
        yield show
    finally:
        if tasks:
            bar.stop()
            if main and callable(handler):
                signal.signal(signal.SIGINT, handler)

"""The command ``irpref``, and ``python -m irpref``: a signal that stops it leaves no temporary folder.

Ctrl-C stops it with one line, whatever it is at.

Nothing but what that needs is imported here; ``irpref.cli.main`` takes a while.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def run() -> None:
    """Run the command line as a process of its own."""
    # irpref has workers of its own. Threads of BLAS only get in their way, and hang where memory is short.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Elsewhere Ctrl-C may be ignored, as it is in the background of a shell.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    try:
        from irpref.base import temporary
        from irpref.cli.main import main

        temporary.while_open = _stopped_by_others
        code = main()
    except Exception:
        # Too little memory to start or to say what ended it: Python would end with 1, which a gate decides.
        sys.excepthook(*sys.exc_info())
        code = 2
    sys.exit(code)


@contextmanager
def _stopped_by_others() -> Iterator[None]:
    """Signals that end the command stop it as Ctrl-C does, once a step is done; SIGHUP may be ignored."""
    numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    # Python hands signals to the main thread only, where alone they can be changed.
    own = threading.current_thread() is threading.main_thread()
    changed = [
        each for each in numbers if own and each and signal.getsignal(each) == signal.SIG_DFL
    ]
    for number in changed:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, _: object) -> None:
    """End at once: what is being imported, or closed at the end, may show an exception or swallow it."""
    try:
        # Where nothing has imported it, no temporary folder is open.
        if temporary := sys.modules.get("irpref.base.temporary"):
            temporary.remove_open()
        if number == signal.SIGINT and sys.stderr is not None:
            os.write(2, b"irpref: stopped\n")
    finally:
        if number != signal.SIGINT:
            # Whoever started it sees what ended it.
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        os._exit(128 + number)


if __name__ == "__main__":
    run()

"""The command ``irpref``, and ``python -m irpref``: Ctrl-C stops it with one line, whatever it is at.

Nothing but what that needs is imported here; ``irpref.cli.main`` takes a while.
"""

import os
import signal
import sys


def run() -> None:
    """Run the command line as a process of its own."""
    # irpref has workers of its own. Threads of BLAS only get in their way, and hang where memory is short.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Elsewhere Ctrl-C may be ignored, as it is in the background of a shell.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    from irpref.cli.main import main

    sys.exit(main())


def _stop(*_: object) -> None:
    """End at once: what is being imported, or closed at the end, may show an exception or swallow it."""
    try:
        # Where nothing has imported it, no temporary folder is open.
        if temporary := sys.modules.get("irpref.base.temporary"):
            temporary.remove_open()
        if sys.stderr is not None:
            os.write(2, b"irpref: stopped\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    run()

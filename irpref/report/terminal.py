"""What is said on stdout and stderr, wherever they lead: to a terminal, a pipe, a full disk, or nowhere."""

from __future__ import annotations

import codecs
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, TextIO

if TYPE_CHECKING:
    from rich.progress import TaskID

    from irpref.base.literals import Progress

_PATIENCE = 1.0

# Terminals that say they have no colour; without a name it may be anything.
_PLAIN = ("", "dumb", "unknown")
# What is like a sign in ASCII.
_SIGNS = {
    "─": "-",
    "…": "...",
    "†": "+",
    "‡": "#",
    "×": "x",
    "−": "-",
    "–": "-",
    "±": "+/-",
    "≥": ">=",
    "≤": "<=",
    "∞": "inf",
    "α": "alpha",
    "δ": "d",
    "τ": "tau",
    "Σ": "sum of",
    "²": "^2",
    "’": "'",
}


def terminal_width() -> int | None:
    """How many characters wide the terminal is; None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None


def terminal_encoding() -> str | None:
    """The encoding of stdout; None where every character can be printed."""
    return getattr(sys.stdout, "encoding", None)


def screen() -> dict[str, Any]:
    """The width, the encoding and the colour of what is shown on stdout, for :meth:`.Report.to_text`."""
    colour = has_colour(sys.stdout)
    return {"width": terminal_width(), "encoding": terminal_encoding(), "colour": colour}


def is_terminal(stream: TextIO | None) -> bool:
    """Whether people see at once what is written here."""
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # it is no file, or closed
        return False


def has_colour(stream: TextIO | None) -> bool:
    """Whether what is written here may be coloured.

    It is a terminal, which is not called ``dumb`` (``TERM``), and nobody wants it plain (``NO_COLOR``).
    """
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in _PLAIN
    return not plain and is_terminal(stream)


def show(text: str | bytes, *, data: bool = False) -> None:
    """Write to stdout, in the characters that it has.

    Args:
        text: What to write; bytes stay as they are.
        data: Whether it is for programs: a pipe or a file gets UTF-8, whatever the encoding of stdout.

    Raises:
        BrokenPipeError: The reader has gone away.
        OSError: Stdout is closed, or its disk is full.
    """
    out = check_stdout()
    try:
        if isinstance(text, bytes) or (data and not is_terminal(out) and hasattr(out, "buffer")):
            out.flush()
            out.buffer.write(text if isinstance(text, bytes) else text.encode())
        else:
            out.write(in_encoding(text, terminal_encoding()))
        out.flush()
    except OSError as error:
        _lead_nowhere(out)
        if isinstance(error, BrokenPipeError):
            raise
        raise OSError(f"stdout cannot be written to ({error.strerror})") from error


def check_stdout() -> TextIO:
    """Stdout, if it is open.

    Raises:
        OSError: It is closed.
    """
    out = sys.stdout
    if out is None or getattr(out, "closed", False):
        raise OSError("stdout is closed: open it, or write to a file with -o")
    return out


def tell(line: str) -> None:
    """Say a line on stderr, as far as anyone listens."""
    out = sys.stderr
    if out is None or getattr(out, "closed", False):
        return
    try:
        out.write(in_encoding(f"{line}\n", getattr(out, "encoding", None)))
        out.flush()
    except OSError:
        _lead_nowhere(out)


def tell_problem(kind: Literal["error", "warning"], problem: str) -> None:
    """Say on stderr what is wrong, or what may be."""
    words = f"irpref: {kind}:"
    if has_colour(sys.stderr):
        # rich is slow to import.
        from irpref.report.styles import PROBLEMS

        words = PROBLEMS[kind].render(words)
    tell(f"{words} {problem}")


def _lead_nowhere(stream: TextIO) -> None:
    """Python would try once more to write what is left when it ends, and complain."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


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


def in_encoding(text: str, encoding: str | None) -> str:
    r"""The text, with what an encoding cannot say in ASCII: signs by like ones, letters by their numbers.

    Args:
        text: Any text, halves of characters as well.
        encoding: The name of the encoding; None for one that can say everything.

    Example:
        >>> print(in_encoding("12 × 5 … naïve 文", "ascii"))
        12 x 5 ... na\xefve \u6587
    """
    return text if encoding is None else text.encode(encoding, _PLAINLY).decode(encoding)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    said = (_SIGNS.get(each) or each.encode("unicode_escape").decode() for each in characters)
    return "".join(said), error.end


_PLAINLY = "irpref.plainly"
codecs.register_error(_PLAINLY, _plainly)

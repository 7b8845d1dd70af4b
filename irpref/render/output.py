"""Where output goes: to a terminal of some width, or to a file, whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from irpref.errors import InputError

__all__ = ["check_writable", "terminal_width", "write_whole"]


def check_writable(path: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Refuse an output file that could not or must not be written, before any work is done for it.

    Args:
        path: Where to write; None for the terminal, which is always fine.
        inputs: The files that are read.

    Raises:
        InputError: Its folder does not exist, it is a folder itself, or one of the inputs.
    """
    if path is None:
        return
    if path.is_dir():
        raise InputError("this is a directory, not a file to write", source=path)
    if not path.absolute().parent.is_dir():
        raise InputError(
            "its folder does not exist", source=path, remedy="make it, or write elsewhere"
        )
    for file in inputs:
        # Two names, or two links, may lead to one file.
        if path.is_file() and file.exists() and path.samefile(file):
            raise InputError(
                f"writing here would destroy an input ({file})",
                source=path,
                remedy="give -o another file",
            )


def write_whole(path: Path, text: str) -> None:
    """Write a text beside its place and move it there, so that no half of it is ever seen.

    A link leads to the file that it names; a device or a pipe is written to, never replaced.

    Raises:
        InputError: It cannot be written.
    """
    # It is slow to import, and most output goes to the terminal.
    import tempfile

    temporary = None
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        path = path.resolve()
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            temporary = file.name
            file.write(text)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", source=path) from error
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def terminal_width() -> int | None:
    """How many characters wide the terminal is; None where the output goes elsewhere."""
    try:
        seen = sys.stdout.isatty()
    except (AttributeError, ValueError):  # there is no output, or it is closed
        seen = False
    return shutil.get_terminal_size().columns if seen else None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

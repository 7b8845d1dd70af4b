"""Files that are written: whole or not at all, and never over what must stay."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from irpref.base.errors import InputError
from irpref.report.terminal import is_terminal, show

STDOUT = Path("/dev/stdout")
"""The standard output, as a place to write to."""


def check_writable(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuse an output file that could not or must not be written, before any work is done for it.

    Args:
        path: Where to write.
        inputs: The files that are read.

    Raises:
        InputError: Its folder does not exist; it is a folder itself, a disk, or one of the inputs; or it
            or its folder is read-only.
    """
    refused = partial(InputError, source=path)
    if path == STDOUT:
        if is_terminal(sys.stdout):
            raise refused("a terminal cannot show this", remedy="write to a file, or to a pipe")
        return
    replaced, place = _is_replaced(path), _place(path)
    if place.is_symlink():
        raise refused("this links to itself", remedy="write to another file")
    folder = place.parent
    if not folder.is_dir():
        raise refused("its folder does not exist", remedy="make it, or write elsewhere")
    for file in inputs:
        # Two names, or two links, may lead to one file.
        if path.is_file() and file.exists() and path.samefile(file):
            destroyed = f"writing here would destroy an input ({file})"
            raise refused(destroyed, remedy="name another file")
    allow = "let it be written to (chmod u+w), or write"
    if path.exists() and not _may_write(path):
        raise refused("this file is read-only", remedy=f"{allow} to another file")
    # A file is written beside its place first.
    if replaced and not _may_write(folder):
        raise refused(f"its folder is read-only ({folder})", remedy=f"{allow} elsewhere")


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a text or a picture: see :func:`writing`.

    Raises:
        InputError: It cannot be written.
    """
    with writing(path) as new:
        new.write_bytes(text.encode() if isinstance(text, str) else text)


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A file to fill, which gets to its place once it is whole: no half of it is ever seen.

    A file that exists is replaced, and keeps its mode and owner. A link leads to the file that it names.
    What is no file, such as a pipe, a device or :data:`STDOUT`, is never replaced: it is written to. What
    stops the process meanwhile leaves all as it was.

    Raises:
        InputError: It cannot be written.
    """
    # It is slow to import, and most output goes to the terminal.
    from irpref.base.temporary import temporary_folder

    if path == STDOUT:
        with temporary_folder(tempfile.gettempdir()) as folder:
            yield folder / "new"
            show((folder / "new").read_bytes())
        return
    try:
        place = _place(path)
        with suppress(OSError):
            place.lstat()
    except ValueError as error:
        # No file can have such a name.
        raise _unwritten(path, error) from error
    replaced = _is_replaced(path)
    try:
        with temporary_folder(place.parent if replaced else tempfile.gettempdir()) as folder:
            # Not with the name of the file, which may be as long as a name can be.
            new = folder / "new"
            yield new
            if not replaced:
                with new.open("rb") as content, path.open("wb") as pipe:
                    shutil.copyfileobj(content, pipe)
                return
            if place.exists():
                _take_after(new, place)
            os.replace(new, place)
    except OSError as error:
        raise _unwritten(path, error) from error


def _is_replaced(path: Path) -> bool:
    """Whether a file is or can be there, which another one may replace; else it is a pipe or a device.

    Raises:
        InputError: It is something else, such as a folder or a disk.
    """
    if path.is_file() or not path.exists():
        return True
    if not (path.is_fifo() or path.is_char_device()):
        problem = "this is neither a file nor a pipe"
        if path.is_dir():
            problem = "this is a directory, not a file to write"
        raise InputError(problem, source=path, remedy="write to a file")
    return False


def _unwritten(path: Path, error: Exception) -> InputError:
    why = getattr(error, "strerror", None) or error
    return InputError(f"cannot be written ({why})", source=path)


def _take_after(path: Path, other: Path) -> None:
    """Give a file the owner and the mode of another."""
    new, old = os.stat(path), os.stat(other)
    mode = stat.S_IMODE(old.st_mode)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.chown(path, old.st_uid, old.st_gid)
        except PermissionError:
            # "Runs as its owner" must not change who that is.
            mode &= ~(stat.S_ISUID | stat.S_ISGID)
    os.chmod(path, mode)


def _place(path: Path) -> Path:
    """Where a file is, links followed."""
    return Path(os.path.realpath(path))


def _may_write(path: Path) -> bool:
    """Whether someone may write here, and we are one of them: for root the mode alone forbids it."""
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & 0o222)

"""Files that are written: whole or not at all, and never over what must stay."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from irpref.base.errors import InputError
from irpref.base.workers import umask

# What ends a process; not every system has all of them.
_ENDING = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]


def check_writable(path: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Refuse an output file that could not or must not be written, before any work is done for it.

    Args:
        path: Where to write; None for the terminal, which is always fine.
        inputs: The files that are read.

    Raises:
        InputError: Its folder does not exist, it is a folder itself, or one of the inputs, or it or its
            folder is read-only.
    """
    if path is None:
        return
    refused = partial(InputError, source=path)
    if path.is_dir():
        raise refused("this is a directory, not a file to write")
    place = _place(path)
    if place.is_symlink():
        raise refused("this links to itself", remedy="write to another file")
    folder = place.parent
    if not folder.is_dir():
        raise refused("its folder does not exist", remedy="make it, or write elsewhere")
    for file in inputs:
        # Two names, or two links, may lead to one file.
        if path.is_file() and file.exists() and path.samefile(file):
            destroyed = f"writing here would destroy an input ({file})"
            raise refused(destroyed, remedy="give -o another file")
    allow = "let it be written to (chmod u+w), or write"
    if path.exists() and not _may_write(path):
        raise refused("this file is read-only", remedy=f"{allow} to another file")
    # A file is written beside its place first; a device or a pipe is not.
    if (path.is_file() or not path.exists()) and not _may_write(folder):
        raise refused(f"its folder is read-only ({folder})", remedy=f"{allow} elsewhere")


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a text or a picture beside its place and move it there, so that no half of it is ever seen.

    A file that exists keeps its mode and owner. A link leads to the file that it names; a device or a pipe
    is written to, never replaced. Ctrl-C and SIGTERM wait until the file is whole.

    Raises:
        InputError: It cannot be written.
    """
    content = text.encode() if isinstance(text, str) else text
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        with _signals_wait():
            _replace(_place(path), content)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", source=path) from error


def _replace(place: Path, content: bytes) -> None:
    # It is slow to import, and most output goes to the terminal.
    import tempfile

    temporary = None
    try:
        # Not with the name of the file, which may be as long as a name can be.
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".irpref-", delete=False) as file:
            temporary = file.name
            file.write(content)
        if place.exists():
            _take_after(temporary, place)
        else:
            os.chmod(temporary, 0o666 & ~umask())
        os.replace(temporary, place)
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _take_after(path: str, other: Path) -> None:
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


@contextmanager
def _signals_wait() -> Iterator[None]:
    """What would end the process comes when this is done, so that nothing half-written stays behind."""
    came: list[int] = []
    # Python hands signals to the main thread only, where alone they can be changed.
    main = threading.current_thread() is threading.main_thread()
    before = {each: signal.getsignal(each) for each in _ENDING if each is not None and main}
    for each, handler in before.items():
        if handler not in (signal.SIG_IGN, None):
            signal.signal(each, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for each, handler in before.items():
            if handler is not None:
                signal.signal(each, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def _place(path: Path) -> Path:
    """Where a file is, links followed."""
    return Path(os.path.realpath(path))


def _may_write(path: Path) -> bool:
    """Whether someone may write here, and we are one of them: for root the mode alone forbids it."""
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & 0o222)

"""Temporary folders: they go when their work is done or stopped, and what a killed process left goes next.

The command removes them before a signal ends it (``while_open``). A library leaves signals alone, and of
SIGKILL no process knows: so each folder has a lock, which the system takes from whoever is gone.
"""

from __future__ import annotations

import glob
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from irpref.base.errors import warn

if sys.platform != "win32":
    import fcntl

_LOCK, _CONTENT = "lock", "content"
# Locks of other machines may not be seen, though their folders are.
_PREFIX = f".irpref-{platform.node()}-"
# What a signal that ends the command has to remove.
_OPEN: set[Path] = set()
while_open: Callable[[], AbstractContextManager[None]] = nullcontext
"""What is done around a folder; the command sets it, to handle signals there."""
if hasattr(os, "register_at_fork"):
    # A forked process has none of its own.
    os.register_at_fork(after_in_child=_OPEN.clear)


@contextmanager
def temporary_folder(place: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder that is there for a while; what is left in it goes with it, and it may be moved elsewhere.

    What killed processes have left in the same place is removed, with a warning that names it.

    Args:
        place: The folder to make it in.

    Raises:
        OSError: It cannot be made.

    Example:
        >>> from tempfile import gettempdir
        >>> with temporary_folder(gettempdir()) as folder:
        ...     _ = (folder / "part").write_text("rows")
        >>> folder.exists()
        False
    """
    _remove_left(Path(place))
    folder, lock = Path(place, f"{_PREFIX}{secrets.token_hex(8)}"), None
    with while_open():
        # First of all: a signal may come as soon as it is there.
        _OPEN.add(folder)
        try:
            folder.mkdir(mode=0o700)
            lock = _locked(folder)
            content = folder / _CONTENT
            content.mkdir()
            yield content
        finally:
            if folder in _OPEN:
                _remove(folder)
            _OPEN.discard(folder)
            if lock is not None:
                os.close(lock)


def remove_open() -> None:
    """Remove the temporary folders of this process, which is about to end."""
    for folder in list(_OPEN):
        _remove(folder)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder / _CONTENT, ignore_errors=True)
    # If something is left, the lock has to stay, so that it is found.
    if not (folder / _CONTENT).exists():
        shutil.rmtree(folder, ignore_errors=True)


def _locked(folder: Path) -> int | None:
    """The open lock of a folder; None where there are no locks, so that nobody takes it for left behind."""
    unlocked = folder / "unlocked"
    lock = os.open(unlocked, os.O_CREAT | os.O_RDWR)
    try:
        _lock(lock)
    except OSError:
        os.close(lock)
        return None
    # Others see it only now that it is locked.
    unlocked.rename(folder / _LOCK)
    return lock


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed.

    Raises:
        OSError: Another process has locked it, or there are no locks here.
    """
    if sys.platform == "win32":
        raise OSError("no locks are taken on Windows")
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_left(place: Path) -> None:
    """Remove the folders whose processes are gone."""
    for found in list(place.glob(f"{glob.escape(_PREFIX)}*/{_LOCK}")):
        folder = found.parent
        # It may be in use, have just gone, or be somebody else's.
        with suppress(OSError), open(found, "r+b") as lock:
            _lock(lock.fileno())
            # Whoever removes it holds the lock until the last file is gone.
            if found.exists():
                _remove(folder)
                done = "cannot be removed" if folder.exists() else "was removed"
                warn(f"{folder} {done}: an irpref that was killed had left it behind")

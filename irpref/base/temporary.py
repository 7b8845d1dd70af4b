"""Temporary folders: they go when their work is done or stopped; what a killed process left is named.

The command removes them before a signal ends it (``while_open``). A library leaves signals alone, and of
SIGKILL no process knows: the name of a folder says whose it is, so that the next one sees what was left.
"""

from __future__ import annotations

import glob
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from irpref.base.errors import warn

# Of processes of other machines nobody knows here, though their folders may be seen.
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

    A warning names what killed processes have left in the same place.

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
    _name_left(Path(place))
    with while_open():
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place))
        _OPEN.add(folder)
        try:
            content = folder / "content"
            content.mkdir()
            yield content
        finally:
            if folder in _OPEN:
                shutil.rmtree(folder, ignore_errors=True)
            _OPEN.discard(folder)


def remove_open() -> None:
    """Remove the temporary folders of this process, which is about to end."""
    for folder in list(_OPEN):
        shutil.rmtree(folder, ignore_errors=True)


def _name_left(place: Path) -> None:
    """Warn of the folders whose processes are gone."""
    for folder in place.glob(f"{glob.escape(_PREFIX)}*"):
        number = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if number.isdecimal() and not _runs(int(number)):
            warn(f"{folder}: an irpref that was killed has left this behind; remove it")


def _runs(process: int) -> bool:
    """Whether there is such a process, or nobody can say."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        # It is somebody else's, or no number of a process.
        pass
    return True

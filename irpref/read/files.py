"""The bytes of a file, whatever it is: plain or gzipped, a pipe, or an open file."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from isal import igzip, igzip_lib

from irpref.base.errors import InputError
from irpref.base.escape import shortened

GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
_OTHER_PACKERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "ZIP",
    GZIP: "gzip",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# As many bytes as tell what a file is.
_BEGINNING = 8
_DAMAGED = (EOFError, gzip.BadGzipFile, igzip_lib.IsalError, zlib.error)
# Runs, qrels and texts shrink to a tenth or so. What grows more than this has been made to fill the memory.
_GROWTH = 100
_HARMLESS = 1 << 28
_CHUNK = 1 << 18


def is_open_file(data: Any) -> bool:
    """Whether it is an open file, such as ``sys.stdin.buffer``."""
    return callable(getattr(data, "read", None)) and not hasattr(data, "columns")


@contextmanager
def opened(file: Any, source: str) -> Iterator[BinaryIO]:
    """What a file holds, as a stream; decompressed if its content (not its name) is gzip.

    The file is opened once: what was read of a pipe is gone.

    Args:
        file: A path, or an open file, which stays open.
        source: Its name in errors.

    Raises:
        InputError: The file is missing, a directory, a device, or packed in another way. Reading the
            stream raises it where the file is unreadable, or a gzip file that is damaged or grows without
            bound.
    """
    with nullcontext(file) if is_open_file(file) else _opened_path(file, source) as given:
        _refuse_device(given, source)
        content = _Content(given, source)
        if content.beginning.startswith(GZIP):
            unpacked = igzip.IGzipFile(fileobj=io.BufferedReader(content, _CHUNK))
            content = _Content(unpacked, source, packed=content)
        _refuse_other_packers(content.beginning, source)
        yield io.BufferedReader(content, _CHUNK)


def read_bytes(file: Any, source: str) -> bytes:
    """All that a file holds: see :func:`opened`.

    Raises:
        InputError: It cannot be read, or is empty.
    """
    with _reading(source), opened(file, source) as content:
        data = content.read()
    # A look at the first bytes spares a copy of the whole file.
    if not data[:4096].strip() and not data.strip():
        raise InputError("the file is empty", source=source)
    return data


def first_bytes(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of what a file holds; see :func:`opened`."""
    with opened(path, os.fspath(path)) as content:
        return content.read(size)


def begins(path: str | os.PathLike[str], mark: bytes) -> bool:
    """Whether a file begins with a mark; False if it cannot be read, which is told of when it is."""
    try:
        with open(path, "rb") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


class _Content(io.RawIOBase):
    """The bytes that a file gives, from the first one on, though its beginning was looked at before.

    Attributes:
        beginning: The first bytes.
        given: How many bytes the file gave.
    """

    def __init__(self, file: Any, source: str, packed: _Content | None = None) -> None:
        self._file, self._source, self._packed = file, source, packed
        self.given, self._ahead = 0, b""
        while len(self._ahead) < _BEGINNING and (piece := self._next(_BEGINNING)):
            self._ahead += piece
        self.beginning = self._ahead
        if isinstance(file, io.FileIO) and file.seekable():
            # So all of it is read at once, and not copied.
            file.seek(-len(self._ahead), os.SEEK_CUR)
            self._ahead = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._ahead or self._next(len(buffer))
        size = min(len(buffer), len(piece))
        buffer[:size] = piece[:size]
        self._ahead = piece[size:]
        return size

    def readall(self) -> bytes:
        if self._packed is None:
            return self._ahead + self._next(-1)
        content = io.BytesIO(self._ahead)
        content.seek(0, os.SEEK_END)
        while piece := self._next(_CHUNK):
            content.write(piece)
        return content.getvalue()

    def _next(self, size: int) -> bytes:
        """So many bytes at most; of a file of text perhaps more."""
        with _reading(self._source):
            piece = self._file.read(size)
        content = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
        self.given += len(content)
        if self._packed is not None and self.given > max(_HARMLESS, _GROWTH * self._packed.given):
            raise InputError(
                f"the gzip file grows to more than {_GROWTH} times its size, as no run or text does",
                source=self._source,
                remedy="unpack it and look at what it holds",
            )
        return content


def _opened_path(path: str | os.PathLike[str], source: str) -> io.FileIO:
    with _reading(source):
        return Path(path).open("rb", buffering=0)


@contextmanager
def _reading(source: str) -> Iterator[None]:
    """What is raised inside where a file cannot be read becomes an InputError."""
    try:
        yield
    except InputError:
        raise
    except _DAMAGED as error:
        problem = f"the gzip file is cut short or damaged ({shortened(str(error), 60)})"
        raise InputError(problem, source=source, remedy="fetch or compress it again") from error
    except FileNotFoundError:
        remedy = None
        if any(sign in source for sign in "*?["):
            remedy = (
                "irpref opens every name as it is: list the files, for example with pathlib's glob"
            )
        raise InputError("there is no such file", source=source, remedy=remedy) from None
    except IsADirectoryError:
        raise InputError(
            "this is a directory, not a file", source=source, remedy="name the files in it"
        ) from None
    except MemoryError:
        raise InputError("the file does not fit into memory", source=source) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({why})", source=source) from error


def _refuse_device(file: Any, source: str) -> None:
    """Refuse a device that is no terminal: /dev/zero never ends."""
    try:
        number = file.fileno()
        is_device = stat.S_IFMT(os.fstat(number).st_mode) in (stat.S_IFCHR, stat.S_IFBLK)
    except (AttributeError, OSError, ValueError):
        # It is in memory, or what is wrong with it is said when it is read.
        return
    if is_device and not os.isatty(number):
        raise InputError("this is a device, not a file", source=source)


def _refuse_other_packers(beginning: bytes, source: str) -> None:
    """Refuse a file that begins as one in UTF-16 does, or as one that another packer packed."""
    for mark, packer in _OTHER_PACKERS.items():
        if beginning.startswith(mark):
            raise InputError(
                f"this is a file packed by {packer}", source=source, remedy="unpack it first"
            )
    if beginning.startswith(_UTF_16):
        raise InputError("this text is in UTF-16", source=source, remedy="save the file in UTF-8")

"""The bytes of a file, whatever it is: plain or gzipped, a pipe, or an open file."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from isal import igzip, igzip_lib

from irpref.base.errors import InputError
from irpref.base.escape import shortened

GZIP, PARQUET, ZIP = b"\x1f\x8b", b"PAR1", b"PK\x03\x04"
_OTHER_PACKERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    ZIP: "ZIP",
    GZIP: "gzip",
}
# The longer marks first: in UTF-32 the first one begins as in UTF-16.
_ENCODINGS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
# As many bytes as tell what a file is.
_BEGINNING = 8
# Text shrinks to a tenth or so, Parquet where all topics have one list to a 200th. What grows more than
# this has been made to fill the memory.
_GROWTH = 300
_HARMLESS = 1 << 26
_SHORTEST_LINE = 8
_CHUNK = 1 << 16
_LIST_THEM = "irpref opens every name as it is: list the files, for example with pathlib's glob"


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
        if _is_device(given):
            raise InputError("this is a device, not a file", source=source)
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
    with reading_file(source), opened(file, source) as content:
        data = content.read()
    # A look at the first bytes spares a copy of the whole file.
    if not data[:4096].strip() and not data.strip():
        raise InputError("the file is empty", source=source)
    return data


def first_bytes(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of what a file holds; none if it cannot be read, which is told of when it is."""
    # A pipe can be read once.
    if os.path.isfile(path):
        with suppress(InputError), opened(path, os.fspath(path)) as content:
            return content.read(size)
    return b""


def begins(path: str | os.PathLike[str], mark: bytes) -> bool:
    """Whether a file begins with a mark; False if it cannot be read, which is told of when it is."""
    # A pipe can be read once: a look at its beginning would take that away.
    if os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as file:
            return file.read(len(mark)) == mark
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
        """At most so many bytes; a file of text may give more."""
        with reading_file(self._source):
            piece = self._file.read(size)
            content = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
            self.given += len(content)
        if self._packed is not None:
            refuse_growth(self.given, self._packed.given, self._source)
        return content


def refuse_growth(unpacked: int, packed: int, source: str, *, rows: int = 0) -> None:
    """Refuse a file that unpacks to far more than it is, as no qrels or runs do.

    Args:
        unpacked: To how many bytes, so far.
        packed: How many bytes it has.
        source: Its name in errors.
        rows: How many rows of Parquet it has, of which each takes memory, though no room in the file.

    Raises:
        InputError: It does.
    """
    if max(unpacked, rows * _SHORTEST_LINE) > max(_HARMLESS, _GROWTH * packed):
        problem = f"the file grows to more than {_GROWTH} times its size, as no qrels or runs do"
        remedy = "unpack it and look at what it holds"
        raise InputError(problem, source=source, remedy=remedy)


def _opened_path(path: str | os.PathLike[str], source: str) -> io.FileIO:
    with reading_file(source):
        return Path(path).open("rb", buffering=0)


@contextmanager
def reading_file(source: str, remedy: str | None = None) -> Iterator[None]:
    """What is raised inside where a file cannot be read becomes an InputError.

    Args:
        source: Its name in errors.
        remedy: What to do if there is no such file.
    """
    refused = partial(InputError, source=source)
    try:
        yield
    except InputError:
        raise
    except (EOFError, gzip.BadGzipFile, zlib.error, igzip_lib.IsalError) as error:
        problem = f"the gzip file is cut short or damaged ({shortened(str(error), 60)})"
        raise refused(problem, remedy="fetch or compress it again") from error
    except FileNotFoundError:
        if remedy is None and any(sign in source for sign in "*?["):
            remedy = _LIST_THEM
        raise refused("there is no such file", remedy=remedy) from None
    except IsADirectoryError:
        raise refused("this is a directory, not a file", remedy="name a file in it") from None
    except MemoryError:
        raise refused("the file does not fit into memory") from None
    except (OSError, ValueError, TypeError) as error:
        # An open file may be no such thing as it seems.
        raise refused(f"cannot be read ({getattr(error, 'strerror', None) or error})") from error


def _is_device(file: Any) -> bool:
    """Whether it is a device that is no terminal: /dev/zero never ends."""
    # What is in memory or closed has no number.
    with suppress(AttributeError, OSError, ValueError):
        number = file.fileno()
        return stat.S_ISCHR(os.fstat(number).st_mode) and not os.isatty(number)
    return False


def _refuse_other_packers(beginning: bytes, source: str) -> None:
    """Refuse a file that begins as one in UTF-16 or UTF-32 does, or as one that another packer packed."""
    for mark, packer in _OTHER_PACKERS.items():
        if beginning.startswith(mark):
            problem, remedy = f"this is a file packed by {packer}", "unpack it first"
            if mark == ZIP:
                remedy += (
                    "; a saved collection must be a file, no pipe, in the place of qrels and runs"
                )
            raise InputError(problem, source=source, remedy=remedy)
    for mark, encoding in _ENCODINGS.items():
        if beginning.startswith(mark):
            problem = f"this text is in {encoding}"
            raise InputError(problem, source=source, remedy="save the file in UTF-8")

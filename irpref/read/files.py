"""The bytes of a file, whatever it is: plain or gzipped, a pipe, or an open file."""

from __future__ import annotations

import gzip
import io
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from isal import igzip, igzip_lib

from irpref.base.errors import InputError, refusing

GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
_OTHER_PACKERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "ZIP",
    GZIP: "gzip",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# Runs and qrels shrink to a tenth or so. What grows more than this has been made to fill the memory.
_GROWTH = 100
_HARMLESS = 1 << 28
_CHUNK = 1 << 18


def is_open_file(data: Any) -> bool:
    """Whether it is an open file, such as ``sys.stdin.buffer``."""
    return callable(getattr(data, "read", None)) and not hasattr(data, "columns")


def read_bytes(file: Any, source: str) -> bytes:
    """Read a file; decompress it if its content (not its name) is gzip.

    Args:
        file: A path, or an open file.
        source: Its name in errors.

    Raises:
        InputError: The file is missing, a directory, a device, empty, unreadable, a gzip file that is
            damaged or grows without bound, or packed in another way.
    """
    remedy = None
    if any(sign in source for sign in "*?[") and not is_open_file(file):
        remedy = "irpref opens every name as it is: list the files, for example with pathlib's glob"
    with reading_file(source, remedy):
        data = file.read() if is_open_file(file) else _content(Path(file), source)
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        if data.startswith(GZIP):
            data = _unpacked(data, source)
    refuse_other_packers(data, source)
    # A look at the first bytes spares a copy of the whole file.
    if not data[:4096].strip() and not data.strip():
        raise InputError("the file is empty", source=source)
    return data


@contextmanager
def reading_file(source: str, remedy: str | None = None) -> Iterator[None]:
    """What is raised inside where a file cannot be read becomes an InputError.

    Args:
        source: Its name in errors.
        remedy: What to do if there is no such file.
    """
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("there is no such file", source=source, remedy=remedy) from None
    except MemoryError:
        raise InputError("the file does not fit into memory", source=source) from None
    except (OSError, ValueError, EOFError) as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({problem})", source=source) from error


def refuse_other_packers(data: bytes, source: str) -> None:
    """Refuse a file that begins as one in UTF-16 does, or as one that another packer packed.

    Raises:
        InputError: It does.
    """
    for mark, packer in _OTHER_PACKERS.items():
        if data.startswith(mark):
            raise InputError(
                f"this is a file packed by {packer}", source=source, remedy="unpack it first"
            )
    if data.startswith(_UTF_16):
        raise InputError("this text is in UTF-16", source=source, remedy="save the file in UTF-8")


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """A file, opened to read what it holds, whether gzipped or not."""
    return cast("BinaryIO", igzip.open(path) if begins(path, GZIP) else open(path, "rb"))


def begins(path: str | os.PathLike[str], mark: bytes) -> bool:
    """Whether a file begins with a mark; False if it cannot be read, which is told of when it is."""
    try:
        with open(path, "rb") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


def first_bytes(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of what a file holds, whether gzipped or not.

    Raises:
        InputError: The gzip file is damaged.
    """
    with unpacking(str(path)), opened(path) as file:
        return file.read(size)


def unpacking(source: str) -> AbstractContextManager[None]:
    """What is raised inside by a gzip file that is damaged becomes an InputError."""
    return refusing(
        "the gzip file is cut short or damaged",
        EOFError,
        gzip.BadGzipFile,
        igzip_lib.IsalError,
        source=source,
        remedy="fetch or compress it again",
        longest=60,
    )


def _content(path: Path, source: str) -> bytes:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise InputError(
            "this is a directory, not a file", source=source, remedy="name the files in it"
        )
    if stat.S_ISCHR(mode) and os.path.realpath(path) != os.path.realpath("/dev/stdin"):
        # /dev/zero never ends.
        raise InputError("this is a device, not a file", source=source)
    return path.read_bytes()


def _unpacked(packed: bytes, source: str) -> bytes:
    """The content of all members of a gzip file, in pieces, so that it cannot grow without bound."""
    most = max(_HARMLESS, _GROWTH * len(packed))
    content = io.BytesIO()
    with unpacking(source), igzip.IGzipFile(fileobj=io.BytesIO(packed)) as file:
        while piece := file.read(_CHUNK):
            content.write(piece)
            if content.tell() > most:
                raise InputError(
                    f"the gzip file grows to more than {_GROWTH} times its size, as no run does",
                    source=source,
                    remedy="unpack it and look at what it holds",
                )
    return content.getvalue()

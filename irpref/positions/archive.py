"""An archive: a zip of Parquet tables and a header, opened once, and checked as it is read."""

from __future__ import annotations

import io
import json
import os
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import finalize
from zipfile import ZIP_STORED, ZipFile, ZipInfo
from zlib import crc32

import polars as pl

from irpref.base.arrays import memory_here
from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.base.version import __version__
from irpref.base.workers import require_threads
from irpref.read.files import ZIP, reading_file

HEADER = "irpref.json"
"""The name of the header in the file."""
# Before each table: the same mark, the length of its name, and that of what follows the name.
_LOCAL = struct.Struct("<4s22xHH")
# A name that is not ASCII sets this flag, which says nothing else.
_UTF_8 = 0x800
_CHANGED = "the file was changed since it was opened"
# What a value takes in memory; those of other types take 8 bytes at least.
_BYTES: dict[Any, int] = {pl.Boolean: 1, pl.Int8: 1, pl.Int16: 2, pl.Int32: 4}


@dataclass(frozen=True)
class Form:
    """What an archive holds, and in which form.

    Attributes:
        noun: What it holds, such as ``"collection"``; the header has the number as ``irpref_collection``.
        number: The number of the form; what reads it refuses other ones.
        remedy: How to make one, for the error.
    """

    noun: str
    number: int
    remedy: str


@dataclass(frozen=True)
class Column:
    """What a column of a table may hold.

    Attributes:
        dtype: The type: of an integer, whole numbers of any size, which become such; Float64, numbers;
            Boolean; None, anything but lists.
        least: The least number.
        end: All numbers are below.
        nulls: Whether a value may be missing.
        optional: Whether the table may lack the column.
    """

    dtype: Any = None
    least: float = -float("inf")
    end: float = float("inf")
    nulls: bool = False
    optional: bool = False

    def checked(self, values: pl.Series) -> pl.Series:
        """The values, as they are expected.

        Raises:
            ValueError: One is of another type, out of range, not finite or missing.
        """
        dtype, whole = values.dtype, values.dtype.is_integer()
        fitting: dict[Any, bool] = {None: not dtype.is_nested(), pl.Boolean: dtype == pl.Boolean}
        fitting[pl.Float64] = whole or dtype.is_float()
        right = fitting.get(self.dtype, whole) and (self.nulls or not values.has_nulls())
        if right and self.dtype not in (None, pl.Boolean):
            low: Any = values.min()
            high: Any = values.max()
            right = low is None or self.least <= low <= high < self.end
            right &= whole or bool(values.is_finite().all())
        if not right:
            raise ValueError(f"a value of the column {shortened(values.name)} is out of range")
        return values if self.dtype in fitting else values.cast(self.dtype)


class ArchiveWriter:
    """A file that is being written: table after table, then the header."""

    def __init__(self, file: ZipFile, form: Form) -> None:
        require_threads()
        self._file, self._form = file, form
        self._tables: dict[str, dict[str, int]] = {}

    def add(self, name: str, table: pl.DataFrame) -> None:
        """Write a table."""
        content = io.BytesIO()
        table.write_parquet(content, compression="zstd", statistics=False)
        written = content.getbuffer()
        # Without the time of day, the same tables are the same bytes.
        self._file.writestr(ZipInfo(f"{name}.parquet"), written)
        self._tables[name] = {"rows": table.height, "crc32": crc32(written)}

    def finish(self, header: Mapping[str, Any]) -> None:
        """Write the header."""
        form = {f"irpref_{self._form.noun}": self._form.number, "irpref": __version__}
        text = json.dumps({**form, **header, "tables": self._tables}, indent=1)
        self._file.writestr(ZipInfo(HEADER), text)


class Archive:
    """An archive that is open: all that is read is of that file, even where another one takes its place.

    Threads and forked processes may read from it at once. Sent to another process, it is opened anew there.

    Attributes:
        path: The file.
        tables: By table, how many rows it has, and its checksum.
        header: What else the writer wrote of the whole.
    """

    def __init__(self, path: str, form: Form, checksum: int | None = None) -> None:
        """Open it, and read the header.

        Args:
            path: The file.
            form: What it must hold.
            checksum: Of a header that it must have, and so of all tables, whose checksums are in it.

        Raises:
            InputError: It is damaged, something else, or of another form, or has another header.
        """
        self.path, self._form = path, form
        refused = partial(InputError, source=path)
        with reading_file(path):
            # What is read from a pipe is gone.
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise refused(f"this is no file that can hold a {form.noun}")
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        finalize(self, os.close, self._file)
        self._state = self._state_now()
        with self.reading():
            with open(self._file, "rb", closefd=False) as file, ZipFile(file) as directory:
                entries = directory.infolist()
            self._entries = {entry.filename: entry for entry in entries}
            header = json.loads(self._bytes(HEADER))
            number, version = header.pop(f"irpref_{form.noun}"), str(header.pop("irpref"))
            if number == form.number:
                self.tables: dict[str, Any] = header.pop("tables")
                names = [HEADER, *(f"{name}.parquet" for name in self.tables)]
                if sorted(names) != sorted(entry.filename for entry in entries):
                    raise ValueError("its tables are not those of the header")
        if number != form.number:
            problem = f"irpref {shortened(version)} saved this {form.noun}, in another form"
            raise refused(problem, remedy="read it with that version, or save it again")
        self.header: dict[str, Any] = header
        self._checksum = self._entries[HEADER].CRC
        if checksum not in (None, self._checksum):
            raise refused(_CHANGED, remedy="open it again")

    def __reduce__(self) -> tuple[Any, ...]:
        return Archive, (self.path, self._form, self._checksum)

    def table(
        self,
        name: str,
        columns: Mapping[str, Column],
        *,
        rows: int | None = None,
        only: Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """A table, of which some columns are decoded.

        Args:
            name: Its name.
            columns: All its columns, in their order, and what each may hold.
            rows: How many rows it must have; any number if not given.
            only: The columns to decode; all if not given.

        Raises:
            ValueError: It is not as it was written, or as declared; or whatever polars raises.
        """
        content = io.BytesIO(self._bytes(f"{name}.parquet"))
        frame = pl.scan_parquet(content)
        schema = frame.collect_schema()
        height = frame.select(pl.len()).collect().item()
        declared = [
            column for column in columns if column in schema or not columns[column].optional
        ]
        written = {"rows": height, "crc32": self._entries[f"{name}.parquet"].CRC}
        if list(schema) != declared or rows not in (None, height) or self.tables[name] != written:
            raise ValueError(f"the table {name} has another shape")
        if height * sum(_BYTES.get(schema[column], 8) for column in only or schema) > memory_here():
            raise MemoryError
        table = pl.read_parquet(content, columns=None if only is None else list(only))
        return pl.DataFrame([columns[values.name].checked(values) for values in table])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What is raised inside, where the file is not as it was written, becomes an InputError.

        Raises:
            InputError: Anything was raised.
            RuntimeError: See :func:`.require_threads`.
        """
        require_threads()
        try:
            yield
        except InputError:
            raise
        # Of such files zipfile, json, NumPy and polars raise anything.
        except (Exception, pl.exceptions.PanicException) as error:
            refused = partial(InputError, source=self.path)
            if self._state_now() != self._state:
                raise refused(_CHANGED, remedy="open it again") from error
            if isinstance(error, MemoryError):
                raise refused("it does not fit into memory") from error
            problem = f"this is no {self._form.noun} that irpref saved, or a damaged one"
            why = shortened(str(error), 100)
            raise refused(f"{problem} ({why})", remedy=self._form.remedy) from error

    def _state_now(self) -> tuple[int, int]:
        """What changes where somebody writes to the file."""
        state = os.fstat(self._file)
        return state.st_size, state.st_mtime_ns

    def _bytes(self, name: str) -> bytes:
        """What a member of the file holds, which must have its checksum."""
        entry = self._entries[name]
        plain = entry.compress_type == ZIP_STORED and not entry.flag_bits & ~_UTF_8
        if not plain or entry.file_size != entry.compress_size:
            raise ValueError("its tables are packed again")
        signature, *lengths = _LOCAL.unpack(self._at(entry.header_offset, _LOCAL.size))
        content = self._at(entry.header_offset + _LOCAL.size + sum(lengths), entry.file_size)
        if signature != ZIP or crc32(content) != entry.CRC:
            raise ValueError(f"the checksum of {name} is wrong")
        return content

    def _at(self, start: int, size: int) -> bytes:
        """Some of the bytes from a place on: other readers have a place of their own."""
        if start + size > os.fstat(self._file).st_size:
            raise ValueError("it ends early")
        content = os.pread(self._file, size, start)
        # The system reads two gigabytes at once, at most.
        while len(content) < size and (more := os.pread(self._file, size, start + len(content))):
            content += more
        return content[:size]

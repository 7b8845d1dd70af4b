"""Rows in Parquet: files, folders of files with a manifest, and what one system has in them."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl
from isal import isal_zlib

from irpref.base.errors import InputError, refusing
from irpref.base.escape import is_whole, shortened, shown
from irpref.base.reading_options import Reading
from irpref.base.version import __version__
from irpref.read.column_names import columns_found
from irpref.read.columns import column_of_pandas, names_of
from irpref.read.files import PARQUET, begins, reading_file
from irpref.read.given_frames import DAMAGE, table_from_object
from irpref.read.mteb import refuse_others
from irpref.read.text import EMPTY, Kind, Rows

MANIFEST = "_irpref.json"
"""Its name; Spark, pandas, Dask and others leave out what begins so."""
_MARK = re.compile(f"/(?!{MANIFEST}$)[_.]")
_FORM = 1
_REMEDY = f"convert again, or, if this was meant, remove {MANIFEST}, and nothing is checked"


@dataclass(frozen=True)
class WrittenFile:
    """A file as it was when it was written.

    Attributes:
        system: Whose rows it has; None for qrels.
        rows: How many.
        bytes: How large it is.
        crc32: The checksum of its bytes. It is for accidents: who means harm writes the manifest anew.
    """

    system: str | None
    rows: int
    bytes: int
    crc32: int

    def __post_init__(self) -> None:
        numbers = (self.rows, self.bytes, self.crc32)
        if not all(isinstance(number, int) for number in numbers):
            raise TypeError("these are no numbers")

    @classmethod
    def of(cls, file: Path, system: str | None, rows: int) -> WrittenFile:
        """What a file is now."""
        content = file.read_bytes()
        return cls(system, rows, len(content), isal_zlib.crc32(content))

    def changed(self, file: object, how: str) -> InputError:
        """The error for the file, which is another one now."""
        whose = "of the qrels" if self.system is None else f"of run {shown(self.system)}"
        problem = f"irpref convert wrote this file {whose}, and {how}"
        return InputError(problem, source=str(file), remedy=_REMEDY)


def refuse_other_content(file: Path, written: WrittenFile | None) -> None:
    """Raise an InputError if a file that was written, if it was, has another content now."""
    if written is not None and written != WrittenFile.of(file, written.system, written.rows):
        raise written.changed(file, "it has another content now")


def write_manifest(folder: Path, parts: int, files: Mapping[Path, WrittenFile]) -> None:
    """Write the manifest of a folder, of those of the files that are in it; there are so many parts."""
    inside = {
        file.relative_to(folder).as_posix(): asdict(of)
        for file, of in files.items()
        if folder in file.parents
    }
    systems = sorted({of["system"] for of in inside.values()} - {None})
    about = {"irpref_parts": _FORM, "irpref": __version__, "parts": parts, "systems": systems}
    content = json.dumps({**about, "files": inside}, indent=1)
    (folder / MANIFEST).write_text(content, encoding="utf-8")


def as_written(
    folder: str, sizes: Mapping[str, int | None], content: Callable[[str], bytes]
) -> dict[str, WrittenFile | None]:
    """What manifests say of files, after a check that these are there, of their size, and no others.

    Names below the folder that begin with _ or . are left out, as Spark and others call their marks
    (_SUCCESS, .part-0.crc), and what is not finished.

    Args:
        folder: Where the files are.
        sizes: The size of each, the manifests among them, by its path; None if it is not known.
        content: The bytes of a manifest.

    Returns:
        By path, in the same order: what the manifest of its folder says of each file; None without one.

    Raises:
        InputError: A file is missing, added, or of another size, or a manifest is damaged or a newer one.

    Example:
        >>> as_written("runs", {"runs/part=0/a.parquet": 814, "runs/_SUCCESS": 0}, lambda path: b"")
        {'runs/part=0/a.parquet': None}
    """
    seen = [path for path in sizes if not _MARK.search(path, len(folder))]
    manifests = [path for path in seen if path.rpartition("/")[2] == MANIFEST]
    found: dict[str, WrittenFile | None] = {path: None for path in seen if path not in manifests}
    for manifest in manifests:
        begin = manifest.removesuffix(MANIFEST)
        every = {begin + name: of for name, of in _files(manifest, content).items()}
        listed = {path: of for path, of in every.items() if path.startswith(f"{folder}/")}
        for path, of in listed.items():
            if path not in found:
                raise of.changed(path, "it is gone")
            if sizes[path] not in (of.bytes, None):
                raise of.changed(path, f"it had {of.bytes:,} bytes and has {sizes[path]:,} now")
        for path in found:
            if path.startswith(begin) and path not in listed:
                problem = "irpref convert wrote this folder, and not this file"
                raise InputError(problem, source=path, remedy=f"remove the file, or {_REMEDY}")
        found.update(listed)
    return found


def _files(path: str, content: Callable[[str], bytes]) -> dict[str, WrittenFile]:
    """What a manifest says of each file."""
    damage = OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError
    problem = "this is no manifest of irpref convert, or a damaged one"
    with refusing(problem, *damage, source=path, remedy=_REMEDY):
        manifest = json.loads(content(path))
        problem = f"this manifest was written by irpref {manifest['irpref']}, in another form"
        if manifest["irpref_parts"] == _FORM:
            return {name: WrittenFile(**of) for name, of in manifest["files"].items()}
    raise InputError(problem, source=path, remedy=f"read it with that version, or {_REMEDY}")


SYSTEM = "system"
"""The column that says whose run a row belongs to."""
ROW = "row of the file"
"""The column that says where a row was in its file, if it was numbered."""
# The folder of the rows without a value, as Spark, Hive and DuckDB call it.
_NOT_NAMED = "__HIVE_DEFAULT_PARTITION__"
_NAME_EACH = "name the system of every row"


@dataclass(frozen=True)
class Stored:
    """Rows in files of Parquet, all or those of one system.

    Attributes:
        files: The files, and what is known of each since it was written, if anything is.
        source: What errors call them; None for the name of each file.
        system: Whose rows; None for all of them.
        numbered: Whether a column line says where each row was before.
        part: Which part of the topics, from 0, and of how many; None for all of them.
    """

    files: Mapping[Path, WrittenFile | None]
    source: str | None = None
    system: str | None = None
    numbered: bool = False
    part: tuple[int, int] | None = None

    def rows(self, kind: Kind, reading: Reading) -> Rows:
        """The rows, and the first fault."""
        if self.numbered:
            # irpref wrote these, and calls the columns as it does.
            reading = replace(reading, columns=None)
        tables = [EMPTY[kind]]
        for file, written in self.files.items():
            source = str(file) if self.system is None else f"{file}, system {self.system}"
            if self.numbered:
                source = self.source or source
            with reading_parquet(source):
                refuse_other_content(file, written)
                schema = scan(file).collect_schema()
                found = columns_found(list(schema), kind, source, reading)
                wanted = [*chain(*found.values()), *(["line"] if self.numbered else [])]
                some = list[pl.Expr]()
                if self.system is not None and SYSTEM in schema:
                    some.append(is_of(self.system, schema[SYSTEM]))
                if self.part is not None:
                    some.append(is_in(self.part, found["topic"][0]))
                rows = scan(file, numbered=bool(some)).filter(*some)
                frame = rows.select(wanted + [ROW] * bool(some)).collect()
            if frame.is_empty():
                continue
            lines = next((frame[name] for name in (ROW, "line") if name in frame.columns), None)
            table, fault = table_from_object(frame, kind, source, reading, lines=lines, found=found)
            if len(self.files) > 1 and not self.numbered:
                # Of which file it would be the line, a later error cannot say.
                table = table.with_columns(line=pl.lit(None, pl.UInt32))
            tables.append(table)
            if fault is not None:
                return pl.concat(tables), fault
        return pl.concat(tables), None


def is_of(system: str, dtype: pl.DataType) -> pl.Expr:
    """Whether the system of a row has this name, as :func:`irpref.read.columns.names_of` writes it."""
    column = pl.col(SYSTEM)
    if dtype == pl.Boolean:
        return column == (system == "True")
    return column == float(system) if dtype.is_float() else column.cast(pl.String) == system


def is_in(part: tuple[int, int], topics: str) -> pl.Expr:
    """Whether the topic of a row, a text or a whole number, is in a part; other processes cut otherwise."""
    number, parts = part
    return pl.col(topics).cast(pl.String).hash() % parts == number


def system_of_folder(file: Path) -> str | None:
    """The system that a folder's name says, as Spark, DuckDB and Dask write it; None if none does.

    Example:
        >>> system_of_folder(Path("runs/system=bm25%3A1/0.parquet"))
        'bm25:1'
    """
    for part in reversed(file.parent.parts):
        key, equals, value = part.partition("=")
        if key == SYSTEM and equals:
            return unquote(value, errors="backslashreplace")
    return None


def scan(file: Path, *, numbered: bool = False) -> pl.LazyFrame:
    """The rows of one file; what the names of its folders say is left out."""
    if not is_whole(str(file)):
        raise InputError("its path is not in UTF-8", source=file, remedy="rename it")
    row = ROW if numbered else None
    return pl.scan_parquet(file, hive_partitioning=False, row_index_name=row, row_index_offset=1)


def reading_parquet(source: str) -> AbstractContextManager[None]:
    """What polars raises inside becomes an InputError; it panics on some damaged files."""
    return refusing("not a readable Parquet file", *DAMAGE, source=source, longest=100)


def files_in(path: str | os.PathLike[str]) -> dict[Path, WrittenFile | None] | None:
    """The files of Parquet in a folder and below, or the one file; None if it is something else.

    Returns:
        Each file with what the manifest of its folder says of it; with None if there is none.

    Raises:
        InputError: There are none in the folder, those that are there are not those of its manifest, or
            predictions of MTEB are asked of it.
    """
    place = Path(path)
    if not place.is_dir() and not (place.is_file() and begins(place, PARQUET)):
        return None
    refuse_others(path, str(path))
    if place.is_file():
        return {place: None}
    found = {Path(file): written for file, written in files_below(place, ".parquet").items()}
    if not found:
        raise InputError(
            "this is a directory without Parquet files",
            source=str(path),
            remedy="name the files in it, or a folder of files that end in .parquet",
        )
    return found


def files_below(folder: Path, ending: str = "") -> dict[str, WrittenFile | None]:
    """The files in a folder and below, through links too: see :func:`as_written`.

    Args:
        folder: The folder; names in it that begin with _ or . are left out.
        ending: How the names of the files end, in small letters or in large ones.

    Raises:
        InputError: A folder cannot be read, a link leads nowhere, two ways lead to one file or folder, or
            a manifest says otherwise.
    """
    sizes = dict(_walk(folder, ending, {os.path.realpath(folder): folder}))
    above = folder.parent / MANIFEST
    if above.is_file():
        # The folder is one part.
        sizes[above.as_posix()] = above.stat().st_size
    return as_written(folder.as_posix(), sizes, lambda path: Path(path).read_bytes())


def _walk(folder: Path, ending: str, reached: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """The files and the manifests, with their sizes; what was reached goes by its path without links."""
    with reading_file(str(folder)):
        places = sorted(folder.iterdir())
    for place in places:
        if place.name.startswith(("_", ".")) and place.name != MANIFEST:
            continue
        with reading_file(str(place), "mend or remove this link, which leads nowhere"):
            found = place.stat()
        is_folder = stat.S_ISDIR(found.st_mode)
        if not is_folder and not place.name.lower().endswith((ending, MANIFEST)):
            continue
        if not is_folder and not stat.S_ISREG(found.st_mode):
            raise InputError("this is a pipe or a device, not a file", source=place)
        first = reached.setdefault(os.path.realpath(place), place)
        # Where files are kept by their content, and linked to, two may have the same.
        if first != place and (is_folder or not (first.is_symlink() and place.is_symlink())):
            problem = f"this is {first} again, so its rows would count twice"
            raise InputError(problem, source=place, remedy="remove the link")
        below = _walk(place, ending, reached)
        yield from below if is_folder else [(place.as_posix(), found.st_size)]


def columns_in(file: Path) -> pl.Schema:
    """The names and types of the columns of a file.

    Raises:
        InputError: It is damaged.
    """
    with reading_parquet(str(file)):
        return scan(file).collect_schema()


def systems_in(files: Mapping[Path, WrittenFile | None], source: str) -> dict[str, Stored] | None:
    """What each system has in some files, in the order of their names; None if none tells systems apart.

    Args:
        files: See :func:`files_in`.
        source: What errors call them.

    Raises:
        InputError: A file lacks the column that others have, or a row the name.
    """
    told = [(file, list(columns_in(file)), system_of_folder(file)) for file in files]
    if not any(of_folder or SYSTEM in names for _, names, of_folder in told):
        return None
    found: dict[str, dict[Path, WrittenFile | None]] = {}
    for file, names, of_folder in told:
        if SYSTEM in names:
            with reading_parquet(str(file)):
                values = scan(file).select(pl.col(SYSTEM).unique()).collect()
            systems = names_of_systems(values, str(file)).to_list()
        elif of_folder is None:
            raise InputError(
                "there is no column 'system', so nobody knows whose run a row belongs to",
                source=str(file),
                remedy=f"add it, or give {{name: run}} (found: {shortened(', '.join(names), 200)})",
            )
        elif of_folder == _NOT_NAMED:
            problem = "the rows in this folder have no system"
            raise InputError(problem, source=str(file.parent), remedy=_NAME_EACH)
        else:
            systems = [of_folder]
        for name in systems:
            found.setdefault(name, {})[file] = files[file]
    return {name: Stored(found[name], f"{source}, system {name}", name) for name in sorted(found)}


def names_of_systems(table: Any, source: str, lines: pl.Series | None = None) -> pl.Series:
    """The names of the systems in the rows of a frame of polars or pandas.

    Args:
        table: The frame.
        source: The table in errors.
        lines: The line of each row, if errors can name one.

    Raises:
        InputError: A row names none.
    """
    column = table[SYSTEM]
    names = names_of(column if isinstance(column, pl.Series) else column_of_pandas(column))
    if names.has_nulls():
        raise InputError(
            "a row names no system",
            source=source,
            line=None if lines is None else lines[int(names.is_null().arg_true()[0])],
            remedy=_NAME_EACH,
        )
    return names

"""The manifest of a folder that ``convert`` wrote: what is missing there, added or changed is an error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from isal import isal_zlib

from irpref.base.errors import InputError, refusing
from irpref.base.escape import shown
from irpref.base.version import __version__

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

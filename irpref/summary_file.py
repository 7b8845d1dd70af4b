"""The file of a summary: a header in JSON, and the numbers as NumPy keeps them."""

from __future__ import annotations

import io
import json
import math
import operator
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.format import read_array, read_array_header_1_0, read_magic

from irpref.errors import InputError
from irpref.names import as_criterion
from irpref.preferences.criterion import Criterion
from irpref.project.coverage import Coverage, SomeTopics
from irpref.project.placements import Part
from irpref.reading import Reading
from irpref.render.output import write_whole
from irpref.summarise.totals import SUMS, Totals, counted
from irpref.version import __version__

_FORMAT = 3
# One byte of a file becomes so many bytes at most (zlib, "Technical Details").
_MOST_DEFLATED = 1032
_COUNTED = "counts."
# By the name of each sum, the kind of its numbers.
_SUMS = dict(zip(SUMS, "iffb", strict=True))
# The fields of a coverage that are arrays, and those that have some topics for every system.
_COUNTS = tuple(each.name for each in fields(Coverage) if each.type == "Integers")
_BY_SYSTEM = ("lacking", "unanswered")
_Kind: TypeAlias = tuple[str, tuple[int, ...]]
"""The kinds that the numbers of an array may be, and its shape."""
# What a damaged file, or another one, raises.
_DAMAGE = (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error)


def write_summary(
    path: str | os.PathLike[str],
    coverage: Coverage,
    totals: Mapping[Criterion, Totals],
    topics_left_out: Mapping[Criterion, SomeTopics],
    fingerprint: int,
) -> None:
    """Write the fields of a summary: see :meth:`irpref.Summary.save`."""
    arrays: dict[str, Any] = {}
    for number, (criterion, of) in enumerate(totals.items()):
        _check_text(criterion)
        sums = {name: getattr(of, name) for name in SUMS}
        sums |= {f"{_COUNTED}{name}": counts for name, counts in of.counts.items()}
        arrays |= {f"{number}.{name}": array for name, array in sums.items()}
    counts = {each.name: getattr(coverage, each.name) for each in fields(Coverage)}
    arrays |= {name: counts.pop(name) for name in _COUNTS}
    header = {
        "irpref_summary": _FORMAT,
        "irpref": __version__,
        "preferences": list(map(str, totals)),
        "topics_left_out": [asdict(each) for each in topics_left_out.values()],
        "fingerprint": fingerprint,
        "checksums": {name: _checksum(array) for name, array in arrays.items()},
        **counts,
        "reading": asdict(coverage.reading),
        "without_relevant": asdict(coverage.without_relevant),
        **{name: list(map(asdict, counts[name])) for name in _BY_SYSTEM},
    }
    content = io.BytesIO()
    np.savez_compressed(content, header=np.array(json.dumps(header)), **arrays)
    write_whole(Path(path), content.getvalue())


def read_summary(
    path: str | os.PathLike[str],
) -> tuple[Coverage, dict[Criterion, Totals], dict[Criterion, SomeTopics], int]:
    """The fields of a summary: see :meth:`irpref.Summary.load`."""
    source = os.fspath(path)
    if not os.path.exists(path):
        raise InputError("there is no such file", source=source)
    try:
        with zipfile.ZipFile(path) as file:
            header = json.loads(_read(file, "header", ("U", ())).item())
            if header["irpref_summary"] != _FORMAT:
                raise InputError(
                    f"this summary was written by irpref {header['irpref']}, in another form",
                    source=source,
                    remedy="read it with that version, or compare again",
                )
            criteria = list(map(as_criterion, header["preferences"]))
            expected = _expected(len(header["systems"]), criteria)
            arrays = {name: _read(file, name, of) for name, of in expected.items()}
        if {name: _checksum(array) for name, array in arrays.items()} != header["checksums"]:
            raise ValueError("the numbers are not those that were written")
        left_out = map(_some, header["topics_left_out"])
        return (
            _coverage(header, arrays),
            {each: _totals(number, each, arrays) for number, each in enumerate(criteria)},
            dict(zip(criteria, left_out, strict=True)),
            operator.index(header["fingerprint"]),
        )
    except InputError:
        raise
    except _DAMAGE as error:
        raise InputError(
            "this is no summary of irpref, or a damaged one",
            source=source,
            remedy="Summary.save writes one",
        ) from error


def _check_text(criterion: Criterion) -> None:
    """Refuse what a text cannot give back."""
    try:
        same = criterion.named is not None and as_criterion(str(criterion)) == criterion
    except ValueError:
        same = False
    if not same:
        raise ValueError(
            f"{criterion} is a function of yours or the score of another tool, which a file cannot keep: "
            "leave it out of the comparison to save"
        )


def _expected(systems: int, criteria: Sequence[Criterion]) -> dict[str, _Kind]:
    """By the name of each array, what it must be."""
    expected: dict[str, _Kind] = dict.fromkeys(_COUNTS, ("i", (systems,)))
    square = systems, systems
    for number, criterion in enumerate(criteria):
        expected |= {f"{number}.{name}": (kind, square) for name, kind in _SUMS.items()}
        # Over all orders of tied scores, counts are expected ones.
        expected |= {f"{number}.{_COUNTED}{name}": ("if", square) for name in counted(criterion)}
    return expected


def _read(file: zipfile.ZipFile, name: str, expected: _Kind) -> npt.NDArray[Any]:
    """An array of the file, which must be what is expected: memory is taken for nothing else."""
    kinds, shape = expected
    content = f"{name}.npy"
    with file.open(content) as member:
        if read_magic(member) != (1, 0):
            raise ValueError(f"{name} is written in another way")
        announced, _, dtype = read_array_header_1_0(member)
    if announced != shape or dtype.kind not in kinds:
        raise ValueError(f"{name} has another shape or type")
    if math.prod(shape) * dtype.itemsize > _MOST_DEFLATED * file.getinfo(content).compress_size:
        raise ValueError(f"{name} claims more numbers than the file can hold")
    with file.open(content) as member:
        array: npt.NDArray[Any] = read_array(member, allow_pickle=False)
        # At the end of the member its own checksum is compared.
        if member.read(1):
            raise ValueError(f"{name} holds more numbers than it says")
    return array


def _checksum(array: npt.NDArray[Any]) -> int:
    return zlib.crc32(np.ascontiguousarray(array))


def _coverage(header: dict[str, Any], arrays: dict[str, Any]) -> Coverage:
    given = {each.name: (header | arrays)[each.name] for each in fields(Coverage)}
    systems = tuple(header["systems"])
    given |= {
        "systems": systems,
        "parts": tuple(Part(*each) for each in header["parts"]),
        "reading": Reading(**header["reading"]),
        "without_relevant": _some(header["without_relevant"]),
    }
    for name in _BY_SYSTEM:
        if len(header[name]) != len(systems):
            raise ValueError(f"{name} is not of {len(systems)} systems")
        given[name] = tuple(map(_some, header[name]))
    return Coverage(**given)


def _totals(number: int, criterion: Criterion, arrays: dict[str, Any]) -> Totals:
    sums = {name: arrays[f"{number}.{name}"] for name in _SUMS}
    counts = {name: arrays[f"{number}.{_COUNTED}{name}"] for name in counted(criterion)}
    return Totals(**sums, counts=counts)


def _some(topics: dict[str, Any]) -> SomeTopics:
    return SomeTopics(topics["count"], tuple(topics["first"]))

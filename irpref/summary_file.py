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
from irpref.project.placements import Part
from irpref.project.tally import SomeTopics, Tally
from irpref.reading import Reading
from irpref.render.output import write_whole
from irpref.summarise.totals import SUMS, Totals, counted
from irpref.version import __version__

_FORMAT = 2
# One byte of a file becomes so many bytes at most (zlib, "Technical Details").
_MOST_DEFLATED = 1032
_COUNTED = "counts."
# By the name of each sum, the kind of its numbers.
_SUMS = dict(zip(SUMS, "iffb", strict=True))
_Kind: TypeAlias = tuple[str, tuple[int, ...]]
"""The kinds that the numbers of an array may be, and its shape."""
# What a damaged file, or another one, raises.
_DAMAGE = (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error)


def write_summary(
    path: str | os.PathLike[str],
    coverage: Tally,
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
    tally = {each.name: getattr(coverage, each.name) for each in fields(Tally)}
    for name, value in tally.items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
    header = {
        "irpref_summary": _FORMAT,
        "irpref": __version__,
        "preferences": list(map(str, totals)),
        "topics_left_out": [asdict(each) for each in topics_left_out.values()],
        "fingerprint": fingerprint,
        "checksums": {name: _checksum(array) for name, array in arrays.items()},
        **{name: value for name, value in tally.items() if name not in arrays},
        "reading": asdict(coverage.reading),
        "without_relevant": asdict(coverage.without_relevant),
        "missing": [asdict(each) for each in coverage.missing],
    }
    content = io.BytesIO()
    np.savez_compressed(content, header=np.array(json.dumps(header)), **arrays)
    write_whole(Path(path), content.getvalue())


def read_summary(
    path: str | os.PathLike[str],
) -> tuple[Tally, dict[Criterion, Totals], dict[Criterion, SomeTopics], int]:
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
            _tally(header, arrays),
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
    expected: dict[str, _Kind] = {
        each.name: ("i", (systems,)) for each in fields(Tally) if each.type == "Integers"
    }
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


def _tally(header: dict[str, Any], arrays: dict[str, Any]) -> Tally:
    given: dict[str, Any] = {
        each.name: arrays.get(each.name, header.get(each.name)) for each in fields(Tally)
    }
    systems = tuple(header["systems"])
    return Tally(
        **{
            **given,
            "systems": systems,
            "parts": tuple(Part(*each) for each in header["parts"]),
            "reading": Reading(**header["reading"]),
            "without_relevant": _some(header["without_relevant"]),
            "missing": tuple(
                _some(topics) for _, topics in zip(systems, header["missing"], strict=True)
            ),
        }
    )


def _totals(number: int, criterion: Criterion, arrays: dict[str, Any]) -> Totals:
    sums = {name: arrays[f"{number}.{name}"] for name in _SUMS}
    counts = {name: arrays[f"{number}.{_COUNTED}{name}"] for name in counted(criterion)}
    return Totals(**sums, counts=counts)


def _some(topics: dict[str, Any]) -> SomeTopics:
    return SomeTopics(topics["count"], tuple(topics["first"]))

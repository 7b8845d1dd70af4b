"""The file of a summary: a header in JSON, and the numbers as NumPy keeps them."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.errors import InputError
from irpref.names import as_criterion
from irpref.preferences.criterion import Criterion
from irpref.project.tally import SomeTopics, Tally
from irpref.reading import Reading
from irpref.render.output import write_whole
from irpref.summarise.totals import SUMS, Totals
from irpref.version import __version__

if TYPE_CHECKING:
    from irpref.summary import Summary

__all__ = ["read_summary", "write_summary"]

_FORMAT = 1
_COUNTED = "counts."
# What a damaged file, or another one, raises.
_DAMAGE = (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error)


def write_summary(summary: Summary, path: str | os.PathLike[str]) -> None:
    """Write a summary: see :meth:`irpref.Summary.save`."""
    arrays: dict[str, Any] = {}
    for number, (criterion, totals) in enumerate(summary.totals.items()):
        _check_text(criterion)
        sums = {name: getattr(totals, name) for name in SUMS}
        sums |= {f"{_COUNTED}{name}": counts for name, counts in totals.counts.items()}
        arrays |= {f"{number}.{name}": array for name, array in sums.items()}
    tally = {each.name: getattr(summary.coverage, each.name) for each in fields(Tally)}
    for name, value in tally.items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
    header = {
        "irpref_summary": _FORMAT,
        "irpref": __version__,
        "preferences": list(map(str, summary.totals)),
        "topics_left_out": [asdict(each) for each in summary.topics_left_out.values()],
        "fingerprint": summary.fingerprint,
        **{name: value for name, value in tally.items() if name not in arrays},
        "reading": asdict(summary.coverage.reading),
        "without_relevant": asdict(summary.coverage.without_relevant),
        "missing": [asdict(each) for each in summary.coverage.missing],
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
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        header = json.loads(arrays.pop("header").item())
        if header["irpref_summary"] != _FORMAT:
            raise InputError(
                f"this summary was written by irpref {header['irpref']}, in another form",
                source=source,
                remedy="read it with that version, or compare again",
            )
        return (
            _tally(header, arrays),
            {
                as_criterion(text): _totals(number, arrays)
                for number, text in enumerate(header["preferences"])
            },
            {
                as_criterion(text): _some(topics)
                for text, topics in zip(
                    header["preferences"], header["topics_left_out"], strict=True
                )
            },
            header["fingerprint"],
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


def _tally(header: dict[str, Any], arrays: dict[str, Any]) -> Tally:
    given: dict[str, Any] = {
        each.name: arrays.get(each.name, header.get(each.name)) for each in fields(Tally)
    }
    return Tally(
        **{
            **given,
            "systems": tuple(header["systems"]),
            "parts": tuple(header["parts"]),
            "reading": Reading(**header["reading"]),
            "without_relevant": _some(header["without_relevant"]),
            "missing": tuple(map(_some, header["missing"])),
        }
    )


def _totals(number: int, arrays: dict[str, Any]) -> Totals:
    own = {
        name.removeprefix(f"{number}."): array
        for name, array in arrays.items()
        if name.startswith(f"{number}.")
    }
    counts = {
        name.removeprefix(_COUNTED): array
        for name, array in own.items()
        if name.startswith(_COUNTED)
    }
    return Totals(**{name: own[name] for name in SUMS}, counts=counts)


def _some(topics: dict[str, Any]) -> SomeTopics:
    return SomeTopics(topics["count"], tuple(topics["first"]))

"""Predictions of MTEB: ``{"mteb_model_meta": …, subset: {split: {topic: {document: score}}}}``."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irpref.errors import InputError, unknown
from irpref.read.text import Kind
from irpref.visible import shortened, shown

_META = "mteb_model_meta"
# What TaskResult saves, one file for each task and model.
_SCORES = {"task_name", "mteb_version", "scores"}
# It stands first in the file.
_BEGINNING = 4096


@dataclass(frozen=True)
class Predictions(os.PathLike[str]):
    """A run in a file of predictions of MTEB, which may hold one for each subset and split of a task.

    It stands wherever a path of a run does. The file is read when the run is.

    Attributes:
        path: The file, which MTEB saves as ``<prediction folder>/<task>_predictions.json``.
        subset: The subset of the task, such as ``"de"``; None if the file has one only.
        split: The split, such as ``"test"``; None if the subset has one only.
        ignore_identical_ids: Leave out the documents that have the id of their topic. In some tasks, such
            as ArguAna, MTEB does so before it computes its measures, but saves them all the same.

    Example:
        >>> run = Predictions("e5/MIRACLRetrieval_predictions.json", subset="de", split="dev")
        >>> str(run)
        'e5/MIRACLRetrieval_predictions.json, subset de, split dev'
    """

    path: str | os.PathLike[str]
    subset: str | None = None
    split: str | None = None
    ignore_identical_ids: bool = False

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __str__(self) -> str:
        parts = [("subset", self.subset), ("split", self.split)]
        said = [f"{kind} {name}" for kind, name in parts if name is not None]
        return ", ".join([os.fspath(self.path), *said])


def has_predictions(content: Mapping[str, Any], source: str) -> bool:
    """Whether MTEB has saved this object of JSON as predictions.

    Raises:
        InputError: It has saved scores in it.
    """
    if content.keys() >= _SCORES:
        raise InputError(
            "these are scores of MTEB, and no lists of documents",
            source=source,
            remedy="let MTEB save the lists: mteb.evaluate(…, prediction_folder=…)",
        )
    return _META in content


def predicted(
    content: Mapping[str, Any], asked: Predictions | None, kind: Kind, source: str
) -> tuple[Mapping[str, Any], str]:
    """The lists of one subset and split, and what errors call them.

    Args:
        content: What MTEB has saved.
        asked: Which subset and split; None where there is only one.
        kind: What they are read as.
        source: The file.

    Raises:
        InputError: They are read as qrels, there are several subsets or splits and none was chosen, the
            chosen one is not there, or it has no lists of documents.

    Example:
        >>> saved = {"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": 0.5}}}}
        >>> predicted(saved, None, "run", "e5/X_predictions.json")
        ({'q1': {'d1': 0.5}}, 'e5/X_predictions.json, subset default, split test')
    """
    file = source if asked is None else os.fspath(asked)
    if kind == "qrels":
        raise InputError(
            "these are predictions of MTEB, and no qrels",
            source=file,
            remedy="were qrels and run swapped? An MTEB task has its qrels in "
            "task.dataset[subset][split]['relevant_docs']",
        )
    subsets = {name: splits for name, splits in content.items() if name != _META}
    for subset, splits in subsets.items():
        if not isinstance(splits, Mapping):
            raise InputError(
                f"the subset {shown(subset)} of the predictions has no splits", source=file
            )
    wanted = Predictions(file) if asked is None else asked
    subset = _chosen("subset", wanted.subset, subsets, subsets, file)
    split = _chosen("split", wanted.split, subsets[subset], subsets, file)
    place = f"{file}, subset {subset}, split {split}"
    lists = subsets[subset][split]
    if not isinstance(lists, Mapping) or any(not isinstance(v, Mapping) for v in lists.values()):
        raise InputError(
            "these predictions are no lists of documents",
            source=place,
            remedy="only tasks of retrieval and reranking can be compared",
        )
    if wanted.ignore_identical_ids:
        lists = {
            topic: {document: score for document, score in found.items() if document != topic}
            for topic, found in lists.items()
        }
    return lists, place


def refuse_others(asked: Predictions | None, source: str) -> None:
    """Refuse a part of predictions that is asked of another kind of file.

    Raises:
        InputError: One is.
    """
    if asked is not None:
        raise InputError(
            "this is no file of predictions of MTEB",
            source=source,
            remedy="give its path by itself, without irpref.Predictions",
        )


def model_in(path: str | os.PathLike[str]) -> str | None:
    """The model that made the predictions in a file; None if MTEB has not saved it, or names none."""
    file = Path(path)
    if not file.is_file():
        # A pipe can be read once.
        return None
    try:
        with file.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(file) if packed else file.open("rb") as opened:
            text = opened.read(_BEGINNING).decode(errors="replace")
    except (OSError, EOFError):
        # Whoever reads it whole says what is wrong with it.
        return None
    key = json.dumps(_META)
    _, found, behind = text.partition(key)
    if not found or not behind.lstrip().startswith(":"):
        return None
    try:
        meta, _ = json.JSONDecoder().raw_decode(behind.lstrip()[1:].lstrip())
    except (ValueError, RecursionError):
        return None
    name = meta.get("model_name") if isinstance(meta, Mapping) else None
    return name if isinstance(name, str) and name else None


def _chosen(
    kind: str,
    asked: str | None,
    there: Mapping[str, Any],
    subsets: Mapping[str, Mapping[str, Any]],
    file: str,
) -> str:
    """The subset or split that was asked for, or the only one."""
    if asked is not None:
        if asked not in there:
            error = unknown(f"{kind} of the predictions", asked, there)
            raise InputError(str(error), source=file)
        return asked
    if len(there) == 1:
        return next(iter(there))
    if not there:
        raise InputError(f"the predictions have no {kind}", source=file)
    all_of_them = "; ".join(f"{subset}: {', '.join(splits)}" for subset, splits in subsets.items())
    one = next(iter(subsets))
    raise InputError(
        f"the predictions have {len(there)} {kind}s, each of which is a run (splits by subset: "
        f"{shortened(all_of_them, 300)})",
        source=file,
        remedy=f"name one of them: irpref.Predictions(path, subset={one!r}, "
        f"split={next(iter(subsets[one]), 'test')!r}); or compare all, task by task: irpref.mteb_tasks",
    )

"""Predictions of MTEB, and its tasks as :func:`irpref.compare_tasks` takes them.

A file has ``{"mteb_model_meta": …, subset: {split: {topic: {document: score}}}}``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from irpref.base.errors import InputError, unknown
from irpref.base.escape import shortened, shown
from irpref.base.message import Message, Option
from irpref.read.files import first_bytes
from irpref.read.text import Kind

_META = "mteb_model_meta"
# What TaskResult saves, one file for each task and model.
_SCORES = {"task_name", "mteb_version", "scores"}
# It stands first in the file.
_BEGINNING = 4096
_ENDING = "_predictions.json"
_ENDINGS = (_ENDING, f"{_ENDING}.gz")


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


def predicted(
    content: Mapping[str, Any], asked: Predictions | None, kind: Kind, source: str
) -> tuple[Mapping[str, Any], str]:
    """What is read of an object of JSON, and what errors call it: of predictions, one subset and split.

    Args:
        content: The object, which MTEB may have saved.
        asked: Which subset and split; None where there is only one.
        kind: What they are read as.
        source: The file.

    Raises:
        InputError: These are scores of MTEB, or predictions that are read as qrels; there are several
            subsets or splits and none was chosen, the chosen one is not there, or it has no lists of
            documents.

    Example:
        >>> saved = {"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": 0.5}}}}
        >>> predicted(saved, None, "run", "e5/X_predictions.json")
        ({'q1': {'d1': 0.5}}, 'e5/X_predictions.json, subset default, split test')
    """
    if content.keys() >= _SCORES:
        raise InputError(
            "these are scores of MTEB, and no lists of documents",
            source=source,
            remedy="let MTEB save the lists: mteb.evaluate(…, prediction_folder=…)",
        )
    if _META not in content:
        refuse_others(asked, source)
        return content, source
    wanted = Predictions(source) if asked is None else asked
    file = os.fspath(wanted)
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


def refuse_others(asked: Any, source: str) -> None:
    """Refuse a part of predictions (:class:`Predictions`) that is asked of another kind of file.

    Raises:
        InputError: One is.
    """
    if isinstance(asked, Predictions):
        raise InputError(
            "this is no file of predictions of MTEB",
            source=source,
            remedy="give its path by itself, without irpref.Predictions",
        )


def model_in(path: str | os.PathLike[str]) -> str | None:
    """The model that made the predictions in a file; None if MTEB has not saved it, or names none."""
    text = first_bytes(path, _BEGINNING).decode(errors="replace")
    behind = text.partition(json.dumps(_META))[2].lstrip()
    try:
        meta, _ = json.JSONDecoder().raw_decode(behind.removeprefix(":").lstrip())
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


def mteb_tasks(
    qrels: Any, predictions: Any, *, ignore_identical_ids: Iterable[str] = ()
) -> dict[str, tuple[Any, dict[str, Predictions]]]:
    """Tasks of MTEB with the predictions of several models, for :func:`irpref.compare_tasks`.

    A task is a subset and split of a task of MTEB. It is named ``NFCorpus`` if MTEB's task has only one, or
    else ``MIRACLRetrieval/de/dev``. The predictions are read when they are compared.

    Args:
        qrels: MTEB's tasks, whose data are loaded (``task.load_data()``). Or ``{task: qrels}`` with the
            names of tasks as above; or ``{task: {subset: {split: qrels}}}``. The qrels are what
            :func:`irpref.collect` takes. They choose which tasks are compared.
        predictions: The folders that MTEB was given as ``prediction_folder``, one for each model: paths, or
            ``{model: path}``. By default a model has the name that its files say.
        ignore_identical_ids: The tasks in which a document with the id of its topic is left out, as MTEB
            does. MTEB's own tasks say that themselves.

    Returns:
        ``{task: (qrels, {model: run})}``.

    Raises:
        InputError: A folder lacks the predictions of a task.
        ValueError: Two models have one name, there are no tasks or models, a subset of a task has no
            splits, ``ignore_identical_ids`` names a task that there is not, or a task leaves out the first
            result of every list (``skip_first_result``), which irpref cannot.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as place:
        ...     for model in ("e5", "bm25"):
        ...         folder = Path(place, model)
        ...         folder.mkdir()
        ...         _ = (folder / "NFCorpus_predictions.json").write_text("{}")
        ...     tasks = mteb_tasks({"NFCorpus": "nfcorpus.tsv"}, [f"{place}/e5", f"{place}/bm25"])
        >>> tasks["NFCorpus"][0], list(tasks["NFCorpus"][1])
        ('nfcorpus.tsv', ['e5', 'bm25'])
    """
    asked = ignore_identical_ids
    asked = [asked] if isinstance(asked, str) else list(asked)
    ignoring = set(asked)
    judged = dict[str, tuple[str, str | None, str | None, Any]]()
    for task, given in _by_task(qrels, ignoring).items():
        judged |= _parts(task, given)
    if not judged:
        raise ValueError("there are no tasks: give MTEB's tasks or {task: qrels}")
    first, *_ = next(iter(judged.values()))
    folders = _folders(predictions, first)
    known = dict.fromkeys(chain(judged, (task for task, *_ in judged.values())))
    for task in asked:
        if task not in known:
            raise unknown(Message("task in ", Option("ignore_identical_ids")), task, known)
    found = {}
    for name, (task, subset, split, its_qrels) in judged.items():
        runs = {}
        for model, folder in folders.items():
            path = _file(folder, task, model)
            ignore = bool(ignoring & {name, task})
            runs[model] = Predictions(path, subset, split, ignore_identical_ids=ignore)
        found[name] = (its_qrels, runs)
    return found


def _by_task(qrels: Any, ignoring: set[str]) -> dict[str, Any]:
    """The qrels of each task of MTEB; what the tasks say of identical ids joins the names of others."""
    if isinstance(qrels, Mapping):
        return {str(task): given for task, given in qrels.items()}
    by_task = {}
    for task in qrels:
        try:
            name, dataset = task.metadata.name, _dataset(task)
        except AttributeError:
            raise ValueError(
                f"{shown(task)} is no task of MTEB whose data are loaded: call task.load_data(), or give "
                "{task: qrels}"
            ) from None
        if getattr(task, "skip_first_result", False):
            raise ValueError(
                f"MTEB leaves out the first result of every list of {name}, and irpref cannot: leave the "
                "task out"
            )
        if getattr(task, "ignore_identical_ids", False):
            ignoring.add(name)
        by_task[name] = dataset
    return by_task


def _dataset(task: Any) -> Any:
    """``{subset: {split: qrels}}`` of a task of MTEB whose data are loaded."""
    judged = getattr(task, "relevant_docs", None)
    if judged is None:
        return task.dataset
    # Some tasks load them so, until they are evaluated: see their convert_v1_dataset_format_to_v2.
    return judged if task.metadata.is_multilingual else {"default": judged}


def _parts(task: str, given: Any) -> dict[str, tuple[str, str | None, str | None, Any]]:
    """By name, the subsets and splits of a task of MTEB with their qrels."""
    if not _is_nested(given):
        name, *part = task.split("/", maxsplit=2)
        subset, split = (*part, None, None)[:2]
        return {task: (name, subset, split, given)}
    for subset, splits in given.items():
        if not isinstance(splits, Mapping):
            problem = f"the subset {shown(subset)} of {task} is a {type(splits).__name__}"
            raise ValueError(f"{problem}: give {{subset: {{split: qrels}}}}")
    parts = {
        (str(subset), str(split)): judged.get("relevant_docs", judged)
        if isinstance(judged, Mapping)
        else judged
        for subset, splits in given.items()
        for split, judged in splits.items()
    }
    alone = len(parts) == 1
    return {
        task if alone else f"{task}/{subset}/{split}": (task, subset, split, judged)
        for (subset, split), judged in parts.items()
    }


def _is_nested(given: Any) -> bool:
    """Whether it is ``{subset: {split: qrels}}`` and not ``{topic: {document: grade}}``."""
    if not isinstance(given, Mapping):
        return False
    inner = next(iter(given.values()), None)
    first = next(iter(inner.values()), None) if isinstance(inner, Mapping) else None
    return isinstance(first, Mapping | str | os.PathLike) or hasattr(first, "columns")


def _folders(predictions: Any, task: str) -> dict[str, Path]:
    """The folders by the names of their models, which the files of a task say."""
    named: dict[str, Path] = {}
    if isinstance(predictions, Mapping):
        named = {str(model): Path(folder) for model, folder in predictions.items()}
    else:
        alone = isinstance(predictions, str | os.PathLike)
        for folder in map(Path, [predictions] if alone else predictions):
            files = (folder / f"{task}{ending}" for ending in _ENDINGS)
            model = next(filter(None, map(model_in, files)), folder.name)
            if model in named:
                raise ValueError(
                    f"two folders have predictions of the model {model!r}: {named[model]} and {folder}; "
                    "give {model: folder}"
                )
            named[model] = folder
    if not named:
        raise ValueError("there are no folders of predictions")
    return named


def _file(folder: Path, task: str, model: str) -> Path:
    """The file of a task in a folder.

    Raises:
        InputError: There is none.
    """
    for ending in _ENDINGS:
        if (folder / f"{task}{ending}").is_file():
            return folder / f"{task}{ending}"
    files = (path.name for path in folder.glob(f"*{_ENDING}*") if path.name.endswith(_ENDINGS))
    there = sorted(name.partition(_ENDING)[0] for name in files)
    raise InputError(
        f"there are no predictions of {model} on the task {shown(task)}: the folder has no "
        f"{task}{_ENDING}",
        source=folder,
        remedy=f"it has {', '.join(there[:10])}{', …' if len(there) > 10 else ''}"
        if there
        else "give the folder that was MTEB's prediction_folder",
    )

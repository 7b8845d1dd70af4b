"""Tasks of MTEB with the predictions of several models, as :func:`irpref.compare_tasks` takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irpref.errors import InputError
from irpref.read.mteb import Predictions, model_in
from irpref.visible import shown

_ENDING = "_predictions.json"
_ENDINGS = (_ENDING, f"{_ENDING}.gz")


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
        ValueError: Two models have one name, there are no tasks or models, or a task leaves out the first
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
    ignoring = (
        {ignore_identical_ids}
        if isinstance(ignore_identical_ids, str)
        else set(ignore_identical_ids)
    )
    judged = dict[str, tuple[str, str | None, str | None, Any]]()
    for task, given in _by_task(qrels, ignoring).items():
        judged |= _parts(task, given)
    if not judged:
        raise ValueError("there are no tasks: give MTEB's tasks or {task: qrels}")
    first, *_ = next(iter(judged.values()))
    folders = _folders(predictions, first)
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
    parts = {
        (str(subset), str(split)): judged.get("relevant_docs", judged)
        if isinstance(judged, Mapping)
        else judged
        for subset, splits in given.items()
        for split, judged in splits.items()
    }
    if len(parts) == 1:
        [((subset, split), judged)] = parts.items()
        return {task: (task, subset, split, judged)}
    return {
        f"{task}/{subset}/{split}": (task, subset, split, judged)
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
    there = sorted(
        path.name.partition(_ENDING)[0]
        for path in (folder.iterdir() if folder.is_dir() else ())
        if path.name.endswith(_ENDINGS)
    )
    raise InputError(
        f"there are no predictions of {model} on the task {shown(task)}: the folder has no "
        f"{task}{_ENDING}",
        source=folder,
        remedy=f"it has {', '.join(there[:10])}{', …' if len(there) > 10 else ''}"
        if there
        else "give the folder that was MTEB's prediction_folder",
    )

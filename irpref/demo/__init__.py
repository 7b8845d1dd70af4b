"""A small collection that comes with the package, and the main job done on it."""

from __future__ import annotations

import json
import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["demo_paths", "save"]

_COLLECTION = Path(str(files("irpref.demo"))) / "collection"
# By task and subset: the first topic and the last one.
_TASKS = {
    "FlowerRetrieval": {"default": (1, 4)},
    "VegetableRetrieval": {"en": (5, 8), "de": (9, 12)},
}


def demo_paths(*, subtopics: bool = False) -> tuple[Path, list[Path]]:
    """The qrels and runs of the demo collection.

    Args:
        subtopics: The qrels that name subtopics in column 2, as STRPP reads them.

    Returns:
        The path of the qrels and the paths of the runs.

    Example:
        >>> qrels, runs = demo_paths()
        >>> qrels.name, len(runs)
        ('qrels.txt', 6)
    """
    qrels = _COLLECTION / ("qrels.subtopics.txt" if subtopics else "qrels.txt")
    return qrels, sorted((_COLLECTION / "runs").glob("*.txt"))


def save(folder: str | os.PathLike[str]) -> None:
    """Write the demo collection, as the examples of the documentation read it.

    The folder gets ``qrels.txt``, ``qrels.subtopics.txt``, ``runs/*.txt``, ``topics.tsv`` and
    ``documents.jsonl``. Beside these, ``parquet/`` has the same qrels and runs as :func:`irpref.convert`
    writes them. ``mteb/`` has them as two tasks of MTEB, one with two subsets:
    ``predictions/<model>/<task>_predictions.json``, and in ``qrels.json`` the qrels by task, subset and
    split.

    Args:
        folder: Where to write; there must be no such folder, or an empty one.

    Raises:
        InputError: The folder is not empty or cannot be written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     save(folder)
        ...     sorted(path.name for path in Path(folder).iterdir() if path.is_dir())
        ['mteb', 'parquet', 'runs']
    """
    from irpref.conversion import convert, new_folder
    from irpref.read import read_qrels, read_run

    qrels, runs = demo_paths()
    with new_folder(Path(folder)) as new:
        convert(qrels, runs, new / "parquet")
        judged = _by_task(read_qrels(qrels).select("topic", "document", "grade"))
        _write_json(new / "mteb" / "qrels.json", judged)
        for run in runs:
            meta = {"model_name": f"demo/{run.stem}", "revision": "1"}
            lists = _by_task(read_run(run).select("topic", "document", "score"))
            for task, subsets in lists.items():
                path = new / "mteb" / "predictions" / run.stem / f"{task}_predictions.json"
                _write_json(path, {"mteb_model_meta": meta, **subsets})
        shutil.copytree(_COLLECTION, new, dirs_exist_ok=True, copy_function=shutil.copyfile)


def _by_task(table: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """``{task: {subset: {split: {topic: {document: number}}}}}``, as MTEB nests them."""
    lists: dict[str, dict[str, float]] = {}
    for topic, document, number in table.iter_rows():
        lists.setdefault(topic, {})[document] = number
    return {
        task: {
            subset: {"test": {str(topic): lists[str(topic)] for topic in range(first, last + 1)}}
            for subset, (first, last) in subsets.items()
        }
        for task, subsets in _TASKS.items()
    }


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")

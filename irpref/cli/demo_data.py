"""A small collection that comes with the package, and the main job done on it."""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irpref.api.comparison import Comparison
from irpref.api.verbs import compare
from irpref.base.arrays import Floats
from irpref.base.errors import InputError
from irpref.base.temporary import temporary_folder
from irpref.methods.measures import AP
from irpref.methods.preferences import IPSO, LP, LR, RPP, FunctionPreference
from irpref.report.report import Report

if TYPE_CHECKING:
    import polars as pl

_COLLECTION = Path(str(files("irpref.cli"))) / "demo_collection"
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
    ``documents.jsonl``. ``mteb/`` has them as two tasks of MTEB, one with two subsets:
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
        ['mteb', 'runs']
    """
    from irpref.read import read_qrels, read_run

    qrels, runs = demo_paths()
    with _new_folder(Path(folder)) as new:
        judged = _by_task(read_qrels(qrels).select("topic", "document", "grade"))
        _write_json(new / "mteb" / "qrels.json", judged)
        for run in runs:
            meta = {"model_name": f"demo/{run.stem}", "revision": "1"}
            lists = _by_task(read_run(run).select("topic", "document", "score"))
            for task, subsets in lists.items():
                path = new / "mteb" / "predictions" / run.stem / f"{task}_predictions.json"
                _write_json(path, {"mteb_model_meta": meta, **subsets})
        shutil.copytree(_COLLECTION, new, dirs_exist_ok=True, copy_function=shutil.copyfile)


@contextmanager
def _new_folder(place: Path) -> Iterator[Path]:
    """A folder to write to; only when all is written does it get its place.

    Raises:
        InputError: The place is not empty or cannot be written.
    """
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError(
            "there is something here already", source=place, remedy="name a folder that is new"
        )
    if not place.parent.is_dir():
        raise InputError("its folder does not exist", source=place, remedy="make it first")
    try:
        # What is not whole is never seen at its place.
        with temporary_folder(place.parent) as beside:
            yield beside
            os.replace(beside, place)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", source=place) from error


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


def reciprocal_rank(first: Floats, second: Floats) -> float:
    """The difference of the reciprocal ranks: a metric is a preference too."""
    return float(1 / first[0] - 1 / second[0])


def tour(width: int | None = None, encoding: str | None = None, *, colour: bool = False) -> str:
    """The text of the tour, for a terminal of this width and encoding; all is there if not given."""

    def shown(report: Report) -> str:
        return report.to_text(width, encoding=encoding, colour=colour)

    def wrapped(sentence: str) -> str:
        wide = width or len(sentence)
        return textwrap.fill(sentence, wide, subsequent_indent="  ", break_on_hyphens=False)

    qrels, runs = demo_paths()
    metric = FunctionPreference(function=reciprocal_rank)
    comparison = compare(qrels, runs, [RPP, LP, LR, IPSO @ 10, metric])
    precision = compare(qrels, runs, AP)
    tied = _tied_share(comparison, metric)
    left, left_by_precision = _tied_share(comparison, LP), _tied_share(precision, AP)
    best, second = comparison.order(RPP).index[:2]
    topic = comparison.per_topic(RPP, best, second).abs().idxmax()
    levels = comparison.profile(best, second, by="level")
    common = levels[levels["topics"] > len(comparison.topics) / 2]
    profile = ", ".join(f"{level}: {mean:+.2f}" for level, mean in common["mean"].items())
    pair = [runs[0].with_name(f"{system}.txt") for system in (best, second)]
    two = compare(qrels, pair)
    found, found_by_precision = (
        tests["significant"].sum() for tests in (comparison.test(RPP), precision.test(AP))
    )
    learned = [
        f"- Reciprocal rank leaves two rankers tied on {tied:.0%} of their topics; "
        f"average precision, on {left_by_precision:.0%}; lexiprecision, which goes on to the next relevant "
        f"document, on {left:.0%}.",
        f"- {comparison.order(metric).index[0]} leads by reciprocal rank, {best} leads by RPP, which "
        "counts the users who want more than one document as well.",
        f"- {best} against {second} by the number of relevant documents that a user wants (positive: "
        f"{best} is better): {profile}.",
        f"- {len(comparison.topics)} topics leave open whether this is luck: of {comb(len(runs), 2)} pairs "
        f"{found} differ significantly by RPP, {found_by_precision} by average precision.",
    ]
    explain = f"irpref explain {qrels} {pair[0]} {pair[1]} --topic {topic}"
    return "\n".join(
        [
            wrapped(
                f"The demo collection: {len(runs)} rankers on {len(comparison.topics)} topics of a small "
                "handbook on growing food, judged 0, 1 or 2."
            ),
            f"  irpref compare {qrels} {runs[0].parent}/*.txt",
            "",
            shown(replace(comparison.report(), next_step="")),
            "What one learns",
            "",
            *map(wrapped, learned),
            "",
            "The first two, in detail:",
            f"  irpref compare {qrels} {pair[0]} {pair[1]}",
            "",
            shown(replace(two.report(), next_step=f"Why?  {explain}")),
            shown(comparison.explain(topic, best, second).report),
        ]
    )


def _tied_share(comparison: Comparison, preference: object) -> float:
    outcomes = comparison.outcomes(preference)  # type: ignore[arg-type]
    return float(outcomes["ties"].sum() / outcomes[["wins", "ties", "losses"]].to_numpy().sum())

"""Parts of the topics: qrels and runs cut into partitioned Parquet, and read from it part by part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irpref.choices import Progress
from irpref.processes import refuse_forked
from irpref.read import name_runs
from irpref.read.files import source_of
from irpref.read.partition import PARTS, write_parts
from irpref.read.row_counts import parts_for
from irpref.read.stored import Stored, files_of_part, systems_in
from irpref.read.topics_of_parts import TopicsOfParts

__all__ = ["TopicPart", "parts_in", "topic_parts"]


@dataclass(frozen=True)
class TopicPart:
    """Some of the topics: their judgments, and what the runs have on them.

    Attributes:
        source: What errors call it.
        qrels: The judgments, for :func:`irpref.read.read_qrels`; None if there are none.
        runs: By system, for :func:`irpref.read.read_run`; None where a run has nothing. All parts have the
            same systems, in the same order.
        check: Called where runs have topics that the part's qrels lack; raises an InputError if the qrels
            have them in another part.
    """

    source: str
    qrels: Any
    runs: Mapping[str, Any]
    check: Callable[[], None]


@contextmanager
def topic_parts(
    qrels: Any, runs: Any, *, parts: int | None = None, progress: Progress | None = None
) -> Iterator[Sequence[TopicPart] | None]:
    """Qrels and runs, part by part of the topics, in bounded memory.

    Folders that are partitioned already (``part=…``) are read as they are. Other data are cut into parts
    first, in a temporary folder, unless all of it can be read at once.

    Args:
        qrels: See :func:`irpref.collect`.
        runs: See :func:`irpref.collect`.
        parts: How many parts to make; by default as many as the size asks for.
        progress: Called after every run that was cut into parts.

    Yields:
        The parts; None if all of it can be read at once.

    Raises:
        InputError: Something is unreadable, or the qrels have a topic in two parts.
        ValueError: Two runs have one name, or there is none.
    """
    refuse_forked()
    judged, ran = parts_in(qrels), parts_in(runs)
    if judged is not None and ran is not None:
        yield _as_they_are(judged, ran, os.fspath(qrels), os.fspath(runs))
        return
    named = name_runs(runs)
    number = parts_for(qrels, named) if parts is None else parts
    if number == 1:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="irpref-") as folder:
        yield _cut(qrels, named, Path(folder), number, progress)


def parts_in(path: Any) -> dict[str, Path] | None:
    """The folders of the parts in a folder, by name; None if it is no such folder."""
    if not isinstance(path, str | os.PathLike) or not os.path.isdir(path):
        return None
    return {
        each.name: each
        for each in sorted(Path(path).iterdir())
        if each.name.startswith(PARTS) and each.is_dir()
    } or None


def _cut(
    qrels: Any, runs: Mapping[str, Any], folder: Path, number: int, progress: Progress | None
) -> Sequence[TopicPart]:
    """Write the parts, and say where they are."""
    said = source_of(qrels, "qrels")
    judged: dict[int, list[Path]] = {}
    for part, _, path in write_parts(
        qrels, "qrels", said, folder / "qrels", number, name="qrels", numbered=True
    ):
        judged.setdefault(part, []).append(path)
    ran: dict[tuple[int, str], list[Path]] = {}
    sources = {name: source_of(run, f"run {name!r}") for name, run in runs.items()}
    for done, (name, run) in enumerate(runs.items(), start=1):
        for part, _, path in write_parts(
            run,
            "run",
            sources[name],
            folder / "runs",
            number,
            name=f"{done:04d}",
            numbered=True,
        ):
            ran.setdefault((part, name), []).append(path)
        if progress is not None:
            progress("cutting runs into parts", done, len(runs))

    def stored(paths: list[Path] | None, source: str) -> Stored | None:
        return None if paths is None else Stored(tuple(paths), source, numbered=True)

    return [
        TopicPart(
            source=f"part {part + 1} of {number}",
            qrels=stored(judged.get(part), said),
            runs={name: stored(ran.get((part, name)), source) for name, source in sources.items()},
            check=_nothing_to_check,
        )
        for part in range(number)
    ]


def _nothing_to_check() -> None:
    """Qrels and runs were cut in the same way."""


def _as_they_are(
    judged: Mapping[str, Path], ran: Mapping[str, Path], qrels: str, runs: str
) -> Sequence[TopicPart]:
    """The parts of folders that somebody partitioned."""
    names = sorted({*judged, *ran})
    files = {name: files_of_part(path) for name, path in ran.items()}
    of = {name: systems_in(files[name]) for name in ran}
    systems = sorted({system for found in of.values() for system in found})
    topics = TopicsOfParts({name: files_of_part(path) for name, path in judged.items()}, qrels)
    return [
        TopicPart(
            source=f"{name} of {runs}",
            qrels=Stored(files_of_part(judged[name])) if name in judged else None,
            runs={
                system: Stored(
                    of[name][system], f"{os.path.join(runs, name)}, system {system}", system
                )
                if name in ran and system in of[name]
                else None
                for system in systems
            },
            check=lambda name=name: topics.refuse_elsewhere(  # type: ignore[misc]
                name, files.get(name, ()), os.path.join(runs, name)
            ),
        )
        for name in names
    ]

"""Parts of the topics: qrels and runs cut into partitioned Parquet, and read from it part by part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pandas.util import hash_array

from irpref.choices import Progress
from irpref.errors import InputError
from irpref.processes import refuse_forked
from irpref.read import name_runs
from irpref.read.column_names import columns_for
from irpref.read.columns import names_of
from irpref.read.files import source_of
from irpref.read.partition import PARTS, NotWrittenError, parts_for, write_parts, write_runs
from irpref.read.stored import Stored, files_in, scan
from irpref.reading import Reading


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
    qrels: Any,
    runs: Any,
    reading: Reading | None = None,
    *,
    parts: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Sequence[TopicPart] | None]:
    """Qrels and runs, part by part of the topics, in bounded memory.

    Folders that are partitioned already (``part=…``) are read as they are. Other data are cut into parts
    first, in a temporary folder, unless all of it can be read at once.

    Args:
        qrels: See :func:`irpref.collect`.
        runs: See :func:`irpref.collect`.
        reading: How to read them, such as the names of the columns.
        parts: How many parts to make; by default as many as the size asks for.
        progress: Called after every run that was cut into parts.

    Yields:
        The parts; None if all of it can be read at once.

    Raises:
        InputError: Something is unreadable, or the qrels have a topic in two parts.
        ValueError: Two runs have one name, or there is none.
    """
    refuse_forked()
    named = name_runs(runs)
    if (partitioned := _as_they_are(qrels, named, reading)) is not None:
        yield partitioned
        return
    number = parts_for(qrels, named) if parts is None else parts
    if number == 1:
        yield None
        return
    try:
        temporary = tempfile.TemporaryDirectory(prefix="irpref-")
    except OSError as error:
        raise _no_room(error) from error
    with temporary as folder:
        try:
            cut = _cut(qrels, named, Path(folder), number, reading, progress)
        except NotWrittenError as error:
            raise _no_room(error) from error
        yield cut


def _no_room(error: OSError) -> InputError:
    # Where Python finds no temporary folder at all, it has no name.
    place = tempfile.tempdir
    return InputError(
        f"parts of the topics cannot be written to the temporary folder ({error.strerror})",
        source=None if place is None else str(place),
        remedy="name another one, in the environment variable TMPDIR, with room for qrels and runs",
    )


def _cut(
    qrels: Any,
    runs: Mapping[str, Any],
    folder: Path,
    number: int,
    reading: Reading | None,
    progress: Progress | None,
) -> Sequence[TopicPart]:
    """Write the parts, and say where they are."""
    said = source_of(qrels, "qrels")
    judged: dict[int, list[Path]] = {}
    for part, _, path in write_parts(
        qrels, "qrels", said, folder / "qrels", number, reading, name="qrels", numbered=True
    ):
        judged.setdefault(part, []).append(path)
    ran: dict[tuple[int, str], list[Path]] = {}
    for part, name, path in write_runs(
        runs, folder / "runs", number, reading, numbered=True, progress=progress
    ):
        ran.setdefault((part, name), []).append(path)

    def stored(paths: list[Path] | None, source: str) -> Stored | None:
        return None if paths is None else Stored(tuple(paths), source, numbered=True)

    sources = {name: source_of(run, f"run {name!r}") for name, run in runs.items()}
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
    qrels: Any, runs: Mapping[str, Any], reading: Reading | None
) -> Sequence[TopicPart] | None:
    """The parts of folders that somebody partitioned; None if qrels or a run is not partitioned."""
    judged = _by_part(qrels)
    ran = {name: _by_part(run) for name, run in runs.items()}
    if judged is None or any(of is None for of in ran.values()):
        return None
    pieces = {name: of for name, of in ran.items() if of is not None}
    names = sorted({*judged, *(name for of in pieces.values() for name in of)})
    topics = TopicsOfParts(
        {name: of.files for name, of in judged.items()}, os.fspath(qrels), reading
    )

    def check(name: str) -> None:
        files = dict.fromkeys(
            chain.from_iterable(of[name].files for of in pieces.values() if name in of)
        )
        topics.refuse_elsewhere(name, list(files))

    return [
        TopicPart(
            source=os.path.join(os.fspath(qrels), name),
            qrels=judged.get(name),
            runs={system: of.get(name) for system, of in pieces.items()},
            check=partial(check, name),
        )
        for name in names
    ]


def _by_part(data: Any) -> dict[str, Stored] | None:
    """What is in each part of a partitioned folder, by the part's name; None if it is no such folder."""
    if isinstance(data, Stored):
        files, system = data.files, data.system
    elif isinstance(data, str | os.PathLike) and os.path.isdir(data):
        files, system = files_in(data) or (), None
    else:
        return None
    # A part may have several folders, as where there is one for each day too.
    found: dict[str, dict[Path, Path]] = {}
    for file in files:
        place = next((each for each in file.parents if each.name.startswith(PARTS)), None)
        if place is None:
            return None
        found.setdefault(place.name, {})[file] = place
    whose = "" if system is None else f", system {system}"
    return {
        name: Stored(tuple(of), f"{os.path.commonpath(of.values())}{whose}", system)
        for name, of in found.items()
    }


class TopicsOfParts:
    """In which part the qrels have each topic."""

    def __init__(
        self, files: Mapping[str, Sequence[Path]], source: str, reading: Reading | None = None
    ) -> None:
        """Look at the topics of the qrels.

        Raises:
            InputError: A topic is in two parts.
        """
        self._files, self._names, self._reading = files, sorted(files), reading
        hashes = [_hashes(self._topics_in(files[name])) for name in self._names]
        whole = np.concatenate([*hashes, np.empty(0, dtype=np.uint64)])
        order = np.argsort(whole, kind="stable")
        self._hashes = whole[order]
        self._parts = np.repeat(np.arange(len(hashes)), list(map(len, hashes)))[order]
        twice = np.flatnonzero(self._hashes[1:] == self._hashes[:-1])
        for at in twice.tolist():
            one, other = (self._names[self._parts[each]] for each in (at, at + 1))
            both = self._topics_in(files[one])
            both = both.filter(both.is_in(self._topics_in(files[other]).implode()))
            if len(both):
                raise InputError(
                    f"the qrels have this topic in two partitions, {one} and {other}",
                    source=source,
                    topic=both[0],
                    remedy="keep a topic in one partition, as irpref convert does",
                )

    def refuse_elsewhere(self, part: str, files: Sequence[Path]) -> None:
        """Refuse a topic of the runs that the qrels have in another part.

        Raises:
            InputError: There is one.
        """
        topics = self._topics_in(files)
        hashes = _hashes(topics)
        at = np.searchsorted(self._hashes, hashes).clip(max=max(len(self._hashes) - 1, 0))
        if not len(self._hashes):
            return
        found = np.flatnonzero(self._hashes[at] == hashes)
        for index in found.tolist():
            other = self._names[self._parts[at[index]]]
            if other != part and (self._topics_in(self._files[other]) == topics[index]).any():
                raise InputError(
                    f"the runs have this topic in {part}, and the qrels in {other}",
                    source=files[0].parent,
                    topic=topics[index],
                    remedy="partition qrels and runs by the topic in the same way, as irpref convert does",
                )

    def _topics_in(self, files: Sequence[Path]) -> pl.Series:
        """The names of the topics in some files."""
        found = [pl.Series("topic", [], dtype=pl.String)]
        for file in files:
            frame = scan(file)
            columns = columns_for("topic", frame.collect_schema().names(), self._reading)
            if columns:
                values = frame.select(pl.col(columns[0]).unique()).collect().to_series()
                found.append(names_of(values).drop_nulls().alias("topic"))
        return pl.concat(found).unique(maintain_order=True)


def _hashes(topics: pl.Series) -> Any:
    return hash_array(topics.to_numpy().astype(object), categorize=False)

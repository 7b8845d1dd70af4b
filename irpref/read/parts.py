"""Parts of the topics: qrels and runs cut into partitioned Parquet, and read from it part by part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from irpref.base.errors import InputError
from irpref.base.literals import Progress
from irpref.base.reading_options import USUAL, Reading
from irpref.base.temporary import temporary_folder
from irpref.base.workers import require_threads
from irpref.read import source_of
from irpref.read.column_names import columns_for, may_be_ratings, system_column
from irpref.read.columns import names_of
from irpref.read.cutting import PARTS, parts_for, rows_in, write_parts
from irpref.read.names_of_runs import name_runs
from irpref.read.stored import Cut, Stored, columns_in, files_in, scan


@dataclass(frozen=True)
class TopicPart:
    """Some of the topics: their judgments, and what the runs have on them.

    Attributes:
        source: What errors call it.
        qrels: The judgments, for :func:`irpref.read.read_qrels`; None if there are none.
        runs: By system, for :func:`irpref.read.read_run`; None where a run has nothing. All parts have the
            same systems, in the same order.
        check: Called where runs have topics that the part's qrels lack; raises an InputError if the qrels
            have them in another part. Where qrels and runs were cut in the same way, there is none.
    """

    source: str
    qrels: Any
    runs: Mapping[str, Any]
    check: Callable[[], None] | None = None


@contextmanager
def topic_parts(
    qrels: Any,
    runs: Any,
    reading: Reading = USUAL,
    *,
    number: int | None = None,
    again: bool = True,
    progress: Progress | None = None,
) -> Iterator[Sequence[TopicPart] | None]:
    """Qrels and runs, part by part of the topics, in bounded memory.

    Folders that are partitioned already (``part=…``) are read as they are. Other data are cut into parts
    first, in a temporary folder, unless all of it can be read at once, or Parquet a few times, for some
    topics each time.

    Args:
        qrels: See :func:`irpref.collect`.
        runs: See :func:`irpref.collect`.
        reading: How to read them, such as the names of the columns.
        number: How many parts there shall be; None for as many as are needed.
        again: Whether files may be read for each part again; cut rows only say where each judgment was.
        progress: Called after every run that was cut into parts.

    Yields:
        The parts; None if all of it can be read at once.

    Raises:
        InputError: Something is unreadable, or the qrels have a topic in two parts.
        ValueError: Two runs have one name, or there is none.
    """
    require_threads()
    named = name_runs(runs)
    if number is None and (partitioned := _as_they_are(qrels, named, reading)) is not None:
        yield partitioned
        return
    number = number or parts_for(qrels, named)
    if number == 1:
        yield None
        return
    if again and (parts := _read_again(qrels, named, number, reading)) is not None:
        yield parts
        return
    with ExitStack() as opened:
        try:
            folder = opened.enter_context(temporary_folder(tempfile.gettempdir()))
            cut = _cut(qrels, named, folder, number, reading, progress)
        except OSError as error:
            # What cannot be read is an error of input.
            raise _disk_full(error) from error
        yield cut


# To read Parquet so many times costs about as much as to cut it.
_MOST_TIMES = 8


def _read_again(
    qrels: Any, runs: Mapping[str, Any], number: int, reading: Reading
) -> Sequence[TopicPart] | None:
    """Parts that are read from the files as they are; None if that costs more than cutting or cannot be."""
    if number > _MOST_TIMES:
        return None
    stored = list[Stored]()
    for data in (qrels, *runs.values()):
        if (alone := _alone(data, reading)) is None:
            return None
        stored.append(alone)
    parts = [[replace(each, part=(part, number)) for each in stored] for part in range(number)]
    return [
        TopicPart(f"part {part} of {number}", judged, dict(zip(runs, ran, strict=True)))
        for part, (judged, *ran) in enumerate(parts, start=1)
    ]


def _alone(data: Any, reading: Reading) -> Stored | None:
    """The Parquet that qrels or a run have to themselves, if each part of it tells as much as the whole."""
    if isinstance(data, str | os.PathLike) and (files := files_in(data)) is not None:
        data = Stored(files, os.fspath(data))
    # That a run is empty, or what ratings there are, only the whole says.
    if not isinstance(data, Stored) or not any(map(rows_in, data.files)):
        return None
    for schema in map(columns_in, data.files):
        named = partial(columns_for, names=list(schema), reading=reading)
        # As text, other numbers are written in several ways.
        topics = [schema[name] for name in named("topic")[:1]]
        alike = any(each == pl.String or each.is_integer() for each in topics)
        if (
            system_column(schema)
            or not alike
            or any(may_be_ratings(name, reading) for name in named("grade"))
        ):
            return None
    return data


def _disk_full(error: OSError) -> InputError:
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
    reading: Reading,
    progress: Progress | None,
) -> Sequence[TopicPart]:
    """Write the parts, and say where they are."""
    files = write_parts(qrels, runs, folder, number, reading, progress=progress)
    sources = {name: source_of(run, f"run {name!r}") for name, run in runs.items()}
    return [
        TopicPart(
            source=f"part {part + 1} of {number}",
            qrels=Cut(files[part, None], source_of(qrels, "qrels")),
            runs={name: Cut(files[part, name], source) for name, source in sources.items()},
        )
        for part in range(number)
    ]


def _as_they_are(
    qrels: Any, runs: Mapping[str, Any], reading: Reading
) -> Sequence[TopicPart] | None:
    """The parts of folders that somebody partitioned; None if qrels or a run is not partitioned."""
    judged = _by_part(qrels)
    pieces = {name: of for name, run in runs.items() if (of := _by_part(run)) is not None}
    if judged is None or len(pieces) < len(runs):
        return None
    names = sorted({*judged, *(name for of in pieces.values() for name in of)})
    topics = _topics_of_parts(judged, os.fspath(qrels), reading)

    def check(name: str) -> None:
        """Refuse a topic of the runs that the qrels have in another part."""
        files = dict.fromkeys(chain(*(of[name].files for of in pieces.values() if name in of)))
        others = topics.filter(pl.col("part") != name)
        elsewhere = _topics_in(files, reading).join(others, on="topic", maintain_order="left")
        if not elsewhere.is_empty():
            topic, other = elsewhere.row(0)
            raise InputError(
                f"the runs have this topic in {name}, and the qrels in {other}",
                source=next(iter(files)).parent,
                topic=topic,
                remedy="partition qrels and runs by the topic in the same way",
            )

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
        files, system = files_in(data) or [], None
    else:
        return None
    # A part may have several folders, as where there is one for each day too.
    found: dict[str, list[Path]] = {}
    for file in files:
        name = next((each.name for each in file.parents if each.name.startswith(PARTS)), None)
        if name is None:
            return None
        found.setdefault(name, []).append(file)
    whose = "" if system is None else f", system {system}"
    return {
        name: Stored(of, f"{os.path.commonpath([file.parent for file in of])}{whose}", system)
        for name, of in found.items()
    }


def _topics_of_parts(judged: Mapping[str, Stored], source: str, reading: Reading) -> pl.DataFrame:
    """The topics of the qrels and the name of the part of each, as columns.

    Raises:
        InputError: A topic is in two parts.
    """
    topics = pl.concat(
        _topics_in(judged[name].files, reading).with_columns(part=pl.lit(name))
        for name in sorted(judged)
    )
    twice = topics.filter(pl.col("topic").is_duplicated())
    if not twice.is_empty():
        topic = twice["topic"][0]
        one, other, *_ = twice.filter(pl.col("topic") == topic)["part"]
        raise InputError(
            f"the qrels have this topic in two partitions, {one} and {other}",
            source=source,
            topic=topic,
            remedy="keep a topic in one partition",
        )
    return topics


def _topics_in(files: Iterable[Path], reading: Reading) -> pl.DataFrame:
    """The names of the topics in some files, as a column."""
    found = [pl.Series("topic", [], dtype=pl.String)]
    for file in files:
        frame = scan(file)
        columns = columns_for("topic", frame.collect_schema().names(), reading)
        if columns:
            values = frame.select(pl.col(columns[0]).unique()).collect().to_series()
            found.append(names_of(values).drop_nulls().alias("topic"))
    return pl.concat(found).unique(maintain_order=True).to_frame()

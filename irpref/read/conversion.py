"""``convert``: qrels and runs as partitioned Parquet, which irpref and other tools read part by part."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from irpref.base.checks import check_count
from irpref.base.errors import InputError
from irpref.base.literals import Progress
from irpref.base.reading_options import Reading
from irpref.base.workers import refuse_forked, umask
from irpref.read import name_runs
from irpref.read.partition import parts_for, write_parts


def convert(
    qrels: Any,
    runs: Any,
    folder: str | os.PathLike[str],
    *,
    parts: int | None = None,
    columns: Mapping[str, str] | None = None,
    rel: float | None = None,
    progress: Progress | None = None,
) -> None:
    """Write qrels and runs as Parquet, cut into parts of the topics.

    The folder gets ``qrels/part=0/…`` with columns query_id, doc_id and relevance (and subtopic, where
    there are any), and ``runs/part=0/…`` with columns query_id, doc_id, score, rank (where there are any)
    and system. DuckDB, Spark, Dask and pandas read them; irpref compares them part by part, with
    ``keep="summary"``. All that is known of a topic is in one part, which a hash of its name chooses.

    Args:
        qrels: See :func:`irpref.collect`.
        runs: See :func:`irpref.collect`. Large files are read bit by bit.
        folder: Where to write; there must be no such folder, or an empty one.
        parts: How many parts; by default so many that a part of a run has two million rows or less.
        columns: What tables call their columns; see :class:`irpref.Reading`.
        rel: The least grade that is relevant; lower ones are written as 0. None leaves all as they are.
        progress: Called after every run.

    Raises:
        InputError: Something is unreadable, or the folder is not empty or cannot be written.
        ValueError: Two runs have one name, or ``parts`` is below 1.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     irpref.convert(*demo_paths(), folder, parts=3)
        ...     irpref.compare(f"{folder}/qrels", f"{folder}/runs", keep="summary").topic_count
        12
    """
    refuse_forked()
    place = Path(folder)
    named = name_runs(runs)
    reading = Reading(columns=columns, rel=rel)
    number = parts_for(qrels, named) if parts is None else check_count("parts", parts)
    with new_folder(place) as beside:
        for _ in write_parts(qrels, named, beside, number, reading, progress=progress):
            pass


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
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
    # What is not whole is never seen at its place.
    try:
        beside = Path(tempfile.mkdtemp(prefix=".irpref-", dir=place.parent))
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", source=place) from error
    try:
        yield beside
        beside.chmod(0o777 & ~umask())
        beside.replace(place)
    except OSError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be written ({error.strerror})", source=place) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)

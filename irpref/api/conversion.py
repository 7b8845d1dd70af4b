"""``convert``: qrels and runs as a saved collection, which is read in a moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irpref.api.summed_part import locate_parts, sum_parts
from irpref.api.verbs import collect_for
from irpref.base.checks import check_count
from irpref.base.literals import Progress
from irpref.base.reading_options import ReadingOptions
from irpref.positions.locating import LocatedRuns
from irpref.positions.saved import opened_once, saved_in
from irpref.positions.saving import CollectionFile, collection_file
from irpref.read import sources_of
from irpref.read.names_of_runs import name_runs
from irpref.read.parts import topic_parts
from irpref.report.output import check_writable

if TYPE_CHECKING:
    from typing_extensions import Unpack


def convert(
    qrels: Any,
    runs: Any,
    path: str | os.PathLike[str],
    *,
    parts: int | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> None:
    """Read qrels and runs once, and save them as a collection, even where memory cannot hold all of it.

    Whatever reads takes the file in place of qrels and runs: ``irpref.collect(path)``,
    ``irpref.compare(path)``. Of small data ``collect(qrels, runs, …).save(path)`` writes the same. Large
    data are cut into parts of the topics, and saved and (with ``keep="summary"``) compared part by part.

    Args:
        qrels: See :func:`irpref.collect`; a saved collection is read whole, and saved in one part.
        runs: See :func:`irpref.collect`; large files are read bit by bit.
        path: The file to write, such as ``"covid.irpref"``.
        parts: How many parts; by default so many that a part of a run has two million rows or less.
        progress: Called after every run and part.
        reading: Those of :func:`irpref.collect`; :meth:`irpref.Collection.save` says which are settled.

    Raises:
        InputError: Something is unreadable, nothing is relevant, or the file cannot be written.
        ValueError: Two runs have one name, or ``parts`` is below 1.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     irpref.convert(*demo_paths(), f"{folder}/demo.irpref", parts=3)
        ...     irpref.compare(f"{folder}/demo.irpref", keep="summary").topic_count
        12
    """
    qrels, options = opened_once(convert, qrels, reading)
    number, place = None if parts is None else check_count("parts", parts), Path(path)
    check_writable(place)
    if saved_in(qrels) is not None:
        collect_for(None, qrels, runs, options, progress=progress).save(place)
        return
    named = name_runs(runs)
    with topic_parts(qrels, named, options, number=number, again=False, progress=progress) as cut:
        if cut is None:
            collect_for(None, qrels, named, options, progress=progress).save(place)
            return
        with collection_file(place) as file:
            located = locate_parts(cut, options, pool=True, progress=progress)
            # Sums of nothing: what only the whole shows to be wrong is told of, or refused.
            sources = sources_of(qrels, named.values())
            summed = sum_parts(_written(file, located, sources), [])
            summed.whole()
            file.finish(summed.warnings)


def _written(
    file: CollectionFile, parts: Iterator[LocatedRuns], sources: tuple[str, ...]
) -> Iterator[LocatedRuns]:
    """The parts, each of which is written as it goes by, with what was read."""
    for part in parts:
        placements = replace(part.placements, sources=sources)
        file.add(placements, part.selection_index)
        # Each run is warned of by itself, whatever system it is of.
        alone = placements.reading.of_single_runs
        yield part._replace(placements=replace(placements, reading=alone))

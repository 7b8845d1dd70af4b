"""A collection in a file: tables are read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from irpref.api.collection import Collection
from irpref.base.literals import Progress, watched
from irpref.base.reading_options import Reading
from irpref.positions.locating import LocatedRuns, refuse_nothing_judged, warn_of_runs
from irpref.positions.placements import Placements
from irpref.positions.saved import Saved
from irpref.positions.selection_index import SelectionIndex


class SavedCollection(Collection):
    """A collection that :meth:`irpref.Collection.save` or :func:`irpref.convert` wrote."""

    def __init__(
        self, saved: Saved, runs: Any, reading: Reading, *, progress: Progress | None = None
    ) -> None:
        """Open it, and warn as when its runs were read.

        Args:
            saved: The file.
            runs: The names of some systems, or None for all.
            reading: How it is read; what was not kept is refused.
            progress: Called after every part that is read.

        Raises:
            InputError: It would have to be saved otherwise.
            ValueError: There is no such system.
        """
        saved.check(reading)
        reading.check_names(saved.systems)
        self.__dict__.update(
            _saved=saved, _names=saved.named(runs), _reading=reading, _progress=progress
        )
        warn_of_runs(saved.warnings_of(self._names), len(self._names))

    _saved: Saved
    _names: tuple[str, ...]
    _reading: Reading
    _progress: Progress | None

    @cached_property
    def _read(self) -> LocatedRuns:
        return self._saved.read(self._names, self._reading, progress=self._progress)

    @property
    def placements(self) -> Placements:
        """The positions, as arrays."""
        return self._read.placements

    @property
    def index(self) -> SelectionIndex:
        """What else was kept, so that a part can be taken."""
        return self._read.selection_index

    def parts(self) -> Iterator[LocatedRuns]:
        """The parts of the topics, one after the other, to compare their runs.

        Raises:
            InputError: One of two runs retrieves no judged document.
        """
        refuse_nothing_judged(self._saved.warnings_of(self._names), len(self._names))
        for number in watched(range(len(self._saved.parts)), "comparing parts", self._progress):
            yield self._saved.read(self._names, self._reading, part=number)

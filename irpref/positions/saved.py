"""A saved collection: opened once, with what its header says, and the parts of it that are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from irpref.base.checks import check_whole
from irpref.base.errors import InputError, index_of_name
from irpref.base.keywords import from_keywords
from irpref.base.literals import Progress, watched
from irpref.base.message import Message, Option
from irpref.base.reading_options import Reading
from irpref.positions.archive import Archive
from irpref.positions.coverage import Part
from irpref.positions.joining import joined
from irpref.positions.judgments import NothingJudgedError
from irpref.positions.locating import LocatedRuns
from irpref.positions.placements import NoPool, arranged
from irpref.positions.saved_tables import SavedTables
from irpref.positions.saving import COLLECTION
from irpref.positions.selection import select
from irpref.read.files import ZIP, begins

# What the positions depend on, so that nobody can ask for it later.
_SETTLED = ("order", "duplicates", "judged_only", "rel", "columns")


@dataclass(frozen=True, eq=False)
class Saved(os.PathLike[str]):
    """A saved collection that is open, of which only the header was read; it stands for its path.

    Attributes:
        archive: The file.
        systems: (S,) names of the systems.
        reading: How the qrels and runs were read.
        sources: What was read, in words.
        selected: Which part of the whole it is.
        no_pool: Why the pools are unknown, if they are.
        warnings: By system, what looks wrong with its run, as the error that it is not.
        parts: What the header says of each part of the topics.
    """

    archive: Archive
    systems: tuple[str, ...]
    reading: Reading
    sources: tuple[str, ...]
    selected: tuple[Part, ...]
    no_pool: NoPool
    warnings: Mapping[str, InputError]
    parts: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, archive: Archive) -> Saved:
        """What the header of a file says.

        Raises:
            InputError: It is not as it was written.
        """
        header = archive.header
        with archive.reading():
            systems, pool = tuple(header["systems"]), header["pool"]
            check_whole("system", systems)
            if not 0 < len(systems) == len(set(systems)):
                raise ValueError("two systems have one name, or there is none")
            folders = {f"part={number}" for number in range(len(header["parts"]))}
            if not folders or {name.partition("/")[0] for name in archive.tables} != folders:
                raise ValueError("its parts are not those of the header")
            reading = Reading(**header["reading"])
            reading.check_names(systems)
            if vars(reading).keys() != header["reading"].keys():
                raise ValueError("an option of reading is missing")
            return cls(
                archive,
                systems,
                reading,
                sources=tuple(map(str, header["sources"])),
                selected=tuple(
                    Part(str(a), int(b), int(c), str(d)) for a, b, c, d in header["selected"]
                ),
                no_pool=NoPool.NOT_COUNTED if pool is None else NoPool[pool],
                warnings=dict(map(_warning, header["warnings"])),
                parts=tuple(header["parts"]),
            )

    def __fspath__(self) -> str:
        return self.archive.path

    def named(self, runs: Any) -> tuple[str, ...]:
        """The systems with some names, or of groups with these; all of them if None are named.

        Raises:
            ValueError: There is no such system, none is named, or one twice, or a run is given for one.
        """
        if runs is None:
            return self.systems
        if isinstance(runs, Mapping) and any(str(name) != run for name, run in runs.items()):
            raise ValueError(
                f"{self.archive.path} has its runs already: give names of its systems only"
            )
        members = self.reading.members(self.systems)
        known = list(dict.fromkeys((*members, *self.systems)))
        found = list[str]()
        for name in [runs] if isinstance(runs, str) else map(str, runs):
            index_of_name(name, known, "system")
            found += [self.systems[each] for each in members.get(name, ())] or [name]
        if not 0 < len(found) == len(set(found)):
            raise ValueError(f"{self.archive.path}: name at least one system, and none twice")
        return tuple(found)

    def check(self, reading: Reading) -> None:
        """Refuse what cannot be asked any more.

        Raises:
            InputError: The runs would have to be read anew.
        """
        before, lists = self.reading, self.reading.lists or 0
        said = {
            name: Message("its runs were not read with ", Option(name, getattr(reading, name)))
            for name in _SETTLED
            if getattr(reading, name) != getattr(before, name)
        }
        if before.rel is None and (reading.rel or 1) <= 1:
            # No grade was between 0 and 1 then.
            said.pop("rel", None)
        if before.depth is not None and (reading.depth or np.inf) > before.depth:
            said["depth"] = Message(f"its runs were cut to {before.depth:,} documents")
        if (reading.lists or 0) > lists:
            kept = f"only the first {lists:,} documents" if lists else "no lists"
            said["lists"] = Message(f"it keeps {kept} of the runs")
        for name, problem in said.items():
            option = Option(name, getattr(reading, name))
            # Only irpref convert has an option for lists.
            typed = f" (irpref convert --lists {option.value})" if name == "lists" else ""
            again = Message("read the runs again, and save them, with ", option, typed)
            raise InputError(problem, source=self.archive.path, remedy=again)

    def read(
        self,
        systems: Sequence[str],
        reading: Reading,
        *,
        part: int | None = None,
        progress: Progress | None = None,
    ) -> LocatedRuns:
        """Some systems, as reading their runs would find them; topics are in the order of the qrels.

        Args:
            systems: Their names; no positions of others are read.
            reading: How they are asked for; see :meth:`check`.
            part: One part of the topics, by its number from 0, without what looks wrong with the whole;
                None for all.
            progress: Called after every part.

        Raises:
            InputError: A part is not as it was written.
        """
        numbers = range(len(self.parts)) if part is None else [part]
        read = [
            self._part(number, systems, reading.lists)
            for number in watched(numbers, "reading parts", progress)
        ]
        with self.archive.reading():
            names = [part.placements.by_topic.topics for part in read]
            if len(set(chain(*names))) < sum(map(len, names)):
                raise ValueError("two parts have one topic")
            placements, index, nothing_judged = read[0] if len(read) == 1 else joined(read)
            if part is None and not placements.topics:
                raise ValueError("nothing is relevant")
        if tuple(systems) != self.systems:
            placements, index = select(placements, index, systems=systems)
        if reading.depth != self.reading.depth:
            placements, index = select(placements, index, depth=reading.depth)
        # What looks wrong with the whole is not said of each part again.
        placements = replace(
            placements,
            reading=self._of_runs(reading, systems),
            parts=self.selected,
            sources=self.sources,
            warnings=self.warnings_of(systems) if part is None else {},
        )
        return LocatedRuns(placements, index, nothing_judged)

    def warnings_of(self, systems: Sequence[str]) -> dict[str, InputError]:
        """What looks wrong with the runs of some systems, by their names."""
        return {name: self.warnings[name] for name in systems if name in self.warnings}

    def _of_runs(self, reading: Reading, systems: Sequence[str]) -> Reading:
        """The reading of some of the runs, without what it says of others."""
        if tuple(systems) == self.systems:
            return reading
        order, groups = reading.order, dict[str, list[str]]()
        if not isinstance(order, str):
            order = {name: each for name, each in order.items() if name in systems}
        for system, runs in reading.members(self.systems).items():
            if here := [self.systems[run] for run in runs if self.systems[run] in systems]:
                groups[system] = here
        same = [name for name in reading.deterministic if name in groups]
        return replace(
            reading, order=order, groups=groups if reading.groups else None, deterministic=same
        )

    def _part(self, number: int, systems: Sequence[str], lists: int | None) -> LocatedRuns:
        """A part, with blanks for the positions of other systems."""
        part, alone = self.parts[number], len(self.parts) == 1
        with self.archive.reading():
            ignored = np.array(part["ignored"])
            right = ignored.dtype == np.int64 and ignored.shape == (len(self.systems),)
            if not right or ignored.min() < 0:
                raise ValueError("a number of topics is out of range")
            tables = SavedTables(self.archive, f"part={number}/", self.systems)
            index, arrays, counts = tables.read(self.reading, lists=lists, wanted=systems)
            if not alone and not index.chosen.all():
                raise ValueError("a part has judgments that do not count")
            placements = arranged(
                index,
                self.systems,
                arrays,
                counts=counts,
                ignored=ignored,
                reading=replace(self.reading, lists=lists),
                no_pool=self.no_pool,
                whole=alone,
            )
        return LocatedRuns(placements, index, {})


def saved_in(data: Any) -> Saved | None:
    """The saved collection in a file, opened; itself if it is open; None if it is something else.

    Raises:
        InputError: It is damaged, another zip file, or of another form.
    """
    if isinstance(data, Saved) or not isinstance(data, str | os.PathLike):
        return data if isinstance(data, Saved) else None
    if not begins(data, ZIP):
        return None
    return Saved.of(Archive(os.fspath(data), COLLECTION))


def opened_once(
    caller: Callable[..., Any], qrels: Any, keywords: Mapping[str, Any]
) -> tuple[Any, Reading]:
    """The qrels, or the saved collection whose path stands there; and how a caller's keywords read them.

    What they do not say is as the collection was read, but for the lists, which are read where one asks.

    Raises:
        InputError: See :func:`saved_in`.
        TypeError: There is no such option.
        ValueError: An option is unknown or out of range.
    """
    saved = saved_in(qrels)
    options = {} if saved is None else {**vars(saved.reading), "lists": None}
    return saved or qrels, from_keywords(Reading, caller, {**options, **keywords})


def _warning(told: dict[str, Any]) -> tuple[str, InputError]:
    """A system, and what was told of it."""
    parts = {name: _message(part) for name, part in told.items()}
    system, nothing_judged = parts.pop("system"), parts.pop("nothing_judged")
    error = (NothingJudgedError if nothing_judged else InputError)(**parts)
    texts = error.problem, error.source or "", error.remedy or "", system
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a warning is no text")
    return system, error


def _message(told: Any) -> Any:
    """A text or a number, or a message of texts and options."""
    if not isinstance(told, list):
        return told
    return Message(*(part if isinstance(part, str) else Option(**part) for part in told))

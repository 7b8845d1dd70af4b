"""A saved collection: what its header says, and the parts of it that are asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from irpref.base.checks import check_whole
from irpref.base.errors import InputError, index_of_name, refusing
from irpref.base.escape import shortened
from irpref.base.literals import Progress, watched
from irpref.base.message import Message, Option
from irpref.base.reading_options import Reading
from irpref.positions.coverage import Part
from irpref.positions.joining import joined
from irpref.positions.judgments import NothingJudgedError
from irpref.positions.locating import LocatedRuns
from irpref.positions.placements import NoPool, arranged
from irpref.positions.saved_tables import SavedTables
from irpref.positions.saving import COUNTS, FORM, HEADER
from irpref.positions.selection import select
from irpref.read.files import begins
from irpref.read.given_frames import DAMAGE

_ZIP = b"PK\x03\x04"
# What json, zipfile and polars raise of damaged files, and what is raised of them here.
_WRONG = (*DAMAGE, BadZipFile, LookupError, TypeError, ValueError, AttributeError, RecursionError)
# What the positions depend on, so that nobody can ask for it later.
_SETTLED = ("order", "duplicates", "judged_only", "rel", "columns")


@dataclass(frozen=True, eq=False)
class Saved:
    """A saved collection, of which only the header was read.

    Attributes:
        path: The file.
        systems: (S,) names of the systems.
        reading: How the qrels and runs were read.
        sources: What was read, in words.
        selected: Which part of the whole it is.
        no_pool: Why the pools are unknown, if they are.
        warnings: By system, what looks wrong with its run, as the error that it is not.
        parts: What the header says of each part of the topics.
    """

    path: str
    systems: tuple[str, ...]
    reading: Reading
    sources: tuple[str, ...]
    selected: tuple[Part, ...]
    no_pool: NoPool
    warnings: Mapping[str, InputError]
    parts: tuple[Mapping[str, Any], ...]

    def named(self, runs: Any) -> tuple[str, ...]:
        """The systems with some names, or of groups with these; all of them if None are named.

        Raises:
            ValueError: There is no such system, none is named, or one twice, or a run is given for one.
        """
        if runs is None:
            return self.systems
        if isinstance(runs, Mapping) and any(str(name) != run for name, run in runs.items()):
            raise ValueError(f"{self.path} has its runs already: give names of its systems only")
        members = self.reading.members(self.systems)
        known = list(dict.fromkeys((*members, *self.systems)))
        found = list[str]()
        for name in [runs] if isinstance(runs, str) else map(str, runs):
            index_of_name(name, known, "system")
            found += [self.systems[each] for each in members.get(name, ())] or [name]
        if not 0 < len(found) == len(set(found)):
            raise ValueError(f"{self.path}: name at least one system, and none twice")
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
        if before.depth is not None and (reading.depth or np.inf) > before.depth:
            said["depth"] = Message(f"its runs were cut to {before.depth:,} documents")
        if (reading.lists or 0) > lists:
            kept = f"the first {lists:,}" if lists else "no"
            said["lists"] = Message(f"it keeps {kept} documents of every run, judged or not")
        for name, problem in said.items():
            option = Option(name, getattr(reading, name))
            again = Message("read the runs again, and save them, with ", option)
            raise InputError(problem, source=self.path, remedy=again)

    def read(
        self,
        systems: Sequence[str],
        reading: Reading,
        *,
        part: int | None = None,
        topics: Collection[str] | None = None,
        wanted: Collection[str] | None = None,
        progress: Progress | None = None,
    ) -> LocatedRuns:
        """Some systems, as reading their runs would find them; topics are in the order of the qrels.

        Args:
            systems: Their names.
            reading: How they are asked for; see :meth:`check`.
            part: One part of the topics, by its number from 0, without what looks wrong with the whole;
                None for all.
            topics: Those that will be selected: where a part has none of them, no positions are read.
            wanted: The systems that will be selected: no positions of others are read.
            progress: Called after every part.

        Raises:
            InputError: A part is not as it was written.
        """
        numbers = range(len(self.parts)) if part is None else [part]
        some = set(systems if wanted is None else wanted)
        read = [
            self._part(number, some, reading.lists, topics)
            for number in watched(numbers, "reading parts", progress)
        ]
        placements, index, nothing_judged = read[0] if len(read) == 1 else joined(read)
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

    def _part(
        self, number: int, systems: set[str], lists: int | None, topics: Collection[str] | None
    ) -> LocatedRuns:
        """A part, with blanks for the positions of other systems."""
        about = self.parts[number]
        with damaged(self.path), ZipFile(self.path) as file:
            tables = SavedTables(file, f"part={number}/", about["rows"], self.systems)
            index = tables.index(lists)
            ignored = np.array(about["ignored"], dtype=np.int64).reshape(len(self.systems))
            if ignored.min() < 0:
                raise ValueError("a number of topics is below 0")
            names = {str(index.judgments.topics[topic]) for topic in index.topics}
            if topics is not None and names.isdisjoint(topics):
                systems = set()
            placements = arranged(
                index,
                self.systems,
                tables.places(len(index.rows), systems),
                counts=[tables.counts(name, len(index.topics)) for name in COUNTS],
                ignored=ignored,
                reading=replace(self.reading, lists=lists),
                no_pool=self.no_pool,
                whole=len(self.parts) == 1,
            )
        return LocatedRuns(placements, index, {})


def damaged(path: str) -> AbstractContextManager[None]:
    """What is not as it was written becomes an InputError."""
    problem = "this is no collection that irpref saved, or a damaged one"
    remedy = "irpref convert writes one, and so does Collection.save"
    return refusing(problem, *_WRONG, source=path, remedy=remedy, longest=100)


def saved_in(data: Any) -> Saved | None:
    """The saved collection in a file; None if it is something else.

    Raises:
        InputError: It is damaged, another zip file, or of another form.
    """
    if not isinstance(data, str | os.PathLike) or not begins(data, _ZIP):
        return None
    path = os.fspath(data)
    with damaged(path), ZipFile(path) as file:
        header = json.loads(file.read(HEADER))
        problem = (
            f"irpref {shortened(str(header['irpref']))} saved this collection, in another form"
        )
        if header["irpref_collection"] == FORM:
            systems = tuple(map(str, header["systems"]))
            check_whole("system", systems)
            if not 0 < len(systems) == len(set(systems)) or not header["parts"]:
                raise ValueError("two systems have one name, or there is no system or part")
            reading, pool = Reading(**header["reading"]), header["pool"]
            reading.check_names(systems)
            return Saved(
                path=path,
                systems=systems,
                reading=reading,
                sources=tuple(map(str, header["sources"])),
                selected=tuple(
                    Part(str(a), int(b), int(c), str(d)) for a, b, c, d in header["selected"]
                ),
                no_pool=NoPool.NOT_COUNTED if pool is None else NoPool[pool],
                warnings=dict(map(_warning, header["warnings"])),
                parts=tuple(header["parts"]),
            )
    raise InputError(problem, source=path, remedy="read it with that version, or save it again")


def held(data: Any) -> dict[str, Any]:
    """The options of reading that a saved collection was read with, all but the lists; else none."""
    saved = saved_in(data)
    return {} if saved is None else {**vars(saved.reading), "lists": None}


def _warning(said: dict[str, Any]) -> tuple[str, InputError]:
    """A system, and what was said of it."""
    system, kind = said["system"], NothingJudgedError if said["nothing_judged"] else InputError
    parts = {
        name: _message(of) for name, of in said.items() if name not in ("system", "nothing_judged")
    }
    return system, kind(**parts)


def _message(said: Any) -> Any:
    """A text or a number, or a message of texts and options."""
    if not isinstance(said, list):
        return said
    return Message(*(part if isinstance(part, str) else Option(**part) for part in said))

"""A saved collection: what its header says, and the parts of it that are asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from irpref.base.checks import check_whole
from irpref.base.errors import InputError, index_of_name, refusing, warn
from irpref.base.escape import shortened
from irpref.base.literals import Progress, watched
from irpref.base.message import Message, Option
from irpref.base.reading_options import Reading
from irpref.positions.coverage import Part
from irpref.positions.joining import joined
from irpref.positions.judgments import Judgments, NothingJudgedError
from irpref.positions.locating import LocatedRuns, refuse_unjudged_runs
from irpref.positions.placements import NoPool, arranged
from irpref.positions.saved_tables import SavedTables
from irpref.positions.saving import COUNTS, FORM, HEADER
from irpref.positions.selection import select
from irpref.read.files import begins
from irpref.read.given_frames import DAMAGE

_ZIP = b"PK\x03\x04"
_DAMAGED = "this is no collection that irpref saved, or a damaged one"
_REMEDY = "irpref convert writes one, and so does Collection.save"
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
        parts: What the header says of each part of the topics.
    """

    path: str
    systems: tuple[str, ...]
    reading: Reading
    sources: tuple[str, ...]
    selected: tuple[Part, ...]
    no_pool: NoPool
    parts: tuple[Mapping[str, Any], ...]

    def named(self, runs: Any) -> tuple[str, ...]:
        """The systems with some names, or of groups with these; all of them if None are named.

        Raises:
            ValueError: There is no such system, or one is named twice.
        """
        if runs is None:
            return self.systems
        members = self.reading.members(self.systems)
        known = list(dict.fromkeys((*members, *self.systems)))
        found = list[str]()
        for name in [runs] if isinstance(runs, str) else map(str, runs):
            index_of_name(name, known, "system")
            found += [self.systems[each] for each in members.get(name, ())] or [name]
        if len(set(found)) < len(found):
            raise ValueError(f"{self.path}: a system is named twice; name it once")
        return tuple(found)

    def check(self, reading: Reading) -> None:
        """Refuse what cannot be asked any more.

        Raises:
            InputError: The runs would have to be read anew.
        """

        def refused(problem: str, option: Option) -> InputError:
            again = Message("read the runs again, and save them, with ", option)
            return InputError(problem, source=self.path, remedy=again)

        for name in _SETTLED:
            if (asked := getattr(reading, name)) != getattr(self.reading, name):
                option = Option(name, asked)
                raise refused(Message("its runs were not read with ", option), option)
        depth = self.reading.depth
        if depth is not None and (reading.depth is None or reading.depth > depth):
            problem = f"its runs were cut to {depth:,} documents"
            raise refused(problem, Option("depth", reading.depth))
        kept = self.reading.lists or 0
        if reading.lists is not None and reading.lists > kept:
            first = f"the first {kept:,} documents" if kept else "no first documents"
            problem = f"it keeps {first} of every run, and {reading.lists:,} are needed"
            raise refused(problem, Option("lists", reading.lists))

    def warn(self, systems: Sequence[str]) -> None:
        """Warn of the runs of some systems as when they were read.

        Raises:
            InputError: None of them retrieves a judged document.
        """
        found = {name: each for name, each in self.warnings().items() if name in systems}
        judged = {
            name: each for name, each in found.items() if isinstance(each, NothingJudgedError)
        }
        for name, each in found.items():
            if name not in judged:
                warn(each)
        refuse_unjudged_runs(judged, len(systems))

    def warnings(self) -> dict[str, InputError]:
        """By system, what looks wrong with its run: on all topics, or in the first part that looks so."""
        if len(self.parts) == 1:
            return self._said(0, "warnings")
        parts = range(len(self.parts))
        nothing = [self._said(part, "nothing_judged") for part in parts]
        return _first_of(self._said(part, "warnings") for part in parts) | _in_all(nothing)

    def _said(self, part: int, key: str) -> dict[str, InputError]:
        with self._refusing():
            return dict(map(_warning, self.parts[part][key]))

    def _refusing(self) -> Any:
        return refusing(_DAMAGED, *_WRONG, source=self.path, remedy=_REMEDY, longest=100)

    def part(
        self,
        number: int,
        systems: Sequence[str],
        reading: Reading,
    ) -> LocatedRuns:
        """Some systems on one part of the topics, as reading their runs would find them.

        Args:
            number: The number of the part, from 0.
            systems: Their names.
            reading: How they are asked for; see :meth:`check`.

        Raises:
            InputError: The part is not as it was written.
        """
        return self._narrowed(self._read(number, systems, reading.lists), systems, reading)

    def whole(
        self,
        systems: Sequence[str],
        reading: Reading,
        *,
        topics: Collection[str] | None = None,
        wanted: Collection[str] | None = None,
        progress: Progress | None = None,
    ) -> LocatedRuns:
        """Some systems on all topics, in the order of the qrels: see :meth:`part`.

        Args:
            systems: Their names.
            reading: How they are asked for.
            topics: Those that will be selected: where a part has none of them, no positions are read.
            wanted: The systems that will be selected: no positions of others are read.
            progress: Called after every part.
        """
        wanted = systems if wanted is None else wanted
        parts = [
            self._read(number, wanted, reading.lists, topics)
            for number in watched(range(len(self.parts)), "reading parts", progress)
        ]
        together = parts[0] if len(parts) == 1 else joined(parts, self.warnings())
        return self._narrowed(together, systems, reading)

    def _read(
        self,
        number: int,
        systems: Collection[str],
        lists: int | None,
        topics: Collection[str] | None = None,
    ) -> LocatedRuns:
        """A part, with blanks for the positions of other systems."""
        about, some = self.parts[number], set(systems)
        wanted = tuple(name for name in self.systems if name in some)
        with self._refusing(), ZipFile(self.path) as file:
            tables = SavedTables(file, f"part={number}/", about["rows"], len(self.systems))
            judgments = Judgments(tables.judgments(), whole=False)
            index = tables.index(judgments, lists)
            names = {str(judgments.topics[topic]) for topic in index.topics}
            if topics is not None and names.isdisjoint(topics):
                wanted = ()
            placements = arranged(
                index,
                self.systems,
                tables.places(len(index.rows), self.systems, wanted),
                counts=[tables.counts(name, len(index.topics), self.systems) for name in COUNTS],
                ignored=np.array(about["ignored"], dtype=np.int64).reshape(len(self.systems)),
                reading=replace(self.reading, lists=lists),
                no_pool=self.no_pool,
                parts=self.selected,
                warnings=self._said(number, "warnings"),
                whole=len(self.parts) == 1,
            )
        return LocatedRuns(placements, index, self._said(number, "nothing_judged"))

    def _narrowed(self, read: LocatedRuns, systems: Sequence[str], reading: Reading) -> LocatedRuns:
        """The named systems, as if only their runs had been read, and in the way that is asked for."""
        placements, index, nothing_judged = read
        if tuple(systems) != self.systems:
            placements, index = select(placements, index, systems=systems)
        if reading.depth != self.reading.depth:
            placements, index = select(placements, index, depth=reading.depth)
        placements = replace(
            placements,
            reading=_of_runs(reading, systems, self.systems),
            parts=self.selected,
            sources=self.sources,
        )
        here = {name: error for name, error in nothing_judged.items() if name in systems}
        return LocatedRuns(placements, index, here)


def saved_in(data: Any) -> Saved | None:
    """The saved collection in a file; None if it is something else.

    Raises:
        InputError: It is damaged, another zip file, or of another form.
    """
    if not isinstance(data, str | os.PathLike) or not begins(data, _ZIP):
        return None
    path = os.fspath(data)
    remedy = "read it with that version, or save it again"
    with refusing(_DAMAGED, *_WRONG, source=path, remedy=_REMEDY, longest=100):
        with ZipFile(path) as file:
            header = json.loads(file.read(HEADER))
        problem = (
            f"irpref {shortened(str(header['irpref']))} saved this collection, in another form"
        )
        if header["irpref_collection"] == FORM:
            systems = tuple(map(str, header["systems"]))
            check_whole("system", systems)
            if not 0 < len(systems) == len(set(systems)):
                raise ValueError("two systems have one name, or there is none")
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
                parts=tuple(header["parts"]),
            )
    raise InputError(problem, source=path, remedy=remedy)


def held(data: Any) -> dict[str, Any]:
    """The options of reading that a saved collection was read with, all but the lists; else none."""
    saved = saved_in(data)
    if saved is None:
        return {}
    return {
        each.name: getattr(saved.reading, each.name)
        for each in fields(Reading)
        if each.name != "lists"
    }


def _of_runs(reading: Reading, systems: Sequence[str], known: Sequence[str]) -> Reading:
    """The reading of some of the runs, without what it says of others."""
    if tuple(systems) == tuple(known):
        return reading
    order, groups = reading.order, dict[str, list[str]]()
    if not isinstance(order, str):
        order = {name: each for name, each in order.items() if name in systems}
    for system, runs in reading.members(known).items():
        if here := [known[run] for run in runs if known[run] in systems]:
            groups[system] = here
    return replace(
        reading,
        order=order,
        groups=groups if reading.groups else None,
        deterministic=[name for name in reading.deterministic if name in groups],
    )


def _first_of(parts: Iterable[Mapping[str, InputError]]) -> dict[str, InputError]:
    """What is said of each system in the first part that says anything."""
    found: dict[str, InputError] = {}
    for part in parts:
        found = {**part, **found}
    more = "; so it is in the first part of the topics that looks wrong"
    return {
        name: each.changed(remedy=Message(each.remedy or "", more)) for name, each in found.items()
    }


def _in_all(parts: Sequence[Mapping[str, InputError]]) -> dict[str, InputError]:
    """What is said of each system in all parts."""
    return {
        name: each.changed(source=f"run {name!r}")
        for name, each in parts[0].items()
        if all(name in part for part in parts)
    }


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

"""The signature: the line that says how to make a result again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from irpref.base.named import in_signature, quoted
from irpref.base.reading_options import Reading
from irpref.base.short_hash import short_hash
from irpref.base.version import __version__
from irpref.pairwise.totals import Sums, TaskTotals
from irpref.positions.coverage import Coverage
from irpref.positions.placements import Placements

Names = Mapping[str, "str | Iterable[str] | None"]
"""By key, the names of systems or topics; None leaves a part out."""

RunInfo: TypeAlias = Placements | Coverage
"""What was read, and how: placements, or their coverage."""


class Described(Protocol):
    """A preference, a measure, or anything else with a description for the signature."""

    @property
    def described(self) -> list[str]:
        """The description, in parts of ``key:value``."""


def signature(
    what: Described | Sequence[Described],
    run_info: RunInfo | None,
    *,
    topics: int | None = None,
    table: str | None = None,
    names: Names | None = None,
    more: Mapping[str, object] | None = None,
) -> str:
    """How a result was computed, as ``key:value`` parts joined by ``|``.

    Args:
        what: The preference or measure; several are named only.
        run_info: The placements that the result was computed on, or their coverage; None if on none.
        topics: How many topics count; all with relevant items if not given.
        table: What the result shows, if the other parts do not say that it is no mean of every pair.
        names: The systems and topics that it shows.
        more: Further parts, such as the test; None leaves a part out.

    Example:
        >>> import irpref
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
        >>> data = irpref.collect({"1": {"d": 1}}, runs)
        >>> signature(irpref.RPP, data.placements).rpartition("|")[0]
        'pref:RPP|weights:uniform|graded:yes|rel:any|cutoff:none|ties:trec|topics:1|missing:0'
    """
    parts = [
        *_said(what),
        *([] if run_info is None else _read(run_info, topics)),
        *([] if table is None else [f"table:{table}"]),
        *_named(names or {}),
        *(f"{name}:{in_signature(of)}" for name, of in (more or {}).items() if of is not None),
        f"irpref:{__version__}",
    ]
    return "|".join(parts)


def signed(
    run_info: RunInfo,
    what: Described,
    sums: Sums,
    *,
    more: Mapping[str, object] | None = None,
    **parts: Any,
) -> str:
    """The signature of a result of sums: see :func:`signature`."""
    tasks = len(sums.by_task) if isinstance(sums, TaskTotals) else None
    made = {"tasks": tasks, **(more or {})}
    return signature(what, run_info, topics=sums.most_topics, more=made, **parts)


def with_parts(line: str, names: Names | None = None, **words: str) -> str:
    """The signature of what shows the result of another signature in its own way.

    Example:
        >>> with_parts("pref:LP|topics:12|irpref:1.0", {"baseline": "bm25"}, report="baseline")
        'pref:LP|topics:12|report:baseline|baseline:bm25|irpref:1.0'
    """
    parts, _, version = line.rpartition("|")
    said = (f"{name}:{word}" for name, word in words.items())
    return "|".join([parts, *said, *_named(names or {}), version])


def of_report(
    line: str, systems: Sequence[str], second: int | None, first: int | None = None
) -> str:
    """The signature of a report of all systems: a leaderboard, or with a second system, what is over it.

    With a first one too, it is of these two.

    Example:
        >>> of_report("pref:LP|irpref:1.0", ["a", "b", "c"], 1)
        'pref:LP|report:baseline|baseline:b|irpref:1.0'
    """
    if second is None:
        return with_parts(line, report="board")
    if len(systems) > 2 and first is not None:
        return with_parts(line, {"a": systems[first], "b": systems[second]}, report="pair")
    if len(systems) > 2:
        return with_parts(line, {"baseline": systems[second]}, report="baseline")
    # The first system is over the second one, if the baseline does not say otherwise.
    names = {"baseline": systems[0]} if second == 0 else {}
    return with_parts(line, names, report="pair")


def listed(names: Iterable[str]) -> str:
    """Some names, of which none looks like two.

    Example:
        >>> listed(["bm25", "bm25, tuned"])
        'bm25,bm25%2C%20tuned'
    """
    return ",".join(quoted(name).replace(",", "%2C") for name in names)


def _named(names: Names) -> Iterable[str]:
    for key, name in names.items():
        if name is not None:
            yield f"{key}:{quoted(name) if isinstance(name, str) else listed(name)}"


def _read(run_info: RunInfo, topics: int | None) -> Iterable[str]:
    """What was read, and how."""
    groups = list[str]()
    if isinstance(run_info, Placements):
        groups, run_info = list(_groups(run_info)), run_info.coverage
    reading, missing = run_info.reading, run_info.nothing_retrieved
    chosen = {"skip": ":skipped", "worst": ":worst", None: ""}[reading.missing]
    return [
        f"topics:{run_info.topic_count if topics is None else topics}",
        *([f"missing:{missing}{chosen}"] if run_info.has_rankings else []),
        *parts_of_reading(reading),
        *groups,
        *([f"selected:{','.join(map(str, run_info.parts))}"] if run_info.parts else []),
    ]


def _groups(placements: Placements) -> Iterable[str]:
    """How many runs systems of several have, with a hash of all, and what would come out the same again.

    Nothing where each has one.
    """
    if not placements.has_groups:
        return
    members, names = placements.members, placements.systems
    sizes = (
        f"{name}={len(runs)}" for name, runs in zip(names, members, strict=True) if len(runs) > 1
    )
    made = short_hash((*names, *placements.of_runs.systems, *map(str, members)))
    yield f"groups:{listed(sizes)}#{made}"
    if placements.reading.deterministic:
        yield f"deterministic:{listed(placements.reading.deterministic)}"


def parts_of_reading(reading: Reading) -> list[str]:
    """How runs were read, where it is not as by default."""
    columns = (f"{column}={name}" for column, name in sorted((reading.columns or {}).items()))
    return [
        *_order(reading),
        *(["judged-only"] if reading.judged_only else []),
        *(["duplicates:first"] if reading.duplicates == "first" else []),
        *([] if reading.depth is None else [f"depth:{reading.depth}"]),
        *([] if reading.rel is None else [f"grades-from:{in_signature(reading.rel)}"]),
        *([f"columns:{listed(columns)}"] if reading.columns is not None else []),
    ]


def _order(reading: Reading) -> list[str]:
    """What is not ordered by score: all runs, or those named."""
    if isinstance(reading.order, str):
        return ["order:rank"] if reading.order == "rank" else []
    ranked = [name for name, order in reading.order.items() if order == "rank"]
    return [f"order:rank({listed(ranked)})"] if ranked else []


def _said(what: Described | Sequence[Described]) -> Iterable[str]:
    if not isinstance(what, Sequence):
        return what.described
    if len(what) == 1:
        return what[0].described
    return [f"of:{','.join(map(_short, what))}"] if what else []


def _short(what: Described) -> str:
    """The name of one of several; with a hash of all that is behind it, if that has one."""
    parts = what.described
    if "#" not in "".join(parts):
        return str(what).replace(" ", "")
    name = parts[0].partition(":")[2].rpartition("#")[0] or parts[0].partition(":")[2]
    return f"{name}#{short_hash(parts)}"

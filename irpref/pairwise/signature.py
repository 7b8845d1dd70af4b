"""The signature: the line that says how to make a result again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from irpref.base.named import in_signature, listed, quoted
from irpref.base.short_hash import short_hash
from irpref.base.version import __version__
from irpref.pairwise.totals import Sums, TaskTotals
from irpref.positions.coverage import Basis

Names = Mapping[str, "str | Iterable[str] | None"]
"""By key, the names of systems or topics; None leaves a part out."""


class Described(Protocol):
    """A preference, a measure, or anything else with a description for the signature."""

    @property
    def described(self) -> list[str]:
        """The description, in parts of ``key:value``."""


def signature(
    what: Described | Sequence[Described],
    basis: Basis | None,
    *,
    topics: int | None = None,
    table: str | None = None,
    names: Names | None = None,
    more: Mapping[str, object] | None = None,
) -> str:
    """How a result was computed, as ``key:value`` parts joined by ``|``.

    Args:
        what: The preference or measure; several are named only.
        basis: The placements that the result was computed on, or their coverage; None if on none.
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
        *([] if basis is None else basis.signature_parts(topics)),
        *([] if table is None else [f"table:{table}"]),
        *_named(names or {}),
        *(f"{name}:{in_signature(of)}" for name, of in (more or {}).items() if of is not None),
        f"irpref:{__version__}",
    ]
    return "|".join(parts)


def signed(
    basis: Basis,
    what: Described,
    sums: Sums,
    *,
    more: Mapping[str, object] | None = None,
    **parts: Any,
) -> str:
    """The signature of a result of sums: see :func:`signature`."""
    tasks = len(sums.by_task) if isinstance(sums, TaskTotals) else None
    made = {"tasks": tasks, **(more or {})}
    return signature(what, basis, topics=sums.most_topics, more=made, **parts)


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


def _named(names: Names) -> Iterable[str]:
    for key, name in names.items():
        if name is not None:
            yield f"{key}:{quoted(name) if isinstance(name, str) else listed(name)}"


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

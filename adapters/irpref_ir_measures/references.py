"""The reference run of a preference: a path, a run in memory with a name, or the first run of a call."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from irpref import for_adapters

if TYPE_CHECKING:
    import polars as pl

_COLUMNS = ("topic", "document", "rank", "score")
_JUDGED = ("topic", "document", "grade")


class Reference(str):
    """The name of a run in memory, which carries the run.

    For ir_measures this is a plain string. So a measure has the same text, hash and equality as with a
    path. A name stands for one run as long as any measure has it.
    """

    __slots__ = ("__weakref__", "content", "run")

    run: pl.DataFrame
    content: str

    def __new__(cls, name: str, run: pl.DataFrame, content: str) -> Reference:
        """Name a run, whose content is the hash of its rows: to compare frames hangs in a forked process.

        Raises:
            ValueError: A different run has this name.
        """
        held = _HELD.get(name)
        if held is not None:
            if held.content == content:
                return held
            raise ValueError(
                f"two different reference runs are both called {name!r}, and ir_measures could not tell "
                "their values apart: give this one another name, .against(run, name=...)"
            )
        reference = super().__new__(cls, name)
        reference.run, reference.content = run, content
        _HELD[str(name)] = reference
        return reference

    def __reduce__(self) -> tuple[Any, ...]:
        return Reference, (str(self), self.run, self.content)


_HELD: WeakValueDictionary[str, Reference] = WeakValueDictionary()
"""The runs in memory that measures have, by name."""


class FirstRun(str):
    """Stands for the first run that a measure is evaluated on, and then has it."""

    __slots__ = ("judgments", "run")

    run: pl.DataFrame | None
    judgments: pl.DataFrame

    def __new__(cls) -> FirstRun:
        """A reference that no run has been seen for yet."""
        first = super().__new__(cls, _FIRST)
        first.run = None
        return first

    def remember(self, run: pl.DataFrame, judgments: pl.DataFrame, measure: object) -> pl.DataFrame:
        """The first run: this one, if none was seen before.

        Raises:
            ValueError: The first run was evaluated with other qrels.
        """
        judged = judgments.sort(_JUDGED)
        if self.run is None:
            self.run, self.judgments = run, judged
        elif not self.judgments.equals(judged):
            raise ValueError(
                f"{measure}: the first run was evaluated with other qrels than this one: {_FOR_ONE_CALL} "
                "(and no batches: every run needs all its topics at once)"
            )
        return self.run

    def refuse_second_call(self, measure: object) -> None:
        """Refuse to begin a call with the first run of an earlier one.

        Raises:
            ValueError: A first run was seen.
        """
        if self.run is not None:
            raise ValueError(f"{measure} has its first run of an earlier call: {_FOR_ONE_CALL}")

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a measure over the first run stays in its process, since each process would see another "
            "first run: name the reference, .against(run)"
        )


def first_run_of(measure: Any) -> FirstRun | None:
    """What stands for the reference of a measure over the first run; None for any other measure."""
    reference = getattr(measure, "reference", None)
    return reference if isinstance(reference, FirstRun) else None


_FIRST = "<first>"
_FOR_ONE_CALL = "make a new measure for each call, .over_first()"


def reference_to(run: Any, name: str | None = None) -> str:
    """The reference to a run or a path.

    Raises:
        ValueError: The run is unreadable, the name is empty, or a different run has it.
    """
    if isinstance(run, str | os.PathLike) and name is None:
        return os.fspath(run)
    if name is not None and (not isinstance(name, str) or name in ("", _FIRST)):
        raise ValueError(f"the name of a reference run must be a text, not {name!r}")
    source = "the reference run" if name is None else f"the reference run {name!r}"
    table = for_adapters.read_run(run, source=source)
    rows = table.select(_COLUMNS).sort(_COLUMNS).write_csv()
    content = hashlib.sha256(rows.encode()).hexdigest()
    # Different runs need different names, and the same run always the same name.
    return Reference(f"run-{content[:8]}" if name is None else name, table, content)


def read_reference(reference: str, measure: object) -> pl.DataFrame:
    """The run that a reference names, as a table.

    A text with the name of a run in memory stands for this run: measures of one text are one measure.

    Raises:
        ValueError: The file is missing or unreadable, or a run in memory has its name.
    """
    # Not by class: after a reload, older references have another class.
    held: Any = reference if hasattr(reference, "run") else _HELD.get(reference)
    is_file = os.path.isfile(reference)
    if held is not None and is_file:
        raise ValueError(
            f"{measure}: {str(reference)!r} is a file and the name of a run in memory; give the run in "
            "memory another name, .against(run, name=...)"
        )
    if held is None and not is_file:
        raise ValueError(
            f"{measure}: there is no run file {str(reference)!r}; give the path of one in ref=, or a "
            f"run in memory by .against(run, name={str(reference)!r})"
        )
    return for_adapters.read_run(reference) if held is None else held.run

"""The reference run of a preference: a path, or a run in memory under a name."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Reference", "read_reference", "reference_to"]


class Reference(str):
    """The name of a run in memory, which carries the run.

    For ir_measures this is a plain string. So a measure has the same text, hash and equality as with a
    path.
    """

    __slots__ = ("run",)

    run: pl.DataFrame | None

    def __new__(cls, name: str, run: pl.DataFrame | None = None) -> Reference:
        """Name a run."""
        reference = super().__new__(cls, name)
        reference.run = run
        return reference


def reference_to(run: Any, name: str | None = None) -> str:
    """The reference to a run or a path.

    Raises:
        ValueError: The run is unreadable, or the name is empty.
    """
    if isinstance(run, str | os.PathLike) and name is None:
        return os.fspath(run)
    from irpref.read import read_run

    if name is not None and (not isinstance(name, str) or not name):
        raise ValueError(f"the name of a reference run must be a text, not {name!r}")
    source = "the reference run" if name is None else f"the reference run {name!r}"
    table = read_run(run, source=source).select("topic", "document", "score")
    if name is None:
        # Different runs need different names, and the same run always the same name.
        name = f"run-{hashlib.sha256(table.write_csv().encode()).hexdigest()[:8]}"
    return Reference(name, table)


def read_reference(reference: str, measure: object) -> pl.DataFrame:
    """The run that a reference names, as a table.

    Raises:
        ValueError: The file is missing or unreadable.
    """
    from irpref.read import read_run

    carried: pl.DataFrame | None = getattr(reference, "run", None)
    if carried is not None:
        return carried
    if not os.path.isfile(reference):
        raise ValueError(
            f"{measure}: there is no run file {str(reference)!r}; give the path of one in ref=, or a "
            f"run in memory by .against(run, name={str(reference)!r})"
        )
    return read_run(reference).select("topic", "document", "score")

"""Which columns of a table are needed, whatever the table calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from irpref import InputError, Reading
from irpref.for_adapters import Kind, columns_found, shortened

SYSTEM = "system"
"""The column that says which system a row is of."""


@dataclass(frozen=True)
class Wanted:
    """The columns that are needed.

    Attributes:
        kind: Those of ``"qrels"`` or of a ``"run"``; None for the column ``system`` alone.
        ranks: Whether the rank column is needed.
        system: Whether the column ``system`` is.
        reading: How the table is read, such as what it calls its columns.
    """

    kind: Kind | None = None
    ranks: bool = False
    system: bool = True
    reading: Reading = field(default_factory=Reading)

    def among(self, names: Sequence[str], source: str) -> list[str]:
        """Those of a table's columns that are needed.

        Raises:
            InputError: One is missing.

        Example:
            >>> Wanted("run").among(["docno", "qid", "tag", "score", "rank", "system"], "runs")
            ['qid', 'docno', 'score', 'system']
        """
        found = {} if self.kind is None else columns_found(names, self.kind, source, self.reading)
        if not self.ranks and "score" in found:
            found.pop("rank", None)
        if self.system:
            if SYSTEM not in names:
                raise InputError(
                    "the frame has no column for the system",
                    source=source,
                    remedy=f"name it {SYSTEM} (found: {shortened(', '.join(names), 200)}), or give "
                    "{name: run}",
                )
            found[SYSTEM] = [SYSTEM]
        return [name for alike in found.values() for name in alike]

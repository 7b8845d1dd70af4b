"""Where the rows are from that make a ranking faulty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import dask
from dask.delayed import delayed

from irpref import InputError
from irpref_dask.parts import FaultyPart
from irpref_dask.pieces import Piece
from irpref_dask.rows import Layout


def located(fault: FaultyPart, pieces: Sequence[Piece], layout: Layout) -> InputError:
    """The error for a faulty ranking, with the pieces of the data that have its topic and document.

    The runs are read once more.

    Args:
        fault: The fault.
        pieces: The runs, piece by piece.
        layout: What their rows are when they are moved.
    """
    error, where = fault.error, []
    if error.topic is not None and error.document is not None:
        number = layout.systems.index(fault.system) + 1
        has = delayed(partial(_has, layout, number, error.topic, error.document))
        found = dask.compute(*(has(each.table, each.source, each.system) for each in pieces))
        where = [
            " and ".join(each.source for each, here in zip(pieces, found, strict=True) if here)
        ]
    return error.with_parts(source=", ".join([*where, f"system {fault.system!r}"]), line=None)


def _has(layout: Layout, number: int, topic: str, document: str, table: Any, *where: Any) -> bool:
    """Whether the system of that number has the document in the topic, in these rows."""
    rows = layout.rankings(table, *where)
    here = (rows["number"] == number) & (rows["topic"] == topic) & (rows["document"] == document)
    return bool(here.any())

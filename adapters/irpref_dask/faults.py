"""Where the rows are from that make a ranking faulty."""

from __future__ import annotations

from collections.abc import Sequence

import dask
import pandas as pd
from dask.delayed import Delayed, delayed

from irpref.errors import InputError
from irpref_dask.columns import SYSTEM
from irpref_dask.parts import FaultyPart
from irpref_dask.pieces import Piece

__all__ = ["located"]


def located(
    fault: FaultyPart, pieces: Sequence[Piece], rows: Sequence[Delayed], systems: Sequence[str]
) -> InputError:
    """The error for a faulty ranking, with the pieces of the data that its topic and document are in.

    Args:
        fault: The fault.
        pieces: The runs, piece by piece.
        rows: The same as rows that the engine moves: they are read once more.
        systems: The names of the systems.
    """
    error, where = fault.error, []
    if error.topic is not None and error.document is not None:
        looked = (delayed(_has)(each, fault.system, error.topic, error.document) for each in rows)
        found = dask.compute(*looked)
        where = [piece.source for piece, has in zip(pieces, found, strict=True) if has]
    return InputError(
        error.problem,
        source=", ".join(
            [*([" and ".join(where)] if where else []), f"system {systems[fault.system]!r}"]
        ),
        topic=error.topic,
        document=error.document,
        remedy=error.remedy,
    )


def _has(rows: pd.DataFrame, system: int, topic: str, document: str) -> bool:
    """Whether the system has the document in the topic, in these rows."""
    here = (rows[SYSTEM] == system) & (rows["topic"] == topic) & (rows["document"] == document)
    return bool(here.any())

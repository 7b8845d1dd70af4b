"""What the engine does with all rows of some topics, and with the sums that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from dask.delayed import Delayed, delayed

from irpref import InputError, Reading
from irpref.for_adapters import Criterion, SummedPart, sum_part
from irpref_dask.rows import Layout

# What warnings call a part: its number would say nothing.
_SOURCE = "some topics"


class FaultyPart(Exception):  # noqa: N818
    """What is wrong with a system on some topics, where it is not known any more where its rows were from.

    Attributes:
        error: What is wrong.
        system: The system.
    """

    def __init__(self, error: InputError, system: str) -> None:
        super().__init__(error, system)
        self.error, self.system = error, system


def sum_rows(
    rows: pd.DataFrame, layout: Layout, criteria: Sequence[Criterion], reading: Reading
) -> SummedPart:
    """Compare and sum all rows of some topics.

    Args:
        rows: The rows.
        layout: What they are.
        criteria: What to compare by.
        reading: How to read the rows.

    Raises:
        FaultyPart: A system has a document twice in a topic, or its ranks put nothing in order.
    """
    qrels, runs = layout.apart(rows)
    try:
        return sum_part(qrels, runs, criteria, reading, source=_SOURCE)
    except InputError as error:
        for name in layout.systems:
            if error.source == f"{_SOURCE}, run {name!r}":
                raise FaultyPart(error, name) from None
        raise


def added(parts: Sequence[Delayed]) -> Delayed:
    """The sum of parts, pair by pair, so that no machine gets them all."""
    left = list(parts)
    while len(left) > 1:
        left = [
            delayed(_add)(*pair) if len(pair) == 2 else pair[0]
            for pair in (left[at : at + 2] for at in range(0, len(left), 2))
        ]
    return left[0]


def named_as(part: SummedPart, criteria: Sequence[Criterion]) -> SummedPart:
    """The part with these objects for what was compared by, in the same order.

    A function that a notebook defines is another one, and equal to no other, on every machine that gets it.
    """
    summary = part.summary
    return SummedPart(
        replace(
            summary,
            totals=dict(zip(criteria, summary.totals.values(), strict=True)),
            topics_left_out=dict(zip(criteria, summary.topics_left_out.values(), strict=True)),
        ),
        part.wrong_runs,
        part.nothing_judged,
        dict(zip(criteria, part.doubts.values(), strict=True)) if part.doubts else {},
    )


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, SummedPart):
        other = named_as(other, list(one.summary.totals))
    return one + other

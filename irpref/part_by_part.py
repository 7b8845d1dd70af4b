"""Compare part by part of the topics, in bounded memory: only sums over the topics are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irpref.choices import Progress
from irpref.preferences.criterion import Criterion
from irpref.read.parts import TopicPart, topic_parts
from irpref.reading import Reading
from irpref.summary import Summary
from irpref.summed_part import SummedPart, sum_part

__all__ = ["compare_part_by_part"]


def compare_part_by_part(
    qrels: Any,
    runs: Any,
    criteria: Sequence[Criterion],
    reading: Reading,
    *,
    progress: Progress | None = None,
) -> Summary | None:
    """Compare every pair of systems, some topics at a time; None if all can be read at once.

    Args:
        qrels: See :func:`irpref.collect`.
        runs: See :func:`irpref.collect`.
        criteria: What to compare by.
        reading: How to read qrels and runs.
        progress: Called while the data are cut into parts, and after every part.

    Raises:
        InputError: See :func:`irpref.collect`.
        ValueError: There are fewer than two runs.
    """
    with topic_parts(qrels, runs, reading, progress=progress) as parts:
        if parts is None:
            return None
        return _compared(parts, criteria, reading, progress).whole()


def _compared(
    parts: Sequence[TopicPart],
    criteria: Sequence[Criterion],
    reading: Reading,
    progress: Progress | None,
) -> SummedPart:
    whole: SummedPart | None = None
    for number, part in enumerate(parts, start=1):
        summed = sum_part(part.qrels, part.runs, criteria, reading, source=part.source)
        if summed.summary.coverage.ignored.any():
            part.check()
        whole = summed if whole is None else whole + summed
        if progress is not None:
            progress("comparing parts", number, len(parts))
    if whole is None:
        raise ValueError("there are no parts to compare")
    return whole

"""What an option can be set to: said once, for Python and for the command line.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Literal, TypeVar

_Item = TypeVar("_Item")

Keep = Literal["topics", "summary"]
"""What to keep of a comparison: every topic, or sums over the topics."""
Order = Literal["score", "rank"]
"""Order each run by its scores, or by its rank column."""
Duplicates = Literal["error", "first"]
"""If a document is twice in a topic: stop with an error, or keep its best position."""
Missing = Literal["worst", "skip"]
"""If a run lacks a topic: count it as retrieving nothing, or leave the topic out."""
Format = Literal["table", "csv", "json", "latex", "markdown", "html"]
"""The formats of a report."""
PictureFormat = Literal["svg", "pdf", "png"]
"""The formats of a picture."""
Alternative = Literal["noninferior", "equivalent"]
"""What a test with a margin shows: not worse than the other by the margin, or neither better nor worse."""
Correction = Literal["holm", "bonferroni", "bh"]
"""What corrects the p-values of many tests."""
AnyCorrection = Literal[Correction, "auto"] | None
"""These, the one that fits, or none."""
"""Whether the interval of each rank holds by itself, or all of them together."""
Resample = Literal["tasks", "topics"]
"""What might have been other: the tasks and the topics in them, the tasks, or the topics of these tasks."""
Scale = Literal["-1..1", "0..1"]
"""From where to where numbers go that say which of two systems is better; its middle is a tie."""
OrderMethod = Literal["mean", "borda", "copeland", "mc4", "kemeny", "bradley-terry"]
"""How systems are ordered."""
ProfileBy = Literal["share", "level", "grade"]
"""What a profile goes along: the share of the recall, the number of the recall level, or the grade."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is. The calls come one at a
time, some from other threads."""

DEFAULT_PREFERENCES = ("RPP", "LP", "LR", "IPSO@10")
"""Who serves more users, the best-off one, the worst-off one; and would every metric at 10 agree?"""
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "RR")
"""What the command line scores by where no measure is named."""


def watched(items: Collection[_Item], doing: str, progress: Progress | None) -> Iterator[_Item]:
    """The items, one after the other; whoever watches hears when what is done with each is done."""
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(doing, done, len(items))

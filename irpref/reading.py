"""How qrels and runs are read: the options of everything that reads, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict, get_args

from irpref.checks import check_choice, check_count, check_flag
from irpref.choices import Duplicates, Missing, Order
from irpref.keywords import on_command_line

__all__ = ["Reading", "ReadingOptions"]


class ReadingOptions(TypedDict, total=False):
    """The options of a :class:`Reading`, as keywords of the functions that read."""

    order: Order
    duplicates: Duplicates
    judged_only: bool
    missing: Missing
    lists: int | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How qrels and runs are read.

    Attributes:
        order: What orders a run: its ``"score"`` (descending, ties by document name descending, as
            trec_eval has it), or its ``"rank"`` column.
        duplicates: A document twice in a topic is an ``"error"``, or its ``"first"`` (best)
            position counts.
        judged_only: Take unjudged documents out of the runs first.
        missing: On a topic that a run lacks it retrieved nothing (``"worst"``), or its pairs
            leave the topic out (``"skip"``).
        lists: How many first documents of every run to keep too, judged or not (after ``judged_only`` there
            are only judged ones); None to keep only where the relevant ones are.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    order: Order = field(
        default="score",
        metadata=on_command_line(
            "what orders a run: its scores, as trec_eval has it, or its rank column",
            choices=get_args(Order),
        ),
    )
    duplicates: Duplicates = field(
        default="error",
        metadata=on_command_line(
            "a document twice in a topic is an error, or its best position counts",
            choices=get_args(Duplicates),
        ),
    )
    judged_only: bool = field(
        default=False,
        metadata=on_command_line("take unjudged documents out of the runs first"),
    )
    missing: Missing = field(
        default="worst",
        metadata=on_command_line(
            "on a topic that a run lacks it retrieved nothing, or the topic is left out",
            choices=get_args(Missing),
        ),
    )
    lists: int | None = None

    def __post_init__(self) -> None:
        for name, choices in (("order", Order), ("duplicates", Duplicates), ("missing", Missing)):
            check_choice(name, getattr(self, name), choices)
        check_flag("judged_only", self.judged_only)
        if self.lists is not None:
            object.__setattr__(self, "lists", check_count("lists", self.lists))

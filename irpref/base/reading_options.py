"""How qrels and runs are read: the options of everything that reads, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypedDict, get_args

from irpref.base.checks import check_choice, check_count, check_flag, check_number
from irpref.base.errors import unknown
from irpref.base.keywords import by_name, on_command_line
from irpref.base.literals import Duplicates, Missing, Order
from irpref.base.message import Message, Option

_COLUMNS = ("topic", "document", "grade", "score", "rank", "subtopic")


class ReadingOptions(TypedDict, total=False):
    """The options of a :class:`Reading`, as keywords of the functions that read."""

    order: Order | Mapping[str, Order]
    duplicates: Duplicates
    judged_only: bool
    missing: Missing
    depth: int | None
    rel: float | None
    columns: Mapping[str, str] | None
    lists: int | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How qrels and runs are read.

    Attributes:
        order: Order each run by its ``"score"`` (descending, ties by document name descending, as trec_eval
            does), or by its ``"rank"`` column (ties by score, then by document name, both descending). A
            dict, such as ``{"bm25": "rank"}``, says it of some runs; the others are ordered by score.
        duplicates: If a document is twice in a topic: stop with an ``"error"``, or keep its ``"first"``
            (best) position.
        judged_only: First take the unjudged documents out of the runs.
        missing: If a run lacks a topic: count it as retrieving nothing (``"worst"``), or leave the topic
            out of its pairs (``"skip"``).
        depth: Cut every run to its first so many documents, before anything else is left out.
        rel: The least grade that is relevant, whatever is asked: a lower one counts as judged and not
            relevant, to nDCG too (trec_eval's ``-l`` leaves nDCG as it is). A preference's or measure's own
            ``rel`` may ask for more. None: every grade above 0.
        columns: What tables call their columns, where no known word does: ``{"topic": "customer"}``. The
            keys are topic, document, grade, score, rank and subtopic. A table whose topics or documents
            are called otherwise is read by the known words, and a warning says so.
        lists: How many first documents of every run to keep, judged or not (after ``judged_only`` all are
            judged); None keeps only the positions of the relevant ones.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    order: Order | Mapping[str, Order] = on_command_line(
        "score",
        "order each run by its scores, as trec_eval does, or by its rank column; with NAME=, that run "
        "only (may be repeated)",
        choices=get_args(Order),
        by_run=True,
    )
    duplicates: Duplicates = on_command_line(
        "error",
        "a document twice in a topic: stop with an error, or keep its best position",
        choices=get_args(Duplicates),
    )
    judged_only: bool = on_command_line(False, "first take the unjudged documents out of the runs")
    missing: Missing = on_command_line(
        "worst",
        "if a run lacks a topic: count it as retrieving nothing, or leave the topic out",
        choices=get_args(Missing),
    )
    depth: int | None = on_command_line(None, "cut every run to its first K documents", metavar="K")
    rel: float | None = on_command_line(
        None,
        "the least grade that is relevant (default: 1, or what a preference says)",
        metavar="G",
        number=float,
    )
    columns: Mapping[str, str] | None = on_command_line(
        None,
        "what tables call their columns, such as topic=customer,document=article,grade=stars",
        metavar="COLUMN=NAME,…",
        number=by_name,
    )
    lists: int | None = None

    def __post_init__(self) -> None:
        for name, choices in (("duplicates", Duplicates), ("missing", Missing)):
            check_choice(name, getattr(self, name), choices)
        if isinstance(self.order, Mapping):
            # A copy, which nobody can change from outside.
            object.__setattr__(self, "order", dict(self.order))
        for order in self.order.values() if isinstance(self.order, dict) else [self.order]:
            check_choice("order", order, Order)
        check_flag("judged_only", self.judged_only)
        for name in ("depth", "lists"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_count(name, getattr(self, name)))
        if self.rel is not None:
            object.__setattr__(self, "rel", check_number("rel", self.rel))
        if self.columns is not None:
            object.__setattr__(self, "columns", _checked_columns(self.columns))

    def order_of(self, system: str) -> Order:
        """What the run of a system is ordered by."""
        return self.order if isinstance(self.order, str) else self.order.get(system, "score")

    def check_names(self, systems: Iterable[str]) -> None:
        """Refuse an order of a run that there is not.

        Raises:
            ValueError: There is no such run; the nearest name is given.
        """
        known = list(systems)
        for name in () if isinstance(self.order, str) else self.order:
            if name not in known:
                raise unknown(Message("run in ", Option("order")), name, known)


USUAL = Reading()
"""How all is read where nobody says otherwise."""


def reading_for(asked: Iterable[object], reading: Reading) -> Reading:
    """The reading that keeps as many first documents as some preferences and measures need.

    Example:
        >>> from irpref import IPSO, LP
        >>> reading_for([LP], Reading()).lists, reading_for([IPSO(unjudged="any") @ 10], Reading()).lists
        (None, 10)
    """
    depth = max((getattr(each, "needs_lists", None) or 0 for each in asked), default=0)
    return replace(reading, lists=max(depth, reading.lists or 0)) if depth else reading


def needs_pool(asked: Iterable[object]) -> bool:
    """Whether one of some preferences and measures needs to know how many documents a topic has."""
    return any(getattr(each, "needs_pool", False) for each in asked)


def _checked_columns(columns: object) -> dict[str, str]:
    """A copy of the names of columns."""
    if not isinstance(columns, Mapping) or not all(
        isinstance(name, str) and name for name in columns.values()
    ):
        raise ValueError(
            Message(Option("columns"), " must be names by column, such as {'topic': 'customer'}")
        )
    for column in columns:
        if column not in _COLUMNS:
            raise unknown(Message("column in ", Option("columns")), column, _COLUMNS)
    if len(set(columns.values())) < len(columns):
        raise ValueError(Message(Option("columns"), " gives one name to two columns"))
    return dict(columns)

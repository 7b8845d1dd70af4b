"""How qrels and runs are read: the options of everything that reads, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, get_args

from irpref.base.checks import check_choice, check_count, check_flag, check_number
from irpref.base.errors import unknown
from irpref.base.keywords import by_name, choice, keep_checked, option
from irpref.base.literals import Duplicates, Missing, Order
from irpref.base.message import Message, Option, refusal

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
    users: bool
    lists: int | None


def _checked_order(name: str, order: Any) -> Any:
    """The order, or a copy of the orders by run, which nobody can change from outside."""
    if isinstance(order, Mapping):
        return {run: check_choice(name, each, Order) for run, each in order.items()}
    return check_choice(name, order, Order)


def _checked_columns(name: str, columns: Any) -> dict[str, str]:
    """A copy of the names of columns."""
    if not isinstance(columns, Mapping) or not all(
        isinstance(called, str) and called for called in columns.values()
    ):
        raise refusal(Option(name), " must be names by column, such as {'topic': 'customer'}")
    for column in columns:
        if column not in _COLUMNS:
            raise unknown(Message("column in ", Option(name)), column, _COLUMNS)
    if len(set(columns.values())) < len(columns):
        raise refusal(Option(name), " gives one name to two columns")
    return dict(columns)


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
        depth: Cut every run to its first ``depth`` documents, before anything else is left out.
        rel: The least grade that is relevant, whatever is asked: a lower one counts as judged and not
            relevant, to nDCG too (trec_eval's ``-l`` leaves nDCG as it is). A preference's or measure's own
            ``rel`` may ask for more. None: every grade above 0.
        columns: What tables call their columns, where no known word does: ``{"topic": "customer"}``. The
            keys are topic, document, grade, score, rank and subtopic. A table whose topics or documents
            are called otherwise is read by the known words, and a warning says so.
        users: The data are of a recommender: what people read says user, item and model, and not topic,
            document and system. What programs read stays as it is.
        lists: How many first documents of every run to keep, judged or not (after ``judged_only`` all are
            judged); None keeps only the positions of the relevant ones.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    order: Order | Mapping[str, Order] = option(
        "score",
        "order each run by its scores, as trec_eval does, or by its rank column; with NAME=, that run "
        "only (may be repeated)",
        _checked_order,
        choices=get_args(Order),
        by_run=True,
    )
    duplicates: Duplicates = choice(
        "error",
        "a document twice in a topic: stop with an error, or keep its best position",
        Duplicates,
    )
    judged_only: bool = option(
        False, "first take the unjudged documents out of the runs", check_flag
    )
    missing: Missing = choice(
        "worst",
        "if a run lacks a topic: count it as retrieving nothing, or leave the topic out",
        Missing,
    )
    depth: int | None = option(
        None, "cut every run to its first K documents", check_count, metavar="K"
    )
    rel: float | None = option(
        None,
        "the least grade that is relevant (default: 1, or what a preference says)",
        check_number,
        metavar="G",
        number=float,
    )
    columns: Mapping[str, str] | None = option(
        None,
        "what tables call their columns, such as topic=customer,document=article,grade=stars",
        _checked_columns,
        metavar="COLUMN=NAME,…",
        number=by_name,
    )
    users: bool = option(
        False, "of a recommender: say user and item, and not topic and document", check_flag
    )
    lists: int | None = None

    def __post_init__(self) -> None:
        keep_checked(self)
        if self.lists is not None:
            object.__setattr__(self, "lists", check_count("lists", self.lists))

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
    depth = max((getattr(each, "requires_lists", None) or 0 for each in asked), default=0)
    return replace(reading, lists=max(depth, reading.lists or 0)) if depth else reading


def requires_pool(asked: Iterable[object]) -> bool:
    """Whether one of some preferences and measures needs to know how many documents a topic has."""
    return any(getattr(each, "requires_pool", False) for each in asked)

"""How qrels and runs are read: the options of everything that reads, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, TypedDict, get_args

from irpref.base.checks import check_above_zero, check_choice, check_count, check_flag
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
    missing: Missing | None
    depth: int | None
    rel: float | None
    columns: Mapping[str, str | int] | None
    users: bool
    groups: Mapping[str, str | Iterable[str]] | None
    deterministic: Iterable[str]
    lists: int | None


def _checked_order(name: str, order: Any) -> Any:
    """The order, or a copy of the orders by run, which nobody can change from outside."""
    if isinstance(order, Mapping):
        return {run: check_choice(name, each, Order) for run, each in order.items()}
    return check_choice(name, order, Order)


def _checked_columns(name: str, columns: Any) -> dict[str, str]:
    """A copy of the names of columns."""
    if not isinstance(columns, Mapping) or not all(
        isinstance(called, str | int) and called for called in columns.values()
    ):
        raise refusal(Option(name), " must be names by column, such as {'topic': 'customer'}")
    words = {column: str(called) for column, called in columns.items()}
    for column in columns:
        if column not in _COLUMNS:
            raise unknown(Message("column in ", Option(name)), column, _COLUMNS)
    # No table has both grades and scores that are read.
    named = [
        word for column, word in words.items() if (column, word) != ("grade", words.get("score"))
    ]
    if len(set(named)) < len(named):
        raise refusal(Option(name), " gives one name to two columns")
    return words


def _checked_groups(name: str, groups: Any) -> dict[str, tuple[str, ...]]:
    """A copy of the runs by system, names or patterns."""
    if isinstance(groups, Mapping):
        found = {str(system): _checked_texts(name, runs) for system, runs in groups.items()}
        if found and all(found) and all(found.values()):
            return found
    raise refusal(Option(name), " must be runs by system, such as {'bert': ['bert-1', 'bert-2']}")


def _checked_texts(name: str, texts: Any) -> tuple[str, ...]:
    """One or several names, in an order of their own."""
    found = [texts] if isinstance(texts, str) or not isinstance(texts, Iterable) else list(texts)
    if not all(isinstance(each, str) and each for each in found):
        raise refusal(Option(name), " must be names, as texts")
    return tuple(sorted(set(found)))


def one_group(text: str) -> tuple[str, tuple[str, ...]]:
    """The system and its runs that a text such as ``bert=bert-1,bert-2`` names, for the command line.

    Raises:
        ValueError: It names no system or no run.

    Example:
        >>> one_group("bert=bert-*")
        ('bert', ('bert-*',))
    """
    system, _, runs = text.partition("=")
    if not system or not runs:
        raise ValueError(text)
    return system, tuple(runs.split(","))


def joined_groups(groups: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """The runs by system of several such texts, of which some may be of one system."""
    runs_of: dict[str, tuple[str, ...]] = {}
    for system, runs in groups:
        runs_of[system] = (*runs_of.get(system, ()), *runs)
    return runs_of


# What argparse says that a text is not.
one_group.__name__ = "SYSTEM=RUN,…"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How qrels and runs are read.

    Attributes:
        order: Order each run by its ``"score"`` (descending, ties by document name descending, as trec_eval
            does), or by its ``"rank"`` column (ties by score, then by document name, both descending). A
            dict, such as ``{"bm25": "rank"}``, says it of some runs; the others are ordered by score.
        duplicates: If a document is twice in a topic: stop with an ``"error"``, or keep its ``"first"``
            (best) position.
        judged_only: First take the unjudged documents out of the runs, as ``trec_eval -J`` does: those
            without a grade of 0 or more.
        missing: If a run lacks a topic: count it as retrieving nothing (``"worst"``), or leave the topic
            out of its pairs (``"skip"``). None is ``"worst"``, not chosen: what is better is then checked
            on the topics that both have, where a run lacks more than a tenth.
        depth: Cut every run to its first ``depth`` documents, before anything else is left out.
        rel: The least grade that is relevant, whatever is asked: a lower one counts as judged and not
            relevant, to nDCG too (trec_eval's ``-l`` leaves nDCG as it is). A preference's or measure's own
            ``rel`` may ask for more. None: every grade above 0; one between 0 and 1 is then an error, since
            nothing says whether it is relevant.
        columns: What tables call their columns, where no known word does: ``{"topic": "customer"}``. The
            keys are topic, document, grade, score, rank and subtopic. A table whose topics or documents
            are called otherwise is read by the known words, and a warning says so. In text whose first line
            names no columns, a number is a place: ``{"topic": 1, "document": 2, "grade": 3}``.
        users: The data are of a recommender: what people read says user, item and model, and not topic,
            document and system. What programs read stays as it is.
        groups: Which runs are of one system, such as the same ranker trained with other seeds:
            ``{"bert": ["bert-1", "bert-2"]}``, or a pattern, ``{"bert": "bert-*"}``. What compares systems
            then takes the mean over all pairs of their runs. A run in no group is a system by itself.
        deterministic: Systems of one run that would come out the same if they were made again.
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
        metavar=f"[NAME=]{'|'.join(get_args(Order))}",
        number=str,
        repeated=True,
    )
    duplicates: Duplicates = choice(
        "error",
        "a document twice in a topic: stop with an error, or keep its best position",
        Duplicates,
    )
    judged_only: bool = option(
        False,
        "first take the documents without a grade of 0 or more out of the runs, as trec_eval -J does",
        check_flag,
    )
    missing: Missing | None = choice(
        None,
        "if a run lacks a topic: count it as retrieving nothing (default: worst), or leave the topic out",
        Missing,
    )
    depth: int | None = option(
        None, "cut every run to its first K documents", check_count, metavar="K"
    )
    rel: float | None = option(
        None,
        "the least grade that is relevant (default: any above 0, or what a preference says)",
        check_above_zero,
        metavar="G",
        number=float,
    )
    columns: Mapping[str, str | int] | None = option(
        None,
        "what tables call their columns, such as topic=customer,document=article, or their places, as in "
        "topic=1,document=2,grade=3, where no line names them",
        _checked_columns,
        metavar="COLUMN=NAME,…",
        number=by_name,
    )
    users: bool = option(
        False, "of a recommender: say user and item, and not topic and document", check_flag
    )
    groups: Mapping[str, str | Iterable[str]] | None = option(
        None,
        "runs of one system, such as one trained with several seeds: bert=bert-1,bert-2, or 'bert=bert-*' "
        "(may be repeated)",
        _checked_groups,
        flag="--group",
        metavar="SYSTEM=RUN,…",
        number=one_group,
        repeated=True,
    )
    deterministic: Iterable[str] = option(
        (),
        "among such systems, one of a single run that would come out the same again (may be repeated)",
        _checked_texts,
        metavar="SYSTEM",
        number=str,
        repeated=True,
    )
    lists: int | None = None

    def __post_init__(self) -> None:
        keep_checked(self)
        if self.lists is not None:
            object.__setattr__(self, "lists", check_count("lists", self.lists))

    def order_of(self, system: str) -> Order:
        """What the run of a system is ordered by."""
        return self.order if isinstance(self.order, str) else self.order.get(system, "score")

    @property
    def signature_parts(self) -> Iterable[str]:
        """What is not as by default, for the signature."""
        # The help of a command needs none of it.
        from irpref.base.named import in_signature, listed

        if not isinstance(self.order, str):
            ranked = [name for name, order in self.order.items() if order == "rank"]
            yield from [f"order:rank({listed(ranked)})"] if ranked else []
        elif self.order == "rank":
            yield "order:rank"
        if self.judged_only:
            yield "judged-only"
        if self.duplicates == "first":
            yield "duplicates:first"
        if self.depth is not None:
            yield f"depth:{self.depth}"
        if self.rel is not None:
            yield f"grades-from:{in_signature(self.rel)}"
        if self.columns is not None:
            yield f"columns:{listed(f'{name}={word}' for name, word in sorted(self.columns.items()))}"

    @property
    def of_single_runs(self) -> Reading:
        """The same, where each run is a system by itself."""
        return replace(self, groups=None, deterministic=())

    def members(self, runs: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """By system, the indices of its runs: those of each group, and every other run by itself.

        Example:
            >>> Reading(groups={"bert": "bert-*"}).members(["bert-1", "bm25", "bert-2"])
            {'bert': (0, 2), 'bm25': (1,)}
        """
        found: dict[str, tuple[int, ...]] = {}
        for number, (run, groups) in enumerate(self._groups_of(runs).items()):
            [system, *_] = *groups, run
            found[system] = (*found.get(system, ()), number)
        return found

    def _groups_of(self, runs: Iterable[str]) -> dict[str, list[str]]:
        """By run, the systems whose group has it."""
        found: dict[str, list[str]] = {run: [] for run in runs}
        for system, named in (self.groups or {}).items():
            for run in {run for each in named for run in _meant(each, found)}:
                found[run].append(system)
        return found

    def check_ranking(self, name: str, runs: Sequence[str]) -> None:
        """Refuse a name of several runs where a run is named.

        Raises:
            ValueError: It names several of these runs.
        """
        members = () if name in runs else self.members(runs).get(name, ())
        if members:
            names = ", ".join(runs[each] for each in members)
            raise ValueError(f"{name} has {len(members)} runs: name one of {names}")

    def check_names(self, systems: Iterable[str]) -> None:
        """Refuse an order of a run, or a group of runs, that there is not.

        Raises:
            ValueError: There is no such run; the nearest name is given. Or a run is in two groups, or has
                the name of another group; or a deterministic system has several runs.
        """
        groups_of = self._groups_of(systems)
        known = list(groups_of)
        for system, named in (self.groups or {}).items():
            for each in named:
                if not _meant(each, groups_of):
                    raise unknown(Message("run in ", Option("groups", {system: each})), each, known)
        for run, own in groups_of.items():
            if len(own) > 1:
                two = f": the run {run} is in two groups, {own[0]} and {own[1]}"
                raise refusal(Option("groups", ...), two)
            if own != [run] and run in (self.groups or {}):
                both = f": {run} is a group, and a run that is not in it: rename one"
                raise refusal(Option("groups", ...), both)
        members = self.members(known)
        if self.deterministic and self.groups is None:
            raise refusal(Option("deterministic"), " belongs to groups of runs, and there are none")
        for system in self.deterministic:
            if system not in members:
                raise unknown(Message("system in ", Option("deterministic")), system, members)
            if len(members[system]) > 1:
                several = f"{system} has {len(members[system])} runs, and so is not deterministic"
                raise refusal(several, ": leave it out of ", Option("deterministic"))
        for name in () if isinstance(self.order, str) else self.order:
            if name not in known:
                raise unknown(Message("run in ", Option("order")), name, known)


def _meant(named: str, runs: Collection[str]) -> list[str]:
    """The runs of a name, or else of a pattern: a name may have brackets."""
    return [named] if named in runs else [run for run in runs if fnmatchcase(run, named)]


def refuse_groups(reading: Reading, what: str) -> None:
    """Refuse several runs of one system where each run is looked at by itself.

    Raises:
        ValueError: There are groups.
    """
    if reading.groups is not None:
        raise refusal(f"{what}: leave ", Option("groups", ...), " out, and name one run of each")


USUAL = Reading()
"""How all is read where nobody says otherwise."""


def reading_for(asked: Iterable[object], reading: Reading) -> Reading:
    """The reading that some preferences and measures need.

    It keeps as many first documents as they ask for. Where each has a ``rel`` of its own, these say of
    grades below 1 which are relevant, if the reading does not.

    Example:
        >>> from irpref import AP, IPSO, LP
        >>> reading_for([LP], Reading()).lists, reading_for([IPSO(unjudged="any") @ 10], Reading()).lists
        (None, 10)
        >>> reading_for([AP(rel=0.5), LP(rel=2)], Reading()).rel
        0.5
    """
    required = list(asked)
    depth = max((getattr(each, "requires_lists", None) or 0 for each in required), default=0)
    if depth:
        reading = replace(reading, lists=max(depth, reading.lists or 0))
    own = [rel for each in required if (rel := getattr(each, "rel", None)) is not None]
    if reading.rel is None and own and len(own) == len(required):
        # What is lower is relevant to none of them.
        reading = replace(reading, rel=min(1, *own))
    return reading


def requires_pool(asked: Iterable[object]) -> bool:
    """Whether one of some preferences and measures needs to know how many documents a topic has."""
    return any(getattr(each, "requires_pool", False) for each in asked)

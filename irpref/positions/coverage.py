"""Coverage: what runs and qrels share, and what was left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from irpref.base.arrays import Flags, Integers
from irpref.base.errors import index_of_name
from irpref.base.message import Option
from irpref.base.reading_options import Reading
from irpref.base.wording import Words
from irpref.report.report import SHOWN, Report, SeenAsReport
from irpref.report.table import Table, table_of

if TYPE_CHECKING:
    import pandas as pd


JUDGED_DEPTH = 10
"""The depth down to which irpref counts judged documents."""
NAMED = 5
"""How many topics of a kind are named where only sums are kept."""


class Part(NamedTuple):
    """What was selected of one kind.

    Attributes:
        kind: ``"systems"``, ``"topics"`` or ``"judgments"``.
        size: How many there are.
        whole: Of how many.
        hashed: A hash of what they are.
    """

    kind: str
    size: int
    whole: int
    hashed: str

    def __str__(self) -> str:
        return f"{self.kind}={self.size}/{self.whole}#{self.hashed}"


@dataclass(frozen=True)
class SomeTopics:
    """How many topics there are of some kind, and the names of the first few.

    Attributes:
        count: How many there are.
        first: The names of the first five; of all, where the topics were kept.

    Example:
        >>> SomeTopics(2, ("301", "302")) + SomeTopics(1, ("305",))
        SomeTopics(count=3, first=('301', '302', '305'))
    """

    count: int = 0
    first: tuple[str, ...] = ()

    def __add__(self, other: SomeTopics) -> SomeTopics:
        return SomeTopics(self.count + other.count, (*self.first, *other.first)[:NAMED])

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(frozen=True, eq=False)
class TopicCounts:
    """What is known of every list, topic by topic; :class:`.Coverage` sums it up.

    Attributes:
        topics: (E,) topics of the qrels.
        relevant: (E,) whether each topic has a grade above 0.
        retrieved: (E, S) how many documents each system retrieved.
        listed: (E, S) the same, with the unjudged documents that ``judged_only`` left out; 0 for a topic
            that the run lacks.
        judged: (E, S) how many of the first 10 documents are judged.
        repeated: (E, S) how many repeated documents were left out.
        ignored: (S,) how many topics of each run the qrels lack.
    """

    topics: tuple[str, ...]
    relevant: Flags
    retrieved: Integers
    listed: Integers
    judged: Integers
    repeated: Integers
    ignored: Integers

    @property
    def lacking(self) -> Flags:
        """(E, S) whether the run of each system lacks the topic."""
        return np.asarray(self.listed == 0)

    @property
    def depths(self) -> Integers:
        """(S,) how many documents the longest list of each run has."""
        return np.asarray(self.listed.max(axis=0, initial=0))


def topics_lost(what: str, instead: str = "") -> str:
    """What is said where only sums over the topics were kept."""
    also = f"{instead}, or " if instead else ""
    return (
        f"{what} needs every topic, and a summary keeps sums over them only: {also}compare without "
        "keep='summary'"
    )


class Basis(ABC):
    """What results rest on: systems, topics, and how both were read."""

    systems: tuple[str, ...]
    reading: Reading

    @cached_property
    def words(self) -> Words:
        """The words for the data; of texts that name the systems."""
        return Words(self.reading.users, self.systems)

    has_topics: ClassVar[bool] = True
    """Whether every topic was kept, and not only sums over the topics."""

    @property
    @abstractmethod
    def coverage(self) -> Coverage:
        """What the runs and the qrels have in common, and what was left out."""

    @property
    def topics_for_facts(self) -> Any:
        """The names of the topics with relevant items; how many there are, where only sums were kept."""
        return self.coverage.topic_count

    @property
    def groups_for_signature(self) -> Iterable[str]:
        """What the signature says of systems that are made of several rankings."""
        return ()

    def signature_parts(self, topics: int | None = None) -> Iterable[str]:
        """What was read, and how, for the signature; with so many topics, or all with relevant items."""
        coverage = self.coverage
        yield f"topics:{coverage.topic_count if topics is None else topics}"
        if coverage.has_rankings:
            chosen = {"skip": ":skipped", "worst": ":worst", None: ""}[self.reading.missing]
            yield f"missing:{coverage.nothing_retrieved}{chosen}"
        yield from self.reading.signature_parts
        yield from self.groups_for_signature
        if coverage.parts:
            yield f"selected:{','.join(map(str, coverage.parts))}"

    def system(self, name: str, kind: str = "system") -> int:
        """The index of the system with this name; ``kind`` is the word for it in errors.

        Raises:
            ValueError: There is no such system, or it is one of several rankings, and these are those.
        """
        self.reading.check_ranking(name, self.systems)
        return index_of_name(name, self.systems, self.words.unnamed(kind))


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(SeenAsReport, Basis):
    """The topics and documents that runs and qrels share, and those that were left out.

    All numbers are sums over the topics, and those of different topics add up with ``+``.

    Attributes:
        systems: (S,) names of the systems.
        reading: How the runs were read.
        parts: Which part of the whole was selected, for the signature.
        has_rankings: Whether there are rankings, and not only scores.
        all_topics: How many topics the qrels have.
        topic_count: How many of them have a relevant item.
        without_relevant: Those that have none.
        lacking: (S,) topics of the qrels that the run of each system lacks.
        unanswered: (S,) those of them that have a relevant item.
        depths: (S,) documents in the longest list of each system.
        retrieved: (S,) documents that each system retrieved.
        shown: (S,) how many of them are among the first 10 of a topic.
        judged: (S,) how many of these are judged.
        repeated: (S,) repeated documents that were left out.
        ignored: (S,) topics of each run that the qrels lack.
        tied: (S,) lists in which tied scores can move a relevant document.
    """

    systems: tuple[str, ...]
    reading: Reading
    parts: tuple[Part, ...]
    has_rankings: bool
    all_topics: int
    topic_count: int
    without_relevant: SomeTopics
    lacking: tuple[SomeTopics, ...]
    unanswered: tuple[SomeTopics, ...]
    depths: Integers
    retrieved: Integers
    shown: Integers
    judged: Integers
    repeated: Integers
    ignored: Integers
    tied: Integers

    has_topics: ClassVar[bool] = False

    def __add__(self, other: Coverage) -> Coverage:
        """The coverage of the topics of both.

        Raises:
            ValueError: The systems differ, or how they were read.
        """
        if self.systems != other.systems:
            one = sorted(set(self.systems) ^ set(other.systems))
            differ = f"only one has {one[0]}" if one else "they come in another order"
            raise ValueError(f"the systems are not the same: {differ}")
        if self.reading != other.reading:
            others = vars(other.reading)
            differ = next(name for name, of in vars(self.reading).items() if of != others[name])
            raise ValueError(f"the runs were not read in the same way: {differ} differs")
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name not in _NOT_SUMMED
        }
        return replace(
            self,
            parts=tuple(dict.fromkeys((*self.parts, *other.parts))),
            has_rankings=self.has_rankings or other.has_rankings,
            lacking=tuple(map(SomeTopics.__add__, self.lacking, other.lacking)),
            unanswered=tuple(map(SomeTopics.__add__, self.unanswered, other.unanswered)),
            depths=np.maximum(self.depths, other.depths),
            **sums,
        )

    @property
    def coverage(self) -> Coverage:
        """These very counts."""
        return self

    @property
    def frame(self) -> pd.DataFrame:
        """Every system: what its run lacks, and what irpref left out of it.

        Returns:
            Index system. missing: topics of the qrels that the run lacks. ignored:
            topics of the run that the qrels lack. retrieved: documents on the topics of the qrels.
            duplicates: repeated documents that were left out. judged_at_10: share of judged documents in
            the first 10; NaN if the system retrieved nothing.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> coverage = irpref.collect(*demo_paths()).coverage
            >>> coverage.frame.loc["bm25", ["missing", "retrieved"]].to_list()
            [0, 318]
        """
        # pandas is slow to import.
        import pandas as pd

        columns = {
            "missing": [topics.count for topics in self.lacking],
            "ignored": self.ignored,
            "retrieved": self.retrieved,
            "duplicates": self.repeated,
            "judged_at_10": list(self.judged_at_10.values()),
        }
        return pd.DataFrame(columns, index=pd.Index(self.systems, name="system"))

    @property
    def report(self) -> Report:
        """The frame as a report."""
        rows = table_of(self.frame.reset_index())
        shown = rows if self.shows_judged else rows.drop("judged_at_10")
        return Report(
            title=f"Coverage of {len(self.systems)} systems on {self.all_topics} topics of the qrels, "
            f"{self.without_relevant.count} without relevant documents",
            tables=(Table("", shown, {"judged_at_10": ".0%"}, flexible=["system"]),),
            rows=rows,
        ).worded(self.words)

    def _view(self) -> Report:
        return self.report.first(SHOWN, Option("frame", python="coverage.frame"))

    @property
    def nothing_retrieved(self) -> int:
        """How often a system retrieved nothing for a topic of the qrels."""
        return sum(topics.count for topics in self.lacking)

    @property
    def topics_without_relevant(self) -> tuple[str, ...]:
        """Topics of the qrels without a grade above 0; where only sums were kept, the first five."""
        return self.without_relevant.first

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """By system, topics of the qrels that its run lacks; where only sums were kept, the first five."""
        pairs = zip(self.systems, self.lacking, strict=True)
        return {system: topics.first for system, topics in pairs if topics}

    @property
    def ignored_topics(self) -> dict[str, int]:
        """By system, how many topics of its run the qrels lack (ignored)."""
        return self._counted(self.ignored)

    @cached_property
    def judged_at_10(self) -> dict[str, float]:
        """By system, the share of judged documents in its first 10, on the topics of the qrels.

        NaN if the system retrieved nothing.
        """
        share = self.judged / np.where(self.shown, self.shown, np.nan)
        return dict(zip(self.systems, share.tolist(), strict=True))

    @property
    def shows_judged(self) -> bool:
        """Whether people are told what is judged: not of recommenders, where nobody judges items."""
        return not self.reading.users

    def columns_of(self, systems: Sequence[str] | None) -> list[int]:
        """The indices of what some systems are made of; of all systems, if none are named."""
        members = self.reading.members(self.systems)
        return [run for system in systems or members for run in members[system]]

    @property
    def told_judged(self) -> dict[str, float]:
        """What people are told of :attr:`judged_at_10`, by system: of several runs, their mean.

        It is NaN where they are told nothing.
        """
        shares = np.array(list(self.judged_at_10.values())) * (1 if self.shows_judged else np.nan)
        members = self.reading.members(self.systems)
        return {system: float(shares[list(runs)].mean()) for system, runs in members.items()}

    @property
    def duplicates(self) -> dict[str, int]:
        """By system, how many repeated documents were left out of its run."""
        return self._counted(self.repeated)

    def _counted(self, numbers: Integers) -> dict[str, int]:
        counts = zip(self.systems, numbers.tolist(), strict=True)
        return {system: number for system, number in counts if number}


_NOT_SUMMED = ("systems", "reading", "parts", "has_rankings", "lacking", "unanswered", "depths")

"""What judges say who saw two rankings side by side: which one is better, topic by topic.

Judges are people, or language models. A pair that nobody was asked about is missing there, not tied.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from irpref.base.arrays import Flags, Integers, Values, pair_counts
from irpref.base.escape import shortened
from irpref.base.named import quoted
from irpref.base.reading_options import refuse_groups
from irpref.base.short_hash import short_hash
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import JudgesSay, Reasons
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.judges import Judged

# Fewer topics say little of others.
_FEW_TOPICS = 10


class _Here(NamedTuple):
    """Which of the judged pairs are of some placements, sorted by topic.

    Attributes:
        row: (N,) rows of :attr:`.Judged.by_pair`.
        topic: (N,) index of the topic in the placements.
        first: (N,) index of the first system there.
        second: (N,) index of the second system there.
        judged: (T,) whether any pair is judged on a topic of the placements.
    """

    row: Integers
    topic: Integers
    first: Integers
    second: Integers
    judged: Flags


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes(Criterion):
    """Side-by-side judgments, under a name.

    The value of a pair on a topic is the mean over the judges that were asked, of each the mean of its
    answers: +1, 0 for a tie, -1, or a number between.

    Attributes:
        name: The name of the judgments.
        systems: (S',) names of the systems.
        topics: (T',) names of the topics.
        given: The answers, by indices of these.
    """

    name: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    given: Judged

    not_compared: ClassVar[str] = "no judge was asked"
    looked_for: ClassVar[str] = "judgments"
    fills_gaps: ClassVar[str | None] = "judge every pair on every topic"
    pair_by_pair: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return str(self)

    @property
    def described(self) -> list[str]:
        content = short_hash((self.systems, self.topics, *self.given.answers))
        return [f"outcomes:{quoted(self.name.replace(' ', ''))}#{content}"]

    @property
    def signs_only(self) -> bool:
        return self.given.signs_only

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            name: None if math.isnan(of) else of for name, of in self.given.asking._asdict().items()
        }

    def warning(self, placements: Placements) -> str | None:
        """Answers are about what is not here, are all ties, or are of few topics."""
        return " ".join(self._doubts(placements)) or None

    def _doubts(self, placements: Placements) -> Iterator[str]:
        for kind, known, here in (
            ("system", self.systems, placements.systems),
            ("topic", self.topics, placements.topics),
        ):
            there = set(here)
            if strangers := [each for each in known if each not in there]:
                yield (
                    f"{self}: what is said of {len(strangers)} unknown {kind}{'s' * (len(strangers) > 1)} "
                    f"is left out ({shortened(', '.join(strangers), 80)})."
                )
        found = self._here(placements)
        if not self.given.by_pair.value[found.row].any():
            yield f"{self}: all {len(found.row):,} comparisons are ties: no system is preferred."
        if (topics := np.count_nonzero(found.judged)) < _FEW_TOPICS:
            yield f"{self}: {topics} judged topics are few (fewer than {_FEW_TOPICS}) to speak of others."

    def notes(self, placements: Placements) -> Iterator[str]:
        """How much was judged, how far judges agree, and what the order of the two does."""
        asking, (topics, systems) = self.given.asking, placements.counted.shape
        judged, pairs = len(self._here(placements).row), systems * (systems - 1) // 2
        if judged < topics * pairs:
            yield (
                f"{self}: {judged:,} of {topics * pairs:,} comparisons are judged ({topics} topics × "
                f"{pairs} pairs). The others are missing, not ties: ranks can mislead unless they are "
                "missing by chance."
            )
        if asking.cases:
            yield (
                f"{self}: two judges say the same in {asking.agree:.0%} of {asking.cases:,} cases (two "
                f"judges, a pair and a topic), and name different winners in {asking.contradict:.0%}."
            )
        else:
            yield f"{self}: one judge for each pair and topic: how far judges agree is unknown."
        if asking.both_orders:
            yield (
                f"{self}: asked in both orders {asking.both_orders:,} times (a judge, a pair and a topic), "
                f"the answer turned with the order in {asking.turned:.0%}. The system shown first looks "
                f"better by {asking.first_place:+.2f} (p = {asking.p:.2g}, sign flips of topics)."
            )
        else:
            yield f"{self}: nobody was asked in both orders: whether the order decides is unknown."

    def among_judges(self, placements: Placements) -> Integers:
        """By topic, where the mean of the other judges decides, what one judge says.

        Returns:
            (T, 3) how often it agrees with them, says that it is a tie, and disagrees.
        """
        found, given = self._here(placements), self.given
        topic = np.full(len(given.by_pair.topic), -1)
        topic[found.row] = found.topic
        agrees = np.nan_to_num(np.sign(given.of_others)) * np.sign(given.by_judge.value)
        decided = (topic[given.pair] >= 0) & (np.nan_to_num(given.of_others) != 0)
        kind = 1 - agrees[decided].astype(np.int64)
        return pair_counts(topic[given.pair][decided], kind, (len(placements.topics), 3))

    def complete(self, placements: Placements) -> bool:
        found, systems = self._here(placements), len(placements.systems)
        pairs = np.count_nonzero(found.judged) * systems * (systems - 1) // 2
        return bool(len(found.row) == pairs and placements.counted.all())

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return self._here(batch.placements).judged[batch.topics]

    def compared(self, batch: TopicBatch) -> Flags:
        asked = ~np.isnan(self.values(batch)) & self.has_relevant(batch)[:, None, None]
        return asked & batch.for_both(batch.placements.counted)

    def values(self, batch: TopicBatch) -> Values:
        value = self.given.by_pair.value
        return self._table(batch, value, -value, np.nan)

    def reasons(self, batch: TopicBatch) -> Reasons:
        first, neither, second = self.given.counts.T
        said = {
            "first": self._table(batch, first, second, 0),
            "neither": self._table(batch, neither, neither, 0),
            "second": self._table(batch, second, first, 0),
        }
        judges = np.sum(list(said.values()), axis=0)
        return Reasons(
            kind=JudgesSay,
            columns={**said, "judges": judges},
            variant=(judges == 0).astype(np.int64),
            relevant=self.has_relevant(batch),
        )

    def _table(self, batch: TopicBatch, there: Values, back: Values, otherwise: float) -> Values:
        """(T, A, C) what is known of each judged pair, in the one order and the other; else 0 or this."""
        found, placements = self._here(batch.placements), batch.placements
        table = np.full(batch.shape, otherwise, dtype=there.dtype)
        table[:, batch.first[:, None] == batch.second] = 0
        topic, first, second = (
            _places(some, len(names))
            for some, names in (
                (batch.topics, placements.topics),
                (batch.first, placements.systems),
                (batch.second, placements.systems),
            )
        )
        # The topics of a batch follow each other.
        ends = np.searchsorted(found.topic, batch.topics[[0, -1]] + [0, 1])
        row, at, *pair = (each[slice(*ends)] for each in found[:4])
        for (one, other), known in ((pair, there), (pair[::-1], back)):
            place = np.stack([topic[at], first[one], second[other]])
            here = (place >= 0).all(axis=0)
            table[tuple(place[:, here])] = known[row[here]]
        return table

    def _here(self, placements: Placements) -> _Here:
        return placements.cached((self, "here"), lambda: self._found(placements))

    def _found(self, placements: Placements) -> _Here:
        """Which pairs are here.

        Raises:
            ValueError: None is, or systems have several runs.
        """
        refuse_groups(placements.reading, f"{self} are of systems, not of the runs of one")
        by_pair = self.given.by_pair
        topic, first, second = (
            _indices(known, here)[of]
            for known, here, of in (
                (self.topics, placements.topics, by_pair.topic),
                (self.systems, placements.systems, by_pair.first),
                (self.systems, placements.systems, by_pair.second),
            )
        )
        row = np.flatnonzero((topic >= 0) & (first >= 0) & (second >= 0))
        if not len(row):
            known, here = (
                shortened(", ".join(each), 80) for each in (self.systems, placements.systems)
            )
            raise ValueError(
                f"{self} compare no two of these systems on these topics (systems judged: {known}; here: "
                f"{here})"
            )
        row = row[np.argsort(topic[row], kind="stable")]
        judged = np.zeros(len(placements.topics), dtype=np.bool_)
        judged[topic[row]] = True
        return _Here(row, topic[row], first[row], second[row], judged)


def _indices(names: Sequence[str], among: Sequence[str]) -> Integers:
    """The place of each name among others; -1 where it is not there."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place.get(name, -1) for name in names])


def _places(some: Integers, size: int) -> Integers:
    """The place of each of so many numbers in a list of some; -1 where it is not there."""
    places = np.full(size, -1)
    places[some] = np.arange(len(some))
    return places

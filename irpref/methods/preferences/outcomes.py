"""What judges say who saw two rankings side by side: which one is better, topic by topic.

Judges are people, or language models. A pair that nobody was asked about is missing there, not tied.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
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
    """The judged pairs of some placements, each in both orders, sorted by topic.

    Attributes:
        row: (N,) rows of :attr:`.Judged.by_pair`.
        turned: (N,) whether the systems stand there in the other order.
        topic: (N,) index of the topic in the placements.
        first: (N,) index of the first system there.
        second: (N,) index of the second system there.
    """

    row: Integers
    turned: Flags
    topic: Integers
    first: Integers
    second: Integers


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
    looked_for: ClassVar[str] = "side-by-side judgments"
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
            ties = len(found.row) // 2
            yield f"{self}: all {ties:,} comparisons are ties: no system is preferred."
        if (topics := len(np.unique(found.topic))) < _FEW_TOPICS:
            yield f"{self}: {topics} judged topics are few (fewer than {_FEW_TOPICS}) to speak of others."

    def notes(self, placements: Placements) -> Iterator[str]:
        """How much was judged, how far judges agree, and what the order of the two does."""
        asking, (topics, systems) = self.given.asking, placements.counted.shape
        judged, pairs = len(self._here(placements).row) // 2, systems * (systems - 1) // 2
        if judged < topics * pairs:
            yield (
                f"{self}: {judged:,} of {topics * pairs:,} comparisons are judged ({topics:,} topics × "
                f"{pairs:,} pairs). The others are missing, not ties: ranks can mislead unless they are "
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
        pairs = len(np.unique(found.topic)) * systems * (systems - 1)
        return bool(len(found.row) == pairs and placements.counted.all())

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return np.isin(batch.topics, self._here(batch.placements).topic)

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
        """(T, A, C) what is known of each judged pair, in the one order or the other; else 0 or this."""
        found, shape = self._here(batch.placements), batch.placements.counted.shape
        table = np.full(batch.shape, otherwise, dtype=there.dtype)
        table[:, batch.first[:, None] == batch.second] = 0
        ends = np.searchsorted(found.topic, batch.topics[[0, -1]] + [0, 1])
        row, turned, topic, *pair = (each[slice(*ends)] for each in found)
        place = np.stack(
            [
                _places(batch.topics, shape[0])[topic],
                *(
                    _places(some, shape[1])[each]
                    for some, each in zip((batch.first, batch.second), pair, strict=True)
                ),
            ]
        )
        here = (place >= 0).all(axis=0)
        table[tuple(place[:, here])] = np.where(turned, back[row], there[row])[here]
        return table

    def _here(self, placements: Placements) -> _Here:
        return placements.cached((self, "here"), lambda: self._found(placements))

    def _found(self, placements: Placements) -> _Here:
        """Which pairs are here.

        Raises:
            ValueError: None is, or systems have several runs.
        """
        from pandas import Index

        refuse_groups(placements.reading, f"{self} are of systems, not of the runs of one")
        by_pair, systems = (
            self.given.by_pair,
            Index(placements.systems).get_indexer(Index(self.systems)),
        )
        topic = Index(placements.topics).get_indexer(Index(self.topics))[by_pair.topic]
        pair = systems[[by_pair.first, by_pair.second]]
        row = np.flatnonzero((topic >= 0) & (pair >= 0).all(axis=0))
        if not len(row):
            known, here = (
                shortened(", ".join(each), 80) for each in (self.systems, placements.systems)
            )
            raise ValueError(
                f"{self} compare no two of these systems on these topics (systems judged: {known}; here: "
                f"{here})"
            )
        row = np.repeat(row[np.argsort(topic[row], kind="stable")], 2)
        turned = np.arange(len(row)) % 2 == 1
        first, second = np.where(turned, pair[::-1, row], pair[:, row])
        return _Here(row, turned, topic[row], first, second)


def _places(some: Integers, size: int) -> Integers:
    """The place of each of so many numbers in a list of some; -1 where it is not there."""
    places = np.full(size, -1)
    places[some] = np.arange(len(some))
    return places

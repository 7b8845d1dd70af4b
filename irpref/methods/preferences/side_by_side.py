"""What judges say who saw two rankings side by side: which one is better, topic by topic.

Judges are people, or language models. A pair that nobody was asked about is missing there, not tied.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, ClassVar

import numpy as np

from irpref.base.arrays import Flags, Integers, Values, index_of, pair_counts
from irpref.base.escape import shortened
from irpref.base.named import quoted
from irpref.base.reading_options import refuse_groups
from irpref.base.short_hash import short_hash
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import JudgesSay, Reasons
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.report.table import count_of
from irpref.stats.judges import Answers, Panel

# Fewer topics say little of others.
_FEW_TOPICS = 10


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
    given: Panel

    not_compared: ClassVar[str] = "no judge was asked"
    looked_for: ClassVar[str] = "side-by-side judgments"
    fills_gaps: ClassVar[str | None] = "judge every pair on every topic"
    pair_by_pair: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.name

    @property
    def described(self) -> list[str]:
        content = short_hash((self.systems, self.topics, *self.given.answers))
        return [f"outcomes:{quoted(self.name.replace(' ', ''))}#{content}"]

    @cached_property
    def signs_only(self) -> bool:
        return bool(np.isin(self.given.by_pair.value, (-1, 0, 1)).all())

    def facts(self, placements: Placements) -> Mapping[str, Any]:
        asking = self._here(placements).asking._asdict()
        return {name: None if math.isnan(of) else of for name, of in asking.items()}

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
                    f"{self}: what is said of {count_of(len(strangers), f'unknown {kind}')} is left out "
                    f"({shortened(', '.join(strangers), 80)})."
                )
        judged = self._here(placements).by_pair
        if not judged.value.any():
            ties = count_of(len(judged.value), "comparison")
            yield f"{self}: {ties}, and all come to ties: no system is preferred."
        if (topics := len(np.unique(judged.topic))) < _FEW_TOPICS:
            few = count_of(topics, "judged topic")
            yield f"{self}: {few}: fewer than {_FEW_TOPICS} say little of others."

    def notes(self, placements: Placements) -> Iterator[str]:
        """The doubts, how much was judged, how far judges agree, and what the order of the two does."""
        yield from self._doubts(placements)
        here, (topics, systems) = self._here(placements), placements.counted.shape
        asking, judged, pairs = here.asking, len(here.by_pair.topic), comb(systems, 2)
        if judged < topics * pairs:
            yield (
                f"{self}: {judged:,} of {topics * pairs:,} comparisons are judged "
                f"({count_of(topics, 'topic')} × {count_of(pairs, 'pair')}). The others are missing, not "
                "ties: whom a system met, and on which topics, can mislead."
            )
        who = "judge" if here.known else "answer"
        if asking.cases:
            cases = count_of(asking.cases, "case")
            yield (
                f"{self}: two {who}s about the same pair on the same topic ({cases}) agree in "
                f"{asking.agree:.0%}, and name different winners in {asking.contradict:.0%}."
            )
        else:
            yield f"{self}: one {who} for each pair and topic: how far judges agree is unknown."
        if asking.both_orders:
            times = count_of(asking.both_orders, "time")
            yield (
                f"{self}: where both orders were asked ({times}), the answer is another one in "
                f"{asking.turned:.0%} (noise alone changes some). The mean outcome of the system shown "
                f"first is {asking.first_place:+.2f} (0 is fair; p = {asking.p_of_order:.2g}, sign flips "
                "of topics)."
            )
        else:
            yield f"{self}: no pair was asked in both orders: whether the order decides is unknown."

    def prepare(self, placements: Placements) -> None:
        super().prepare(placements)
        judged = self._here(placements).by_pair
        met = np.isin(np.arange(len(placements.systems)), [judged.first, judged.second])
        if not met.all():
            others = ", ".join(np.array(placements.systems, dtype=object)[~met])
            raise ValueError(
                f"{self}: nobody was asked about {shortened(others, 80)}: leave such systems out, as with "
                "select(systems=…) of a collection"
            )

    def one_left_out(self, batch: TopicBatch) -> tuple[Integers, Integers]:
        """Each judge left out in turn, how often the mean of the others prefers which system.

        Returns:
            (T, A, C) how often it prefers the first one, and how often the second one.
        """
        first, _, second = self._here(batch.placements).one_left_out.T
        return self._table(batch, first, second, 0), self._table(batch, second, first, 0)

    def among_judges(self, placements: Placements) -> Integers:
        """By topic, where the mean of the other judges decides, what the judge says who is left out.

        Returns:
            (T, 3) how often it agrees with them, says that it is a tie, and disagrees.
        """
        here = self._here(placements)
        own, others = here.by_judge, np.nan_to_num(here.of_others)
        decided = others != 0
        agrees = (np.sign(own.value) * np.sign(others))[decided].astype(np.int64)
        return pair_counts(own.topic[decided], 1 - agrees, (len(placements.topics), 3))

    def complete(self, placements: Placements) -> bool:
        topic = self._here(placements).by_pair.topic
        pairs = len(np.unique(topic)) * comb(len(placements.systems), 2)
        return bool(len(topic) == pairs and placements.counted.all())

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return np.isin(batch.topics, self._here(batch.placements).by_pair.topic)

    def compared(self, batch: TopicBatch) -> Flags:
        return ~np.isnan(self.values(batch)) & super().compared(batch)

    def values(self, batch: TopicBatch) -> Values:
        value = self._here(batch.placements).by_pair.value
        return self._table(batch, value, -value, np.nan)

    def reasons(self, batch: TopicBatch) -> Reasons:
        counts, names = self._here(batch.placements).counts.T, ("first", "neither", "second")
        both = zip(names, counts, counts[::-1], strict=True)
        said = {name: self._table(batch, there, back, 0) for name, there, back in both}
        judges = np.sum(list(said.values()), axis=0)
        return Reasons(
            kind=JudgesSay,
            columns={**said, "judges": judges},
            variant=(judges == 0).astype(np.int64),
            relevant=self.has_relevant(batch),
        )

    def _table(self, batch: TopicBatch, there: Values, back: Values, otherwise: float) -> Values:
        """(T, A, C) what is known of each judged pair, in the one order or the other; else 0 or this."""
        placements, judged = batch.placements, self._here(batch.placements).by_pair
        table = np.full(batch.shape, otherwise, dtype=there.dtype)
        table[:, batch.first[:, None] == batch.second] = 0
        some = slice(*np.searchsorted(judged.topic, batch.topics[[0, -1]] + [0, 1]))
        topic = index_of(batch.topics, len(placements.topics))[judged.topic[some]]
        row, column = (index_of(of, len(placements.systems)) for of in (batch.first, batch.second))
        one, other = judged.first[some], judged.second[some]
        for first, second, value in ((one, other, there), (other, one, back)):
            place = np.stack([topic, row[first], column[second]])
            here = (place >= 0).all(axis=0)
            table[tuple(place[:, here])] = value[some][here]
        return table

    def _here(self, placements: Placements) -> Panel:
        return placements.cached((self, "here"), lambda: self._found(placements))

    def _found(self, placements: Placements) -> Panel:
        """The answers about what is here, by indices of the placements.

        Raises:
            ValueError: There is none, or systems have several runs.
        """
        from pandas import Index

        refuse_groups(placements.reading, f"{self} are of systems, not of the runs of one")
        given = self.given.answers
        topics = Index(placements.topics).get_indexer(Index(self.topics))
        systems = Index(placements.systems).get_indexer(Index(self.systems))
        moved = given._replace(
            topic=topics[given.topic], first=systems[given.first], second=systems[given.second]
        )
        here = (np.stack(moved[:3]) >= 0).all(axis=0)
        for system in (moved.first, moved.second):
            here &= placements.counted[moved.topic, system]
        if not here.any():
            one, other = self.systems, placements.systems
            # Where the systems are known, the topics are not.
            if len({*one} & {*other}) > 1:
                one, other = self.topics, placements.topics
            known, there = (shortened(", ".join(each), 80) for each in (one, other))
            raise ValueError(
                f"{self} compare no two of these systems on these topics (judged: {known}; here: {there})"
            )
        return Panel(Answers._make(each[here] for each in moved), self.given.known)

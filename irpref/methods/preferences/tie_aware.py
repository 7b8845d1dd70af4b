"""Preferences with an exact mean over all orders of tied scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

import numpy as np

from irpref.base.arrays import MEMORY, Integers, Values
from irpref.base.named import choice
from irpref.base.tolerance import snapped
from irpref.methods.preferences.folds import Fold, Mode, Preference
from irpref.methods.preferences.reasons import EveryOrder, Reasons
from irpref.methods.preferences.ties.tied_rankings import TiedRankings, refuse_rank_order
from irpref.positions.topic_batch import TopicBatch

Ties = Literal["trec", "expected"]

# The topic's index in the batch, the weight, and the rows of the items.
_Population = tuple[int, float, Integers]

# Batch size, in positions of items; bounds memory.
_CELLS = MEMORY // 2


@dataclass(frozen=True, kw_only=True, repr=False)
class TieAwarePreference(Preference):
    """A preference between two rankings, or its mean over all orders of their tied scores.

    Attributes:
        ties: ``"trec"``: tied scores are in trec_eval's order. ``"expected"``: the exact mean over all
            orders of the tied groups of both rankings; the two orders are independent.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    ties: Ties = choice("trec", Ties)

    @property
    def mode(self) -> Mode:
        return "plain" if self.ties == "trec" else "expected"


@dataclass(frozen=True, eq=False)
class ExpectedFold(Fold):
    """The mean over all orders of the tied scores; of relations, their probabilities.

    Attributes:
        mean: The mean preference, (B, A, C) or (B, A, C, relations). It takes the tied rankings of all
            systems in some populations, and the slices of the first and of the second systems (the same
            slice if these are the same). A ranking against itself counts as an independent copy.
    """

    mean: Callable[[TiedRankings, slice, slice], Values]

    def values(self, batch: TopicBatch) -> Values:
        """See :meth:`.Preference.values`.

        Raises:
            ValueError: The runs were ordered by rank, which has no ties.
        """
        placements = batch.placements
        refuse_rank_order("ties='expected'", placements)
        same = batch.second is batch.first
        systems = batch.first if same else np.concatenate((batch.first, batch.second))
        first = slice(0, len(batch.first))
        second = first if same else slice(len(batch.first), len(systems))
        everyone = np.array_equal(systems, np.arange(len(placements.systems)))
        total = np.zeros((*batch.shape, len(self.relations)) if self.relations else batch.shape)
        populations = list(batch.each_population(*self.of.looks_at))
        done = count()
        for part in _alike(populations, len(systems)):
            sizes = np.array([len(rows) for _, _, rows in part])
            # Levels lie beside each other here, which is the fastest way to sort them.
            shape = (2, len(part), len(systems), sizes.max())
            ties = np.full(shape, placements.unretrieved, placements.tie_first.dtype)
            for population, (_, _, rows) in enumerate(part):
                for side, array in enumerate((placements.tie_first, placements.tie_last)):
                    found = array[rows] if everyone else array[np.ix_(rows, systems)]
                    ties[side, population, :, : len(rows)] = found.T
            rankings = TiedRankings.lay_out(
                *ties.swapaxes(2, 3),
                unretrieved=placements.unretrieved,
                cutoff=self.of.cutoff,
                sizes=sizes,
            )
            means = self.mean(rankings, first, second)
            for (topic, weight, _), values in zip(part, means, strict=True):
                total[topic] += weight * values
                batch.tell(next(done) * len(batch.topics) // len(populations))
        # Relations are of one population, whose probabilities have no noise.
        return total if self.relations else snapped(total)

    def reasons(self, batch: TopicBatch) -> Reasons:
        # Even where nothing is relevant.
        return Reasons(kind=EveryOrder, relevant=np.ones(len(batch.topics), dtype=np.bool_))


def _alike(populations: Iterable[_Population], systems: int) -> Iterator[list[_Population]]:
    """The populations in batches, the smallest first, so that those of a batch are of like sizes."""
    part: list[_Population] = []
    for population in sorted(populations, key=lambda each: len(each[2])):
        if part and (len(part) + 1) * len(population[2]) * systems > _CELLS:
            yield part
            part = []
        part.append(population)
    if part:
        yield part

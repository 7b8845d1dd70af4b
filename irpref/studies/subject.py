"""What an experiment is done on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irpref.choices import Progress
from irpref.collection import Collection
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.stats.topic_bootstrap import TopicBootstrap

__all__ = ["Subject"]


@dataclass(frozen=True, eq=False)
class Subject:
    """What an experiment is done on: a collection, and the methods to try.

    Attributes:
        name: The name of the collection.
        collection: The collection; several systems.
        methods: The preferences, measures, functions and scores to try.
        seed: The seed of all that is random.
        n_resamples: How often the topics are drawn for an interval.
        progress: Called after every part of the work.
    """

    name: str
    collection: Collection
    methods: tuple[Criterion, ...]
    seed: int
    n_resamples: int
    progress: Progress | None = None

    @property
    def placements(self) -> Placements:
        """The positions of the relevant items."""
        return self.collection.placements

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers, the same ones for every collection."""
        return np.random.default_rng(self.seed)

    @cached_property
    def bootstrap(self) -> TopicBootstrap:
        """Draws of the topics, for intervals."""
        return TopicBootstrap(len(self.placements.topics), self.n_resamples, self.seed)

    def tell(self, doing: str, done: int, of: int) -> None:
        """Say how far the work is."""
        if self.progress is not None:
            self.progress(doing, done, of)

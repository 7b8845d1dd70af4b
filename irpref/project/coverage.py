"""Coverage: what runs and qrels share, topic by topic, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irpref.arrays import Flags, Integers

__all__ = ["JUDGED_DEPTH", "Coverage"]


JUDGED_DEPTH = 10
"""The depth down to which irpref counts judged documents."""


@dataclass(frozen=True, eq=False, repr=False)
class Coverage:
    """The topics and documents that runs and qrels share, and those that were left out.

    Attributes:
        systems: (S,) names of the systems.
        topics: (E,) topics of the qrels.
        relevant: (E,) whether each topic has a grade above 0.
        retrieved: (E, S) how many documents each system retrieved; 0 for a topic that the run lacks.
        judged: (E, S) how many of the first 10 documents are judged.
        repeated: (E, S) how many repeated documents were left out.
        unjudged: (S,) how many topics of each run the qrels lack (ignored).
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    relevant: Flags
    retrieved: Integers
    judged: Integers
    repeated: Integers
    unjudged: Integers

    def __repr__(self) -> str:
        lacking = sum(map(len, self.missing.values()))
        return (
            f"<Coverage of {len(self.systems)} systems on {len(self.topics)} topics of the qrels: "
            f"{len(self.topics_without_relevant)} topics without relevant documents; missing: {lacking} "
            f"topics of {len(self.missing)} systems; ignored: topics of "
            f"{len(self.unjudged_topics)} systems that the qrels lack; left out: "
            f"{sum(self.duplicates.values())} repeated documents>"
        )

    @cached_property
    def topics_without_relevant(self) -> tuple[str, ...]:
        """Topics of the qrels without a grade above 0."""
        return self._named(~self.relevant)

    @cached_property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """By system, the topics of the qrels for which the system retrieved nothing."""
        lacking = self.retrieved == 0
        return {
            system: self._named(lacking[:, column])
            for column, system in enumerate(self.systems)
            if lacking[:, column].any()
        }

    @cached_property
    def unjudged_topics(self) -> dict[str, int]:
        """By system, how many topics of its run the qrels lack (ignored)."""
        return self._counted(self.unjudged)

    @cached_property
    def judged_at_10(self) -> dict[str, float]:
        """By system, the share of judged documents in its first 10, on the topics of the qrels.

        NaN if the system retrieved nothing.
        """
        shown = np.minimum(self.retrieved, JUDGED_DEPTH).sum(axis=0)
        share = self.judged.sum(axis=0) / np.where(shown, shown, np.nan)
        return dict(zip(self.systems, share.tolist(), strict=True))

    @cached_property
    def duplicates(self) -> dict[str, int]:
        """By system, how many repeated documents were left out of its run."""
        return self._counted(self.repeated.sum(axis=0))

    def _named(self, which: Flags) -> tuple[str, ...]:
        return tuple(self.topics[topic] for topic in np.flatnonzero(which))

    def _counted(self, numbers: Integers) -> dict[str, int]:
        return {
            system: int(number)
            for system, number in zip(self.systems, numbers, strict=True)
            if number
        }

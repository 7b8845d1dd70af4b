"""What the runs and the qrels have in common, topic by topic, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irpref.arrays import Flags, Integers

__all__ = ["JUDGED_DEPTH", "Coverage"]


JUDGED_DEPTH = 10
"""Down to this depth it is counted how many documents are judged."""


@dataclass(frozen=True, eq=False, repr=False)
class Coverage:
    """What the runs and the qrels have in common, and what was left out.

    Attributes:
        systems: (S,) names of the runs.
        topics: (E,) topics of the qrels.
        relevant: (E,) whether they have a grade above 0.
        retrieved: (E, S) documents that each system retrieved; 0 where it lacks the topic.
        judged: (E, S) how many of the first 10 of these are judged.
        repeated: (E, S) repeated documents that were left out.
        unjudged: (S,) topics of each run that are not in the qrels (ignored).
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
        """Topics of the qrels with no grade above 0."""
        return self._named(~self.relevant)

    @cached_property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """By system, the topics of the qrels for which it retrieved nothing."""
        lacking = self.retrieved == 0
        return {
            system: self._named(lacking[:, column])
            for column, system in enumerate(self.systems)
            if lacking[:, column].any()
        }

    @cached_property
    def unjudged_topics(self) -> dict[str, int]:
        """By system, how many of its topics are not in the qrels (ignored)."""
        return self._counted(self.unjudged)

    @cached_property
    def judged_at_10(self) -> dict[str, float]:
        """By system, the share of judged documents among its first 10, over the topics of the qrels.

        NaN where it retrieved nothing.
        """
        shown = np.minimum(self.retrieved, JUDGED_DEPTH).sum(axis=0)
        share = self.judged.sum(axis=0) / np.where(shown, shown, np.nan)
        return dict(zip(self.systems, share.tolist(), strict=True))

    @cached_property
    def duplicates(self) -> dict[str, int]:
        """By system, how many repeated documents were left out of its topics."""
        return self._counted(self.repeated.sum(axis=0))

    def _named(self, which: Flags) -> tuple[str, ...]:
        return tuple(self.topics[topic] for topic in np.flatnonzero(which))

    def _counted(self, numbers: Integers) -> dict[str, int]:
        return {
            system: int(number)
            for system, number in zip(self.systems, numbers, strict=True)
            if number
        }

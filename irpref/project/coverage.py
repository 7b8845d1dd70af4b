"""Coverage: what runs and qrels share, topic by topic, and what was left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.arrays import Flags, Integers
from irpref.visible import shortened

if TYPE_CHECKING:
    import pandas as pd


JUDGED_DEPTH = 10
"""The depth down to which irpref counts judged documents."""
_SHOWN = 12
_LONGEST = 26


def coverage_frame(systems: Sequence[str], **columns: Any) -> pd.DataFrame:
    """Columns by name, with a row for each system."""
    # pandas is slow to import.
    import pandas as pd

    return pd.DataFrame(columns, index=pd.Index(systems, name="system"))


def _share(share: Any) -> str:
    return "" if math.isnan(share) else f"{share:.0%}"


_FORMATS: dict[Any, Callable[[Any], str]] = {"judged_at_10": _share}


@dataclass(frozen=True, eq=False, repr=False)
class Coverage:
    """The topics and documents that runs and qrels share, and those that were left out.

    Attributes:
        systems: (S,) names of the systems.
        topics: (E,) topics of the qrels.
        relevant: (E,) whether each topic has a grade above 0.
        retrieved: (E, S) how many documents each system retrieved.
        listed: (E, S) the same, with the unjudged documents that ``judged_only`` left out; 0 for a topic
            that the run lacks.
        judged: (E, S) how many of the first 10 documents are judged.
        repeated: (E, S) how many repeated documents were left out.
        unjudged: (S,) how many topics of each run the qrels lack (ignored).
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    relevant: Flags
    retrieved: Integers
    listed: Integers
    judged: Integers
    repeated: Integers
    unjudged: Integers

    def __repr__(self) -> str:
        table = self._table().to_string(formatters=_FORMATS)
        return "\n".join(part for part in (self._title, "", table, self._more) if part is not None)

    def _repr_html_(self) -> str:
        table = self._table().to_html(formatters=_FORMATS, border=0)
        more = "" if self._more is None else f"\n<p>{self._more}</p>"
        return f"<p><strong>{self._title}</strong></p>\n{table}{more}"

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
            >>> from irpref.demo import demo_paths
            >>> coverage = irpref.collect(*demo_paths()).coverage
            >>> coverage.frame.loc["bm25", ["missing", "retrieved"]].to_list()
            [0, 318]
        """
        return coverage_frame(
            self.systems,
            missing=self.lacking.sum(axis=0),
            ignored=self.unjudged,
            retrieved=self.retrieved.sum(axis=0),
            duplicates=self.repeated.sum(axis=0),
            judged_at_10=list(self.judged_at_10.values()),
        )

    @property
    def lacking(self) -> Flags:
        """(E, S) whether the run of each system lacks the topic."""
        return np.asarray(self.listed == 0)

    @property
    def depths(self) -> Integers:
        """(S,) how many documents the longest list of each run has."""
        return np.asarray(self.listed.max(axis=0, initial=0))

    @cached_property
    def topics_without_relevant(self) -> tuple[str, ...]:
        """Topics of the qrels without a grade above 0."""
        return self._named(~self.relevant)

    @cached_property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """By system, the topics of the qrels that its run lacks."""
        return {
            system: self._named(self.lacking[:, column])
            for column, system in enumerate(self.systems)
            if self.lacking[:, column].any()
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

    @property
    def _title(self) -> str:
        empty = len(self.topics_without_relevant)
        return (
            f"Coverage of {len(self.systems)} systems on {len(self.topics)} topics of the qrels, "
            f"{empty} without relevant documents"
        )

    @property
    def _more(self) -> str | None:
        left = len(self.systems) - _SHOWN
        return f"{left} more systems below these: coverage.frame has all." if left > 0 else None

    def _table(self) -> pd.DataFrame:
        """The frame as people see it: the first systems, their names short and harmless."""
        shown = self.frame.head(_SHOWN).rename(index=lambda name: shortened(name, _LONGEST))
        return shown.rename_axis(index=None, columns="system")

    def _named(self, which: Flags) -> tuple[str, ...]:
        return tuple(self.topics[topic] for topic in np.flatnonzero(which))

    def _counted(self, numbers: Integers) -> dict[str, int]:
        return {
            system: int(number)
            for system, number in zip(self.systems, numbers, strict=True)
            if number
        }

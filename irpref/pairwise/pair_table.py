"""The table of pairs: what was counted and tested of pairs of systems by one criterion, a row each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from irpref.base.arrays import Flags, Integers, Pairs, Values
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.totals import Sums, TaskTotals
from irpref.stats.method import LEAST_RUNS

if TYPE_CHECKING:
    import pandas as pd

Record: TypeAlias = dict[str, Any]
"""The results of a system or a pair, by name, as plain numbers and texts."""

# What a test says of a pair; without a p there is nothing behind its interval.
_INTERVAL = ("low", "high")
_TESTED = (*_INTERVAL, "p", "p_adjusted", "significant", "detectable", "verdict", "check")
# Seen from the second system, an end of an interval is the other one, with the other sign.
_OTHER_END = {"low": "high", "high": "low"}
_OTHER_WAY = {"better": "worse", "worse": "better"}


def records_of(columns: Mapping[str, Values]) -> Iterator[Record]:
    """A record for each place of some columns of the same length."""
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        yield dict(zip(columns, row, strict=True))


@dataclass(frozen=True, eq=False, kw_only=True)
class Columns:
    """Results in columns of one length, with how they were made: a frame once somebody asks for one.

    Attributes:
        columns: (n,) values by the name of the column.
        how: How they were made, by option; nothing where nothing was tested.
        signature: The line that says it; empty where these are part of a result that has one.
    """

    columns: Mapping[str, Values]
    how: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> Values:
        return self.columns[name]

    def frame(self) -> pd.DataFrame:
        """The columns as people get them, with how they were made as ``attrs``."""
        # It loads slowly.
        import pandas as pd

        frame = pd.DataFrame(dict(self.columns))
        frame.attrs.update({**self.how, "signature": self.signature})
        return frame


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTable(Columns):
    """What was counted of P pairs of systems, and what a test says of them.

    Columns are topics (if no tasks were counted), mean (above 0 where the first system is preferred), the
    outcomes of the criterion, and those of a test: :func:`.compare_pairs` says which.

    Attributes:
        systems: The names of all systems.
        pairs: (P,) the indices of the first and of the second systems.
        shown: The columns of the frame, behind the two systems.
    """

    systems: tuple[str, ...]
    pairs: Pairs
    shown: Sequence[str] = ()

    @classmethod
    def of(
        cls, systems: tuple[str, ...], criterion: Criterion, sums: Sums, pairs: Pairs
    ) -> PairTable:
        """What the sums of all systems against all say of some pairs."""
        counted = {} if isinstance(sums, TaskTotals) else {"topics": sums.votes}
        square = {**counted, "mean": sums.mean, **sums.outcomes(criterion)}
        columns = {name: of[pairs] for name, of in square.items()}
        return cls(columns=columns, systems=systems, pairs=pairs)

    @property
    def tested(self) -> bool:
        """Whether any pair has a p: none has where all systems have too few runs."""
        return "p" in self and not np.isnan(self["p"]).all()

    def refuse_untested(self) -> None:
        """Refuse pairs of which none was tested.

        Raises:
            ValueError: All systems have too few runs.
        """
        if not self.tested:
            raise ValueError(f"a test takes {LEAST_RUNS} runs of each system")

    @property
    def names(self) -> tuple[Values, Values]:
        """(P,) the names of the first and of the second systems."""
        names = np.array(self.systems, dtype=object)
        first, second = self.pairs
        return names[first], names[second]

    def with_tests(self, tests: PairTable | None) -> PairTable:
        """The same pairs, with what tests say of them, which may have them in either order."""
        if tests is None:
            return self
        rows, turned = tests.rows_of(self.pairs)
        columns = dict(self.columns)
        for name in _TESTED:
            if name in tests:
                own = other = tests[name]
                if name in _INTERVAL:
                    # Not -0.
                    other = 0 - tests[_OTHER_END[name]]
                elif name == "verdict":
                    other = np.array([_OTHER_WAY.get(word, word) for word in other], dtype=object)
                columns[name] = np.where(turned, other[rows], own[rows])
        for name in {"p", *_INTERVAL} & set(columns):
            columns[name] = np.where(rows < 0, np.nan, columns[name])
        return replace(self, columns=columns, how=tests.how, signature=tests.signature)

    def with_intervals(self, tests: PairTable) -> PairTable:
        """The same, with the intervals of tests of some of the pairs."""
        ends = self.with_tests(tests)
        return replace(self, columns={**self.columns, **{name: ends[name] for name in _INTERVAL}})

    def records(self) -> Iterator[Record]:
        """A record for each pair; without what a test does not say of it."""
        for record in records_of(self.columns):
            if math.isnan(record.get("p", 0)):
                # Of too few runs, an interval is all that there is.
                for name in _TESTED:
                    if name not in _INTERVAL or math.isnan(record.get(name, math.nan)):
                        record.pop(name, None)
            yield record

    def better(self, systems: Sequence[str]) -> Flags:
        """(S, S) whether the row's system is significantly better than the column's, in their order."""
        ahead = self["mean"] > 0
        one, other = (self._square(systems, self["significant"] & by) for by in (ahead, ~ahead))
        return one | other.T

    def compared(self, systems: Sequence[str]) -> Flags:
        """(S, S) whether two systems were tested, in their order."""
        some = self._square(systems, ~np.isnan(self["p"]))
        return some | some.T

    def frame(self) -> pd.DataFrame:
        """The pairs as people get them: a, b, and the columns to be shown."""
        a, b = self.names
        columns = {"a": a, "b": b, **{name: self[name] for name in self.shown}}
        return Columns(columns=columns, how=self.how, signature=self.signature).frame()

    def _square(self, systems: Sequence[str], some: Flags) -> Flags:
        """(S, S) whether the row of two systems is one of some."""
        order = [self.systems.index(name) for name in systems]
        square = np.zeros((len(self.systems),) * 2, dtype=np.bool_)
        first, second = self.pairs
        square[first[some], second[some]] = True
        return square[np.ix_(order, order)]

    def rows_of(self, pairs: Pairs) -> tuple[Integers, Flags]:
        """(Q,) the row of each of some pairs, -1 where there is none, and whether it is the other way."""
        place = np.full((len(self.systems),) * 2, -1)
        place[self.pairs] = np.arange(len(self))
        first, second = pairs
        rows, back = place[first, second], place[second, first]
        turned = rows < 0
        return np.where(turned, back, rows), turned


Tests: TypeAlias = Mapping[Criterion, PairTable]
"""By criterion, its tests."""

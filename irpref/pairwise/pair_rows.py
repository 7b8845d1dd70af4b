"""Rows: what tests say of pairs, or of systems, before anybody asks for a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags
from irpref.methods.preferences.criterion import Criterion

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class PairRows:
    """What tests say of pairs, or of systems, a row each: a frame once asked for, as pandas loads slowly.

    Attributes:
        columns: (P,) values by the name of the column.
        attrs: The options of the test, and the signature.
        index: The column that the frame has as its index, if any.
        pairs: Of a leaderboard, the tests of all pairs.
    """

    columns: Mapping[str, npt.NDArray[Any]]
    attrs: dict[str, Any]
    index: str | None = None
    pairs: PairRows | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    @property
    def tested(self) -> bool:
        """Whether any pair has a p: none has where all systems have too few runs."""
        return not np.isnan((self if self.pairs is None else self.pairs)["p"]).all()

    def frame(self) -> pd.DataFrame:
        """The rows as people get them."""
        import pandas as pd

        frame = pd.DataFrame(dict(self.columns))
        frame = frame if self.index is None else frame.set_index(self.index)
        frame.attrs.update(self.attrs)
        return frame

    def better(self, systems: Sequence[str]) -> Flags:
        """(S, S) whether the row's system is significantly better than the column's, in their order."""
        return self._where(systems, self["significant"] & (self["mean"] > 0)) | (
            self._where(systems, self["significant"] & ~(self["mean"] > 0)).T
        )

    def compared(self, systems: Sequence[str]) -> Flags:
        """(S, S) whether two systems were tested, in their order."""
        found = self._where(systems, ~np.isnan(self["p"]))
        return found | found.T

    def _where(self, systems: Sequence[str], some: Flags) -> Flags:
        """(S, S) whether the row of the two systems, a and b, is one of some."""
        place = {name: at for at, name in enumerate(systems)}
        found = np.zeros((len(systems), len(systems)), dtype=np.bool_)
        first, second = ([place[name] for name in self[side][some]] for side in "ab")
        found[first, second] = True
        return found


Tests: TypeAlias = Mapping[Criterion, PairRows]
"""By criterion, its tests."""

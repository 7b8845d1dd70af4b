"""Which part of partitioned qrels has each topic: a topic belongs into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pandas.util import hash_array

from irpref.errors import InputError
from irpref.read.column_names import columns_for
from irpref.read.columns import names_of
from irpref.read.stored import scan
from irpref.reading import Reading

__all__ = ["TopicsOfParts"]


class TopicsOfParts:
    """In which part the qrels have each topic."""

    def __init__(
        self, files: Mapping[str, Sequence[Path]], source: str, reading: Reading | None = None
    ) -> None:
        """Look at the topics of the qrels.

        Raises:
            InputError: A topic is in two parts.
        """
        self._files, self._names, self._reading = files, sorted(files), reading
        hashes = [_hashes(self._topics_in(files[name])) for name in self._names]
        whole = np.concatenate([*hashes, np.empty(0, dtype=np.uint64)])
        order = np.argsort(whole, kind="stable")
        self._hashes = whole[order]
        self._parts = np.repeat(np.arange(len(hashes)), list(map(len, hashes)))[order]
        twice = np.flatnonzero(self._hashes[1:] == self._hashes[:-1])
        for at in twice.tolist():
            one, other = (self._names[self._parts[each]] for each in (at, at + 1))
            both = self._topics_in(files[one])
            both = both.filter(both.is_in(self._topics_in(files[other]).implode()))
            if len(both):
                raise InputError(
                    f"the qrels have this topic in two partitions, {one} and {other}",
                    source=source,
                    topic=both[0],
                    remedy="keep a topic in one partition, as irpref convert does",
                )

    def refuse_elsewhere(self, part: str, files: Sequence[Path]) -> None:
        """Refuse a topic of the runs that the qrels have in another part.

        Raises:
            InputError: There is one.
        """
        topics = self._topics_in(files)
        hashes = _hashes(topics)
        at = np.searchsorted(self._hashes, hashes).clip(max=max(len(self._hashes) - 1, 0))
        if not len(self._hashes):
            return
        found = np.flatnonzero(self._hashes[at] == hashes)
        for index in found.tolist():
            other = self._names[self._parts[at[index]]]
            if other != part and (self._topics_in(self._files[other]) == topics[index]).any():
                raise InputError(
                    f"the runs have this topic in {part}, and the qrels in {other}",
                    source=files[0].parent,
                    topic=topics[index],
                    remedy="partition qrels and runs by the topic in the same way, as irpref convert does",
                )

    def _topics_in(self, files: Sequence[Path]) -> pl.Series:
        """The names of the topics in some files."""
        found = [pl.Series("topic", [], dtype=pl.String)]
        for file in files:
            frame = scan(file)
            columns = columns_for("topic", frame.collect_schema().names(), self._reading)
            if columns:
                values = frame.select(pl.col(columns[0]).unique()).collect().to_series()
                found.append(names_of(values).drop_nulls().alias("topic"))
        return pl.concat(found).unique(maintain_order=True)


def _hashes(topics: pl.Series) -> Any:
    return hash_array(topics.to_numpy().astype(object), categorize=False)

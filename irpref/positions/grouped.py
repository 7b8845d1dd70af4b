"""Placements of systems that have several runs each, such as one trained with several seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from irpref.base.arrays import Integers
from irpref.positions.placements import Placements


def grouped(placements: Placements) -> Placements:
    """The placements of systems, by the groups that were read; without groups, the same ones.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths(), groups={"any bm25": "bm25*"})
        >>> grouped(data.placements).systems
        ('any bm25', 'boolean', 'first-sentence', 'lm-dirichlet', 'tfidf')
    """
    if placements.reading.groups is None:
        return placements
    members = placements.reading.members(placements.systems)
    counts, nothing = placements.by_topic, np.empty((len(placements.grades), 0), dtype=np.int64)

    def of_systems(numbers: Integers, of: np.ufunc) -> Integers:
        """(…, S) of numbers by run."""
        parts = [of.reduce(numbers[..., list(each)], axis=-1) for each in members.values()]
        return np.stack(parts, axis=-1)

    joins: dict[str, np.ufunc] = dict.fromkeys(("judged", "repeated", "ignored"), np.add)
    joins |= {"retrieved": np.maximum, "listed": np.minimum}
    by_topic: Any = {name: of_systems(getattr(counts, name), of) for name, of in joins.items()}
    return replace(
        placements,
        systems=tuple(members),
        positions=nothing,
        tie_first=nothing,
        tie_last=nothing,
        by_topic=replace(counts, **by_topic),
        by_run=placements,
        first_documents=None,
    )

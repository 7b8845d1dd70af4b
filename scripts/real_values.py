"""What the studies of this folder share: the values of real collections.

Data are (T, S, S) values of a preference, the row's over the column, or (T, S) scores of a measure.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

import irpref
from irpref.api.collection import Collection
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference
from irpref.pairwise.topic_values import topic_values

Data = npt.NDArray[np.float64]


def pairs_of(data: Data) -> Data:
    """(T, P) the values of all pairs, each pair once."""
    first, second = np.triu_indices(data.shape[1], 1)
    return data[:, first] - data[:, second] if data.ndim == 2 else data[:, first, second]


def collection_of(
    folder: Path, *, systems: int | None = 40, topics: int | None = None
) -> Collection:
    """At most so many systems of a collection, evenly from the sorted names, and topics, at random."""
    runs = sorted((folder / "runs").iterdir())
    some = runs[:: -(-len(runs) // (systems or len(runs)))]
    collection = irpref.collect(folder / "qrels.txt", some, duplicates="first")
    if topics is None or topics >= len(collection.topics):
        return collection
    drawn = np.random.default_rng(0).choice(collection.topics, topics, replace=False)
    return collection.select(topics=drawn.tolist())


def data_of(collection: Collection, what: Preference | Measure) -> Data:
    """The values of a preference or the scores of a measure, on the topics with relevant documents."""
    if isinstance(what, Measure):
        return np.asarray(what.scores(collection.placements), dtype=np.float64)
    return topic_values(collection.placements, what)

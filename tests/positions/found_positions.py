"""Where the library puts the relevant items of a small collection, and where they are by definition."""

from __future__ import annotations

import numpy as np

from irpref.positions.placements import Placements
from tests.literal import INF, ranked, relevant, tied_group

QRELS = {"301": {"d1": 2, "d2": 1, "d3": 0}, "302": {"d1": 1}}
RUNS = {
    "bm25": {"301": {"d2": 3.0, "d9": 2.0, "d1": 1.0}, "302": {"d1": 1.0}},
    "tfidf": {"302": {"d3": 1.0}},
}


def found_in(collection: Placements) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    """By topic, document and system: the position and the bounds of the tied group."""
    arrays = [
        np.where(array == collection.unretrieved, INF, array)
        for array in (collection.positions, collection.tie_first, collection.tie_last)
    ]
    found = {}
    for t, topic in enumerate(collection.topics):
        span = collection.rows(t)
        for row in range(span.start, span.stop):
            for s, system in enumerate(collection.systems):
                found[topic, collection.documents[row], system] = tuple(a[row, s] for a in arrays)
    return found


def wanted_of(
    qrels: dict[str, dict[str, float]], runs: dict[str, dict[str, dict[str, float]]]
) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    wanted = {}
    for topic, grades in qrels.items():
        for system, run in runs.items():
            scores = run.get(topic, {})
            order = ranked(scores)
            for document in relevant(grades, 0):
                place = (INF, INF, INF)
                if document in scores:
                    place = (order.index(document) + 1, *tied_group(scores, document))
                wanted[topic, document, system] = place
    return wanted

"""Placements of a single item list, which is all that a metric of LensKit sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from lenskit.data import ItemList

from irpref import InputError, Reading
from irpref.for_adapters import UNRETRIEVED, Floats, Order, Placements, placements_at, warn
from irpref_lenskit.item_lists import grades_of, ranks_out_of_order, scores_and_places

_LIST = "the list"


def placements_of(
    output: ItemList, test: ItemList, relevance: str | None, order: Order
) -> Placements | None:
    """Where a list puts the relevant items of a test list, in the order that ``compare`` gives it.

    Tables as ``compare`` makes them would take thirty times as long for a single list.

    Args:
        output: The list.
        test: The test list.
        relevance: The field of the test items that is their grade; None: all are relevant.
        order: ``"score"``, or ``"rank"`` for the places.

    Returns:
        The placements; None if no test item is relevant.

    Raises:
        InputError: A score or grade is missing, or an item is there twice.

    Example:
        >>> tied = ItemList([1, 9, 2], scores=[2.0, 1.0, 1.0])
        >>> placed = placements_of(tied, ItemList([2, 3]), None, "score")
        >>> [int(each[0, 0]) for each in (placed.tie_first, placed.positions, placed.tie_last)]
        [2, 3, 3]
    """
    grades: dict[str, float] = {}
    given = grades_of(test, relevance, source="the test list").tolist()
    for item, grade in zip(map(str, test.ids()), given, strict=True):
        if grade > 0:
            grades[item] = max(grade, grades.get(item, grade))
    if not grades:
        return None
    items = list(map(str, output.ids()))
    row = {item: number for number, item in enumerate(items)}
    if len(row) < len(items):
        twice = next(item for number, item in enumerate(items) if row[item] != number)
        raise InputError("the item is there twice", source=_LIST, document=twice)
    scores = _scores(output, order)
    relevant = sorted(grades, key=lambda item: -grades[item])
    first, place, last = np.full((3, len(relevant), 1), UNRETRIEVED, dtype=np.int32)
    for number, item in enumerate(relevant):
        if item in row:
            score = scores[row[item]]
            tied = np.flatnonzero(scores == score)
            above = np.count_nonzero(scores > score)
            # As in trec_eval, the greater name comes first.
            before = sum(items[other] > item for other in tied) if len(tied) > 1 else 0
            first[number] = above + 1
            place[number] = above + before + 1
            last[number] = above + len(tied)
    return replace(
        placements_at(place, [len(relevant)], len(items)),
        systems=(_LIST,),
        grades=np.array([grades[item] for item in relevant]),
        tie_first=first,
        tie_last=last,
        reading=Reading(order=order),
    )


def _scores(output: ItemList, order: Order) -> Floats:
    scores, places = scores_and_places(output, source=_LIST)
    if ranks_out_of_order(output):
        warn(
            "the ranks of the items are not in the order of a list; places were used, and not these ranks"
        )
    if order == "rank":
        return -places
    if (np.diff(scores) > 0).any():
        warn(
            "the scores of a list rise down its places, as after a reranker; the scores were used "
            "(order='rank' uses the places)"
        )
    return scores

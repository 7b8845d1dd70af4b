"""``Metric``: any measure of irpref as a metric of LensKit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from lenskit.data import ItemList
from lenskit.metrics import ListMetric

from irpref import InputError, Reading
from irpref.for_adapters import (
    UNRETRIEVED,
    AnyMeasure,
    Order,
    Placements,
    as_measure,
    check_choice,
    placements_at,
    warn,
)
from irpref_lenskit.item_lists import grades_of, ranks_out_of_order, scores_and_places


class Metric(ListMetric):  # type: ignore[misc, unused-ignore]
    """A measure of irpref as a ``ListMetric``, for ``RunAnalysis`` and ``MeasurementCollector``.

    Its values are those of :func:`irpref.evaluate`. As LensKit's own metrics it is NaN for a user with no
    test item; if a user has test items, but none of them is relevant, it is 0.

    Example:
        >>> from lenskit.metrics import RunAnalysis
        >>> from lenskit.data import ItemList, ItemListCollection
        >>> test = ItemListCollection.from_dict({7: ItemList([1, 2])}, "user_id")
        >>> tied = ItemList([1, 9, 2], scores=[0.5, 0.5, 0.1], ordered=True)
        >>> recs = ItemListCollection.from_dict({7: tied}, "user_id")
        >>> analysis = RunAnalysis(Metric("TieRR@10"), Metric("TSE"), Metric("LexiRecall(n=1000)"))
        >>> analysis.measure(recs, test).list_metrics().loc[7].round(3).to_dict()
        {'TieRR@10': 0.75, 'TSE': 0.333, 'LexiRecall(n=1000)': 12.205}
    """

    def __init__(
        self, measure: AnyMeasure, *, relevance: str | None = None, order: Order = "score"
    ) -> None:
        """Make a metric.

        Args:
            measure: A measure or its text: ``irpref.TieRR @ 10``, ``"TienDCG@10"``, ``"TSE"``.
            relevance: The field of the test items that is their grade; None: every test item is relevant.
            order: ``"score"`` (ties by item, as trec_eval breaks them), or ``"rank"`` for the places of the
                list, which have no ties.

        Raises:
            ValueError: It is not a measure; or it needs the lists of all models, and a metric sees one.
        """
        self.measure = as_measure(measure)
        self.relevance = relevance
        check_choice("order", order, Order)
        self.order = order
        if self.measure.requires_pool:
            name = self.measure.name
            raise ValueError(
                f"{self.measure} counts the items of all models' lists, and a metric of LensKit sees one "
                f"list: say how many items there are to recommend, {name}(n=train.item_count)"
            )
        # What LensKit takes where a list has no value: the least one, if that is the same for every user.
        least = self.measure.bounds[0] if self.measure.higher_is_better else math.inf
        self.default = 0.0 if least == 0 else None

    @property
    def label(self) -> str:
        """The text of the measure."""
        return str(self.measure)

    def measure_list(self, output: ItemList, test: ItemList) -> float:
        """The score of a list.

        Raises:
            InputError: A score or grade is missing, or an item is there twice.
        """
        if not len(test):
            return math.nan
        placements = _placements_of(output, test, self.relevance, self.order)
        return 0.0 if placements is None else float(self.measure.scores(placements)[0, 0])


_LIST = "the list"


def _placements_of(
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
        >>> placed = _placements_of(tied, ItemList([2, 3]), None, "score")
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
    scores, places = scores_and_places(output, source=_LIST)
    if ranks_out_of_order(output):
        warn(
            "the ranks of the items are not in the order of a list; places were used, and not these ranks"
        )
    if order == "rank":
        scores = -places
    elif (np.diff(scores) > 0).any():
        warn(
            "the scores of a list rise down its places, as after a reranker; the scores were used "
            "(order='rank' uses the places)"
        )
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

"""``Metric``: any measure of irpref as a metric of LensKit."""

from __future__ import annotations

import math

from lenskit.data import ItemList
from lenskit.metrics import ListMetric

from irpref.for_adapters import AnyMeasure, Order, as_measure, check_choice
from irpref_lenskit.one_list import placements_of


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
        if self.measure.needs_pool:
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
        placements = placements_of(output, test, self.relevance, self.order)
        return 0.0 if placements is None else float(self.measure.scores(placements)[0, 0])

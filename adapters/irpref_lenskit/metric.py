"""Measures and preferences as metrics of LensKit (``Metric``), and of two lists (``PairMetric``)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import ListMetric

from irpref import InputError, Reading, for_adapters
from irpref_lenskit import item_lists

_LIST, _REFERENCE = "the list", "the reference"
_USERS = for_adapters.Words(True)
_ONE = "ItemList([1, 2]) makes one, and collection.lookup(user_id=7) is that of a user"


def criteria_of(given: Any) -> list[for_adapters.Criterion]:
    """What irpref takes to compare by.

    Raises:
        ValueError: It is none, or a metric of LensKit, such as those below.
    """
    for each in given if isinstance(given, list | tuple) else [given]:
        pair = getattr(each, "pair", each)
        if isinstance(pair, PairMetric):
            text = str(pair.preference)
            raise ValueError(f"{text} is a metric of item lists here: give its text, {text!r}")
        kind = each if isinstance(each, type) else type(each)
        if any(each.__module__.partition(".")[0] == "lenskit" for each in kind.__mro__):
            raise ValueError(f"{kind.__name__} is LensKit's own: RunAnalysis takes it as it is")
    return for_adapters.as_criteria(given)


class PairMetric:
    """A preference over two item lists of a user; for a measure, the difference of two scores.

    Its value is that of :meth:`irpref.Comparison.per_topic`, and NaN where no test item is relevant.

    Attributes:
        preference: What compares the lists.
        relevance: The field of the test items that is their grade, or None.
        order: What orders both lists.

    Example:
        >>> test, reference = ItemList([1, 2]), ItemList([9, 1, 2])
        >>> PairMetric("RPP")(ItemList([1, 9, 2]), reference, test)
        0.5
        >>> PairMetric("ipso@2")(ItemList([9, 8, 2]), reference, test)
        -1.0
    """

    def __init__(
        self,
        preference: for_adapters.AnyCriterion,
        *,
        relevance: str | None = None,
        order: for_adapters.Order = "score",
    ) -> None:
        """Choose how lists are compared.

        Args:
            preference: A preference or a measure, or its text: ``irpref.RPP``, ``"IPSO@10"``, ``"TieRR"``.
            relevance: The field of the test items that is their grade; None: every test item is relevant.
            order: ``"score"`` (ties by item, as trec_eval breaks them), or ``"rank"`` for the places of the
                lists, which have no ties.

        Raises:
            ValueError: It is neither, or it counts the items of all models' lists.
        """
        [self.preference] = criteria_of([preference])
        self.relevance = relevance
        self.order = for_adapters.check_choice("order", order, for_adapters.Order)
        named: Any = self.preference.named
        if getattr(named, "requires_pool", False):
            raise ValueError(
                f"{named} counts the items of all models' lists, and a metric of LensKit sees one "
                f"list: say how many items there are to recommend, {named.name}(n=train.item_count)"
            )

    @for_adapters.speaking(_USERS)
    def __call__(self, output: ItemList, reference: ItemList, test: ItemList) -> float:
        """The preference for a list over the reference's list, which comes second.

        Raises:
            InputError: A score or grade is missing, or an item is there twice.
        """
        named: Any = self.preference.named
        lists = {_LIST: output, _REFERENCE: reference}
        placements = _placements_of(lists, test, self.relevance, self.order, named.rel)
        if placements is None:
            return math.nan
        return float(for_adapters.topic_values(placements, self.preference, [0], [1])[0, 0, 0])


LP, LR, RPP, IPSO = map(PairMetric, ("LP", "LR", "RPP", "IPSO"))


class Metric(ListMetric):  # type: ignore[misc, unused-ignore]
    """A measure, or a preference over a reference model, for ``RunAnalysis`` and ``MeasurementCollector``.

    The values of a measure are those of :func:`irpref.evaluate`. As LensKit's own metrics it is NaN for a
    user with no test item; if a user has test items, but none of them is relevant, it is 0.

    The values of a preference are those of :func:`irpref_lenskit.compare`, positive where the model is
    better than the reference. It is NaN for a user without relevant test items, and LensKit's means leave
    such users out.

    Example:
        >>> from lenskit.metrics import RunAnalysis
        >>> from lenskit.data import ItemList, ItemListCollection
        >>> test = ItemListCollection.from_dict({7: ItemList([1, 2])}, "user_id")
        >>> tied = ItemList([1, 9, 2], scores=[0.5, 0.5, 0.1], ordered=True)
        >>> recs = ItemListCollection.from_dict({7: tied}, "user_id")
        >>> popular = ItemListCollection.from_dict({7: ItemList([8, 9, 1])}, "user_id")
        >>> over_popular = Metric("RPP", reference=popular, test=test)
        >>> analysis = RunAnalysis(Metric("TieRR@10"), Metric("LexiRecall(n=1000)"), over_popular)
        >>> analysis.measure(recs, test).list_metrics().loc[7].round(3).to_dict()
        {'TieRR@10': 0.75, 'LexiRecall(n=1000)': 12.205, 'RPP': 1.0}
    """

    def __init__(
        self,
        measure: for_adapters.AnyCriterion,
        *,
        reference: Any = None,
        test: Any = None,
        relevance: str | None = None,
        order: for_adapters.Order = "score",
    ) -> None:
        """Make a metric.

        Args:
            measure: A measure or its text: ``irpref.TieRR @ 10``, ``"TienDCG@10"``, ``"TSE"``. With a
                reference, a preference too: ``"RPP"``, ``"IPSO@10"``; a measure is then the difference of
                both scores.
            reference: The lists of the reference model, an ``ItemListCollection`` with the key fields of
                the test lists. For a user whom it lacks it counts as having found nothing.
            test: With a reference, the test lists that are measured against: LensKit passes a metric the
                test list, not the user, and the user is known by that very object.
            relevance: See :class:`PairMetric`; and so is order.

        Raises:
            ValueError: It is neither, it is a preference and there is no reference, or it needs the lists
                of all models.
            InputError: The reference lists are of other users, or cannot be used as they are.

        Warns:
            UserWarning: The reference lacks some users.
        """
        self.pair = PairMetric(measure, relevance=relevance, order=order)
        self._references: dict[ItemList, ItemList] = {}
        self.measure = self.default = None
        if reference is not None:
            self._keep_reference(reference, test)
        elif not self.pair.preference.of_scores:
            raise ValueError(
                f"{self.label} is a preference, which compares with another model: name its lists, "
                f"Metric({self.label!r}, reference=runs['popular'], test=split.test); or take "
                "irpref_lenskit.compare"
            )
        else:
            self.measure = for_adapters.as_measure(measure)
            # What LensKit takes where a list has no value: the least one, if it is the same for every user.
            least = self.measure.bounds[0] if self.measure.higher_is_better else math.inf
            self.default = 0.0 if least == 0 else None

    @property
    def label(self) -> str:
        """The text of the measure or preference."""
        return str(self.pair.preference)

    @for_adapters.speaking(_USERS)
    def measure_list(self, output: ItemList, test: ItemList) -> float:
        """The score of a list, or the preference for it over the reference's.

        Raises:
            InputError: A score or grade is missing, an item is there twice, or the metric was made with
                other test lists.
        """
        if not len(test):
            return math.nan
        if self.measure is None:
            if test not in self._references:
                raise InputError(
                    "the metric was made with other test lists",
                    source=self.label,
                    remedy="name those that are measured against, the same objects, with test=",
                )
            return self.pair(output, self._references[test], test)
        placements = _placements_of(
            {_LIST: output}, test, self.pair.relevance, self.pair.order, self.measure.rel
        )
        return 0.0 if placements is None else float(self.measure.scores(placements)[0, 0])

    @for_adapters.speaking(_USERS)
    def _keep_reference(self, reference: Any, test: Any) -> None:
        """Keep the reference's list for each test list."""
        judged = item_lists.lists_by_user(test)
        remedy = "give the lists of a model, not its name: reference=runs['popular']"
        item_lists.check_kind(reference, ItemListCollection, _REFERENCE, remedy)
        models = {_REFERENCE: reference}
        [held] = item_lists.lists_by_model(models, "model", test.key_fields).values()
        item_lists.refuse_strangers(held, judged)
        for user, items in judged.lists.items():
            # A list is equal to no other, so this goes by identity.
            if len(items) and items in self._references:
                raise InputError(
                    "another user has this very list",
                    source=judged.source,
                    topic=user,
                    remedy="give each user a list: ItemList(items) copies one",
                )
            self._references[items] = held.lists.get(user, ItemList([]))
        if lacking := judged.lists.keys() - held.lists.keys():
            for_adapters.warn(
                f"the reference has no list for {len(lacking)} of {len(judged.lists)} users of the test "
                "lists: it counts as having found nothing for them"
            )


def _placements_of(
    lists: Mapping[str, ItemList],
    test: ItemList,
    relevance: str | None,
    order: for_adapters.Order,
    rel: float | None,
) -> for_adapters.Placements | None:
    """Where lists put the relevant items of a test list, in the order that ``compare`` gives them.

    Tables as ``compare`` makes them would take thirty times as long for a single list.

    Args:
        lists: The lists, by what errors call them.
        test: The test list.
        relevance: See :class:`PairMetric`; and so is order.
        rel: The least grade that is relevant.

    Returns:
        The placements; None if no test item is relevant.

    Raises:
        InputError: A score or grade is missing, an item is there twice, or nothing says whether a grade
            between 0 and 1 is relevant.

    Example:
        >>> tied = ItemList([1, 9, 2], scores=[2.0, 1.0, 1.0])
        >>> placed = _placements_of({"tied": tied}, ItemList([2, 3]), None, "score", None)
        >>> [int(each[0, 0]) for each in (placed.tie_first, placed.positions, placed.tie_last)]
        [2, 3, 3]
    """
    grades: dict[str, float] = {}
    item_lists.check_kind(test, ItemList, "the test list", _ONE)
    given = item_lists.grades_of(test, relevance, source="the test list").tolist()
    for item, grade in zip(map(str, test.ids()), given, strict=True):
        if rel is None and 0 < grade < 1:
            problem, remedy = for_adapters.wrong_number("grade", grade)
            raise InputError(problem, source="the test list", document=item, remedy=remedy)
        if grade > 0:
            grades[item] = max(grade, grades.get(item, grade))
    if not grades:
        return None
    relevant = sorted(grades, key=lambda item: -grades[item])
    shape = 3, len(relevant), len(lists)
    first, place, last = np.full(shape, for_adapters.UNRETRIEVED, dtype=np.int32)
    for column, (name, output) in enumerate(lists.items()):
        item_lists.check_kind(output, ItemList, name, _ONE)
        items = list(map(str, output.ids()))
        row = {item: number for number, item in enumerate(items)}
        if len(row) < len(items):
            twice = next(item for number, item in enumerate(items) if row[item] != number)
            raise InputError("the item is there twice", source=name, document=twice)
        scores, places = item_lists.scores_and_places(output, source=name)
        if order == "rank":
            scores = -places
        elif (np.diff(scores) > 0).any():
            for_adapters.warn(
                "the scores of a list rise down its places, as after a reranker; the scores were used "
                "(order='rank' uses the places)"
            )
        for number, item in enumerate(relevant):
            if item in row:
                score = scores[row[item]]
                tied = np.flatnonzero(scores == score)
                above = np.count_nonzero(scores > score)
                # As in trec_eval, the greater name comes first.
                before = sum(items[other] > item for other in tied) if len(tied) > 1 else 0
                first[number, column] = above + 1
                place[number, column] = above + before + 1
                last[number, column] = above + len(tied)
    if order != "rank":
        item_lists.warn_of_ranks("the lists of a user", lists.values())
    lengths = np.array([list(map(len, lists.values()))])
    return replace(
        for_adapters.placements_at(place, [len(relevant)], lengths),
        systems=tuple(lists),
        grades=np.array([grades[item] for item in relevant]),
        tie_first=first,
        tie_last=last,
        reading=Reading(order=order),
    )

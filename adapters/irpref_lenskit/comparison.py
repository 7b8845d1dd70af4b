"""``compare``: the models of LensKit, compared user by user, with values keyed as LensKit keys lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from irpref import Collection, Comparison, Reading, for_adapters
from irpref_lenskit import item_lists
from irpref_lenskit.metric import criteria_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Found = TypeVar("Found", pd.DataFrame, pd.Series)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ListComparison(Comparison):
    """An :class:`irpref.Comparison` of models, whose users have LensKit's keys.

    With a reference, :meth:`test`, :meth:`report` and :meth:`to_html` compare all other models with it
    where no other baseline is named, and else all pairs.

    Attributes:
        keys: (T,) the key of each user who counts, in the order of ``topics``.
        reference: The model that all others are compared with, or None.
    """

    keys: pd.MultiIndex
    reference: str | None = None

    def per_topic(self, preference: for_adapters.AnyCriterion, a: str, b: str) -> pd.Series:
        """The preference of a over b: values by user, of the users that count."""
        return self._keyed(super().per_topic(preference, a, b))

    def relations(self, preference: for_adapters.AnyCriterion, a: str, b: str) -> pd.DataFrame:
        """See :meth:`irpref.Comparison.relations`; the index is the user."""
        return self._keyed(super().relations(preference, a, b))

    @property
    def _reference(self) -> str | None:  # type: ignore[override]
        return self.reference

    def _keyed(self, found: Found) -> Found:
        keys = self.keys.take(pd.Index(self.topics).get_indexer(found.index))
        found.index = keys if keys.nlevels > 1 else keys.get_level_values(0)
        return found


def compare(
    recs: Any,
    test: Any,
    preferences: for_adapters.ComparedBy = for_adapters.DEFAULT_PREFERENCES,
    by: str = "model",
    relevance: str | None = None,
    reference: str | None = None,
    *,
    progress: for_adapters.Progress | None = None,
    **reading: Unpack[for_adapters.ReadingOptions],
) -> ListComparison:
    """Compare every pair of models, user by user, as :func:`irpref.compare` does.

    A list is ordered by its scores, and equal scores count as a tie; without scores, it is ordered by its
    places. If places contradict scores, as after a reranker, a warning says so: ``order="rank"`` takes the
    places of all models, ``order={"mmr": "rank"}`` those of one.

    Args:
        recs: The recommendations: an ``ItemListCollection`` with a key field for the model, or
            ``{name: collection}``. Their other key fields are those of the test lists.
        test: The test lists: an ``ItemListCollection``. Users with no test item are left out.
        preferences: See :func:`irpref.compare`.
        by: The key field that names the model, if the recommendations are one collection.
        relevance: The field of the test items that is their grade, such as ``"rating"``. None: every test
            item is relevant, as in LensKit's own metrics.
        reference: The model that all others are compared with, in what the result shows and tests. None:
            all pairs of models.
        progress: See :meth:`irpref.Collection.compare`.
        reading: Those of :class:`irpref.Reading`. ``missing="skip"`` leaves out users for whom a model has
            no recommendations; by default it counts as having found nothing for them.

    Returns:
        The comparison. Positive: the first (row) model is better. ``coverage`` counts users whom a
        model lacks, and lists of users who are not in the test lists (ignored).

    Raises:
        InputError: A score or grade is missing, a list has an item twice, a key has two lists, a model
            has no user in common with the test lists, or no model, or one of two, recommends a test item;
            the error names model, user and item.
        ValueError: There are fewer than two models, two have one name, or a name or option is unknown.
        TypeError: There is no such option.

    Warns:
        UserWarning: One model of three or more recommends no test item; or, for most users of a model, the
            places contradict the scores; or, where the order is not ``"rank"``, the items of a list have
            other ranks than places, as those of LensKit 2025 may.

    Example:
        >>> from lenskit.data import ItemList, ItemListCollection
        >>> test = ItemListCollection.from_dict({7: ItemList([1, 2]), 8: ItemList([3])}, "user_id")
        >>> recs = ItemListCollection.empty(["model", "user_id"])
        >>> recs.add(ItemList([1, 9, 2], scores=[3, 2, 1]), "knn", 7)
        >>> recs.add(ItemList([9, 1, 2], scores=[3, 2, 1]), "popular", 7)
        >>> recs.add(ItemList([9, 3], scores=[3, 2]), "popular", 8)
        >>> comparison = compare(recs, test, ["RPP", "LR"])
        >>> comparison.per_topic("LR", "knn", "popular")
        user_id
        7    1.0
        8   -1.0
        Name: LR, dtype: float64
        >>> comparison.coverage.missing
        {'knn': ('8',)}
    """
    if "baseline" in reading:
        raise TypeError("compare(): unknown option 'baseline': say reference='popular'")
    # People of LensKit say user, item and model.
    reading.setdefault("users", True)
    models: dict[str, item_lists.UserLists] = {}
    # Nothing is said of a model before all models are in here.
    with for_adapters.speaking(for_adapters.Words(reading["users"], models)):
        options = for_adapters.from_keywords(Reading, compare, reading)
        criteria = criteria_of(preferences)
        needed = for_adapters.reading_for([each.named for each in criteria], options)
        reading |= {"lists": needed.lists, "rel": needed.rel}
        judged = item_lists.lists_by_user(test)
        models |= item_lists.lists_by_model(recs, by, test.key_fields)
        if reference is not None and (reference := str(reference)) not in models:
            raise for_adapters.unknown("reference", reference, models)
        for model, lists in models.items():
            item_lists.refuse_strangers(lists, judged)
            if options.order_of(model) != "rank":
                item_lists.warn_of_ranks(lists.source, lists.lists.values())
        rankings = {model: item_lists.ranking_of(lists) for model, lists in models.items()}
        judgments = item_lists.judgments_of(judged, relevance)
        data = Collection.from_rankings(judgments, rankings, **reading)
        found = data.compare(criteria, progress=progress)
    keys = [judged.keys[topic] for topic in found.topics]
    return ListComparison(
        placements=found.placements,
        totals=found.totals,
        keys=pd.MultiIndex.from_tuples(keys, names=test.key_fields),
        reference=reference,
    )

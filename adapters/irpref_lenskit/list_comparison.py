"""What ``compare`` gives back: irpref's comparison, its values keyed as LensKit keys its lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from irpref import Comparison, Report
from irpref.for_adapters import AnyCriterion, AnyTest, Progress, signature, topic_values


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ListComparison(Comparison):
    """An :class:`irpref.Comparison` of models, whose users have LensKit's keys.

    With a reference, :meth:`list_metrics`, :meth:`test` and :meth:`report` compare all other models with
    it, and else all pairs.

    Attributes:
        keys: (T,) the key of each user who counts, in the order of ``topics``.
        levels: What the index of :meth:`list_metrics` is made of: the key fields of the
            recommendations, that of the model among them.
        by: The key field of the model.
        reference: The model that all others are compared with, or None.
    """

    keys: pd.MultiIndex
    levels: tuple[str, ...]
    by: str
    reference: str | None = None

    def list_metrics(self) -> pd.DataFrame:
        """All preferences, list by list, as ``list_metrics`` of LensKit has metrics.

        Returns:
            A column for each preference. The index is that of LensKit's own frame, such as (model,
            user_id), so that both can be joined: the value prefers this model to the reference where it
            is above 0. Without a reference every pair of models is there once; the index has a further
            level, ``reference``, with the second one.

        Example:
            >>> from lenskit.data import ItemList, ItemListCollection
            >>> test = ItemListCollection.from_dict({7: ItemList([1, 2])}, "user_id")
            >>> recs = {
            ...     name: ItemListCollection.from_dict({7: ItemList(items, ordered=True)}, "user_id")
            ...     for name, items in {"knn": [1, 9, 2], "popular": [9, 1, 2]}.items()
            ... }
            >>> from irpref_lenskit import compare
            >>> found = compare(recs, test, ["RPP", "LP"], reference="popular").list_metrics()
            >>> list(found.index.names), found.to_dict("index")
            (['model', 'user_id'], {('knn', 7): {'RPP': 0.5, 'LP': 1.0}})
        """
        models, names = self.systems, [str(each) for each in self.preferences]
        second = None if self.reference is None else [models.index(self.reference)]
        if second is None:
            pairs = [(a, b) for a in range(len(models)) for b in range(a + 1, len(models))]
        else:
            pairs = [(a, 0) for a in range(len(models)) if a != second[0]]
        columns = {}
        for name, preference in zip(names, self.preferences, strict=True):
            values = topic_values(self.placements, preference, second=second)
            columns[name] = np.concatenate([values[:, a, b] for a, b in pairs])
        fields: dict[str, Any] = {
            str(name): np.tile(self.keys.get_level_values(level), len(pairs))
            for level, name in enumerate(self.keys.names)
        }
        fields[self.by] = np.repeat([models[a] for a, _ in pairs], len(self.keys))
        levels = list(self.levels)
        if second is None:
            fields["reference"] = np.repeat([models[b] for _, b in pairs], len(self.keys))
            levels.insert(levels.index(self.by) + 1, "reference")
        index = pd.MultiIndex.from_arrays([fields[level] for level in levels], names=levels)
        frame = pd.DataFrame(columns, index=index).dropna(how="all")
        frame.attrs["signature"] = signature(
            self.preferences, self.placements, table="lists", names={"b": self.reference}
        )
        return frame

    def per_topic(self, preference: AnyCriterion, a: str, b: str) -> pd.Series:
        """The preference of a over b: values by user, of the users that count."""
        found = super().per_topic(preference, a, b)
        found.index = self._keys_of(found.index)
        return found

    def relations(self, preference: AnyCriterion, a: str, b: str) -> pd.DataFrame:
        """See :meth:`irpref.Comparison.relations`; the index is the user."""
        found = super().relations(preference, a, b)
        found.index = self._keys_of(found.index)
        return found

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """See :meth:`irpref.Comparison.test`; the reference is the baseline, if no other one is named."""
        baseline = self.reference if baseline is None else baseline
        return super().test(preference, baseline=baseline, test=test, progress=progress)

    def report(self, *, baseline: str | None = None, **options: Any) -> Report:
        """See :meth:`irpref.Comparison.report`; the reference is the baseline, if no other one is named."""
        return super().report(baseline=self.reference if baseline is None else baseline, **options)

    def _keys_of(self, topics: pd.Index[Any]) -> pd.Index[Any]:
        keys = self.keys.take(pd.Index(self.topics).get_indexer(topics))
        return keys if keys.nlevels > 1 else keys.get_level_values(0)

"""Item lists of LensKit as tables of judgments and rankings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from lenskit.data import ItemList, ItemListCollection

from irpref import InputError
from irpref.for_adapters import Floats, by_text, warn

Key = tuple[Any, ...]

_OUTPUT = (
    "lenskit.batch.recommend gives one, ItemListCollection.from_df(frame, {}) makes one of a frame"
)


@dataclass(frozen=True, eq=False)
class UserLists:
    """Item lists, one for each user, or whatever else LensKit's keys name.

    Attributes:
        source: What has these lists, for errors.
        keys: The key of each list, by its text: the core's topics are texts.
        lists: The lists, by the same texts.
    """

    source: str
    keys: dict[str, Key] = field(default_factory=dict)
    lists: dict[str, ItemList] = field(default_factory=dict)

    def add(self, key: Key, items: ItemList) -> None:
        """Add the list of a key.

        Raises:
            InputError: The key has a list already.
        """
        topic = ", ".join(map(str, key))
        if topic in self.keys:
            raise InputError(
                "two lists have this key",
                source=self.source,
                topic=topic,
                remedy="keep one of them, or add a key field that tells them apart",
            )
        self.keys[topic], self.lists[topic] = key, items


def lists_by_user(test: Any) -> UserLists:
    """The test lists of a collection.

    Raises:
        InputError: It is no collection, or a key has two lists.
    """
    found = UserLists("the test lists")
    check_kind(test, ItemListCollection, found.source, "a split of LensKit has one: split.test")
    for key, items in test:
        found.add(tuple(key), items)
    return found


def lists_by_model(recs: Any, by: str, fields: Sequence[str]) -> dict[str, UserLists]:
    """The recommendations of each model.

    Args:
        recs: A collection with a key field for the model, or ``{name: collection}``.
        by: The key field that names the model.
        fields: The key fields of the test lists.

    Raises:
        InputError: There is no such collection or key field, or a key has two lists.
        ValueError: Two models have one name.
    """
    found: dict[str, UserLists] = {}
    if isinstance(recs, Mapping):
        for model, collection in by_text(recs, "model").items():
            lists = UserLists(f"model {model!r}")
            check_kind(collection, ItemListCollection, lists.source, _OUTPUT.format([*fields]))
            _check_fields(collection.key_fields, fields, lists.source)
            for key, items in collection:
                lists.add(tuple(getattr(key, name) for name in fields), items)
            found[model] = lists
        return found
    source = "the recommendations"
    check_kind(recs, ItemListCollection, source, _OUTPUT.format([by, *fields]))
    if by not in recs.key_fields:
        raise InputError(
            f"no key field is called {by!r} (there are {', '.join(recs.key_fields)})",
            source=source,
            remedy="name the field of the model with by=, or give {name: collection}",
        )
    _check_fields([name for name in recs.key_fields if name != by], fields, source)
    for key, items in recs:
        model = str(getattr(key, by))
        lists = found.setdefault(model, UserLists(f"model {model!r}"))
        lists.add(tuple(getattr(key, name) for name in fields), items)
    return found


def refuse_strangers(recs: UserLists, test: UserLists) -> None:
    """Refuse recommendations for no user of the test lists.

    Raises:
        InputError: They are such.
    """
    if not any(len(items) and len(test.lists.get(user, ())) for user, items in recs.lists.items()):
        raise InputError(
            "the model has recommendations for no user of the test lists",
            source=recs.source,
            remedy="are the users written differently, or are the lists of another split?",
        )


def judgments_of(test: UserLists, relevance: str | None) -> pl.DataFrame:
    """The judgments of all lists: columns topic, document and grade.

    Raises:
        InputError: A list lacks the field, or a grade is not a number.
    """
    grades = [
        grades_of(items, relevance, source=test.source, topic=topic)
        for topic, items in test.lists.items()
    ]
    return _table(test, grade=grades)


def ranking_of(recs: UserLists) -> pl.DataFrame:
    """The ranking of all lists: columns topic, document, score, rank and line.

    Raises:
        InputError: A score is missing.
    """
    found = [
        scores_and_places(items, source=recs.source, topic=topic)
        for topic, items in recs.lists.items()
    ]
    table = _table(recs, score=[score for score, _ in found], rank=[place for _, place in found])
    # These rows are in no file, so errors name no lines.
    return table.with_columns(pl.col("rank").cast(pl.Int64), line=pl.lit(None, dtype=pl.Int64))


def grades_of(
    items: ItemList, relevance: str | None, *, source: str, topic: str | None = None
) -> Floats:
    """(N,) grade of each test item: the values of a field, or 1 without one.

    Raises:
        InputError: The list lacks the field, or a grade is not a number.
    """
    if relevance is None or not len(items):
        return np.ones(len(items))
    grades = items.field(relevance)
    if grades is None:
        raise InputError(
            f"the items have no field {relevance!r}",
            source=source,
            topic=topic,
            remedy="name another one with relevance=; with relevance=None every item is relevant",
        )
    found = np.asarray(grades, dtype=np.float64)
    if not np.isfinite(found).all():
        first = int(np.argmin(np.isfinite(found)))
        raise InputError(
            f"the {relevance} is not a number ({found[first]:g})",
            source=source,
            topic=topic,
            document=str(items.ids()[first]),
            remedy="give each item a number, or leave the item out",
        )
    return found


def scores_and_places(
    items: ItemList, *, source: str, topic: str | None = None
) -> tuple[Floats, Floats]:
    """(N,) the score and the place of each item; without scores the places decide.

    Places tell the order of lists that LensKit does not call ordered too, such as those chosen at random.

    Raises:
        InputError: A score is missing.
    """
    scores, places = items.scores(), np.arange(1.0, len(items) + 1)
    if scores is None:
        return -places, places
    scored = np.asarray(scores, dtype=np.float64)
    if np.isnan(scored).any():
        raise InputError(
            "the score is missing (NaN)",
            source=source,
            topic=topic,
            document=str(items.ids()[int(np.argmax(np.isnan(scored)))]),
            remedy="leave such items out, as LensKit's items.top_n() does",
        )
    return scored, places


def warn_of_ranks(source: str, lists: Collection[ItemList]) -> None:
    """Warn of lists whose items have ranks that are not in the order of the list.

    LensKit 2025 keeps ranks as they were before a reranker.
    """
    ranks = [items.ranks() for items in lists]
    if stale := sum(bool((np.diff(each) < 0).any()) for each in ranks if each is not None):
        warn(
            f"{source}: on {stale} of {len(ranks)} lists, the ranks of the items are not in the order "
            "of the list; they were not used"
        )


def check_kind(given: Any, kind: type, source: str, remedy: str) -> None:
    """Refuse what is no item list, or no collection of them.

    Raises:
        InputError: It is of another kind.
    """
    if not isinstance(given, kind):
        problem = f"this must be an {kind.__name__}, not {type(given).__name__}"
        raise InputError(problem, source=source, remedy=remedy)


def _check_fields(given: Sequence[str], fields: Sequence[str], source: str) -> None:
    """Refuse lists with other key fields than the test lists."""
    if set(given) != set(fields):
        several = " and ".join(name for name in given if name not in fields)
        raise InputError(
            f"the lists are keyed by {', '.join(given)}, and the test lists by {', '.join(fields)}",
            source=source,
            remedy=f"give the lists of one {several}"
            if set(given) > set(fields)
            else "give both the same key fields: ItemListCollection.rename_key renames some",
        )


def _table(given: UserLists, **values: Sequence[Floats]) -> pl.DataFrame:
    """Columns topic and document, and the values of all lists."""
    lists = given.lists.values()
    rows = np.repeat(np.arange(len(lists)), list(map(len, lists)))
    return pl.DataFrame(
        {
            "topic": pl.Series(list(given.lists), dtype=pl.String).gather(rows),
            "document": pl.Series(
                [str(item) for items in lists for item in items.ids()], dtype=pl.String
            ),
            **{name: np.concatenate([np.empty(0), *parts]) for name, parts in values.items()},
        }
    )

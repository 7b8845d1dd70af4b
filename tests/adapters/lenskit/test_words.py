"""People of LensKit read of users, items, models and test lists."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

import pytest
from lenskit.data import ItemList, ItemListCollection

from irpref import InputError
from irpref_lenskit import Metric, compare
from tests.adapters.lenskit.experiment import Experiment

OTHERS = r"\b(?:topics?|documents?|qrels|(?:un)?judg\w*|systems?|runs?)\b"


def listed(items: list[int]) -> Any:
    return ItemListCollection.from_dict({7: ItemList(items), 8: ItemList(items)}, "user_id")


def test_reports_and_warnings(trained: Experiment) -> None:
    few = ItemListCollection.from_dict(
        {user.user_id: items for user, items in list(trained.runs["bias"])[:9]}
        | {-1: ItemList([1])},
        "user_id",
    )
    flat = ItemListCollection.from_dict(
        {user.user_id: ItemList(items, scores=1.0) for user, items in trained.runs["bias"]},
        "user_id",
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        models = trained.runs | {"few": few, "flat": flat}
        several = compare(models, trained.test, ["RPP", "LR", "IPSO@10"])
        two = compare({"bias": trained.runs["bias"], "few": few}, trained.test, ["RPP", "IPSO@10"])
    assert any("all items of a user have one score" in str(each.message) for each in told)
    reports = [
        several.report(),
        several.report(baseline="bias"),
        several.report(per_topic=True),
        two.report(),
        two.explain(two.topics[0], "bias", "few").report,
    ]
    texts = [replace(each, signatures=()).to_text(notes=True) for each in reports]
    said = " ".join(" ".join([*texts, *(str(each.message) for each in told)]).split())
    assert re.findall(OTHERS, said, re.IGNORECASE) == []
    for part in (
        "Users without recommendations, counted as nothing retrieved: few lacks 51",
        "Ignored, as they have no test items: up to 1 user in a model.",
        "over the 5 other models",
    ):
        assert part in said
    # The share of test items among the first items is no doubt, but precision.
    assert "first 10 items" not in said
    assert repr(two.coverage).startswith("Coverage of 2 models on 60 users of the test lists")
    assert "at_10" not in repr(two.coverage)
    assert "judged_at_10" in two.coverage.frame


@pytest.mark.parametrize(
    ("said", "ask"),
    [
        ("unknown user 'x'", lambda found: found.explain("x", "run 1", "run 2")),
        ("unknown model 'run 3'", lambda found: found.per_topic("LR", "run 3", "run 1")),
        ("unknown model 'x'", lambda found: found.coverage.system("x")),
        (
            "model 'run 1', user 7, item 1: the item is there twice for this user",
            lambda found: compare({"run 1": listed([1, 1]), "run 2": listed([1])}, listed([1])),
        ),
        ("unknown model in order 'run'", lambda found: compare(
            {"run 1": listed([1]), "run 2": listed([1])}, listed([1]), order={"run": "rank"})),
    ],
)  # fmt: skip
def test_errors(said: str, ask: Any) -> None:
    found = compare({"run 1": listed([1, 2]), "run 2": listed([2, 1])}, listed([1]), "LR")
    with pytest.raises(ValueError, match=said):
        ask(found)


def test_a_metric_names_the_list_and_the_item() -> None:
    with pytest.raises(InputError, match=r"^the list, item 1: the item is there twice$"):
        Metric("RR").measure_list(ItemList([1, 1]), ItemList([1]))

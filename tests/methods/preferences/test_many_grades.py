"""A topic with as many grades as documents: its populations have hundreds of times as many items."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from irpref import IPSO, RPP, Collection
from irpref.base.errors import InputError

GRADES = 1_500
# All positions of 2 and 2 systems would take 9 MB; those of one pair do, and are few enough to be kept.
LITTLE, KEPT = 2 << 20, 7 << 20


@cache
def collection(grades: int = GRADES, retrieved: int = GRADES) -> Collection:
    """One topic, whose documents have falling grades, and two rankings in random order."""
    rng = np.random.default_rng(7)
    judgments = pl.DataFrame(
        {"topic": "t", "document": range(grades), "grade": np.arange(2 * grades, grades, -1) / 10}
    )
    rankings = {
        name: pl.DataFrame({"topic": "t", "document": rng.permutation(grades)[:retrieved]}).select(
            "topic", "document", score=-pl.int_range(pl.len()).cast(pl.Float64)
        )
        for name in "ab"
    }
    return Collection.from_rankings(judgments, rankings)


def profiles(data: Collection) -> Iterator[np.ndarray]:
    """The signs at every level of each population, the highest grade first."""
    positions = data.placements.positions.astype(np.int64)
    for items in range(1, len(positions) + 1):
        first, second = np.sort(positions[:items], axis=0).T
        yield np.sign(second - first)


def peak(work: Callable[[], Any]) -> int:
    """The most bytes that the work takes at a time; it was done once, so that all is imported."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_values_are_those_of_the_definition() -> None:
    data = collection()
    every = list(profiles(data))
    found = data.compare([RPP, RPP(weights="inverse"), IPSO(graded=True), IPSO(graded=True) @ 2])
    levels = sum(map(len, every))
    assert found.mean(RPP).loc["a", "b"] == pytest.approx(sum(map(np.sum, every)) / levels)
    inverse = sum(
        len(signs) * np.average(signs, weights=1 / np.arange(1, len(signs) + 1)) for signs in every
    )
    assert found.mean(RPP(weights="inverse")).loc["a", "b"] == pytest.approx(inverse / levels)
    ahead, behind = (any((signs == each).any() for signs in every) for each in (1, -1))
    wanted = "**" if ahead and behind else "ni" if ahead else "ns" if behind else "="
    assert found.relations(IPSO(graded=True), "a", "b")["relation"].to_list() == [wanted]


@pytest.mark.parametrize(
    ("work", "most"),
    [
        (lambda data: data.compare(RPP), LITTLE),
        (lambda data: data.compare(IPSO(graded=True)), LITTLE),
        (lambda data: data.compare("LP").profile("a", "b", by="grade"), KEPT),
    ],
)
def test_the_memory_is_that_of_the_topic(work: Callable[[Collection], Any], most: int) -> None:
    data = collection()
    assert peak(lambda: work(data)) < most


def test_the_profile_by_grade_has_the_shares_of_each_population() -> None:
    data = collection()
    found = data.compare("LP").profile("a", "b", by="grade")
    shares = [((signs > 0).mean(), (signs < 0).mean()) for signs in profiles(data)]
    np.testing.assert_allclose(found[["wins", "losses"]].to_numpy()[::-1], shares)


def test_more_grades_than_anybody_has_are_refused_with_the_topic() -> None:
    data = collection(66_000, retrieved=10)
    remedy = r"round the grades, .*graded=False"
    with pytest.raises(InputError, match=f"topic t: .* 2,178,033,000 recall levels.*{remedy}"):
        data.compare(RPP)
    assert data.compare(RPP(graded=False)).mean("RPP(graded=False)").loc["a", "a"] == 0


def test_so_many_levels_are_not_shown() -> None:
    with pytest.raises(InputError, match=r"topic t: .* 1,125,750 recall levels .* to show"):
        collection().compare(RPP).explain("t", "a", "b")

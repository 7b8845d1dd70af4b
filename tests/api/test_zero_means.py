"""What is 0 in exact arithmetic is 0, and every mean has the sign that it has in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP, RPP, PairTest
from irpref.base.tolerance import mean_of_sums
from irpref.methods.preferences import rrLP
from irpref.stats.method import PairSums
from irpref.stats.orders.win_rates import win_rates

DEPTH = 8
# Places of a document: none is the last one, where it is not retrieved.
PLACES = st.permutations(range(DEPTH)).map(lambda order: tuple(order[:6]))
GRADES = st.lists(st.integers(1, 3), min_size=1, max_size=6)
TOPIC = st.tuples(GRADES, PLACES, PLACES, PLACES)
Topic = tuple[list[int], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def literal(grades: list[int], first: tuple[int, ...], second: tuple[int, ...]) -> Fraction:
    """Graded RPP (Diaz & Ferraro 2022, Eq. 5) in exact arithmetic."""
    total, items = Fraction(0), 0
    for least in set(grades):
        wanted = [item for item, grade in enumerate(grades) if grade >= least]
        one, other = (sorted(places[item] for item in wanted) for places in (first, second))
        # As many items as the population has: p(g) times the mean sign is the sum of signs.
        total += sum((b > a) - (b < a) for a, b in zip(one, other, strict=True))
        items += len(wanted)
    return total / items


def collected(topics: list[Topic]) -> irpref.Collection:
    qrels = {
        str(number): {f"d{item}": grade for item, grade in enumerate(grades)}
        for number, (grades, *_) in enumerate(topics)
    }
    runs = {
        name: {
            str(number): {
                **{f"x{place}": -float(place) for place in range(DEPTH)},
                **{f"d{item}": -float(place) for item, place in enumerate(topic[1 + side])},
            }
            for number, topic in enumerate(topics)
        }
        for side, name in enumerate("abc")
    }
    for run in runs.values():
        for documents in run.values():
            taken = {score for name, score in documents.items() if name[0] == "d"}
            for place in range(DEPTH):
                if -float(place) in taken:
                    del documents[f"x{place}"]
    return irpref.collect(qrels, runs)


def exact_means(topics: list[Topic]) -> dict[tuple[str, str], Fraction]:
    return {
        (one, other): sum(
            (literal(topic[0], topic[1 + a], topic[1 + b]) for topic in topics), Fraction(0)
        )
        / len(topics)
        for a, one in enumerate("abc")
        for b, other in enumerate("abc")
    }


def same(found: float, wanted: Fraction) -> bool:
    """Whether a float is the number, of the same sign, and 0 without a sign if that is 0."""
    right = np.sign(found) == np.sign(float(wanted)) and abs(found - wanted) < 1e-12
    return bool(right and not (found == 0 and np.signbit(found)))


# Three values whose float sum is not 0, though their sum is.
ZERO: list[Topic] = [
    ([1, 2, 2, 2, 3, 2], (7, 1, 6, 5, 4, 2), (7, 5, 4, 2, 0, 1), (4, 6, 5, 7, 1, 3)),
    ([1, 3], (4, 5, 6, 7, 1, 2), (5, 6, 2, 1, 3, 7), (7, 2, 6, 3, 5, 0)),
    ([2, 2, 2, 2], (7, 1, 6, 0, 5, 2), (7, 3, 0, 2, 1, 4), (0, 2, 4, 7, 6, 5)),
]


@pytest.mark.filterwarnings("ignore:.*resamples")
@settings(max_examples=25, deadline=None)
@given(st.lists(TOPIC, min_size=2, max_size=9))
@example(ZERO)
def test_means_have_the_sign_of_exact_arithmetic(topics: list[Topic]) -> None:
    data = collected(topics)
    compared, wanted = data.compare(RPP), exact_means(topics)
    rates = {one: sum((wanted[one, other] for other in "abc"), Fraction(0)) / 2 for one in "abc"}
    sums = sum(data.select(topics=[each]).compare(RPP).summary for each in data.topics)
    whole: Any = sums
    for mean in (compared.mean(RPP), compared.summary.mean(RPP), whole.mean(RPP)):
        assert all(same(mean.loc[pair], each) for pair, each in wanted.items())
    tasks = {each: data.select(topics=[each]) for each in data.topics}
    by_task = irpref.compare_tasks(tasks, RPP)
    assert all(same(by_task.mean(RPP).loc[pair], each) for pair, each in wanted.items())
    for method in ("t", "sign", "hsd", *(["randomization"] if len(topics) > 5 else [])):
        tests = compared.test(RPP, test=PairTest(method=method, n_resamples=99, rng=1))  # type: ignore[arg-type]
        for a, b, mean in tests[["a", "b", "mean"]].to_numpy():
            assert same(mean, wanted[a, b])
    ordered = compared.order(RPP)
    assert all(same(ordered[name], each) for name, each in rates.items())
    board = compared.summary.leaderboard(RPP)
    assert all(same(board.loc[name, "mean"], each) for name, each in rates.items())
    verdict = compared.verdict("a", "b").records.set_index("preference").loc["RPP"]
    assert same(verdict["mean"], wanted[verdict["a"], verdict["b"]])
    headline = compared.verdict("a", "b").answer[0]
    alike = "the mean is 0" in headline or "tie on every topic" in headline
    assert alike == (wanted["a", "b"] == 0)


SIZES = [1e-20, 1e-6, 1.0, 1e6]


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 12)), min_size=2, max_size=12))
def test_scores_of_any_size_have_their_sign(size: float, values: list[tuple[int, int]]) -> None:
    shares = [Fraction(*value) for value in values]
    scores = pd.DataFrame(
        [
            (system, str(number), float(share) * size if system == "a" else 0.0)
            for number, share in enumerate(shares)
            for system in ("a", "b", "c")
        ],
        columns=["system", "topic", "value"],
    )
    compared, wanted = irpref.compare_scores(scores), np.sign(float(sum(shares)))
    (asked,) = compared.preferences
    assert np.sign(compared.mean(asked).loc["a", "b"]) == wanted
    assert np.sign(compared.test(test="t")["mean"][0]) == wanted
    assert (
        np.sign(compared.test(test=PairTest(method="hsd", n_resamples=9, rng=1))["mean"][0])
        == wanted
    )
    board = compared.summary.leaderboard(asked)
    assert np.sign(board.loc["a", "mean"]) == wanted
    if wanted:
        assert [board.index[0] == "a", board.index[-1] == "a"] == [wanted > 0, wanted < 0]
        order = compared.order(asked)
        assert np.sign(order["a"]) == wanted
        assert [order.index[0] == "a", order.index[-1] == "a"] == [wanted > 0, wanted < 0]


@pytest.mark.parametrize("depth", [1000, 10**5, 10**7])
def test_small_differences_deep_in_lists_are_no_noise(depth: int) -> None:
    values = np.array([[1 / depth - 1 / (depth + 1)], [0.0], [0.0]])
    sums = PairSums.of(values)
    topics, mean, deviations = sums.topics, sums.mean, sums.deviations
    assert mean[0] > 0
    assert mean_of_sums(values.sum(axis=0), topics, deviations)[0] > 0
    rates = win_rates(np.array([[0.0, mean[0]], [-mean[0], 0.0]]))
    assert rates.tolist() == [mean[0], -mean[0]]


def test_a_difference_of_reciprocals_stays_a_win() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {
        name: {
            topic: {f"x{n}" if n != place else "d": -float(n) for n in range(2000)}
            for topic in qrels
        }
        for name, place in (("a", 1500), ("b", 1501))
    }
    compared = irpref.compare(qrels, runs, [rrLP, LP])
    assert compared.mean(rrLP).loc["a", "b"] == pytest.approx(1 / 1501 - 1 / 1502, rel=1e-12)


def test_no_mean_is_minus_zero() -> None:
    compared = collected(ZERO).compare()
    for asked in compared.preferences:
        for shown in (compared, compared.summary):
            means = shown.mean(asked).to_numpy()
            assert not np.signbit(means[means == 0]).any()
    zero = [pair for pair, mean in exact_means(ZERO).items() if mean == 0]
    assert len(zero) > 3
    assert all(compared.mean(RPP).loc[pair] == 0 for pair in zero)

"""LexiRecall and LexiPrecision against the list of all arrangements in the order of the preference."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations

import numpy as np
import pytest

from irpref.methods.measures import LexicographicMetric, LexiPrecision, LexiRecall
from irpref.methods.measures.lexicographic_metrics import log_ratio
from irpref.positions.given_positions import placements_at
from irpref.positions.placements import Placements
from tests import literal
from tests.random_cases import make_case, place

ORDERS = {LexiRecall: literal.lexirecall, LexiPrecision: literal.sgn_lp}
SIZES = [(n, m) for n in range(1, 9) for m in range(1, n + 1)]


def in_order(metric: LexicographicMetric, n: int, m: int) -> list[tuple[int, ...]]:
    """All arrangements, the preferred ones first."""
    preferred = ORDERS[metric]
    return sorted(combinations(range(1, n + 1), m), key=cmp_to_key(lambda a, b: -preferred(a, b)))


def logarithm(ratio: Fraction) -> float:
    with localcontext() as context:
        context.prec = 400
        return float((Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln())


def placed(arrangements: list[tuple[int, ...]], n: int) -> Placements:
    """One topic, and a system for each arrangement."""
    return placements_at(np.array(arrangements).T, [len(arrangements[0])], n)


@pytest.mark.parametrize("metric", ORDERS, ids=str)
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_ranks_log_odds_and_shares_are_those_among_all_arrangements(
    metric: LexicographicMetric, n: int, m: int
) -> None:
    sized = metric(n=n)
    arrangements = in_order(metric, n, m)
    placements, total = placed(arrangements, n), len(arrangements)
    assert sized.ranks(placements).tolist() == [list(range(total))]
    [log_odds], [shares] = sized.scores(placements), sized(value="share").scores(placements)
    for rank, (odds, share) in enumerate(zip(log_odds, shares, strict=True)):
        beaten, beaten_by = total - 1 - rank, rank
        assert odds == logarithm(Fraction(2 * beaten + 1, 2 * beaten_by + 1))
        assert share == (float(Fraction(beaten, total - 1)) if total > 1 else 0.5)
    assert log_odds[0] == -log_odds[-1]


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1, 100), Fraction(99, 100)])
def test_the_weighted_sum_of_the_paper_has_the_same_order(
    n: int, m: int, epsilon: Fraction
) -> None:
    delta = 1 / (n + epsilon)
    weights = [
        delta ** (m - 1) / (1 + delta) ** (m - 1)
        if i == 1
        else delta ** (m - i) / (1 + delta) ** (m + 1 - i)
        for i in range(1, m + 1)
    ]
    assert sum(weights) == 1
    arrangements = list(combinations(range(1, n + 1), m))
    sums = [
        sum(w * Fraction(n - p, n) for w, p in zip(weights, positions, strict=True))
        for positions in arrangements
    ]
    ranks = LexiRecall(n=n).ranks(placed(arrangements, n))[0].tolist()
    in_turn = [each for _, each in sorted(zip(ranks, sums, strict=True))]
    assert in_turn == sorted(set(sums), reverse=True)


@pytest.mark.parametrize("metric", ORDERS, ids=str)
@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("cutoff", [None, 3])
def test_scores_of_a_collection_are_those_of_its_positions(
    metric: LexicographicMetric, rel: int, cutoff: int | None
) -> None:
    n = 30
    case = make_case(4, topics=60, systems=3)
    collection = case.collect()
    sized = metric(n=n, rel=rel) if cutoff is None else metric(n=n, rel=rel) @ cutoff
    ranks, log_odds = sized.ranks(collection), sized.scores(collection)
    shares = sized(value="share").scores(collection)
    for t, topic in enumerate(collection.topics):
        wanted = literal.relevant(case.grades[topic], rel)
        for s, system in enumerate(collection.systems):
            positions = literal.positions(case.run(system, topic), wanted, cutoff)
            if not positions:
                assert (ranks[t, s], log_odds[t, s], shares[t, s]) == (0, 0, 0)
                continue
            # What is not retrieved sits at n, n - 1, ….
            m = len(positions)
            seated = [n - m + i if p == math.inf else p for i, p in enumerate(positions, start=1)]
            rank, total = in_order_number(metric, seated, n), math.comb(n, m)
            assert ranks[t, s] == rank
            assert log_odds[t, s] == log_ratio(2 * (total - 1 - rank) + 1, 2 * rank + 1)
            assert shares[t, s] == (total - 1 - rank) / (total - 1)


def in_order_number(metric: LexicographicMetric, positions: list[int], n: int) -> int:
    m = len(positions)
    if metric is LexiRecall:
        return sum(math.comb(p - 1, i) for i, p in enumerate(positions, start=1))
    return (
        math.comb(n, m)
        - 1
        - sum(math.comb(n - p, m - i + 1) for i, p in enumerate(positions, start=1))
    )


def test_an_absent_topic_is_the_worst_arrangement() -> None:
    qrels = {"t1": {"a": 1, "b": 1}, "t2": {"a": 1, "b": 1}}
    collection = place(qrels, {"one": {"t1": {"a": 2.0, "b": 1.0}}})
    for metric in (LexiRecall(n=10), LexiPrecision(n=10)):
        assert metric.ranks(collection).ravel().tolist() == [0, math.comb(10, 2) - 1]
        best, worst = metric.scores(collection).ravel().tolist()
        assert best == -worst == math.log(89)


def test_where_nothing_is_relevant_by_its_own_grade_no_size_is_too_small() -> None:
    qrels = {"301": {"a": 2}, "302": {"b": 1}}
    collection = place(qrels, {"bm25": {"301": {"a": 1.0}, "302": {"b": 3.0, "c": 2.0, "d": 1.0}}})
    best, none = LexiRecall(n=2, rel=2).scores(collection).ravel().tolist()
    assert (best, none) == (math.log(3), 0)
    with pytest.raises(ValueError, match="n=2 is too small for topic 302"):
        LexiRecall(n=2).scores(collection)


def test_what_cannot_be_ranked_is_refused() -> None:
    collection = place({"301": {"a": 1, "b": 1}}, {"bm25": {"301": {"a": 2.0, "c": 1.0}}})
    assert LexiRecall(n=3).ranks(collection).tolist() == [[1]]
    with pytest.raises(ValueError, match=r"n=2 is too small for topic 301.*bm25.*at least 3"):
        LexiRecall(n=2).scores(collection)
    # Within a cutoff there is less to place.
    assert (LexiRecall(n=2) @ 1).ranks(collection).tolist() == [[0]]
    with pytest.raises(ValueError, match="collect counts it"):
        LexiRecall.scores(collection)

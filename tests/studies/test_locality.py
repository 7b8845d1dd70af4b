"""The study of neighbouring recall levels, against a plain regression of all pairs in both orders."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

import irpref
from tests import literal
from tests.literal import sign
from tests.random_cases import make_case

CASE = make_case(11, topics=30, systems=5, documents=22)
DATA = irpref.collect(CASE.qrels, CASE.runs)
FRAME = irpref.studies.locality(DATA, n_resamples=30).frame
FOUND = FRAME.set_index(["method", "treatment", "condition"])


def differences() -> np.ndarray:
    """(pairs in both orders and topics, 8) differences of the reciprocal positions."""
    rows = []
    for topic in DATA.topics:
        wanted = literal.relevant(CASE.grades[topic])
        if len(wanted) >= 8:
            vectors = [literal.positions(CASE.run(each, topic), wanted) for each in DATA.systems]
            rows += [
                [
                    float(literal.reciprocal(p[level]) - literal.reciprocal(q[level]))
                    for level in range(8)
                ]
                for p, q in permutations(vectors, 2)
            ]
    return np.array(rows)


ROWS = differences()


def test_some_topics_are_too_small_and_some_are_not() -> None:
    sizes = [len(literal.relevant(CASE.grades[topic])) for topic in DATA.topics]
    assert min(sizes) < 8 <= max(sizes)
    assert FOUND.loc[("δRR_1", "1", "correlation"), "n"] == len(ROWS) / 2 > 50


def test_correlations_are_numpys() -> None:
    expected = np.corrcoef(ROWS.T)
    for one, other in combinations(range(8), 2):
        row = FOUND.loc[(f"δRR_{one + 1}", str(other - one), "correlation")]
        assert row["estimate"] == pytest.approx(expected[one, other])
        assert row["low"] < row["estimate"] < row["high"]


@pytest.mark.parametrize(
    "words",
    ["", ", standardised", " for the sign", " where earlier levels tie"],
    ids=["plain", "standardised", "sign", "cascaded"],
)
def test_regressions_are_numpys(words: str) -> None:
    for level in range(4):
        rows = ROWS
        if words == " where earlier levels tie":
            rows = np.array([row for row in ROWS if not any(row[:level])])
        if words == ", standardised":
            rows = rows / rows.std(axis=0)
        target, given = rows[:, level], rows[:, level + 1 : level + 5]
        if words == " for the sign":
            target = np.array([sign(float(each)) for each in target])
        expected = np.linalg.lstsq(given, target, rcond=None)[0]
        name = f"δRR_{level + 1}"
        for place, coefficient in enumerate(expected):
            row = FOUND.loc[(name, str(1 + place), f"coefficient{words}")]
            assert row["estimate"] == pytest.approx(coefficient)
            assert row["n"] == len(rows) / 2
        if words != ", standardised":
            explained = 1 - ((target - given @ expected) ** 2).sum() / (target**2).sum()
            assert FOUND.loc[(name, "", f"R²{words}"), "estimate"] == pytest.approx(explained)


def runs_at(*positions: list[list[int]]) -> irpref.Collection:
    """Systems of which each has its relevant items at these positions, topic by topic."""
    runs = {}
    for number, by_topic in enumerate(positions):
        runs[f"s{number}"] = {
            str(topic): {
                f"d{places.index(rank)}" if rank in places else f"x{rank}": 500.0 - rank
                for rank in range(1, max(places) + 1)
            }
            for topic, places in enumerate(by_topic)
        }
    topics = len(positions[0])
    return irpref.collect(
        {str(topic): {f"d{item}": 1 for item in range(8)} for topic in range(topics)}, runs
    )


def verdicts(data: irpref.Collection) -> list[str]:
    return irpref.studies.locality(data, n_resamples=50).claims["verdict"].to_list()


def test_claims_fail_where_levels_are_like_those_far_away() -> None:
    # The first level of one system is early where the fifth is, whatever is between.
    rng = np.random.default_rng(2)
    early, late = [1, 7, 13, 19, 20, 31, 37, 43], [2, 7, 13, 19, 30, 31, 37, 43]
    noise = rng.integers(0, 3, size=(2, 40, 8))
    noise[:, :, [0, 4]] = 0
    topics = [
        [(np.array(each) + noise[side, topic]).tolist() for topic in range(40)]
        for side, each in enumerate((early, late))
    ]
    assert verdicts(runs_at(*topics))[:2] == ["fails", "fails"]


def test_claims_cannot_be_tested_where_nothing_differs() -> None:
    same = [[1, 2, 3, 4, 5, 6, 7, 8]]
    assert set(verdicts(runs_at(same, same))) == {"cannot be tested"}


def test_claims_hold_where_positions_drift_apart() -> None:
    rng = np.random.default_rng(4)
    topics = [
        [np.cumsum(2 ** rng.integers(0, 5, size=8)).tolist() for _ in range(1000)] for _ in range(4)
    ]
    assert verdicts(runs_at(*topics))[:3] == ["holds", "holds", "holds"]


def test_small_topics_are_refused() -> None:
    small = make_case(1, topics=3, documents=4)
    data = irpref.collect(small.qrels, small.runs)
    with pytest.raises(ValueError, match="8 recall levels, and no topic has 8 relevant items"):
        irpref.studies.locality(data)


def test_it_compares_no_methods() -> None:
    with pytest.raises(ValueError, match="locality compares no methods"):
        irpref.studies.locality(DATA, "LP")

"""What several judges say of the same pairs, by the definitions, row by row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from irpref.methods.outcome_table import outcome_table
from irpref.stats.judges import Answers, Asking, Panel
from tests import literal_judges as literal
from tests.literal import sign
from tests.literal_judges import Row, some_rows


def judged(rows: list[Row]) -> Panel:
    return outcome_table(pd.DataFrame(rows).astype({"outcome": float}), scale="-1..1").given


def asking(rows: list[Row]) -> Asking:
    return judged(rows).asking


@given(some_rows())
def test_two_judges_agree_and_contradict_each_other_as_often_as_case_by_case(
    rows: list[Row],
) -> None:
    found, cases = asking(rows), literal.cases(rows)
    assert found.most_judges == max(map(len, literal.by_judge(rows).values()))
    assert found.cases == len(cases)
    if cases:
        assert found.agree == pytest.approx(np.mean([one == other for one, other in cases]))
        assert found.contradict == pytest.approx(np.mean([one * other < 0 for one, other in cases]))
    else:
        assert np.isnan([found.agree, found.contradict]).all()


@given(some_rows())
def test_the_order_turns_as_many_answers_as_one_by_one(rows: list[Row]) -> None:
    found, both = asking(rows), literal.both_orders(rows)
    answers = [each for of in both.values() for each in of]
    assert found.both_orders == len(answers)
    if answers:
        assert found.turned == pytest.approx(
            np.mean([sign(one) != -sign(other) for one, other in answers])
        )
        assert found.first_place == pytest.approx(literal.first_place(rows))
        # Three topics are too few for the randomization test.
        assert np.isnan(found.p_of_order)
    else:
        assert np.isnan([found.turned, found.first_place, found.p_of_order]).all()


@given(some_rows())
def test_the_other_judges_are_all_but_one(rows: list[Row]) -> None:
    found, wanted = judged(rows), []
    for judges in literal.by_judge(rows).values():
        for judge, own in judges.items():
            others = [said for other, said in judges.items() if other != judge]
            wanted.append((float(own), float(literal.mean(others)) if others else None))
    pairs = zip(found.by_judge.value.tolist(), found.of_others.tolist(), strict=True)
    shown = [(own, None if np.isnan(others) else others) for own, others in pairs]

    # A pair may be turned as a whole.
    def key(each: tuple[float, float | None]) -> tuple[float, ...]:
        own, others = each
        return (abs(own), others is None, abs(others or 0), own * (others or 0))

    for one, other in zip(sorted(shown, key=key), sorted(wanted, key=key), strict=True):
        assert abs(one[0]) == pytest.approx(abs(other[0]))
        assert (one[1] is None) == (other[1] is None)
        if one[1] is not None:
            assert one[0] * one[1] == pytest.approx(other[0] * other[1])
            assert abs(one[1]) == pytest.approx(abs(other[1]))


def test_a_judge_who_always_prefers_the_first_says_tie() -> None:
    shown = ([0, 1], [1, 0])
    found = Panel(Answers(*map(np.array, ([0, 0], *shown, [0, 0])), value=np.ones(2)))
    assert found.by_pair.value.tolist() == [0.0]
    assert found.counts.tolist() == [[0, 1, 0]]
    assert (found.asking.turned, found.asking.first_place) == (1.0, 1.0)


def test_the_order_has_the_p_of_all_signs_of_the_topics() -> None:
    topic, first = np.repeat(np.arange(7), 2), np.tile([0, 1], 7)
    answers = Answers(topic, first, 1 - first, np.zeros_like(topic), np.ones(14))
    assert Panel(answers).asking.p_of_order == 2 / 2**7


def test_the_order_is_found_where_it_decides_and_rarely_where_not() -> None:
    rng = np.random.default_rng(1)
    topic, first = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
    found = {0.0: 0, 1.0: 0}
    for liking in found:
        for _ in range(100):
            noise = rng.normal(size=40)
            value = np.sign(noise + liking)
            answers = Answers(topic, first, 1 - first, np.zeros_like(topic), value)
            found[liking] += Panel(answers).asking.p_of_order < 0.05
    assert found[0.0] <= 12
    assert found[1.0] >= 95

"""Side-by-side judgments as a criterion, against the judgments one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.reading_options import Reading
from irpref.methods.outcome_table import outcome_table
from irpref.methods.preferences.reasons import JudgesSay
from irpref.methods.preferences.side_by_side import Outcomes
from irpref.positions.given_positions import names_only, placements_at
from irpref.positions.topic_batch import TopicBatch
from tests import literal_judges as literal
from tests.literal import sign
from tests.literal_judges import Row, some_rows


def outcomes_of(rows: list[Row]) -> Outcomes:
    return outcome_table(pd.DataFrame(rows).astype({"outcome": float}), scale="-1..1")


@given(some_rows(), st.permutations(range(3)), st.integers(1, 3))
def test_values_and_reasons_are_those_of_the_rows(
    rows: list[Row], order: list[int], size: int
) -> None:
    criterion = outcomes_of(rows)
    placements = names_only(criterion.systems, criterion.topics, Reading())
    systems, topics = placements.systems, placements.topics
    first = [each for each in order if each < len(systems)][:size] or [0]
    batch = TopicBatch(placements, first=first, second=np.arange(len(systems)))
    found, counted = criterion.values(batch), criterion.compared(batch)
    reasons = criterion.reasons(batch)
    by_judge = literal.by_judge(rows)
    names = [systems[each] for each in first]
    for (t, topic), (i, a), (j, b) in product(*map(enumerate, (topics, names, systems))):
        if a == b:
            assert found[t, i, j] == 0
            assert counted[t, i, j]
            continue
        wanted = literal.value(rows, topic, a, b)
        assert counted[t, i, j] == (wanted is not None)
        judges = by_judge.get((topic, *sorted((a, b))), {}).values()
        turn = 1 if a < b else -1
        said = [sum(sign(each) * turn == kind for each in judges) for kind in (1, 0, -1)]
        reason = reasons.row((t, i, j), batch.shape)
        assert isinstance(reason, JudgesSay)
        assert [reason.first, reason.neither, reason.second, reason.judges] == [*said, len(judges)]
        if wanted is None:
            assert np.isnan(found[t, i, j])
        else:
            assert found[t, i, j] == pytest.approx(float(wanted))
            assert np.sign(found[t, i, j]) == sign(wanted)
    pairs = len(topics) * len(systems) * (len(systems) - 1) // 2
    assert criterion.complete(placements) == (len(by_judge) == pairs)
    shown = [abs(literal.mean(of.values())) for of in by_judge.values()]
    assert criterion.signs_only == all(each in (0, 1) for each in shown)


@given(some_rows())
def test_the_ceiling_is_that_of_each_judge_with_the_others(rows: list[Row]) -> None:
    criterion = outcomes_of(rows)
    placements = names_only(criterion.systems, criterion.topics, Reading())
    wanted = [literal.ceiling(rows, topic) for topic in placements.topics]
    assert criterion.among_judges(placements).tolist() == wanted


def of_two(topics: int, outcome: str = "a") -> pd.DataFrame:
    rows = [(str(topic), "1", "2", outcome) for topic in range(1, topics + 1)]
    return pd.DataFrame(rows, columns=["topic", "a", "b", "outcome"])


def test_what_is_not_here_is_left_out_and_said() -> None:
    here = placements_at([[1, 2]] * 12, [1] * 12, 5)
    strange = pd.DataFrame([("1", "1", "x", "a"), ("99", "1", "2", "b")], columns=of_two(1).columns)
    criterion = outcome_table(pd.concat([of_two(12), strange]))
    assert criterion.values(TopicBatch(here))[:, 0, 1].tolist() == [1.0] * 12
    assert criterion.warning(here) == (
        "judges: what is said of 1 unknown system is left out (x). judges: what is said of 1 unknown topic "
        "is left out (99)."
    )
    # What is left out is in no number either: these two judges disagree.
    two = pd.concat([of_two(12), strange, strange.assign(outcome=["b", "a"])])
    agreement = list(outcome_table(two).notes(here))[-2]
    assert (
        agreement == "judges: one answer for each pair and topic: how far judges agree is unknown."
    )
    with pytest.raises(ValueError, match=r"judges compare no two of these systems on these topics"):
        outcome_table(strange).values(TopicBatch(here))


def test_few_topics_and_ties_only_are_doubts() -> None:
    here = placements_at([[1, 2]] * 12, [1] * 12, 5)
    assert outcome_table(of_two(10)).warning(here) is None
    few = outcome_table(of_two(9)).warning(here)
    assert few == "judges: 9 judged topics: fewer than 10 say little of others."
    ties = outcome_table(of_two(12, "tie")).warning(here)
    assert ties == "judges: 12 comparisons, and all come to ties: no system is preferred."


def test_one_of_a_kind_is_not_said_as_several() -> None:
    here = placements_at([[1, 2]], [1], 5)
    both = pd.concat([of_two(1), of_two(1).rename(columns={"a": "b", "b": "a"})])
    criterion = outcome_table(both)
    assert criterion.warning(here) == (
        "judges: 1 comparison, and all come to ties: no system is preferred. "
        "judges: 1 judged topic: fewer than 10 say little of others."
    )
    assert "where both orders were asked (1 time)" in " ".join(criterion.notes(here))

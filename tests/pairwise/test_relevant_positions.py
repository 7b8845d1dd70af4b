"""Steps lead to the positions of the relevant documents."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from irpref.pairwise.feeds.page_numbers import relevant_positions
from tests.literal import ranked
from tests.random_cases import Case, cases


@given(cases(topics=6, systems=3), st.permutations(range(3)))
def test_the_steps_lead_to_the_positions(case: Case, order: list[int]) -> None:
    placements = case.collect()
    found = relevant_positions(placements, order)
    steps, grades = iter(found["steps"].tolist()), iter(found["grades"].tolist())
    for row, topic in enumerate(placements.topics):
        judged = case.grades[topic]
        assert found["relevant"][row] == sum(grade > 0 for grade in judged.values())
        for column, system in enumerate(order):
            ranking = ranked(case.run(placements.systems[system], topic))
            expected = [
                (position, judged[document])
                for position, document in enumerate(ranking, start=1)
                if judged.get(document, 0) > 0
            ]
            count = found["found"][row, column]
            positions = accumulate(next(steps) for _ in range(count))
            assert [(each, next(grades)) for each in positions] == expected
    assert list(steps) == list(grades) == []

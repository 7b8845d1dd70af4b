"""The values of some systems are a part of the values of all."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irpref.pairwise.topic_values import topic_values
from tests.methods.preferences.every_preference import ALL, cutoffs
from tests.random_cases import Case, cases, cut, matrix


@given(case=cases(systems=4), cutoff=cutoffs, data=st.data())
def test_a_rectangle_is_a_part_of_the_square(
    case: Case, cutoff: int | None, data: st.DataObject
) -> None:
    collection = case.collect()
    first = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    second = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    for asked in ALL:
        square = matrix(cut(asked, cutoff), collection)
        values = topic_values(collection, cut(asked, cutoff), first, second)
        assert values.shape == (len(collection.topics), len(first), len(second))
        wanted = asked.signed_values(square[:, first][:, :, second])
        assert np.allclose(values, wanted, atol=1e-12), str(asked)
        assert np.array_equal(values == 0, wanted == 0), str(asked)

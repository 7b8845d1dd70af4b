"""The profiles of all pairs are those of each pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.pairwise.feeds import page_numbers as module
from irpref.pairwise.feeds.page_numbers import pair_profiles, pairs_of
from irpref.positions.topic_batch import TopicBatch
from tests.random_cases import Case, cases


@given(
    cases(topics=6, systems=4),
    st.permutations(range(4)),
    st.sampled_from([1, 3, 25]),
    st.sampled_from(["worst", "skip"]),
    st.sampled_from([1, 1 << 24]),
)
def test_they_are_those_of_each_pair(
    case: Case, order: list[int], bins: int, missing: str, size: int
) -> None:
    comparison = irpref.collect(case.qrels, case.runs, missing=missing).compare("LP")
    placements = comparison.placements
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SIGNS", size)
        batch = TopicBatch(placements, first=np.array(order[:3]))
        won, lost, half = pair_profiles(batch, bins=bins)
    for number, pair in enumerate(zip(*pairs_of(order[:3]), strict=True)):
        profile = comparison.profile(*(placements.systems[each] for each in pair), bins=bins)
        topics = profile["topics"].clip(lower=1)
        assert won[:, number] == pytest.approx((profile["wins"] / topics).to_numpy())
        assert lost[:, number] == pytest.approx((profile["losses"] / topics).to_numpy())
        # In Python the ends are cut at what the difference can be.
        for end, sign in (("low", -1), ("high", 1)):
            ends = (profile["mean"] + sign * half[:, number]).clip(-1, 1)
            assert profile[end].to_numpy() == pytest.approx(ends.to_numpy(), nan_ok=True)

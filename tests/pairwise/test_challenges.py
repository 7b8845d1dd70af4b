"""The protocol of "Using IPSO as a Corroboration" (Moffat & Mackenzie 2024), step by step."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irpref.base.literals import Correction
from irpref.pairwise.challenges import (
    GROUPS,
    ChallengerResult,
    corrected,
    corroborate_scores,
)
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws

# Figure 6: its five groups of topics, from the champion's side the other way round.
FIGURE_6 = (20, 81, 23, 109, 16)


def relations(counts: tuple[int, ...]) -> tuple[list[str], list[bool]]:
    texts, led = ("**", "ns", "=", "ni", "**"), (False, False, False, True, True)
    return (
        [text for text, count in zip(texts, counts, strict=True) for _ in range(count)],
        [lead for lead, count in zip(led, counts, strict=True) for _ in range(count)],
    )


def scores(topics: int, difference: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    champion = rng.random(topics)
    noise = rng.normal(0, 0.1, topics)
    return champion, champion + difference + noise - noise.mean()


def follow(counts: tuple[int, ...], difference: float, **options: object) -> ChallengerResult:
    relation, led_first = relations(counts)
    champion, challenger = scores(249, difference)
    return corroborate_scores(
        champion,
        challenger,
        relation=relation,
        led_first=led_first,
        **options,  # type: ignore[arg-type]
    )


def test_figure_6() -> None:
    found = follow(FIGURE_6, 0.05)
    assert tuple(found.topics) == GROUPS
    assert tuple(found.topics.values()) == FIGURE_6
    assert found.ipso_p == pytest.approx(0.0499, abs=5e-5)
    assert found.significant
    assert found.corroborated
    assert found.least_p < 0.01
    assert found.greatest_p == 1


def test_the_measures_test_is_the_paired_test() -> None:
    champion, challenger = scores(249, 0.01)
    found = follow(FIGURE_6, 0.01)
    expected = stats.ttest_rel(challenger, champion)
    interval = expected.confidence_interval()
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(interval))
    assert found.champion == pytest.approx(champion.mean())
    assert found.challenger == pytest.approx(challenger.mean())
    assert found.difference == pytest.approx(challenger.mean() - champion.mean())
    by_ranks = follow(FIGURE_6, 0.01, method="wilcoxon")
    assert by_ranks.p == pytest.approx(stats.wilcoxon(challenger - champion, method="exact").pvalue)


@pytest.mark.parametrize(
    ("counts", "difference", "dagger", "double_dagger"),
    [
        ((0, 10, 0, 60, 0), 0.05, True, True),
        ((0, 60, 0, 10, 0), 0.05, True, False),  # the other direction
        ((0, 60, 0, 10, 0), -0.05, True, True),  # both for the champion
        ((0, 30, 0, 40, 0), 0.05, True, False),  # not significant
        ((0, 10, 0, 60, 0), 1e-4, False, False),  # nothing to corroborate
    ],
)
def test_the_daggers_say_what_is_significant_and_what_is_corroborated(
    counts: tuple[int, ...], difference: float, dagger: bool, double_dagger: bool
) -> None:
    found = follow(counts, difference)
    assert found.significant is dagger
    assert found.corroborated is double_dagger


def test_alpha_is_for_both_tests() -> None:
    found = follow(FIGURE_6, 0.05, draws=Draws(alpha=0.04))
    assert found.significant
    assert not found.corroborated


@pytest.mark.parametrize(
    "counts", [(3, 2, 1, 7, 2), (1, 9, 0, 1, 0), (0, 4, 4, 9, 0), (6, 0, 0, 0, 5)]
)
def test_the_extremes_over_every_split_of_the_nonseparable_topics(counts: tuple[int, ...]) -> None:
    ns_first, ns, _, ni, ni_first = counts
    free = ns_first + ni_first
    p = [
        stats.binomtest(ni + sum(votes), ns + ni + free).pvalue
        for votes in itertools.product((0, 1), repeat=free)
    ]
    found = follow(counts, 0.05)
    assert found.least_p == pytest.approx(min(p))
    assert found.greatest_p == pytest.approx(max(p))
    assert found.least_p <= found.ipso_p or free == 0 or found.ipso_p == 1
    assert found.greatest_p >= found.ipso_p * (free == 0)


@pytest.mark.parametrize(
    ("correction", "significant", "corroborated"),
    [
        (None, (True, True, True), (True, True, True)),
        ("bh", (True, True, True), (True, True, True)),
        ("holm", (False, True, False), (False, True, False)),
        ("bonferroni", (False, True, False), (False, False, False)),
    ],
)
def test_the_daggers_of_several_challengers_go_by_their_adjusted_p_values(
    correction: Correction | None, significant: tuple[bool, ...], corroborated: tuple[bool, ...]
) -> None:
    cases = (((0, 10, 0, 60, 0), 0.014), ((0, 25, 0, 45, 0), 0.05), ((0, 26, 0, 44, 0), 0.013))
    alone = [follow(counts, difference) for counts, difference in cases]
    found = corrected(alone, correction, alpha=0.05)
    assert tuple(each.significant for each in found) == significant
    assert tuple(each.corroborated for each in found) == corroborated
    for raw, adjusted in (("p", "p_adjusted"), ("ipso_p", "ipso_p_adjusted")):
        p = [getattr(each, raw) for each in alone]
        assert [getattr(each, raw) for each in found] == p
        assert [getattr(each, adjusted) for each in found] == adjust(p, correction).tolist()
        assert [getattr(each, adjusted) for each in alone] == p


def test_the_other_direction_is_not_corroborated_by_a_correction() -> None:
    [one] = corrected([follow((0, 60, 0, 10, 0), 0.05)], "holm", alpha=0.05)
    assert one.significant
    assert not one.corroborated


def test_without_spread_there_is_no_interval() -> None:
    said: dict[str, Any] = {"relation": ["ni"], "led_first": [True], "method": "sign"}
    found = corroborate_scores([0.1], [0.4], bounds=(-1, 1), **said)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_an_interval_stays_within_what_the_scores_can_be() -> None:
    said: dict[str, Any] = {"relation": ["ni"] * 3, "led_first": [True] * 3}
    found = corroborate_scores([0, 0, 0.5], [1, 1, 1], bounds=(-1, 1), **said)
    assert 0 < found.low < found.difference < found.high == 1


def test_systems_that_are_the_same() -> None:
    same = np.linspace(0, 1, 9)
    found = corroborate_scores(same, same, relation=["="] * 9, led_first=[False] * 9)
    assert (found.p, found.ipso_p, found.least_p, found.greatest_p) == (1, 1, 1, 1)
    assert not found.significant
    assert not found.corroborated
    assert found.topics == dict(zip(GROUPS, (0, 0, 9, 0, 0), strict=True))


def test_float_noise_is_no_difference() -> None:
    found = corroborate_scores(
        [0.3] * 9, [0.1 + 0.2] * 9, relation=["="] * 9, led_first=[False] * 9, method="sign"
    )
    assert (found.p, found.difference) == (1, 0)


def test_too_few_topics_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 topics"):
        corroborate_scores([0.1], [0.1], relation=["ni"], led_first=[True])

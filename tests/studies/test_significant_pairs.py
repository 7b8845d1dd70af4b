"""Significant pairs in draws of the topics: each as the tests of the drawn topics alone say."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.stats.corrections import adjust
from irpref.studies.discriminative_power import significant_shares
from tests.stats.named import paired_tests

TOPICS, PAIRS, DRAWS = 12, 30, 25


def values(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Some pairs differ, some do not, one never does, and one does on all topics alike."""
    shift = np.linspace(0, 1.5, PAIRS)
    found = rng.normal(shift, 1, size=(TOPICS, PAIRS))
    found[:, 1], found[:, 2] = 0.0, 0.3
    return np.sign(found) if kind == "signs" else found


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", ["signs", "numbers"])
def test_shares_are_those_of_the_tests(kind: str, missing: bool) -> None:
    rng = np.random.default_rng(4)
    data = values(kind, rng)
    if missing:
        data[rng.random(data.shape) < 0.1] = np.nan
    drawn = rng.multinomial(TOPICS, np.full(TOPICS, 1 / TOPICS), size=DRAWS)
    signs = kind == "signs"
    differ = 0
    for alpha in (0.05, 0.3, 0.9):
        _, bonferroni, holm = significant_shares(
            data, drawn.astype(float), signs=signs, margin=0.9, alpha=alpha
        ).T
        assert 0 < bonferroni.mean() < 1
        differ += np.count_nonzero(bonferroni < holm)
        for draw, counts in enumerate(drawn):
            chosen = np.repeat(data, counts, axis=0)
            p = paired_tests(chosen, method="sign" if signs else "t").p
            assert bonferroni[draw] == pytest.approx((adjust(p, "bonferroni") < alpha).mean())
            assert holm[draw] == pytest.approx((adjust(p, "holm") < alpha).mean())
    assert differ
    beyond = [
        (abs(np.nanmean(np.repeat(data, each, axis=0), axis=0)) > 0.9).mean() for each in drawn
    ]
    found = significant_shares(data, drawn.astype(float), signs=signs, margin=0.9, alpha=0.05)
    assert found[:, 0].tolist() == pytest.approx(beyond)
    assert 0 < np.mean(beyond) < 1


def test_few_topics_alike_are_not_significant() -> None:
    alike = np.full((5, 1), 0.3)
    # p is 2 / 2 ** 5.
    for alpha, share in ((0.0624, 0.0), (0.0626, 1.0)):
        found = significant_shares(alike, np.ones((1, 5)), signs=False, margin=1.0, alpha=alpha)
        assert found.tolist() == [[0.0, share, share]]


def test_a_mean_at_the_margin_is_not_beyond_it() -> None:
    third = np.array([[1.0], [0.0], [0.0]])
    for margin, share in ((1 / 3, 0.0), (0.33, 1.0)):
        found = significant_shares(third, np.ones((1, 3)), signs=True, margin=margin, alpha=0.05)
        assert found[0, 0] == share

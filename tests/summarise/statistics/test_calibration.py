"""Under the null, tests must not find more than they promise: a fast check on synthetic topics."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.summarise.statistics.corrections import adjust
from irpref.summarise.statistics.hsd import hsd_of_preferences, hsd_of_scores
from irpref.summarise.statistics.paired_tests import paired_tests, sign_test

TOPICS = 50
ALPHA = 0.05


def error(share: float, trials: int) -> float:
    """Four standard errors of a share."""
    return 4 * float(np.sqrt(share * (1 - share) / trials))


@pytest.mark.parametrize("method", ["t", "wilcoxon", "randomization"])
def test_a_pair_is_found_different_by_chance_as_often_as_alpha_says(method: str) -> None:
    pairs = 20_000
    differences = np.random.default_rng(1).normal(size=(TOPICS, pairs))
    found = paired_tests(differences, method=method, rng=2, n_resamples=999)  # type: ignore[arg-type]
    # The wilcoxon test is discrete and the resamples are finite: a little more room.
    assert (found.p < ALPHA).mean() == pytest.approx(ALPHA, abs=error(ALPHA, pairs) + 0.002)


def test_the_sign_test_has_its_attainable_size() -> None:
    pairs = 20_000
    signs = np.random.default_rng(1).choice((-1.0, 1.0), (TOPICS, pairs))
    wins = np.arange(TOPICS + 1)
    chance = np.array([float(np.prod([(TOPICS - i) / (i + 1) for i in range(k)])) for k in wins])
    attainable = float((chance * (sign_test(wins, TOPICS - wins) < ALPHA)).sum() / 2.0**TOPICS)
    assert attainable == pytest.approx(0.033, abs=5e-4)
    found = paired_tests(signs, method="sign")
    assert (found.p < ALPHA).mean() == pytest.approx(attainable, abs=error(attainable, pairs))


@pytest.mark.parametrize("family", ["lexi", "scores", "holm"])
def test_all_pairs_together_are_wrong_no_more_often_than_alpha_says(family: str) -> None:
    trials, systems, topics = 300, 6, 15
    rng = np.random.default_rng(3)
    first, second = np.triu_indices(systems, 1)
    wrong = 0
    for trial in range(trials):
        scores = rng.random((topics, systems))
        difference = scores[:, :, None] - scores[:, None, :]
        if family == "lexi":
            p = hsd_of_preferences(np.sign(difference), rng=trial, n_resamples=199).p
        elif family == "scores":
            p = hsd_of_scores(scores, rng=trial, n_resamples=199).p
        else:
            p = adjust(paired_tests(difference[:, first, second], method="t").p)
        wrong += bool((p < ALPHA).any())
    assert wrong / trials <= ALPHA + error(ALPHA, trials)
    if family == "scores":  # continuous, and the statistic is exact: no less often, either
        assert wrong / trials >= ALPHA - error(ALPHA, trials)

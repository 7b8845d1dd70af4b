"""Every file of tests is a test, and says of itself what others ask it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import irpref.stats.tests
from irpref.stats.method import Draws, Fits, PairSums
from irpref.stats.tests import TESTS, fitting_test, for_each_pair, known_test

# The others test systems of several runs: see test_crossed.py.
OF_VALUES = [name for name in TESTS if known_test(name).requirements != "runs"]
VALUES = np.random.default_rng(1).normal(0.2, 1, (30, 1))


def test_the_tests_are_the_files() -> None:
    [folder] = irpref.stats.tests.__path__
    files = {path.stem for path in Path(folder).glob("*.py")} - {"__init__"}
    assert set(TESTS) == files
    assert len({known_test(name).title for name in TESTS}) == len(TESTS)


@pytest.mark.parametrize("name", OF_VALUES)
def test_a_test_is_what_it_says(name: str) -> None:
    test = known_test(name)
    assert test.name == name
    assert test.summary.endswith((".", "?"))
    found, other = (test.of_values(VALUES, draws=Draws(rng=rng, n_resamples=99)) for rng in (1, 2))
    assert found.method == name
    assert (found.resamples is not None) == test.draws
    # Only what draws depends on the seed.
    assert (found.p != other.p).any() == test.draws
    assert (found.adjusted is not None) == (test.correction is None)
    if test.requirements == "sums":
        assert test.of_sums(PairSums.of(VALUES)).p == found.p
    else:
        with pytest.raises(ValueError, match="needs the value of every topic"):
            test.of_sums(PairSums.of(VALUES))
    too_few = VALUES[: test.least_topics - 1]
    with pytest.raises(ValueError, match="at least"):
        test.of_values(too_few)
    test.of_values(VALUES[: test.least_topics])
    low, high = test.intervals(VALUES)
    assert low.shape == high.shape == (1,)


@pytest.mark.parametrize("name", OF_VALUES)
def test_a_topic_that_does_not_count_for_a_pair_changes_nothing(name: str) -> None:
    test, draws = known_test(name), Draws(rng=1, n_resamples=5000)
    more = np.insert(VALUES, 7, np.nan, axis=0)
    if test.requirements == "systems":
        with pytest.raises(ValueError, match="every topic needs every system"):
            test.of_values(more, draws=draws)
        return
    found, wanted = (test.of_values(each, draws=draws) for each in (more, VALUES))
    assert found.topics == wanted.topics == len(VALUES)
    assert found.mean == pytest.approx(wanted.mean)
    # As near as random numbers come.
    assert found.p == pytest.approx(wanted.p, abs=0.02)


def test_there_is_one_test_for_each_case() -> None:
    cases = [known_test(name).fits for name in TESTS]
    for case in get_args(Fits):
        assert cases.count(case) == 1
        assert known_test(fitting_test(case)).fits == case
    assert set(for_each_pair()) == {n for n in OF_VALUES if known_test(n).correction is not None}


@pytest.mark.parametrize("name", set(TESTS) - set(OF_VALUES))
def test_a_test_of_runs_refuses_values_of_pairs(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name!r} needs every run"):
        known_test(name).of_values(VALUES)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown test 'wilcoxson'; did you mean 'wilcoxon'"):
        known_test("wilcoxson")

"""Corrections against statsmodels, and the warning against what the resamples can give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.checks import check_between
from irpref.stats.corrections import adjust, too_few_resamples

STATSMODELS = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}
p_values = st.lists(
    st.floats(0, 1) | st.sampled_from((0.0, 0.01, 0.01, 0.04, 1.0)), min_size=1, max_size=40
)


@pytest.mark.parametrize("correction", STATSMODELS)
@given(p=p_values)
def test_adjusted_p_values_are_those_of_statsmodels(correction: str, p: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    reject, expected, *_ = multitest.multipletests(p, alpha=0.05, method=STATSMODELS[correction])
    found = adjust(p, correction)  # type: ignore[arg-type]
    assert found == pytest.approx(expected, rel=1e-12)
    off_the_edge = np.abs(found - 0.05) > 1e-9
    assert np.array_equal((found < 0.05)[off_the_edge], reject[off_the_edge])


def test_without_a_correction_they_stay() -> None:
    p = np.array([0.2, 0.1])
    found = adjust(p, None)
    assert found.tolist() == [0.2, 0.1]
    found[0] = 0
    assert p[0] == 0.2


@pytest.mark.parametrize("correction", [*STATSMODELS, None])
@given(p=st.lists(st.floats(0, 1) | st.just(np.nan), max_size=20))
def test_what_was_not_tested_is_not_in_the_family(correction: str | None, p: list[float]) -> None:
    given_p = np.array(p)
    tested = ~np.isnan(given_p)
    found = adjust(given_p, correction)  # type: ignore[arg-type]
    assert np.isnan(found[~tested]).all()
    assert found[tested].tolist() == adjust(given_p[tested], correction).tolist()  # type: ignore[arg-type]
    # Families in columns, each of its own tests.
    both = np.column_stack([given_p, np.full(len(p), 0.5)])
    columns = adjust(both, correction)  # type: ignore[arg-type]
    np.testing.assert_array_equal(columns[:, 0], found)
    assert not np.isnan(columns[:, 1]).any()


def test_a_family_of_no_tests_has_no_p_values() -> None:
    for correction in (*STATSMODELS, None):
        assert adjust([], correction).shape == (0,)  # type: ignore[arg-type]


@pytest.mark.parametrize("correction", [*STATSMODELS, None])
@pytest.mark.parametrize(("alpha", "tests"), [(0.05, 1), (0.05, 45), (0.01, 7750), (0.3, 3)])
def test_the_warning_comes_just_where_the_least_p_values_are_not_enough(
    correction: str | None, alpha: float, tests: int
) -> None:
    enough = [
        resamples
        for resamples in (3, 19, 20, 100, 899, 900, 10_000, 775_000)
        if adjust([1 / (resamples + 1)] * tests, correction).min() < alpha  # type: ignore[arg-type]
    ]
    for resamples in (3, 19, 20, 100, 899, 900, 10_000, 775_000):
        warning = too_few_resamples(
            resamples,
            tests=tests,
            correction=correction,  # type: ignore[arg-type]
            alpha=alpha,
        )
        assert (warning is None) == (resamples in enough)


def test_the_number_that_the_warning_names_is_the_least_that_is_enough() -> None:
    for tests, alpha in ((45, 0.05), (7750, 0.01), (7, 0.3)):
        warning = too_few_resamples(3, tests=tests, correction="holm", alpha=alpha)
        assert warning is not None
        named = int(warning.split("n_resamples=")[1].split(",")[0])
        assert too_few_resamples(named, tests=tests, correction="holm", alpha=alpha) is None
        assert too_few_resamples(named - 1, tests=tests, correction="holm", alpha=alpha)


def test_what_cannot_be_asked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="did you mean 'bonferroni'"):
        adjust([0.1], "bonferoni")  # type: ignore[arg-type]
    for p in ([1.2], [-0.1]):
        with pytest.raises(ValueError, match="between 0 and 1"):
            adjust(p)
    for alpha in (0, 1, -0.1, float("nan")):
        with pytest.raises(ValueError, match="alpha"):
            check_between("alpha", alpha)

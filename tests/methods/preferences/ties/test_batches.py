"""Batches of any size give the same expected preferences."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.methods.preferences import IPSO, LP, LR, RPP, Preference, folds, tie_aware
from irpref.methods.preferences.ties import random_levels, relation_probabilities, scan
from tests.random_cases import make_case, matrix

SIZES = (
    (tie_aware, "_CELLS"),
    (scan, "_CELLS"),
    (random_levels, "_PAIRS"),
    (random_levels, "_CHANCES"),
    (random_levels, "_LARGE"),
    (folds, "_COMPARISONS"),
    (relation_probabilities, "_LEVELS"),
    (relation_probabilities, "_SEGMENTS"),
    (relation_probabilities, "_STATES"),
)


@pytest.mark.parametrize("cutoff", [None, 5])
@pytest.mark.parametrize("preference", [LP, LP(magnitude="rr"), LR, RPP, IPSO], ids=str)
def test_batches_of_any_size_give_the_same(
    preference: Preference, cutoff: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = make_case(21, topics=25, systems=5, documents=20).collect()
    expected = preference(ties="expected")
    expected = expected if cutoff is None else expected @ cutoff
    wanted = matrix(expected, collection)
    for module, name in SIZES:
        monkeypatch.setattr(module, name, 3)
    assert np.abs(matrix(expected, collection) - wanted).max() < 1e-14

"""The values of criteria, some pairs of systems at a time, against all at once."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from irpref.methods.names import as_criteria
from irpref.studies.numbers import pair_topics as module
from irpref.studies.numbers.pair_topics import pair_topics, system_pairs
from tests.random_cases import make_case

CASE = make_case(3, topics=6, systems=7)
DATA = irpref.collect(CASE.qrels, CASE.runs, missing="skip").placements
CRITERIA = as_criteria(["LP", "RPP", "AP", "IPSO@3"])


@pytest.mark.parametrize("batch", [1, 4 * 6 * 3, 4 * 6 * 20, 1 << 20])
def test_every_pair_comes_once_with_its_values(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    [whole] = pair_topics(DATA, CRITERIA)
    monkeypatch.setattr(module, "MEMORY", batch)
    parts = list(system_pairs(DATA, CRITERIA))
    first, second = (
        np.concatenate([getattr(part, side) for part in parts]) for side in ("first", "second")
    )
    assert (len(parts) > 1) == (batch < 1 << 20)
    values = np.concatenate([part.values for part in parts], axis=2)
    order = np.lexsort((second, first))
    assert first[order].tolist() == whole.first.tolist()
    assert second[order].tolist() == whole.second.tolist()
    assert np.isnan(whole.values).any()
    np.testing.assert_allclose(values[:, :, order], whole.values, atol=1e-15)

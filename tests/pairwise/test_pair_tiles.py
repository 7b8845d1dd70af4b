"""Tiles have every pair of systems once."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.pairwise import totals


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 7), (9, 4), (8, 8)])
def test_every_pair_is_in_one_tile(
    first: int, second: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "_SIDE", 3)
    met = np.zeros((first, second), dtype=int)
    for tile in totals.pair_tiles(first, second):
        met[tile] += 1
        assert max(met[tile].shape) <= 3
        assert met[tile].size == tile.pairs
    assert (met == 1).all()
    both = np.zeros((first, first), dtype=int)
    for tile in totals.pair_tiles(first):
        both[tile] += 1
        if tile != tile.swapped:
            both[tile.swapped] += 1
    assert (both == 1).all()

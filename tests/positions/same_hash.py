"""A hash that tells nothing apart, so that only names do."""

from __future__ import annotations

import numpy as np
import polars as pl

from irpref.positions.hashes import Hashes


def same_hash(names: pl.Series) -> Hashes:
    return np.full(len(names), 7 << 60, dtype=np.uint64)

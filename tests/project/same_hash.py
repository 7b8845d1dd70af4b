"""A hash that tells nothing apart, so that only names do."""

from __future__ import annotations

import numpy as np
import polars as pl

from irpref.project.hashes import Hashes


def same_hash(names: pl.Series, seed: int = 0) -> Hashes:
    return np.full(len(names), seed, dtype=np.uint64)

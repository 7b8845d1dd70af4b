"""One of every kind of preference."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from irpref.methods.preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    Preference,
    dcgRPP,
    invRPP,
    preference,
    rrLP,
)

cutoffs = st.none() | st.integers(1, 9)


def later(first: np.ndarray, second: np.ndarray) -> float:
    """How many levels more the first ranking has earlier: a caller's own preference."""
    return float((first < second).sum() - (first > second).sum())


ALL: tuple[Preference, ...] = (
    LP,
    rrLP,
    LR,
    RPP,
    dcgRPP,
    invRPP(graded=False),
    STRPP(weights="dcg"),
    IPSO,
    IPSO(graded=True),
    IPSO(gains={1: 0.1, 2: 0.2, 3: 0.3}),
    preference(later),
)

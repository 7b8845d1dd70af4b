"""The types of arrays, named once."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Objects: TypeAlias = npt.NDArray[np.object_]
Values: TypeAlias = npt.NDArray[Any]
"""Numbers of any type: signs, differences, codes of relations, counts that may be expected ones."""

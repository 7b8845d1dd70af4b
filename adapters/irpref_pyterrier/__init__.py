"""irpref inside PyTerrier, also as ``pt.pref``: ``Experiment`` with preferences, and ``compare``.

This module also has the measures and preferences of :mod:`irpref_ir_measures`, for ``pt.Experiment``:
``pt.pref.RPP.against(results)``.
"""

from __future__ import annotations

import importlib
from typing import Any

# PyTerrier imports this module during its own import, and would fail with it. So this module imports
# nothing else before the first use of a name.
try:
    import pyterrier as _pyterrier  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "pyterrier":
        raise
    raise ImportError(
        'irpref_pyterrier needs PyTerrier: pip install "irpref[pyterrier]"'
    ) from error

__all__ = ["Experiment", "compare"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("irpref_pyterrier.experiment"), name)
    # Names such as __path__ are asked for during the import of PyTerrier.
    module = None if name.startswith("_") else importlib.import_module("irpref_ir_measures")
    if name not in getattr(module, "__all__", ()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module, name)


def __dir__() -> list[str]:
    measures = importlib.import_module("irpref_ir_measures").__all__
    return sorted([*__all__, *(name for name in measures if name != "provider")])

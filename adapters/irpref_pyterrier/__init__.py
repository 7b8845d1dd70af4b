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

_MODULES = {
    "Experiment": "irpref_pyterrier.experiment",
    "compare": "irpref_pyterrier.comparison",
}


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_MODULES.get(name, "irpref_ir_measures"))
    if name not in (*__all__, *getattr(module, "__all__", ())):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module, name)


def __dir__() -> list[str]:
    measures = importlib.import_module("irpref_ir_measures").__all__
    return sorted([*__all__, *(name for name in measures if name != "provider")])

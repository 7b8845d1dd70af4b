"""irpref inside PyTerrier, also as ``pt.pref``: measures for ``pt.Experiment``, and ``compare``.

This module has the measures and preferences of :mod:`irpref_ir_measures`, which ``pt.Experiment`` takes:
``pt.pref.RPP.over_first()`` compares every system with the first one, ``pt.pref.RPP.against(results)`` with
any other.
"""

from __future__ import annotations

import importlib
import sys
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

__all__ = ["compare"]


def __getattr__(name: str) -> Any:
    if name == "compare":
        return importlib.import_module("irpref_pyterrier.comparison").compare
    # Names such as __path__ are asked for during the import of PyTerrier.
    module = None if name.startswith("_") else importlib.import_module("irpref_ir_measures")
    if name not in getattr(module, "__all__", ()):
        # With these, Python names the nearest.
        here = sys.modules[__name__]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=here)
    return getattr(module, name)


def __dir__() -> list[str]:
    measures = importlib.import_module("irpref_ir_measures").__all__
    return sorted([*__all__, *(name for name in measures if name not in ("provider", "scores"))])

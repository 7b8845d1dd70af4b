"""Whether the installed ir_measures works on this Python."""

from __future__ import annotations

import platform
import warnings
from types import ModuleType


def refuse_broken(framework: ModuleType) -> None:
    """Stop if ir_measures cannot parse a measure.

    ir_measures 0.4.3 parses by ``ast.Num`` and ``ast.Str``, which Python 3.14 has no more.

    Raises:
        ImportError: ir_measures cannot; the message says what to do.
    """
    with warnings.catch_warnings():
        # On Python 3.12 and 3.13 they are deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            framework.parse_measure("P@5")
        except AttributeError as error:
            raise ImportError(
                f"ir_measures {framework.__version__} cannot parse measures on Python "
                f"{platform.python_version()} ({error}), so irpref_ir_measures does not work here; use "
                "Python 3.13 or older, or a newer ir_measures if there is one. The rest of irpref works."
            ) from error

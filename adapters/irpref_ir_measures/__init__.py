"""irpref's measures and preferences inside ir_measures; an import of this module registers them.

``ir_measures.parse_measure``, ``calc``, ``calc_aggregate``, ``iter_calc`` and ``evaluator`` then take them
like built-in measures. A preference needs a reference run: ``RPP(ref="baseline.run")@100``, or
``RPP.against(run)`` for a run in memory.

:func:`scores` scores qrels and runs, as irpref reads them, by any measure of ir_measures.
"""

import platform
import warnings

from irpref.for_adapters import needing

with needing(
    'irpref_ir_measures needs ir_measures: pip install "irpref[ir-measures]"', "ir_measures"
):
    import ir_measures as _ir_measures

with warnings.catch_warnings():
    # ir_measures 0.4.3 parses by ast.Num and ast.Str: on Python 3.12 and 3.13 they are deprecated, and
    # Python 3.14 has them no more.
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        _ir_measures.parse_measure("P@5")
    except AttributeError as error:
        raise ImportError(
            f"ir_measures {_ir_measures.__version__} cannot parse measures on Python "
            f"{platform.python_version()} ({error}), so irpref_ir_measures does not work here; use "
            "Python 3.13 or older, or a newer ir_measures if there is one. The rest of irpref works."
        ) from error

from irpref_ir_measures import measures
from irpref_ir_measures.measures import *  # noqa: F403
from irpref_ir_measures.scoring import scores

__all__ = ["provider", "scores"]
__all__ += measures.__all__

provider = measures.register()
"""The provider ``irpref``, which computes the measures and preferences."""

"""irpref's measures and preferences inside ir_measures; an import of this module registers them.

``ir_measures.parse_measure``, ``calc``, ``calc_aggregate``, ``iter_calc`` and ``evaluator`` then take them
like built-in measures. A preference needs a reference run: ``RPP(ref="baseline.run")@100``, or
``RPP.against(run)`` for a run in memory.

:func:`scores` scores qrels and runs, as irpref reads them, by any measure of ir_measures.
"""

try:
    import ir_measures as _ir_measures
except ModuleNotFoundError as error:
    if error.name != "ir_measures":
        raise
    raise ImportError(
        'irpref_ir_measures needs ir_measures: pip install "irpref[ir-measures]"'
    ) from error

from irpref_ir_measures.works import refuse_broken

refuse_broken(_ir_measures)

from irpref_ir_measures.measures import (  # noqa: E402
    ASL,
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    TSE,
    LexiPrecision,
    LexiRecall,
    TieAP,
    TieF1,
    TienDCG,
    TieP,
    TieR,
    TieRR,
    dcgRPP,
    invRPP,
    rrLP,
    sgnLP,
)
from irpref_ir_measures.provider import register  # noqa: E402
from irpref_ir_measures.scoring import scores  # noqa: E402

__all__ = ["ASL", "IPSO", "LP", "LR", "RPP", "STRPP", "TSE", "LexiPrecision", "LexiRecall"]
__all__ += ["TieAP", "TieF1", "TieP", "TieR", "TieRR", "TienDCG", "dcgRPP", "invRPP", "provider"]
__all__ += ["rrLP", "scores", "sgnLP"]

provider = register(
    _ir_measures,
    {name: globals()[name] for name in __all__ if name not in ("provider", "scores")},
)
"""The provider ``irpref``, which computes the measures and preferences."""

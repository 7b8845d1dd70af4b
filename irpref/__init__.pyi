# The public names: __init__.py imports the module of each when it is first asked for.
from .challenge import Challenge, corroborate
from .comparison import Comparison, Explanation, compare
from .errors import InputError
from .evaluation import evaluate, mean_scores
from .measures import (
    AP,
    F1,
    RR,
    TSE,
    LexiPrecision,
    LexiRecall,
    Measure,
    P,
    R,
    TieAP,
    TieF1,
    TienDCG,
    TieP,
    TieR,
    TieRR,
    nDCG,
)
from .names import parse
from .preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    FunctionPreference,
    Preference,
    dcgRPP,
    invRPP,
    preference,
    rrLP,
    sgnLP,
)
from .render.report import Report
from .score_tests import test_scores
from .version import __version__

__all__ = [
    "AP",
    "F1",
    "IPSO",
    "LP",
    "LR",
    "RPP",
    "RR",
    "STRPP",
    "TSE",
    "Challenge",
    "Comparison",
    "Explanation",
    "FunctionPreference",
    "InputError",
    "LexiPrecision",
    "LexiRecall",
    "Measure",
    "P",
    "Preference",
    "R",
    "Report",
    "TieAP",
    "TieF1",
    "TieP",
    "TieR",
    "TieRR",
    "TienDCG",
    "__version__",
    "compare",
    "corroborate",
    "dcgRPP",
    "evaluate",
    "invRPP",
    "mean_scores",
    "nDCG",
    "parse",
    "preference",
    "rrLP",
    "sgnLP",
    "test_scores",
]

"""Compare rankings directly, pair by pair, and score tied rankings exactly."""

from irpref.challenge import Challenge, corroborate
from irpref.comparison import Comparison, Explanation, compare
from irpref.errors import InputError
from irpref.evaluation import evaluate, mean_scores
from irpref.measures import (
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
from irpref.names import parse
from irpref.preferences import (
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
from irpref.render.report import Report
from irpref.score_tests import test_scores
from irpref.version import __version__

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

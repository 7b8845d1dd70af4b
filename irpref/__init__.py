"""Compare rankings directly, pair by pair, and score tied rankings exactly."""

from irpref.comparison import Comparison, Explanation, compare
from irpref.errors import InputError
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
from irpref.version import __version__

__all__ = [
    "IPSO",
    "LP",
    "LR",
    "RPP",
    "STRPP",
    "Comparison",
    "Explanation",
    "FunctionPreference",
    "InputError",
    "Preference",
    "__version__",
    "compare",
    "dcgRPP",
    "invRPP",
    "parse",
    "preference",
    "rrLP",
    "sgnLP",
]

"""The third step: the preferences, each a fold of two rankings' positions into one value."""

from irpref.options import Named
from irpref.preferences.base import Preference, signs
from irpref.preferences.custom import FunctionPreference, preference
from irpref.preferences.ipso import IPSO, InnateOrdering
from irpref.preferences.lexiprecision import LP, Lexiprecision, rrLP, sgnLP
from irpref.preferences.lexirecall import LR, Lexirecall
from irpref.preferences.recall_paired import RPP, RecallPairedPreference, dcgRPP, invRPP
from irpref.preferences.subtopic_recall_paired import STRPP, SubtopicRecallPairedPreference

__all__ = [
    "IPSO",
    "LP",
    "LR",
    "RPP",
    "STRPP",
    "FunctionPreference",
    "InnateOrdering",
    "Lexiprecision",
    "Lexirecall",
    "Named",
    "Preference",
    "RecallPairedPreference",
    "SubtopicRecallPairedPreference",
    "dcgRPP",
    "invRPP",
    "preference",
    "rrLP",
    "sgnLP",
    "signs",
]

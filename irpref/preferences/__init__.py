"""Step 3: a preference folds the positions of two rankings into one value."""

from irpref.preferences.base import Preference, signs
from irpref.preferences.custom import FunctionPreference, preference
from irpref.preferences.ipso import IPSO
from irpref.preferences.lexiprecision import LP, rrLP, sgnLP
from irpref.preferences.lexirecall import LR
from irpref.preferences.recall_paired import RPP, dcgRPP, invRPP
from irpref.preferences.subtopic_recall_paired import STRPP

__all__ = ["IPSO", "LP", "LR", "RPP", "STRPP", "dcgRPP", "invRPP", "rrLP", "sgnLP"]
__all__ += ["FunctionPreference", "Preference", "preference", "signs"]

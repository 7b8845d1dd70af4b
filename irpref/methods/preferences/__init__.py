"""Step 3: a preference folds the positions of two rankings into one value."""

from irpref.methods.preferences.custom import FunctionPreference, preference
from irpref.methods.preferences.folds import Preference, signs
from irpref.methods.preferences.ipso import IPSO
from irpref.methods.preferences.lexiprecision import LP, rrLP, sgnLP
from irpref.methods.preferences.lexirecall import LR
from irpref.methods.preferences.recall_paired import RPP, dcgRPP, invRPP
from irpref.methods.preferences.subtopic_recall_paired import STRPP

__all__ = ["IPSO", "LP", "LR", "RPP", "STRPP", "dcgRPP", "invRPP", "rrLP", "sgnLP"]
__all__ += ["FunctionPreference", "Preference", "preference", "signs"]

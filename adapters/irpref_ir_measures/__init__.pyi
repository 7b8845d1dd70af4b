# scripts/make_ir_measures_table.py writes this file.
from .base import CoreMeasure, CorePreference
from .measures import IrprefProvider
from .scoring import scores as scores

provider: IrprefProvider
ASL: CoreMeasure
IPSO: CorePreference
ISL: CoreMeasure
LP: CorePreference
LR: CorePreference
LexiPrecision: CoreMeasure
LexiRecall: CoreMeasure
RPP: CorePreference
STRPP: CorePreference
TSE: CoreMeasure
TSL: CoreMeasure
TieAP: CoreMeasure
TieF1: CoreMeasure
TieP: CoreMeasure
TieR: CoreMeasure
TieRR: CoreMeasure
TienDCG: CoreMeasure
dcgRPP: CorePreference
invRPP: CorePreference
rrLP: CorePreference
sgnLP: CorePreference

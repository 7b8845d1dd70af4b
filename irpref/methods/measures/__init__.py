"""Step 3 for single rankings: measures, exact for tied scores."""

from irpref.methods.measures.average_precision import AP, TieAP
from irpref.methods.measures.average_search_length import ASL
from irpref.methods.measures.lexicographic_metrics import (
    LexicographicMetric,
    LexiPrecision,
    LexiRecall,
)
from irpref.methods.measures.measure import Measure
from irpref.methods.measures.ndcg import TienDCG, nDCG
from irpref.methods.measures.precision import F1, RP, P, R, TieF1, TieP, TieR
from irpref.methods.measures.rank_biased_precision import RBP
from irpref.methods.measures.reciprocal_rank import RR, TieRR
from irpref.methods.measures.search_lengths import ISL, TSL
from irpref.methods.measures.spread import tie_spread
from irpref.methods.measures.success import Success
from irpref.methods.measures.tied_groups import RankedItems
from irpref.methods.measures.total_search_efficiency import TSE

__all__ = ["AP", "ASL", "F1", "ISL", "RBP", "RP", "RR", "TSE", "TSL", "LexiPrecision", "LexiRecall"]
__all__ += ["P", "R", "Success", "nDCG"]
__all__ += ["TieAP", "TieF1", "TieP", "TieR", "TieRR", "TienDCG"]
__all__ += ["LexicographicMetric", "Measure", "RankedItems", "tie_spread"]

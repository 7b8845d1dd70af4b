"""Step 3 for single rankings: measures, exact for tied scores."""

from irpref.measures.average_precision import AP, TieAP
from irpref.measures.base import Measure
from irpref.measures.f1 import F1, TieF1
from irpref.measures.lexicographic_metrics import LexicographicMetric, LexiPrecision, LexiRecall
from irpref.measures.ndcg import TienDCG, nDCG
from irpref.measures.precision import P, TieP
from irpref.measures.recall import R, TieR
from irpref.measures.reciprocal_rank import RR, TieRR
from irpref.measures.spread import tie_spread
from irpref.measures.tied_groups import RankedItems
from irpref.measures.total_search_efficiency import TSE

__all__ = ["AP", "F1", "RR", "TSE", "LexiPrecision", "LexiRecall", "P", "R", "nDCG"]
__all__ += ["TieAP", "TieF1", "TieP", "TieR", "TieRR", "TienDCG"]
__all__ += ["LexicographicMetric", "Measure", "RankedItems", "tie_spread"]

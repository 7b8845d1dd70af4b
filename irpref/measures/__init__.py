"""Step 3 for single rankings: measures, exact for tied scores."""

from irpref.measures.average_precision import AP, TieAP
from irpref.measures.average_search_length import ASL
from irpref.measures.base import Measure
from irpref.measures.f1 import F1, TieF1
from irpref.measures.lexicographic_metrics import LexicographicMetric, LexiPrecision, LexiRecall
from irpref.measures.ndcg import TienDCG, nDCG
from irpref.measures.precision import P, TieP
from irpref.measures.r_precision import RP
from irpref.measures.rank_biased_precision import RBP
from irpref.measures.recall import R, TieR
from irpref.measures.reciprocal_rank import RR, TieRR
from irpref.measures.spread import tie_spread
from irpref.measures.success import Success
from irpref.measures.tied_groups import RankedItems
from irpref.measures.total_search_efficiency import TSE

__all__ = ["AP", "ASL", "F1", "RBP", "RP", "RR", "TSE", "LexiPrecision", "LexiRecall", "P", "R"]
__all__ += ["Success", "nDCG"]
__all__ += ["TieAP", "TieF1", "TieP", "TieR", "TieRR", "TienDCG"]
__all__ += ["LexicographicMetric", "Measure", "RankedItems", "tie_spread"]

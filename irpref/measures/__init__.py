"""The third step, for one ranking by itself: the measures, each exact where scores are tied."""

from irpref.measures.average_precision import AP, AveragePrecision, TieAP
from irpref.measures.base import Measure, Ties
from irpref.measures.f1 import F1, FMeasure, TieF1
from irpref.measures.lexicographic_metrics import (
    LexicographicMetric,
    LexiPrecision,
    LexiprecisionMetric,
    LexiRecall,
    LexirecallMetric,
)
from irpref.measures.ndcg import NormalisedDiscountedCumulativeGain, TienDCG, nDCG
from irpref.measures.precision import P, Precision, TieP
from irpref.measures.recall import R, Recall, TieR
from irpref.measures.reciprocal_rank import RR, ReciprocalRank, TieRR
from irpref.measures.spread import TieSpread, tie_spread
from irpref.measures.tied_groups import RankedItems
from irpref.measures.total_search_efficiency import TSE, TotalSearchEfficiency

__all__ = [
    "AP",
    "F1",
    "RR",
    "TSE",
    "AveragePrecision",
    "FMeasure",
    "LexiPrecision",
    "LexiRecall",
    "LexicographicMetric",
    "LexiprecisionMetric",
    "LexirecallMetric",
    "Measure",
    "NormalisedDiscountedCumulativeGain",
    "P",
    "Precision",
    "R",
    "RankedItems",
    "Recall",
    "ReciprocalRank",
    "TieAP",
    "TieF1",
    "TieP",
    "TieR",
    "TieRR",
    "TieSpread",
    "TienDCG",
    "Ties",
    "TotalSearchEfficiency",
    "nDCG",
    "tie_spread",
]

"""The exact mean of a preference over all orders of both rankings' tied groups, independently."""

from irpref.preferences.expected.ipso import relation_probabilities
from irpref.preferences.expected.lexiprecision import (
    expected_reciprocal_lexiprecision,
    expected_sign_lexiprecision,
)
from irpref.preferences.expected.lexirecall import expected_lexirecall
from irpref.preferences.expected.recall_paired import expected_sign_of_random_levels
from irpref.preferences.expected.tied_rankings import TiedRankings, fold_tied_rankings

__all__ = [
    "TiedRankings",
    "expected_lexirecall",
    "expected_reciprocal_lexiprecision",
    "expected_sign_lexiprecision",
    "expected_sign_of_random_levels",
    "fold_tied_rankings",
    "relation_probabilities",
]

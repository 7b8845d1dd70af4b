"""The second step: each ranking onto the positions of its topic's relevant items."""

from irpref.project.collection import Collection, Coverage, collect
from irpref.project.ranking import Duplicates, Order, Ranking, rank_run

__all__ = ["Collection", "Coverage", "Duplicates", "Order", "Ranking", "collect", "rank_run"]

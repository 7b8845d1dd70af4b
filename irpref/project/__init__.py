"""The second step: each ranking onto the positions of its topic's relevant items."""

from irpref.project.collection import Collection, Coverage, collect
from irpref.project.ranking import Ranking, rank_run

__all__ = ["Collection", "Coverage", "Ranking", "collect", "rank_run"]

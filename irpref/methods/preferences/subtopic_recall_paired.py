"""STRPP, subtopic recall-paired preference: who serves more users of each subtopic?"""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import at_least
from irpref.methods.preferences.recall_paired import WeightedLevels
from irpref.positions.placements import Placements


class SubtopicRecallPairedPreference(WeightedLevels):
    """RPP over one population for each subtopic and a background one (Diaz & Ferraro 2022, Eq. 6).

    Items of any subtopic satisfy the background population. The weight of a population is its number of
    relevant items (section 5.3).

    Attributes:
        weights: See :class:`~irpref.methods.preferences.recall_paired.RecallPairedPreference`.
        ties: ``"trec"`` or ``"expected"``: :class:`.TieAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range, or the qrels name no subtopics.

    Example:
        >>> from irpref import STRPP
        >>> STRPP(weights="inverse")
        STRPP(weights='inverse')
    """

    name = "STRPP"
    interest = "subtopics"

    def warning(self, placements: Placements) -> str | None:
        """The subtopics may be none: judging rounds and the like stand in column 2 of the qrels, too."""
        rows = placements.subtopic_rows[at_least(placements.subtopic_grades, self.rel)]
        if not len(rows) or len(np.unique(rows)) < len(rows):
            return None
        return (
            f"{self} takes column 2 of the qrels for subtopics, but no document is relevant for two of "
            "them: are they judging rounds?"
        )


STRPP = SubtopicRecallPairedPreference()

"""What ``explain`` gives back: why one ranking of a topic is preferred to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from irpref.render.report import Report

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Explanation"]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why one ranking of a topic is preferred to another.

    Attributes:
        topic: The topic.
        a: The first system.
        b: The second system.
        levels: By recall level: document_a, grade_a, position_a, document_b, grade_b, position_b, sign.
        decisions: By preference: its value, and a sentence that says what decides.
    """

    topic: str
    a: str
    b: str
    levels: pd.DataFrame
    decisions: pd.DataFrame

    @property
    def report(self) -> Report:
        """The explanation as a report."""
        from irpref.render.explanation import explanation_report

        return explanation_report(self.topic, self.a, self.b, self.levels, self.decisions)

    def __repr__(self) -> str:
        return repr(self.report)

    def _repr_html_(self) -> str:
        return self.report.to_html()

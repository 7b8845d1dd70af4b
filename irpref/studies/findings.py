"""What a study gives back: its findings, its table and picture, and what they say of the papers' claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from irpref.base.arrays import Floats
from irpref.base.checks import check_flag
from irpref.report.report import Report, Worded
from irpref.report.table import table_of
from irpref.show.reports.study_report import Layout, Picture, claims_table, findings_table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from irpref.show.plots.figures import NewFigure


class Finding(NamedTuple):
    """One number of a study.

    Attributes:
        method: The preference or measure that it is about; empty if it is about none.
        against: What that is compared with: another method, or a target; empty if with nothing.
        condition: What is measured, and under which circumstances, in words.
        treatment: What was varied, such as the share of the labels that is kept; empty if nothing was.
        estimate: The number; NaN where there is none.
        low: The lower end of its 95 % interval, from a bootstrap over topics; NaN if it has none.
        high: The upper end.
        n: How many it is of: topics, pair-topics, pairs, as the condition says.
        spread: The standard deviation: over random samples, or of what a mean is of; NaN if it has none.
        drawn: (1 + B,) the number, and what it is when the topics (and what else is random) are drawn
            again, which claims are judged by; (1,) for an exact number. Frames do not have it.
    """

    method: str
    against: str
    condition: str
    treatment: str
    estimate: float
    low: float = float("nan")
    high: float = float("nan")
    n: int = 0
    spread: float = float("nan")
    drawn: Floats | None = None


COLUMNS = ("collection", *Finding._fields[:-1])
"""The columns of a frame of findings."""


@dataclass(frozen=True, eq=False, repr=False)
class Study(Worded):
    """An experiment of a paper, done on one or several collections.

    Attributes:
        name: The name of the study, as the command line says it.
        title: What was studied.
        frame: The findings: columns collection, method, against, condition, treatment, estimate, low, high,
            n and spread (:class:`.Finding` says what they are). ``attrs["signature"]`` says how
            they were made, a line for each collection.
        claims: What the papers say, and whether it holds: column collection, and those of
            :class:`.Judged`, which says what they are.
        layouts: How the findings become tables.
        picture: How they become a picture.
        notes: What one should know to read them.
        options: The options of the study, by name.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.ties(irpref.collect(*demo_paths()), ["RR", "LP"])
        >>> shares = study.frame.query("condition == 'tied pair-topics'")
        >>> dict(zip(shares["method"], shares["estimate"].round(3)))
        {'RR': 0.433, 'LP': 0.006}
    """

    name: str
    title: str
    frame: pd.DataFrame
    claims: pd.DataFrame
    layouts: tuple[Layout, ...]
    picture: Picture
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def table(self, *, claims: bool = False) -> Report:
        """The findings laid out as the paper's table: text, LaTeX, Markdown, HTML, CSV, JSON.

        Args:
            claims: Whether a table of the claims follows. JSON has them in any case.
        """
        check_flag("claims", claims)
        made = (findings_table(self.frame, layout) for layout in self.layouts)
        tables = [table for table in made if table is not None]
        notes = self.notes
        if claims and len(self.claims):
            tables.append(claims_table(self.claims))
        elif claims:
            notes += ("No paper claims anything of this study.",)
        return Report(
            title=self.title,
            tables=tuple(tables),
            rows=table_of(self.frame),
            remarks=notes,
            facts={
                "study": self.name,
                "options": dict(self.options),
                "claims": table_of(self.claims).to_dicts(),
            },
            signatures=tuple(str(self.frame.attrs.get("signature", "")).splitlines()),
        ).worded(self.words)

    def plot(self, ax: Axes | None = None, *, new_figure: NewFigure | None = None) -> Axes | Figure:
        """The picture of the study; it needs matplotlib.

        Args:
            ax: Where to draw, if there is one panel; by default a new figure.
            new_figure: Makes a figure of a width and a height, in inches; pyplot by default.

        Returns:
            The Axes, or a figure if there are several panels (collections, say).

        Raises:
            ValueError: There are several panels, and one Axes.
            ImportError: There is no matplotlib.
        """
        from irpref.show.plots.labels import in_words
        from irpref.show.plots.study_plot import draw_study

        drawn = draw_study(self.frame, self.picture, ax, title=self.title, new_figure=new_figure)
        return in_words(drawn, self.words)

    def _view(self) -> Report:
        return self.table()

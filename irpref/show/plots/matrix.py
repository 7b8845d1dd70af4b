"""The matrix: every system against every other one, in the order of their ranks."""

from __future__ import annotations

import re
from itertools import groupby, permutations

import pandas as pd
from matplotlib.axes import Axes

from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.feeds.plot_numbers import RankedPairs
from irpref.report.table import end_of_scale
from irpref.show.plots import labels
from irpref.show.plots.colours import (
    INK,
    QUIET,
    ahead_or_behind,
    by_root,
    root_ticks,
)
from irpref.show.plots.figures import NewAxes
from irpref.show.reports.comparison_notes import how_tested

_NUMBER = 8.0
"""The size of a number in a cell, in points."""


def draw_matrix(place: NewAxes, pairs: RankedPairs, *, preference: Criterion) -> Axes:
    """Draw a cell for each pair: blue where the system of the row is better, orange where the other.

    Hatched cells are not significant, dotted ones were not tested, white ones are 0, and the systems
    themselves, on the diagonal, are crossed out. Cells hold their number where there is room for it.
    Colours go to the greatest mean that there can be, by the square root, so that small means are seen and
    all pictures have one scale.

    Args:
        place: Where to draw.
        pairs: The result of :func:`.ranked_pairs`.
        preference: What the means are of.
    """
    mean, significant = pairs.mean, pairs.significant
    systems = len(mean)
    # Up to 20 systems have numbers.
    side = max(0.42 * min(systems, 20), 0.13 * systems, 2.4)
    axes = place(max(side + 3.4, 7.2), side + 1.3)
    values = mean.to_numpy()
    limit = end_of_scale(preference.bounds, float(abs(values).max()))
    cells = axes.imshow(values, cmap=ahead_or_behind(), norm=by_root(limit), interpolation="none")
    axes.axline((0, 0), slope=1, color=INK, linewidth=0.6)
    label = f"mean {labels.plain(preference)} (positive: the row is better)"
    ticks = root_ticks(limit)
    # The cells are square: what is left of the width is at the right, where a title has room.
    labels.whole_figure(axes).colorbar(
        cells, ax=axes, shrink=0.8, pad=0.02, panchor=(0.0, 0.5), label=label, ticks=ticks
    )
    ranks = [f"{place}" for place in range(1, systems + 1)]
    names = labels.plain_names(list(mean.index))
    axes.set_xlabel("opponent, by rank")
    note = pairs.untested
    if pairs.tests is not None and significant is not None:
        note = f"Hatched pairs are not significant: {how_tested(pairs.tests.how)}"
        axes.set_label(pairs.tests.signature)
        _hatch(axes, significant == 0, "////")
        if significant.isna().to_numpy().any():
            note += ". Dotted ones were not tested"
            _hatch(axes, significant.isna(), "....")
    labels.label_rows(axes, [f"{name}  {rank}" for name, rank in zip(names, ranks, strict=True)])
    labels.label_rows(axes, ranks, along="x")
    title = f"Every pair of {systems:,} systems by {labels.plain(preference)}"
    labels.entitle(axes, title, pairs.topics, note)
    texts = [[_text(value) for value in row] for row in values.tolist()]
    longest = max(len(text) for row in texts for text in row)
    if labels.room_for_each(axes, systems, "x") < 0.68 * longest * _NUMBER:
        return axes
    for row, column in permutations(range(systems), 2):
        unsure = significant is not None and significant.iat[row, column] != 1
        dark = not unsure and abs(values[row, column]) > 0.2 * limit
        text = axes.text(
            column,
            row,
            texts[row][column],
            ha="center",
            va="center",
            fontsize=_NUMBER,
            color="white" if dark else INK,
        )
        # It is inside, so that it needs no room of its own.
        text.set_in_layout(False)
        if unsure:
            text.set_bbox({"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.8})
    return axes


def _hatch(axes: Axes, unsure: pd.DataFrame, hatch: str) -> None:
    """Make some cells pale and hatched; those beside each other in a row are one field."""
    for row, flags in enumerate(unsure.to_numpy().tolist()):
        fields, start = list[tuple[float, int]](), -0.5
        for chosen, cells in groupby(flags):
            width = len(list(cells))
            fields += [(start, width)] if chosen else []
            start += width
        pale = axes.broken_barh(fields, (row - 0.5, 1), facecolor=(1, 1, 1, 0.55), linewidth=0)
        pale.set(hatch=hatch, edgecolor=QUIET)


def _text(value: float) -> str:
    """The mean with two digits; 0 is a mean of just 0.

    Example:
        >>> _text(-0.25), _text(1), _text(-0.001), _text(10.25), _text(0)
        ('−.25', '+1.00', '−.00', '+10.25', '0')
    """
    return re.sub(r"^(.)0\.", r"\1.", labels.number(value, 2)) if value else "0"

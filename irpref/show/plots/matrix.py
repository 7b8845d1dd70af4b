"""The matrix: every system against every other one, in the order of their ranks."""

from __future__ import annotations

from itertools import permutations

import pandas as pd
from matplotlib.axes import Axes

from irpref.show.plots.colours import GREY, INK, ahead_or_behind
from irpref.show.plots.figures import NewAxes
from irpref.show.plots.labels import (
    label_rows,
    legend_above,
    number,
    plain,
    plain_names,
    room_for_each,
    whole_figure,
)

_NUMBER = 8.0
"""The size of a number in a cell, in points."""


def draw_matrix(
    place: NewAxes, mean: pd.DataFrame, significant: pd.DataFrame | None, *, preference: str
) -> Axes:
    """Draw a cell for each pair: blue where the system of the row is better, orange where the other.

    Grey cells are not significant, white ones are 0, and the systems themselves, on the diagonal, are
    crossed out. Cells hold their number where there is room for it.

    Args:
        place: Where to draw.
        mean: (S, S) means, best system first (:func:`.ranked_pairs`).
        significant: (S, S) which of them are significant; None without a test.
        preference: What the means are of.
    """
    systems = len(mean)
    # Up to 20 systems have numbers.
    side = max(0.42 * min(systems, 20), 0.11 * systems, 2.4)
    axes = place(side + 3.4, side + 0.9)
    greatest = float(mean.abs().to_numpy().max())
    colours, norm = ahead_or_behind(greatest)
    shown = mean
    if significant is not None:
        # A system against itself is 0, and not tested.
        itself = mean.index.to_numpy()[:, None] == mean.columns.to_numpy()
        shown = mean.where(significant | itself)
    cells = axes.imshow(shown.to_numpy(), cmap=colours, norm=norm, interpolation="none")
    corners = [-0.5, systems - 0.5]
    axes.plot(corners, corners, color=INK, linewidth=0.6)
    label = f"mean {plain(preference)} (positive: the row is better)"
    whole_figure(axes).colorbar(cells, ax=axes, shrink=0.8, pad=0.02, label=label)
    ranks = [f"{place}" for place in range(1, systems + 1)]
    names = plain_names(list(mean.index))
    axes.set_xlabel("opponent, by rank")
    if significant is not None:
        attrs = significant.attrs
        seed = "" if attrs["rng"] is None else f", seed {attrs['rng']}"
        words = f"not significant ({attrs['test']}, α = {attrs['alpha']:g}{seed})"
        legend_above(axes, [(words, {"facecolor": GREY})], borderaxespad=0.2)
    label_rows(axes, [f"{name}  {rank}" for name, rank in zip(names, ranks, strict=True)])
    label_rows(axes, ranks, along="x")
    values: list[list[float]] = mean.to_numpy().tolist()
    texts = [[_text(value) for value in row] for row in values]
    longest = max(len(text) for row in texts for text in row)
    if room_for_each(axes, systems, "x") < 0.68 * longest * _NUMBER:
        return axes
    for row, column in permutations(range(systems), 2):
        seen = significant is None or significant.iat[row, column]
        dark = seen and abs(values[row][column]) > 0.45 * greatest
        axes.text(
            column,
            row,
            texts[row][column],
            ha="center",
            va="center",
            fontsize=_NUMBER,
            color="white" if dark else INK,
        )
    return axes


def _text(value: float) -> str:
    """The mean with two digits; 0 is a mean of just 0.

    Example:
        >>> _text(-0.25), _text(1), _text(-0.001), _text(0)
        ('−.25', '+1.00', '.00', '0')
    """
    if value == 0:
        return "0"
    text = number(value, 2)
    if text[1:] == "0.00":
        return ".00"
    return text[0] + text[2:] if text[1] == "0" else text

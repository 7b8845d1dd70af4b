"""The picture of a study: lines over what was varied, or a dot with its interval for each method."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from irpref.show.plots.colours import FAINT, INK
from irpref.show.plots.figures import NewFigure, shown_figure
from irpref.show.plots.labels import label_rows, plain, plain_names
from irpref.show.reports.study_report import Picture, shown_findings

# Okabe and Ito's, but yellow, which is faint on white, and then the same with other marks.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1A1A1A")
_MARKS = "osD^vPX"
_PANEL = (5.2, 3.9)
# Up to so many panels two stand side by side; of more, three.
_FEW_PANELS = 6
_LABEL = 46


def draw_study(
    frame: pd.DataFrame,
    picture: Picture,
    ax: Axes | None = None,
    *,
    new_figure: NewFigure | None = None,
) -> Axes | Figure:
    """Draw the findings of a study.

    Args:
        frame: The findings.
        picture: How to draw them.
        ax: Where to draw, if there is one panel.
        new_figure: Makes a figure; pyplot if not given.

    Raises:
        ValueError: There are several panels, and one Axes; or nothing to draw.
    """
    found = shown_findings(frame, picture.where).dropna(subset="estimate")
    if not len(found):
        raise ValueError("the study found no number that its picture shows")
    # Dots of one method stand in one row.
    told_apart = [each for each in picture.series if picture.kind == "lines" or each != "method"]
    keys: Any = [tuple(row) for row in found[told_apart].to_numpy(dtype=object)]
    found = found.assign(series=keys)
    panels = list(found.groupby(["collection", *picture.panels], sort=False))
    # A series looks alike in all panels, also where another one is not there.
    series = list(dict.fromkeys(found["series"]))
    if ax is not None:
        if len(panels) > 1:
            raise ValueError(
                f"the picture has {len(panels)} panels, and one Axes holds one: leave out ax"
            )
        _draw(ax, panels[0][1], picture, series)
        return ax
    across = min(2 if len(panels) <= _FEW_PANELS else 3, len(panels))
    down = -(-len(panels) // across)
    width, high = _PANEL[0] * across + 1.2, _PANEL[1]
    if picture.kind == "dots":
        rows = max(part["method"].nunique() for _, part in panels)
        width, high = _PANEL[0] * across, 1.2 + 0.24 * max(rows, 4)
    figure = (new_figure or shown_figure)(width, high * down)
    several = len(panels) > 1
    # Panels have one scale, so that they can be compared.
    grid: Any = figure.subplots(
        down, across, squeeze=False, sharex=picture.kind == "dots", sharey=picture.kind == "lines"
    )
    cells = list(grid.flat)
    for number, (axes, (key, part)) in enumerate(zip(cells, panels, strict=False)):
        _draw(axes, part, picture, series, legend=number == across - 1)
        if several:
            axes.set_title(_name(key), fontsize=9)
        axes.tick_params(labelbottom=True, labelleft=True)
    for axes in cells[len(panels) :]:
        axes.set_visible(False)
    return figure if several else cells[0]


def _draw(
    axes: Axes,
    part: pd.DataFrame,
    picture: Picture,
    series: Sequence[tuple[Any, ...]],
    *,
    legend: bool = True,
) -> None:
    lines = picture.kind == "lines"
    rows = list(dict.fromkeys(part["method"]))
    if picture.reference is not None:
        (axes.axhline if lines else axes.axvline)(
            picture.reference, color=FAINT, linewidth=1, zorder=0
        )
    for number, key in enumerate(series):
        # The legend has lines and dots of other panels too.
        one = part[[each == key for each in part["series"]]]
        colour = _COLOURS[number % len(_COLOURS)]
        mark = _MARKS[number // len(_COLOURS) % len(_MARKS)]
        if lines:
            _line(axes, one, colour, marker=mark, label=_name(key))
        else:
            shift = 0.0 if len(series) < 2 else 0.5 * (number / (len(series) - 1) - 0.5)
            at = [rows.index(method) + shift for method in one["method"]]
            ink = INK if len(series) < 2 else colour
            _dots(axes, one, at, colour, color=ink, marker=mark, label=_name(key))
    if lines:
        if picture.scale == "log":
            axes.set_xscale("log")
        elif all(float(each).is_integer() for each in part["treatment"]):
            # There is no recall level 1.5.
            axes.locator_params(axis="x", integer=True)
        axes.set_ylabel(picture.y)
    else:
        axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="both" if lines else "x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    _, names = axes.get_legend_handles_labels()
    if legend and any(names) and (lines or len(series) > 1):
        axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    if not lines:
        label_rows(axes, plain_names(rows))
    # A long label would reach over the edges.
    axes.set_xlabel(textwrap.fill(picture.x, _LABEL))
    axes.spines[["top", "right"]].set_visible(False)


def _line(axes: Axes, line: pd.DataFrame, colour: str, **style: Any) -> None:
    line = line.assign(at=line["treatment"].astype(float)).sort_values("at", kind="stable")
    axes.plot(line["at"], line["estimate"], color=colour, markersize=3.5, linewidth=1.4, **style)
    axes.fill_between(line["at"], line["low"], line["high"], color=colour, alpha=0.12, linewidth=0)


def _dots(axes: Axes, dots: pd.DataFrame, at: Sequence[float], colour: str, **style: Any) -> None:
    for row, low, high in zip(at, dots["low"], dots["high"], strict=True):
        axes.plot([low, high], [row, row], color=colour, alpha=0.5, linewidth=3, zorder=2)
    axes.plot(dots["estimate"], at, linestyle="none", markersize=4, zorder=3, **style)


def _name(key: Any) -> str:
    names = key if isinstance(key, tuple) else (key,)
    return plain(", ".join(str(name) for name in names if str(name)))

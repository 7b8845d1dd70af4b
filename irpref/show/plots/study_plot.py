"""The picture of a study: lines over what was varied, dots with their intervals, or cells with numbers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from irpref.base.arrays import Floats
from irpref.show.plots.colours import FAINT, INK, ahead_or_behind
from irpref.show.plots.figures import NewFigure, shown_figure
from irpref.show.plots.labels import (
    apart,
    label_rows,
    plain,
    plain_names,
    room_for_each,
    whole_figure,
)
from irpref.show.reports.study_report import Picture, shown_findings

# Okabe and Ito's, but yellow, which is faint on white, and then the same with other marks.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1A1A1A")
_MARKS = "osD^vPX"
_NUMBERS = ["estimate", "low", "high"]
_LABEL, _NAMES, _SMALL = 46, 30, 8.0
# The eye sees one line where two are never further apart.
_SEEN = 0.002
_MISSING = 9
# Nearer ticks, as a share of the axis, would run into each other.
_TICKS = 0.12
# Up to so many cells hold their intervals too.
_FEW_CELLS = 200
# Cells of 1 and -1 are pale enough for dark letters.
_PALE = 2
_BESIDE = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "frameon": False, "fontsize": 8}
_LEADER = {"arrowstyle": "-", "linestyle": ":", "relpos": (0, 0.5), "shrinkA": 0, "shrinkB": 0}


def draw_study(
    frame: pd.DataFrame,
    picture: Picture,
    ax: Axes | None = None,
    *,
    title: str = "",
    new_figure: NewFigure | None = None,
) -> Axes | Figure:
    """Draw the findings of a study.

    Args:
        frame: The findings.
        picture: How to draw them.
        ax: Where to draw, if there is one panel.
        title: What stands above.
        new_figure: Makes a figure; pyplot if not given.

    Raises:
        ValueError: There are several panels, and one Axes; or nothing to draw.
    """
    found = shown_findings(frame, picture.where)
    if found["estimate"].isna().all():
        raise ValueError("the study found no number that its picture shows")
    if picture.kind != "cells":
        found = found.dropna(subset="estimate")
    elif len(found) > _FEW_CELLS:
        found = found.assign(low=math.nan)
    # Dots of one method stand in one row.
    told_apart = [each for each in picture.series if picture.kind == "lines" or each != "method"]
    found = found.assign(series=[_joined(row) for row in found[told_apart].to_numpy()])
    # A series looks alike in all panels, also where another one is not there.
    styles = {
        name: {"color": _COLOURS[number % 7], "marker": _MARKS[number // 7 % 7]}
        for number, name in enumerate(dict.fromkeys(found["series"]))
    }
    panels: dict[Any, Any] = dict(iter(found.groupby(["collection", *picture.panels], sort=False)))
    if ax is not None and len(panels) > 1:
        raise ValueError(
            f"the picture has {len(panels)} panels, and one Axes holds one: leave out ax"
        )
    names, kinds = dict.fromkeys(key[0] for key in panels), dict.fromkeys(key[1:] for key in panels)
    places = [(name, *kind) for name in names for kind in kinds]
    # Several panels of each of several collections are a row.
    across = len(kinds) if min(len(names), len(kinds)) > 1 else min(len(places), 2)
    down = -(-len(places) // across)
    width, height = _size(found, picture)
    beside = 2.4 if picture.kind == "dots" and len(styles) > 1 else 0.0
    new = new_figure or shown_figure
    figure = new(width * across + beside, height * down) if ax is None else whole_figure(ax)
    if title and found[found["n"] >= picture.least]["low"].notna().any():
        title += " (with 95 % intervals)"
    title, several = textwrap.fill(title, _LABEL * across), len(panels) > 1
    for number, key in enumerate(places):
        if key in panels:
            axes = ax or figure.add_subplot(down, across, number + 1)
            # Panels of one kind have one scale, so that they can be compared.
            alike = pd.concat([part for other, part in panels.items() if other[1:] == key[1:]])
            _draw(axes, panels[key], alike[_NUMBERS].to_numpy(), picture, styles)
            above = plain(_joined(key)) if several else f"{title}\n{plain(_joined(key))}".strip()
            axes.set_title(above, loc="left", fontsize=10)
            axes.set_ylabel("" if number % across else picture.y)
            if not any(below in panels for below in places[number + across :: across]):
                axes.set_xlabel(textwrap.fill(picture.x, _LABEL))
            if beside and number == across - 1:
                axes.legend(**_BESIDE)
    if several:
        figure.suptitle(title)
    return figure if several else axes


def _size(found: pd.DataFrame, picture: Picture) -> tuple[float, float]:
    """The width and height of a panel, in inches."""
    rows, columns = (found[picture.series[each]].nunique() for each in (0, -1))
    if picture.kind == "cells":
        wide = 0.4 if found["low"].isna().all() else 0.62
        return max(1.4 + wide * columns, 3.6), 1.4 + 0.36 * rows
    return 5.2, 1.2 + 0.24 * max(rows, 4) if picture.kind == "dots" else 3.9


def _draw(
    axes: Axes, part: pd.DataFrame, numbers: Floats, picture: Picture, styles: dict[str, Any]
) -> None:
    if (systems := part["n"].max()) < picture.least:
        words = f"nothing to draw of {systems} systems:\n{picture.least} or more are needed"
        axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    if picture.kind == "cells":
        _cells(axes, part, picture.series)
        return
    # Shares are from 0 to 1, correlations from -1; an axis is longer only where a number is.
    known: Any = pd.DataFrame(numbers).stack()
    low, high = float(known.min()), max(float(known.max()), 1.0)
    low = min(low, -1.0) if low < -_SEEN else 0.0
    margin = 0.03 * (high - low)
    ends = low - margin, high + margin
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.locator_params(nbins=5)
    if picture.kind == "lines":
        axes.set_ylim(ends)
        _lines(axes, part, styles)
    else:
        axes.set_xlim(ends)
        _dots(axes, part, styles)


def _lines(axes: Axes, part: pd.DataFrame, styles: dict[str, Any]) -> None:
    """Draw a line for each series; those that would hide each other are one, with several names."""
    drawn: list[tuple[Floats, list[str]]] = []
    for name in dict.fromkeys(part["series"]):
        one = part[part["series"] == name]
        numbers = one[["treatment", *_NUMBERS]].to_numpy(dtype=float)
        numbers = numbers[numbers[:, 0].argsort()]
        for other, names in drawn:
            if len(other) == len(numbers) and _hidden(other, numbers):
                names.append(name)
                break
        else:
            drawn.append((numbers, [name]))
    # Where lines end together, that is lower which was lower before.
    drawn.sort(key=lambda line: line[0][::-1, 1].tolist())
    (low, high), room = axes.get_ylim(), room_for_each(axes, 1)
    texts = [textwrap.fill(", ".join(map(plain, names)), _NAMES) for _, names in drawn]
    tall = [1.3 * (1 + text.count("\n")) for text in texts]
    size = min(_SMALL, room / sum(tall))
    ends = [(numbers[-1, 1] - low) / (high - low) for numbers, _ in drawn]
    heights = apart(ends, [each * size / room for each in tall], 1)
    for (numbers, names), text, height in zip(drawn, texts, heights, strict=True):
        (at, estimate, low, high), style = numbers.T, styles[names[0]]
        axes.plot(at, estimate, markersize=3.5, linewidth=1.4, **style)
        axes.fill_between(at, low, high, color=style["color"], alpha=0.12, linewidth=0)
        axes.annotate(
            text,
            (at[-1], estimate[-1]),
            (1.05, height),
            textcoords="axes fraction",
            va="center",
            fontsize=size,
            # A line alone has no name, and needs none.
            arrowprops={**_LEADER, "color": style["color"], "alpha": float(names != [""])},
        )
    varied = sorted({float(each) for each in part["treatment"]})
    if varied[-1] >= 20 * varied[0] > 0:
        axes.set_xscale("log")
    # Before that, an old matplotlib does not know where the axis ends.
    axes.autoscale_view(scaley=False)
    place = axes.transScale + axes.transLimits
    some = varied[:1]
    for each in varied:
        (left, _), (right, _) = place.transform([(some[-1], 0), (each, 0)])
        if right - left > _TICKS:
            some.append(each)
    axes.set_xticks(some, [f"{each:,g}" for each in some])
    axes.set_xticks([], minor=True)


def _hidden(one: Floats, other: Floats) -> bool:
    """Whether one of two lines would hide the other; what is missing in both is alike."""
    first, second = (pd.DataFrame(each).fillna(_MISSING) for each in (one, other))
    return float((first - second).abs().to_numpy().max()) <= _SEEN


def _dots(axes: Axes, part: pd.DataFrame, styles: dict[str, Any]) -> None:
    rows = list(dict.fromkeys(part["method"]))
    for number, (name, style) in enumerate(styles.items()):
        # The legend has dots of other panels too.
        one = part[part["series"] == name]
        shift = 0.5 * (number + 0.5) / len(styles) - 0.25
        at = [rows.index(method) + shift for method in one["method"]]
        axes.hlines(at, one["low"], one["high"], color=style["color"], alpha=0.5, linewidth=3)
        axes.plot(one["estimate"], at, linestyle="none", markersize=4, label=plain(name), **style)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    label_rows(axes, plain_names(rows))


def _cells(axes: Axes, part: pd.DataFrame, sides: Sequence[str]) -> None:
    """Draw a cell for each row and column, with its number and, if it is there, the 95 % interval."""
    first, second = (dict.fromkeys(part[each]) for each in sides)
    # What is a row and a column has one place in both.
    order = list(first | second)
    rows, columns = (sorted(each, key=order.index) for each in (first, second))
    shown = [[math.nan] * len(columns) for _ in rows]
    for one, other, *numbers in part[[*sides, *_NUMBERS]].itertuples(index=False):
        row, column = rows.index(one), columns.index(other)
        shown[row][column] = numbers[0]
        # As in the matrix of systems.
        texts = [f"{each:.2f}".replace("0.", ".").replace("-", "−") for each in numbers]
        text = texts[0].replace("nan", "–")
        if texts[1] != "nan":
            text += f"\n[{texts[1]}, {texts[2]}]"
        axes.text(column, row, text, color=INK, ha="center", va="center", fontsize=6.5)
    colours = ahead_or_behind().with_extremes(bad="white")
    axes.imshow(shown, cmap=colours, vmin=-_PALE, vmax=_PALE, interpolation="none", aspect="auto")
    axes.set_xticks(range(len(columns)), plain_names(columns), rotation=90, fontsize=9)
    axes.xaxis.tick_top()
    label_rows(axes, plain_names(rows))


def _joined(names: Iterable[Any]) -> str:
    return ", ".join(filter(None, map(str, names)))

"""The picture of a study: lines over what was varied, dots and bars of methods, or cells of pairs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from irpref.show.plots import labels
from irpref.show.plots.colours import FAINT, INK, ahead_or_behind
from irpref.show.plots.figures import NewFigure, shown_figure
from irpref.show.reports.study_report import Picture, shown_findings

# Okabe and Ito's, but yellow, which is faint on white, and some of Tol's.
_COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1A1A1A"),
    *("#882255", "#999933", "#332288", "#7A7A7A"),
)
# Their numbers have no common divisor: many series have another colour or another mark each.
_MARKS = "osD^vPX"
# Shades of grey, too, when they are printed in grey.
_SHADES = ("#00523B", "#D5EDE4", "#E69F00", "#7A7A7A")
_NUMBERS = ["estimate", "low", "high"]
_NAMES, _SMALL = 30, 8.0
# An inch holds so many letters.
_LETTERS = 9
# Which ends of an axis the numbers have.
_SCALED = {"lines": "ylim", "dots": "xlim"}
# Nearer ticks, as a share of the axis, would run into each other.
_TICKS = 0.12
# The width of a line, in points, and the length of a dash, in widths.
_WIDTH, _DASH = 1.4, 3
# Up to so many cells hold their intervals too.
_FEW_CELLS = 200
# Cells of 1 and -1 are pale enough for dark letters.
_PALE = 2
_BESIDE = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "frameon": False, "fontsize": 8}
_LEADER = {"arrowstyle": "-", "linestyle": ":", "shrinkA": 0, "shrinkB": 0}
# The bars of a method have so much of its row, and a bar so much of what is there for it.
_FULL, _GAP = 0.84, 0.9


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
    pictures = [each for each in (picture, picture.beside) if each]
    found = [_found(frame, each) for each in pictures]
    # A series looks alike in all panels, also where another one is not there.
    names = dict.fromkeys(name for each in found for name in each["series"])
    colours = _SHADES if picture.kind == "stacks" else _COLOURS
    styles = {
        name: {"color": colours[place % len(colours)], "marker": _MARKS[place % len(_MARKS)]}
        for place, name in enumerate(names)
    }
    panels: dict[Any, Any] = {
        (name, place, *kind): part
        for place, each in enumerate(pictures)
        for (name, *kind), part in found[place].groupby(["collection", *each.panels], sort=False)
    }
    if ax is not None and len(panels) > 1:
        raise ValueError(
            f"the picture has {len(panels)} panels, and one Axes holds one: leave out ax"
        )
    names, kinds = dict.fromkeys(key[0] for key in panels), dict.fromkeys(key[1:] for key in panels)
    places = [(name, *kind) for name in names for kind in kinds]
    # Several panels of each of several collections are a row.
    across = len(kinds) if min(len(names), len(kinds)) > 1 else min(len(places), 2)
    down = -(-len(places) // across)
    width, height = _size(found[0], picture)
    beside = 2.4 if picture.kind == "dots" and len(styles) > 1 else 0.0
    new = new_figure or shown_figure
    figure = new(width * across + beside, height * down) if ax is None else labels.whole_figure(ax)
    if title and found[0][found[0]["n"] >= picture.least]["low"].notna().any():
        title += f" (with {'± 1 standard deviation' if picture.spread else '95 % intervals'})"
    letters, several = int(_LETTERS * width), len(panels) > 1
    title = textwrap.fill(title, letters * across)
    for number, key in enumerate(places):
        if key in panels:
            axes, own = ax or figure.add_subplot(down, across, number + 1), pictures[key[1]]
            # Panels of one kind have one scale, so that they can be compared.
            alike = pd.concat([part for other, part in panels.items() if other[1:] == key[1:]])
            _draw(axes, panels[key], alike, own, styles)
            whose = textwrap.fill(labels.plain(_joined((key[0], *key[2:]))), letters)
            above = whose if several else f"{title}\n{whose}".strip()
            axes.set_title(above, loc="left", fontsize=10)
            if own.kind == "stacks":
                axes.tick_params(labelleft=number % across == 0)
            elif number % across == 0:
                axes.set_ylabel(own.y)
            if not any(below in panels for below in places[number + across :: across]):
                axes.set_xlabel(textwrap.fill(own.x, letters))
            if beside and number == across - 1:
                axes.legend(**_BESIDE)
    if several:
        figure.suptitle(title)
    return figure if several else axes


def _found(frame: pd.DataFrame, picture: Picture) -> pd.DataFrame:
    """The findings of a picture, with the series of each and the ends of its band."""
    found = shown_findings(frame, picture.where)
    if found["estimate"].isna().all():
        raise ValueError("the study found no number that its picture shows")
    if picture.kind != "cells":
        found = found.dropna(subset="estimate")
    elif len(found) > _FEW_CELLS:
        found = found.assign(low=math.nan)
    if picture.spread:
        middle, spread = found["estimate"], found["spread"]
        found = found.assign(low=middle - spread, high=middle + spread)
    words = found["condition"].str.partition(", ")
    found = found.assign(part=words[0], case=words[2])
    # Dots of one method stand in one row.
    told_apart = [each for each in picture.series if picture.kind != "dots" or each != "method"]
    return found.assign(series=[_joined(row) for row in found[told_apart].to_numpy()])


def _size(found: pd.DataFrame, picture: Picture) -> tuple[float, float]:
    """The width and height of a panel, in inches."""
    rows, columns = (found[picture.series[each]].nunique() for each in (0, -1))
    if picture.kind == "cells":
        wide = 0.4 if found["low"].isna().all() else 0.62
        return max(1.4 + wide * columns, 3.6), 1.4 + 0.36 * rows
    if picture.kind == "stacks":
        return 2.6, 0.9 + 0.42 * max(found["method"].nunique(), 5)
    return 5.2, 1.2 + 0.24 * max(rows, 4) if picture.kind == "dots" else 3.9


def _draw(
    axes: Axes, part: pd.DataFrame, alike: pd.DataFrame, picture: Picture, styles: dict[str, Any]
) -> None:
    if (systems := part["n"].max()) < picture.least:
        words = f"nothing to draw of {systems} systems:\n{picture.least} or more are needed"
        axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    if picture.kind in _SCALED:
        _scale(axes, alike, picture)
    if picture.kind != "cells":
        axes.spines[["top", "right"]].set_visible(False)
    _DRAWN[picture.kind](axes, part, picture, styles)


def _scale(axes: Axes, alike: pd.DataFrame, picture: Picture) -> None:
    """Let the axis of the numbers hold those of all panels that are alike."""
    # A band may go on where no number can be.
    numbers = alike[_NUMBERS[:1] if picture.spread else _NUMBERS].to_numpy(dtype=float)
    # From 0, or the quarter below, to 1; an axis is longer only where a number is.
    known: Any = pd.DataFrame(numbers).stack().dropna()
    low, high = min(0.0, math.floor(4 * known.min() + 0.01) / 4), known.max()
    high = max(float(high), 1.0)
    margin = 0.03 * (high - low)
    ends = low - margin, high + margin
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.locator_params(nbins=5)
    axes.set(**{_SCALED[picture.kind]: ends})


def _lines(axes: Axes, part: pd.DataFrame, picture: Picture, styles: Mapping[str, Any]) -> None:
    """Draw a line for each series; where several lie on each other, their dashes and marks take turns."""
    part = part.astype({"treatment": float})
    points, lower, upper = (
        part.pivot(index="treatment", columns="series", values=each) for each in _NUMBERS
    )
    varied = list(points.index)
    known = {str(name): points[name].dropna() for name in points}
    # Where lines end together, that is lower which was lower before.
    names = sorted(known, key=lambda name: known[name].tolist()[::-1])
    ends = {name: (known[name].index[-1], known[name].iloc[-1]) for name in names}
    (low, high), room = axes.get_ylim(), labels.room_for_each(axes, 1)
    texts = [textwrap.fill(labels.plain(name), _NAMES) for name in names]
    tall = [1.3 * (1 + text.count("\n")) for text in texts]
    size = min(_SMALL, room / sum(tall))
    wanted = [(ends[name][1] - low) / (high - low) for name in names]
    heights = labels.apart(wanted, [each * size / room for each in tall], 1)
    marks: dict[str, list[int]] = {name: [] for name in names}
    # A line goes on over what it lacks.
    lines, near = points.interpolate("index", limit_area="inside"), _WIDTH / room * (high - low)
    for turn in range(len(lines)):
        for bundle in _bundles(lines[turn : turn + 1], near):
            # First that of the line with the fewest.
            seen = {name: len(known[name][varied[turn] :]) + len(marks[name]) for name in bundle}
            marks[min(seen, key=seen.__getitem__)].append(turn)
        for bundle in _bundles(lines[turn : turn + 2], near):
            for number, name in enumerate(bundle, turn):
                dashes = (_DASH, _DASH * (len(bundle) - 1))
                style: Any = (-number % len(bundle) * _DASH, dashes) if len(bundle) > 1 else "-"
                stroke, colour = lines[name][turn : turn + 2], styles[name]["color"]
                axes.plot(stroke, color=colour, linewidth=_WIDTH, linestyle=style)
    for name, text, height in zip(names, texts, heights, strict=True):
        style = styles[name]
        axes.plot(points[name], linestyle="none", markersize=3.5, markevery=marks[name], **style)
        # Bands add up.
        faint = {"color": style["color"], "alpha": min(0.12, 0.7 / len(names)), "linewidth": 0}
        axes.fill_between(varied, lower[name], upper[name], **faint)
        # A line alone has no name, and needs none.
        if name:
            leader = {**_LEADER, "color": style["color"]}
            axes.annotate(
                "", ends[name], (1.05, height), textcoords="axes fraction", arrowprops=leader
            )
            free: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
            axes.scatter(1.05, height, s=12, **style, **free)
            axes.text(1.075, height, text, va="center", fontsize=size, **free)
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


def _bundles(piece: pd.DataFrame, near: float) -> Iterator[list[str]]:
    """The names of the lines that lie on each other, in a piece of all lines."""
    rest = piece.dropna(axis=1)
    while len(rest.columns):
        close = (rest.sub(rest.iloc[:, 0], axis=0).abs() <= near).all()
        yield rest.columns[close].tolist()
        rest = rest.loc[:, ~close]


def _stacks(axes: Axes, part: pd.DataFrame, picture: Picture, styles: Mapping[str, Any]) -> None:
    """Draw a bar for each method and treatment, of the shares of all series."""
    rows, varied = (list(dict.fromkeys(part[each])) for each in ("method", "treatment"))
    bars, tall = pd.MultiIndex.from_product([rows, varied]), _FULL / len(varied)
    top = [row + tall * bar - _FULL / 2 for row in range(len(rows)) for bar in range(len(varied))]
    left: Any = 0.0
    for name, style in styles.items():
        one = part[part["series"] == name].set_index(["method", "treatment"])["estimate"]
        share, looks = one.reindex(bars, fill_value=0).to_numpy(), {"color": style["color"]}
        # Hundreds of bars are smaller as an image.
        axes.barh(top, share, _GAP * tall, left, align="edge", rasterized=True, **looks)
        left = left + share
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    several = " … ".join(dict.fromkeys((varied[0], varied[-1])))
    labels.label_rows(
        axes, [f"{name}\n{picture.y} = {several}" for name in labels.plain_names(rows)]
    )


def _triangle(axes: Axes, part: pd.DataFrame, picture: Picture, styles: Mapping[str, Any]) -> None:
    """Draw a cell for every two systems, at their ranks."""
    ranked = list(dict.fromkeys([*part["method"], *part["against"]]))
    image, end = [[(1.0, 1.0, 1.0) for _ in ranked] for _ in ranked], len(ranked) + 0.5
    for one, other, name in part[["method", "against", "series"]].itertuples(index=False):
        image[ranked.index(other)][ranked.index(one)] = to_rgb(styles[name]["color"])
    axes.imshow(image, origin="lower", interpolation="none", extent=(0.5, end, 0.5, end))
    axes.set(xticks=(1, len(ranked)), yticks=(1, len(ranked)), anchor="N")
    handles = [Patch(color=style["color"], label=name) for name, style in styles.items()]
    axes.legend(handles=handles, loc="lower right", frameon=False, fontsize=7)


def _dots(axes: Axes, part: pd.DataFrame, picture: Picture, styles: Mapping[str, Any]) -> None:
    rows = list(dict.fromkeys(part["method"]))
    for number, (name, style) in enumerate(styles.items()):
        # The legend has dots of other panels too.
        one = part[part["series"] == name]
        shift = 0.5 * (number + 0.5) / len(styles) - 0.25
        at = [rows.index(method) + shift for method in one["method"]]
        axes.hlines(at, one["low"], one["high"], color=style["color"], alpha=0.5, linewidth=3)
        axes.plot(
            one["estimate"], at, linestyle="none", markersize=4, label=labels.plain(name), **style
        )
    axes.set_ylim(len(rows) - 0.5, -0.5)
    labels.label_rows(axes, labels.plain_names(rows))


def _cells(axes: Axes, part: pd.DataFrame, picture: Picture, styles: Mapping[str, Any]) -> None:
    """Draw a cell for each row and column, with its number and, if it is there, the 95 % interval."""
    sides = picture.series
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
    axes.set_xticks(range(len(columns)), labels.plain_names(columns), rotation=90, fontsize=9)
    axes.xaxis.tick_top()
    labels.label_rows(axes, labels.plain_names(rows))


_DRAWN = {"lines": _lines, "dots": _dots, "cells": _cells, "stacks": _stacks, "triangle": _triangle}


def _joined(names: Iterable[Any]) -> str:
    return ", ".join(filter(None, map(str, names)))

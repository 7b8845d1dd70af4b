"""The picture of a study: lines over what was varied, dots with their intervals, or cells with numbers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

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
# Nearer ticks, as a share of the axis, would run into each other.
_TICKS = 0.12
# The width of a line, in points, and the length of a dash, in widths.
_WIDTH, _DASH = 1.4, 3
# Up to so many cells hold their intervals too.
_FEW_CELLS = 200
# Cells of 1 and -1 are pale enough for dark letters.
_PALE = 2
_BESIDE = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "frameon": False, "fontsize": 8}
_INSIDE = {"loc": "lower right", "frameon": False, "fontsize": 7, "title_fontsize": 7}
_LEADER = {"arrowstyle": "-", "linestyle": ":", "shrinkA": 0, "shrinkB": 0}
# The bars of a method share so much of its row.
_FULL = 0.84


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
    panels: dict[Any, Any] = {}
    styles: dict[str, Any] = {}
    for place, each in enumerate(pictures):
        found = _found(frame, each)
        # A series looks alike in all panels, also where another one is not there.
        for name in dict.fromkeys(found["series"]):
            style = {"color": _COLOURS[len(styles) % 11], "marker": _MARKS[len(styles) % 7]}
            styles.setdefault(name, style)
        if title and found[found["n"] >= each.least]["low"].notna().any():
            bands = "± 1 standard deviation over samples" if each.spread else "95 % intervals"
            title += f" (with {bands})"
        for (name, *kind), part in found.groupby(["collection", *each.panels], sort=False):
            panels[(name, place, *kind)] = part
    if ax is not None and len(panels) > 1:
        raise ValueError(
            f"the picture has {len(panels)} panels, and one Axes holds one: leave out ax"
        )
    names, kinds = dict.fromkeys(key[0] for key in panels), dict.fromkeys(key[1:] for key in panels)
    places = [(name, *kind) for name in names for kind in kinds]
    # Several panels of each of several collections are a row.
    across = len(kinds) if min(len(names), len(kinds)) > 1 else min(len(places), 2)
    down = -(-len(places) // across)
    width, height = _size(_found(frame, picture), picture)
    beside = 2.4 if picture.kind == "dots" and len(styles) > 1 else 0.0
    new = new_figure or shown_figure
    figure = new(width * across + beside, height * down) if ax is None else whole_figure(ax)
    letters = int(_LETTERS * width)
    title, several = textwrap.fill(title, letters * across), len(panels) > 1
    for number, key in enumerate(places):
        if key in panels:
            axes, drawn = ax or figure.add_subplot(down, across, number + 1), pictures[key[1]]
            # Panels of one kind have one scale, so that they can be compared.
            alike = pd.concat([part for other, part in panels.items() if other[1:] == key[1:]])
            # Some of a band may be where no number can be.
            numbers = alike[_NUMBERS[:1] if drawn.spread else _NUMBERS]
            _draw(axes, panels[key], numbers.to_numpy(), drawn, styles)
            whose = textwrap.fill(plain(_joined((key[0], *key[2:]))), letters)
            above = whose if several else f"{title}\n{whose}".strip()
            axes.set_title(above, loc="left", fontsize=10)
            if number % across and picture.kind == "stacks":
                axes.tick_params(labelleft=key[1] > 0)
            elif picture.kind == "lines":
                axes.set_ylabel("" if number % across else picture.y)
            if not any(below in panels for below in places[number + across :: across]):
                axes.set_xlabel(textwrap.fill(drawn.x, letters))
            if beside and number == across - 1:
                axes.legend(**_BESIDE)
    if several:
        figure.suptitle(title)
    return figure if several else axes


def _found(frame: pd.DataFrame, picture: Picture) -> pd.DataFrame:
    """The findings of a picture, with the series of each, and the ends of its band."""
    found = shown_findings(frame, picture.where)
    if found["estimate"].isna().all():
        raise ValueError("the study found no number that its picture shows")
    if picture.kind != "cells":
        found = found.dropna(subset="estimate")
    elif len(found) > _FEW_CELLS:
        found = found.assign(low=math.nan)
    if picture.spread:
        ends = {"low": found["estimate"] - found["spread"]}
        found = found.assign(**ends, high=found["estimate"] + found["spread"])
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
    axes.spines[["top", "right"]].set_visible(False)
    if picture.kind == "triangle":
        _triangle(axes, part, styles, picture.y)
        return
    if picture.kind == "stacks":
        _stacks(axes, part, styles, picture.y)
        return
    # Shares are from 0 to 1, correlations from -1; an axis is longer only where a number is.
    known: Any = pd.DataFrame(numbers).stack()
    low, high = float(known.min()), max(float(known.max()), 1.0)
    # Axes begin at a quarter.
    low = min(0.0, math.floor(4 * low) / 4)
    margin = 0.03 * (high - low)
    ends = low - margin, high + margin
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
    """Draw a line for each series; where several lie on each other, their dashes take turns."""
    lines: dict[str, Floats] = {}
    for name in dict.fromkeys(part["series"]):
        numbers = part[part["series"] == name][["treatment", *_NUMBERS]].to_numpy(dtype=float)
        lines[name] = numbers[numbers[:, 0].argsort()]
    # Where lines end together, that is lower which was lower before.
    names = sorted(lines, key=lambda name: lines[name][::-1, 1].tolist())
    (low, high), room = axes.get_ylim(), room_for_each(axes, 1)
    texts = [textwrap.fill(plain(name), _NAMES) for name in names]
    tall = [1.3 * (1 + text.count("\n")) for text in texts]
    size = min(_SMALL, room / sum(tall))
    ends = [(lines[name][-1, 1] - low) / (high - low) for name in names]
    heights = apart(ends, [each * size / room for each in tall], 1)
    varied = sorted({float(each) for each in part["treatment"]})
    # Bands over each other add up.
    faint = min(0.12, 0.7 / len(lines))
    turns = _turns(lines, _WIDTH / room * (high - low))
    for name, text, height in zip(names, texts, heights, strict=True):
        style, (at, estimate, below, above) = styles[name], lines[name].T
        axes.fill_between(at, below, above, color=style["color"], alpha=faint, linewidth=0.5)
        pieces, dashes = list[Floats](), list[Any]()
        for start, end in pairwise(lines[name]):
            turn, of = turns[name, start[0], end[0]]
            turn = (turn + varied.index(start[0])) % of
            pieces.append(np.array([start[:2], end[:2]]))
            dashes.append((-turn % of * _DASH, (_DASH, (of - 1) * _DASH)) if of > 1 else "-")
        axes.add_collection(
            LineCollection(pieces, colors=style["color"], linestyles=dashes, linewidths=_WIDTH)
        )
        seen = [
            (turn + varied.index(each)) % of == 0
            for each in at
            for turn, of in [turns[name, each, each]]
        ]
        axes.plot(at, estimate, linestyle="none", markersize=3.5, markevery=seen, **style)
        # A line alone has no name, and needs none.
        if name:
            axes.annotate(
                "",
                (at[-1], estimate[-1]),
                (1.05, height),
                textcoords="axes fraction",
                arrowprops={**_LEADER, "color": style["color"]},
            )
            in_axes = {"transform": axes.transAxes, "clip_on": False}
            axes.scatter([1.05], [height], s=12, **style, **in_axes)
            axes.text(1.075, height, text, va="center", fontsize=size, **in_axes)
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


def _turns(
    lines: Mapping[str, Floats], near: float
) -> dict[tuple[str, float, float], tuple[int, int]]:
    """Which piece each is of how many that lie on each other: from one x to another, or a point."""
    pieces: dict[tuple[float, float], list[tuple[str, Floats]]] = {}
    for name, line in lines.items():
        for start, end in (*pairwise(line), *zip(line, line, strict=True)):
            heights = np.array([start[1], end[1]])
            pieces.setdefault((start[0], end[0]), []).append((name, heights))
    turns = {}
    for between, those in pieces.items():
        bundles: list[list[tuple[str, Floats]]] = []
        for name, heights in those:
            close = (each for each in bundles if np.abs(each[0][1] - heights).max() <= near)
            bundle = next(close, [])
            if not bundle:
                bundles.append(bundle)
            bundle.append((name, heights))
        for bundle in bundles:
            for turn, (name, _) in enumerate(bundle):
                turns[(name, *between)] = turn, len(bundle)
    return turns


def _stacks(axes: Axes, part: pd.DataFrame, styles: Mapping[str, Any], what: str) -> None:
    rows, varied = (list(dict.fromkeys(part[each])) for each in ("method", "treatment"))
    tall = _FULL / len(varied)
    tops = np.arange(len(rows))[:, None] - _FULL / 2 + tall * np.arange(len(varied))
    # Nothing is drawn from the end of a bar to the next one.
    edges = np.stack([tops, tops + 0.9 * tall], axis=-1).ravel()
    left = np.zeros(len(edges))
    for name, shade in zip(styles, _SHADES, strict=False):
        one = part[part["series"] == name].pivot(
            index="method", columns="treatment", values="estimate"
        )
        right = left + np.repeat(one.loc[rows, varied].to_numpy().ravel(), 2)
        shown = np.where(np.arange(len(edges)) % 2, math.nan, right)[:-1]
        axes.stairs(
            shown, edges, baseline=left[:-1], orientation="horizontal", fill=True, color=shade
        )
        left = right
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    several = " … ".join(dict.fromkeys((varied[0], varied[-1])))
    label_rows(axes, [f"{name}\n{what} = {several}" for name in plain_names(rows)])


def _triangle(axes: Axes, part: pd.DataFrame, styles: Mapping[str, Any], said: str) -> None:
    ranked = list(dict.fromkeys([*part["method"], *part["against"]]))
    rank = {name: place for place, name in enumerate(ranked)}
    kinds = np.full((len(rank), len(rank)), math.nan)
    shown = part["series"].map(list(styles).index)
    kinds[part["against"].map(rank), part["method"].map(rank)] = shown
    end = len(rank) + 0.5
    axes.imshow(
        kinds,
        ListedColormap(_SHADES),
        vmin=-0.5,
        vmax=len(_SHADES) - 0.5,
        origin="lower",
        interpolation="none",
        extent=(0.5, end, 0.5, end),
    )
    for each in (axes.xaxis, axes.yaxis):
        each.set_ticks(sorted({1, len(rank)}))
    handles = [Patch(color=shade, label=name) for name, shade in zip(styles, _SHADES, strict=False)]
    axes.legend(handles=handles, title=said, **_INSIDE)
    axes.set_anchor("N")


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

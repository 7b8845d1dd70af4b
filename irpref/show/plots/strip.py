"""Strips: two rankings of one topic as barcodes, equal recall levels joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from irpref.pairwise.feeds.plot_numbers import Barcodes
from irpref.show.plots.colours import BLUE, INK, OTHER_TIE, QUIET, TIE, VERMILLION, colour_of
from irpref.show.plots.figures import NewAxes
from irpref.show.plots.labels import entitle, plain, plain_names, shorter_lists, whole_numbers

_TOP, _BOTTOM = 1.0, 0.0
_HIGHEST_BAR = 0.24


def draw_strip(
    place: NewAxes,
    names: tuple[str, str],
    codes: Barcodes,
    *,
    topic: str,
    depth: int | None,
) -> Axes:
    """Draw the relevant items of a topic in two rankings.

    A bar is a relevant item, higher for a higher grade, on a light ground where its score is tied. A line
    joins the places of one recall level in the colour of the system that needs less effort; a level that
    only one system reaches leads to the right edge. The deciding levels of LP and LR are drawn thick.

    Args:
        place: Where to draw.
        names: The names of the two systems.
        codes: The result of :func:`.barcodes`.
        topic: The name of the topic.
        depth: How deep the rankings are shown; None for all of it.
    """
    levels, grades, lengths = codes.levels, codes.grades, codes.lengths
    axes = place(10.0, 3.9)
    sides = (("a", _TOP, +1, BLUE), ("b", _BOTTOM, -1, VERMILLION))
    positions = {side: levels[f"position_{side}"] for side, *_ in sides}
    found = {side: [*filter(math.isfinite, column)] for side, column in positions.items()}
    deepest = int(max([*found["a"], *found["b"]], default=1))
    if depth is not None:
        deepest = max(min(depth, max(lengths)), 1)
    never = deepest * 1.035 + 0.5
    # In points: two bars side by side stay two.
    width = max(0.6, min(3.0, 350 / deepest))
    for (side, base, up, colour), length in zip(sides, lengths, strict=True):
        end = min(deepest, length) + 0.5
        axes.plot([0.5, end], [base, base], color=QUIET, linewidth=1, zorder=1)
        _draw_ties(axes, levels, side, base, up, deepest)
        for number, grade in enumerate(grades, start=1):
            at = positions[side][levels[f"grade_{side}"] == grade].tolist()
            top = base + up * _HIGHEST_BAR * number / len(grades)
            axes.vlines(at, base, top, color=colour, linewidth=width, zorder=3)
    faint = 0.75 if len(levels) < 60 else 0.4
    for _, row in levels[levels["sign"] != 0].iterrows():
        _join(axes, row, never, linewidth=0.7, alpha=faint, zorder=2)
    _name_deciding(axes, levels, depth, never)
    a, b = map(len, found.values())
    if a != b:
        # The side that retrieves fewer.
        axes.text(
            never + deepest * 0.008,
            _TOP if a < b else _BOTTOM,
            "not found" if depth is None else f"not in the\nfirst {deepest:,}",
            va="center",
            fontsize=8,
            color=QUIET,
        )
    axes.set_xlim(0, never + deepest * (0.09 if a != b else 0))
    axes.set_ylim(-0.53, 1.53)
    axes.set_yticks([_TOP, _BOTTOM], plain_names(names))
    for label, (_, _, _, colour) in zip(axes.get_yticklabels(), sides, strict=True):
        label.set(color=colour, fontweight="bold")
    axes.tick_params(axis="y", length=0)
    whole_numbers(axes, 1, deepest)
    axes.spines["bottom"].set_bounds(1, deepest)
    axes.spines[["top", "right", "left"]].set_visible(False)
    one, other = plain_names(names)
    ended = shorter_lists((one, other), lengths, deepest)
    axes.set_xlabel(f"position in the ranking{ended}\n{_words(levels, grades)}")
    title = f"Topic {plain(topic, 28)}: {one} against {other}"
    entitle(axes, title, len(levels), noun="relevant document")
    return axes


def _words(levels: pd.DataFrame, grades: Sequence[float]) -> str:
    least, most = grades[0], grades[-1]
    bar = f"bar: a relevant document, all of grade {most:g}"
    if least < most:
        bar = f"bar: a relevant document, higher for a higher grade ({least:g} to {most:g})"
    tied = any((levels[f"tie_last_{side}"] > levels[f"tie_first_{side}"]).any() for side in "ab")
    return (
        f"{bar}{'; grey ground: tied scores' if tied else ''}\n"
        "line: the same recall level, in the colour of who reaches it first"
    )


def _draw_ties(
    axes: Axes, levels: pd.DataFrame, side: str, base: float, up: int, deepest: int
) -> None:
    tied_groups = levels[[f"tie_first_{side}", f"tie_last_{side}"]].dropna().drop_duplicates()
    for number, (first, last) in enumerate(tied_groups.itertuples(index=False)):
        if last > first:
            # Neighbouring groups differ a little, so that one sees where one ends.
            axes.fill_between(
                [first - 0.5, min(last, deepest) + 0.5],
                base,
                base + up * (_HIGHEST_BAR + (0.05 if number % 2 else 0.03)),
                color=TIE if number % 2 else OTHER_TIE,
                linewidth=0,
                zorder=0,
            )


def _join(axes: Axes, level: pd.Series, never: float, **style: Any) -> list[float]:
    """Join both places of a recall level, and say where they are."""
    ends = [min(level[f"position_{side}"], never) for side in "ab"]
    axes.plot(ends, [_TOP, _BOTTOM], color=colour_of(level["sign"]), **style)
    return ends


def _name_deciding(axes: Axes, levels: pd.DataFrame, depth: int | None, never: float) -> None:
    """Draw the deciding levels thick, and name them; one name for both where one level decides both."""
    cut = "" if depth is None else f"@{depth}"
    named: list[tuple[int, float]] = []
    for level, row in levels[levels["LP"] | levels["LR"]].iterrows():
        name = " and ".join(each for each in ("LP", "LR") if row[each])
        sign, ends = row["sign"], _join(axes, row, never, linewidth=2.4, zorder=4)
        height = 1.29 if sign > 0 else -0.29
        start = ends[0] if sign > 0 else ends[1]
        # A second name near the first one has a line of its own.
        near = any(side == sign and abs(start - at) < never / 3 for side, at in named)
        named.append((sign, start))
        axes.annotate(
            f"{name.replace(' ', f'{cut} ', 1)}{cut}: level {level}",
            (start, height),
            (0, 12 * sign if near else 0),
            textcoords="offset points",
            ha="left" if start < never / 2 else "right",
            va="bottom" if sign > 0 else "top",
            fontsize=9,
            weight="bold",
            color=INK,
        )

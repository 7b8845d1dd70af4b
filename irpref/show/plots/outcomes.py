"""Outcomes: how many topics each of two systems wins, by each preference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Record
from irpref.show.plots import labels
from irpref.show.plots.colours import BLUE, INK, TIE, VERMILLION
from irpref.show.plots.figures import NewAxes

_HATCHES = ("////", "....", "xxxx", "\\\\\\\\")


def draw_outcomes(
    place: NewAxes, names: tuple[str, str], records: Mapping[Criterion, Record]
) -> Axes:
    """Draw a bar for each preference: wins, ties, what it counts besides, losses.

    A count that is wider than its part of the bar is left out. The dotted line is half of the topics.

    Args:
        place: Where to draw.
        names: The names of the two systems.
        records: The outcomes of the first system against the second one (:meth:`.PairTable.records`).
    """
    axes = place(8.0, 1.8 + 0.5 * len(records))
    a, b = labels.plain_names(names)
    own = {name: relation for each in records for name, relation in each.own_outcomes.items()}
    styles: dict[str, tuple[str, dict[str, Any]]] = {
        "wins": (f"{a} wins", {"facecolor": BLUE}),
        "losses": (f"{b} wins", {"facecolor": VERMILLION}),
        "ties": ("tie", {"facecolor": TIE}),
    }
    for number, (name, relation) in enumerate(own.items()):
        hatched = {"facecolor": "white", "hatch": _HATCHES[number % len(_HATCHES)]}
        styles[name] = (labels.plain(relation.heading or name), hatched | {"edgecolor": "#8A8A8A"})
    texts: list[tuple[Text, float]] = []
    for row, (criterion, record) in enumerate(records.items()):
        start = 0.0
        for name in ("wins", "ties", *criterion.own_outcomes, "losses"):
            count = record[name]
            axes.barh(row, count, left=start, height=0.68, linewidth=0, **styles[name][1])
            dark = name in ("wins", "losses")
            if count:
                text = axes.text(
                    start + count / 2,
                    row,
                    # An expected one, over all orders of ties, with one digit.
                    f"{round(count, 1):,g}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="white" if dark else INK,
                    weight="bold" if dark else "normal",
                )
                if not dark:
                    # No line runs through it.
                    ground = styles[name][1]["facecolor"]
                    text.set_bbox({"facecolor": ground, "linewidth": 0, "pad": 1.2})
                texts.append((text, count))
            start += count
        half = record["topics"] / 2
        axes.vlines(half, row - 0.42, row + 0.42, color=INK, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(records)), [labels.plain(each) for each in records])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(records) - 0.45, -0.55)
    most = max(record["topics"] for record in records.values())
    axes.set_xlim(0, max(most, 1))
    labels.whole_numbers(axes, 0, max(most, 1))
    axes.set_xlabel("topics (dotted: half of them)")
    axes.spines[["top", "right", "left"]].set_visible(False)
    labels.entitle(axes, f"{a} against {b} by each preference", most)
    handles = [Patch(label=words, **style) for words, style in styles.values()]
    # Half an inch: below the words at the axis.
    below = offset_copy(axes.transAxes, labels.whole_figure(axes), y=-0.5)
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=below,
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    labels.lay_out(axes)
    width = axes.get_window_extent().width / max(most, 1)
    for text, count in texts:
        if text.get_window_extent().width > count * width - 4:
            text.remove()
    return axes

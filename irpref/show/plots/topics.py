"""Topics by depth: the lead in relevant items, in the five groups of IPSO."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from irpref.pairwise.challenges import GROUPS
from irpref.report.table import count_of
from irpref.show.plots.colours import BLUE, INK, VERMILLION, ahead_or_behind, whole_steps
from irpref.show.plots.figures import NewAxes
from irpref.show.plots.labels import (
    entitle,
    label_rows,
    lay_out,
    plain_names,
    room_for_each,
    shorter_lists,
    whole_figure,
)


def draw_topics(
    place: NewAxes, names: tuple[str, str], leads: pd.DataFrame, *, preference: str
) -> Axes:
    """Draw a row for each topic, in the order of the frame, and a column for each depth.

    Args:
        place: Where to draw.
        names: The names of the two systems.
        leads: The result of :func:`.topic_leads`.
        preference: What the groups are by.
    """
    a, b = plain_names(names)
    greatest = int(leads.abs().to_numpy().max(initial=0))
    depth, rows = leads.shape[1], len(leads)
    axes = place(9.0, min(1.9 + 0.15 * max(rows, 8), 11.3))
    cells = axes.imshow(
        leads.to_numpy(),
        cmap=ahead_or_behind(),
        norm=Normalize(-(greatest or 1), greatest or 1),
        aspect="auto",
        interpolation="none",
        extent=(0.5, depth + 0.5, rows - 0.5, -0.5),
    )
    ticks = whole_steps(greatest)
    bar = whole_figure(axes).colorbar(cells, ax=axes, shrink=0.6, ticks=ticks, pad=0.02)
    bar.ax.yaxis.set_major_formatter(lambda lead, _: f"{abs(lead):g}")
    bar.set_label(f"relevant documents ahead\n(darkest: {greatest:,})")
    axes.set_xticks(_depths(depth))
    axes.set_xlabel(f"depth k{shorter_lists((a, b), leads.attrs['lengths'], depth)}")
    axes.set_ylabel("topic")
    topics = leads.index.get_level_values("topic")
    label_rows(axes, plain_names(list(topics)))
    # In the order of the groups.
    phrases = (
        (f"**: both lead,\n{b} first", VERMILLION),
        (f"ns: {b}\nnever behind", VERMILLION),
        ("=: never apart", INK),
        (f"ni: {a}\nnever behind", BLUE),
        (f"**: both lead,\n{a} first", BLUE),
    )
    words = dict(zip(GROUPS, phrases, strict=True))
    sizes = leads.groupby(level="group", sort=False).size()
    ends = sizes.cumsum()
    for end in ends[:-1]:
        axes.axhline(end - 0.5, color=INK, linewidth=1)
    centres = (ends - sizes / 2 - 0.5).to_list()
    texts = [f"{words[str(group)][0]} ({size:,})" for group, size in sizes.items()]
    groups = axes.twinx()
    groups.set_ylim(axes.get_ylim())
    groups.tick_params(axis="y", length=0, labelsize=8.5)
    groups.set_yticks(centres, texts)
    lay_out(axes)
    # A text has two lines: so many rows high is the room that it needs.
    height = 2 * 8.5 * 1.25 / room_for_each(axes, rows)
    groups.set_yticks(_apart(centres, height, rows), texts)
    for label, group in zip(groups.get_yticklabels(), sizes.index, strict=True):
        label.set_color(words[str(group)][1])
    entitle(axes, f"{a} against {b} in the groups of {preference}, {count_of(rows, 'topic')}")
    return axes


def _depths(depth: int) -> list[int]:
    """Depth 1, and whole steps to the deepest.

    Example:
        >>> _depths(20), _depths(7)
        ([1, 5, 10, 15, 20], [1, 2, 3, 4, 5, 6, 7])
    """
    if depth <= 10:
        return list(range(1, depth + 1))
    size = 10 ** (len(str(depth)) - 1)
    step = next(each for each in (size // 10 * 5 or 1, size, 2 * size) if depth <= 8 * each)
    return [1, *range(step, depth + 1, step)]


def _apart(centres: Sequence[float], height: float, rows: int) -> list[float]:
    """The centres, moved as little as it takes that each is a height from the one before it.

    Example:
        >>> _apart([0.0, 1.0, 8.0], 2.0, 10)
        [0.0, 2.0, 8.0]
    """
    places: list[float] = []
    for centre in centres:
        places.append(max(centre, places[-1] + height) if places else centre)
    limit = rows - 0.5
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], limit)
        limit = places[number] - height
    return places

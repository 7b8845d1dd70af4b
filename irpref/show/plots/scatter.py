"""The scatter: how the systems stand by two preferences, coloured by a third one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.feeds.plot_numbers import BEST
from irpref.report.table import end_of_scale
from irpref.show.plots.colours import FAINT, INK, by_root, root_ticks
from irpref.show.plots.figures import NewAxes
from irpref.show.plots.labels import entitle, lay_out, plain, plain_names, whole_figure

_MOST_NAMES = 20
_DOT = 6.0
# Where a name may stand beside its dot, in points, the best place first; farther away with a line to it.
_NEAR = ((6, 0), (-6, 0), (0, 6), (0, -6), (5, 5), (5, -5), (-5, 5), (-5, -5))
_PLACES = [(times * right, times * up) for times in (1, 3, 5) for right, up in _NEAR]


def draw_scatter(
    place: NewAxes, means: pd.DataFrame, preferences: Sequence[Criterion], *, topics: int
) -> Axes:
    """Draw a dot for each system.

    The first 20 systems of the frame get their names, each at the first place around its dot where the
    name is over no dot and no other name; a name without such a place is left out.

    Args:
        place: Where to draw.
        means: The result of :func:`.system_means`: the systems to name come first.
        preferences: What is along x, along y and coloured.
        topics: On how many topics.
    """
    axes = place(8.4, 6.9)
    greatest = means.abs().max()
    ends = [
        end_of_scale(each.bounds, float(greatest[column]), least=0.2 if column < 2 else 0)
        for column, each in enumerate(preferences)
    ]
    x, y, colour = (_words(each, end) for each, end in zip(preferences, ends, strict=True))
    axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    dots = axes.scatter(
        means[0],
        means[1],
        c=means[2],
        cmap="viridis",
        norm=by_root(ends[2]),
        s=_DOT**2,
        edgecolors=INK,
        linewidths=0.4,
        zorder=3,
    )
    across, up = (1.04 * end for end in ends[:2])
    axes.set(xlabel=x, ylabel=y, xlim=(-across, across), ylim=(-up, up))
    axes.spines[["top", "right"]].set_visible(False)
    ticks = root_ticks(ends[2])
    whole_figure(axes).colorbar(dots, ax=axes, shrink=0.8, pad=0.02, label=colour, ticks=ticks)
    one, other, third = map(plain, preferences)
    title = f"{len(means):,} systems by {one} and {other}, coloured by {third}"
    named = f"Named: the {BEST} best by {third}, and those on which {one} and {other} differ most"
    several = len(means) > _MOST_NAMES
    entitle(axes, title, topics, f"{named}, where there is room" if several else "")
    _name_dots(axes, means)
    return axes


def _words(preference: Criterion, end: float) -> str:
    can = preference.bounds[1]
    beyond = f"; at most {can:g}" if end < can < math.inf else ""
    return f"mean {plain(preference)} over all other systems (−{end:g} to {end:g}{beyond})"


def _name_dots(axes: Axes, means: pd.DataFrame) -> None:
    lay_out(axes)
    pixel = whole_figure(axes).dpi / 72
    reach = _DOT / 2 * pixel
    centres = axes.transData.transform(means[[0, 1]].to_numpy())
    taken = [Bbox.from_extents(x - reach, y - reach, x + reach, y + reach) for x, y in centres]
    inside = axes.get_window_extent()
    named = means.head(_MOST_NAMES)
    line = {"arrowstyle": "-", "color": INK, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
    for name, x, y in zip(plain_names(list(named.index)), named[0], named[1], strict=True):
        for right, up in _PLACES:
            text = axes.annotate(
                name,
                (x, y),
                (right, up),
                textcoords="offset points",
                ha="left" if right > 0 else "right" if right else "center",
                va="bottom" if up > 0 else "top" if up else "center",
                fontsize=8,
                color=INK,
                zorder=4,
                arrowprops=line if max(abs(right), abs(up)) > _DOT else None,
            )
            # It is inside, so that it needs no room of its own.
            text.set_in_layout(False)
            text.get_window_extent()
            # Now that it has its place: without the line to its dot.
            box = Text.get_window_extent(text)
            within = inside.contains(box.x0, box.y0) and inside.contains(box.x1, box.y1)
            if within and not box.count_overlaps(taken):
                taken.append(box)
                break
            text.remove()

"""The scatter: how the systems stand by two preferences, coloured by a third one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from irpref.methods.preferences.criterion import Criterion
from irpref.show.plots.colours import FAINT, INK
from irpref.show.plots.figures import NewAxes
from irpref.show.plots.labels import lay_out, plain, plain_names, whole_figure

_MOST_NAMES = 20
_DOT = 6.0
# Where a name may stand beside its dot, in points, the best place first.
_PLACES = (
    (6, 0, "left", "center"),
    (-6, 0, "right", "center"),
    (0, 6, "center", "bottom"),
    (0, -6, "center", "top"),
    (5, 5, "left", "bottom"),
    (5, -5, "left", "top"),
    (-5, 5, "right", "bottom"),
    (-5, -5, "right", "top"),
)


def draw_scatter(place: NewAxes, means: pd.DataFrame, preferences: Sequence[Criterion]) -> Axes:
    """Draw a dot for each system.

    The first 20 systems of the frame get their names, each at the first of eight places around its dot
    where the name is over no dot and no other name; a name without such a place is left out.

    Args:
        place: Where to draw.
        means: The result of :func:`.system_means`: the systems on whose ranks the two preferences disagree
            most come first.
        preferences: What is along x, along y and coloured.
    """
    axes = place(8.4, 6.6)
    x, y, colour = map(_words, preferences)
    axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    dots = axes.scatter(
        means[0],
        means[1],
        c=means[2],
        cmap="viridis",
        s=_DOT**2,
        edgecolors=INK,
        linewidths=0.4,
        zorder=3,
    )
    axes.margins(0.08)
    axes.set(xlabel=x, ylabel=y)
    axes.spines[["top", "right"]].set_visible(False)
    whole_figure(axes).colorbar(dots, ax=axes, shrink=0.8, pad=0.02, label=colour)
    _name_dots(axes, means)
    return axes


def _words(preference: Criterion) -> str:
    least, greatest = preference.bounds
    known = math.isfinite(least) and math.isfinite(greatest)
    between = f" ({least:g} to {greatest:g})".replace("-", "−") if known else ""
    return f"mean {plain(preference)} over all other systems{between}"


def _name_dots(axes: Axes, means: pd.DataFrame) -> None:
    lay_out(axes)
    pixel = whole_figure(axes).dpi / 72
    reach = _DOT / 2 * pixel
    centres = axes.transData.transform(means[[0, 1]].to_numpy())
    taken = [Bbox.from_extents(x - reach, y - reach, x + reach, y + reach) for x, y in centres]
    inside = axes.get_window_extent()
    named = means.head(_MOST_NAMES)
    for name, x, y in zip(plain_names(list(named.index)), named[0], named[1], strict=True):
        for right, up, ha, va in _PLACES:
            text = axes.annotate(
                name,
                (x, y),
                (right, up),
                textcoords="offset points",
                ha=ha,
                va=va,
                fontsize=8,
                color=INK,
                zorder=4,
            )
            # It is inside, so that it needs no room of its own.
            text.set_in_layout(False)
            box = text.get_window_extent()
            within = inside.contains(box.x0, box.y0) and inside.contains(box.x1, box.y1)
            if within and not box.count_overlaps(taken):
                taken.append(box)
                break
            text.remove()

"""What a picture shows: its numbers and texts, as matplotlib would draw them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import irpref
from irpref import Comparison
from irpref.show.plots.figures import free_figure
from tests.random_cases import make_case


def comparison_of(names: Sequence[str], *, topics: int = 8) -> Comparison:
    """Systems of these names on random topics."""
    return _comparison_of(tuple(names), topics)


@cache
def _comparison_of(names: tuple[str, ...], topics: int) -> Comparison:
    case = make_case(5, topics=topics, systems=len(names))
    runs = dict(zip(names, case.runs.values(), strict=True))
    return irpref.compare(case.qrels, runs)


def free(comparison: Comparison) -> irpref.api.comparison_plots.ComparisonPlots:
    """Its pictures, in figures that pyplot knows nothing of."""
    return comparison.plot.with_figures(free_figure)


def texts(figure: Figure) -> list[Text]:
    """Every text that is seen, from titles to ticks."""
    if figure.stale:
        figure.draw_without_rendering()
    found = [text for axes in figure.axes for text in _of(axes)]
    found += [figure._suptitle] if figure._suptitle is not None else []
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def _of(axes: Axes) -> Iterator[Text]:
    yield from axes.texts
    yield from (axes.title, axes._left_title, axes._right_title)
    legend = axes.get_legend()
    yield from legend.get_texts() if legend is not None else ()
    for axis in (axes.xaxis, axes.yaxis):
        yield axis.label
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if low <= tick.get_loc() <= high:
                yield from (tick.label1, tick.label2)


def misplaced(figure: Figure) -> list[str]:
    """The texts of a figure that run into another one, or that its edge cuts."""
    found, edge = texts(figure), figure.bbox
    boxes = [_box(text) for text in found]
    return [
        text.get_text()
        for number, (text, box) in enumerate(zip(found, boxes, strict=True))
        if box.count_overlaps(boxes[:number])
        or not all(edge.contains(*corner) for corner in box.corners())
    ]


def _box(text: Text) -> Bbox:
    # Without the line to its dot, and less a pixel, which letters do not fill.
    return Text.get_window_extent(text).padded(-1)


def title(drawn: Axes | Figure) -> str:
    """The title of a picture."""
    return drawn.get_title(loc="left") if isinstance(drawn, Axes) else drawn.get_suptitle()


def hatched(axes: Axes, how: str | None = None) -> set[tuple[int, int]]:
    """The rows and columns of the cells that are hatched, anyhow or in one way."""
    found = set()
    for each in axes.collections:
        for path in (
            each.get_paths() if each.get_hatch() and how in (None, each.get_hatch()) else ()
        ):
            (left, top), (right, bottom) = path.vertices.min(axis=0), path.vertices.max(axis=0)
            assert bottom - top == 1
            found |= {(round(top + 0.5), round(at + 0.5)) for at in np.arange(left, right)}
    return found


def row_names(axes: Axes) -> list[str]:
    """The texts of the ticks along y."""
    return [label.get_text() for label in axes.get_yticklabels()]


def segments(axes: Axes) -> list[list[tuple[float, float]]]:
    """The lines that ``vlines`` drew."""
    lines = (each for each in axes.collections if isinstance(each, LineCollection))
    found = chain.from_iterable(each.get_segments() for each in lines)
    return [[(float(x), float(y)) for x, y in line] for line in found]

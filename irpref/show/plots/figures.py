"""Figures: new ones, and what is written of them to a file."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeAlias

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from irpref.base.literals import PictureFormat
from irpref.show.plots.labels import whole_figure

NewFigure: TypeAlias = Callable[[float, float], Figure]
"""Makes a figure of a width and a height, in inches."""
NewAxes: TypeAlias = Callable[[float, float], Axes]
"""Gives the Axes to draw into, or makes them in a figure of a width and a height, in inches."""

_DOTS = 200
_DIGITS = 4
# Nothing in a file says when it was made; how it was made stands where no reader is disturbed.
_METADATA: dict[PictureFormat, tuple[str, dict[str, Any]]] = {
    "svg": ("Description", {"Date": None}),
    "pdf": ("Subject", {"CreationDate": None}),
    "png": ("Description", {}),
}


# A layout stands still after two or three times.
_TIMES = 5


class _RoundLayout(ConstrainedLayoutEngine):
    """Constrained layout, as often as something moves: once leaves names cut where the sides have a ratio.

    Its last digits differ from one time to the next: it has less digits.
    """

    def execute(self, fig: Figure) -> None:
        for _ in range(_TIMES):
            before = [axes.get_position().bounds for axes in fig.axes]
            super().execute(fig)
            for axes in fig.axes:
                bounds = axes.get_position(original=True).bounds
                axes.set_position(tuple(round(each, _DIGITS) for each in bounds))
                # To be laid out again where something changes.
                axes.set_in_layout(True)
            if before == [axes.get_position().bounds for axes in fig.axes]:
                return


def shown_figure(width: float, height: float) -> Figure:
    """A figure that a notebook shows, and ``plt.show()`` too."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout=_RoundLayout())


def free_figure(width: float, height: float) -> Figure:
    """A figure that is only written to a file, and needs no display."""
    return Figure(figsize=(width, height), layout=_RoundLayout())


def picture(drawn: Axes | Figure | SubFigure, form: PictureFormat) -> bytes:
    """The figure of what was drawn as a file of this format holds it; the same one gives the same bytes.

    How ranks and tests were made, a seed too, stands in its metadata. Texts in an SVG are outlines: with
    the fonts of another machine they would be wider, and run into each other.

    Example:
        >>> figure = free_figure(2, 1)
        >>> picture(figure, "svg") == picture(figure, "svg")
        True
    """
    file, figure = BytesIO(), whole_figure(drawn)
    name, metadata = _METADATA[form]
    signed = [label for axes in figure.axes if (label := str(axes.get_label())).startswith("pref:")]
    if signed:
        metadata = {**metadata, name: signed[0]}
    with mpl.rc_context({"svg.hashsalt": "irpref", "svg.fonttype": "path"}):
        figure.savefig(file, format=form, dpi=_DOTS, metadata=metadata)
    return file.getvalue()

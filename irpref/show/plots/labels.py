"""Names and texts in pictures: drawn as they are, short enough, and never over each other."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Literal, TypeVar

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from irpref.base.escape import shortened
from irpref.report.table import count_of
from irpref.show.plots.colours import INK

Drawn = TypeVar("Drawn", bound=Artist)

_LONGEST, _MOST, _START = 28, 60, 8
# An inch of a title holds so many letters.
_LETTERS = 12
_LARGEST, _SMALLEST = 9.0, 6.5
# A line of text needs so much more than its font's size.
_LINE = 1.3


def plain(text: object, longest: int = _MOST) -> str:
    r"""The text as matplotlib draws it letter by letter: on one line, and ``$`` begins no formula.

    Example:
        >>> print(plain("$x$_run\n"))
        \$x\$_run\n
    """
    return shortened(str(text), longest).replace("$", r"\$")


def plain_names(names: Sequence[str]) -> list[str]:
    """The names for a picture, of 28 characters at most.

    Longer names lose their middle. Where this leaves no difference, they keep where they begin to differ.

    Example:
        >>> plain_names(["bm25", "a-name-that-is-much-too-long-for-a-picture"])
        ['bm25', 'a-name-that-is…for-a-picture']
        >>> plain_names([f"a-name-that-differs-{each}-somewhere-in-its-middle" for each in "xy"])
        ['a-name-t…x-somewhe…ts-middle', 'a-name-t…y-somewhe…ts-middle']
    """
    short = [shortened(name, _LONGEST) for name in names]
    for alike in set(short):
        group = [row for row, each in enumerate(short) if each == alike]
        if len({names[row] for row in group}) > 1:
            letters = zip(*(names[row] for row in group), strict=False)
            # With so many letters all of them begin.
            same = next((place for place, each in enumerate(letters) if len({*each}) > 1), 0)
            for row in group:
                rest = shortened(names[row][same:], _LONGEST - _START - 1)
                short[row] = f"{shortened(names[row][:_START])}…{rest}"
    return [name.replace("$", r"\$") for name in short]


def number(value: float, digits: int) -> str:
    """A number with its sign, the true minus.

    Example:
        >>> number(-0.25, 2), number(0.5, 3)
        ('−0.25', '+0.500')
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def whole_figure(part: Axes | Figure | SubFigure) -> Figure:
    """The figure that an Axes or a part of a figure belongs to."""
    holder: Any = part if hasattr(part, "canvas") else part.figure
    figure: Figure = holder.canvas.figure
    return figure


def in_words(drawn: Drawn, words: Callable[[str], str]) -> Drawn:
    """What was drawn, its texts in the words for the data, those at bars of colours too."""
    images: list[Any] = drawn.findobj(AxesImage)
    bars = [image.colorbar.ax for image in images if image.colorbar]
    for part in (drawn, *bars):
        for text in part.findobj(Text):
            text.set_text(words(text.get_text()))
    return drawn


def lay_out(part: Axes | Figure | SubFigure) -> None:
    """Let the figure arrange its parts, so that sizes can be measured."""
    whole_figure(part).draw_without_rendering()


def apart(wanted: Sequence[float], tall: Sequence[float], limit: float) -> list[float]:
    """Rising places from 0 to a limit for what is so tall, as near to the wanted ones as can be.

    Example:
        >>> [round(each, 2) for each in apart([0.3, 0.5, 0.5, 1.0], [0.1] * 4, 1)]
        [0.3, 0.45, 0.55, 1.0]
    """
    steps = [end - (tall[0] + own) / 2 for end, own in zip(accumulate(tall), tall, strict=True)]
    moves = [each - step for each, step in zip(wanted, steps, strict=True)]
    above = accumulate(moves, max)
    below = [*accumulate(reversed(moves), min)][::-1]
    return [
        min(max((high + low) / 2, 0), limit - steps[-1]) + step
        for high, low, step in zip(above, below, steps, strict=True)
    ]


def room_for_each(axes: Axes, rows: int, along: Literal["x", "y"] = "y") -> float:
    """How many points of an axis each of so many rows, or columns, has."""
    extent = axes.get_window_extent()
    pixels = extent.height if along == "y" else extent.width
    return float(pixels / whole_figure(axes).dpi * 72 / max(rows, 1))


def label_rows(axes: Axes, names: Sequence[str], along: Literal["x", "y"] = "y") -> None:
    """Write a name at each row (or column) 0, 1, …: smaller where there are many, never over each other.

    A name has 9 points, or as few as 6.5 where the rows are so near; where these are nearer still, every
    second row has its name, or every third, and so on, from the first one. Call it when nothing will
    change the size of the Axes any more but its labels.
    """
    lay_out(axes)
    axis = axes.yaxis if along == "y" else axes.xaxis
    # Numbers below columns are wider than high.
    widest = 1.0 if along == "y" else 0.65 * max(map(len, names), default=1)
    room = room_for_each(axes, len(names), along) / _LINE / widest
    step = 1 if room >= _SMALLEST else int(-(-_SMALLEST // room))
    shown = range(0, len(names), step)
    axis.set_ticks(list(shown), [names[row] for row in shown])
    axis.set_tick_params(labelsize=min(_LARGEST, room * step), length=2)


def entitle(
    part: Axes | Figure | SubFigure, title: str, number: int, *notes: str, noun: str = "topic"
) -> None:
    """Say what a picture shows, and on how many topics, on lines that fit beside names on its left."""
    beside = _LONGEST if isinstance(part, Axes) else 0
    letters = int(_LETTERS * whole_figure(part).get_figwidth()) - beside
    # What is beside an equals sign stays there.
    said = (
        each.replace(" = ", "\xa0=\xa0") for each in (f"{title}, {count_of(number, noun)}", *notes)
    )
    text = "\n".join(textwrap.fill(each, letters, break_long_words=False) for each in said if each)
    style: dict[str, Any] = {"ha": "left", "fontsize": 10, "color": INK}
    if isinstance(part, Axes):
        part.set_title(text, loc="left", **style)
    else:
        part.suptitle(text, x=0.01, **style)


def whole_numbers(axes: Axes, first: int, last: int) -> None:
    """Let the ticks along x be whole numbers, from the first to the last one."""
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    room = (last - first) / 15
    between = (each for each in axes.get_xticks() if first + room < each < last - room)
    axes.set_xticks(list(dict.fromkeys([first, *between, last])))


def shorter_lists(names: Sequence[str], lengths: Sequence[int], depth: int) -> str:
    """Which lists end before a depth, and where, to go on the label of an axis.

    Example:
        >>> shorter_lists(["a", "b"], [10, 30], 20), shorter_lists(["a", "b"], [20, 30], 20)
        ('; a lists 10', '')
    """
    shorter = zip(names, lengths, strict=True)
    return "".join(f"; {name} lists {each:,}" for name, each in shorter if each < depth)

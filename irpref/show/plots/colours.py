"""The colours of all pictures, which people with any kind of colour vision can tell apart.

They are those of Okabe and Ito (2008): the first system of a pair is blue, the second one orange.
"""

from __future__ import annotations

from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize

BLUE = "#0072B2"
VERMILLION = "#D55E00"
INK = "#1A1A1A"
QUIET = "#595959"
"""Of texts that explain: dark enough to be read on white."""
GREY = "#C4C4C4"
TIE, OTHER_TIE = "#E8E8E8", "#F1F1F1"
"""Of ties; the other one tells a group of tied scores from its neighbour."""
FAINT = "#DDDDDD"

# The smallest difference has a tint that white has not.
_FROM_BEHIND_TO_AHEAD = [
    *((0.0, "#6B2400"), (0.18, VERMILLION), (0.499, "#FCE6D8")),
    (0.5, "#FFFFFF"),
    *((0.501, "#DAECF8"), (0.82, BLUE), (1.0, "#00304F")),
]
_STEPS = 1001


def colour_of(sign: float) -> str:
    """The colour of the winner: blue for the first system, orange for the second, grey for neither.

    Example:
        >>> colour_of(+1), colour_of(-1)
        ('#0072B2', '#D55E00')
    """
    return BLUE if sign > 0 else VERMILLION if sign < 0 else GREY


def ahead_or_behind(greatest: float) -> tuple[Colormap, Normalize]:
    """From orange (the second system is ahead) over white (0) to blue (the first one is).

    Args:
        greatest: The greatest value, up or down; 0 if all are 0.

    Returns:
        The colour map, in which what is masked is grey, and the norm that puts 0 in its middle.
    """
    colours = LinearSegmentedColormap.from_list("irpref", _FROM_BEHIND_TO_AHEAD, N=_STEPS)
    limit = greatest or 1
    return colours.with_extremes(bad=GREY), Normalize(-limit, limit)


def whole_steps(greatest: int) -> list[int]:
    """At most eleven whole numbers from -greatest to greatest, with 0 among them.

    Example:
        >>> whole_steps(2), whole_steps(12)
        ([-2, -1, 0, 1, 2], [-12, -9, -6, -3, 0, 3, 6, 9, 12])
    """
    step = max(1, -(-greatest // 5))
    upward = list(range(0, max(greatest, 1) + 1, step))
    return [-each for each in upward[:0:-1]] + upward

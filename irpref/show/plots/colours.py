"""The colours of all pictures, which people with any kind of colour vision can tell apart.

They are those of Okabe and Ito (2008): the first system of a pair is blue, the second one orange.
"""

from __future__ import annotations

from matplotlib.colors import Colormap, FuncNorm, LinearSegmentedColormap

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


def ahead_or_behind() -> Colormap:
    """From orange (the second system is ahead) over white (0) to blue (the first one is)."""
    return LinearSegmentedColormap.from_list("irpref", _FROM_BEHIND_TO_AHEAD, N=_STEPS)


def by_root(limit: float) -> FuncNorm:
    """From -limit to limit by the square root: small means have colour beside the greatest there can be."""
    # 0 / 0 is nothing; so little beside it changes no other root.
    roots = lambda values: values / (abs(values) + 1e-300) ** 0.5, lambda roots: roots * abs(roots)
    return FuncNorm(roots, -limit, limit)


def root_ticks(limit: float) -> list[float]:
    """Numbers that are evenly spaced there."""
    return [limit * each for each in (-1, -0.25, 0, 0.25, 1)]

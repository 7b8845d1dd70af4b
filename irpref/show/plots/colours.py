"""The colours of all pictures, which people with any kind of colour vision can tell apart.

They are those of Okabe and Ito (2008): the first system of a pair is blue, the second one orange.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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


def end_of_scale(bounds: Sequence[float], greatest: float, *, least: float = 0.0) -> float:
    """How far a scale of means goes, up and down: to the greatest that there can be.

    Where that has no end, or every mean is within so small a part of it, it goes to the greatest one, with
    one digit.

    Example:
        >>> end_of_scale((-1, 1), 0.025), end_of_scale((-1, 1), 0.025, least=0.2)
        (1.0, 0.03)
        >>> end_of_scale((-math.inf, math.inf), 31)
        40.0
    """
    limit = float(max(map(abs, bounds)))
    if not math.isfinite(limit) or greatest < least * limit:
        size = 10.0 ** math.floor(math.log10(greatest or 1))
        limit = math.ceil(greatest / size) * size or 1.0
    return limit


def by_root(limit: float) -> FuncNorm:
    """From -limit to limit by the square root: small means have colour beside the greatest there can be."""
    # 0 / 0 is nothing; so little beside it changes no other root.
    roots = lambda values: values / (abs(values) + 1e-300) ** 0.5, lambda roots: roots * abs(roots)
    return FuncNorm(roots, -limit, limit)


def root_ticks(limit: float) -> list[float]:
    """Numbers that are evenly spaced there."""
    return [limit * each for each in (-1, -0.25, 0, 0.25, 1)]

"""How a terminal sets off what it shows: bold titles, two colours for two sides, dim signatures."""

from __future__ import annotations

from rich.style import Style

HEADING, DIM, PLAIN = Style(bold=True), Style(dim=True), Style()
PROBLEMS = {"error": Style(bold=True, color="red"), "warning": Style(bold=True, color="yellow")}
SIDES = {"+": Style(color="color(32)"), "-": Style(color="color(166)")}
"""Above and below 0: a blue and an orange, which colour-blind people tell apart, on light and on dark."""


def side(cell: str) -> Style:
    """The colour of a signed number; none for 0, and for what is no number.

    Example:
        >>> side("+0.103 †") == SIDES["+"], side("-0.000") == side("") == PLAIN
        (True, True)
    """
    number = cell.partition(" ")[0]
    return SIDES.get(cell[:1], PLAIN) if number.strip("+-0.,%") else PLAIN

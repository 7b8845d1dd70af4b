"""Texts in the characters that a terminal has: where it lacks one, something like it in ASCII.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

import codecs

__all__ = ["in_encoding"]

_PLAIN = {
    "─": "-",
    "…": "...",
    "†": "+",
    "‡": "#",
    "×": "x",
    "−": "-",
    "–": "-",
    "±": "+/-",
    "≥": ">=",
    "≤": "<=",
    "∞": "inf",
    "α": "alpha",
    "δ": "d",
    "τ": "tau",
    "Σ": "sum of",
    "²": "^2",
    "’": "'",
}


def in_encoding(text: str, encoding: str | None) -> str:
    r"""The text, with what an encoding cannot say in ASCII: signs by like ones, letters by their numbers.

    Args:
        text: Any text, halves of characters as well.
        encoding: The name of the encoding; None for one that can say everything.

    Example:
        >>> print(in_encoding("12 × 5 … naïve 文", "ascii"))
        12 x 5 ... na\xefve \u6587
    """
    return text if encoding is None else text.encode(encoding, _PLAINLY).decode(encoding)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    said = (_PLAIN.get(each) or each.encode("unicode_escape").decode() for each in characters)
    return "".join(said), error.end


_PLAINLY = "irpref.plainly"
codecs.register_error(_PLAINLY, _plainly)

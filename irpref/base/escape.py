"""Names and texts of others as people may see them: nothing in them acts on a terminal or ends a line.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

import re

# Control characters, ends of lines, marks that turn the direction of writing, and halves of characters.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_HALF = re.compile("[\ud800-\udfff]")
HALVED = "has half of a character (a surrogate), which no file can hold: give it another name"
"""What is wrong with a name that is not whole."""
_LONGEST = 60


def is_whole(text: str) -> bool:
    """Whether every character is one: Python keeps a byte that is no UTF-8 as half of one."""
    return _HALF.search(text) is None


def escaped(text: str) -> str:
    r"""The text with every character escaped that a terminal would obey and not show.

    Example:
        >>> print(escaped("d1\x1b[2J\n"))
        d1\x1b[2J\n
    """
    return UNSEEN.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def shortened(text: str, longest: int = _LONGEST) -> str:
    """The text, escaped; if it is long, its beginning and its end.

    Example:
        >>> shortened("a" * 20 + "b" * 20, longest=11)
        'aaaaa…bbbbb'
    """
    if len(text) > longest:
        kept = longest - 1
        text = text[: kept - kept // 2] + "…" + text[len(text) - kept // 2 :]
    return escaped(text)


def beginning(text: str, longest: int) -> str:
    """The beginning of a text of several lines, in one line.

    Example:
        >>> beginning("Slugs eat\\nhostas at night.", longest=12)
        'Slugs eat h…'
    """
    words = " ".join(text.split())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"


def shown(value: object) -> str:
    """The value as an error shows it: shortened, and as a text at all.

    Example:
        >>> shown("a" * 99)
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaa'"
        >>> shown(10**5000)
        'a number of thousands of digits'
    """
    try:
        return shortened(repr(value))
    except ValueError:  # Python writes no int of so many digits
        return "a number of thousands of digits"

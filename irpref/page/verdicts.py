"""The verdicts on all pairs in words: few forms of paragraphs, and the numbers in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from irpref.render.verdict import paragraph
from irpref.summarise.verdict import Answer, Doubts

__all__ = ["numbers_apart", "verdicts_in_words"]

# In a group, so that a split keeps the numbers.
_NUMBER = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)")


def verdicts_in_words(verdicts: Iterable[tuple[list[Answer], Doubts]]) -> dict[str, Any]:
    """The paragraphs with ``{a}`` and ``{b}`` for the two systems, as :func:`numbers_apart` gives them.

    Two systems that share no topic have an empty one.
    """
    return numbers_apart(
        paragraph("{a}", "{b}", answers, doubts) if answers else "" for answers, doubts in verdicts
    )


def numbers_apart(texts: Iterable[str]) -> dict[str, Any]:
    """Texts that are alike but for their numbers, which are short when they are packed so.

    Returns:
        forms: the texts with ``#`` for each number. form: the form of each text. numbers: for the first
        ``#`` of a form, its numbers in all texts, as they are written; and so on. A form with fewer has
        empty texts.

    Example:
        >>> numbers_apart(["won 1 of 12", "won 1,034 of 2e+06"])
        {'forms': ['won # of #'], 'form': [0, 0], 'numbers': [['1', '1,034'], ['12', '2e+06']]}
    """
    forms: dict[str, int] = {}
    form, found = [], []
    for text in texts:
        # Words and numbers take turns.
        parts = _NUMBER.split(text)
        form.append(forms.setdefault("#".join(parts[::2]), len(forms)))
        found.append(parts[1::2])
    most = max(map(len, found), default=0)
    padded = ([*numbers, *[""] * (most - len(numbers))] for numbers in found)
    columns = [list(column) for column in zip(*padded, strict=True)]
    return {"forms": list(forms), "form": form, "numbers": columns}

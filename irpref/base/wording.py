"""The words for data of recommenders: a topic is a user there, and a document an item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from irpref.base.message import Message

_WORDS = {"topic": "user", "a document": "an item", "document": "item"}
# None of them is in topic-model, document_a or topics.txt.
_WORD = rf"(?i:(?<![\w.=-])(pair-)?({'|'.join(_WORDS)})(s?)(?![\w=-]|\.\w))"


@dataclass(frozen=True)
class Words:
    """What gives texts the words for the data; the options that a message names stay as they are.

    Attributes:
        users: Whether the data are of recommenders; if not, texts stay as they are.
        names: What texts may name or quote, which stays as it is.

    Example:
        >>> words = Words(True, ["topic 7"])
        >>> words("Topics without a document: topic 7 and 2 more topics of topic-model")
        'Users without an item: topic 7 and 2 more users of topic-model'
    """

    users: bool = False
    names: Sequence[object] = ()

    @cached_property
    def _kept(self) -> set[str]:
        """The names that have such a word."""
        return {name for name in map(str, self.names) if re.search(_WORD, name)}

    def __call__(self, text: str) -> str:
        if not self.users:
            return text
        if isinstance(text, Message):
            return text.cleaned(self)
        # Of many names few are in a text; the longest goes first.
        here = sorted((re.escape(each) for each in self._kept if each in text), key=len)[::-1]
        return re.sub(
            "|".join([*(rf"(?<!\w){each}(?!\w)" for each in here), _WORD]), self._word, text
        )

    def _word(self, found: re.Match[str]) -> str:
        # Behind an article a name may begin.
        if not found[2] or found[0].partition(" ")[2] in self._kept:
            return found[0]
        word = f"{found[1] or ''}{_WORDS[found[2].lower()]}{found[3]}".lower()
        return word if found[0][0].islower() else word.capitalize()

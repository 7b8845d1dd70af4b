"""The words for data of recommenders: a topic is a user there, a document an item, and a run a model's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property

from irpref.base.message import Message

# What is found first is taken.
WORDS = {
    "as the qrels do not judge them": "as they have no test items",
    "in this topic": "for this user",
    "in a topic": "for a user",
    "on one topic": "for one user",
    "missing from a run": "without recommendations",
    "cuts all run": "cuts all list",
    # Runs of one system stay runs.
    "runs of each system": "runs of each model",
    "runs of a system": "runs of a model",
    "system's run": "model's run",
    "topics and run": "users and run",
    "runs and topic": "runs and user",
    **{
        each: each
        for each in (
            *("pairs of run", "pair of run", "these very run", "other run", "single run"),
            *("several run", "runs differ", "more run", "twice as many run"),
            *("sd run", "se run", "runs do", "runs of each"),
        )
    },
    "not judged": "no test item",
    "no judged": "no test",
    "an unjudged": "another",
    "unjudged": "other",
    "judgment": "test item",
    "qrel": "test list",
    "system": "model",
    "run": "model",
    "topic": "user",
    "a document": "an item",
    "document": "item",
}
_CODE = r"irpref\.\w+\([^)]*\)"
# None of them is in topic-model, document_a, topics.txt or 'topic'.
_WORD = rf"(?i:(?<![\w.='-])(pair-)?({'|'.join(WORDS)})(s?)(?![\w=-]|\.\w))"


@dataclass(frozen=True)
class Words:
    """What gives texts the words for the data; options that a message names, and code, stay as they are.

    Attributes:
        users: Whether the data are of recommenders; if not, texts stay as they are.
        names: What texts may name or quote, which stays as it is.

    Example:
        >>> words = Words(True, ["topic 7"])
        >>> words("Topics without a document: topic 7 and 2 more topics of topic-model")
        'Users without an item: topic 7 and 2 more users of topic-model'
    """

    users: bool = False
    names: Iterable[object] = ()

    @cached_property
    def _kept(self) -> set[str]:
        """The names that have such a word."""
        return {name for name in map(str, self.names) if re.search(_WORD, name)}

    @property
    def unnamed(self) -> Words:
        """The same, for texts that name nothing."""
        return replace(self, names=())

    @property
    def nouns(self) -> dict[str, str]:
        """By noun, what it is called."""
        return {noun: self.unnamed(noun) for noun in WORDS}

    def naming(self, names: Iterable[object]) -> Words:
        """The same, for texts that may name more."""
        return replace(self, names=(*self.names, *names)) if self.users else self

    def __call__(self, text: str) -> str:
        if not self.users:
            return text
        if isinstance(text, Message):
            return text.cleaned(self)
        # Of many names few are in a text; the longest goes first.
        here = sorted((re.escape(each) for each in self._kept if each in text), key=len)[::-1]
        kept = [rf"(?<!\w){each}(?!\w)" for each in here]
        return re.sub("|".join([*kept, _CODE, _WORD]), self._word, text)

    def _word(self, found: re.Match[str]) -> str:
        # Behind an article a name may begin.
        if not found[2] or found[0].partition(" ")[2] in self._kept:
            return found[0]
        word = f"{found[1] or ''}{WORDS[found[2].lower()]}{found[3]}".lower()
        return word if found[0][0].islower() else word.capitalize()


SPOKEN = ContextVar("SPOKEN", default=Words())  # noqa: B039 (it is frozen)
"""The words that warnings are in."""


@contextmanager
def speaking(words: Words) -> Iterator[None]:
    """Warnings and errors inside are in these words."""
    before = SPOKEN.set(words)
    try:
        yield
    except ValueError as error:
        error.args = tuple(words(each) if isinstance(each, str) else each for each in error.args)
        raise
    finally:
        SPOKEN.reset(before)

"""Messages that name options: each surface writes these as people type them there.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ALONE = object()


@dataclass(frozen=True)
class Option:
    """An option that a message names; as a text, what people type in Python.

    Attributes:
        name: Its name, that of the keyword.
        value: What it is set to: ``...`` for any value; without one, the option is only named.
        python: What people type in Python, where that is no keyword.

    Example:
        >>> print(Option("order"), Option("order", "rank"), Option("depth", ...))
        order order='rank' depth=…
    """

    name: str
    value: Any = _ALONE
    python: str | None = None

    @property
    def alone(self) -> bool:
        """Whether it is only named, and set to nothing."""
        return self.value is _ALONE

    def __str__(self) -> str:
        if self.python is not None:
            return self.python
        if self.alone:
            return self.name
        return f"{self.name}={'…' if self.value is ... else repr(self.value)}"


class Message(str):
    """A text that knows which parts of it are options; the text itself names them as in Python.

    What people called their files, topics and documents stays as it is, even where it looks like an option.

    Attributes:
        parts: The texts and the options, in their order.

    Example:
        >>> said = Message("judged_only.txt: keep one: ", Option("duplicates", "first"))
        >>> said, said.spelled(lambda option: f"--{option.name}")
        ("judged_only.txt: keep one: duplicates='first'", 'judged_only.txt: keep one: --duplicates')
    """

    __slots__ = ("parts",)
    parts: tuple[str | Option, ...]

    def __new__(cls, *parts: str | Option) -> Message:
        made = super().__new__(cls, "".join(map(str, parts)))
        made.parts = tuple(
            inner for part in parts for inner in (part.parts if isinstance(part, cls) else (part,))
        )
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        # What is sent to another process is made again of its parts.
        return self.parts

    def spelled(self, spell: Callable[[Option], str]) -> str:
        """The text with the options as a surface writes them."""
        return "".join(spell(part) if isinstance(part, Option) else part for part in self.parts)

    def cleaned(self, clean: Callable[[str], str]) -> Message:
        """The same, of texts that were cleaned."""
        return Message(*(clean(part) if isinstance(part, str) else part for part in self.parts))


def refusal(*parts: str | Option) -> ValueError:
    """The error that these texts and options say.

    Example:
        >>> refusal(Option("top"), " must be above 0")
        ValueError('top must be above 0')
    """
    return ValueError(Message(*parts))


def spelled(said: object, spell: Callable[[Option], str]) -> str:
    """A text, or an error or warning, with its options as a surface writes them.

    Example:
        >>> spelled(ValueError(Message("leave ", Option("top"), " out")), lambda option: "--top")
        'leave --top out'
    """
    text = said.args[0] if isinstance(said, Exception) and len(said.args) == 1 else said
    return text.spelled(spell) if isinstance(text, Message) else str(said)

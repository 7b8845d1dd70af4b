"""Whether HTML is well formed, and what stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

_WITHOUT_END = {"br", "hr", "img", "input", "link", "meta"}


@dataclass
class Element:
    """An element of a page.

    Attributes:
        tag: Its tag.
        attributes: What its tag says.
        text: The text in it, but for that of elements in it.
    """

    tag: str
    attributes: dict[str, str | None]
    text: str = ""


class Balance(HTMLParser):
    """Finds tags that are not closed, or closed in another order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.elements: list[Element] = []
        self._around: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        self.elements.append(Element(tag, dict(attrs)))
        if tag not in _WITHOUT_END:
            self.open.append(tag)
            self._around.append(self.elements[-1])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._around.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._around:
            self._around[-1].text += data

    def all(self, tag: str) -> list[Element]:
        """The elements of a tag."""
        return [each for each in self.elements if each.tag == tag]


def assert_well_formed(fragment: str) -> Balance:
    parser = Balance()
    # Markup would escape each part of it anew.
    parser.feed(str(fragment))
    parser.close()
    assert parser.open == []
    return parser

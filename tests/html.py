"""Whether HTML is well formed."""

from __future__ import annotations

from html.parser import HTMLParser


class Balance(HTMLParser):
    """Finds tags that are not closed, or closed in another order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_well_formed(fragment: str) -> Balance:
    parser = Balance()
    parser.feed(fragment)
    parser.close()
    assert parser.open == []
    return parser

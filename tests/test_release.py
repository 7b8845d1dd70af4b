"""What a release needs to agree on: the version, its date, and how irpref is installed."""

from __future__ import annotations

import re
from pathlib import Path

import irpref

_ROOT = Path(__file__).parent.parent


def _text(name: str) -> str:
    return (_ROOT / name).read_text(encoding="utf-8")


def test_one_version_everywhere() -> None:
    assert f"\nversion: {irpref.__version__}\n" in _text("CITATION.cff")
    assert f"irpref:{irpref.__version__}" in _text("docs/reading-the-numbers.md")
    cited = _text("docs/in-your-paper.md")
    assert f"with irpref {irpref.__version__} (" in cited
    assert f"version = {{{irpref.__version__}}}" in cited


def test_the_changelog_begins_with_this_version_and_its_date() -> None:
    newest = re.search(r"^## (\S+) \((.+)\)$", _text("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == irpref.__version__
    released = re.search(
        r"^date-released: (\d{4}-\d{2}-\d{2})$", _text("CITATION.cff"), re.MULTILINE
    )
    assert newest[2] == (released[1] if released else "not released")
    # A release is installed from the index.
    for name in ("README.md", "docs/index.md", "docs/gate.yml"):
        assert released is None or "git+https" not in _text(name), name

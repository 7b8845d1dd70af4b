"""Item lists of LensKit as plain dicts, which irpref reads by itself."""

from __future__ import annotations

from typing import Any

Scores = dict[str, dict[str, float]]


def grades(test: Any, relevance: str | None = None) -> Scores:
    """``{user: {item: grade}}``; every item has grade 1 without a field, and each user an item."""
    return {
        _text(key): {
            str(item): 1.0 if relevance is None else float(items.field(relevance)[place])
            for place, item in enumerate(items.ids())
        }
        for key, items in test
        if len(items)
    }


def run(recs: Any) -> Scores:
    """``{user: {item: score}}``; a place says the score where there is none."""
    return {
        _text(key): {
            str(item): float(-place if items.scores() is None else items.scores()[place])
            for place, item in enumerate(items.ids())
        }
        for key, items in recs
    }


def _text(key: Any) -> str:
    return ", ".join(map(str, key))

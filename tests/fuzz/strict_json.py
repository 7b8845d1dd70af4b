"""What rows in JSON hold, by Python's json, made strict: a list of objects, or a line for each.

Nothing of irpref is used. Rows end at the first fault: an object that is there no more cannot be wrong.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

_MARK = "\ufeff"


@dataclass(frozen=True)
class Objects:
    """Objects with their lines, or their numbers in a list; and whether there is a fault behind them."""

    rows: tuple[tuple[int, dict[str, Any]], ...]
    faulty: bool

    @property
    def columns(self) -> dict[str, list[Any]]:
        """Their values by all of their keys; None where one has no such key."""
        names = dict.fromkeys(name for _, row in self.rows for name in row)
        return {name: [row.get(name) for _, row in self.rows] for name in names}


def strict_objects(content: bytes) -> Objects:
    """The objects of a list, or of JSON Lines, to the first fault."""
    content = content.removeprefix(_MARK.encode())
    rows: list[tuple[int, dict[str, Any]]] = []
    try:
        if content.strip().startswith(b"["):
            listed = strict_json(content)
            if not all(isinstance(row, dict) for row in listed):
                return Objects((), True)
            return Objects(tuple(enumerate(listed, start=1)), False)
        for line, text in enumerate(content.split(b"\n"), start=1):
            if not text.strip():
                continue
            row = strict_json(text)
            if not isinstance(row, dict):
                return Objects(tuple(rows), True)
            rows.append((line, row))
    except (ValueError, RecursionError):
        return Objects(tuple(rows), True)
    return Objects(tuple(rows), False)


def strict_json(content: bytes) -> Any:
    """What JSON says; a ValueError where Python alone would lose something of it."""
    return json.loads(content.decode(), object_pairs_hook=_once, parse_float=_finite)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs) or any(key.startswith(_MARK) for key, _ in pairs):
        raise ValueError
    return dict(pairs)


def _finite(text: str) -> float:
    if math.isinf(float(text)):
        raise ValueError
    return float(text)

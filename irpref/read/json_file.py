"""JSON files of qrels and runs: ``{topic: {document: number}}``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from irpref.checks import unique_keys
from irpref.errors import InputError
from irpref.visible import shown


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON as its keys and values, which may have a key twice."""


def is_json(data: bytes) -> bool:
    """Whether it looks like a JSON object; no line of TREC text begins and ends so."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" and data[-64:].rstrip()[-1:] == b"}"


def parse_json(data: bytes, source: str, *, line: int | None = None) -> Mapping[str, Any]:
    """The object in a JSON file, or in a line of one.

    Raises:
        InputError: It is not JSON in UTF-8, or an object has a key twice, of which Python would keep one.
    """
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON ({error.msg}, column {error.colno})",
            source=source,
            line=error.lineno if line is None else line,
        ) from error
    except (ValueError, RecursionError) as error:
        where = _place_of_repeated(data)
        at = f", at {' > '.join(map(shown, where))}" if where else ""
        raise InputError(
            f"this is no JSON that can be read ({error}{at})", source=source, line=line
        ) from error
    if not isinstance(content, Mapping):
        raise InputError("this is no JSON object", source=source, line=line)
    return content


def _place_of_repeated(data: bytes) -> tuple[str, ...]:
    """The keys that lead to the first object with a key twice; none if there is no such object."""
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs)
        return _way_to_repeated(content) or ()
    except (ValueError, RecursionError):
        return ()


def _way_to_repeated(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, _Pairs):
        return None
    seen = set[str]()
    for key, inner in value:
        if key in seen:
            return ()
        seen.add(key)
        if (way := _way_to_repeated(inner)) is not None:
            return (key, *way)
    return None

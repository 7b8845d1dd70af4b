"""JSON files of qrels and runs: ``{topic: {document: number}}``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from irpref.checks import unique_keys
from irpref.errors import InputError

__all__ = ["is_json", "parse_json"]


def is_json(data: bytes) -> bool:
    """Whether it looks like a JSON object; no line of TREC text begins and ends so."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" and data[-64:].rstrip()[-1:] == b"}"


def parse_json(data: bytes, source: str) -> Mapping[str, Any]:
    """The object in a JSON file.

    Raises:
        InputError: It is not JSON in UTF-8, or an object has a key twice, of which Python would keep one.
    """
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON ({error.msg}, column {error.colno})", source=source, line=error.lineno
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON that can be read ({error})", source=source) from error
    if not isinstance(content, Mapping):
        raise InputError("this is no JSON object", source=source)
    return content

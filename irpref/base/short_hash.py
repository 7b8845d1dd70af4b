"""A short hash of data and of functions: the same in every process, and on every Python."""

from __future__ import annotations

import inspect
from functools import partial
from hashlib import blake2b
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
UNKNOWN = "unknown"
"""In place of the hash of a function whose text is not known."""


def short_hash(value: object) -> str:
    """Eight hexadecimal digits of a hash of the value, or :data:`UNKNOWN`.

    Data count by what they hold. A function counts by its text, comments and all, its defaults and what it
    closes over; a lambda by the lines that it stands in. What it calls does not count. An object counts by
    the name of its class and its attributes, and what is written in C by its name. At a prompt a function
    has no text, and where several lambdas share a line, nobody knows which of them it is.

    Args:
        value: A number, a text, a container or an array of such, a function, or any other object.

    Example:
        >>> short_hash(("bm25", 0.5))
        'e2205fab'
    """
    try:
        return _digest(value)[:4].hex()
    except (OSError, RecursionError, ValueError):
        # Without a text, in a circle, or with a variable that holds nothing yet.
        return UNKNOWN


def _digest(value: Any) -> bytes:
    kind = type(value)
    parts = [kind.__name__.encode()]
    if kind in _PLAIN:
        # Each Python has other letters that it prints as they are.
        parts += [ascii(value).encode()]
    elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        parts = [b"array", repr((value.dtype.descr, value.shape)).encode(), value.tobytes()]
    else:
        digests = map(_digest, _members(value))
        # The order of a set differs between processes.
        parts += sorted(digests) if kind in (set, frozenset) else digests
    hashed = blake2b(digest_size=16)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little") + part)
    return hashed.digest()


def _members(value: Any) -> Any:
    if isinstance(value, np.ndarray | list | tuple | set | frozenset | dict):
        return value.items() if isinstance(value, dict) else value
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    if isinstance(value, MethodType):
        return value.__func__, value.__self__
    if isinstance(value, FunctionType):
        # Of a decorated function, inspect finds the text within.
        text = dedent(inspect.getsource(value))
        if value.__name__ == "<lambda>" and text.count("lambda") > 1:
            raise OSError(UNKNOWN)
        closed = inspect.getclosurevars(value).nonlocals
        return text, value.__defaults__, value.__kwdefaults__, closed
    if isinstance(value, type | ModuleType | BuiltinFunctionType | np.ufunc):
        own = getattr(value, "__self__", None)
        return value.__name__, own if isinstance(own, list | dict) else None
    return type(value), getattr(value, "__dict__", None)

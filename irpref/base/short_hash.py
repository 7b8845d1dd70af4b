"""A short hash of any object, functions among them: the same in every process, by what it is and does."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from inspect import CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented))
# What these define is known by its name.
_KNOWN = {*sys.stdlib_module_names, "irpref", "numpy", "pandas", "polars", "scipy"} - {"__main__"}


def short_hash(value: object) -> str:
    """Eight hexadecimal digits of a hash of the value.

    Of a function it is a hash of its code, its defaults, what it closes over, and the globals that its code
    names. Neither names of files nor comments count, nor where in memory anything is.

    Example:
        >>> squares, cubes = (lambda level, power=power: level**power for power in (2, 3))
        >>> short_hash(squares) == short_hash(lambda level, power=2: level**power)
        True
        >>> short_hash(squares) == short_hash(cubes)
        False
    """
    # The objects are kept, so that no other one gets their place in memory.
    known: dict[int, tuple[object, bytes]] = {}

    def of(each: object) -> bytes:
        kind = type(each)
        name = kind.__name__.encode()
        if kind in _PLAIN:
            return _joined([name, repr(each).encode("utf-8", "replace")])
        if id(each) not in known:
            # Where a circle closes, the name of the type stands.
            known[id(each)] = each, _joined([b"circle", name])
            labels, members = _parts(each)
            hashes = list(map(of, members))
            # The order of a set differs between processes.
            ordered = sorted(hashes) if kind in (set, frozenset) else hashes
            known[id(each)] = each, _joined([*labels, *ordered])
        return known[id(each)][1]

    return of(value)[:4].hex()


def _parts(value: Any) -> tuple[list[bytes], Iterable[object]]:
    """What the hash is of: words for the kind of object, and what belongs to it."""
    kind = type(value)
    if kind is np.ndarray or isinstance(value, np.generic):
        labels = [b"array", repr((value.dtype.descr, value.shape)).encode()]
        own = value.dtype.hasobject
        return (labels, value.ravel()) if own else ([*labels, value.tobytes()], ())
    if kind in (list, tuple, dict, set, frozenset):
        return [kind.__name__.encode()], value.items() if kind is dict else value
    if (name := _known_name(value)) is not None:
        return [b"name", name.encode()], ()
    if isinstance(value, FunctionType):
        return [b"function"], _of_function(value)
    if isinstance(value, type):
        return [b"class", value.__qualname__.encode()], [_own(value), *value.__bases__]
    return [b"object"], [kind, *_state(value)]


def _of_function(function: FunctionType) -> list[object]:
    code, around = function.__code__, function.__globals__
    return [
        code,
        function.__defaults__,
        function.__kwdefaults__,
        *map(_content, function.__closure__ or ()),
        *(around[name] for name in _globals(code) if name in around),
        *_of_modules(code, around),
    ]


def _own(of: type) -> dict[str, object]:
    """What a class defines itself."""
    own = {
        name: getattr(value, "__func__", value)
        for name, value in sorted(vars(of).items())
        # What Python itself writes into a class says nothing, but for methods such as __call__.
        if isinstance(value, FunctionType) or not (name.startswith("__") or name == "_abc_impl")
    }
    return {
        name: (value.fget, value.fset) if isinstance(value, property) else value
        for name, value in own.items()
    }


def _joined(parts: Iterable[bytes]) -> bytes:
    hashed = blake2b(digest_size=16)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little") + part)
    return hashed.digest()


def _known_name(value: Any) -> str | None:
    """The name of what its name says all of: a part of a library, or a module."""
    # The attributes of a function of numpy depend on what else was imported.
    if isinstance(value, ModuleType | np.ufunc):
        return value.__name__
    # Many lambdas have one name.
    if not isinstance(value, FunctionType | type) or "<" in value.__qualname__:
        return None
    known = str(value.__module__).partition(".")[0] in _KNOWN
    return f"{value.__module__}.{value.__qualname__}" if known else None


def _code(code: CodeType) -> list[object]:
    """What code does: no names of files or variables, no numbers of lines, no docstring."""
    loaded = {each.arg for each in dis.get_instructions(code) if each.opcode in dis.hasconst}
    constants = [
        None if number == 0 and 0 not in loaded and isinstance(constant, str) else constant
        for number, constant in enumerate(code.co_consts)
    ]
    # Other flags say where the code stands.
    kind = code.co_flags & (CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR | CO_COROUTINE)
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, kind
    raising = getattr(code, "co_exceptiontable", b"")
    return [code.co_code, constants, code.co_names, arguments, raising]


def _globals(code: CodeType) -> list[str]:
    """The globals that code names, and the code within it."""
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    found = {each.argval for each in dis.get_instructions(code) if each.opname in loads}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(_globals(constant))
    return sorted(found)


def _of_modules(code: CodeType, around: Mapping[str, Any]) -> list[object]:
    """What code may take from modules of one's own that it names: what they have under names in it."""
    modules = [around[name] for name in _globals(code) if isinstance(around.get(name), ModuleType)]
    own = [each for each in modules if each.__name__.partition(".")[0] not in _KNOWN]
    return [vars(each)[name] for each in own for name in code.co_names if name in vars(each)]


def _content(cell: Any) -> object:
    """What a variable of a closure holds, if it holds anything yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _state(value: Any) -> list[object]:
    """What makes an object: what pickle would write; where it refuses, the attributes."""
    if isinstance(value, CodeType):
        return _code(value)
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    if "__wrapped__" in getattr(value, "__dict__", {}):
        return [value.__wrapped__]
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:
        return [getattr(value, "__dict__", None)]
    if isinstance(reduced, str):
        return [getattr(value, "__module__", None), reduced]
    # Behind the first three parts stand iterators.
    return [*reduced[:3], *(None if part is None else list(part) for part in reduced[3:5])]

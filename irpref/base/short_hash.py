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
    return _Hashes().of(value)[:4].hex()


class _Hashes:
    """The hashes of an object and of all that belongs to it."""

    def __init__(self) -> None:
        # The objects are kept, so that no other one gets their place in memory.
        self.known: dict[int, tuple[object, bytes]] = {}

    def of(self, value: object) -> bytes:
        if type(value) in _PLAIN:
            return _joined([type(value).__name__.encode(), repr(value).encode("utf-8", "replace")])
        if id(value) not in self.known:
            # Where a circle closes, the name of the type stands.
            self.known[id(value)] = value, _joined([b"circle", type(value).__name__.encode()])
            self.known[id(value)] = value, _joined(self._parts(value))
        return self.known[id(value)][1]

    def _parts(self, value: Any) -> list[bytes]:
        """What the hash is of: the kind of object, and the hashes of what belongs to it."""
        kind = type(value)
        if kind is np.ndarray or isinstance(value, np.generic):
            shape = repr((value.dtype.descr, value.shape)).encode()
            items = map(self.of, value.ravel()) if value.dtype.hasobject else [value.tobytes()]
            return [b"array", shape, *items]
        if kind in (list, tuple, dict, set, frozenset):
            hashes = list(map(self.of, value.items() if kind is dict else value))
            # The order of a set differs between processes.
            ordered = sorted(hashes) if kind in (set, frozenset) else hashes
            return [kind.__name__.encode(), *ordered]
        if _is_known(value):
            return [b"name", _name(value).encode()]
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        return [b"object", self.of(kind), *map(self.of, _state(value))]

    def _function(self, function: FunctionType) -> list[bytes]:
        around = function.__globals__
        return [
            b"function",
            self.of(function.__code__),
            self.of(function.__defaults__),
            self.of(function.__kwdefaults__),
            *(self.of(_content(cell)) for cell in function.__closure__ or ()),
            *(self.of(around[name]) for name in _globals(function.__code__) if name in around),
            *map(self.of, _of_modules(function.__code__, around)),
        ]

    def _class(self, of: type) -> list[bytes]:
        own = {
            name: getattr(value, "__func__", value)
            for name, value in sorted(vars(of).items())
            # What Python itself writes into a class says nothing, but for methods such as __call__.
            if isinstance(value, FunctionType) or not (name.startswith("__") or name == "_abc_impl")
        }
        own = {
            name: (value.fget, value.fset) if isinstance(value, property) else value
            for name, value in own.items()
        }
        return [b"class", of.__qualname__.encode(), self.of(own), *map(self.of, of.__bases__)]


def _joined(parts: Iterable[bytes]) -> bytes:
    hashed = blake2b(digest_size=16)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little") + part)
    return hashed.digest()


def _is_known(value: object) -> bool:
    """Whether the name says what it does: a part of a library, or a module."""
    # The attributes of a function of numpy depend on what else was imported.
    if isinstance(value, ModuleType | np.ufunc):
        return True
    if not isinstance(value, FunctionType | type):
        return False
    # Many lambdas have one name.
    return str(value.__module__).partition(".")[0] in _KNOWN and "<" not in value.__qualname__


def _name(value: Any) -> str:
    if isinstance(value, ModuleType | np.ufunc):
        return value.__name__
    return f"{value.__module__}.{value.__qualname__}"


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

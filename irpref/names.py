"""Preferences and measures from text, and the text of them.

Every preference or measure that a module of ``irpref.preferences`` or ``irpref.measures`` has under a
public name is known by that name: a new one needs no entry anywhere.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from functools import cache

from irpref.errors import unknown
from irpref.options import Named

__all__ = ["known_names", "parse"]

_PACKAGES = ("irpref.preferences", "irpref.measures")


def known_names() -> dict[str, Named]:
    """The preferences and measures by name.

    Example:
        >>> known_names()["rrLP"]
        LP(magnitude='rr')
    """
    return dict(sorted(pair for package in _PACKAGES for pair in _names_in(package).items()))


@cache
def _names_in(package: str) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        content = vars(importlib.import_module(f"{package}.{module.name}"))
        for name, value in content.items():
            if isinstance(value, Named) and not name.startswith("_"):
                found[name] = value
    return found


def parse(text: str) -> Named:
    """The preference or measure that a text names; the inverse of ``str``.

    Args:
        text: ``NAME``, ``NAME(option=value, …)``, either with ``@cutoff`` behind it.

    Raises:
        ValueError: The name or an option is unknown (the nearest is suggested), or the text is not of
            that form.

    Example:
        >>> parse("RPP(weights='dcg')@100")
        RPP(weights='dcg')@100
        >>> parse("dcgRPP@100") == parse("RPP(weights='dcg')@100")
        True
    """
    shape = f"{text!r} must read NAME, NAME(option=value) or NAME@cutoff, like \"RPP(weights='dcg')@100\""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise ValueError(shape) from None
    cutoff: object = None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        cutoff = _literal(tree.right, shape)
        tree = tree.left
    options = {}
    if isinstance(tree, ast.Call):
        if tree.args:
            raise ValueError(shape)
        for keyword in tree.keywords:
            if keyword.arg is None or keyword.arg in options:
                raise ValueError(shape)
            options[keyword.arg] = _literal(keyword.value, shape)
        tree = tree.func
    if not isinstance(tree, ast.Name):
        raise ValueError(shape)
    # One package after the other: measures need not be imported to know a preference.
    known = (_names_in(package) for package in _PACKAGES)
    found = next((names[tree.id] for names in known if tree.id in names), None)
    if found is None:
        raise unknown("preference or measure", tree.id, known_names())
    if options:
        try:
            found = found(**options)
        except TypeError as error:
            raise ValueError(str(error)) from None
    return found if cutoff is None else found @ cutoff  # type: ignore[operator]


def _literal(node: ast.expr, shape: str) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError(f"{shape}; {ast.unparse(node)!r} is not a plain value") from None

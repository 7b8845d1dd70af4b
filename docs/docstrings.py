"""How the docstrings of irpref become pages of the reference: a Sphinx extension for its docs alone."""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import importlib
import inspect
import itertools
import pkgutil
import re
import textwrap
import types
from typing import Any, Generic, TypeVar

import numpy
import numpy.typing
import pandas
import polars
from sphinx.util.typing import get_type_hints, stringify_annotation

# Annotations are shown as what they stand for, so that a reader sees which values an option takes. Some of
# them need help, before irpref is imported. Texts in annotations name these, wherever they stand:
builtins.pd, builtins.pl, builtins.np = pandas, polars, numpy
pandas.Series.__class_getitem__ = classmethod(types.GenericAlias)


# Numpy's types would be written out as ndarray[tuple[Any, ...], dtype[...]], and as a union of ten:
class NDArray(Generic[TypeVar("Item")]):
    __module__ = "numpy.typing"


class ArrayLike:
    __module__ = "numpy.typing"


numpy.typing.NDArray, numpy.typing.ArrayLike = NDArray, ArrayLike


# Keywords are shown by the name of what has them as fields:
class Unpack:
    def __class_getitem__(cls, options: Any) -> Any:
        return options


builtins.Unpack = Unpack

import irpref  # noqa: E402
import irpref_ir_measures  # noqa: E402
from irpref.api.compared import Compared  # noqa: E402
from irpref.base.named import Named  # noqa: E402
from irpref.studies import DataFree  # noqa: E402


def import_for_annotations() -> None:
    """Import what the modules of irpref import for type checkers only."""
    packages = (irpref, irpref_ir_measures)
    walks = (pkgutil.walk_packages(each.__path__, f"{each.__name__}.") for each in packages)
    for found in itertools.chain.from_iterable(walks):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for statement in ast.parse(inspect.getsource(module)).body:
            if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
                for line in statement.body:
                    # What only stubs have is not there.
                    with contextlib.suppress(ImportError, NameError):
                        exec(ast.unparse(line), vars(module))
        vars(module).pop("Unpack", None)


import_for_annotations()


def find(name: str) -> Any:
    """What has this name; of a study, which has the name of its module, the study."""
    place, _, last = name.rpartition(".")
    return getattr(importlib.import_module(place), last) if place else importlib.import_module(name)


# What the templates ask of the objects.
for_templates = {
    "find": find,
    "class_of": lambda found: f"{type(found).__module__}.{type(found).__qualname__}",
    "python": repr,
    "names_of": lambda module: module.__all__,
    "kind_of_study": lambda found: "DataFree" if isinstance(found, DataFree) else "Experiment",
    "is_tuple": lambda found: issubclass(found, tuple),
    "is_compared": lambda found: issubclass(found, Compared),
    "base_of": lambda found: "Preference" if isinstance(found, irpref.Preference) else "Measure",
}
# Where classes say that they are, and where they are described.
described_as = {
    "numpy.random._generator.Generator": "numpy.random.Generator",
    "matplotlib.axes._axes.Axes": "matplotlib.axes.Axes",
    "pandas.core.frame.DataFrame": "pandas.DataFrame",
    "pandas.core.series.Series": "pandas.Series",
    "polars.dataframe.frame.DataFrame": "polars.DataFrame",
    "irpref.base.reading_options.ReadingOptions": "irpref.Reading",
}


def keep_sentences_whole(
    app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]
) -> None:
    """Give a text an empty type where Napoleon would take what stands before a colon for one."""
    texts = [number for number, line in enumerate(lines, 1) if line.strip() == "Returns:"]
    if what in ("attribute", "data", "property"):
        texts.append(0)
    for number in texts:
        text = lines[number].lstrip()
        lines[number] = lines[number].removesuffix(text) + ": " + text


def say_what_is_short(
    app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]
) -> None:
    """Say in the tables of names what dcgRPP and the like are short for."""
    if isinstance(found, Named) and name != f"irpref.{found.name}":
        lines[:] = [f"Short for ``{found}``."]


def leave_types_to_attributes(
    app: Any, what: str, name: str, found: Any, options: Any, signature: str, returned: str
) -> tuple[str, None] | None:
    """Leave types out of what a dataclass or a tuple is made from: its attributes have them."""
    if what != "class" or not (dataclasses.is_dataclass(found) or issubclass(found, tuple)):
        return None
    signed = inspect.signature(found)
    parameters = [each.replace(annotation=each.empty) for each in signed.parameters.values()]
    return str(signed.replace(parameters=parameters, return_annotation=signed.empty)), None


def list_attributes(
    app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]
) -> None:
    """List the attributes of a class with their types, those of the classes it derives from too."""
    if what not in ("class", "exception"):
        return
    section = re.compile(r"^Attributes:\n((?: .*\n|\n)*)", re.MULTILINE)
    texts: dict[str, str] = {}
    for base in reversed(found.__mro__):
        docstring = inspect.cleandoc(vars(base).get("__doc__") or "") + "\n"
        for listed in section.findall(docstring):
            texts |= re.findall(r"^    (\w+): (.*\n(?:     .*\n|\n)*)", listed, re.MULTILINE)
    hints = get_type_hints(found)
    directives = ""
    for attribute, text in texts.items():
        directives += f".. attribute:: {attribute}\n"
        if attribute in hints:
            shown = stringify_annotation(hints[attribute], "smart")
            # Sphinx writes the values alone where the name is bare.
            directives += f"   :type: {shown.replace('~typing.Literal', 'Literal')}\n"
        if options.no_index:
            directives += "   :no-index:\n"
        directives += "\n" + textwrap.indent(inspect.cleandoc(text), "   ") + "\n\n"
    rest = section.sub("", "\n".join(lines) + "\n")
    first_section = re.search(r"^(Raises|Example):$|\Z", rest, re.MULTILINE).start()
    lines[:] = (rest[:first_section] + directives + rest[first_section:]).splitlines()


def find_description(app: Any, env: Any, node: Any, text: Any) -> Any:
    """Refer to a class where it is described: here, or where intersphinx looks."""
    target = node["reftarget"] = described_as.get(node["reftarget"], node["reftarget"])
    if node["refdomain"] != "py" or not target.startswith("irpref."):
        return None
    found = env.domains["py"].resolve_xref
    return found(env, node["refdoc"], app.builder, "class", target, node, text)


def setup(app: Any) -> None:
    app.connect("autodoc-process-signature", leave_types_to_attributes)
    # Before Napoleon reads the docstrings.
    app.connect("autodoc-process-docstring", keep_sentences_whole, priority=400)
    app.connect("autodoc-process-docstring", say_what_is_short, priority=400)
    app.connect("autodoc-process-docstring", list_attributes, priority=400)
    # Before intersphinx looks.
    app.connect("missing-reference", find_description, priority=400)

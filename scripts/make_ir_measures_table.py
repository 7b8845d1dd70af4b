"""Write down what ir_measures is told of irpref's preferences and measures.

An import of ``irpref_ir_measures`` must not take long, so it loads none of irpref's classes: what they say
stands in ``core.json`` beside it, and the names for type checkers in ``__init__.pyi``. Run this whenever
a preference or a measure is new, or says something else.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from irpref import Preference
from irpref.base.keywords import meaning
from irpref.base.named import Named
from irpref.methods.names import known_names

ADAPTER = Path(__file__).parent.parent / "adapters" / "irpref_ir_measures"
TABLE, STUB = ADAPTER / "core.json", ADAPTER / "__init__.pyi"
_SECTIONS = re.compile(r"^(?:Attributes|Raises|Example):$", re.MULTILINE)
_TYPES: dict[Any, str] = {Mapping: "dict", Literal: "str"}
# ir_measures has these itself, F1 as SetF and RP as Rprec, with an order of ties for each tool behind it.
_NATIVE = {"AP", "F1", "P", "R", "RBP", "RP", "RR", "Success", "nDCG"}
# Relations whose labels have no letters.
_WORDS = {"=": "eq", "**": "nonsep"}


def table() -> str:
    """What irpref's classes say of each name that ir_measures lacks, as JSON; short names come last."""
    known = sorted(known_names().items(), key=lambda item: item[1].written_out is not None)
    entries = {name: _entry(name, named) for name, named in known if name not in _NATIVE}
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def _entry(name: str, named: Named) -> dict[str, Any]:
    """What stands in the table for a name: of a class of measures, its members and parameters."""
    base = known_names()[named.name]
    preset = {
        option: value for option, value in named.options.items() if value != base.options[option]
    }
    options = {option: _parameter(base, option) for option in base.options if option not in preset}
    relations = [relation.label for relation in getattr(base, "relations", ())]
    words = {_WORDS.get(label, label): label for label in relations}
    if words:
        desc = "count the topics with this relation: the value is their share"
        options["count"] = {"dtype": "str", "default": None, "choices": [*words], "desc": desc}
    title, summary, text = _description(named)
    if preset:
        text = f"{summary}\n\n{text}"
        title = f"{name} is {named.written_out}"
    if preset == {"ties": "expected"}:
        title = f"Tie-aware {named.name}"
        summary = "the exact mean over all orders of tied scores (McSherry & Najork 2008)."
    if subtopics := getattr(named, "interest", None) == "subtopics":
        text += "\n\nSubtopics are read from ``iteration``."
    members = {
        "PRETTY_NAME": title,
        "SHORT_DESC": summary,
        # ir_measures' documentation goes on right after it.
        "__doc__": f"{title}: {summary}\n\n{text}".strip() + "\n",
        "OF_SUBTOPICS": subtopics,
        "RELATIONS": words,
    }
    return {
        "of": None if named.written_out is None else named.name,
        "preset": preset,
        "preference": isinstance(named, Preference),
        "options": options,
        "members": members,
    }


def _description(named: Named) -> tuple[str, str, str]:
    """What it is called, what that is, and what else its class says."""
    title, colon, summary = named.what.partition(": ")
    title, summary = (title[0].upper() + title[1:], summary) if colon else (named.name, title)
    text = _SECTIONS.split(inspect.cleandoc(type(named).__doc__ or ""))[0].strip()
    first, _, rest = text.partition("\n")
    return title, summary, rest.strip() if first.replace("``", "") == named.what else text


def _parameter(named: Named, option: str) -> dict[str, Any]:
    """An option as a parameter: its type is that of its default, or where that is None, the first."""
    hint, default = get_type_hints(type(named))[option], named.options[option]
    kind = type(default) if default is not None else get_args(hint)[0]
    dtype = _TYPES.get(get_origin(kind)) or kind.__name__
    choices = {"choices": list(get_args(hint))} if get_origin(hint) is Literal else {}
    desc = meaning(named, option).removesuffix(".")
    return {"dtype": dtype, "default": default, **choices, "desc": desc}


def stub() -> str:
    """The names that the adapter makes of the table, for type checkers."""
    from irpref_ir_measures.measures import NAMED

    kinds = {name: type(measure).__mro__[1].__name__ for name, measure in NAMED.items()}
    return "\n".join(
        [
            "# scripts/make_ir_measures_table.py writes this file.",
            "from .base import CoreMeasure, CorePreference",
            "from .measures import IrprefProvider",
            "from .scoring import scores as scores",
            "",
            "provider: IrprefProvider",
            *(f"{name}: {kind}" for name, kind in sorted(kinds.items())),
            "",
        ]
    )


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")

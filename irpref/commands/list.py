"""The command ``irpref list``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from irpref.commands.options import add_report
from irpref.commands.parser import examples

if TYPE_CHECKING:
    from irpref.choices import Progress
    from irpref.options import Named
    from irpref.render.report import Report


_OF_ALL = ("cutoff", "rel")


def add_list(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    listing = commands.add_parser(
        "list",
        help="name preferences, measures, tests and studies, a line each",
        description="Name all preferences, measures, tests and studies, with what they are and their "
        "options.",
        epilog=examples("irpref list", "irpref list --format csv"),
    )
    add_report(listing, _list)


def _list(options: argparse.Namespace, _: Progress | None) -> Report:
    from irpref.names import known_names
    from irpref.preferences.criterion import Criterion
    from irpref.render.names import names_report
    from irpref.stats.tests import TESTS, known_test
    from irpref.studies import known_studies

    known = known_names()
    kinds = {True: "preference", False: "measure"}
    records = [
        {
            "name": name,
            "kind": kinds[isinstance(each, Criterion)],
            "what": _what(str(each), each),
            "options": ", ".join(_options(each)),
            "stands_for": each.written_out,
        }
        for name, each in known.items()
    ]
    records.sort(key=lambda record: str(record["kind"]) != "preference")
    records += [
        {
            "name": name,
            "kind": "test",
            "what": known_test(name).summary,
            "options": "",
            "stands_for": None,
        }
        for name in TESTS
    ]
    records += [
        {
            "name": name,
            "kind": "study",
            "what": each.question,
            "options": ", ".join(each.options),
            "stands_for": None,
        }
        for name, each in sorted(known_studies().items())
    ]
    return names_report(records)


def _what(name: str, each: Named) -> str:
    """The first line of its module, if that asks a question for it, or else of its class."""
    module = (sys.modules[type(each).__module__].__doc__ or "").partition("\n")[0]
    if module.startswith(f"{name}, ") and ": " in module:
        return module.removeprefix(f"{name}, ")
    return (type(each).__doc__ or "").partition("\n")[0].replace("``", "")


def _options(each: Named) -> Iterable[str]:
    names = [field.name for field in fields(each) if field.init and field.name not in _OF_ALL]
    if "ties" in names:
        try:
            each(ties="expected")
        except ValueError:  # there is one way only to take ties
            names.remove("ties")
    return names

"""The command of ir_measures with irpref's measures: ``irpref ir-measures QRELS RUN MEASURE…``."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from ir_measures import parse_measure
from ir_measures.__main__ import main_cli
from ir_measures.measures import registry

import irpref_ir_measures  # noqa: F401  (registers the measures)


def main(arguments: Sequence[str]) -> None:
    """Run the command.

    Args:
        arguments: The arguments of the command ``ir_measures``.

    Raises:
        ValueError: A preference has no reference run, a parameter is wrong, or a run is unreadable.
        SystemExit: ir_measures itself refuses the arguments.
    """
    for text in " ".join(arguments).split():
        if hasattr(registry.get(re.split(r"\W", text)[0]), "PROVIDER"):
            # An error tells more than ir_measures' own "syntax error".
            parse_measure(text)
    given = sys.argv
    # The parser of ir_measures takes its arguments from here only.
    sys.argv = ["irpref ir-measures", *arguments]
    try:
        main_cli()
    finally:
        sys.argv = given

"""The command of ir_measures with irpref's measures: ``irpref ir-measures QRELS RUN MEASURE…``."""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import sys
from collections.abc import Sequence

from ir_measures.__main__ import main_cli

import irpref_ir_measures  # noqa: F401  # registers the measures

__all__ = ["main"]


def main(arguments: Sequence[str]) -> None:
    """Run it.

    Args:
        arguments: The words behind the command, all that ``ir_measures`` takes.

    Raises:
        ValueError: A preference has no reference run, a parameter cannot be used, or a run cannot.
        SystemExit: ir_measures itself refuses the arguments.
    """
    given = sys.argv
    # The framework's parser takes its arguments from nowhere else.
    sys.argv = ["irpref ir-measures", *arguments]
    try:
        main_cli()
    finally:
        sys.argv = given

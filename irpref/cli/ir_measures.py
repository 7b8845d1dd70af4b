"""The command ``irpref ir-measures``."""

from __future__ import annotations

import argparse
from typing import Any

from irpref.report.terminal import check_stdout

IR_MEASURES = "ir-measures"


def add_ir_measures(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    framework = commands.add_parser(
        IR_MEASURES,
        add_help=False,
        help="the command of ir_measures, with all names that irpref lists",
    )
    framework.set_defaults(run=_ir_measures, debug=False)


def _ir_measures(options: argparse.Namespace) -> None:
    # print() says nothing where stdout is closed.
    check_stdout()
    from importlib.metadata import entry_points

    # The core knows no framework: whatever distribution offers the command registers it.
    offered = entry_points(group="irpref.commands", name=IR_MEASURES)
    if not offered:
        raise ImportError('this command needs ir_measures: pip install "irpref[ir-measures]"')
    offered[IR_MEASURES].load()(options.words)

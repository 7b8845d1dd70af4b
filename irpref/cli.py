"""The command line: ``irpref`` and its commands."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from irpref.commands.compare import add_compare
from irpref.commands.corroborate import add_corroborate
from irpref.commands.demo import add_demo
from irpref.commands.evaluate import add_evaluate
from irpref.commands.explain import add_explain
from irpref.commands.input import as_flags
from irpref.commands.ir_measures import IR_MEASURES, add_ir_measures
from irpref.commands.plan import add_plan
from irpref.commands.plot import add_plot
from irpref.render.terminal import show, tell
from irpref.version import __version__
from irpref.visible import visible

__all__ = ["main"]

_ERROR = 1


class _Parser(argparse.ArgumentParser):
    """A parser that ends a user's mistake with one clear line and the exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(_ERROR, f"irpref: error: {visible(message)} (see {self.prog} --help)")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            tell(message)
        sys.exit(status)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse would print what a terminal may lack, and ignore a full disk.
        show(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words behind ``irpref``; those of the process if not given.

    Returns:
        The exit code: 0, or 1 for a user's mistake.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    options: argparse.Namespace | None = None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            options = _build_parser().parse_args(words[:1] if words[:1] == [IR_MEASURES] else words)
            options.words = words[1:]
            options.run(options)
    except BrokenPipeError:
        # The reader of our output has seen enough.
        return 0
    except (ValueError, OSError, ImportError) as error:
        if getattr(options, "debug", False):
            raise
        tell(f"irpref: error: {visible(as_flags(str(error), options))}")
        return _ERROR
    except KeyboardInterrupt:
        tell("irpref: stopped")
        return 130
    finally:
        for warning in caught:
            tell(f"irpref: warning: {visible(as_flags(str(warning.message), options))}")
    return 0


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="irpref",
        description="Compare rankings directly, pair by pair, and score tied rankings exactly.",
    )
    parser.add_argument("--version", action="version", version=f"irpref {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    add_compare(commands)
    add_evaluate(commands)
    add_explain(commands)
    add_corroborate(commands)
    add_plot(commands)
    add_plan(commands)
    add_demo(commands)
    add_ir_measures(commands)
    return parser

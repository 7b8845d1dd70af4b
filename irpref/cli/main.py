"""The command line: ``irpref`` and its commands."""

from __future__ import annotations

import argparse
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress

from irpref.base.escape import escaped, shortened
from irpref.base.message import spelled
from irpref.base.version import __version__
from irpref.cli.compare import add_compare, add_corroborate, add_evaluate, add_explain
from irpref.cli.convert import add_convert
from irpref.cli.gate import add_gate
from irpref.cli.ir_measures import IR_MEASURES, add_ir_measures
from irpref.cli.list import add_demo, add_list
from irpref.cli.named_runs import open_saved
from irpref.cli.parser import ERROR, Commands, Parser, spelling
from irpref.cli.plot import add_plot
from irpref.cli.study import add_plan, add_study
from irpref.report.terminal import tell, tell_problem

_GROUPS = {
    "compare": {
        "compare": add_compare,
        "evaluate": add_evaluate,
        "explain": add_explain,
        "corroborate": add_corroborate,
        "gate": add_gate,
    },
    "show": {"plot": add_plot},
    "research": {"study": add_study, "plan": add_plan},
    "files": {"convert": add_convert},
    "help": {"list": add_list, "demo": add_demo},
    "frameworks": {IR_MEASURES: add_ir_measures},
}


_MISTAKES = (ValueError, OSError, ImportError)
# What Python says where the system has no room for a thread.
_TOO_LITTLE = ("can't start new thread", "can't allocate lock")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words behind ``irpref``; those of the process if not given. Without any it prints
            the help.

    Returns:
        The exit code: 0, or what a gate decides; 2 for an error.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    options: argparse.Namespace | None = None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            parser = _build_parser(*words[:1])
            options = parser.parse_args(words[:1] if words[:1] == [IR_MEASURES] else words)
            options.words = words[1:]
            if "exit_code" in options:
                # Where memory is short, OpenBLAS ends a process with 1: load it while there is enough.
                import scipy.linalg  # noqa: F401
            _interrupt_waits()
            open_saved(options)
            options.run(options)
    except BrokenPipeError:
        # The reader of our output has seen enough.
        pass
    except SystemExit:
        raise
    except KeyboardInterrupt:
        tell("irpref: stopped")
        return 130
    except BaseException as error:
        # Not raised: Python would end with the code of a gate that fails.
        _tell_error(error, options)
        return ERROR
    finally:
        # Matplotlib warns of a letter that it lacks whenever it measures it.
        said = [spelled(warning.message, spelling(options)) for warning in caught]
        shown = getattr(options, "said", "")
        for message in dict.fromkeys(said):
            # A report names the run where a warning names its file.
            problem = message.partition(": ")[2].partition("; ")[0] or message
            if problem not in shown:
                tell_problem("warning", escaped(message))
    return getattr(options, "exit_code", 0)


def _interrupt_waits() -> None:
    """Let Ctrl-C end a wait for a pipe that stays empty, which polars has go on once it is imported."""
    import polars  # noqa: F401

    if hasattr(signal, "siginterrupt"):
        signal.siginterrupt(signal.SIGINT, True)


def _tell_error(error: BaseException, options: argparse.Namespace | None) -> None:
    """Say what ended a command: a mistake and a lack of memory in a line, all else as Python does."""
    problem = spelled(error, spelling(options)) if isinstance(error, _MISTAKES) else None
    if problem is None and (isinstance(error, MemoryError) or str(error) in _TOO_LITTLE):
        problem = "there is too little memory; give irpref more, or less to read"
    # What polars raises where it panics is no Exception, and may have no memory left.
    elif problem is None and not isinstance(error, Exception):
        problem = f"polars stopped ({shortened(str(error), 200)}); is there too little memory?"
    if problem is None or getattr(options, "debug", False):
        with suppress(OSError):
            traceback.print_exc()
    else:
        tell_problem("error", escaped(problem))
        if options is not None:
            # What the error says is no warning too.
            options.said = f"{getattr(options, 'said', '')} {problem}"


def _build_parser(word: str = "") -> Parser:
    """The parser of the command that is typed, or of all: to add each of them takes a while."""
    parser = Parser(
        prog="irpref",
        description="Compare rankings directly, pair by pair, and score tied rankings exactly.",
        epilog="irpref help COMMAND says more, with examples; irpref list NAME what a name means.",
    )
    parser.add_argument("--version", action="version", version=f"irpref {__version__}")
    commands = Commands(parser)
    alone = any(word in adders for adders in _GROUPS.values())
    for heading, adders in _GROUPS.items():
        commands.begin(heading)
        for name, add in adders.items():
            if name == word or not alone:
                add(commands)
    return parser

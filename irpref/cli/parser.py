"""The parser of the command line: groups of commands, examples in the help, and the word that was meant."""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from irpref.base.errors import nearest, unknown
from irpref.base.escape import escaped
from irpref.base.message import Option
from irpref.report.terminal import show, tell_problem

ERROR = 2


def examples(*lines: str) -> str:
    """The end of a help: lines that can be typed as they are, beside the files that they name."""
    return "\n".join(["examples:", *(f"  {line}" for line in lines)])


def spelling(options: argparse.Namespace | None) -> Callable[[Option], str]:
    """How the command that was typed writes an option; as in Python where none could be read."""
    spell: Callable[[Option], str] = str if options is None else options.parser.spell
    return spell


class _Formatter(argparse.HelpFormatter):
    """Paragraphs are folded, but for those whose lines are meant, which are set off."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        parts = text.split("\n\n")
        return "\n\n".join(
            part if "\n " in part else fill(part, width, indent).rstrip() for part in parts
        )


class Parser(argparse.ArgumentParser):
    """A parser that ends a user's mistake with one clear line and the exit code 2.

    Attributes:
        complete: What adds the rest of the parser when it is first asked to parse, if that takes a while.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **options})
        self.complete: Callable[[Parser], None] | None = None

    def error(self, message: str) -> NoReturn:
        tell_problem("error", f"{escaped(message)} (see {self.prog} --help)")
        sys.exit(ERROR)

    def parse_known_args(  # type: ignore[override]
        self, args: Any = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self.complete is not None:
            complete, self.complete = self.complete, None
            complete(self)
        # Here a command still knows its own options; argparse would complain further up.
        found, extra = super().parse_known_args(args, namespace)
        # A command inside this one has said so before.
        found.parser = getattr(found, "parser", self)
        for word in extra:
            flag = word.partition("=")[0]
            if flag.startswith("-"):
                near = nearest(flag, self._option_string_actions)
                self.error(f"unknown option {flag}" + (f"; did you mean {near}?" if near else ""))
        if extra:
            self.error(f"too many words: {' '.join(extra)}")
        return found, extra

    def spell(self, option: Option) -> str:
        """An option as people type it behind this command; as in Python if the command lacks it."""
        own = {each.dest: each for each in self._actions if each.option_strings}
        if (action := own.get(option.name)) is None:
            return str(option)
        flag, value = action.option_strings[-1], option.value
        if option.alone or value is True:
            return flag
        if value is ...:
            named = action.metavar or action.dest.upper()
            return " ".join([flag, *([named] if isinstance(named, str) else named)])
        if isinstance(value, Mapping):
            given = [f"{name}={of}" for name, of in value.items()]
            if isinstance(action, argparse._AppendAction):
                return " ".join(f"{flag} {shlex.quote(each)}" for each in given)
            return f"{flag} {shlex.quote(','.join(given))}"
        # A value that begins so would be taken for an option.
        between = "=" if str(value).startswith("-") else " "
        return f"{flag}{between}{'none' if value is None else shlex.quote(str(value))}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        if isinstance(action, argparse._SubParsersAction):
            kind = str(action.metavar).lower()
            raise argparse.ArgumentError(None, str(unknown(kind, value, action.choices)))
        raise argparse.ArgumentError(action, str(unknown("value", value, action.choices)))

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse would print what a terminal may lack, and ignore a full disk.
        show(message)


class Commands:
    """The commands of a parser, which its help lists in groups; without a command it prints that help."""

    def __init__(self, parser: Parser, metavar: str = "COMMAND", *, names: int = 14) -> None:
        self._parser, self._names = parser, names
        # argparse knows one list of commands only; the description has them in groups.
        self._all = parser.add_subparsers(prog=parser.prog, metavar=metavar, help=argparse.SUPPRESS)
        parser.set_defaults(run=lambda _: parser.print_help())
        parser.usage = f"{parser.prog} {metavar} ..."
        self._group = ""

    def begin(self, group: str) -> None:
        """Begin a group: the commands that follow are in it."""
        self._group = f"\n\n{group}:"

    def add_parser(self, name: str, *, help: str, **options: Any) -> Parser:
        """Add a command, as argparse does."""
        line = textwrap.fill(
            f"  {name:<{self._names}}{help}", 78, subsequent_indent=" " * (self._names + 2)
        )
        self._parser.description = f"{self._parser.description}{self._group}\n{line}"
        self._group = ""
        added: Parser = self._all.add_parser(name, **options)
        return added

"""How a command writes the options that a message names."""

from __future__ import annotations

import argparse

import pytest

from irpref.base.message import Message, Option
from irpref.cli.parser import Parser, spelling


@pytest.fixture
def options() -> argparse.Namespace:
    parser = Parser()
    parser.add_argument("runs", nargs="*")
    parser.add_argument("--order", action="append", metavar="[NAME=]rank|score")
    parser.add_argument("--judged-only", action="store_true")
    parser.add_argument("--seed", dest="rng")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"))
    parser.add_argument("-k", "--depth", metavar="K")
    parser.add_argument("--margin")
    return parser.parse_args([])


@pytest.mark.parametrize(
    ("option", "in_python", "behind_the_command"),
    [
        (Option("order", "rank"), "order='rank'", "--order rank"),
        (Option("order", {"bm25": "rank"}), "order={'bm25': 'rank'}", "--order bm25=rank"),
        (Option("order", {"a b": "rank"}), "order={'a b': 'rank'}", "--order 'a b=rank'"),
        (
            Option("order", {"it's": "rank"}),
            "order={\"it's\": 'rank'}",
            "--order 'it'\"'\"'s=rank'",
        ),
        (Option("judged_only"), "judged_only", "--judged-only"),
        (Option("judged_only", True), "judged_only=True", "--judged-only"),
        (Option("rng", None), "rng=None", "--seed none"),
        (Option("rng", 7), "rng=7", "--seed 7"),
        (Option("pair", ..., python="pair=(a, b)"), "pair=(a, b)", "--pair A B"),
        (Option("depth", ...), "depth=…", "--depth K"),
        (Option("margin", ...), "margin=…", "--margin MARGIN"),
        (Option("lists", 10), "lists=10", "lists=10"),
        (Option("runs"), "runs", "runs"),
    ],
)
def test_an_option_is_written_as_it_is_typed(
    options: argparse.Namespace, option: Option, in_python: str, behind_the_command: str
) -> None:
    said = Message("it says: ", option, ".")
    assert said == f"it says: {in_python}."
    assert said.spelled(spelling(None)) == said
    assert said.spelled(spelling(options)) == f"it says: {behind_the_command}."

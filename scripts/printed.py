"""What the studies of this folder share: their command line, and the tables in Markdown that they print."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser_of(doc: str | None, folders: str | None = "+") -> argparse.ArgumentParser:
    """A command line that shows the docstring of a script, and takes folders of collections (or none)."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=doc, formatter_class=raw)
    if folders is not None:
        parser.add_argument("folders", type=Path, nargs=folders)
    return parser


def print_row(*cells: object) -> None:
    """A row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def print_head(*columns: object) -> None:
    """The head of a table."""
    print_row(*columns)
    print("|---" * len(columns) + "|")

"""The command ``irpref explain``."""

from __future__ import annotations

from typing import Any

__all__ = ["add_explain"]


def add_explain(commands: Any) -> None:
    """Add the command to the commands of a parser."""

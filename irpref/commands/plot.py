"""The command ``irpref plot``."""

from __future__ import annotations

from typing import Any

__all__ = ["add_plot"]


def add_plot(commands: Any) -> None:
    """Add the command to the commands of a parser."""

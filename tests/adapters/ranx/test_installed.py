"""What is installed."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_ranx_is_at_least_the_lower_bound() -> None:
    bounds = re.findall(r'"ranx>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert bounds
    installed = tuple(map(int, version("ranx").split(".")[:3]))
    assert all(installed >= tuple(map(int, bound.split("."))) for bound in bounds)

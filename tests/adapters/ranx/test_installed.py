"""What is installed, and what is said where it is not."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_ranx_is_at_least_the_lower_bound() -> None:
    bounds = re.findall(r'"ranx>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert bounds
    installed = tuple(map(int, version("ranx").split(".")[:3]))
    assert all(installed >= tuple(map(int, bound.split("."))) for bound in bounds)


def test_without_ranx_the_error_says_how_to_get_it() -> None:
    program = "import sys; sys.modules['ranx'] = None; import irpref_ranx"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        'ImportError: irpref_ranx needs ranx: pip install "irpref[ranx]"'
    )

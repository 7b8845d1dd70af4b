"""What is installed, and what is said where it is not."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_dask_is_at_least_the_lower_bound() -> None:
    bounds = re.findall(r'"dask\[dataframe\]>=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert bounds
    installed = tuple(map(int, version("dask").split(".")[:3]))
    assert all(installed >= tuple(map(int, bound.split("."))) for bound in bounds)


# Dask may be there without what its DataFrames need.
@pytest.mark.parametrize("missing", ["dask", "pyarrow"])
def test_without_dask_the_error_says_how_to_get_it(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import irpref_dask"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        'ImportError: irpref_dask needs dask: pip install "irpref[dask]"'
    )

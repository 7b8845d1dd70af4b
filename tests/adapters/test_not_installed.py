"""What an adapter says where its framework is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("missing", "framework"),
    [
        ("ranx", "ranx"),
        ("lenskit", "lenskit"),
        ("dask", "dask"),
        # Dask may be there without what its DataFrames need.
        ("pyarrow", "dask"),
    ],
)
def test_the_error_says_how_to_get_it(missing: str, framework: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import irpref_{framework}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f'ImportError: irpref_{framework} needs {framework}: pip install "irpref[{framework}]"'
    )

"""What is said where LensKit is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_error_says_how_to_get_lenskit() -> None:
    program = "import sys; sys.modules['lenskit'] = None; import irpref_lenskit"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        'ImportError: irpref_lenskit needs lenskit: pip install "irpref[lenskit]"'
    )

"""What adapters may import of irpref: that each name is there, and that none waits for the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irpref import for_adapters


@pytest.mark.parametrize("name", for_adapters.__all__)
def test_every_name_is_there_and_explained(name: str) -> None:
    assert getattr(for_adapters, name) is not None
    assert f"``{name}``" in (for_adapters.__doc__ or "")


def test_no_name_is_there_for_nobody() -> None:
    adapters = Path(__file__).parents[2] / "adapters"
    text = "\n".join(path.read_text() for path in adapters.glob("*/*.py"))
    assert [name for name in for_adapters.__all__ if name not in text] == []


def test_one_name_does_not_wait_for_the_others() -> None:
    code = "import sys; from irpref.for_adapters import unknown; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

"""What the tests of every part share: where the real data are, and how much hypothesis tries."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "irpref",
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("irpref")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections, which lies beside the repository and not in it."""
    path = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("shared data absent")
    return path

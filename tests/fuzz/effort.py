"""How many files are tried: in the suite few, and always the same; by ``make fuzz`` many, of a new seed."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SOAKING = "IRPREF_FUZZ" in os.environ
_TIMES = 20


def effort(examples: int) -> settings:
    """A sixth of the examples, so that the suite stays short, or in ``make fuzz`` twenty times as many."""
    return settings(
        max_examples=examples * _TIMES if _SOAKING else max(1, examples // 6),
        derandomize=not _SOAKING,
        deadline=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )

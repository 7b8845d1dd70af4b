"""A plugin of pytest: where Terrier is absent, those of PyTerrier's tests run that do not need it.

Every class of PyTerrier's tests starts Java first, and only Maven has Terrier.
"""

from __future__ import annotations


def pytest_configure() -> None:
    """Let the tests go on if Java does not start."""
    import pyterrier as pt

    try:
        pt.java.init()
    except Exception:
        pt.java.init = pt.java.set_log_level = lambda *_: None

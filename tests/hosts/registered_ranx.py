"""A plugin of pytest: ranx's own tests run after ``irpref_ranx.register()``."""

from __future__ import annotations


def pytest_configure() -> None:
    """Let ranx know irpref's metrics."""
    import irpref_ranx

    irpref_ranx.register()

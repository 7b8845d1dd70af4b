"""A plugin of pytest: PyTerrier's own tests of ``pt.Experiment`` try irpref's instead.

python -m pytest -p no_terrier -p our_experiment tests    # in a checkout of PyTerrier
"""

from __future__ import annotations


def pytest_configure() -> None:
    """Put irpref's Experiment in the place of PyTerrier's."""
    import pyterrier as pt

    from irpref_pyterrier import Experiment

    pt.Experiment = Experiment

# For editors and type checkers; __init__.py finds these, and any others, by itself.
from typing import Any

from .agreement import agreement
from .base import AnyExperiment, DataFree, Experiment
from .ties import ties

__all__ = ["AnyExperiment", "DataFree", "Experiment", "agreement", "known_studies", "ties"]

def known_studies() -> dict[str, AnyExperiment]: ...
def __getattr__(name: str) -> Any: ...

# For editors and type checkers; __init__.py finds these, and any others, by itself.
from typing import Any

from .agreement import agreement
from .base import AnyExperiment, DataFree, Experiment
from .correlation import correlation
from .depth_degradation import depth_degradation
from .describe import describe
from .disaggregation import disaggregation
from .discriminative_power import discriminative_power
from .dominance import dominance
from .interleaving import interleaving
from .ipso_depth import ipso_depth
from .ipso_significance import ipso_significance
from .ipso_space import ipso_space
from .label_degradation import label_degradation
from .locality import locality
from .masked import masked
from .orientation import orientation
from .tie_probability import tie_probability
from .ties import ties
from .topic_degradation import topic_degradation
from .unjudged import unjudged
from .worst_case import worst_case

__all__ = [
    "AnyExperiment",
    "DataFree",
    "Experiment",
    "agreement",
    "correlation",
    "depth_degradation",
    "describe",
    "disaggregation",
    "discriminative_power",
    "dominance",
    "interleaving",
    "ipso_depth",
    "ipso_significance",
    "ipso_space",
    "known_studies",
    "label_degradation",
    "locality",
    "masked",
    "orientation",
    "tie_probability",
    "ties",
    "topic_degradation",
    "unjudged",
    "worst_case",
]

def known_studies() -> dict[str, AnyExperiment]: ...
def __getattr__(name: str) -> Any: ...

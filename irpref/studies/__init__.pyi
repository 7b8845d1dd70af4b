# For editors and type checkers; __init__.py finds these, and any others, by itself.
from typing import Any

from .agreement import Agreement
from .base import AnyExperiment, DataFree, Experiment
from .correlation import Correlation
from .depth_degradation import DepthDegradation
from .describe import Describe
from .disaggregation import Disaggregation
from .discriminative_power import DiscriminativePower
from .dominance import Dominance
from .interleaving import Interleaving
from .ipso_depth import IpsoDepth
from .ipso_significance import IpsoSignificance
from .ipso_space import IpsoSpace
from .label_degradation import LabelDegradation
from .locality import Locality
from .masked import Masked
from .orientation import Orientation
from .tie_probability import TieProbability
from .ties import Ties
from .topic_degradation import TopicDegradation
from .unjudged import Unjudged
from .worst_case import WorstCase

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

agreement: Agreement
correlation: Correlation
depth_degradation: DepthDegradation
describe: Describe
disaggregation: Disaggregation
discriminative_power: DiscriminativePower
dominance: Dominance
interleaving: Interleaving
ipso_depth: IpsoDepth
ipso_significance: IpsoSignificance
ipso_space: IpsoSpace
label_degradation: LabelDegradation
locality: Locality
masked: Masked
orientation: Orientation
tie_probability: TieProbability
ties: Ties
topic_degradation: TopicDegradation
unjudged: Unjudged
worst_case: WorstCase

def known_studies() -> dict[str, AnyExperiment]: ...
def __getattr__(name: str) -> Any: ...

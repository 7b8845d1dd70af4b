# The public names: __init__.py imports the module of each when it is first asked for.
from . import studies
from .api.collection import Collection
from .api.comparison import Comparison
from .api.conversion import convert
from .api.evaluation import compare_outcomes, compare_scores
from .api.summary import Summary
from .api.topic_plan import plan
from .api.verbs import collect, compare, compare_tasks, corroborate, evaluate
from .base.errors import InputError
from .base.reading_options import Reading
from .base.version import __version__
from .cli.demo_data import demo_paths
from .methods.measures import (
    AP,
    ASL,
    F1,
    ISL,
    RBP,
    RP,
    RR,
    TSE,
    TSL,
    LexiPrecision,
    LexiRecall,
    Measure,
    P,
    R,
    Success,
    TieAP,
    TieF1,
    TienDCG,
    TieP,
    TieR,
    TieRR,
    nDCG,
)
from .methods.names import parse
from .methods.preferences import IPSO, LP, LR, RPP, STRPP, Preference, preference
from .pairwise.testing_options import PairTest
from .read.mteb import Predictions, mteb_tasks

__all__ = [
    "AP",
    "ASL",
    "F1",
    "IPSO",
    "ISL",
    "LP",
    "LR",
    "RBP",
    "RP",
    "RPP",
    "RR",
    "STRPP",
    "TSE",
    "TSL",
    "Collection",
    "Comparison",
    "InputError",
    "LexiPrecision",
    "LexiRecall",
    "Measure",
    "P",
    "PairTest",
    "Predictions",
    "Preference",
    "R",
    "Reading",
    "Success",
    "Summary",
    "TieAP",
    "TieF1",
    "TieP",
    "TieR",
    "TieRR",
    "TienDCG",
    "__version__",
    "collect",
    "compare",
    "compare_outcomes",
    "compare_scores",
    "compare_tasks",
    "convert",
    "corroborate",
    "demo_paths",
    "evaluate",
    "mteb_tasks",
    "nDCG",
    "parse",
    "plan",
    "preference",
    "studies",
]

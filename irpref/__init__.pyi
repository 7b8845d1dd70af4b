# The public names: __init__.py imports the module of each when it is first asked for.
from . import studies
from .collection import Collection
from .comparison import Comparison
from .conversion import convert
from .errors import InputError
from .evaluation import compare_scores, mean_scores
from .measures import (
    AP,
    ASL,
    F1,
    RBP,
    RP,
    RR,
    TSE,
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
from .names import parse
from .pair_test import PairTest
from .preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    FunctionPreference,
    Preference,
    dcgRPP,
    invRPP,
    preference,
    rrLP,
    sgnLP,
)
from .read.mteb import Predictions, mteb_tasks
from .reading import Reading
from .render.corroboration import Corroboration
from .render.explanation import Explanation
from .render.report import Report
from .render.topic_plan import Plan
from .render.verdict import Verdict
from .study import Study
from .summary import Summary
from .task_comparison import TaskComparison
from .tasks import compare_tasks
from .topic_plan import plan
from .verbs import collect, compare, corroborate, evaluate
from .version import __version__

__all__ = ["AP", "ASL", "F1", "IPSO", "LP", "LR", "RBP", "RP", "RPP", "RR", "STRPP", "TSE"]
__all__ += ["Collection", "Comparison"]
__all__ += ["Corroboration", "Explanation", "FunctionPreference", "InputError", "LexiPrecision"]
__all__ += ["LexiRecall", "Measure", "P", "PairTest", "Plan", "Preference", "R", "Reading"]
__all__ += [
    "Report",
    "Study",
    "Success",
    "Summary",
    "TieAP",
    "TieF1",
    "TieP",
    "TieR",
    "TieRR",
    "TienDCG",
    "Verdict",
]
__all__ += [
    "__version__",
    "collect",
    "compare",
    "compare_scores",
    "convert",
    "corroborate",
    "dcgRPP",
    "evaluate",
    "invRPP",
]
__all__ += ["Predictions", "TaskComparison", "compare_tasks", "mteb_tasks"]
__all__ += ["mean_scores", "nDCG", "parse", "plan", "preference", "rrLP", "sgnLP", "studies"]

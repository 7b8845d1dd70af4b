# The public names: __init__.py imports the module of each when it is first asked for.
from . import studies
from .api.collection import Collection
from .api.comparison import Comparison
from .api.evaluation import compare_scores, mean_scores
from .api.summary import Summary
from .api.task_comparison import TaskComparison
from .api.tasks import compare_tasks
from .api.topic_plan import plan
from .api.verbs import collect, compare, corroborate, evaluate
from .base.errors import InputError
from .base.reading_options import Reading
from .base.version import __version__
from .cli.demo_data import demo_paths
from .methods.measures import (
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
from .methods.names import parse
from .methods.preferences import (
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
from .pairwise.testing_options import PairTest
from .read.mteb import Predictions, mteb_tasks
from .read.partition import convert
from .report.report import Report
from .show.reports.corroboration_report import Corroboration
from .show.reports.explanation_report import Explanation
from .show.reports.topic_plan_report import Plan
from .show.reports.verdict_report import Verdict
from .studies.findings import Study

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
    "demo_paths",
    "evaluate",
    "invRPP",
]
__all__ += ["Predictions", "TaskComparison", "compare_tasks", "mteb_tasks"]
__all__ += ["mean_scores", "nDCG", "parse", "plan", "preference", "rrLP", "sgnLP", "studies"]

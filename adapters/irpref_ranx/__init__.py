"""irpref inside ranx: tie-aware metrics in ranx's functions, and preferences in ranx's reports.

After ``import irpref_ranx``, ``ranx.evaluate`` and ``ranx.compare`` know ``tie_mrr@10``, ``tie_map``,
``tie_ndcg``, ``tie_ndcg_burges``, ``tie_precision``, ``tie_recall`` and ``tie_f1``. The ``evaluate`` and
``compare`` of this package also take preferences (``rpp``, ``lp``, ``lr``, ``ipso@10``, …).
"""

try:
    import ranx  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "ranx":
        raise
    raise ImportError('irpref_ranx needs ranx: pip install "irpref[ranx]"') from error

from irpref_ranx.comparison import compare, evaluate
from irpref_ranx.metrics import register
from irpref_ranx.report import PreferenceReport

__all__ = ["PreferenceReport", "compare", "evaluate", "register"]

register()

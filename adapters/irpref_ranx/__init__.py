"""irpref inside ranx: preferences over a reference, tie-aware metrics, and reports of all pairs.

Inside ``with reference(run):``, ``ranx.evaluate`` takes preferences (``rpp``, ``lp``, ``lr``, ``ipso@10``,
…) over this run. ``compare`` gives ranx's report with preferences between all pairs. After ``register()``,
ranx knows ``tie_mrr@10``, ``tie_map``, ``tie_ndcg``, ``tie_ndcg_burges``, ``tie_precision``, ``tie_recall``
and ``tie_f1``. The import itself changes nothing in ranx.
"""

from irpref.for_adapters import needing

with needing('irpref_ranx needs ranx: pip install "irpref[ranx]"', "ranx"):
    import ranx  # noqa: F401

from irpref_ranx.comparison import compare
from irpref_ranx.evaluating import reference, register
from irpref_ranx.report import PreferenceReport

__all__ = ["PreferenceReport", "compare", "reference", "register"]

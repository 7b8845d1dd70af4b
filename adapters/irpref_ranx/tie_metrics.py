"""irpref's tie-aware measures as metric functions of ranx."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from irpref import Measure, TieAP, TieF1, TienDCG, TieP, TieR, TieRR
from irpref.for_adapters import Floats
from irpref_ranx.typed_lists import placements_of

__all__ = ["TIE_METRICS", "MetricFunction", "metric_function"]

MetricFunction = Callable[..., Floats]

TIE_METRICS: dict[str, Measure] = {
    "tie_mrr": TieRR,
    "tie_map": TieAP,
    "tie_ndcg": TienDCG,
    "tie_ndcg_burges": TienDCG(dcg="exp-log2"),
    "tie_precision": TieP,
    "tie_recall": TieR,
    "tie_f1": TieF1,
}
"""The measures by name: ``tie_`` and ranx's name. ranx allows neither "-l" nor "rbp" in a name."""


def metric_function(measure: Measure) -> MetricFunction:
    """The measure as a metric of ranx: a function ``(qrels, run, k, rel_lvl)`` with a score a topic."""

    def scores(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Floats:
        if rel_lvl < 1:
            raise ValueError(
                f"the relevance level must be at least 1, not {rel_lvl}: grade 0 is never relevant here"
            )
        asked = measure(rel=rel_lvl) @ k if k else measure(rel=rel_lvl)
        placements = placements_of(qrels, run)
        values = np.zeros(len(qrels))
        if placements is not None:
            topics = np.array(placements.topics, dtype=np.int64)
            values[topics] = asked.scores(placements)[:, 0]
        return values

    return scores

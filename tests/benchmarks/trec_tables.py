"""The tables of qrels and runs, with the columns of TREC files in their order."""

from __future__ import annotations

import numpy as np
import polars as pl

__all__ = ["qrels_table", "run_table"]


def qrels_table(topics: pl.Series, documents: pl.Series, grades: np.ndarray) -> pl.DataFrame:
    """The judgments; all arguments have a value for each."""
    return pl.DataFrame(
        {
            "query_id": topics,
            "iteration": pl.repeat("0", len(topics), eager=True),
            "doc_id": documents,
            "relevance": grades,
        }
    )


def run_table(
    topics: pl.Series, documents: pl.Series, ranks: np.ndarray, scores: np.ndarray, tag: str
) -> pl.DataFrame:
    """The documents that a system retrieved; all arguments but the tag have a value for each."""
    return pl.DataFrame(
        {
            "query_id": topics,
            "q0": pl.repeat("Q0", len(topics), eager=True),
            "doc_id": documents,
            "rank": ranks,
            "score": scores,
            "tag": pl.repeat(tag, len(topics), eager=True),
        }
    )

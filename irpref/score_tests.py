"""``irpref.test_scores``: the tests of preferences, for the scores of any measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from irpref.choices import AnyCorrection, AnyMethod
from irpref.errors import unknown
from irpref.evaluation import AnyMeasure, as_measure
from irpref.project.collection import Progress
from irpref.summarise.tested import PairTestOptions, baseline_numbers, compare_scores
from irpref.version import __version__

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["score_matrix", "test_scores"]


def test_scores(
    scores: pd.DataFrame,
    *,
    measure: AnyMeasure | None = None,
    method: AnyMethod | None = None,
    correction: AnyCorrection = "auto",
    baseline: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Which pairs of systems the scores of a measure tell apart: the tests of preferences, for measures.

    Args:
        scores: Columns system, topic and value, and measure if there are several, as :func:`evaluate`
            gives them or any other tool does; every system on the same topics.
        measure: Which of them; not needed where there is one.
        method: As for :meth:`irpref.Comparison.test`; by default the t-test.
        correction: As for :meth:`irpref.Comparison.test`.
        baseline: As for :meth:`irpref.Comparison.test`.
        alpha: As for :meth:`irpref.Comparison.test`.
        rng: As for :meth:`irpref.Comparison.test`.
        n_resamples: As for :meth:`irpref.Comparison.test`.
        progress: As for :meth:`irpref.Comparison.test`.

    Returns:
        As :meth:`irpref.Comparison.test`; mean is the difference of the mean scores.

    Raises:
        ValueError: A column is missing, there are several measures and none is named, a system lacks a
            topic or has it twice; and as for :meth:`irpref.Comparison.test`.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> tests = irpref.test_scores(irpref.evaluate(*demo_paths(), irpref.AP), baseline="bm25")
        >>> tests.attrs["test"], len(tests)
        ('t', 5)
    """
    matrix, name = score_matrix(scores, measure)
    systems = [str(system) for system in matrix.columns]
    options = PairTestOptions(
        method=method,
        correction=correction,
        baselines=baseline_numbers(baseline, systems),
        alpha=alpha,
        rng=rng,
        n_resamples=n_resamples,
    )
    frame = compare_scores(matrix.to_numpy(dtype=float), systems, options, progress)
    frame.attrs["measure"] = name
    frame.attrs["signature"] = "|".join(
        [
            f"measure:{name}",
            f"topics:{len(matrix)}",
            *(f"{key}:{value}" for key, value in frame.attrs.items() if value is not None),
            f"irpref:{__version__}",
        ]
    )
    return frame


def score_matrix(
    scores: pd.DataFrame, measure: AnyMeasure | None = None
) -> tuple[pd.DataFrame, str]:
    """The scores of one measure as topics × systems, and its name.

    Raises:
        ValueError: As for :func:`test_scores`.
    """
    for column in ("system", "topic", "value"):
        if column not in scores.columns:
            found = ", ".join(map(str, scores.columns))
            raise ValueError(f"the scores have no column {column!r} (found: {found})")
    name = "value"
    if "measure" in scores.columns:
        known = list(dict.fromkeys(scores["measure"].astype(str)))
        if measure is None and len(known) > 1:
            raise ValueError(f"the scores are of several measures ({', '.join(known)}): name one")
        name = known[0] if measure is None else str(measure)
        if name not in known and isinstance(measure, str):
            name = str(as_measure(measure))
        if name not in known:
            raise unknown("measure", name, known)
        scores = scores[scores["measure"].astype(str) == name]
    twice = scores.duplicated(["system", "topic"])
    if twice.any():
        row = scores[twice].iloc[0]
        raise ValueError(f"system {row['system']} has two scores on topic {row['topic']}")
    matrix = scores.pivot(index="topic", columns="system", values="value")
    matrix = matrix.reindex(
        index=list(dict.fromkeys(scores["topic"])), columns=list(dict.fromkeys(scores["system"]))
    )
    lacking = matrix.isna()
    if lacking.to_numpy().any():
        system = lacking.any().idxmax()
        topic = lacking[system].idxmax()
        raise ValueError(
            f"system {system} has no score on topic {topic} ({int(lacking.to_numpy().sum())} scores "
            "are missing in all): a paired test needs every system on every topic; leave the topics "
            "out, or let a missing one count as the worst case (missing='worst')"
        )
    return matrix, name

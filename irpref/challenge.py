"""``irpref.corroborate``: challengers against a champion by one measure, corroborated by IPSO."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.choices import Duplicates, Method, Missing, Order
from irpref.evaluation import AnyMeasure, as_measure
from irpref.measures import Measure
from irpref.measures.ndcg import NormalisedDiscountedCumulativeGain
from irpref.preferences import IPSO
from irpref.preferences.ipso import InnateOrdering
from irpref.project import Collection, collect
from irpref.project.collection import Progress
from irpref.read import name_runs
from irpref.render.corroborated import corroboration_report
from irpref.render.report import Report
from irpref.score_tests import score_matrix
from irpref.summarise import frames
from irpref.summarise.corroboration import Corroboration, corroborate_scores
from irpref.summarise.scores import topic_scores
from irpref.summarise.signature import signature

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Challenge", "corroborate"]


@dataclass(frozen=True, repr=False)
class Challenge:
    """Challengers against one champion.

    Attributes:
        champion: Name of the champion.
        measure: What they were measured by.
        ordering: The IPSO that corroborates it.
        results: By challenger, all numbers, read from the challenger's side.
        test: The test of the measure.
        alpha: Significance level.
        signature: How it was made.
    """

    champion: str
    measure: str
    ordering: InnateOrdering
    results: dict[str, Corroboration]
    test: Method
    alpha: float
    signature: str

    @property
    def report(self) -> Report:
        """The table of the paper's proposal, in any format: ``.report.to_latex()``."""
        return corroboration_report(
            champion=self.champion,
            measure=self.measure,
            ordering=str(self.ordering),
            results=self.results,
            test=self.test,
            alpha=self.alpha,
            signature=self.signature,
        )

    @property
    def frame(self) -> pd.DataFrame:
        """One row a challenger, with every number of its :class:`.Corroboration`."""
        return self.report.records

    def __repr__(self) -> str:
        return repr(self.report)

    def _repr_html_(self) -> str:
        return self.report.to_html()


def corroborate(
    qrels: Any,
    champion: Any,
    challenger: Any,
    *,
    measure: AnyMeasure | pd.DataFrame,
    depth: int | None = None,
    graded: bool = False,
    test: Method = "t",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
    order: Order = "score",
    duplicates: Duplicates = "error",
    judged_only: bool = False,
    missing: Missing = "worst",
    progress: Progress | None = None,
) -> Challenge:
    """Follow "Using IPSO as a Corroboration" (Moffat & Mackenzie 2024, section 3).

    One measure is chosen on principle and tested (†); then an exact sign test on IPSO says whether other
    measures at the same depth are likely to agree (‡). All is read from the challenger's side.

    Args:
        qrels: As for :func:`irpref.compare`.
        champion: A run (its path gives its name), or ``{name: run}``.
        challenger: A run, a list of paths, or ``{name: run}``: one or several challengers.
        measure: A measure or its text; or scores by any other tool: columns system, topic and value, with
            the names of the runs.
        depth: Depth of IPSO; that of the measure if not given.
        graded: IPSO over all grades, for a graded measure.
        test: Test of the measure: ``"t"``, ``"wilcoxon"``, ``"sign"`` or ``"randomization"``.
        alpha: Significance level of both tests.
        rng: A seed or Generator for the randomization test.
        n_resamples: Its resamples.
        order: As for :func:`irpref.compare`.
        duplicates: As for :func:`irpref.compare`.
        judged_only: As for :func:`irpref.compare`.
        missing: As for :func:`irpref.compare`.
        progress: As for :func:`irpref.compare`.

    Returns:
        The challenge; ``.frame`` has the numbers, ``.report`` the table.

    Raises:
        InputError: A file or object cannot be used.
        ValueError: An option is unknown, or scores are missing.

    Warns:
        UserWarning: The depths differ, or the measure is graded and IPSO is not: IPSO at k binds only
            measures at k on the same relevance.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> qrels, (bm25_prf, bm25, *_) = demo_paths()
        >>> challenge = irpref.corroborate(qrels, bm25, bm25_prf, measure=irpref.AP @ 10)
        >>> list(challenge.results["bm25-prf"].topics.values())
        [5, 2, 0, 5, 0]
    """
    champions = _named(champion, "champion")
    challengers = _named(challenger, "challenger")
    if len(champions) != 1:
        raise ValueError(f"there is one champion, not {len(champions)}: {', '.join(champions)}")
    both = set(champions) & set(challengers)
    if both:
        raise ValueError(f"the champion and a challenger are both named {both.pop()!r}")
    chosen = as_measure(measure) if isinstance(measure, Measure | str) else None
    ordering = IPSO(graded=graded)
    if depth is None and chosen is not None:
        depth = chosen.cutoff
    if depth is not None:
        ordering = ordering @ depth
    if chosen is not None:
        ordering = ordering(rel=chosen.rel)
        _warn_of_mismatch(chosen, ordering)
    collection = collect(
        qrels,
        {**champions, **challengers},
        order=order,
        duplicates=duplicates,
        judged_only=judged_only,
        missing=missing,
        pool=chosen is not None and chosen.needs_pool,
        progress=progress,
    )
    [name] = champions
    scores, label = _scores(collection, measure if chosen is None else chosen)
    results = {}
    for other in challengers:
        for wanted in (name, other):
            if wanted not in scores.columns:
                raise ValueError(f"the scores have no system {wanted!r}")
        pair = scores[[name, other]].dropna()
        relations = frames.relations(
            collection, ordering, collection.system(other), collection.system(name)
        )
        results[other] = corroborate_scores(
            pair[name].to_numpy(dtype=float),
            pair[other].to_numpy(dtype=float),
            relation=relations["relation"].to_numpy(dtype=object),
            led_first=(relations["led_first"] == other).to_numpy(dtype=bool),
            method=test,
            alpha=alpha,
            rng=rng,
            n_resamples=n_resamples,
        )
    more = {
        "measure": label,
        "test": test,
        "B": n_resamples if test == "randomization" else None,
        "rng": rng if isinstance(rng, int) else None,
        "alpha": alpha,
    }
    return Challenge(
        champion=name,
        measure=label,
        ordering=ordering,
        results=results,
        test=test,
        alpha=alpha,
        signature=signature(ordering, collection, topics=len(collection.topics), more=more),
    )


def _named(run: Any, role: str) -> dict[str, Any]:
    """The runs by name: paths have names of their own, and one run in memory is named by its role."""
    if isinstance(run, str | os.PathLike):
        return name_runs([run])
    if isinstance(run, Mapping):
        first = next(iter(run.values()), None)
        scores = isinstance(first, Mapping) and all(
            not isinstance(value, Mapping) for value in first.values()
        )
        return {role: run} if scores else name_runs(run)
    if isinstance(run, Iterable) and not hasattr(run, "columns"):
        listed = list(run)
        if all(isinstance(path, str | os.PathLike) for path in listed):
            return name_runs(listed)
        return {role: listed}
    return {role: run}


def _warn_of_mismatch(measure: Measure, ordering: InnateOrdering) -> None:
    if ordering.cutoff != measure.cutoff:
        here, there = ("no cutoff" if k is None else k for k in (ordering.cutoff, measure.cutoff))
        warnings.warn(
            f"IPSO has depth {here} and {measure} {there}: IPSO at k binds only measures at k",
            UserWarning,
            stacklevel=3,
        )
    if isinstance(measure, NormalisedDiscountedCumulativeGain) and not ordering.graded:
        warnings.warn(
            f"{measure} is graded and IPSO is not: IPSO binds only measures on the same relevance "
            "(graded=True, --graded)",
            UserWarning,
            stacklevel=3,
        )


def _scores(
    collection: Collection, measure: Measure | pd.DataFrame | Any
) -> tuple[pd.DataFrame, str]:
    """Topics × systems, and the name of the measure."""
    if not isinstance(measure, Measure):
        if not hasattr(measure, "columns"):
            raise ValueError(
                "measure must be a measure, its text, or a frame with columns system, topic and value"
            )
        return score_matrix(measure)
    scores = topic_scores(collection, [measure])
    return scores.pivot(index="topic", columns="system", values="value"), str(measure)

"""What ``corroborate`` gives back: challengers against a champion by one measure, corroborated by IPSO."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from irpref.choices import Method
from irpref.errors import warn
from irpref.measures import Measure
from irpref.names import AnyMeasure, as_measure
from irpref.pair_test import AnyTest, PairTest
from irpref.preferences import IPSO
from irpref.preferences.ipso import InnateOrdering
from irpref.preferences.scores import ScoreTable
from irpref.project.placements import Placements
from irpref.render.corroboration import corroboration_report
from irpref.render.report import Report
from irpref.summarise import frames
from irpref.summarise.corroboration import ChallengerResult, corroborate_scores
from irpref.summarise.score_tables import score_table
from irpref.summarise.scores import topic_scores
from irpref.summarise.signature import signature

__all__ = ["Corroboration", "corroborate_systems"]


@dataclass(frozen=True, eq=False, repr=False)
class Corroboration:
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
    results: dict[str, ChallengerResult]
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
        """One row a challenger, with every number of its :class:`.ChallengerResult`."""
        return self.report.records

    def __repr__(self) -> str:
        return repr(self.report)

    def _repr_html_(self) -> str:
        return self.report.to_html()


def corroborate_systems(
    placements: Placements,
    champion: str,
    challengers: str | Iterable[str],
    *,
    measure: AnyMeasure | pd.DataFrame,
    depth: int | None,
    graded: bool,
    test: AnyTest,
) -> Corroboration:
    """Follow "Using IPSO as a Corroboration": :meth:`irpref.Collection.corroborate` says how.

    Raises:
        ValueError: As there.
    """
    others = [challengers] if isinstance(challengers, str) else list(challengers)
    for name in (champion, *others):
        placements.system(name)
    if not others:
        raise ValueError("there is no challenger")
    if champion in others:
        raise ValueError(f"the champion and a challenger are both named {champion!r}")
    chosen = as_measure(measure) if isinstance(measure, Measure | str) else None
    how = _checked(PairTest.of(test))
    method: Any = how.method_for("t")
    ordering = IPSO(graded=graded)
    if depth is None and chosen is not None:
        depth = chosen.cutoff
    if depth is not None:
        ordering = ordering @ depth
    if chosen is not None:
        ordering = ordering(rel=chosen.rel)
        _warn_of_mismatch(chosen, ordering)
    scores, label, made = _scores(placements, measure if chosen is None else chosen)
    drawn = method == "randomization"
    if drawn:
        how = replace(how, rng=how.seed())
    results = {}
    for other in others:
        for wanted in (champion, other):
            if wanted not in scores.columns:
                raise ValueError(f"the scores have no system {wanted!r}")
        pair = scores[[champion, other]].dropna()
        relations = frames.relations(
            placements, ordering, placements.system(other), placements.system(champion)
        )
        results[other] = corroborate_scores(
            pair[champion].to_numpy(dtype=float),
            pair[other].to_numpy(dtype=float),
            relation=relations["relation"].to_numpy(dtype=object),
            led_first=(relations["led_first"] == other).to_numpy(dtype=bool),
            method=method,
            alpha=how.alpha,
            rng=how.rng,
            n_resamples=how.n_resamples,
            higher_is_better=chosen is None or chosen.higher_is_better,
        )
    more = {
        "measure": label,
        "from": made,
        "test": method,
        "B": how.n_resamples if drawn else None,
        "rng": how.rng if drawn else None,
        "alpha": how.alpha,
    }
    return Corroboration(
        champion=champion,
        measure=label,
        ordering=ordering,
        results=results,
        test=method,
        alpha=how.alpha,
        signature=signature(ordering, placements, more=more),
    )


def _checked(test: PairTest) -> PairTest:
    """The test, if it can test each challenger by itself."""
    if test.method == "hsd":
        raise ValueError("hsd is a test of all pairs: each challenger is tested by itself here")
    if test.correction not in ("auto", None):
        raise ValueError(
            "each challenger is tested by itself here, so nothing needs a correction: leave correction out"
        )
    return test


def _warn_of_mismatch(measure: Measure, ordering: InnateOrdering) -> None:
    if ordering.cutoff != measure.cutoff:
        here, there = (
            "all depths" if k is None else f"depth {k}" for k in (ordering.cutoff, measure.cutoff)
        )
        warn(
            f"IPSO looks at {here} and {measure} at {there}: IPSO at k binds only measures at k",
        )
    if measure.graded and not ordering.graded:
        warn(
            f"{measure} uses grades and IPSO does not: IPSO binds only measures on the same relevance "
            "(graded=True, --graded)",
        )


def _scores(
    placements: Placements, measure: Measure | pd.DataFrame | Any
) -> tuple[pd.DataFrame, str, str | None]:
    """Topics × systems, the name of the measure, and how another tool made the scores."""
    if isinstance(measure, Measure):
        scores = topic_scores(placements, [measure])
        return scores.pivot(index="topic", columns="system", values="value"), str(measure), None
    if not hasattr(measure, "columns"):
        raise ValueError(
            "measure must be a measure, its text, or a frame with columns system, topic and value"
        )
    table: ScoreTable = score_table(measure)
    frame = pd.DataFrame(table.values_by_topic, index=table.topics, columns=table.systems)
    here = frame[frame.index.isin(placements.coverage.topics)]
    if here.isna().to_numpy().any():
        raise ValueError(
            f"the scores {table.name} lack a system on a topic: give every system a score on every topic"
        )
    if here.empty:
        raise ValueError(f"the scores {table.name} are of none of the topics of the qrels")
    return here, table.name, None if table.origin is None else table.origin.replace("|", ";")

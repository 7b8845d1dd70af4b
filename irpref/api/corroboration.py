"""Challengers against a champion by one measure, corroborated by IPSO."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from irpref.base.errors import warn
from irpref.base.message import Message, Option
from irpref.methods.measures import Measure
from irpref.methods.measures.difference import MeasureDifference
from irpref.methods.names import AnyCriterion, AnyMeasure, as_criterion, as_measure
from irpref.methods.preferences.ipso import InnateOrdering
from irpref.methods.preferences.scores import ScoreTable
from irpref.methods.score_tables import score_table
from irpref.pairwise import frames
from irpref.pairwise.challenges import corrected, corroborate_scores
from irpref.pairwise.frames import topic_scores
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import AnyTest, PairTest
from irpref.pairwise.unequal_depths import differ
from irpref.positions.placements import Placements
from irpref.show.reports.corroboration_report import Corroboration
from irpref.show.reports.coverage_report import sums_depth_note
from irpref.stats.corrections import too_few_resamples


def corroborate_systems(
    placements: Placements,
    champion: str,
    challengers: str | Iterable[str],
    *,
    measure: AnyMeasure | pd.DataFrame,
    preference: AnyCriterion,
    test: AnyTest,
) -> Corroboration:
    """Follow "Using IPSO as a Corroboration": :meth:`irpref.Collection.corroborate` says how.

    Raises:
        ValueError: As there.
    """
    others = [challengers] if isinstance(challengers, str) else list(dict.fromkeys(challengers))
    for name in (champion, *others):
        placements.system(name)
    if not others:
        raise ValueError("there is no challenger")
    if champion in others:
        raise ValueError(f"the champion and a challenger are both named {champion!r}")
    chosen = as_measure(measure) if isinstance(measure, Measure | str) else None
    how = PairTest.of(test)
    if how.margin is not None:
        raise ValueError(
            Message(
                "corroborate tests for a difference: leave ",
                Option("margin"),
                " and ",
                Option("alternative"),
                " out",
            )
        )
    method = how.method_for_each(signs=False)
    correcting = how.correction_for(method, pairs=len(others))
    ordering = _ordering(preference, chosen)
    if chosen is not None:
        _warn_of_mismatch(chosen, ordering)
    depths = placements.by_topic.depths[[placements.system(name) for name in (champion, *others)]]
    whole = ordering.cutoff is None or (chosen is not None and chosen.cutoff is None)
    if whole and differ(depths[0], depths[1:]).any():
        warn(sums_depth_note(depths.tolist()))
    scores, label, made = _scores(placements, measure if chosen is None else chosen)
    for wanted in (champion, *others):
        if wanted not in scores.columns:
            raise ValueError(f"the scores have no system {wanted!r}")
    pairs = {other: scores[[champion, other]].dropna() for other in others}
    if method.draws:
        how = how.seeded()
    bounds = (-math.inf, math.inf) if chosen is None else MeasureDifference(chosen).bounds
    alone = []
    for other, pair in pairs.items():
        relations = frames.relations(
            placements, ordering, placements.system(other), placements.system(champion)
        )
        alone.append(
            corroborate_scores(
                pair[champion].to_numpy(dtype=float),
                pair[other].to_numpy(dtype=float),
                relation=relations["relation"].to_numpy(dtype=object),
                led_first=(relations["led_first"] == other).to_numpy(dtype=bool),
                method=method.name,
                alpha=how.alpha,
                draws=how.draws(),
                higher_is_better=chosen is None or chosen.higher_is_better,
                bounds=bounds,
            )
        )
    drawn = max((each.resamples for each in alone if each.resamples is not None), default=None)
    warning = too_few_resamples(drawn, tests=len(others), correction=correcting, alpha=how.alpha)
    warn(warning)
    more = {
        "measure": label,
        "from": made,
        "test": method.name,
        "correction": correcting or "none",
        "family": f"{len(others)} challengers" if correcting else None,
        "B": drawn,
        "rng": None if drawn is None else how.rng,
        "alpha": how.alpha,
    }
    return Corroboration(
        champion=champion,
        measure=label,
        ordering=ordering,
        results=dict(zip(others, corrected(alone, correcting, alpha=how.alpha), strict=True)),
        test=method.name,
        correction=correcting,
        alpha=how.alpha,
        signature=signature(
            ordering,
            placements,
            names={"champion": champion, "challengers": others},
            more=more,
        ),
    )


def _ordering(preference: AnyCriterion, measure: Measure | None) -> InnateOrdering:
    """The IPSO that was given; what it does not say of depth and grades, the measure says."""
    given = as_criterion(preference)
    if not isinstance(given, InnateOrdering) or given.mode != "plain":
        raise ValueError(
            "preference must be IPSO, such as IPSO(graded=True) @ 10, without ties= and unjudged=; not "
            f"{given}"
        )
    if measure is None:
        return given
    if given.cutoff is None and measure.cutoff is not None:
        given = given @ measure.cutoff
    return given if given.rel != 1 else given(rel=measure.rel)


def _warn_of_mismatch(measure: Measure, ordering: InnateOrdering) -> None:
    if ordering.cutoff != measure.cutoff:
        here, there = (
            "all depths" if k is None else f"depth {k}" for k in (ordering.cutoff, measure.cutoff)
        )
        warn(
            f"IPSO looks at {here} and {measure} at {there}: IPSO at k binds only measures at k",
        )
    if measure.rel != ordering.rel:
        warn(
            f"IPSO takes grades from {ordering.rel:g} on for relevant and {measure} from {measure.rel:g}: "
            "IPSO binds only measures on the same relevance"
        )
    if measure.graded and not ordering.graded and ordering.gains is None:
        warn(
            f"{measure} uses grades and IPSO does not: IPSO binds only measures on the same relevance "
            "(IPSO(graded=True))",
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
    here = frame[frame.index.isin(placements.by_topic.topics)]
    if here.isna().to_numpy().any():
        raise ValueError(
            f"the scores {table.name} lack a system on a topic: give every system a score on every topic"
        )
    if here.empty:
        raise ValueError(f"the scores {table.name} are of none of the topics of the qrels")
    return here, table.name, None if table.origin is None else table.origin.replace("|", ";")

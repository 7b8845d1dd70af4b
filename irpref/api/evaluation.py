"""What is done with scores: means, a report, a comparison by them, and corroboration by IPSO."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from irpref.api.comparison import Comparison
from irpref.base.errors import warn
from irpref.base.literals import Correction, Progress, Scale
from irpref.base.reading_options import Reading, refuse_groups
from irpref.methods.measures import Measure
from irpref.methods.names import AnyCriterion, AnyMeasure, as_criterion, as_measure, check_names
from irpref.methods.outcome_table import outcome_table
from irpref.methods.preferences.ipso import InnateOrdering
from irpref.methods.preferences.scores import MeasureDifference, ScoreTable
from irpref.methods.preferences.side_by_side import Outcomes
from irpref.methods.score_tables import score_table, score_tables
from irpref.pairwise.challenges import corrected, corroborate_scores
from irpref.pairwise.frames import relations, tie_report, topic_scores
from irpref.pairwise.pair_checks import differ
from irpref.pairwise.provenance import provenance_of
from irpref.pairwise.signature import signature, with_parts
from irpref.pairwise.testing_options import AnyTest, PairTest
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.given_positions import names_only
from irpref.positions.grouped import GroupedPlacements, grouped
from irpref.positions.placements import Placements
from irpref.read.score_files import read_scores
from irpref.report.report import Report
from irpref.report.table import Table, count_of, table_of
from irpref.show.reports.check_words import depth_words
from irpref.show.reports.corroboration_report import Corroboration
from irpref.show.reports.coverage_report import reading_words, with_provenance
from irpref.show.reports.topics_report import topics_table
from irpref.stats.corrections import too_few_resamples

_SCORE = ".4f"
_TIES = (
    "trec: tied documents in trec_eval's order, by name; expected: averaged over tie orders; worst, best: "
    "in the order that scores worst, and best; spread: how far these two are apart.",
    "straddled: share of topics where the cutoff splits a tied group with relevant documents, or such a "
    "group above it holds others too; unsettled: share of topics whose score depends on the order.",
)


def compare_scores(
    scores: Any,
    *,
    higher_is_better: bool = True,
    groups: Mapping[str, str | Iterable[str]] | None = None,
    deterministic: Iterable[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """Compare every pair of systems by their scores on every topic, from any tool.

    Args:
        scores: Columns system, topic and value, and measure if there are several, as :func:`evaluate`
            gives them or any other tool does; or model_name, task_name and score, as MTEB does. Where one
            is missing, two systems are compared on the topics that both have. Or the files that
            ``trec_eval -q`` or ``ir_measures -q`` printed: paths, which name the systems, or
            ``{system: path}``.
        higher_is_better: Which direction is better, for all of them.
        groups: Which names are runs of one system: see :class:`irpref.Reading`.
        deterministic: Systems of one run that would come out the same again: see there.
        progress: Called after every batch of topics.

    Returns:
        The comparison by the difference of the scores: tests, orders, leaderboards, reports. There are no
        rankings to explain.

    Raises:
        InputError: A file is unreadable, or has only means over all topics.
        ValueError: A column is missing or there in both spellings, a system has no score or a topic twice,
            or there is one system only.

    Warns:
        UserWarning: Scores are missing.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> scores = irpref.evaluate(*demo_paths(), [irpref.AP, irpref.RR])
        >>> tests = irpref.compare_scores(scores).test("RR", baseline="bm25")
        >>> tests.attrs["test"], len(tests)
        ('randomization', 5)
    """
    frame = scores if hasattr(scores, "columns") else read_scores(scores)
    tables = score_tables(frame, higher_is_better=higher_is_better)
    return _compare(tables, Reading(groups=groups, deterministic=deterministic), progress)


def compare_outcomes(
    outcomes: Any, *, scale: Scale | None = None, progress: Progress | None = None
) -> Comparison:
    """Compare every pair of systems by what judges say who saw them side by side.

    Judges are people or language models. The value of a pair on a topic is the mean over the judges, and
    of each judge the mean of the answers. A pair that was not judged on a topic is missing there, and not
    a tie; tests and intervals are over the judged topics, for these judges. Beside preferences, judgments
    stand as ``{"judges": frame}`` (:meth:`irpref.Collection.compare`), and so in
    ``irpref.studies.agreement``.

    Args:
        outcomes: A frame, or a file: text with a header, JSON lines or Parquet. Columns topic, a and b,
            which name two systems in the order in which they were shown, and outcome: ``a``, ``b``,
            ``tie``, or a number from -1 to +1, above 0 if a is better. Or question_id, model_a, model_b and
            winner, as MT-bench has them. A column judge says whose answer each row is; without, each row is
            of another judge. Other columns are not looked at.
        scale: What numbers mean: ``"-1..1"``, or ``"0..1"``, where 1 says that a is better, 0.5 that both
            tie, and 0 that b is better. Needed where no number is below 0, as in a win rate.
        progress: Called after every batch of topics.

    Returns:
        The comparison by ``judges``: outcomes, tests, orders, leaderboards, reports. Reports say how far
        judges agree, and what the order of the two does. There are no rankings to explain.

    Raises:
        InputError: The file is unreadable, a column, a name or an outcome is missing or unusable, a system
            is judged against itself, or no number is below 0 and no scale was named.

    Warns:
        UserWarning: Fewer than ten topics are judged, or all outcomes are ties, or rows have none, or a
            system is called ``a`` or ``b``.

    Example:
        >>> import irpref
        >>> import pandas as pd
        >>> rows = [(str(topic), "new", "old", "a" if topic % 4 else "tie") for topic in range(12)]
        >>> judged = pd.DataFrame(rows, columns=["topic", "a", "b", "outcome"])
        >>> comparison = irpref.compare_outcomes(judged)
        >>> comparison.mean("judges").loc["new", "old"].item()
        0.75
        >>> comparison.report().answer[0]
        'new is better than old by judges.'
    """
    return _compare([outcome_table(outcomes, scale=scale)], Reading(), progress)


def _compare(
    tables: Sequence[ScoreTable | Outcomes], reading: Reading, progress: Progress | None
) -> Comparison:
    systems = [name for table in tables for name in table.systems]
    topics = [name for table in tables for name in table.topics]
    placements = grouped(names_only(systems, topics, reading))
    totals = totals_of_pairs(placements, check_names(list(tables)), progress=progress)
    comparison = Comparison(placements, totals)
    for warning in comparison.warnings:
        warn(warning)
    return comparison


def evaluation_report(
    placements: Placements,
    measures: Sequence[Measure],
    *,
    per_topic: bool = False,
    ties: bool = False,
    top: int | None = None,
) -> Report:
    """The scores as a report: means, or topic by topic, or how far ties can move each mean.

    Raises:
        ValueError: A measure has no expected value, or cannot be computed.
    """
    placements = grouped(placements)
    topics = len(placements.by_topic.topics)
    said, names, shown = count_of(topics, "topic"), measures, measures
    notes: Sequence[str] = ()
    if ties:
        kind, title, notes = "ties", f"What ties do to the mean over {said}", _TIES
        refuse_groups(placements.reading, "ties are in the list of one run")
        rows = tie_report(placements, measures)
        shown = [measure(ties="expected") for measure in measures]
        names = [measure(ties="trec") for measure in measures]
        tables = _tables_of_ties(rows)
    elif per_topic:
        kind, title = "scores", f"Scores on {said}"
        rows = topic_scores(placements, measures)
        tables = [topics_table(rows, "measure", measures, dict.fromkeys(rows["topic"]), _SCORE)]
    else:
        kind, title = "means", f"Mean over {said}; best first by {measures[0]}"
        means = mean_scores(topic_scores(placements, measures))
        lower_first = not measures[0].higher_is_better
        means = means.sort_values(str(measures[0]), ascending=lower_first, kind="stable")
        rows = means.reset_index().melt(id_vars="system", var_name="measure", value_name="mean")
        if isinstance(placements, GroupedPlacements):
            spread = _between_runs(placements, measures).loc[means.index]
            rows["sd"] = spread.melt()["value"].to_numpy()
            notes = ("sd: of the means of a system's runs.",)
            for at, name in enumerate(spread):
                means.insert(2 * at + 1, f"sd {name}", spread[name])
        shown_means = table_of(means.reset_index())
        tables = [Table("", shown_means, dict.fromkeys(shown_means.columns[1:], _SCORE))]
    lines = (signature(measure, placements, topics=topics) for measure in shown)
    signatures = [with_parts(line, report=kind) for line in lines]
    provenance = provenance_of(placements, shown, signatures=signatures)
    report = Report(
        title=title,
        tables=tuple(tables),
        rows=table_of(rows),
        remarks=(*reading_words(placements.warnings), *notes),
    )
    made = with_provenance(report, provenance)
    return made.signed("measure", names).first(top)


def _between_runs(placements: GroupedPlacements, measures: Sequence[Measure]) -> pd.DataFrame:
    """Systems × measures: the standard deviation of the means of each system's runs; NaN of one run."""
    runs = placements.runs
    means = mean_scores(topic_scores(runs, measures)).loc[list(runs.systems)]
    order = zip(placements.systems, map(list, placements.members), strict=True)
    return pd.DataFrame({name: means.iloc[each].std() for name, each in order}).T


def mean_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Systems × measures, in their order: the means of scores."""
    return scores.pivot_table(
        index="system", columns="measure", values="value", aggfunc="mean", sort=False
    )


def _tables_of_ties(spreads: pd.DataFrame) -> list[Table]:
    """A table for each measure, the most shaken system first; from what :func:`.tie_report` gives."""
    formats = dict.fromkeys(("trec", "expected", "worst", "best", "spread"), _SCORE)
    formats |= dict.fromkeys(("straddled", "unsettled"), ".0%")
    tables = []
    for name, part in spreads.groupby("measure", sort=False):
        rows = part.drop(columns="measure").sort_values("spread", ascending=False, kind="stable")
        tables.append(Table(str(name), table_of(rows), formats))
    return tables


def corroborate_systems(
    placements: Placements,
    champion: str,
    challengers: str | Iterable[str],
    measure: AnyMeasure | pd.DataFrame,
    preference: AnyCriterion,
    test: AnyTest,
) -> Corroboration:
    """Follow "Using IPSO as a Corroboration": :meth:`irpref.Collection.corroborate` says how.

    Raises:
        ValueError: As there.
    """
    refuse_groups(placements.reading, "a champion is one run")
    others = [challengers] if isinstance(challengers, str) else list(dict.fromkeys(challengers))
    systems = [placements.system(name) for name in (champion, *others)]
    if not others:
        raise ValueError("there is no challenger")
    if champion in others:
        raise ValueError(f"the champion and a challenger are both named {champion!r}")
    chosen = as_measure(measure) if isinstance(measure, Measure | str) else None
    how = PairTest.of(test)
    if how.margin is not None:
        raise ValueError(
            "corroborate tests whether there is a difference: leave margin and alternative out"
        )
    method = how.method_for_each()
    correcting: Correction | None = "holm" if how.correction == "auto" else how.correction
    correcting = correcting if len(others) > 1 else None
    ordering = _ordering(preference, chosen)
    if chosen is not None:
        _warn_of_mismatch(chosen, ordering)
    depths = placements.by_topic.depths[systems]
    whole = ordering.cutoff is None or (chosen is not None and chosen.cutoff is None)
    if whole and differ(depths[0], depths[1:]).any():
        warn(depth_words(depths.tolist(), "no check cuts them"))
    scores, label, made = _scores(placements, measure if chosen is None else chosen)
    for wanted in (champion, *others):
        if wanted not in scores.columns:
            raise ValueError(f"the scores have no system {wanted!r}")
    if method.draws:
        how = how.seeded()
    bounds = (-math.inf, math.inf) if chosen is None else MeasureDifference(chosen).bounds
    alone = []
    for other, system in zip(others, systems[1:], strict=True):
        pair = scores[[champion, other]].dropna().to_numpy(dtype=float)
        related = relations(placements, ordering, system, systems[0])
        alone.append(
            corroborate_scores(
                *pair.T,
                relation=related["relation"].to_numpy(dtype=object),
                led_first=(related["led_first"] == other).to_numpy(dtype=bool),
                method=method.name,
                draws=how.draws(),
                higher_is_better=chosen is None or chosen.higher_is_better,
                bounds=bounds,
            )
        )
    drawn = max((each.resamples for each in alone if each.resamples is not None), default=None)
    warn(too_few_resamples(drawn, tests=len(others), correction=correcting, alpha=how.alpha))
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
        words=placements.words,
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
    return given if given.rel is not None else given(rel=measure.rel)


def _warn_of_mismatch(measure: Measure, ordering: InnateOrdering) -> None:
    if ordering.cutoff != measure.cutoff:
        here, there = (
            "all depths" if k is None else f"depth {k}" for k in (ordering.cutoff, measure.cutoff)
        )
        warn(
            f"IPSO looks at {here} and {measure} at {there}: IPSO at k speaks of measures at k only",
        )
    if measure.rel != ordering.rel:
        here, there = (
            "any grade above 0" if rel is None else f"grade {rel:g} or more"
            for rel in (ordering.rel, measure.rel)
        )
        warn(
            f"relevant is {here} for IPSO, and {there} for {measure}: IPSO speaks of measures with the "
            "same relevance only"
        )
    if measure.graded and not ordering.graded and ordering.gains is None:
        warn(
            f"{measure} uses grades and IPSO does not, and so does not speak of it: take IPSO(graded=True)",
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

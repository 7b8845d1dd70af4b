"""The verdict on two systems: who serves which users better, how sure that is, and what would change it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from irpref.base.arrays import Flags, Floats, Pairs, Values
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.lexiprecision import LP
from irpref.methods.preferences.lexirecall import LR
from irpref.methods.preferences.recall_paired import RPP
from irpref.methods.preferences.tie_aware import TieAwarePreference
from irpref.pairwise.families import family_tests, question
from irpref.pairwise.feeds.page_numbers import pairs_of
from irpref.pairwise.frames import pair_names
from irpref.pairwise.pair_tests import PairRows, Tests, compare_pairs, signed_family
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import Totals
from irpref.pairwise.unequal_depths import (
    UnequalDepths,
    smaller_depths,
    values_at_smaller_depth,
)
from irpref.positions.coverage import JUDGED_DEPTH
from irpref.positions.placements import Placements
from irpref.stats.method import moments

_USERS: dict[str, TieAwarePreference] = {"best-off": LP, "most": RPP, "worst-off": LR}


Side = Literal["a", "b"]


@dataclass(frozen=True)
class Answer:
    """What one preference says of two systems, a and b.

    Attributes:
        preference: The preference.
        users: The users it asks about: ``"best-off"``, ``"most"`` or ``"worst-off"``.
        winner: Which of the two; None if the mean is 0.
        mean: The mean over the topics that count.
        low: The low end of its interval, which holds jointly with those of its family; NaN if untested.
        high: The high end.
        p: The p-value of the preference by itself; NaN where the comparison does not test it.
        wins: Topics that a wins.
        ties: Topics that neither wins.
        losses: Topics that b wins.
        topics: Topics that count.
        mean_over_ties: The mean over all orders of tied scores; NaN where a run was ordered by rank.
        p_adjusted: The p-value in the family of the comparison.
        significant: Whether that is below alpha.
        detectable: The least mean that the test finds with a power of 0.8 on topics like these; NaN if it
            finds none so often, or does not test the preference.
    """

    preference: str
    users: str
    winner: Side | None
    mean: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    topics: int
    mean_over_ties: float
    p_adjusted: float
    significant: bool
    detectable: float


@dataclass(frozen=True)
class AtDepth:
    """What one preference says of two systems at the smaller one of their depths.

    Attributes:
        preference: The preference, without the cutoff.
        mean: The mean over the topics that count.
        significant: Whether it is significant there, if it is tested.
        changes: Whether another system leads, or none, or this significance is another one.
    """

    preference: str
    mean: float
    significant: bool
    changes: bool


@dataclass(frozen=True)
class Warnings:
    """What could change a verdict.

    Attributes:
        topics: How many topics count.
        tied: On how many of them a relevant document of either system ties with other documents; None if
            a run was ordered by rank, which has no ties.
        unjudged: How many of the first 10 documents of each of the two systems are unjudged, over the
            topics that count.
        unjudged_topics: On how many topics either of them has such a document.
        depths: The depths of the two systems: the lengths of their longest lists.
        smaller_depth: Where both are cut, if they differ by more than a tenth and no cutoff makes them
            equal: the smaller one, or of more than 32 depths up to a tenth less.
        at_depth: What each preference says there; nothing where ``judged_only`` left documents out.
    """

    topics: int
    tied: int | None
    unjudged: tuple[int, int]
    unjudged_topics: int
    depths: tuple[int, int]
    smaller_depth: int | None = None
    at_depth: tuple[AtDepth, ...] = ()


def questions(rel: float, cutoff: int | None) -> dict[str, TieAwarePreference]:
    """By the users it asks about, the preference that answers each question."""
    found = {users: preference(rel=rel) for users, preference in _USERS.items()}
    return {users: each if cutoff is None else each @ cutoff for users, each in found.items()}


def answers_frame(
    placements: Placements,
    first: int,
    second: int,
    answers: Sequence[Answer],
    *,
    rel: float,
    cutoff: int | None,
    tests: Tests,
) -> pd.DataFrame:
    """What each preference says of two systems, with their names: index preference, the rest as columns."""
    names = pair_names(placements, first, second)
    frame = pd.DataFrame([asdict(each) for each in answers]).set_index("preference")
    # The winner is a system, or None, which must not become NaN among texts.
    winners = [None if each.winner is None else names[each.winner] for each in answers]
    frame["winner"] = pd.Series(winners, frame.index, dtype=object)
    asked = questions(rel, cutoff)
    tested = [tests[each] for each in asked.values() if each in tests]
    more: dict[str, Any] = {}
    if tested:
        how = tested[0].attrs
        more = {name: how[name] for name in ("correction", "alpha", "rng")}
        more |= {"test": ",".join(each.attrs["test"] for each in tested), "B": how["n_resamples"]}
        more["family"] = signed_family(tested[0])
    frame.attrs["signature"] = signature(
        list(asked.values()),
        placements,
        topics=int(frame["topics"].max()),
        names=names,
        more=more,
    )
    return frame


def family_in_view(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    depths: UnequalDepths | None,
    test: PairTest,
    baselines: tuple[int, ...] | None = None,
) -> tuple[dict[Criterion, PairRows], dict[str, bool]]:
    """What a view of a comparison shows of its tests: those of the comparison's family.

    Returns:
        By preference its tests; nothing where a pair has too few topics, or a margin asks for something
        else than a difference. And of two systems of unequal depth, by the name of a preference, whether
        they differ at the smaller one.
    """
    asked = question(placements, totals)
    off = ~np.eye(len(placements.systems), dtype=np.bool_)
    if test.margin is not None or min(sums.topics[off].min() for sums in asked.values()) < 2:
        return {}, {}
    test = test.seeded()
    made = partial(compare_pairs, placements, baselines=baselines)
    tests = family_tests(placements, totals, test, lambda each, how: made(each, totals[each], how))
    if depths is None or len(placements.systems) > 2:
        return tests, {}
    rows = depths.tested(placements, tests, test, baselines)
    if rows.is_empty():
        return tests, {}
    return tests, dict(rows.select("preference", "significant_at_depth").iter_rows())


def verdicts(
    placements: Placements,
    order: Sequence[int],
    *,
    rel: float = 1,
    cutoff: int | None = None,
    tests: Tests | None = None,
    at_depth: Mapping[str, bool] | None = None,
) -> Iterator[tuple[list[Answer], Warnings]]:
    """The verdicts on the pairs of some systems, in the order of :func:`.pairs_of`.

    Args:
        placements: The positions of the relevant items.
        order: The indices of the systems.
        rel: The least grade that is relevant.
        cutoff: Items below this depth are not retrieved.
        tests: By preference, what the comparison tests; the others are described only.
        at_depth: By the name of a preference, whether two systems differ at the smaller of their depths.

    Yields:
        For each pair, what each preference says, and what could change it. Two systems that share no topic
        with relevant items have no answers.
    """
    first, second = pairs_of(order)
    asked, names = questions(rel, cutoff), placements.systems
    by_rank = np.array([placements.reading.order_of(name) == "rank" for name in names])
    ranked = by_rank[first] | by_rank[second]
    above = np.triu_indices(len(order), 1)
    smaller = smaller_depths(placements.by_topic.depths[np.asarray(order)], *above)
    unequal = (smaller > 0) & (cutoff is None)
    compared_again = unequal.any() and not placements.reading.judged_only
    pairs = [(names[one], names[other]) for one, other in zip(first, second, strict=True)]
    found, means_at_depth = [], []
    for users, preference in asked.items():
        whole = topic_values(placements, preference, order)
        values = whole[:, above[0], above[1]]
        if compared_again:
            at = values_at_smaller_depth(placements, preference, whole, order)
            means_at_depth.append(moments(at[:, above[0], above[1]][:, unequal])[1].tolist())
        over_ties = np.full(len(first), np.nan)
        if not ranked.all():
            expected = topic_values(placements, preference(ties="expected"), order)
            over_ties = np.where(ranked, np.nan, moments(expected[:, above[0], above[1]])[1])
        known = _tested((tests or {}).get(preference))
        tested = [known.get(pair, _UNTESTED) for pair in pairs]
        found.append(_answers(str(preference), users, values, over_ties, tested))
    # All three count the same topics: those with an item of the least grade.
    counted = ~np.isnan(values)
    at_depth, shallow = at_depth or {}, zip(*means_at_depth, strict=True)
    warned = _warnings(placements, (first, second), counted, ranked, rel)
    by_pair = zip(*found, strict=True)
    for answers, warning, deeper, depth in zip(
        by_pair, warned, unequal.tolist(), smaller.tolist(), strict=True
    ):
        there = tuple(
            AtDepth(
                preference=here.preference,
                mean=mean,
                significant=(significant := at_depth.get(here.preference, False)),
                changes=here.winner != _winner(mean)
                or (here.preference in at_depth and significant != here.significant),
            )
            for here, mean in zip(answers, next(shallow, ()) if deeper else (), strict=False)
        )
        yield (
            list(answers) if warning.topics else [],
            replace(warning, smaller_depth=depth if deeper else None, at_depth=there),
        )


def _answers(
    preference: str,
    users: str,
    values: Floats,
    over_ties: Floats,
    tested: Sequence[Mapping[str, Any]],
) -> Iterator[Answer]:
    """What a preference says of P pairs.

    Args:
        preference: Its name.
        users: The users it asks about.
        values: (T, P) values.
        over_ties: (P,) means over all orders of ties.
        tested: For each pair, what its test says by field of :class:`Answer`.
    """
    topics, mean, _ = moments(values)
    columns = {
        "mean": mean,
        "wins": np.count_nonzero(values > 0, axis=0),
        "ties": np.count_nonzero(values == 0, axis=0),
        "losses": np.count_nonzero(values < 0, axis=0),
        "topics": topics,
        "mean_over_ties": over_ties,
    }
    for row, test in zip(_rows(columns), tested, strict=True):
        winner = _winner(row["mean"])
        yield Answer(preference=preference, users=users, winner=winner, **row, **test)


_NUMBERS = ("low", "high", "p", "p_adjusted", "detectable")
_UNTESTED: Mapping[str, Any] = {**dict.fromkeys(_NUMBERS, math.nan), "significant": False}


def _tested(tests: PairRows | None) -> dict[tuple[str, str], dict[str, Any]]:
    """By pair, in either order, what the tests say of it by field of :class:`Answer`."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    if tests is not None:
        for row in _rows({name: tests[name] for name in ("a", "b", *_UNTESTED)}):
            pair = row.pop("a"), row.pop("b")
            found[pair] = row
            found.setdefault(pair[::-1], {**row, "low": -row["high"], "high": -row["low"]})
    return found


def _rows(columns: Mapping[str, Values]) -> Iterator[dict[str, Any]]:
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        yield dict(zip(columns, row, strict=True))


def _winner(mean: float) -> Side | None:
    return None if mean == 0 else "a" if mean > 0 else "b"


def _warnings(
    placements: Placements, pairs: Pairs, counted: Flags, ranked: Flags, rel: float
) -> Iterator[Warnings]:
    """What could change the verdict on each of P pairs.

    Args:
        placements: The positions of the relevant items.
        pairs: (P,) the first and the second systems.
        counted: (T, P) which topics count.
        ranked: (P,) whether one of the two is ordered by its ranks.
        rel: The least grade that is relevant.
    """
    by_topic, ties = placements.by_topic, _tied(placements, rel)
    shown = np.minimum(by_topic.retrieved, JUDGED_DEPTH)
    unjudged = (shown - by_topic.judged)[by_topic.relevant]
    one, other = (np.where(counted, unjudged[:, side], 0) for side in pairs)
    tied = np.count_nonzero((ties[:, pairs[0]] | ties[:, pairs[1]]) & counted, axis=0).astype(
        object
    )
    tied[ranked] = None
    return map(
        Warnings,
        np.count_nonzero(counted, axis=0).tolist(),
        tied.tolist(),
        zip(one.sum(axis=0).tolist(), other.sum(axis=0).tolist(), strict=True),
        np.count_nonzero((one > 0) | (other > 0), axis=0).tolist(),
        zip(*(by_topic.depths[side].tolist() for side in pairs), strict=True),
    )


def _tied(placements: Placements, rel: float) -> Flags:
    """(T, S) whether a relevant document of each system ties with others."""
    tied = placements.tie_first < placements.tie_last
    tied &= (placements.grades >= rel)[:, None]
    return np.asarray(np.logical_or.reduceat(tied, placements.starts[:-1]))

"""What the pictures of a comparison show: they draw it, and compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from irpref.base.arrays import at_least
from irpref.base.literals import Progress
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.ipso import IPSO
from irpref.pairwise import frames
from irpref.pairwise.challenges import GROUPS, groups_of
from irpref.pairwise.pair_table import PairTable
from irpref.pairwise.pair_tests import compare_pairs
from irpref.pairwise.profile import sign_profiles
from irpref.pairwise.standings import standings
from irpref.pairwise.testing_options import PairTest, ReportTest
from irpref.pairwise.totals import Totals
from irpref.pairwise.untested import found_or_why
from irpref.positions.placements import Placements
from irpref.stats.orders.win_rates import win_rates

BEST = 10
"""How many of the best systems a scatter names before others."""


def deciding_levels(
    placements: Placements, first: int, second: int, *, rel: float | None, cutoff: int | None
) -> dict[str, pd.DataFrame]:
    """How many topics LP and LR decide at each share of the recall: at the first or last that differs.

    Returns:
        By ``"LP"`` and ``"LR"``: columns sign (who is ahead there), share (level / levels) and topics; one
        row for each place where topics are decided.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> pair = (placements.system("bm25-prf"), placements.system("bm25"))
        >>> found = deciding_levels(placements, *pair, rel=1, cutoff=None)
        >>> found["LP"].query("sign < 0").iloc[0].to_list()
        [-1.0, 0.125, 2.0]
    """
    found = {name: [np.empty((0, 2))] for name in ("LP", "LR")}
    for _, every in sign_profiles(placements, first, second, rel=rel, cutoff=cutoff):
        decided = every[every.any(axis=1)]
        levels, differ = decided.shape[1], decided != 0
        earliest = differ.argmax(axis=1)
        latest = levels - 1 - differ[:, ::-1].argmax(axis=1)
        for name, level in (("LP", earliest), ("LR", latest)):
            signs = decided[np.arange(len(decided)), level]
            found[name].append(np.stack([signs, (level + 1) / levels], axis=1))
    decisive = {}
    for name, parts in found.items():
        places, topics = np.unique(np.concatenate(parts), axis=0, return_counts=True)
        decisive[name] = pd.DataFrame(places, columns=["sign", "share"]).assign(topics=topics)
    return decisive


@dataclass(frozen=True, eq=False)
class Barcodes:
    """Where two rankings have the relevant items of one topic.

    Attributes:
        levels: Index level (from 1); for a, the first system, and b, the second one, the columns position_a
            (∞ where the item is not retrieved), grade_a, and tie_first_a and tie_last_a (the first and last
            position of its tied group); sign (+1 where a needs less effort); and the flags LP and LR on the
            level that decides.
        grades: The grades, in order.
        lengths: The lengths of both lists.
    """

    levels: pd.DataFrame
    grades: Sequence[float]
    lengths: Sequence[int]


def barcodes(
    placements: Placements,
    topic: int,
    first: int,
    second: int,
    *,
    rel: float | None,
    depth: int | None,
) -> Barcodes:
    """The positions, grades and tied groups of the relevant items of one topic, in two rankings.

    Args:
        placements: The positions of the relevant items.
        topic: The index of the topic.
        first: The index of the first system.
        second: The index of the second system.
        rel: The least grade that is relevant.
        depth: Items below this depth are not retrieved.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> where = [placements.topic("6"), placements.system("bm25"), placements.system("tfidf")]
        >>> levels = barcodes(placements, *where, rel=1, depth=10).levels
        >>> levels[["position_a", "position_b"]].loc[1].to_list()
        [1.0, 3.0]
        >>> levels.index[levels["LP"]].to_list(), levels.index[levels["LR"]].to_list()
        ([1], [4])
    """
    rows = placements.rows(topic)
    items = np.arange(rows.start, rows.stop)[at_least(placements.grades[rows], rel)]
    limit = placements.unretrieved - 1 if depth is None else depth
    columns: dict[str, Any] = {}
    for side, system in (("a", first), ("b", second)):
        position = placements.positions[items, system]
        order = items[np.argsort(position, kind="stable")]
        found = placements.positions[order, system]
        retrieved = found <= limit
        columns[f"position_{side}"] = np.where(retrieved, found, np.inf)
        columns[f"grade_{side}"] = np.where(retrieved, placements.grades[order], np.nan)
        for name, ends in (("tie_first", placements.tie_first), ("tie_last", placements.tie_last)):
            columns[f"{name}_{side}"] = np.where(retrieved, ends[order, system], np.nan)
    one, other = columns["position_a"], columns["position_b"]
    sign = (one < other).astype(np.int64) - (one > other)
    differ = np.flatnonzero(sign)
    level = np.arange(len(sign))
    columns |= {"sign": sign, "LP": np.isin(level, differ[:1]), "LR": np.isin(level, differ[-1:])}
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(sign) + 1, name="level"))
    lengths = _longest(placements, (first, second), [placements.topics[topic]])
    return Barcodes(frame, np.unique(placements.grades[items]).tolist(), lengths)


def _longest(placements: Placements, systems: Sequence[int], topics: Sequence[str]) -> list[int]:
    """How many items each system lists at most for one of some topics."""
    counts = placements.by_topic
    rows = np.isin(counts.topics, topics)
    return list(counts.retrieved[rows][:, list(systems)].max(axis=0, initial=0).tolist())


@dataclass(frozen=True, eq=False)
class TopicLeads:
    """How many relevant items more one system has retrieved than another, by topic and depth.

    Attributes:
        leads: Index group and topic; columns 1 to the depth, or to the end of the longest list. The groups
            are :data:`.GROUPS`, but the best for the first system is first. In each, topics are by falling
            lead, summed over the depths.
        lengths: The lengths of the longest lists.
        grouping: What the groups are by.
    """

    leads: pd.DataFrame
    lengths: Sequence[int]
    grouping: str


def topic_leads(
    placements: Placements, first: int, second: int, *, depth: int, rel: float | None
) -> TopicLeads:
    """How many relevant items more the first system has retrieved, at every depth of every topic.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> pair = (placements.system("bm25-prf"), placements.system("bm25"))
        >>> leads = topic_leads(placements, *pair, depth=10, rel=1).leads
        >>> leads.loc["ni"].iloc[0].to_list()
        [0, 1, 1, 0, 0, 0, 0, 1, 1, 1]
    """
    criterion = IPSO(rel=rel) @ depth
    related = frames.relations(placements, criterion, first, second)
    lengths = _longest(placements, (first, second), list(related.index))
    depth = max(1, min(depth, max(lengths)))
    led_first = related["led_first"] == placements.systems[first]
    labels = groups_of(related["relation"].to_numpy(dtype=object), led_first.to_numpy())
    leads = np.zeros((len(related), depth), dtype=np.int64)
    depths = np.arange(1, depth + 1)
    for row, topic in enumerate(related.index):
        items = placements.rows(placements.topic(topic))
        relevant = at_least(placements.grades[items], rel)
        found = np.sort(placements.positions[items][relevant][:, [first, second]], axis=0)
        one, other = (np.searchsorted(each, depths, side="right") for each in found.T)
        leads[row] = one - other
    frame = pd.DataFrame(leads, columns=pd.RangeIndex(1, depth + 1, name="depth"))
    frame.index = pd.MultiIndex.from_arrays([labels, related.index], names=["group", "topic"])
    places = np.array([-GROUPS.index(group) for group in labels], dtype=np.int64)
    ordered = frame.iloc[np.lexsort((-leads.sum(axis=1), places))]
    return TopicLeads(ordered, lengths, str(criterion))


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """All pairs of systems, in the order of their ranks.

    Attributes:
        mean: (S, S) the mean preference of the row system over the column system.
        topics: On how many topics.
        tests: The tests of the pairs; None without a test.
        untested: Why nothing was tested.
    """

    mean: pd.DataFrame
    topics: int
    tests: PairTable | None
    untested: str

    @property
    def significant(self) -> pd.DataFrame | None:
        """(S, S) 1 where two systems differ significantly, 0 where not, NaN where nothing was tested.

        None without a test; 1 for a system and itself.
        """
        if self.tests is None:
            return None
        names = self.mean.index.to_list()
        better, tested = self.tests.better(names), self.tests.compared(names)
        apart = np.where(tested, better | better.T, np.nan)
        np.fill_diagonal(apart, 1)
        return pd.DataFrame(apart, names, names)


def ranked_pairs(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: ReportTest,
    *,
    progress: Progress | None = None,
) -> RankedPairs:
    """The means of all pairs, with the systems in the order of their ranks, and which are significant.

    Raises:
        ValueError: The test has a margin, or does not fit.
    """
    order = standings(placements.systems, criterion, totals)["system"].tolist()
    mean = frames.mean(placements, criterion, totals).loc[order, order]

    def tested(how: PairTest) -> PairTable:
        if how.margin is not None:
            raise ValueError("a matrix shows which systems differ: leave out the margin")
        tests = compare_pairs(placements, criterion, totals, how, progress=progress)
        tests.refuse_untested()
        return tests

    tests, why = found_or_why(test, tested, len(order), totals.most_topics)
    # What to type is no part of a picture.
    untested = "".join(why).partition(": test=")[0]
    return RankedPairs(mean, totals.most_topics, tests, untested)


def system_means(systems: Sequence[str], totals: Sequence[Totals]) -> pd.DataFrame:
    """The mean of every system over all others by three criteria, in the order in which they are named.

    Returns:
        Index system: the 10 best by the third criterion first, then those whose ranks by the first two
        differ most; columns 0, 1, 2: the means, in the order of the totals; and apart, by how many ranks
        the first two differ (equal means share the mean of their ranks).
    """
    means = {column: np.nan_to_num(win_rates(sums.mean)) for column, sums in enumerate(totals)}
    frame = pd.DataFrame(means, index=list(systems))
    ranks = frame.round(12).rank()
    frame["apart"] = (ranks[0] - ranks[1]).abs()
    best = ranks[2].rank(ascending=False, method="first")
    order = np.lexsort((-frame["apart"], best.where(best <= BEST, np.inf)))
    return frame.rename_axis("system").iloc[order]

"""Runs of unequal depth: each pair of them compared once more, at the smaller depth.

A run that lists 1,000 documents a topic finds more than one that lists 100, however good they are. The
depth of a run is the length of its longest list; that of a system of several runs is the least one's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Pairs
from irpref.base.literals import Progress
from irpref.base.reading_options import requires_pool
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Record, Tests, records_of
from irpref.pairwise.pair_tests import compare_pairs, family_pairs
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import Totals, sum_topics
from irpref.positions.placements import Placements

# More different depths take longer than a hurried reader waits.
_MOST = 32


def differ(one: Integers, other: Integers) -> Flags:
    """Whether two depths differ by more than a tenth of the greater one; not from a run without documents.

    Example:
        >>> differ(np.array([971, 899, 100, 0]), np.array(1000)).tolist()
        [False, True, True, False]
    """
    smaller, greater = np.minimum(one, other), np.maximum(one, other)
    return np.asarray((smaller > 0) & (10 * (greater - smaller) > greater))


def cutoffs_of(depths: Integers) -> Integers:
    """(S,) the depth at which each run and a deeper one are both cut: its own.

    Each costs a comparison of some pairs. Where there are more than 32, runs whose depths are within a
    tenth of the smallest of them share that one.

    Example:
        >>> cutoffs_of(np.array([1000, 250, 250])).tolist()
        [1000, 250, 250]
        >>> sorted(set(cutoffs_of(np.arange(100, 1000)).tolist()))[:4]
        [100, 112, 125, 139]
    """
    known = np.unique(depths[depths > 0])
    if len(known) <= _MOST:
        return depths
    smallest = [int(known[0])]
    for depth in known.tolist():
        if differ(np.array(smallest[-1]), np.array(depth)):
            smallest.append(depth)
    return np.where(
        depths > 0, np.take(smallest, np.searchsorted(smallest, depths, "right") - 1), 0
    )


def smaller_depths(depths: Integers, first: Integers, second: Integers) -> Integers:
    """(P,) where both runs of each pair are cut (:func:`cutoffs_of`); 0 if their depths do not differ.

    Args:
        depths: (S,) depths of all runs.
        first: (P,) indices of the first runs.
        second: (P,) indices of the second runs.

    Example:
        >>> smaller_depths(np.array([100, 10, 99]), np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
        [10, 0, 10]
    """
    cutoffs = cutoffs_of(depths)
    unequal = differ(depths[first], depths[second])
    return np.where(unequal, np.minimum(cutoffs[first], cutoffs[second]), 0)


@dataclass(frozen=True, eq=False)
class UnequalDepths:
    """What pairs of runs of unequal depth come to at the smaller depth.

    Attributes:
        systems: (S,) names of the systems.
        depths: (S,) their depths.
        whole: By criterion, its sums over the topics, of all systems against all.
        cut: By criterion without a cutoff, the same, but for pairs of unequal depth at the smaller depth.
            Nothing where ``judged_only`` left documents out: a depth would count the others only.
        of_runs: (R,) depths of all runs, of which a system may have several.
    """

    systems: tuple[str, ...]
    depths: Integers
    whole: Mapping[Criterion, Totals]
    cut: Mapping[Criterion, Totals]
    of_runs: Integers

    def depth_of(self, system: str) -> int:
        """The depth of a system."""
        return int(self.depths[self.systems.index(system)])

    @cached_property
    def pairs(self) -> int:
        """How many pairs are of unequal depth."""
        return int(np.count_nonzero(np.triu(differ(self.depths[:, None], self.depths))))

    @cached_property
    def changed_signs(self) -> dict[str, int]:
        """By criterion without a cutoff, how many means have another sign at the smaller depth."""
        return {
            str(each): int(
                np.count_nonzero(np.triu(_differ_in_sign(cut.mean, self.whole[each].mean)))
            )
            for each, cut in self.cut.items()
        }

    @property
    def rows(self) -> list[Record]:
        """All pairs of unequal depth: see :meth:`of`."""
        return self.of(*np.triu_indices(len(self.systems), 1))

    def of(
        self, first: Integers, second: Integers, tests: tuple[Tests, Tests] | None = None
    ) -> list[Record]:
        """The pairs of unequal depth among some pairs, by every criterion without a cutoff.

        By Python, as what polars computes hangs in a forked process.

        Args:
            first: (P,) the first systems.
            second: (P,) the second systems.
            tests: By criterion, the test of these pairs, and that at the smaller depth.

        Returns:
            Records of a, b, depth_a, depth_b, depth (where both are cut: :func:`cutoffs_of`), preference,
            mean, mean_at_depth and changes (whether the sign changes, or the significance); with tests,
            significant and significant_at_depth.
        """
        smaller = smaller_depths(self.depths, first, second)
        some = np.flatnonzero(smaller)
        a, b = first[some], second[some]
        names = np.array(self.systems, dtype=object)
        depths = {"depth_a": self.depths[a], "depth_b": self.depths[b], "depth": smaller[some]}
        found: list[Record] = []
        for criterion, cut in self.cut.items():
            if tests is not None and criterion not in tests[0]:
                continue
            mean, below = self.whole[criterion].mean[a, b], cut.mean[a, b]
            changes = _differ_in_sign(mean, below)
            tested = {}
            if tests is not None:
                whole, cut_too = (rows[criterion]["significant"][some] for rows in tests)
                tested = {"significant": whole, "significant_at_depth": cut_too}
                changes |= whole != cut_too
            columns = {
                "a": names[a],
                "b": names[b],
                **depths,
                "preference": np.full(len(some), str(criterion), dtype=object),
                "mean": mean,
                "mean_at_depth": below,
                **tested,
                "changes": changes,
            }
            found += records_of(columns)
        return found

    def against(self, systems: Sequence[int], other: int) -> list[Record]:
        """The pairs of some systems with another one, as :meth:`of` gives them, without tests."""
        return self.of(np.array(systems), np.full(len(systems), other))

    def tested(
        self,
        placements: Placements,
        tests: Tests,
        test: PairTest,
        baselines: tuple[int, ...] | None,
        *,
        progress: Progress | None = None,
    ) -> list[Record]:
        """The pairs of unequal depth, of two systems or against baselines, tested at both depths.

        Args:
            placements: The placements.
            tests: By criterion, its test of these pairs.
            test: How they were tested.
            baselines: The baselines; of two systems, there need be none.
            progress: See :func:`.compare_pairs`.

        Returns:
            See :meth:`of`.
        """
        pairs = family_pairs(len(self.systems), baselines, test)
        # Criteria with a cutoff have the same test at the smaller depth.
        found = dict(tests)
        alone = len(self.systems) == 2
        for criterion, sums in self.cut.items():
            if criterion not in tests:
                continue
            # Of two systems, every test may be asked for: also one that takes scores as they are.
            placed = placements.at(int(self.depths.min())) if alone else placements
            values = None
            groups = placements.has_groups
            method = test.method_for(groups=groups)
            if not alone and method.requirements != "sums":
                values = topic_values(placements.of_runs, criterion.of_one_run)
                values = values_at_smaller_depth(placements, criterion, values)
            found[criterion] = compare_pairs(
                placed,
                criterion,
                sums,
                test,
                baselines=baselines,
                values=values,
                progress=progress,
            )
        return self.of(*pairs, (tests, found))


def _differ_in_sign(means: Floats, others: Floats) -> Flags:
    """Whether means have another sign than others; of two that share no topic, both are NaN."""
    return np.asarray(np.sign(np.nan_to_num(means)) != np.sign(np.nan_to_num(others)))


def values_at_smaller_depth(placements: Placements, criterion: Criterion, values: Floats) -> Floats:
    """The values on every topic, those of pairs of unequal depth at the smaller one (:func:`cutoffs_of`).

    Args:
        placements: The placements.
        criterion: A criterion without a cutoff.
        values: (T, R, R) its values on whole lists of the runs, as of :func:`.topic_values`.

    Returns:
        (T, R, R) numbers.
    """
    values = values.copy()
    runs, of_run = placements.of_runs, criterion.of_one_run
    # A run is cut where its system is.
    depths = np.zeros(len(runs.systems), dtype=np.int64)
    for depth, members in zip(placements.by_topic.depths, placements.members, strict=True):
        depths[list(members)] = depth
    for cutoff, rows, columns, some in _blocks(depths):
        sides = rows.tolist(), columns.tolist()
        found = topic_values(runs.at(cutoff), of_run, *sides)[:, some[0], some[1]]
        values[:, rows[some[0]], columns[some[1]]] = found
        values[:, columns[some[1]], rows[some[0]]] = 0 - found
    return values


def _blocks(depths: Integers) -> Iterator[tuple[int, Integers, Integers, Pairs]]:
    """Each cutoff, the systems that have it, deeper ones, and the indices of those of unequal depth."""
    cutoffs = cutoffs_of(depths)
    for cutoff in np.unique(cutoffs):
        rows = np.flatnonzero(cutoffs == cutoff)
        deeper = differ(depths[rows, None], depths) & (depths > depths[rows, None])
        columns = np.flatnonzero(deeper.any(axis=0))
        if len(columns):
            one, other = np.nonzero(deeper[:, columns])
            yield int(cutoff), rows, columns, (one, other)


def without_cutoff(criteria: Iterable[Criterion]) -> list[Criterion]:
    """The criteria that look at whole lists, but for those of the pool, which cut lists would change."""
    return [
        each
        for each in criteria
        if (named := each.named) is not None and named.cutoff is None and not requires_pool([named])
    ]


def unequal_depths(
    placements: Placements, totals: Mapping[Criterion, Totals]
) -> UnequalDepths | None:
    """Compare every pair of runs of unequal depth at the smaller one; None if there is no such pair.

    Only criteria without a cutoff are compared again: a cutoff was chosen for all.

    Args:
        placements: The placements.
        totals: By criterion, its sums over the topics, of all systems against all.
    """
    depths = placements.by_topic.depths
    again = without_cutoff(totals)
    if not again or not differ(depths[:, None], depths).any():
        return None
    cut: dict[Criterion, Totals] = {}
    if not placements.reading.judged_only:
        cut = {each: deepcopy(totals[each]) for each in again}
        for cutoff, rows, columns, (one, other) in _blocks(depths):
            pairs = {"first": rows.tolist(), "second": columns.tolist()}
            sums = sum_topics(placements.at(cutoff), again, **pairs)
            for each, part in zip(again, sums, strict=True):
                cut[each].assign(part[one, other], (rows[one], columns[other]))
                cut[each].assign(part.swapped[other, one], (columns[other], rows[one]))
    of_runs = placements.of_runs.by_topic.depths
    return UnequalDepths(placements.systems, depths, totals, cut, of_runs)

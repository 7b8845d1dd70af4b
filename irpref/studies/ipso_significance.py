"""ipso_significance: does IPSO find the pairs that a metric finds? (Moffat & Mackenzie 2024, Figure 7)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.errors import unknown
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.ipso import IPSO
from irpref.pairwise.pair_table import PairTable
from irpref.pairwise.pair_tests import compare_pairs
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import Totals, totals_of_pairs
from irpref.show.reports.study_report import Layout, Picture
from irpref.stats.orders.order import order_systems
from irpref.stats.tests import for_each_pair
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, rows
from irpref.studies.numbers.drawn_tests import drawn_test
from irpref.studies.numbers.topic_bootstrap import Estimate, TopicBootstrap, divided

_BOTH, _NEITHER, _METRIC_ONLY, _IPSO_ONLY = KINDS = ("both", "neither", "metric only", "IPSO only")
_PAIRS = [f"{kind}, pair" for kind in KINDS]

AGREE = "agreement"

# Figure 8: what is beside the cells where the two disagree; by what its share is called, the two kinds.
BESIDE = {
    f"{neighbour} beside {own}": (own, neighbour)
    for own, neighbour in product((_IPSO_ONLY, _METRIC_ONLY), (_NEITHER, _BOTH))
}

# How often topics are drawn, for what claims are judged by.
_DRAWS = 200


def by_test(what: str, test: str) -> str:
    """The condition of a share, by the metric's test."""
    return f"{what}, {test} test"


_CONFLICT = "conflict"
_SHARES = (*KINDS, AGREE, _CONFLICT)
_TESTS = ("randomization", *for_each_pair())


def _check_test(_: str, test: str) -> str:
    if test not in _TESTS:
        raise unknown("test", test, _TESTS)
    return test


@dataclass(frozen=True, kw_only=True)
class IpsoSignificance(Experiment):
    """Whether IPSO's sign test finds the same pairs of systems as tests of metrics do.

    Every pair of systems is tested by a metric at depth k, and by IPSO at k: the exact sign test of ``ni``
    against ``ns``. Either p is below alpha, or not, without correction (Moffat & Mackenzie 2024, Figure 7).
    That gives the shares of pairs that both find, neither, the metric only, and IPSO only. Agreement is
    both or neither. In conflict are pairs that both find, but with another better system.

    The triangle has a cell for each pair, placed by the ranks of its two systems by the metric (Figure 8).
    Of the up to eight cells next to each that IPSO only finds, and next to each that the metric only finds,
    the study says which share both find, and neither. The cells are among the findings, a row for each
    pair: the system with the higher mean, the other one, and by how much. That is for one metric, depth and
    test: P, 10 and t, as in the paper, if they are asked for; else the first ones.

    A method that has a cutoff already, and scores of another tool, are taken as they are at every depth.
    The shares have no intervals: topics that are drawn twice would count as evidence twice. Claims are
    judged by how much they vary in 200 draws; there the triangle keeps its order.

    Attributes:
        n_resamples: How often the randomization test, if it is among the tests, flips signs.
        depths: k, one depth or several.
        tests: The tests of the metrics: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"``; one or
            several. The paper has the first three.
        alpha: Significance level.

    Raises:
        ValueError: A depth is not a whole number above 0, a test is unknown, or alpha is outside (0, 1).

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.ipso_significance(data, "AP", depths=10, tests="t")
        >>> study.frame.set_index("condition")["estimate"].round(3).head(3).to_dict()
        {'both, t test': 0.0, 'neither, t test': 0.933, 'metric only, t test': 0.067}
    """

    question = "Does IPSO find the pairs of systems that a metric finds?"
    default_methods = ("RR", "P", "RBP(persistence=0.5)", "RBP", "AP", "nDCG")
    layouts = tuple(
        Layout(
            caption.format(test),
            {by_test(share, test): share for share in shown},
            format=".1%",
            rows={"method": "method", "treatment": "k"},
        )
        for caption, shown in (
            ("Pairs that differ significantly by a metric ({} test) and by IPSO", _SHARES),
            ("Neighbours of the pairs that only one of the two finds ({} test)", BESIDE),
        )
        for test in _TESTS
    )
    picture = Picture(
        "stacks",
        x="share of pairs of systems",
        y="k",
        where={"condition": [by_test(kind, test) for kind in KINDS for test in _TESTS]},
        series=("part",),
        panels=("case",),
        beside=Picture(
            "triangle",
            x="ranks of the two systems by the metric",
            where={"condition": _PAIRS},
            series=("part",),
            panels=("treatment",),
        ),
    )

    n_resamples: int = options.draws("how often a randomization test flips signs")
    depths: tuple[int, ...] = options.counts((5, 10, 20, 50, 100), "depths", rising=True)
    tests: tuple[str, ...] = options.listed(
        ("sign", "wilcoxon", "t"),
        f"tests of the metrics, of {', '.join(_TESTS)}",
        _check_test,
        like="t",
        metavar="TEST,…",
    )
    alpha: float = options.alpha()

    def findings(self, context: Context) -> Findings:
        placements = context.placements
        asked = list(product(context.methods, self.depths))
        criteria = dict.fromkeys(_at(method, depth) for method, depth in asked)
        criteria |= dict.fromkeys(IPSO @ depth for depth in self.depths)
        totals = totals_of_pairs(placements, [*criteria], progress=context.progress)
        bootstrap = TopicBootstrap(len(placements.topics), _DRAWS, context.seed)
        drawn = np.concatenate(list(bootstrap.draws()))
        first, second = np.triu_indices(len(placements.systems), 1)

        def tested(criterion: Criterion, test: str, values: Floats) -> tuple[PairTable, Floats]:
            """The tests; and (1 + B, P) the signs of what is significant, and what is in each draw."""
            how = PairTest(
                method=test, alpha=self.alpha, rng=context.seed, n_resamples=self.n_resamples
            )
            found = compare_pairs(placements, criterion, totals[criterion], how, values=values)
            signs = np.where(found["p"] < self.alpha, np.sign(found["effect"]), 0)
            lead, is_below = drawn_test(values[:, first, second], drawn, test)
            return found, np.vstack([signs, np.sign(lead) * is_below(self.alpha)])

        @cache
        def by_ipso(depth: int) -> Floats:
            return tested(IPSO @ depth, "sign", topic_values(placements, IPSO @ depth))[1]

        # The least is the nearest to Figure 8, with another rel too.
        near = [(str(method).partition("(")[0] != "P", depth != 10) for method, depth in asked]
        shown = asked[near.index(min(near))], "t" if "t" in self.tests else self.tests[0]
        for method, depth in context.watched(asked, "testing all pairs"):
            criterion = _at(method, depth)
            ranks, values = _ranks(totals[criterion]), topic_values(placements, criterion)
            for test in self.tests:
                pairs, by_metric = tested(criterion, test, values)
                # Two bits make an index in KINDS.
                found = np.int8(1) + (by_metric != 0) + np.int8(2) * (by_ipso(depth) != 0)
                kinds = found % len(KINDS)
                conflict = by_metric * by_ipso(depth) < 0
                for condition, share, of in _shares(kinds, conflict, ranks):
                    yield from rows(
                        Estimate.without_interval(share),
                        method=method,
                        against="IPSO",
                        condition=by_test(condition, test),
                        treatment=depth,
                        n=of,
                    )
                if ((method, depth), test) == shown:
                    yield from _cells(pairs, kinds[0], ranks, by_test(str(criterion), test))


def _at(method: Criterion, depth: int) -> Criterion:
    """The method at a depth, unless it cannot be cut, or is already."""
    named = method.named
    return method if named is None or named.cutoff is not None else as_criterion(named @ depth)


def _ranks(totals: Totals) -> Integers:
    """(S,) the rank of each system by its mean, from 0."""
    ordered = order_systems("mean", mean=totals.mean, wins=totals.wins, topics=totals.topics)
    return np.argsort(ordered.order)


def _cells(pairs: PairTable, kinds: Integers, ranks: Integers, how: str) -> Findings:
    """A finding for each pair, the best systems first: how far the metric's means are apart."""
    first, second = ranks[np.array(np.triu_indices(len(ranks), 1))]
    ahead = first < second
    order = np.lexsort((np.maximum(first, second), np.minimum(first, second)))
    better, other = np.where(ahead, pairs.names, pairs.names[::-1])
    return rows(
        np.where(ahead, pairs["mean"], -pairs["mean"])[order],
        method=better[order],
        against=other[order],
        condition=np.array(_PAIRS)[kinds][order],
        treatment=how,
        n=pairs["topics"][order],
    )


def _shares(kinds: Integers, conflict: Flags, ranks: Integers) -> Iterator[tuple[str, Floats, int]]:
    """What is measured, (1 + B,) which share it is, and of how many; shares of nothing are left out.

    Args:
        kinds: (1 + B, P) index in :data:`KINDS` of each pair, and in each draw.
        conflict: (1 + B, P) whether the two say the opposite.
        ranks: (S,) the rank of each system, from 0.
    """
    found = {name: kinds == place for place, name in enumerate(KINDS)}
    shares = found | {AGREE: found[_BOTH] | found[_NEITHER], _CONFLICT: conflict}
    for condition, pairs in shares.items():
        yield condition, pairs.mean(axis=1), pairs.shape[1]
    one, other = (kinds[:, pairs] for pairs in neighbours(ranks))
    for condition, (own, neighbour) in BESIDE.items():
        cells = one == KINDS.index(own)
        of = np.count_nonzero(cells, axis=1)
        if of[0]:
            beside = np.count_nonzero(cells & (other == KINDS.index(neighbour)), axis=1)
            yield condition, divided(beside, of), int(of[0])


def neighbours(ranks: Integers) -> Integers:
    """Which pairs of systems have cells beside each other.

    The cell of a pair is at the ranks of its two systems (Voorhees et al. 2017). Beside it are the up to
    eight cells whose ranks differ by at most 1.

    Args:
        ranks: (S,) the rank of each system, from 0.

    Returns:
        (2, N) indices of two pairs, in the order of ``numpy.triu_indices(S, 1)``; each two in both orders.

    Example:
        The pairs of three systems are next to each other, all three.

        >>> sorted(zip(*neighbours(np.arange(3)).tolist()))
        [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    """
    systems = len(ranks)
    places = np.sort(ranks[np.array(np.triu_indices(systems, 1))], axis=0) + 1
    # There is a border all round, and nothing below the diagonal.
    cells = np.full((systems + 2, systems + 2), -1)
    cells[tuple(places)] = pairs = np.arange(places.shape[1])
    shifts = [each for each in product((-1, 0, 1), repeat=2) if each != (0, 0)]
    beside = np.array([cells[places[0] + down, places[1] + right] for down, right in shifts])
    found = np.stack([np.broadcast_to(pairs, beside.shape), beside])
    return found[:, beside >= 0]

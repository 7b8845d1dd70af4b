"""ipso_significance: does IPSO find the pairs that a metric finds? (Moffat & Mackenzie 2024, Figure 7)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd

from irpref.base.arrays import Flags, Integers, pair_counts
from irpref.base.errors import unknown
from irpref.base.keywords import several
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.ipso import IPSO
from irpref.pairwise.pair_tests import PairRows, compare_pairs
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.totals import Totals, totals_of_pairs
from irpref.show.reports.study_report import Picture
from irpref.stats.orders.order import order_systems
from irpref.stats.tests import for_each_pair
from irpref.studies import options
from irpref.studies.base import Context, Experiment, rows, table
from irpref.studies.claims import too_few_pairs, verdict_on
from irpref.studies.findings import Claim, Finding

_PAPER = "Moffat & Mackenzie 2024"
_figure_7 = partial(verdict_on, _PAPER, "Figure 7")


_BOTH, _NEITHER, _METRIC_ONLY, _IPSO_ONLY = KINDS = ("both", "neither", "metric only", "IPSO only")
_PAIRS = [f"{kind}, pair" for kind in KINDS]

AGREE = "agreement"

# Figure 8: what is beside the cells where the two disagree; by what its share is called, the two kinds.
BESIDE = {
    f"{neighbour} beside {own}": (own, neighbour)
    for own, neighbour in product((_IPSO_ONLY, _METRIC_ONLY), (_NEITHER, _BOTH))
}

MOST_DISAGREE = 0.25


def by_test(what: str, test: str) -> str:
    """The condition of a share, by the metric's test."""
    return f"{what}, {test} test"


_METRICS = ("RR", "P", "RBP(persistence=0.5)", "RBP", "AP", "nDCG")
_CONFLICT = "conflict"
_SHARES = (*KINDS, AGREE, _CONFLICT)
_TESTS = for_each_pair()


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
    The shares have no intervals: topics that are drawn twice would count as evidence twice.

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
    default_methods = _METRICS
    layouts = tuple(
        table(
            caption.format(test),
            {by_test(share, test): share for share in shown},
            format=".1%",
            method="method",
            treatment="k",
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
        ("t", "wilcoxon", "sign"),
        f"tests of the metrics, of {', '.join(_TESTS)}",
        _check_test,
        like="t",
        metavar="TEST,…",
        number=several(str),
    )
    alpha: float = options.alpha()

    def findings(self, context: Context) -> Iterator[Finding]:
        placements = context.placements
        asked = list(product(context.methods, self.depths, self.tests))
        criteria = [_at(method, depth) for method, depth, _ in asked]
        criteria += [IPSO @ depth for depth in self.depths]
        totals = totals_of_pairs(
            placements, list(dict.fromkeys(criteria)), progress=context.progress
        )

        # What cannot be cut is the same at every depth.
        @cache
        def tested(criterion: Criterion, test: str) -> PairRows:
            how = PairTest(
                method=test,
                correction=None,
                alpha=self.alpha,
                rng=context.seed,
                n_resamples=self.n_resamples,
            )
            return compare_pairs(placements, criterion, totals[criterion], how)

        # The least is the nearest to Figure 8.
        shown = min(asked, key=lambda each: (str(each[0]) != "P", each[1] != 10, each[2] != "t"))
        for method, depth, test in context.watched(asked, "testing all pairs"):
            criterion = _at(method, depth)
            metric, ipso = tested(criterion, test), tested(IPSO @ depth, "sign")
            # Two bits make an index in KINDS.
            kinds = (1 + metric["significant"] + 2 * ipso["significant"]) % len(KINDS)
            opposite = np.sign(metric["effect"]) * np.sign(ipso["effect"]) < 0
            ranks = _ranks(totals[criterion])
            for condition, share, of in _shares(kinds, opposite, ranks):
                yield Finding(
                    str(method), "IPSO", by_test(condition, test), str(depth), share, n=of
                )
            if (method, depth, test) == shown:
                order, (better, other) = np.argsort(ranks), np.triu_indices(len(ranks), 1)
                systems, pair = np.array(placements.systems)[order], (order[better], order[other])
                yield from rows(
                    totals[criterion].mean[pair],
                    method=systems[better],
                    against=systems[other],
                    condition=np.array(_PAIRS)[_triangle(kinds, ranks)[better, other]],
                    treatment=by_test(str(criterion), test),
                    n=totals[criterion].topics[pair],
                )

    def claims(self, context: Context, frame: pd.DataFrame) -> Iterable[Claim]:
        found = frame[frame["method"].isin(_METRICS)]
        if not len(found):
            return
        shares = found.set_index(["method", "treatment", "condition"])["estimate"]
        untestable = too_few_pairs(len(context.placements.systems))

        def of_each(what: str) -> dict[str, pd.Series]:
            """By test, the shares by method and depth."""
            return {test: shares.xs(by_test(what, test), level="condition") for test in self.tests}

        yield agreement_claim(of_each(AGREE), untestable)
        if len(self.depths) > 1:
            yield from growth_claims(of_each(_BOTH), self.depths, untestable)
        yield from power_claims(of_each(_METRIC_ONLY), untestable)
        of_precision = found[(found["method"] == "P") & (found["treatment"] == "10")]
        yield from neighbour_claims(of_precision.set_index("condition")["estimate"], untestable)


def _at(method: Criterion, depth: int) -> Criterion:
    """The method at a depth, unless it cannot be cut, or is already."""
    named = method.named
    return method if named is None or named.cutoff is not None else as_criterion(named @ depth)


def _ranks(totals: Totals) -> Integers:
    """(S,) the rank of each system by its mean, from 0."""
    ordered = order_systems("mean", mean=totals.mean, wins=totals.wins, topics=totals.topics)
    return np.argsort(ordered.order)


def _shares(kinds: Integers, opposite: Flags, ranks: Integers) -> Iterator[tuple[str, float, int]]:
    """What is measured, which share it is, and of how many; shares of nothing are left out."""
    found = {name: kinds == place for place, name in enumerate(KINDS)}
    found |= {AGREE: found[_BOTH] | found[_NEITHER], _CONFLICT: found[_BOTH] & opposite}
    for condition, pairs in found.items():
        yield condition, float(pairs.mean()), len(pairs)
    counts = neighbours(kinds, ranks, len(KINDS))
    for condition, (own, neighbour) in BESIDE.items():
        cells = counts[KINDS.index(own)]
        if of := int(cells.sum()):
            yield condition, float(cells[KINDS.index(neighbour)] / of), of


def agreement_claim(shares: Mapping[str, pd.Series], untestable: str) -> Claim:
    """The claim that the two mostly agree.

    Args:
        shares: By the metric's test, the shares by method and depth; so for the other claims.
        untestable: Why the collection cannot tell, if it cannot.
    """
    found = pd.concat(shares)
    (test, method, depth), least = found.idxmin(), found.min()
    enough = found >= 1 - MOST_DISAGREE
    return _figure_7(
        "IPSO and the metric agree on three quarters of the pairs or more, by every metric, depth and test",
        enough.all(),
        f"least is {least:.1%}, {method} at {depth} by the {test} test; 75 % or more in {enough.sum()} of "
        f"{len(found)} cases",
        untestable=untestable,
    )


def growth_claims(
    shares: Mapping[str, pd.Series], depths: tuple[int, ...], untestable: str
) -> Iterator[Claim]:
    """The claim that both find more pairs the deeper they look."""
    first, last = str(depths[0]), str(depths[-1])
    both = pd.concat({test: each.unstack() for test, each in shares.items()})
    grows = (both[last] > both[first]).drop("RR", level="method", errors="ignore")
    if len(grows):
        less = [f"{method} ({test})" for test, method in grows.index[~grows]]
        yield _figure_7(
            "the share that both find grows with k, for every metric but RR and every test",
            not less,
            f"from k = {first} to {last}, it grows in {grows.sum()} of {len(grows)} cases"
            + (f"; not for {', '.join(less)}" if less else ""),
            untestable=untestable,
        )


def power_claims(shares: Mapping[str, pd.Series], untestable: str) -> Iterator[Claim]:
    """The claim that stronger tests of the metric find more pairs that IPSO does not."""
    present = [test for test in ("sign", "wilcoxon", "t") if test in shares]
    if len(present) < 2:
        return
    means = pd.DataFrame({test: shares[test].groupby("method").mean() for test in present})
    rises = (means.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    said = ", ".join(f"{share:.1%} ({test})" for test, share in means.mean().items())
    yield _figure_7(
        "what the metric only finds grows from the sign test to Wilcoxon's and to t, for any metric",
        rises.all(),
        f"the metric only, on average: {said}; it grows for {rises.sum()} of {len(rises)} metrics",
        untestable=untestable,
    )


def neighbour_claims(shares: pd.Series, untestable: str) -> Iterator[Claim]:
    """The claim of Figure 8, on the t-test, from the shares of P@10."""
    if by_test(_BOTH, "t") not in shares:
        return
    share = {each: shares.get(by_test(name, "t"), np.nan) for name, each in BESIDE.items()}
    right = (
        share[_IPSO_ONLY, _NEITHER] > share[_IPSO_ONLY, _BOTH]
        and share[_METRIC_ONLY, _BOTH] > share[_METRIC_ONLY, _NEITHER]
    )
    said = "; ".join(
        f"beside {kind}: {share[kind, _NEITHER]:.1%} neither, {share[kind, _BOTH]:.1%} both"
        for kind in (_IPSO_ONLY, _METRIC_ONLY)
    )
    if np.isnan(list(share.values())).any():
        said, untestable = "", untestable or "the two disagree in one direction only, or never"
    claim = (
        "beside pairs that IPSO only finds lie those that neither finds; beside P@10 only, those that "
        "both find"
    )
    yield verdict_on(_PAPER, "Figure 8", claim, right, said, untestable=untestable)


def neighbours(kinds: Integers, ranks: Integers, number: int) -> Integers:
    """How often a cell of one kind has a cell of another beside it.

    The cell of a pair is at the ranks of its two systems (Voorhees et al. 2017). Beside it are the up to
    eight cells whose ranks differ by at most 1.

    Args:
        kinds: (P,) the kind of each pair of S systems, from 0, in the order of
            ``numpy.triu_indices(S, 1)``.
        ranks: (S,) the rank of each system, from 0.
        number: K, how many kinds there are.

    Returns:
        (K, K) counts: the kind of a cell, and the kind of one beside it.

    Example:
        The pairs of three systems are next to each other, all three.

        >>> neighbours(np.array([0, 1, 1]), np.arange(3), 2).tolist()
        [[0, 2], [2, 2]]
    """
    # There is a border all round, and nothing below the diagonal: a kind of its own.
    cells = np.pad(_triangle(kinds, ranks, number), 1, constant_values=number)
    rows, columns = np.nonzero(cells < number)
    counts = [
        pair_counts(cells[rows, columns], cells[rows + down, columns + right], (number, number + 1))
        for down, right in product((-1, 0, 1), repeat=2)
        if (down, right) != (0, 0)
    ]
    return np.sum(counts, axis=0)[:, :number]


def _triangle(kinds: Integers, ranks: Integers, empty: int = -1) -> Integers:
    """(S, S) the kind of each pair, at the rank of the better system and that of the other."""
    pairs = np.sort(ranks[np.array(np.triu_indices(len(ranks), 1))], axis=0)
    cells = np.full((len(ranks), len(ranks)), empty)
    cells[tuple(pairs)] = kinds
    return cells


ipso_significance = IpsoSignificance()

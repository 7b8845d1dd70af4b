"""ipso_significance: does IPSO find the pairs that a metric finds? (Moffat & Mackenzie 2024, Figure 7)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd

from irpref.arrays import Flags, Integers
from irpref.checks import check_alpha, check_counts
from irpref.errors import unknown
from irpref.keywords import on_command_line, several
from irpref.names import as_criterion
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.preferences.ipso import IPSO
from irpref.render.study import Layout, Picture
from irpref.stats.orders.order import order_systems
from irpref.stats.pair_triangle import neighbours
from irpref.stats.tests import for_each_pair
from irpref.studies.base import Experiment, Subject
from irpref.studies.claims import too_few_pairs
from irpref.studies.ipso_significance_claims import (
    AGREE,
    BESIDE,
    KINDS,
    MOST_DISAGREE,
    agreement_claim,
    beside,
    by_test,
    growth_claims,
    neighbour_claims,
    power_claims,
)
from irpref.study import Claim, Finding
from irpref.summarise.pair_tests import compare_pairs
from irpref.summarise.totals import Totals, totals_of_pairs

__all__ = ["IpsoSignificance", "ipso_significance"]

_METRICS = ("RR", "P", "RBP(persistence=0.5)", "RBP", "AP", "nDCG")
_NEITHER, _METRIC_ONLY, _IPSO_ONLY, _BOTH = KINDS
_CONFLICT = "conflict"
_SHARES = (_BOTH, _NEITHER, _METRIC_ONLY, _IPSO_ONLY, AGREE, _CONFLICT)
_TESTS = for_each_pair()


@dataclass(frozen=True, kw_only=True)
class IpsoSignificance(Experiment):
    """Whether IPSO's sign test finds the same pairs of systems as tests of metrics do.

    Every pair of systems is tested by a metric at depth k, and by IPSO at k: the exact sign test of ``ni``
    against ``ns``. Either p is below alpha, or not, without correction (Moffat & Mackenzie 2024, Figure 7).
    That gives the shares of pairs that both find, neither, the metric only, and IPSO only. Agreement is
    both or neither. In conflict are pairs that both find, but with another better system.

    The triangle has a cell for each pair, placed by the ranks of its two systems by the metric (Figure 8).
    Of the up to eight cells next to each that IPSO only finds, and next to each that the metric only finds,
    the study says which share both find, and neither.

    A method that has a cutoff already, and scores of another tool, are taken as they are at every depth.
    The shares have no intervals: topics that are drawn twice would count as evidence twice.

    Attributes:
        n_resamples: How often the randomization test, if it is among the tests, flips signs.
        depths: k, one depth or several.
        tests: The tests of the metrics: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"``; one or
            several. The paper has the first three; Wilcoxon's, which is exact, is slow on many pairs.
        alpha: Significance level.

    Raises:
        ValueError: A depth is not a whole number above 0, a test is unknown, or alpha is outside (0, 1).

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> study = irpref.studies.ipso_significance(data, "AP", depths=10, tests="t")
        >>> study.frame.set_index("condition")["estimate"].round(3).head(3).to_dict()
        {'neither, t test': 0.933, 'metric only, t test': 0.067, 'IPSO only, t test': 0.0}
    """

    question: ClassVar[str] = "Does IPSO find the pairs of systems that a metric finds?"
    default_methods: ClassVar[tuple[str, ...]] = _METRICS
    layouts: ClassVar[tuple[Layout, ...]] = (
        *(
            Layout(
                f"Pairs that differ significantly by a metric ({test} test) and by IPSO",
                rows=("method", "treatment"),
                where={"condition": [by_test(share, test) for share in _SHARES]},
                headings={"treatment": "k"} | {by_test(share, test): share for share in _SHARES},
                format=".1%",
            )
            for test in _TESTS
        ),
        *(
            Layout(
                f"What lies beside pairs that one of the two only finds ({test} test)",
                rows=("method", "treatment"),
                where={"condition": [by_test(beside(*each), test) for each in BESIDE]},
                headings={"treatment": "k"}
                | {by_test(beside(*each), test): beside(*each) for each in BESIDE},
                format=".1%",
            )
            for test in _TESTS
        ),
    )
    picture: ClassVar[Picture] = Picture(
        "lines",
        x="depth k",
        y="share of pairs: both or neither significant",
        where={"condition": [by_test(AGREE, test) for test in _TESTS]},
        panels=("condition",),
        reference=1 - MOST_DISAGREE,
    )

    n_resamples: int = field(
        default=1000,
        metadata=on_command_line(
            "how often a randomization test flips signs (default: 1,000)",
            flag="--resamples",
            metavar="B",
        ),
    )
    depths: tuple[int, ...] = field(
        default=(5, 10, 20, 50, 100),
        metadata=on_command_line(
            "depths (default: 5,10,20,50,100)", metavar="K,…", number=several(int)
        ),
    )
    tests: tuple[str, ...] = field(
        default=("t", "sign"),
        metadata=on_command_line(
            f"tests of the metrics, of {', '.join(_TESTS)} (default: t,sign)",
            metavar="TEST,…",
            number=several(str),
        ),
    )
    alpha: float = field(
        default=0.05,
        metadata=on_command_line("significance level (default: 0.05)", metavar="A", number=float),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "depths", tuple(sorted(check_counts("depths", self.depths))))
        tests = (self.tests,) if isinstance(self.tests, str) else tuple(self.tests)
        if not tests:
            raise ValueError("tests names none: give one at least, such as 't'")
        for test in tests:
            if test not in _TESTS:
                raise unknown("test", test, _TESTS)
        object.__setattr__(self, "tests", tuple(dict.fromkeys(tests)))
        check_alpha(self.alpha)

    def findings(self, subject: Subject) -> Iterator[Finding]:
        placements = subject.placements
        at_depth = {
            (method, depth): _at(method, depth)
            for method in subject.methods
            for depth in self.depths
        }
        ipso = {depth: IPSO @ depth for depth in self.depths}
        criteria = list(dict.fromkeys([*at_depth.values(), *ipso.values()]))
        totals = totals_of_pairs(placements, criteria, progress=subject.progress)

        def tested(criterion: Criterion, test: str) -> _Tested:
            how = PairTest(
                method=test,
                correction=None,
                alpha=self.alpha,
                rng=subject.seed,
                n_resamples=self.n_resamples,
            )
            pairs = compare_pairs(placements, criterion, totals[criterion], how)
            return _Tested(pairs["significant"], np.sign(pairs["effect"]).astype(int))

        corroborated = {depth: tested(each, "sign") for depth, each in ipso.items()}
        known: dict[tuple[Criterion, str], _Tested] = {}
        for done, ((method, depth), test) in enumerate(product(at_depth, self.tests), start=1):
            key = at_depth[method, depth], test
            if key not in known:
                known[key] = tested(*key)
            rank = _ranks(totals[key[0]])
            for condition, share, of in _shares(known[key], corroborated[depth], rank):
                yield Finding(
                    str(method), "IPSO", by_test(condition, test), str(depth), share, n=of
                )
            subject.tell("testing all pairs", done, len(at_depth) * len(self.tests))

    def claims(self, subject: Subject, frame: pd.DataFrame) -> Iterable[Claim]:
        found = frame[frame["method"].isin(_METRICS)]
        if not len(found):
            return
        shares = found.set_index(["method", "treatment", "condition"])["estimate"]
        doubt = too_few_pairs(len(subject.placements.systems))
        yield agreement_claim(shares, self.tests, doubt)
        yield from growth_claims(shares, self.depths, self.tests, doubt)
        yield from power_claims(shares, self.tests, doubt)
        yield from neighbour_claims(shares, doubt)


class _Tested(NamedTuple):
    """(P,) which pairs differ significantly, and which system is better: +1, -1, or 0 for neither."""

    significant: Flags
    better: Integers


def _at(method: Criterion, depth: int) -> Criterion:
    """The method at a depth, unless it cannot be cut, or is already."""
    named = method.named
    return method if named is None or named.cutoff is not None else as_criterion(named @ depth)


def _ranks(totals: Totals) -> Integers:
    """(S,) the rank of each system by its mean, from 0."""
    ordered = order_systems("mean", mean=totals.mean, wins=totals.wins, topics=totals.topics)
    ranks = np.empty(len(ordered.order), dtype=np.int64)
    ranks[ordered.order] = np.arange(len(ranks))
    return ranks


def _shares(metric: _Tested, ipso: _Tested, rank: Integers) -> Iterator[tuple[str, float, int]]:
    """What is measured, which share it is, and of how many; shares of nothing are left out."""
    # An index in KINDS: two bits.
    kind = metric.significant + 2 * ipso.significant.astype(np.int64)
    conflict = metric.significant & ipso.significant & (metric.better * ipso.better < 0)
    for condition, found in (
        *((name, kind == KINDS.index(name)) for name in KINDS),
        (AGREE, metric.significant == ipso.significant),
        (_CONFLICT, conflict),
    ):
        yield condition, float(found.mean()), len(found)
    found = neighbours(kind, rank, len(KINDS))
    for own, neighbour in BESIDE:
        counts = found[KINDS.index(own)]
        if counts.sum():
            share = counts[KINDS.index(neighbour)] / counts.sum()
            yield beside(own, neighbour), float(share), int(counts.sum())


ipso_significance = IpsoSignificance()

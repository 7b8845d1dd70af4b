"""worst_case: which metric knows the worst-off searcher? (Diaz & Mitra 2023, section 4)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats, Integers, batches
from irpref.base.literals import Progress, watched
from irpref.methods.measures import RBP, TSE
from irpref.methods.names import as_criteria
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.given_positions import placements_at
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import DataFree, Findings, rows
from irpref.studies.findings import Finding
from irpref.studies.numbers.order_agreement import (
    AGREEMENTS,
    agreement_of,
    agreement_size,
    agreement_sums,
)
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.topic_bootstrap import Estimate

COIN, WORST_OFF, PRINTED = "coin", "worst-off searcher", "printed"
# Table 1: by n, the share of ties, and how often each method agrees; of so many pairs with so many relevant
# items.
_PRINTED = (WORST_OFF, "TSE", "R@1000", "RP", "AP", "nDCG", COIN)
_TABLE_1 = {
    1_000: (0.012, 1.000, 0.000, 0.285, 0.541, 0.535, 0.492),
    10_000: (0.001, 1.000, 0.420, 0.077, 0.552, 0.549, 0.497),
    100_000: (0.000, 1.000, 0.179, 0.008, 0.554, 0.555, 0.498),
    1_000_000: (0.000, 1.000, 0.026, 0.001, 0.547, 0.554, 0.499),
}
_PAIRS, _RELEVANT = 10_000, (5, 50)
# How often the pairs are drawn again, from which the claims have their intervals.
_DRAWS = 1_000

_AGREES = {kind: f"agreement with the {WORST_OFF}, {kind}" for kind in AGREEMENTS}
_TIED = "two rankings are the same to the worst-off searcher"
_SERVED = {each: f"worst-off exposure, {each}" for each in ("deterministic", "stochastic")}
# Figure 5: m from 1 on. The exposure of each metric is that of a TSE.
_OPTIMAL = 25
_EXPOSURES = {
    "AP": TSE,
    "nDCG": TSE(exposure="log2"),
    "RBP": TSE(exposure="rbp", persistence=RBP.persistence),
}
# What the rows of the tables are; another row is what is printed.
_BY_N, _BY_M = {"treatment": "n", "against": ""}, {"treatment": "m"}
# Batch size, in pairs of rankings; bounds memory.
_BATCH = 10_000


@dataclass(frozen=True, kw_only=True)
class WorstCase(DataFree):
    """How often metrics agree with the worst-off searcher, and how well rankings can serve that searcher.

    A searcher may want any of the relevant items, and no others. The worst-off one wants the last one only,
    and so prefers the ranking that has its last relevant item earlier (Diaz & Mitra 2023, Theorem A.1).
    The study draws pairs of random rankings of n items, and counts how often a metric prefers the same
    ranking (Table 1). A tie of the metric is a disagreement (``strict``, as in the paper), half an
    agreement (``half``), or left out (``decided``).

    The best deterministic ranking of m relevant items gives the worst-off searcher the exposure of position
    m. The best stochastic one has all relevant items on top, in random order. It gives a searcher who wants
    one item the mean exposure of the first m positions. With a metric that weighs every item by 1/m or
    more, nobody is worse off than that (Figure 5).

    Attributes:
        items: n, one number or several.
        samples: How many pairs of rankings are drawn for each n.
        fewest: The least number of relevant items of a pair; all numbers up to ``most`` are equally likely.
        most: The greatest number of them.
        measures: The measures, as objects or texts.
        relevant: m of the best rankings, one number or several.

    Raises:
        ValueError: A number is not a whole one above 0, or more items are relevant than there are.

    Example:
        >>> import irpref
        >>> study = irpref.studies.worst_case(items=100, fewest=2, most=5, samples=500, measures="TSE")
        >>> study.frame.query("method == 'TSE'")["estimate"].to_list()
        [1.0, 1.0, 1.0]
    """

    question = "Which metric agrees with the worst-off searcher?"
    draws = True
    layouts = tuple(
        Layout(f"{caption}, by {rows['treatment']}", [each], rows, columns="method", of=of)
        for caption, each, rows, of in (
            (f"Share of random pairs that are the same to the {WORST_OFF}", _TIED, _BY_N, "pairs"),
            *((each.capitalize(), each, _BY_N, "") for each in _AGREES.values()),
            *(
                (f"Exposure that the best {kind} ranking gives the {WORST_OFF}", each, _BY_M, "")
                for kind, each in _SERVED.items()
            ),
        )
    )
    picture = Picture(
        "lines",
        x="relevant items",
        y=f"exposure of the {WORST_OFF}",
        where={"condition": tuple(_SERVED.values())},
        series=("condition",),
        panels=("method",),
    )
    notes = (
        "Agreement is over the pairs on which the worst-off searcher prefers one. A tie of the metric is a "
        "disagreement (strict), half an agreement (half), or left out (decided). A coin prefers either at "
        "random.",
    )

    items: tuple[int, ...] = options.counts(
        tuple(_TABLE_1), "how many items there are", metavar="N,…"
    )
    samples: int = options.count(_PAIRS, "how many pairs of rankings to draw")
    fewest: int = options.count(
        _RELEVANT[0], "least number of relevant items of a pair", metavar="M"
    )
    most: int = options.count(_RELEVANT[1], "greatest number of them", metavar="M")
    measures: tuple[str, ...] = options.measures(("TSE", "R@1000", "RP", "AP", "nDCG"))
    relevant: tuple[int, ...] = options.counts(
        tuple(range(1, _OPTIMAL + 1)),
        "relevant items of the best rankings",
        shown=f"1 to {_OPTIMAL}",
        metavar="M,…",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.fewest <= self.most <= min(self.items):
            raise ValueError(
                f"of {min(self.items)} items {self.fewest} to {self.most} cannot be relevant: most= must "
                "be at least fewest=, and items= at least most="
            )

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Findings:
        # What is drawn for one n does not depend on the others.
        seed = int(rng.integers(2**32))
        criteria = as_criteria(self.measures)
        for n in watched(self.items, "comparing random rankings", progress):
            generator = np.random.default_rng([seed, n])
            counts = self._simulate(generator, n, criteria)
            # The same from pairs that are drawn again; a coin's and a metric's are independent.
            again = generator.multinomial(
                self.samples, counts / self.samples, (_DRAWS, len(counts))
            )
            drawn = np.concatenate([counts[None], again])
            agree, tied = agreement_of(drawn[..., :3]).swapaxes(1, 2), drawn[:, 0, 3] / self.samples
            same = Estimate.without_interval(tied)
            yield from rows(same, method=WORST_OFF, condition=_TIED, treatment=n, n=self.samples)
            yield from rows(
                Estimate.without_interval(agree),
                method=(*self.measures, COIN),
                against=WORST_OFF,
                condition=[[condition] for condition in _AGREES.values()],
                treatment=n,
                n=agreement_size(counts[:, :3]).T,
            )
            if n in _TABLE_1 and (self.fewest, self.most) == _RELEVANT:
                for method, share in zip(_PRINTED, _TABLE_1[n], strict=True):
                    condition = _TIED if method == WORST_OFF else _AGREES["strict"]
                    if method in (WORST_OFF, *self.measures, COIN):
                        yield Finding(method, PRINTED, condition, str(n), share, n=_PAIRS)
        for name, exposure in _served(max(self.relevant)).items():
            yield from rows(
                exposure[:, np.array(self.relevant) - 1],
                method=name,
                condition=[[condition] for condition in _SERVED.values()],
                treatment=self.relevant,
            )

    def _simulate(self, rng: np.random.Generator, n: int, criteria: Sequence[Criterion]) -> Floats:
        """(C + 1, 4) how often the metrics and a coin agree with the worst-off searcher, tie and disagree.

        The last number is how often that searcher has no preference.
        """
        counts = np.zeros((len(criteria) + 1, 4))
        for batch in batches(self.samples, 1, _BATCH):
            size = batch.stop - batch.start
            relevant = rng.integers(self.fewest, self.most, size=size, endpoint=True)
            first, second = (random_positions(rng, relevant, n) for _ in range(2))
            last = np.arange(size), relevant - 1
            target = second[last] - first[last]
            counts[:, 3] += (target == 0).sum()
            there = np.arange(first.shape[1]) < relevant[:, None]
            placements = placements_at(np.column_stack([first[there], second[there]]), relevant, n)
            for part in pair_topics(placements, criteria):
                counts[:-1, :3] += agreement_sums(part.values[:, :, 0], target[part.topics])
            counts[-1, :3] += agreement_sums(rng.choice([-1, 1], size=size), target)
        return counts


def _served(most: int) -> dict[str, Floats]:
    """By metric, (2, m) what the best deterministic and stochastic rankings of 1 to m items give."""
    sizes = np.arange(1, most + 1)
    # All that matters is where the last relevant item is.
    placements = placements_at(sizes[:, None], np.ones_like(sizes), most)
    alone = {name: each.scores(placements)[:, 0] for name, each in _EXPOSURES.items()}
    return {name: np.stack([each, np.cumsum(each) / sizes]) for name, each in alone.items()}


def random_positions(rng: np.random.Generator, items: Integers, n: int) -> Integers:
    """Draw, for each of Q random orders of n items, the positions of m of them.

    Every set of m positions is as likely as any other. A position is drawn from all but the last few; one
    that is taken already is replaced by the next of those (Floyd's algorithm), so no draw is in vain.

    Args:
        rng: Random numbers.
        items: (Q,) m of each order, from 1 to n.
        n: How many items there are.

    Returns:
        (Q, greatest m) positions from 1, ascending; behind them n + 1.

    Example:
        >>> random_positions(np.random.default_rng(7), np.array([2, 3]), 3).tolist()[1]
        [1, 2, 3]
    """
    most = int(items.max(initial=0))
    chosen = np.full((len(items), most), n + 1, dtype=np.int64)
    for step in range(most):
        orders = np.flatnonzero(items > step)
        last = n - items[orders] + step + 1
        drawn = rng.integers(1, last, endpoint=True)
        taken = (chosen[orders, :step] == drawn[:, None]).any(axis=1)
        chosen[orders, step] = np.where(taken, last, drawn)
    return np.sort(chosen, axis=1)

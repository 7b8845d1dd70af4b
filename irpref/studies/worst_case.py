"""worst_case: which metric knows the worst-off searcher? (Diaz & Mitra 2023, section 4)"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from irpref.base.arrays import Floats, Integers, batches
from irpref.base.literals import Progress, watched
from irpref.methods.measures import RBP, TSE
from irpref.methods.names import as_criteria
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.given_positions import placements_at
from irpref.show.reports.study_report import Picture
from irpref.studies import options
from irpref.studies.base import DataFree, rows, table
from irpref.studies.claims import found_by, verdict_on
from irpref.studies.findings import Claim, Finding
from irpref.studies.numbers.order_agreement import (
    AGREEMENTS,
    agreement_of,
    agreement_size,
    agreement_sums,
)
from irpref.studies.numbers.pair_topics import pair_topics

_claim = partial(verdict_on, "Diaz & Mitra 2023")
COIN = "coin"

WORST_OFF = "worst-off searcher"

_PRINTED = (WORST_OFF, "TSE", "R@1000", "RP", "AP", "nDCG", COIN)

TABLE_1 = {
    n: dict(zip(_PRINTED, printed, strict=True))
    for n, printed in {
        1_000: (0.012, 1.000, 0.000, 0.285, 0.541, 0.535, 0.492),
        10_000: (0.001, 1.000, 0.420, 0.077, 0.552, 0.549, 0.497),
        100_000: (0.000, 1.000, 0.179, 0.008, 0.554, 0.555, 0.498),
        1_000_000: (0.000, 1.000, 0.026, 0.001, 0.547, 0.554, 0.499),
    }.items()
}
"""By n and method, as printed; the worst-off searcher's number is the share of ties."""

# Each printed number is of so many pairs with so many relevant items, and rounded.
_PAIRS, _FEWEST, _MOST, _ROUNDING = 10_000, 5, 50, 0.0005

# One of 28 numbers is so many standard errors off by chance, in one table of 500.
_ERRORS = 4

_SHALLOW = ("R@1000", "RP")

_MIXED = ("AP", "nDCG")


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
        table(f"{caption}, by {number}", [each], columns="method", of=of, treatment=number)
        for caption, each, number, of in (
            (f"Share of random pairs that are the same to the {WORST_OFF}", _TIED, "n", "pairs"),
            *((each.capitalize(), each, "n", "") for each in _AGREES.values()),
            *(
                (f"Exposure that the best {kind} ranking gives the {WORST_OFF}", each, "m", "")
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
        tuple(TABLE_1), "how many items there are", metavar="N,…"
    )
    samples: int = options.count(_PAIRS, "how many pairs of rankings to draw")
    fewest: int = options.count(_FEWEST, "least number of relevant items of a pair", metavar="M")
    most: int = options.count(_MOST, "greatest number of them", metavar="M")
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

    def findings(self, rng: np.random.Generator, progress: Progress | None) -> Iterator[Finding]:
        # What is drawn for one n does not depend on the others.
        seed = int(rng.integers(2**32))
        criteria = as_criteria(self.measures)
        for n in watched(self.items, "comparing random rankings", progress):
            tied, counts = self._simulate(np.random.default_rng([seed, n]), n, criteria)
            share = tied / self.samples
            yield Finding(WORST_OFF, "", _TIED, str(n), share, n=self.samples)
            yield from rows(
                agreement_of(counts).T,
                method=(*self.measures, COIN),
                against=WORST_OFF,
                condition=[[condition] for condition in _AGREES.values()],
                treatment=n,
                n=agreement_size(counts).T,
            )
        for name, exposure in _served(max(self.relevant)).items():
            yield from rows(
                exposure[:, np.array(self.relevant) - 1],
                method=name,
                condition=[[condition] for condition in _SERVED.values()],
                treatment=self.relevant,
            )

    def _simulate(
        self, rng: np.random.Generator, n: int, criteria: Sequence[Criterion]
    ) -> tuple[int, Floats]:
        """The pairs that tie for the worst-off searcher; (C + 1, 3) counts for the metrics and a coin."""
        tied, counts = 0, np.zeros((len(criteria) + 1, 3))
        for batch in batches(self.samples, 1, _BATCH):
            size = batch.stop - batch.start
            relevant = rng.integers(self.fewest, self.most, size=size, endpoint=True)
            first, second = (random_positions(rng, relevant, n) for _ in range(2))
            last = np.arange(size), relevant - 1
            target = second[last] - first[last]
            tied += int((target == 0).sum())
            there = np.arange(first.shape[1]) < relevant[:, None]
            placements = placements_at(np.column_stack([first[there], second[there]]), relevant, n)
            for part in pair_topics(placements, criteria):
                counts[:-1] += agreement_sums(part.values[:, :, 0], target[part.topics])
            counts[-1] += agreement_sums(rng.choice([-1, 1], size=size), target)
        return tied, counts

    def claims(self, frame: pd.DataFrame) -> Iterator[Claim]:
        found, untestable = found_by(frame, "condition", "method", "treatment"), ""
        if (self.fewest, self.most) != (_FEWEST, _MOST):
            paper = f"where the paper's is from {_FEWEST} to {_MOST}"
            untestable = f"m from {self.fewest} to {self.most}, {paper}"
        for methods, claim, tested in _CLAIMS:
            lacks = [each for each in methods if each not in self.measures]
            lacks += [f"n = {n}" for n in TABLE_1 if n not in self.items]
            why = untestable or (f"without {', '.join(lacks)}" if lacks else "")
            holds, said = (False, "") if why else tested(found)
            yield _claim("Table 1", claim, holds, said, untestable=why)
        served = _served(_OPTIMAL)
        listed = ", ".join(
            f"{name} {alone[-1]:.3f} and {mixed[-1]:.3f}" for name, (alone, mixed) in served.items()
        )
        yield _claim(
            "Figure 5",
            "the best stochastic ranking serves the worst-off searcher better than the best deterministic "
            "one",
            all((mixed[1:] > alone[1:]).all() for alone, mixed in served.values()),
            f"from m = 2 on; deterministic and stochastic at m = {_OPTIMAL}: {listed}",
        )


def _served(most: int) -> dict[str, Floats]:
    """By metric, (2, m) what the best deterministic and stochastic rankings of 1 to m items give."""
    sizes = np.arange(1, most + 1)
    # All that matters is where the last relevant item is.
    placements = placements_at(sizes[:, None], np.ones_like(sizes), most)
    alone = {name: each.scores(placements)[:, 0] for name, each in _EXPOSURES.items()}
    return {name: np.stack([each, np.cumsum(each) / sizes]) for name, each in alone.items()}


_Found = dict[tuple[str, str, str], Any]
"""The findings on random rankings by condition, method and n."""


def _of_table(found: _Found, method: str, kind: str) -> list[Any]:
    """The agreement of a method with the worst-off searcher, for each n in Table 1."""
    return [found[_AGREES[kind], method, str(n)] for n in TABLE_1]


def _over_all(found: _Found, method: str, kind: str) -> tuple[float, int]:
    """The same over all n, and of how many pairs that is."""
    decided = [each for each in _of_table(found, method, kind) if each.n]
    pairs = sum(each.n for each in decided)
    return sum(each.estimate * each.n for each in decided) / pairs, pairs


def _printed(found: _Found) -> tuple[bool, str]:
    off = {}
    for n, cells in TABLE_1.items():
        for method, printed in cells.items():
            each = found[_TIED if method == WORST_OFF else _AGREES["strict"], method, str(n)]
            pooled = (each.estimate * each.n + printed * _PAIRS) / (each.n + _PAIRS)
            # A share of 0 or 1 is uncertain too: by one pair at least.
            variance = max(pooled * (1 - pooled), 1 / (each.n + _PAIRS))
            error = (variance * (1 / each.n + 1 / _PAIRS)) ** 0.5
            errors = max(abs(each.estimate - printed) - _ROUNDING, 0) / error
            off[n, method] = errors, each.estimate, printed
    (n, method), (errors, share, printed) = max(off.items(), key=lambda cell: cell[1][0])
    least = min(TABLE_1)
    return (
        bool(errors <= _ERRORS),
        f"the farthest is {errors:.1f} standard errors off: {method} at n = {n}, {share:.3f}, printed "
        f"{printed:.3f}. At n = {least} R@1000 never decides, so it agrees on "
        f"{off[least, 'R@1000'][1]:.3f}; if a tie of both were an agreement too, on "
        f"{off[least, WORST_OFF][1]:.3f}",
    )


def _perfect(found: _Found) -> tuple[bool, str]:
    share, _ = _over_all(found, "TSE", "strict")
    _, pairs = _over_all(found, "TSE", "decided")
    return share == 1, f"{share:.3f} of {pairs} pairs"


def _shallow(found: _Found) -> tuple[bool, str]:
    decided = {method: _over_all(found, method, "decided") for method in _SHALLOW}
    listed = " and ".join(
        f"{method} on {share:.3f} of {pairs}" for method, (share, pairs) in decided.items()
    )
    strict = ", ".join(f"{each} {_over_all(found, each, 'strict')[0]:.3f}" for each in _SHALLOW)
    return (
        all(share < 0.5 - 2 * 0.5 / pairs**0.5 for share, pairs in decided.values()),
        f"only if a tie counts as disagreement ({strict}); where the metric decides, {listed} pairs",
    )


def _mixed(found: _Found) -> tuple[bool, str]:
    strict = {method: _of_table(found, method, "strict") for method in _MIXED}
    above = all(
        each.estimate > 0.5 + 2 * 0.5 / each.n**0.5 for some in strict.values() for each in some
    )
    ranges = {method: [each.estimate for each in some] for method, some in strict.items()}
    listed = (f"{method} {min(some):.3f} to {max(some):.3f}" for method, some in ranges.items())
    return above, ", ".join(listed)


_CLAIMS: tuple[tuple[tuple[str, ...], str, Callable[[_Found], tuple[bool, str]]], ...] = (
    (_PRINTED[1:-1], "the 28 shares of ties and of agreement", _printed),
    (("TSE",), f"TSE agrees with the {WORST_OFF} always", _perfect),
    (_SHALLOW, f"R@1000 and RP agree with the {WORST_OFF} less than a coin does", _shallow),
    (_MIXED, f"AP and nDCG agree with the {WORST_OFF} slightly more than a coin does", _mixed),
)


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


worst_case = WorstCase()

"""How often do tests of systems of several runs find a difference: where there is none, and where there is?

Run r of system s has on topic t of 50 the score a_s + b_st + c_sr + d_srt. All parts are normal. The
standard deviation of b is 0.15 / √2, so that two systems differ by 0.15 between topics; of c, the luck of a
seed, it is 0, 0.05 or 0.15; of d it is 0.1. All a_s are 0 for a level; for a power the first system has
0.08. Values of two runs are differences of their scores, or their signs, with differences below 0.02 as
ties.

``randomization`` takes the mean over all pairs of runs for the value of a topic. ``crossed`` is irpref's
test, here with a p for fewer than five runs too. A deterministic system has one run, and c = 0.

The second table has five equal systems of five runs, all against all, and ten systems of five or ten runs,
each against one deterministic system: how often is any pair found? Crossed is corrected by Holm.

The third table says how often the interval of crossed holds the true mean, where the first system has 0,
0.15 or 0.4. Where seeds collapse, c is not normal: of ten seeds one is 0.5 below the others.

    python scripts/crossed_levels.py                  # in two minutes
    python scripts/crossed_levels.py --trials 4000    # for smaller standard errors
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt
from printed import parser_of, print_head, print_row
from scipy.special import ndtr, stdtrit

from irpref.base.arrays import Floats, Pairs
from irpref.stats.corrections import adjust
from irpref.stats.crossed_variances import crossed_variances
from irpref.stats.method import Draws, ratio
from irpref.stats.tests import known_test
from irpref.stats.tests.t import p_of_t

ALPHA, DRAWS, TOPICS = 0.05, Draws(n_resamples=999), 50
BETWEEN_TOPICS, REST, TIE, AHEAD = 0.15, 0.1, 0.02, 0.08
KINDS, SEEDS, ONE = ("differences", "signs"), (0.05, 0.15), (np.array([0]), np.array([1]))
SIZES, FAMILIES = (
    ((2, 2), (5, 5), (10, 10), (5, 1)),
    ((5,) * 5, (5,) * 10 + (1,), (10,) * 10 + (1,)),
)
COLLAPSING, DEPTH, DIFFERENCES = 0.1, 0.5, (0.0, 0.15, 0.4)
NAMES = ("randomization", "crossed")


@dataclass(frozen=True)
class Case:
    """What is simulated: systems of so many runs each."""

    values: str
    seeds: float
    runs: tuple[int, ...]
    trials: int
    collapse: bool = False

    def __str__(self) -> str:
        runs = f"{self.runs[0]}, 1 deterministic" if self.runs[-1] == 1 else str(self.runs[0])
        seeds = f"{self.seeds}, some collapse" if self.collapse else self.seeds
        return f"{self.values} | {seeds} | {runs}"

    @property
    def members(self) -> list[npt.NDArray[np.int64]]:
        """By system, the indices of its runs."""
        return np.split(np.arange(sum(self.runs)), np.cumsum(self.runs)[:-1])

    def drawn(self, rng: np.random.Generator, ahead: float = 0.0) -> Floats:
        """(T, R, R) preference of the row run over the column run."""
        systems = []
        for size in self.runs:
            seeds: Floats = rng.normal(0, self.seeds, size) * (size > 1)
            if self.collapse and size > 1:
                seeds = np.asarray(DEPTH * (COLLAPSING - (rng.random(size) < COLLAPSING)), float)
            own = rng.normal(0, BETWEEN_TOPICS / np.sqrt(2), (TOPICS, 1))
            systems.append(own + seeds + rng.normal(0, REST, (TOPICS, size)))
        systems[0] += ahead
        scores = np.concatenate(systems, axis=1)
        values = scores[:, :, None] - scores[:, None, :]
        if self.values == "signs":
            values = np.sign(np.where(np.abs(values) < TIE, 0, values))
        return values

    def means(self, values: Floats, pairs: Pairs) -> Floats:
        """(T, P) mean preferences over all pairs of runs."""
        of = self.members
        means = [
            values[:, of[a]][:, :, of[b]].mean(axis=(1, 2)) for a, b in zip(*pairs, strict=True)
        ]
        return np.stack(means, axis=1)

    def true_mean(self, ahead: float) -> float:
        """The mean preference over all topics and seeds of the first system of two."""
        if self.values == "differences":
            return ahead
        luck = [[(0.0, 1.0)], [(0.0, 1.0)]]
        variance = BETWEEN_TOPICS**2 + 2 * REST**2
        for place, size in enumerate(self.runs):
            if size > 1 and self.collapse:
                fine = DEPTH * COLLAPSING
                luck[place] = [(fine, 1 - COLLAPSING), (fine - DEPTH, COLLAPSING)]
            elif size > 1:
                variance += self.seeds**2
        mean = 0.0
        for (one, often), (other, times) in product(*luck):
            gap = np.array([ahead + one - other - TIE, -ahead - one + other - TIE])
            won, lost = ndtr(gap / np.sqrt(variance))
            mean += often * times * float(won - lost)
        return mean


def crossed(values: Floats, case: Case, pairs: Pairs) -> Floats:
    """(P,) p-values of the crossed test, of few runs too."""
    found = crossed_variances(values, case.members, pairs)
    statistic = ratio(found.mean, np.sqrt(found.of_topics + found.of_runs))
    return p_of_t(statistic, found.freedom, found.topics)


def rates(case: Case, ahead: float) -> list[float]:
    """How often the two tests find one pair."""
    rng = np.random.default_rng(1)
    means, p = np.empty((TOPICS, case.trials)), np.empty(case.trials)
    for trial in range(case.trials):
        values = case.drawn(rng, ahead)
        means[:, trial] = case.means(values, ONE)[:, 0]
        p[trial] = crossed(values, case, ONE)[0]
    both = known_test("randomization").of_values(means, draws=DRAWS).p, p
    return [float(np.mean(each < ALPHA)) for each in both]


def levels_and_powers(case: Case) -> list[float]:
    """The levels of the tests, and their powers."""
    return rates(case, 0.0) + rates(case, AHEAD)


def coverages(case: Case) -> list[float]:
    """How often the interval of crossed holds the true mean, by true difference."""
    rng, shares = np.random.default_rng(1), []
    for ahead in DIFFERENCES:
        held, true = 0, case.true_mean(ahead)
        for _ in range(case.trials):
            values = case.drawn(rng, ahead)
            found = crossed_variances(values, case.members, ONE)
            half = stdtrit(found.freedom, 1 - ALPHA / 2) * np.sqrt(found.of_topics + found.of_runs)
            held += bool(abs(found.mean[0] - true) <= half[0])
        shares.append(held / case.trials)
    return shares


def family_rates(case: Case) -> list[float]:
    """How often the randomization test, and crossed with Holm, find any pair of equal systems."""
    rng, last = np.random.default_rng(1), len(case.runs) - 1
    pairs = np.triu_indices(len(case.runs), 1)
    if case.runs[-1] == 1:
        pairs = np.arange(last), np.full(last, last)
    found = np.zeros(2)
    for trial in range(case.trials):
        values = case.drawn(rng)
        draws, means = replace(DRAWS, rng=trial), case.means(values, pairs)
        tests = known_test("randomization").of_values(means, draws=draws)
        both = np.asarray(tests.adjusted), adjust(crossed(values, case, pairs))
        found += [adjusted.min() < ALPHA for adjusted in both]
    return [float(share) for share in found / case.trials]


def cells_of(case: Case, shares: list[float]) -> list[str]:
    """Rates, with a standard error behind each."""
    errors = (np.sqrt(share * (1 - share) / case.trials) for share in shares)
    return [f"{share:.3f} ± {error:.3f}" for share, error in zip(shares, errors, strict=True)]


def main() -> None:
    """Print the tables."""
    parser = parser_of(__doc__, folders=None)
    parser.add_argument("--trials", type=int, default=1000, help="random sets a rate (1000)")
    trials = parser.parse_args().trials
    pairs, families, covered = (
        [Case(kind, seed, runs, trials) for kind, seed, runs in product(KINDS, SEEDS, sizes)]
        for sizes in (SIZES, FAMILIES, ((5, 5),))
    )
    pairs += [Case(kind, 0.0, (5, 5), trials) for kind in KINDS]
    collapsing = product(KINDS, ((5, 5), (5, 1)))
    covered += [Case(kind, 0.15, runs, trials, collapse=True) for kind, runs in collapsing]
    what = ("values", "sd of seeds", "runs a system")
    tables = (
        (pairs, levels_and_powers, [f"{n}: {rate}" for rate in ("level", "power") for n in NAMES]),
        (families, family_rates, [f"any pair: {name}" for name in NAMES]),
        (covered, coverages, [f"interval holds {ahead}" for ahead in DIFFERENCES]),
    )
    with ProcessPoolExecutor() as pool:
        for table, function, columns in tables:
            print()
            print_head(*what, *columns)
            for case, shares in zip(table, pool.map(function, table), strict=True):
                print_row(case, *cells_of(case, shares))


if __name__ == "__main__":
    main()

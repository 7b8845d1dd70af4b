"""How often are tests wrong, how often do they find something, and how often do their intervals hold?

    python scripts/calibration.py ../shared/data/*/    # in ten minutes, on two processors
    python scripts/calibration.py                      # simulated values only

A collection is a folder with ``qrels.txt`` and ``runs/``, of which 20 runs take part. Topics are drawn
anew, with replacement. For a level, the values of every pair are less their mean over all topics; of signs,
each topic has a random sign, the same for all pairs. Else they are as they are. A cell says how often a
test finds any pair wrongly, which share of the pairs it finds rightly, and of one pair, how often the
interval holds the mean: on average over the collections with so many topics. The worst is in brackets.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np
from printed import parser_of, print_head, print_row
from real_values import Data, collection_of, data_of, pairs_of

from irpref import AP, LP, RPP
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws
from irpref.stats.tests import known_test

ALPHA, DRAWS, TOPICS = 0.05, Draws(n_resamples=999), (10, 20, 30, 50)
# Tests of all pairs at once, of values and of signs; and of one pair, with their intervals.
BOARD = {False: ("randomization", "t", "hsd"), True: ("randomization", "sign")}
PAIR = ("randomization", "t")
# One world in so many shows a power too; so many pairs are tested one by one, in so many worlds.
SHOWN, PAIRS, EACH, SAMPLES = 4, 40, 250, 20_000
SIMULATED: dict[str, Callable[[np.random.Generator, tuple[int, int]], Data]] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "Laplace": lambda rng, size: rng.laplace(size=size),
    "exponential": lambda rng, size: rng.exponential(size=size) - 1,
    "lognormal": lambda rng, size: rng.lognormal(size=size) - np.exp(0.5),
    "mostly zeros": lambda rng, size: rng.exponential(size=size) * (rng.random(size) < 0.3) - 0.3,
}


@dataclass(frozen=True)
class Job:
    """One collection by one preference or measure, on so many topics drawn anew."""

    data: Data
    signs: bool
    topics: int
    worlds: int

    def rates(self) -> list[Data]:
        """What the cells of the tests of boards have, and then those of one pair."""
        rng = np.random.default_rng(self.topics)
        return [*self.of_boards(rng), *self.of_pairs(rng)]

    def of_boards(self, rng: np.random.Generator) -> Data:
        """(tests, 2) how often any pair is found wrongly, and the share of pairs found rightly."""
        mean, rates = self.data.mean(axis=0), np.zeros((len(BOARD[self.signs]), 2))
        shown = -(-self.worlds // SHOWN)
        for world in range(self.worlds):
            drawn = self.data[rng.integers(len(self.data), size=self.topics)]
            signs = rng.choice((-1.0, 1.0), (self.topics, *[1] * mean.ndim))
            nothing = drawn * signs if self.signs else drawn - mean
            rightly = (pairs_of(drawn).mean(axis=0) * pairs_of(mean[None]) > 0)[0]
            for rate, test in zip(rates, BOARD[self.signs], strict=True):
                rate[0] += (adjusted(test, nothing, world) < ALPHA).any() / self.worlds
                if world < shown:
                    rate[1] += (rightly & (adjusted(test, drawn, world) < ALPHA)).mean() / shown
        return rates

    def of_pairs(self, rng: np.random.Generator) -> Data:
        """(tests, 3) the same of one pair, and how often intervals hold the mean."""
        values = pairs_of(self.data)
        some = rng.permutation(values.shape[1])[:PAIRS].repeat(EACH)
        topics = rng.integers(len(values), size=(self.topics, len(some)))
        drawn, mean = values[topics, some], values.mean(axis=0)[some]
        nothing = drawn * rng.choice((-1.0, 1.0), drawn.shape) if self.signs else drawn - mean
        rightly, rates = drawn.mean(axis=0) * mean > 0, []
        for test in map(known_test, PAIR):
            wrong, found = (test.of_values(x, draws=DRAWS).p < ALPHA for x in (nothing, drawn))
            rates.append((wrong.mean(), (found & rightly).mean()))
        return np.column_stack([rates, coverages(drawn, mean)])


def adjusted(test: str, data: Data, seed: int) -> Data:
    """(P,) p-values of all pairs, adjusted by the test itself or by Holm."""
    method, draws = known_test(test), replace(DRAWS, rng=seed)
    if method.requirements == "systems":
        tests = method.of_systems(data, np.triu_indices(data.shape[1], 1), draws=draws)
    else:
        tests = method.of_values(pairs_of(data), draws=draws)
    return adjust(tests.p) if tests.adjusted is None else tests.adjusted


def coverages(values: Data, mean: Data | float) -> list[float]:
    """How often the test's and Student's intervals, where there are any, of (T, W) values hold the mean."""
    ends = (known_test(test).intervals(values, draws=DRAWS) for test in PAIR)
    return [((low <= mean) & (mean <= high))[~np.isnan(low)].mean() for low, high in ends]


def cell(rates: Data) -> str:
    """The means over the collections of their (C, 2) or (C, 3) rates, and the worst."""
    level, power, *held = rates.mean(axis=0)
    if held:
        return f"{level:.3f}, {power:.0%}, {held[0]:.3f} ({rates[:, 2].min():.3f})"
    return f"{level:.3f} ({rates[:, 0].max():.3f}), {power:.0%}"


def main() -> None:
    parser = parser_of(__doc__, folders="*")
    parser.add_argument("--worlds", type=int, default=1000, help="draws of topics of a board")
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    print_head("values", *(f"{topics} topics" for topics in TOPICS))
    for name, draw in SIMULATED.items():
        samples = (draw(np.random.default_rng(1), (topics, SAMPLES)) for topics in TOPICS)
        held = (coverages(sample, 0.0) for sample in samples)
        print_row(name, *(f"{own:.3f}, {students:.3f}" for own, students in held))
    jobs: dict[Preference | Measure, list[list[Job]]] = {what: [] for what in (RPP, AP, LP)}
    collections = [collection_of(folder, systems=20) for folder in options.folders]
    for what, columns in jobs.items():
        values = [data_of(each, what) for each in collections]
        for topics in TOPICS:
            large = [each for each in values if len(each) >= topics]
            columns.append([Job(each, what is LP, topics, options.worlds) for each in large])
    print()
    print_head("values, test", *(f"{topics} topics" for topics in TOPICS))
    # Two processes of one thread each are faster than one of two.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        rates = pool.map(Job.rates, chain.from_iterable(chain.from_iterable(jobs.values())))
        for what, columns in jobs.items():
            names = [f"all pairs: {name}" for name in BOARD[what is LP]]
            names += [f"one pair: {name}" for name in PAIR]
            parts = (list(islice(rates, len(some))) for some in columns if some)
            by_topics = [zip(*part, strict=True) for part in parts]
            for name, row in zip(names, zip(*by_topics, strict=True), strict=False):
                print_row(f"{what}, {name}", *(cell(np.array(each)) for each in row))


if __name__ == "__main__":
    main()

"""How many topics real comparisons need, and whether so many have the power that was planned.

    python scripts/power_study.py ../shared/data/*

A collection is a folder with ``qrels.txt`` and ``runs/``. The first table plans for the pairs of systems
that differ by half to twice the difference, for one pair and for 28. The second takes some of these pairs
by chance. It draws as many topics as planned, with replacement, from all of the collection, which weigh so
that the pair has the difference, and tests it alone, among 28 pairs (of 6 other systems by chance), or
among all pairs of up to 30 systems: how often is p < 0.05? The third plans for each pair from ten topics
by chance.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from nulls import collection_of
from printed import parser_of, print_head, print_row

import irpref
from irpref import Collection, Comparison
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.topic_values import topic_values
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws
from irpref.stats.simulated_power import reachable, tilted
from irpref.stats.tests import known_test
from irpref.stats.tests.sign import sign_test

ALPHA, POWER, FEW, SYSTEMS = 0.05, 0.8, 10, 8
PLANNED = {"RPP": (0.1, 0.2, 0.3), "LP": (0.1, 0.2, 0.3), "AP": (0.02, 0.05, 0.1)}
CHECKED = {"RPP": 0.2, "LP": 0.2, "AP": 0.05}
Values = npt.NDArray[np.float64]


def alike(values: Values, difference: float) -> list[tuple[int, int]]:
    """The pairs that differ by half to twice the difference, the better system first."""
    means = values.mean(axis=0)
    pairs = [(a, b) if means[a, b] > 0 else (b, a) for a, b in combinations(range(len(means)), 2)]
    near = [pair for pair in pairs if difference / 2 <= means[pair] <= 2 * difference]
    return [pair for pair in near if reachable(values[:, [pair[0]], pair[1]], difference)[0]]


def found(values: Values, signs: bool, rng: np.random.Generator) -> bool:
    """Whether the test that is run finds the first pair of (n, P) values."""
    if signs:
        p = sign_test((values > 0).sum(axis=0), (values < 0).sum(axis=0))
        return bool(adjust(p, "holm")[0] < ALPHA)
    if values.shape[1] == 1:
        return bool(known_test("t").of_values(values).p[0] < ALPHA)
    tests = known_test("flip").of_values(values, draws=Draws(rng=rng, n_resamples=1000))
    return tests.adjusted is not None and bool(tests.adjusted[0] < ALPHA)


def reached(
    values: Values,
    pair: tuple[int, int],
    difference: float,
    topics: int,
    systems: int,
    *,
    signs: bool,
    samples: int,
    rng: np.random.Generator,
) -> float:
    """How often the pair is found, on so many topics and among all pairs of so many systems."""
    weights = tilted(values[:, [pair[0]], pair[1]], difference)[:, 0]
    others = np.delete(np.arange(values.shape[1]), pair)
    first, second = np.triu_indices(systems, 1)

    def once() -> bool:
        who = np.array([*pair, *rng.permutation(others)])
        drawn = rng.choice(len(values), topics, p=weights)
        return found(values[drawn][:, who[first], who[second]], signs, rng)

    return float(np.mean([once() for _ in range(samples)]))


def median(rates: list[float], rng: np.random.Generator) -> str:
    """The median of pairs, and its standard error over the pairs."""
    error = np.std([np.median(rng.choice(rates, len(rates))) for _ in range(500)])
    return f"{np.median(rates):.3f} ± {error:.3f}"


def of_whole(
    pilot: Comparison, what: Criterion, options: argparse.Namespace, rng: np.random.Generator
) -> Iterator[tuple[object, ...]]:
    """Rows: the power reached by plans from the whole collection."""
    values, difference = topic_values(pilot.placements, what), CHECKED[str(what)]
    pairs = alike(values, difference)
    for systems in sorted({2, SYSTEMS, min(options.systems, len(pilot.systems))}):
        family, samples = systems * (systems - 1) // 2, options.samples
        plan = irpref.plan(what, difference=difference, pilot=pilot, pairs=family)
        # Large families take long.
        part = 1 if family < 100 else 3
        how: dict[str, Any] = {"signs": what.signs_only, "samples": samples // part, "rng": rng}
        rates = [
            reached(values, pairs[index], difference, plan.topics, systems, **how)
            for index in rng.permutation(len(pairs))[: options.pairs // part]
        ]
        ends = f"{min(rates):.2f}–{max(rates):.2f}"
        yield f"{what} {difference:g}", family, plan.topics, median(rates, rng), ends


def of_few(
    data: Collection, what: Criterion, options: argparse.Namespace, rng: np.random.Generator
) -> Iterator[tuple[object, ...]]:
    """Rows: the power reached by plans from ten topics, and by their upper ends."""
    values, difference = topic_values(data.placements, what), CHECKED[str(what)]
    pairs = alike(values, difference)
    for systems in (2, SYSTEMS):
        how: dict[str, Any] = {"signs": what.signs_only, "samples": options.samples, "rng": rng}
        rates, none = list[list[float]](), 0
        for _ in range(options.pilots):
            pair = pairs[rng.integers(len(pairs))]
            topics = [data.topics[index] for index in rng.permutation(len(data.topics))[:FEW]]
            a, b = (data.systems[index] for index in pair)
            try:
                plan = irpref.plan(
                    what,
                    difference=difference,
                    pilot=data.select(topics=topics).compare(what),
                    pair=(a, b),
                    pairs=systems * (systems - 1) // 2,
                )
            except ValueError:
                none += 1
                continue
            ends = (plan.topics, plan.at_most or plan.topics)
            rates.append([reached(values, pair, difference, end, systems, **how) for end in ends])
        planned, upper = np.array(rates).T
        low, middle, high = np.quantile(planned, (0.05, 0.5, 0.95))
        enough = upper >= POWER
        error = np.sqrt(enough.mean() * (1 - enough.mean()) / len(enough))
        reaching = f"{middle:.2f}", f"{low:.2f}–{high:.2f}", f"{enough.mean():.2f} ± {error:.2f}"
        yield f"{what} {difference:g}", systems * (systems - 1) // 2, *reaching, none


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--pairs", type=int, default=60, help="how many pairs are checked")
    parser.add_argument("--samples", type=int, default=200, help="samples of topics for each pair")
    parser.add_argument("--systems", type=int, default=30, help="of the largest family")
    parser.add_argument(
        "--pilots", type=int, default=60, help="how many plans from ten topics, or 0"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    columns = [f"{what} {each:g}" for what, several in PLANNED.items() for each in several]
    print_head("collection", *columns)
    whole, few = [], []
    for folder in options.folders:
        data = collection_of(folder, systems=None)
        pilot = data.compare(list(PLANNED))
        cells = []
        for what in pilot.preferences:
            for each in PLANNED[str(what)]:
                plans = [irpref.plan(what, difference=each, pilot=pilot, pairs=n) for n in (1, 28)]
                cells.append(" / ".join(str(plan.topics) for plan in plans))
        print_row(folder.name, *cells)
        rng = np.random.default_rng(options.seed)
        for what in pilot.preferences:
            whole += [[folder.name, *row] for row in of_whole(pilot, what, options, rng)]
            if options.pilots:
                few += [[folder.name, *row] for row in of_few(data, what, options, rng)]
    about = ("collection", "difference", "pairs")
    for head, rows in (
        (("topics", "reached (median of pairs)", "of any pair"), whole),
        (("reached", "5 %–95 %", "upper end ≥ 0.8", "no plan"), few),
    ):
        print()
        print_head(*about, *head)
        for row in rows:
            print_row(*row)


if __name__ == "__main__":
    main()

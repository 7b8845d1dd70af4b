"""How often do intervals of ranks hold, and how often is the best system among the best of a leaderboard?

    python scripts/rank_study.py ../shared/data/trec-covid-r5 ../shared/data/recsys-ml-small

The topics of a collection are the population. In each world systems are drawn, and topics with replacement;
what these say must hold by all topics. Then the same with every pair's values less their mean: all systems
are equally good, so every interval must hold all ranks, and every system must be among the best.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt
from calibration import subset
from nulls import Data, collection_of, data_of, pairs_of
from printed import parser_of, print_head, print_row

from irpref import AP, RPP
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference
from irpref.stats.method import Draws
from irpref.stats.orders.win_rates import win_rates
from irpref.stats.rank_intervals import RankIntervals, rank_intervals, ranks_of, simultaneous_ranks
from irpref.stats.tests.flip import TEST as FLIP

# Of a collection with more topics, so many take part.
TOPICS = 400


def rates_of(data: Data) -> Data:
    return win_rates(data) if data.ndim == 3 else data


def found_by_flips(data: Data, draws: Draws) -> npt.NDArray[np.bool_]:
    """(S, S) whether joint sign flips find the row better than the column."""
    above = np.zeros(data.shape[1:2] * 2, dtype=bool)
    first, second = np.triu_indices(len(above), 1)
    tests = FLIP.of_values(np.round(pairs_of(data), 12), draws=draws)
    assert tests.adjusted is not None
    found = tests.adjusted < draws.alpha
    above[first, second] = found & (tests.mean > 0)
    above[second, first] = found & (tests.mean < 0)
    return above


def flipped_ranks(rates: Data, draws: Draws) -> RankIntervals:
    """Joint intervals by another test than that of irpref."""
    above = found_by_flips(rates, draws)
    rank = ranks_of(rates.mean(axis=0, keepdims=True))[0]
    return RankIntervals(rank, 1 + above.sum(axis=0), len(above) - above.sum(axis=1))


INTERVALS: dict[str, Callable[[Data, Draws], RankIntervals]] = {
    "each by itself": lambda rates, draws: rank_intervals(rates, draws=draws),
    "joint flips": flipped_ranks,
    "joint bootstrap": lambda rates, draws: simultaneous_ranks(rates, draws=draws),
}


def one_world(data: Data, topics: int, draws: Draws, rng: np.random.Generator) -> list[list[float]]:
    """What is measured, of the data as they are, and where all systems are equally good."""
    drawn = rng.integers(len(data), size=topics)
    measured = []
    for world in (data, data - data.mean(axis=0)):
        rates = rates_of(world[drawn])
        rank = ranks_of(rates_of(world).mean(axis=0, keepdims=True))[0]
        last = rank if world is data else len(rank)
        row = []
        for intervals in INTERVALS.values():
            found = intervals(rates, draws)
            held = (found.low <= rank) & (last <= found.high)
            row += [held.mean(), 1 - held.all(), (found.high - found.low + 1).mean()]
        first = ranks_of(rates.mean(axis=0, keepdims=True))[0] == 1
        best = ~found_by_flips(world[drawn], draws)[first].any(axis=0)
        measured.append([*row, 1 - best[rank == 1].all(), best.sum()])
    return measured


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--systems", type=int, nargs="+", default=[6, 30, 140])
    parser.add_argument("--topics", type=int, nargs="+", default=[12, 25, 50])
    parser.add_argument("--worlds", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=499)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    whats: tuple[Preference | Measure, ...] = (RPP, AP)
    kinds = [f"{name}: {what}" for name in INTERVALS for what in ("holds", "any wrong", "width")]
    heads = ["systems × topics", "world", *kinds, "a truly best left out", "systems in best"]
    print_head("values", "collection", *heads)
    for folder, what in product(options.folders, whats):
        data = data_of(collection_of(folder, systems=max(options.systems), topics=TOPICS), what)
        counts = sorted({min(count, data.shape[1]) for count in options.systems})
        for systems, topics in product(counts, options.topics):
            worlds = []
            for seed in range(options.worlds):
                rng = np.random.default_rng(seed)
                some = subset(data, rng.choice(data.shape[1], systems, replace=False))
                draws = Draws(rng=seed, n_resamples=options.resamples)
                worlds.append(one_world(some, topics, draws, rng))
            means = np.mean(worlds, axis=0)
            errors = np.std(worlds, axis=0) / np.sqrt(options.worlds)
            for world, mean, error in zip(("as it is", "equal"), means, errors, strict=True):
                cells = [f"{of:.3f} ± {by:.3f}" for of, by in zip(mean, error, strict=True)]
                print_row(what, folder.name, f"{systems} × {topics}", world, *cells)


if __name__ == "__main__":
    main()

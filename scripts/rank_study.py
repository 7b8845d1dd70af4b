"""How often do intervals of ranks hold, each by itself and all together?

    python scripts/rank_study.py ../shared/data/trec-covid-r5 ../shared/data/web12

The topics of a collection are the population: as many are drawn with replacement, and the intervals from
these must hold the ranks by all topics.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from nulls import collection_of, data_of

from irpref import AP, RPP
from irpref.stats.method import Draws
from irpref.stats.orders.win_rates import win_rates
from irpref.stats.rank_intervals import rank_intervals, simultaneous_ranks


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--worlds", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=999)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    print("| collection | by | systems | intervals | each holds | all hold | mean width |")
    print("|---|---|---|---|---|---|---|")
    for folder in options.folders:
        collection = collection_of(folder, systems=40)
        for what in (RPP, AP):
            data = data_of(collection, what)
            rates = win_rates(data) if data.ndim == 3 else data
            topics, systems = rates.shape
            truth = rank_intervals(rates, draws=Draws(n_resamples=1)).rank
            for name, intervals in (("each", rank_intervals), ("simultaneous", simultaneous_ranks)):
                held, together, width = [], [], []
                for world in range(options.worlds):
                    drawn = rates[rng.integers(topics, size=topics)]
                    found = intervals(drawn, draws=Draws(rng=world, n_resamples=options.resamples))
                    holds = (found.low <= truth) & (truth <= found.high)
                    held.append(holds.mean())
                    together.append(holds.all())
                    width.append((found.high - found.low + 1).mean())
                print(
                    f"| {folder.name} | {what} | {systems} | {name} | {np.mean(held):.3f} | "
                    f"{np.mean(together):.3f} | {np.mean(width):.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

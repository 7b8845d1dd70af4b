"""How often is a test with a margin wrong at the margin? On topics drawn from real pairs.

    python scripts/margin_study.py ../shared/data/trec-covid-r5 ../shared/data/llmjudge

The values of each pair are shifted so that their mean is minus the margin, and as many topics are drawn
with replacement. "Not worse" is false there, and should be found in 5 % of the draws.
"""

from __future__ import annotations

import numpy as np
from printed import parser_of, print_head, print_row
from real_values import collection_of, data_of, pairs_of

from irpref import AP, LP, RPP
from irpref.stats.margins import margin_tests
from irpref.stats.method import PairSums

ALPHA = 0.05
FEW = 10


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--systems", type=int, default=20, help="how many runs take part")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--margin", type=float, default=0.1)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    errors = ("error, mean of pairs", "worst", "of pairs that differ on few")
    print_head("collection", "values", "pairs", *errors)
    for folder in options.folders:
        collection = collection_of(folder, systems=options.systems)
        for what in (RPP, LP, AP):
            values = pairs_of(data_of(collection, what))
            topics, pairs = values.shape
            shifted = values - values.mean(axis=0) - options.margin
            wrong = np.zeros(pairs)
            for _ in range(options.draws):
                drawn = shifted[rng.integers(topics, size=topics)]
                sums = PairSums.of(drawn)
                found = margin_tests("noninferior", options.margin, sums, alpha=ALPHA)
                wrong += found.p < ALPHA
            rate, decided = wrong / options.draws, np.count_nonzero(values, axis=0)
            many = decided >= FEW
            worst = rate[many].max() if many.any() else float("nan")
            few = (
                "-" if many.all() else f"{rate[~many].max():.3f} ({np.count_nonzero(~many)} pairs)"
            )
            mean = f"{rate[many].mean():.3f}"
            print_row(folder.name, what, pairs, mean, f"{worst:.3f}", few)


if __name__ == "__main__":
    main()

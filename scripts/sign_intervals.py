"""How often do 95 % intervals of a mean sign hold? On topics drawn again from real pairs.

    python scripts/sign_intervals.py ../shared/data/*/

The truth is the mean of all topics, from which as many are drawn with replacement. Clopper and Pearson's
interval takes the number of ties for given, Tango's does not. The error is that of five repetitions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from printed import parser_of, print_head, print_row
from real_values import collection_of, data_of, pairs_of
from scipy.stats import beta

from irpref import IPSO, LP, LR
from irpref.base.arrays import Floats, Integers
from irpref.stats.tests.sign import tango_interval

DRAWS, REPETITIONS, LEAST = 1000, 5, 0.9


def clopper_pearson(wins: Integers, losses: Integers, topics: int) -> tuple[Floats, Floats]:
    """The exact binomial interval of the wins among those who are decided; from -1 to 1 if none is."""
    used = wins + losses
    low = np.where(wins > 0, beta.ppf(0.025, wins, losses + 1), 0)
    high = np.where(losses > 0, beta.ppf(0.975, wins + 1, losses), 1)
    scale = used / topics
    low, high = ((2 * share - 1) * scale for share in (low, high))
    return np.where(used > 0, low, -1), np.where(used > 0, high, 1)


INTERVALS: dict[str, Callable[..., tuple[Floats, Floats]]] = {
    "Clopper–Pearson, given the ties": clopper_pearson,
    "Tango": tango_interval,
}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--topics", type=int, default=100, help="at most so many")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    coverage = ("mean coverage", "least", "pairs below .90")
    print_head("values", "collection", "interval", *coverage)
    for what in (LP, LR, IPSO @ 10):
        for folder in options.folders:
            signs = np.sign(pairs_of(data_of(collection_of(folder, topics=options.topics), what)))
            signs = signs[:, signs.any(axis=0)]
            topics, pairs = signs.shape
            truth, even = signs.mean(axis=0), np.full(topics, 1 / topics)
            # Every count there can be, once.
            counted = np.indices((topics + 1, topics + 1))
            counted[:, counted.sum(axis=0) > topics] = 0
            ends = {name: find(counted[0], counted[1], topics) for name, find in INTERVALS.items()}
            held = {name: np.zeros((REPETITIONS, pairs)) for name in INTERVALS}
            for repetition in range(REPETITIONS):
                drawn = rng.multinomial(topics, even, size=DRAWS).astype(float)
                wins, losses = (np.rint(drawn @ (signs == side)).astype(int) for side in (1, -1))
                for name, (low, high) in ends.items():
                    inside = (low[wins, losses] <= truth) & (truth <= high[wins, losses])
                    held[name][repetition] = inside.mean(axis=0)
            for name, shares in held.items():
                below = (shares < LEAST).mean(axis=1)
                error = below.std(ddof=1) / np.sqrt(REPETITIONS)
                held_by = f"{shares.mean():.3f}", f"{shares.mean(axis=0).min():.2f}"
                print_row(what, folder.name, name, *held_by, f"{below.mean():.3f} ± {error:.3f}")


if __name__ == "__main__":
    main()

"""Looking after every topic: what a repeated t-test finds by chance, and what an e-process costs.

    python scripts/while_judging.py ../shared/data/trec-covid-r5 ../shared/data/web12

Values of pairs of systems are drawn with replacement, topic by topic. First where nothing is to be found:
with random signs, or less the mean (then scaled into [-1, 1]). Then as they are: how many topics does the
e-process need for a power of .8, and how many a t-test on a number of topics fixed beforehand?
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt
from printed import parser_of, print_head, print_row
from real_values import Data, collection_of, data_of, pairs_of
from scipy.special import stdtrit

from irpref import LP, RPP, Preference

ALPHA = 0.05
BETS = np.concatenate((-np.arange(1, 20), np.arange(1, 20))) / 20
# Who looks after every topic begins once a t-test makes some sense.
FIRST_LOOK = 10
TRIALS = 2000
POWER = 0.8
LONGEST = 2500
WHATS: tuple[Preference, ...] = (RPP, LP)
BINS = ((0.1, 0.15), (0.15, 0.25), (0.25, 0.4))
Numbers = npt.NDArray[np.int_]


def rejected_by_wealth(values: Data) -> npt.NDArray[np.bool_]:
    """(R, n) whether the wealth has reached 1/α by then, for R sequences of n values in [-1, 1]."""
    wealth = np.zeros(values.shape)
    for bet in BETS:
        # No wealth matters above e ** 99.
        wealth += np.exp(np.minimum(np.cumsum(np.log1p(bet * values), axis=1), 99)) / len(BETS)
    return np.asarray(np.maximum.accumulate(wealth, axis=1) >= 1 / ALPHA)


def found_by_t(values: Data) -> npt.NDArray[np.bool_]:
    """(R, n) whether a t-test of the values so far has p < α."""
    count = np.arange(1, values.shape[1] + 1)
    total, squares = np.cumsum(values, axis=1), np.cumsum(values**2, axis=1)
    critical = stdtrit(np.maximum(count - 1, 1), 1 - ALPHA / 2)
    spread = (squares - total**2 / count) / np.maximum(count - 1, 1)
    # |mean| > critical × standard error. Equal values have no spread to compare with, and find nothing.
    found = (total**2 > critical**2 * count * spread) & (spread > 1e-9)
    found[:, : FIRST_LOOK - 1] = False
    return np.asarray(found)


def drawn(values: Data, length: int, trials: int, rng: np.random.Generator) -> Data:
    """(trials, length) values of one pair, with replacement."""
    return values[rng.integers(0, len(values), (trials, length))]


def some_pairs(data: Data, number: int, rng: np.random.Generator) -> list[Data]:
    """Pairs that differ on more than two topics."""
    values = pairs_of(data)
    differing = np.flatnonzero(np.count_nonzero(values, axis=0) > 2)
    chosen = rng.choice(differing, min(number, len(differing)), replace=False)
    return list(values[:, chosen].T)


def false_positives(pairs: list[Data], topics: int, rng: np.random.Generator) -> list[str]:
    """A row of the first table."""
    cells: list[str] = []
    for null in ("signs", "means"):
        rates = []
        for values in pairs:
            if null == "signs":
                sample = drawn(values, topics, TRIALS, rng)
                sample *= rng.choice((-1.0, 1.0), sample.shape)
            else:
                mean = values.mean()
                sample = drawn((values - mean) / (1 + abs(mean)), topics, TRIALS, rng)
            tests = rejected_by_wealth(sample)[:, -1], found_by_t(sample).any(axis=1)
            rates.append([test.mean() for test in tests])
        (wealth, repeated), most = np.mean(rates, axis=0), np.max(rates, axis=0)
        cells += [f"{wealth:.3f} ({most[0]:.3f})", f"{repeated:.3f}"]
    return cells


def needed(found: npt.NDArray[np.bool_]) -> int | None:
    """The least number of topics that finds the difference in at least .8 of the trials."""
    enough = found.mean(axis=0) >= POWER
    return int(enough.argmax()) + 1 if enough.any() else None


def price(
    pairs: list[Data], rng: np.random.Generator
) -> Iterator[tuple[tuple[float, float], Data]]:
    """Sizes of differences: topics for the t-test, for the e-process, and its mean topics used."""
    for values in pairs:
        for low, high in BINS:
            if not low <= abs(values.mean()) < high:
                continue
            sample = drawn(values, LONGEST, 400, rng)
            wealth = rejected_by_wealth(sample)
            fixed, looking = needed(found_by_t(sample)), needed(wealth)
            if fixed is not None and looking is not None:
                stopped = np.where(wealth[:, -1], wealth.argmax(axis=1) + 1, wealth.shape[1])
                yield (low, high), np.array([fixed, looking, stopped.mean()])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--topics", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    rng = np.random.default_rng(options.seed)
    prices = defaultdict[object, list[Data]](list)
    print_head("collection", "", "e, signs", "t", "e, means", "t")
    for folder in options.folders:
        collection = collection_of(folder)
        for what in WHATS:
            pairs = some_pairs(data_of(collection, what), options.pairs, rng)
            print_row(folder.name, what, *false_positives(pairs, options.topics, rng))
            for size, row in price(pairs, rng):
                prices[what, size].append(row)
    print()
    print_head("", "difference", "pairs", "t", "e", "e / t", "e stops at", "stops / t")
    for what, (low, high) in product(WHATS, BINS):
        if rows := prices[what, (low, high)]:
            fixed, looking, stopped = np.array(rows).T
            topics = [f"{np.median(each):.0f}" for each in (fixed, looking, stopped)]
            looked, stops = (f"{np.median(each / fixed):.2f}" for each in (looking, stopped))
            print_row(what, f"{low}-{high}", len(rows), *topics[:2], looked, topics[2], stops)


if __name__ == "__main__":
    main()

"""How many topics real comparisons need, and whether as many as planned have the power that was planned.

    python scripts/power_study.py ../shared/data/*

A collection is a folder with ``qrels.txt`` and ``runs/``. The first table plans on all topics, for one pair
and for 28. For the second, a pilot is half of the topics by chance, at most 25, and the plan is for the
mean that a pair has on all topics. As many topics as planned are drawn from all, with replacement, and
tested: how often is p < 0.05? "Other way" plans for the opposite mean, and tests the values less twice
their mean. Of 5 or 20 systems, all pairs are tested. Medians and quartiles are over pilots and pairs.
"""

from __future__ import annotations

import warnings
from collections import defaultdict

import numpy as np
import numpy.typing as npt
from printed import parser_of, print_head, print_row
from real_values import collection_of

import irpref
from irpref import Collection
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.stats.method import Draws
from irpref.stats.tests import known_test

PILOT, MOST_TOPICS = 25, 400
DIFFERENCES = {"RPP": (0.1, 0.2), "AP": (0.02, 0.05), "LP": (0.1, 0.2), "IPSO@10": (0.1, 0.2)}
COLUMNS = {2: ("one pair", "other way"), 5: ("5 systems",), 20: ("20 systems",)}
# Mean / standard deviation of the pairs that are planned for.
EFFECTS = (0.25, 1.2)
Values = npt.NDArray[np.float64]


def power_of(
    values: Values, topics: int, samples: int, rng: np.random.Generator, *, signs: bool
) -> float:
    """How often the first pair of (T, P) values is significant, on as many topics drawn anew."""
    if values.shape[1] == 1:
        # Each sample is a column of its own.
        drawn = values[rng.integers(len(values), size=(topics, samples)), 0]
        test = known_test("sign" if signs else "randomization")
        return float(np.mean(test.of_values(drawn, draws=Draws(n_resamples=999)).p < 0.05))
    test, found = PairTest().method_for(), 0
    for sample in range(samples):
        drawn = values[rng.integers(len(values), size=topics)]
        tests = test.of_values(drawn, draws=Draws(rng=sample, n_resamples=499))
        found += tests.adjusted is not None and bool(tests.adjusted[0] < 0.05)
    return found / samples


def reached(
    data: Collection, what: Criterion, systems: int, samples: int, rng: np.random.Generator
) -> list[float]:
    """The power that plans for a pair among so many systems reach, one way and the other.

    Empty where the pair differs by too little or too much, or there is no plan.
    """
    board = rng.permutation(len(data.systems))[:systems].tolist()
    names = tuple(data.systems[place] for place in board)
    topics = rng.permutation(data.topics)[: min(PILOT, len(data.topics) // 2)].tolist()
    values = topic_values(data.placements, what, board, board)
    tested = values[(slice(None), *np.triu_indices(systems, 1))]
    mean, sd = tested[:, 0].mean(), tested[:, 0].std()
    if not 0 < EFFECTS[0] * sd <= abs(mean) <= EFFECTS[1] * sd:
        return []
    pilot, pairs = data.select(topics=topics, systems=names).compare(what), tested.shape[1]
    rates, signs = [], what.signs_only
    for way in (1, -1)[: len(COLUMNS[systems])]:
        try:
            plan = irpref.plan(
                what, difference=way * mean, pilot=pilot, pair=names[:2], pairs=pairs
            )
        except ValueError:
            return []
        if plan.topics > MOST_TOPICS:
            return []
        world = tested * way if signs else tested - (1 - way) * mean
        rates.append(power_of(world, plan.topics, samples, rng, signs=signs))
    return rates


def shown(rates: list[float]) -> str:
    """The median and the quartiles."""
    if not rates:
        return "–"
    low, middle, high = np.quantile(rates, (0.25, 0.5, 0.75))
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--plans", type=int, default=60, help="of one pair; of boards a third")
    parser.add_argument("--samples", type=int, default=200, help="of one pair; of boards a third")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    planned = [(what, each) for what, several in DIFFERENCES.items() for each in several]
    print_head("collection", *(f"{what} {each:g}" for what, each in planned))
    rates = defaultdict[tuple[str, str, str], list[float]](list)
    for folder in options.folders:
        data, rng = (
            collection_of(folder, systems=30, topics=200),
            np.random.default_rng(options.seed),
        )
        pilot, cells = data.compare(list(DIFFERENCES)), []
        for what, each in planned:
            plans = [irpref.plan(what, difference=each, pilot=pilot, pairs=n) for n in (1, 28)]
            cells.append(" / ".join(str(plan.topics) for plan in plans))
        print_row(folder.name, *cells)
        for criterion in pilot.preferences:
            for systems, columns in COLUMNS.items():
                part, done = (
                    1 if systems == 2 else 3,
                    rates[folder.name, str(criterion), columns[0]],
                )
                # Few pairs of some collections differ so much.
                for _ in range(20 * options.plans if systems <= len(data.systems) else 0):
                    if len(done) == options.plans // part:
                        break
                    some = reached(data, criterion, systems, options.samples // part, rng)
                    for column, rate in zip(columns, some, strict=False):
                        rates[folder.name, str(criterion), column].append(rate)
                        rates["all", str(criterion), column].append(rate)
    print()
    columns = tuple(name for names in COLUMNS.values() for name in names)
    print_head("collection", "preference", *columns)
    for whose in (*(folder.name for folder in options.folders), "all"):
        for what in DIFFERENCES:
            print_row(whose, what, *(shown(rates[whose, what, name]) for name in columns))


if __name__ == "__main__":
    main()

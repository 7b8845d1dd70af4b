"""How many topics real comparisons need, and whether so many have the power that was planned.

    python scripts/power_study.py ../shared/data/*

A collection is a folder with ``qrels.txt`` and ``runs/``. The first table plans by the median of all
pairs of systems and, behind the stroke, of those that differ by half to twice the difference. The second
takes some of the latter by chance and plans for each. It draws as many topics as planned, with
replacement, from the pair's own, their values shifted to the difference, and tests: how often is p < 0.05?
(Signs cannot be shifted: they are drawn with the shares that were planned for.)
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import irpref
from irpref import Comparison
from irpref.preferences.criterion import Criterion
from tests.stats.named import paired_tests

ALPHA = 0.05
PLANNED = {"RPP": (0.1, 0.2, 0.3), "LP": (0.1, 0.2, 0.3), "AP": (0.02, 0.05, 0.1)}
CHECKED = {"RPP": 0.2, "LP": 0.2, "AP": 0.05}


def alike(pilot: Comparison, what: Criterion, difference: float) -> npt.NDArray[Any]:
    """(2, P) the pairs of systems that differ by half to twice the difference."""
    means = np.triu(np.abs(pilot.totals[what].mean), 1)
    return np.array(np.nonzero((means >= difference / 2) & (means <= 2 * difference)))


def needed(pilot: Comparison, what: Criterion, difference: float) -> str:
    """The topics by the median of all pairs, and by that of pairs that differ about as much."""
    plan = irpref.plan(what, difference=difference, pilot=pilot)
    totals, pairs = pilot.totals[what], tuple(alike(pilot, what, difference))
    if plan.decided is None:
        sd = np.median(np.sqrt(totals.deviations[pairs] / (totals.topics[pairs] - 1)))
    else:
        decided = np.median((totals.wins + totals.losses)[pairs] / totals.topics[pairs])
        sd = np.sqrt(decided - difference**2)
    return f"{plan.topics} / {irpref.plan(what, difference=difference, sd=sd).topics}"


def drawn(
    plan: irpref.Plan, values: npt.NDArray[Any], samples: int, rng: np.random.Generator
) -> npt.NDArray[Any]:
    """(planned topics, samples) values like those of a pair, with the mean that was planned for."""
    shape = (plan.topics, samples)
    if plan.decided is None:
        # As a population, they have the variance of n, not of n - 1.
        apart = (values - values.mean()) * plan.sd / values.std()
        return rng.choice(apart + plan.difference, shape)
    won, lost = (plan.decided + plan.difference) / 2, (plan.decided - plan.difference) / 2
    return rng.choice([1.0, 0.0, -1.0], shape, p=[won, 1 - won - lost, lost])


def reached(
    pilot: Comparison, what: Criterion, *, pairs: int, samples: int, rng: np.random.Generator
) -> npt.NDArray[Any]:
    """By pair: the share of samples with p < 0.05, and the power that was planned."""
    difference, found = CHECKED[str(what)], []
    for pair in rng.permutation(alike(pilot, what, difference).T)[:pairs]:
        a, b = (pilot.systems[index] for index in pair)
        plan = irpref.plan(what, difference=difference, pilot=pilot, pair=(a, b))
        values = pilot.per_topic(what, a, b).to_numpy(dtype=float)
        # The better system first, so that the shift keeps the side.
        values = values * np.sign(values.mean())
        p = paired_tests(drawn(plan, values, samples, rng), method=plan.test, alpha=ALPHA).p
        found.append((float(np.mean(p < ALPHA)), plan.power))
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pairs", type=int, default=40, help="how many pairs are checked")
    parser.add_argument("--samples", type=int, default=4000, help="samples of topics for each pair")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    columns = [f"{what} {each:g}" for what, several in PLANNED.items() for each in several]
    print(f"| collection | {' | '.join(columns)} |")
    print("|---|" + "---|" * len(columns))
    checks = []
    for folder in options.folders:
        runs = sorted((folder / "runs").iterdir())
        pilot = irpref.compare(folder / "qrels.txt", runs, list(PLANNED), duplicates="first")
        cells = [
            needed(pilot, what, each) for what in pilot.preferences for each in PLANNED[str(what)]
        ]
        print(f"| {folder.name} | {' | '.join(cells)} |", flush=True)
        rng = np.random.default_rng(options.seed)
        for what in pilot.preferences:
            rates, planned = reached(
                pilot, what, pairs=options.pairs, samples=options.samples, rng=rng
            ).T
            checks.append(
                f"| {folder.name} | {what} {CHECKED[str(what)]:g} | {len(rates)} | {planned.mean():.3f} | "
                f"{rates.mean():.3f} | {rates.min():.3f}–{rates.max():.3f} |"
            )
    print("\n| collection | difference | pairs | planned | reached | least–greatest of the pairs |")
    print("|---|---|---|---|---|---|", *checks, sep="\n")


if __name__ == "__main__":
    main()

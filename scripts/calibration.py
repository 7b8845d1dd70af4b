"""Do the tests hold their level? False positives where there is nothing to find.

    python scripts/calibration.py ../shared/data/trec-covid-r5

The labels of the systems are shuffled topic by topic, so that no system is better than any other. The
share of pairs with p < 0.05 should then be 0.05, and the share of shuffles in which a procedure finds
any pair different (the family-wise error rate) at most 0.05, both within their Monte-Carlo error.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import irpref
from irpref import LP, RPP
from irpref.preferences import Preference
from irpref.summarise.statistics.corrections import adjust
from irpref.summarise.statistics.hsd import hsd_of_preferences
from irpref.summarise.statistics.paired_tests import paired_tests
from irpref.summarise.topic_values import topic_values

ALPHA = 0.05


def shuffled(values: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any]:
    """The (T, S, S) values with the labels of the systems shuffled on every topic."""
    labels = rng.permuted(np.tile(np.arange(values.shape[1]), (len(values), 1)), axis=1)
    topic = np.arange(len(values))[:, None, None]
    return values[topic, labels[:, :, None], labels[:, None, :]]


def study(
    values: npt.NDArray[Any],
    find: Callable[[npt.NDArray[Any], int], tuple[npt.NDArray[Any], npt.NDArray[Any]]],
    *,
    shuffles: int,
    seed: int,
) -> str:
    """The share of false positives for each pair, and the family-wise error rate, with their errors."""
    rng = np.random.default_rng(seed)
    shares, families = [], []
    for each in range(shuffles):
        raw, adjusted = find(shuffled(values, rng), each)
        shares.append(float(np.mean(raw < ALPHA)))
        families.append(bool(np.any(adjusted < ALPHA)))
    # The pairs of one shuffle depend on each other: shuffles are what is independent.
    error = np.std(shares, ddof=1) / np.sqrt(shuffles)
    rate = np.mean(families)
    return (
        f"{np.mean(shares):.4f} ± {1.96 * error:.4f} | {rate:.3f} ± "
        f"{1.96 * np.sqrt(rate * (1 - rate) / shuffles):.3f}"
    )


def paired(method: Any) -> Callable[[npt.NDArray[Any], int], tuple[Any, Any]]:
    def find(values: npt.NDArray[Any], seed: int) -> tuple[Any, Any]:
        first, second = np.triu_indices(values.shape[1], 1)
        p = paired_tests(values[:, first, second], method=method, rng=seed, n_resamples=2000).p
        return p, adjust(p, "holm")

    return find


def hsd(values: npt.NDArray[Any], seed: int) -> tuple[Any, Any]:
    first, second = np.triu_indices(values.shape[1], 1)
    p = hsd_of_preferences(values, rng=seed, n_resamples=999).p[first, second]
    return p, p


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", type=int, default=40, help="how many runs take part")
    parser.add_argument("--shuffles", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    runs = sorted((options.folder / "runs").iterdir())
    every = max(1, len(runs) // options.systems)
    collection = irpref.collect(options.folder / "qrels.txt", runs[::every][: options.systems])
    print(
        f"{len(collection.systems)} systems, {len(collection.topics)} topics, {options.shuffles} shuffles, "
        f"α = {ALPHA}\n"
    )
    print("| preference | test | p < 0.05, pair by pair | any pair found (Holm, or HSD itself) |")
    print("|---|---|---|---|")
    cases: list[tuple[Preference, str, Any]] = [
        (RPP, "t", paired("t")),
        (RPP, "wilcoxon", paired("wilcoxon")),
        (RPP, "randomization, B = 2,000", paired("randomization")),
        (RPP, "hsd, B = 999", hsd),
        (LP, "sign", paired("sign")),
        (LP, "hsd, B = 999", hsd),
    ]
    for preference, name, find in cases:
        values = topic_values(collection.placements, preference)
        result = study(values, find, shuffles=options.shuffles, seed=options.seed)
        print(f"| {preference} | {name} | {result} |", flush=True)


if __name__ == "__main__":
    main()

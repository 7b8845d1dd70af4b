"""The share of system pairs found different: the papers' main table, on a collection of your own.

    python scripts/discriminative_power.py ../shared/data/trec-covid-r5

A collection is a folder with ``qrels.txt`` and ``runs/``. Prints a Markdown table: randomised Tukey HSD,
and the paired test that fits with Bonferroni's correction.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import irpref
from irpref import AP, LP, LR, RPP, RR, R, dcgRPP, invRPP, nDCG, rrLP

PREFERENCES = (rrLP, LP, RPP, dcgRPP, invRPP, LR)
MEASURES = (RR, AP, nDCG, R @ 1000)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    qrels, runs = options.folder / "qrels.txt", sorted((options.folder / "runs").iterdir())
    comparison = irpref.compare(qrels, runs, [*PREFERENCES, *MEASURES])
    pairs = len(runs) * (len(runs) - 1) // 2
    print(f"{pairs:,} pairs of {len(runs)} systems on {len(comparison.topics)} topics, α = 0.05\n")
    print(f"| | HSD (B = {options.resamples:,}) | paired test, Bonferroni |")
    print("|---|---|---|")
    for what in (*PREFERENCES, *MEASURES):
        shares = []
        for how in (
            {"method": "hsd", "rng": options.seed, "n_resamples": options.resamples},
            {"correction": "bonferroni"},
        ):
            tests = comparison.test(what, **how)
            name = f" ({tests.attrs['test']})" if tests.attrs["test"] != "hsd" else ""
            shares.append(f"{tests['significant'].mean():.2%}{name}")
        print(f"| {what} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()

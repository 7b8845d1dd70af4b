"""The share of system pairs found different, and how wide the intervals are.

    python scripts/discriminative_power.py ../shared/data/trec-covid-r5
    python scripts/discriminative_power.py ../shared/data/*/ -p RPP -p AP

A collection is a folder with ``qrels.txt`` and ``runs/``. Prints a Markdown table: joint flips and
randomised Tukey HSD, which correct for all pairs by themselves, and the paired test that fits
with Holm's correction. A width is that of the simultaneous intervals: the median, since the
interval of a pair that never differs is all that its mean can be.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import irpref

CRITERIA = ("rrLP", "LP", "RPP", "dcgRPP", "invRPP", "LR", "RR", "AP", "nDCG", "R@1000")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("-p", dest="criteria", action="append", help="a preference or measure")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    resampled: dict[str, Any] = {"rng": options.seed, "n_resamples": options.resamples}
    print(
        "| | | flip | HSD | paired test, Holm | width: flip | HSD |\n|---|---|---|---|---|---|---|"
    )
    for folder in options.folders:
        runs = sorted((folder / "runs").iterdir())
        criteria = options.criteria or CRITERIA
        comparison = irpref.compare(folder / "qrels.txt", runs, criteria, duplicates="first")
        for what in criteria:
            flip = comparison.test(what, test=irpref.PairTest(method="flip", **resampled))
            hsd = comparison.test(what, test=irpref.PairTest(method="hsd", **resampled))
            paired = comparison.test(what, test="sign" if what in ("LP", "LR") else "t")
            shares = " | ".join(f"{each['significant'].mean():.1%}" for each in (flip, hsd, paired))
            widths = " | ".join(
                f"{(each['high'] - each['low']).median():.3f}" for each in (flip, hsd)
            )
            print(
                f"| {folder.name} | {what} | {shares} ({paired.attrs['test']}) | {widths} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

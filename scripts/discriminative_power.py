"""The share of system pairs found different, and how wide the intervals are.

    python scripts/discriminative_power.py ../shared/data/trec-covid-r5
    python scripts/discriminative_power.py ../shared/data/*/ -p RPP -p AP

A collection is a folder with ``qrels.txt`` and ``runs/``. Prints a Markdown table: joint flips and
randomised Tukey HSD, which correct for all pairs by themselves, and the paired test that fits
with Holm's correction. A width is that of the simultaneous intervals: the median, since the
interval of a pair that never differs is all that its mean can be.
"""

from __future__ import annotations

import warnings
from typing import Any

from nulls import collection_of
from printed import parser_of, print_head, print_row

import irpref

CRITERIA = ("rrLP", "LP", "RPP", "dcgRPP", "invRPP", "LR", "RR", "AP", "nDCG", "R@1000")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("-p", dest="criteria", action="append", help="a preference or measure")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    resampled: dict[str, Any] = {"rng": options.seed, "n_resamples": options.resamples}
    print_head("", "", "flip", "HSD", "paired test, Holm", "width: flip", "HSD")
    for folder in options.folders:
        criteria = options.criteria or CRITERIA
        comparison = collection_of(folder, systems=None).compare(criteria)
        for what in criteria:
            flip = comparison.test(what, test=irpref.PairTest(method="flip", **resampled))
            hsd = comparison.test(what, test=irpref.PairTest(method="hsd", **resampled))
            paired = comparison.test(what, test="sign" if what in ("LP", "LR") else "t")
            shares = [f"{each['significant'].mean():.1%}" for each in (flip, hsd, paired)]
            shares[-1] += f" ({paired.attrs['test']})"
            widths = [f"{(each['high'] - each['low']).median():.3f}" for each in (flip, hsd)]
            print_row(folder.name, what, *shares, *widths)


if __name__ == "__main__":
    main()

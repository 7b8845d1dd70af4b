"""The share of system pairs found different, by each test of all pairs.

    python scripts/discriminative_power.py ../shared/data/trec-covid-r5
    python scripts/discriminative_power.py ../shared/data/*/ -p RPP -p AP

A collection is a folder with ``qrels.txt`` and ``runs/``. Prints a Markdown table: the randomization test
and randomised Tukey HSD correct for all pairs by themselves, t (of signs: the sign test) by Holm.
"""

from __future__ import annotations

import warnings
from typing import Any

from printed import parser_of, print_head, print_row
from real_values import collection_of

import irpref

CRITERIA = ("rrLP", "LP", "RPP", "dcgRPP", "invRPP", "LR", "RR", "AP", "nDCG", "R@1000")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("-p", dest="criteria", action="append", help="a preference or measure")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    drawn: dict[str, Any] = {"rng": options.seed, "n_resamples": options.resamples}
    print_head("", "", "randomization", "HSD", "t or sign, Holm")
    for folder in options.folders:
        criteria = options.criteria or CRITERIA
        comparison = collection_of(folder, systems=None).compare(criteria)
        for what in criteria:
            each = "sign" if what in ("LP", "LR") else "t"
            tests = [
                irpref.PairTest(method=name, **drawn) for name in ("randomization", "hsd", each)
            ]
            found = [comparison.test(what, test=test)["significant"].mean() for test in tests]
            print_row(folder.name, what, *(f"{share:.1%}" for share in found))


if __name__ == "__main__":
    main()

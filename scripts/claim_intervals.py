"""How often do 95 % intervals hold shares of significant pairs, τ_b, and differences of these?

    python scripts/claim_intervals.py ../shared/data/*/ --topics 50

The topics of a collection are the population, from which samples are drawn with replacement. The truth is
what comes out of a sample on average: with other numbers of topics, other pairs are significant. Which
share of the intervals holds it, and which lies above or below it?
"""

from __future__ import annotations

import numpy as np
from printed import parser_of, print_head, print_row
from real_values import collection_of

from irpref.base.arrays import Floats
from irpref.methods.names import as_criteria
from irpref.pairwise.topic_values import topic_values
from irpref.stats.method import Draws
from irpref.stats.orders.win_rates import rounded, win_rates
from irpref.stats.tests.hsd import tukey_hsd
from irpref.studies.discriminative_power import significant_shares
from irpref.studies.numbers.order_agreement import taus_b

METHODS = ("RR", "RPP", "AP", "LP", "nDCG")
DRAWS, SHUFFLES = 300, 200
KINDS = ("τ_b", "shares by HSD", "shares by Bonferroni", "shares by Holm")


def numbers(values: Floats, drawn: Floats) -> Floats:
    """(B, 4, C) numbers by C methods, from (C, T, S, S) values and (B, T) how often topics are drawn."""
    first, second = np.triu_indices(values.shape[2], 1)
    rates = np.stack([drawn @ win_rates(each) for each in values], axis=1)
    taus = taus_b(rounded(rates / drawn.sum(axis=1)[:, None, None]))
    neighbours = [taus[:, at, at - 1] for at in range(len(METHODS))]
    shares = list[Floats]()
    for name, each in zip(METHODS, values, strict=True):
        margin = tukey_hsd(each, Draws(n_resamples=SHUFFLES)).margin()
        pairs, signs = each[:, first, second], name == "LP"
        shares.append(significant_shares(pairs, drawn, signs=signs, margin=margin, alpha=0.05))
    return np.concatenate([np.stack(neighbours, axis=1)[:, None], np.stack(shares, axis=2)], axis=1)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--samples", type=int, default=300)
    options = parser.parse_args()
    rng, n = np.random.default_rng(0), options.topics
    print_head("collection", "numbers", "normal", "percentile", "basic")
    for folder in options.folders:
        placements = collection_of(folder, systems=30).placements
        values = np.stack([topic_values(placements, each) for each in as_criteria(METHODS)])
        samples = []
        for _ in range(options.samples):
            sample = values[:, rng.integers(0, values.shape[1], n)]
            drawn = np.vstack([np.ones(n), rng.multinomial(n, np.full(n, 1 / n), size=DRAWS)])
            samples.append(numbers(sample, drawn))
        found = np.array(samples)
        for what, each in (("", found), ("differences of ", found[..., :-1] - found[..., 1:])):
            estimate, drawn = each[:, 0], each[:, 1:]
            low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
            reach, twice = 1.96 * drawn.std(axis=1, ddof=1), 2 * estimate
            truth = estimate.mean(axis=0)
            ends = (estimate - reach, estimate + reach), (low, high), (twice - high, twice - low)
            missed = np.array([[a > truth, truth > b] for a, b in ends]).mean(axis=(2, 4))
            for at, kind in enumerate(KINDS):
                sides = missed[:, :, at]
                cells = [f"{1 - a - b:.3f} ({a:.1%} above, {b:.1%} below)" for a, b in sides]
                print_row(folder.name, f"{what}{kind}", *cells)


if __name__ == "__main__":
    main()

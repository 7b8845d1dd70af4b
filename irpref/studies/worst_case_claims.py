"""What Diaz & Mitra (2023) say of the worst-off searcher, against random rankings and exact exposures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats
from irpref.stats.agreement import Agreement, agreement_of
from irpref.studies.claims import verdict_on
from irpref.study import Claim

__all__ = ["COIN", "TABLE_1", "WORST_OFF", "Agreements", "exposure_claim", "random_ranking_claims"]

_PAPER, _TABLE = "Diaz & Mitra 2023", "Table 1"
COIN = "coin"
WORST_OFF = "worst-off searcher"

_PRINTED = (WORST_OFF, "TSE", "R@1000", "RP", "AP", "nDCG", COIN)
TABLE_1 = {
    n: dict(zip(_PRINTED, printed, strict=True))
    for n, printed in {
        1_000: (0.012, 1.000, 0.000, 0.285, 0.541, 0.535, 0.492),
        10_000: (0.001, 1.000, 0.420, 0.077, 0.552, 0.549, 0.497),
        100_000: (0.000, 1.000, 0.179, 0.008, 0.554, 0.555, 0.498),
        1_000_000: (0.000, 1.000, 0.026, 0.001, 0.547, 0.554, 0.499),
    }.items()
}
"""By n and method, as printed; the worst-off searcher's number is the share of ties."""
# Each printed number is of so many pairs, and rounded.
_PAIRS, _ROUNDING = 10_000, 0.0005
# One of 28 numbers is so many standard errors off by chance, in one table of 500.
_ERRORS = 4
_SHALLOW = ("R@1000", "RP")
_MIXED = ("AP", "nDCG")


@dataclass(frozen=True)
class Agreements:
    """How often metrics agreed with the worst-off searcher on random rankings.

    Attributes:
        samples: How many pairs were drawn for each n.
        tied: By n, the share of them that are the same to the worst-off searcher.
        counts: By n and method, the pairs on which both prefer the same ranking, the method ties, and both
            prefer different ones.
    """

    samples: int
    tied: dict[int, float]
    counts: dict[tuple[int, str], Floats]

    def missing(self, methods: Iterable[str]) -> list[str]:
        """What would be needed for Table 1, and was not asked for."""
        known = {method for _, method in self.counts}
        lacks = [method for method in methods if method not in known]
        return lacks + [f"n = {n}" for n in TABLE_1 if n not in self.tied]

    def of(self, method: str, kind: Agreement, n: int | None = None) -> float:
        """The agreement of a method for one n, or over all in Table 1."""
        sums = sum(self.counts[each, method] for each in (TABLE_1 if n is None else (n,)))
        return agreement_of(np.asarray(sums), kind).item()

    def decided(self, method: str) -> int:
        """On how many pairs the method and the worst-off searcher both decide."""
        return int(sum(self.counts[n, method][[0, 2]].sum() for n in TABLE_1))


def random_ranking_claims(found: Agreements, unlike: str = "") -> Iterator[Claim]:
    """The claims of Table 1, and of section 4.3 on it.

    Args:
        found: What came out.
        unlike: How it was made in another way than the paper's, if it was.
    """
    for methods, claim, tested in (
        (_PRINTED[1:-1], "the 28 shares of ties and of agreement", _printed),
        (("TSE",), "TSE agrees with the worst-off searcher always", _perfect),
        (
            _SHALLOW,
            "R@1000 and RP agree with the worst-off searcher less than a coin does",
            _shallow,
        ),
        (
            _MIXED,
            "AP and nDCG agree with the worst-off searcher slightly more than a coin does",
            _mixed,
        ),
    ):
        lacks = ", ".join(found.missing(methods))
        if lacks or unlike:
            why = unlike or f"without {lacks}"
            yield verdict_on(_PAPER, _TABLE, claim, False, "", doubt=why)
        else:
            yield verdict_on(_PAPER, _TABLE, claim, *tested(found))


def _printed(found: Agreements) -> tuple[bool, str]:
    off = {}
    for n, cells in TABLE_1.items():
        for method, printed in cells.items():
            if method == WORST_OFF:
                share, pairs = found.tied[n], float(found.samples)
            else:
                share, pairs = found.of(method, "strict", n), found.counts[n, method].sum()
            pooled = (share * pairs + printed * _PAIRS) / (pairs + _PAIRS)
            # A share of 0 or 1 is uncertain too: by one pair at least.
            variance = max(pooled * (1 - pooled), 1 / (pairs + _PAIRS))
            error = (variance * (1 / pairs + 1 / _PAIRS)) ** 0.5
            off[n, method] = (max(abs(share - printed) - _ROUNDING, 0) / error, share, printed)
    (n, method), (errors, share, printed) = max(off.items(), key=lambda cell: cell[1][0])
    least = min(TABLE_1)
    return (
        errors <= _ERRORS,
        f"the farthest is {errors:.1f} standard errors off: {method} at n = {n}, {share:.3f}, printed "
        f"{printed:.3f}. At n = {least} R@1000 never decides, so it agrees on "
        f"{found.of('R@1000', 'strict', least):.3f}; if a tie of both were an agreement too, on "
        f"{found.tied[least]:.3f}",
    )


def _perfect(found: Agreements) -> tuple[bool, str]:
    share = found.of("TSE", "strict")
    return share == 1, f"{share:.3f} of {found.decided('TSE')} pairs"


def _shallow(found: Agreements) -> tuple[bool, str]:
    shares = {method: found.of(method, "decided") for method in _SHALLOW}
    below = [shares[each] < 0.5 - 2 * 0.5 / found.decided(each) ** 0.5 for each in _SHALLOW]
    listed = " and ".join(
        f"{method} on {share:.3f} of {found.decided(method)}" for method, share in shares.items()
    )
    strict = ", ".join(f"{method} {found.of(method, 'strict'):.3f}" for method in _SHALLOW)
    return (
        all(below),
        f"only if a tie counts as disagreement ({strict}); where the metric decides, {listed} pairs",
    )


def _mixed(found: Agreements) -> tuple[bool, str]:
    above, listed = [], []
    for method in _MIXED:
        shares = [found.of(method, "strict", n) for n in TABLE_1]
        pairs = [found.counts[n, method].sum() for n in TABLE_1]
        above += [share > 0.5 + 2 * 0.5 / of**0.5 for share, of in zip(shares, pairs, strict=True)]
        listed.append(f"{method} {min(shares):.3f} to {max(shares):.3f}")
    return all(above), ", ".join(listed)


def exposure_claim(served: Mapping[str, tuple[Floats, Floats]]) -> Claim:
    """The claim of Figure 5.

    Args:
        served: By metric, the exposure of the worst-off searcher of 1 to M relevant items, by the best
            deterministic and the best stochastic ranking.
    """
    better = all((mixed[1:] > alone[1:]).all() for alone, mixed in served.values())
    listed = ", ".join(
        f"{name} {alone[-1]:.3f} and {mixed[-1]:.3f}" for name, (alone, mixed) in served.items()
    )
    most = len(next(iter(served.values()))[0])
    return verdict_on(
        _PAPER,
        "Figure 5",
        "the best stochastic ranking serves the worst-off searcher better than the best deterministic one",
        better,
        f"from m = 2 on; deterministic and stochastic at m = {most}: {listed}",
    )

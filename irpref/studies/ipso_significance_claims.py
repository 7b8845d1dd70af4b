"""What Moffat & Mackenzie (2024) say of pairs that IPSO finds significant, and metrics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pandas as pd

from irpref.studies.claims import verdict_on
from irpref.study import Claim

__all__ = [
    "AGREE",
    "BESIDE",
    "KINDS",
    "MOST_DISAGREE",
    "agreement_claim",
    "beside",
    "by_test",
    "growth_claims",
    "neighbour_claims",
    "power_claims",
]

_PAPER, _ITEM = "Moffat & Mackenzie 2024", "Figure 7"
_NEITHER, _METRIC_ONLY, _IPSO_ONLY, _BOTH = KINDS = ("neither", "metric only", "IPSO only", "both")
AGREE = "agreement"
# Figure 8: what is beside the cells where the two disagree.
BESIDE = tuple(product((_IPSO_ONLY, _METRIC_ONLY), (_NEITHER, _BOTH)))
MOST_DISAGREE = 0.25


def by_test(what: str, test: str) -> str:
    """The condition of a share, by the metric's test."""
    return f"{what}, {test} test"


def beside(kind: str, neighbour: str) -> str:
    """What the share of a kind among the neighbours of another is called."""
    return f"{neighbour} beside {kind}"


def agreement_claim(shares: pd.Series, tests: tuple[str, ...], doubt: str) -> Claim:
    """The claim that the two mostly agree.

    Args:
        shares: The estimates, by method, treatment and condition; so for the other claims.
        tests: The metric's tests.
        doubt: Why the collection cannot tell, if it cannot.
    """
    found = {
        (test, case): float(share)
        for test in tests
        for case, share in _at_condition(shares, by_test(AGREE, test)).items()
    }
    (test, case), least = min(found.items(), key=lambda each: each[1])
    enough = sum(share >= 1 - MOST_DISAGREE for share in found.values())
    at = " at ".join(map(str, case)) if isinstance(case, tuple) else str(case)
    return verdict_on(
        _PAPER,
        _ITEM,
        "IPSO and the metric agree on three quarters of the pairs or more, by every metric, depth and test",
        least >= 1 - MOST_DISAGREE,
        f"least is {least:.1%}, {at} by the {test} test; 75 % or more in {enough} of {len(found)} cases",
        doubt=doubt,
    )


def growth_claims(
    shares: pd.Series, depths: tuple[int, ...], tests: tuple[str, ...], doubt: str
) -> Iterator[Claim]:
    """The claim that both find more pairs the deeper they look."""
    if len(depths) < 2:
        return
    first, last = str(depths[0]), str(depths[-1])
    grown = {}
    for test in tests:
        both = _at_condition(shares, by_test(_BOTH, test)).unstack()
        for method in both.index.drop("RR", errors="ignore"):
            grown[method, test] = both.loc[method, last] > both.loc[method, first]
    if grown:
        less = [f"{method} ({test})" for (method, test), more in grown.items() if not more]
        yield verdict_on(
            _PAPER,
            _ITEM,
            "the share that both find grows with k, for every metric but RR and every test",
            not less,
            f"from k = {first} to {last}, it grows in {sum(grown.values())} of {len(grown)} cases"
            + (f"; not for {', '.join(less)}" if less else ""),
            doubt=doubt,
        )


def power_claims(shares: pd.Series, tests: tuple[str, ...], doubt: str) -> Iterator[Claim]:
    """The claim that stronger tests of the metric find more pairs that IPSO does not."""
    present = [test for test in ("sign", "wilcoxon", "t") if test in tests]
    if len(present) < 2:
        return
    means = pd.DataFrame(
        {
            test: _at_condition(shares, by_test(_METRIC_ONLY, test)).groupby("method").mean()
            for test in present
        }
    )
    rises = (means.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    said = ", ".join(f"{share:.1%} ({test})" for test, share in means.mean().items())
    yield verdict_on(
        _PAPER,
        _ITEM,
        "what the metric only finds grows from the sign test to Wilcoxon's and to t, for any metric",
        rises.all(),
        f"the metric only, on average: {said}; it grows for {rises.sum()} of {len(rises)} metrics",
        doubt=doubt,
    )


def neighbour_claims(shares: pd.Series, doubt: str) -> Iterator[Claim]:
    """The claim of Figure 8, on P@10 and the t-test."""
    keys = {each: ("P", "10", by_test(beside(*each), "t")) for each in BESIDE}
    if ("P", "10", by_test(_BOTH, "t")) not in shares.index:
        return
    item = "Figure 8"
    claim = (
        "beside pairs that IPSO only finds lie those that neither finds; beside P@10 only, those that "
        "both find"
    )
    if any(each not in shares.index for each in keys.values()):
        never = "the two disagree in one direction only, or never"
        yield verdict_on(_PAPER, item, claim, False, "", doubt=doubt or never)
        return
    share = {each: float(shares[key]) for each, key in keys.items()}
    right = (
        share[_IPSO_ONLY, _NEITHER] > share[_IPSO_ONLY, _BOTH]
        and share[_METRIC_ONLY, _BOTH] > share[_METRIC_ONLY, _NEITHER]
    )
    said = "; ".join(
        f"beside {kind}: {share[kind, _NEITHER]:.1%} neither, {share[kind, _BOTH]:.1%} both"
        for kind in (_IPSO_ONLY, _METRIC_ONLY)
    )
    yield verdict_on(_PAPER, item, claim, right, said, doubt=doubt)


def _at_condition(shares: pd.Series, condition: str) -> pd.Series:
    """The shares of a condition, by method and depth."""
    return shares[shares.index.get_level_values("condition") == condition].droplevel("condition")

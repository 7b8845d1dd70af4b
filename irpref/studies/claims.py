"""What studies share to say whether a paper's claim holds."""

from __future__ import annotations

from math import comb

from irpref.study import Claim

__all__ = ["too_few_pairs", "verdict_on"]

# Of fewer pairs, one moves a share by more than two points.
_FEW_PAIRS = 50


def verdict_on(
    paper: str, item: str, claim: str, holds: object, evidence: str, *, doubt: str = ""
) -> Claim:
    """A claim with its verdict.

    Args:
        paper: The paper, as in ``"Diaz 2023"``.
        item: Its table, figure or section.
        claim: What it says, in short.
        holds: Whether it does here.
        evidence: The numbers.
        doubt: Why the collection cannot tell; empty if it can.

    Example:
        >>> verdict_on("Diaz 2023", "Table 3", "LP ties less than RR", 0.1 < 0.2, ".1 and .2").verdict
        'holds'
    """
    if doubt:
        why = "; ".join(filter(None, (doubt, evidence)))
        return Claim(paper, item, claim, "untestable", why)
    return Claim(paper, item, claim, "holds" if holds else "fails", evidence)


def too_few_pairs(systems: int) -> str:
    """Why the pairs of so many systems say little; empty if they are enough.

    Example:
        >>> too_few_pairs(8), too_few_pairs(100)
        ('8 systems make 28 pairs only', '')
    """
    pairs = comb(systems, 2)
    return "" if pairs >= _FEW_PAIRS else f"{systems} systems make {pairs} pairs only"

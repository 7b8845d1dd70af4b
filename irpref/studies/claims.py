"""What studies share to say whether a paper's claim holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import comb, isnan
from typing import Any

import pandas as pd

from irpref.studies.degradation import RECIPROCAL_RANK, SYSTEMS_AGREE
from irpref.studies.findings import Claim, Finding

_OTHERWISE = {"half": "; a tie as half an agreement", "decided": ", where both decide"}
# Of fewer pairs, one moves a share by more than two points.
_FEW_PAIRS = 50


def verdict_on(
    paper: str,
    item: str,
    claim: str,
    holds: object = False,
    said: str = "",
    *,
    untestable: str = "",
) -> Claim:
    """A claim with its verdict.

    Args:
        paper: The paper, as in ``"Diaz 2023"``.
        item: Its table, figure or section.
        claim: What it says, in short.
        holds: Whether it does here.
        said: The evidence: the numbers.
        untestable: Why the collection cannot tell; empty if it can.

    Example:
        >>> verdict_on("Diaz 2023", "Table 3", "LP ties less than RR", 0.1 < 0.2, ".1 and .2").verdict
        'holds'
    """
    if untestable:
        why = "; ".join(filter(None, (untestable, said)))
        return Claim(paper, item, claim, "untestable", why)
    return Claim(paper, item, claim, "holds" if holds else "fails", said)


def found_by(frame: pd.DataFrame, *columns: str) -> dict[Any, Any]:
    """The findings by what they are about, such as method and condition."""
    keys = zip(*(frame[each] for each in columns), strict=True)
    return dict(zip(keys, frame.itertuples(), strict=True))


def listed(shares: Mapping[str, float]) -> str:
    """Shares by name, but for those that there are none of.

    Example:
        >>> listed({"RPP": 0.5, "AP": 0.25, "RR": float("nan")})
        'RPP 50.0%, AP 25.0%'
    """
    return ", ".join(f"{name} {share:.1%}" for name, share in shares.items() if not isnan(share))


def too_few_pairs(systems: int) -> str:
    """Why the pairs of so many systems say little; empty if they are enough.

    Example:
        >>> too_few_pairs(8), too_few_pairs(100)
        ('8 systems make 28 pairs only', '')
    """
    pairs = comb(systems, 2)
    return "" if pairs >= _FEW_PAIRS else f"{systems} systems make {pairs} pairs only"


@dataclass(frozen=True)
class Numbers:
    """The findings of a study, to ask for numbers.

    Attributes:
        by: By method, against and condition: the number at each treatment.
        subset: Which treatments count.
    """

    by: Mapping[tuple[str, str, str], Mapping[float, float]]
    subset: Callable[[float], bool] = lambda treatment: True

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Numbers:
        """The numbers in a frame of findings whose treatments are numbers."""
        by: dict[tuple[str, str, str], dict[float, float]] = {}
        for values in frame[frame["estimate"].notna()].itertuples(index=False, name=None):
            found = Finding(*values)
            key = (found.method, found.against, found.condition)
            by.setdefault(key, {})[float(found.treatment)] = found.estimate
        return cls(by)

    def where(self, subset: Callable[[float], bool]) -> Numbers:
        """The same for some treatments."""
        return replace(self, subset=subset)

    def has(self, *methods: str) -> bool:
        """Whether these methods were tried."""
        return set(methods) <= {
            name for method, against, _ in self.by for name in (method, against)
        }

    def at(self, method: str, condition: str, against: str = "") -> dict[float, float]:
        """The numbers of a method, by rising treatment."""
        found = self.by.get((method, against, condition), {})
        return {each: found[each] for each in sorted(found) if self.subset(each)}


def higher(
    numbers: Numbers,
    place: tuple[str, str],
    claim: str,
    names: tuple[str, str],
    condition: str,
    against: str = "",
    *,
    margin: float | None = None,
    untestable: str = "",
) -> Iterator[Claim]:
    """A claim that the first of two methods has the higher numbers; none if one was not tried.

    If a tie disagrees (strict), as in the papers, the evidence also says how often the first method has the
    higher number by the other two ways to count ties.

    Args:
        numbers: The numbers.
        place: The paper and its item.
        claim: What it says.
        names: The two methods.
        condition: Of which numbers.
        against: What the methods are compared with there.
        margin: How much less counts as equal, and so will do; None if equal will not do.
        untestable: Why the collection cannot tell, if it cannot.
    """
    if not numbers.has(*names):
        return

    def found(condition: str) -> tuple[dict[float, tuple[float, float]], int]:
        """The numbers of both by treatment, and at how many of these the first has the higher one."""
        one, other = (numbers.at(name, condition, against) for name in names)
        both = {at: (one[at], other[at]) for at in one if at in other}
        enough = [a > b if margin is None else a - b >= -margin for a, b in both.values()]
        return both, sum(enough)

    both, right = found(condition)
    said = "; ".join(
        f"at {at:g} {names[0]} {one:.3f}, {names[1]} {other:.3f}"
        for at, (one, other) in both.items()
    )
    if not both:
        untestable = untestable or "there are no such numbers here"
    if not untestable:
        said += f" (at {right} of {len(both)})"
        if "strict" in condition:
            for kind, words in _OTHERWISE.items():
                of, more = found(condition.replace("strict", kind))
                said += f"{words}: at {more} of {len(of)}"
    yield verdict_on(*place, claim, right == len(both), said, untestable=untestable)


def best_case(
    numbers: Numbers, item: str, removed: str, systems: int, *, way: str = ""
) -> Iterator[Claim]:
    """What Diaz 2023, Figure 8, says of pairs of systems when labels or topics are removed."""
    claimed = partial(
        higher,
        numbers,
        ("Diaz 2023", item),
        condition=f"{SYSTEMS_AGREE}, strict{way}",
        against=RECIPROCAL_RANK,
        untestable=too_few_pairs(systems),
    )
    claim = (
        f"with fewer {removed}, rrLP agrees on pairs of systems with RR by all {removed} as often as RR "
        "does, or more (.005 less counts as equal)"
    )
    yield from claimed(claim, ("rrLP", "RR"), margin=0.005)
    claim = f"with fewer {removed}, sgnLP agrees less than RR on pairs of systems with RR by all {removed}"
    yield from claimed(claim, ("RR", "LP"))

"""What studies share to say whether a paper's claim holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb

import pandas as pd

from irpref.studies.degradation import ITSELF, RECIPROCAL_RANK, SYSTEMS_AGREE
from irpref.study import Claim, Finding

_OTHERWISE = {"half": "a tie as half an agreement", "decided": "where both decide"}

_ABOUT = 0.005


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


@dataclass(frozen=True)
class Numbers:
    """The findings of a study, to ask for numbers.

    Attributes:
        by: By method, against and condition: the number at each treatment.
        among: Which treatments count.
    """

    by: Mapping[tuple[str, str, str], Mapping[float, float]]
    among: Callable[[float], bool] = lambda treatment: True

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Numbers:
        """The numbers in a frame of findings whose treatments are numbers."""
        by: dict[tuple[str, str, str], dict[float, float]] = {}
        for values in frame[frame["estimate"].notna()].itertuples(index=False, name=None):
            found = Finding(*values)
            key = (found.method, found.against, found.condition)
            by.setdefault(key, {})[float(found.treatment)] = found.estimate
        return cls(by)

    def where(self, among: Callable[[float], bool]) -> Numbers:
        """The same for some treatments."""
        return replace(self, among=among)

    def has(self, *methods: str) -> bool:
        """Whether these methods were tried."""
        return set(methods) <= {
            name for method, against, _ in self.by for name in (method, against)
        }

    def sides(
        self, names: tuple[str, str], condition: str, against: str = "", margin: float | None = None
    ) -> Sides:
        """The numbers of two methods at the treatments where both have one; see :class:`Sides`."""
        return Sides.of(*(self.at(name, condition, against) for name in names), margin=margin)

    def at(self, method: str, condition: str, against: str = "") -> dict[float, float]:
        """The numbers of a method, by rising treatment."""
        found = self.by.get((method, against, condition), {})
        return {each: found[each] for each in sorted(found) if self.among(each)}


@dataclass(frozen=True)
class Sides:
    """The numbers of two methods at some treatments; the first method shall have the higher ones.

    Attributes:
        treatments: The treatments at which both have a number.
        first: The numbers of the first method.
        second: Those of the second one.
        margin: How much less counts as equal, and so will do; None if equal will not do.
    """

    treatments: Sequence[float]
    first: Sequence[float]
    second: Sequence[float]
    margin: float | None = None

    @classmethod
    def of(
        cls,
        first: Mapping[float, float],
        second: Mapping[float, float],
        *,
        margin: float | None = None,
    ) -> Sides:
        """The sides, from the numbers of each method by treatment."""
        both = [each for each in first if each in second]
        return cls(both, [first[each] for each in both], [second[each] for each in both], margin)

    @property
    def right(self) -> int:
        """At how many treatments the first method has the higher number.

        Example:
            >>> Sides([0.1, 0.2], [0.5, 0.9], [0.5, 0.6]).right
            1
        """
        gains = [one - other for one, other in zip(self.first, self.second, strict=True)]
        if self.margin is None:
            return sum(gain > 0 for gain in gains)
        return sum(gain >= -self.margin for gain in gains)

    @property
    def count(self) -> str:
        return f"at {self.right} of {len(self.treatments)}"

    def said(self, first: str, second: str) -> str:
        """All numbers, with the names of the methods."""
        rows = zip(self.treatments, self.first, self.second, strict=True)
        return "; ".join(
            f"at {at:g} {first} {one:.3f}, {second} {other:.3f}" for at, one, other in rows
        )


def higher(
    place: tuple[str, str], claim: str, names: tuple[str, str], sides: Sides, *, doubt: str = ""
) -> Claim:
    """A claim that the first of two methods has the higher numbers.

    Args:
        place: The paper and its item.
        claim: What it says.
        names: The two methods.
        sides: Their numbers.
        doubt: Why the collection cannot tell, if it cannot.
    """
    said = sides.said(*names)
    if not sides.treatments:
        doubt = doubt or "there are no such numbers here"
    if not doubt:
        said += f" ({sides.count})"
    return verdict_on(*place, claim, sides.right == len(sides.treatments), said, doubt=doubt)


def agreeing(
    numbers: Numbers,
    place: tuple[str, str],
    claim: str,
    names: tuple[str, str],
    *,
    of: str,
    against: str,
    way: str = "",
    margin: float | None = None,
    doubt: str = "",
) -> Iterator[Claim]:
    """A claim that the first method agrees more often, where a tie disagrees, as in the papers.

    The evidence also says how often it does by the other two ways to count ties.
    """
    if not numbers.has(*names):
        return

    def sides(kind: str) -> Sides:
        condition = ", ".join(filter(None, (of, kind, way)))
        return numbers.sides(names, condition, against, margin)

    strict = sides("strict")
    found = higher(place, claim, names, strict, doubt=doubt)
    if found.verdict != "untestable":
        ways = ", ".join(f"{said}: {sides(kind).count}" for kind, said in _OTHERWISE.items())
        found = found._replace(evidence=f"{found.evidence}; {ways}")
    yield found


def orders(
    numbers: Numbers,
    place: tuple[str, str],
    claim: str,
    names: tuple[str, str],
    condition: str,
    *,
    margin: float | None = None,
    doubt: str = "",
) -> Iterator[Claim]:
    """A claim that the first method keeps more of the order of the systems."""
    if numbers.has(*names):
        sides = numbers.sides(names, condition, ITSELF, margin)
        yield higher(place, claim, names, sides, doubt=doubt)


def best_case(
    numbers: Numbers, item: str, removed: str, systems: int, *, way: str = ""
) -> Iterator[Claim]:
    """What Diaz 2023, Figure 8, says of pairs of systems when labels or topics are removed."""
    for claim, names, margin in (
        (
            f"with fewer {removed}, rrLP agrees on pairs of systems with RR by all {removed} as often as "
            "RR does, or more (.005 less counts as equal)",
            ("rrLP", "RR"),
            _ABOUT,
        ),
        (
            f"with fewer {removed}, sgnLP agrees less than RR on pairs of systems with RR by all {removed}",
            ("RR", "LP"),
            None,
        ),
    ):
        yield from agreeing(
            numbers,
            ("Diaz 2023", item),
            claim,
            names,
            of=SYSTEMS_AGREE,
            against=RECIPROCAL_RANK,
            way=way,
            margin=margin,
            doubt=too_few_pairs(systems),
        )

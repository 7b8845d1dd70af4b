"""The claims of the papers, a row each in ``claims.ini``, and the one rule that says whether they hold."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from configparser import ConfigParser
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations, pairwise
from itertools import product as every
from math import comb
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import Floats
from irpref.base.tolerance import TOLERANCE
from irpref.report.table import count_of
from irpref.studies.findings import Finding
from irpref.studies.numbers.topic_bootstrap import normal_interval

HOLDS, FAILS, UNDECIDED, UNTESTED = "holds", "fails", "undecided", "cannot be tested"
KNOWN = ("by definition", "refuted", "misprint")
"""Verdicts that do not come from data: a row says why."""
VERDICTS = (HOLDS, FAILS, UNDECIDED, *KNOWN, UNTESTED)

ALPHA = 0.05
_ABOUT = ("method", "against", "condition", "treatment")
_LIMITS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_EVERY, _FIRST, _LAST = "every", "first", "last"
_STRICT, _DECIDED = "strict", "decided"
_KEYS = {
    *("study", "said", "compare", "more", "less", "rises", "falls", "above", "below", "same"),
    *("within", "by", "pairs", "deeper", "otherwise", "reading", *_ABOUT, *KNOWN),
}


class Judged(NamedTuple):
    """A sentence of a paper, and whether it holds on a collection.

    A claim is true if its number θ is above 0. It has several parts if it says something of several
    depths, tests or methods. It holds if the 95 % interval of each part lies above 0; it fails if that of
    a part lies below, at 1 - .05 / parts; else it is undecided.

    Attributes:
        paper: The paper, as in ``"Diaz 2023"``.
        item: Its table, figure or section.
        claim: What it says, in short.
        verdict: ``"holds"``, ``"fails"``, ``"undecided"``; ``"by definition"`` if it cannot fail on any
            data, ``"refuted"`` if there is a counterexample, ``"misprint"`` if the paper's own arithmetic
            contradicts it; or ``"cannot be tested"``.
        note: Why one of the last four; or that the verdict depends on how ties count.
        theta: θ of the part that decides; NaN if there is none.
        low: The lower end of its interval, at 95 %, or at 1 - .05 / parts where that decides; θ itself if
            the number is exact.
        high: The upper end.
        parts: How many parts there are.
        evidence: The numbers behind θ.
        reading: How the sentence was read, where that is a choice.
    """

    paper: str
    item: str
    claim: str
    verdict: str
    note: str = ""
    theta: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    parts: int = 0
    evidence: str = ""
    reading: str = ""


class Facts(NamedTuple):
    """How many topics and systems a collection has, and documents in its longest list; 0 without data."""

    topics: int = 0
    systems: int = 0
    deepest: int = 0


class _Part(NamedTuple):
    """A part of a claim: where, θ and what it is in each draw, and the numbers it comes from."""

    where: str
    theta: Floats
    said: str


@dataclass(frozen=True)
class Claim:
    """A row of ``claims.ini``.

    Attributes:
        claim: What the paper says, in short.
        keys: What the row says of it, by the keys that the head of the file explains.
    """

    claim: str
    keys: Mapping[str, str]

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.keys) - _KEYS):
            raise ValueError(f"claims.ini, {self.claim!r}: unknown key {', '.join(unknown)}")

    @property
    def study(self) -> str:
        """The study that tests it."""
        return self.keys["study"]

    def named(self, key: str) -> list[str]:
        """The values of a key; none if it is not there."""
        return [each.strip() for each in self.keys[key].split(";")] if key in self.keys else []

    def number(self, key: str, default: float = 0.0) -> float:
        """The number of a key."""
        return float(self.keys.get(key, default))

    @property
    def compared(self) -> list[str]:
        """The columns whose values are compared."""
        return self.keys.get("compare", "method").split(" ~ ")

    def untried(self, findings: Iterable[Finding]) -> set[str]:
        """The methods that it names and that were not tried."""
        names: set[str] = set()
        for key in ("more", "less", "same", "rises", "falls"):
            for value in self.named(key):
                told = zip(self.compared, value.split(" ~ "), strict=False)
                names |= {name for column, name in told if column in _ABOUT[:2]}
        names |= {name for column in _ABOUT[:2] for name in self.named(column)}
        tried = {name for each in findings for name in (each.method, each.against)}
        return names - {_EVERY} - tried

    def parts(self, findings: Iterable[Finding]) -> Iterator[_Part]:
        """All parts; θ is NaN where a number is."""
        settings: dict[tuple[str, ...], dict[str, Floats]] = {}
        others = [column for column in _ABOUT if column not in self.compared]
        for each in findings:
            if all(self._admits(column, getattr(each, column)) for column in _ABOUT):
                about = tuple(getattr(each, column) for column in others)
                numbers = settings.setdefault(about, {})
                names = [getattr(each, column) for column in self.compared]
                drawn = np.array([each.estimate]) if each.drawn is None else each.drawn
                numbers[" ~ ".join(names)] = drawn
                # A correlation is of two methods in either order.
                numbers.setdefault(" ~ ".join(reversed(names)), drawn)
        varied = [len(set(values)) > 1 for values in zip(*settings, strict=True)]
        for about, numbers in settings.items():
            where = ", ".join(name for name, told in zip(about, varied, strict=True) if told)
            yield from (_Part(where, theta, said) for said, theta in self._thetas(numbers))

    def _admits(self, column: str, value: str) -> bool:
        asked = self.named(column) or [_EVERY]
        if asked == [_EVERY] or value in asked:
            return True
        sign, _, limit = asked[0].partition(" ")
        return sign in _LIMITS and _LIMITS[sign](float(value), float(limit))

    def _thetas(self, numbers: Mapping[str, Floats]) -> Iterator[tuple[str, Floats]]:
        """What is said of each θ, and θ itself."""
        if "same" in self.keys:
            for one, other in combinations(self.named("same"), 2):
                if {one, other} <= set(numbers):
                    apart = np.abs(numbers[one] - numbers[other])
                    yield self._said(numbers, one, other), self.number("within") - apart
            return
        there = dict(numbers)
        for limit in {"above", "below"} & set(self.keys):
            there[limit] = np.array([self.number(limit)])
        for more, less in self._compared_values(list(numbers)):
            if {more, less} <= set(there) and more != less:
                theta = there[more] - there[less] - self.number("by")
                yield self._said(numbers, more, less), np.where(np.abs(theta) < TOLERANCE, 0, theta)

    def _compared_values(self, there: list[str]) -> Iterator[tuple[str, str]]:
        """The value that should be above, and the one that should be below."""
        ordered = sorted(there, key=float) if self.compared == ["treatment"] else there
        for key in {"rises", "falls"} & set(self.keys):
            steps = ordered if self.named(key) == [_EVERY] else self.named(key)
            yield from pairwise(steps if key == "falls" else steps[::-1])
            return
        ends = {_FIRST: ordered[0], _LAST: ordered[-1]}
        more, less = self.named("more") or ["below"], self.named("less") or ["above"]
        yield from every(*([ends.get(each, each) for each in side] for side in (more, less)))

    def _said(self, numbers: Mapping[str, Floats], *names: str) -> str:
        at = "at " if self.compared == ["treatment"] else ""
        there = [name for name in names if name in numbers]
        return ", ".join(f"{at}{name or 'here'} {numbers[name][0]:.4g}" for name in there)

    def untested(self, note: str) -> Judged:
        """That it cannot be tested, and why."""
        paper, _, item = self.keys["said"].partition(", ")
        reading = self.keys.get("reading", "")
        return Judged(paper, item, self.claim, UNTESTED, note, reading=reading)

    def judged(self, findings: Sequence[Finding], facts: Facts) -> Judged:
        """Whether it holds, by what a study found."""
        judged, every_part = self.untested(""), list(self.parts(findings))
        parts = [part for part in every_part if np.isfinite(part.theta[0])]
        if reason := self._untestable(parts, facts):
            judged = judged._replace(note=reason)
        else:
            verdict, part, (low, high) = _decided(parts)
            said = f"{part.where}: {part.said}" if part.where else part.said
            if len(every_part) > 1:
                right = sum(each.theta[0] > 0 for each in parts)
                said += f" (θ is above 0 in {right} of {len(parts)} parts)"
            if len(parts) < len(every_part):
                said += f"; {count_of(len(every_part) - len(parts), 'part')} without a number"
            judged = judged._replace(
                verdict=verdict,
                note=self._by_other_ties(findings, verdict),
                theta=float(part.theta[0]),
                low=low,
                high=high,
                parts=len(parts),
                evidence=said,
            )
        for known in set(KNOWN) & set(self.keys):
            # What is true by definition and comes out below 0 is a mistake of somebody.
            wrong = known == KNOWN[0] and any(part.theta[0] < 0 for part in parts)
            verdict = FAILS if wrong else known
            judged = judged._replace(verdict=verdict, note=self.keys[known])
        return judged

    def _untestable(self, parts: Sequence[_Part], facts: Facts) -> str:
        """Why it cannot be tested; empty if it can."""
        pairs = comb(facts.systems, 2)
        nothing = "the numbers are alike" if parts else "there are no such numbers here"
        reasons = {
            f"{pairs} pairs of systems, of {self.number('pairs'):g} needed": (
                pairs < self.number("pairs")
            ),
            f"no list is deeper than {facts.deepest:,}": facts.deepest <= self.number("deeper", -1),
            "one topic says nothing of others": facts.topics == 1,
            "its numbers were not drawn again": (
                facts.topics > 1 and any(len(part.theta) == 1 for part in parts)
            ),
            self.keys.get("otherwise", nothing): not any(part.theta.any() for part in parts),
        }
        return next((reason for reason, is_so in reasons.items() if is_so), "")

    def _by_other_ties(self, findings: Sequence[Finding], verdict: str) -> str:
        """Whether the verdict is another one where both methods decide."""
        condition = self.keys.get("condition", "")
        if _STRICT not in condition:
            return ""
        decided = {**self.keys, "condition": condition.replace(_STRICT, _DECIDED)}
        others = Claim(self.claim, decided).parts(findings)
        parts = [part for part in others if np.isfinite(part.theta[0])]
        other = _decided(parts)[0] if parts else verdict
        return "" if other == verdict else f"depends on how ties count: {other} where both decide"


def _decided(parts: Sequence[_Part]) -> tuple[str, _Part, tuple[float, float]]:
    """The verdict, the part that decides it, and the interval of its θ."""

    def end(side: int, alpha: float) -> Floats:
        # A part without an interval decides nothing.
        ends = np.array([normal_interval(part.theta, alpha)[side] for part in parts])
        return np.asarray(np.nan_to_num(ends, nan=[-np.inf, np.inf][side]))

    place, wider = int(end(0, ALPHA).argmin()), ALPHA / len(parts)
    if end(0, ALPHA)[place] > 0:
        return HOLDS, parts[place], normal_interval(parts[place].theta, ALPHA)
    least = int(end(1, wider).argmin())
    if end(1, wider)[least] < 0:
        return FAILS, parts[least], normal_interval(parts[least].theta, wider)
    level = wider if end(1, ALPHA)[place] < 0 else ALPHA
    return UNDECIDED, parts[place], normal_interval(parts[place].theta, level)


@cache
def all_claims() -> tuple[Claim, ...]:
    """The rows of ``claims.ini``."""
    rows = ConfigParser(interpolation=None, delimiters="=", default_section="")
    rows.read_string(resources.files(__package__).joinpath("claims.ini").read_text("utf-8"))
    return tuple(Claim(name, dict(rows[name])) for name in rows.sections())


def judge(study: str, findings: Sequence[Finding], facts: Facts) -> Iterator[Judged]:
    """Judge all claims that a study tests."""
    for claim in all_claims():
        if claim.study == study:
            if untried := ", ".join(sorted(claim.untried(findings))):
                yield claim.untested(f"not tried: {untried}")
            else:
                yield claim.judged(findings, facts)

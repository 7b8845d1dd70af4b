"""Methods on a part of the data against all of it, pair by pair, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import pandas as pd
import pytest
from scipy.stats import kendalltau

from tests import literal
from tests.literal import Positions, sign

Labels = Mapping[str, set[str]]
"""By topic, the relevant documents."""
Runs = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By system and topic, the scores of the documents."""
Value = Callable[[Positions, Positions], Fraction]
Values = dict[tuple[str, str], dict[str, Fraction]]
"""By pair of systems, then by topic, a value."""


def middle_first(first: Sequence[float], second: Sequence[float]) -> float:
    """A preference of one's own: who has the item in the middle earlier."""
    middle = len(first) // 2
    return float(first[middle] < second[middle]) - float(first[middle] > second[middle])


def _reciprocal(first: Positions, second: Positions) -> Fraction:
    return literal.reciprocal(first[0]) - literal.reciprocal(second[0])


def _early(first: Positions, second: Positions) -> Fraction:
    return Fraction(sum(p <= 2 for p in first) - sum(p <= 2 for p in second), 2)


DEFINITIONS: dict[str, Value] = {
    "RR": _reciprocal,
    "LP": lambda first, second: Fraction(literal.sgn_lp(first, second)),
    "LR": lambda first, second: Fraction(literal.lexirecall(first, second)),
    "P@2": _early,
    "middle_first": lambda first, second: Fraction(middle_first(first, second)),
}
METHODS = ["RR", "LP", "LR", "P@2", middle_first]


def values(labels: Labels, runs: Runs, method: str) -> Values:
    """The value of each pair of systems on each topic."""
    found: Values = {}
    for a, b in combinations(runs, 2):
        found[a, b] = {
            topic: DEFINITIONS[method](
                *(literal.positions(runs[each].get(topic, {}), wanted) for each in (a, b))
            )
            for topic, wanted in labels.items()
        }
    return found


def agreement(counts: Sequence[int], kind: str) -> float:
    """Of how many agree, tie and disagree."""
    agree, tie, disagree = counts
    over = {"strict": sum(counts), "half": sum(counts), "decided": agree + disagree}[kind]
    right = agree + (Fraction(tie, 2) if kind == "half" else 0)
    return float(Fraction(right) / over) if over else math.nan


def agreeing(predicted: Sequence[Fraction], target: Sequence[Fraction]) -> list[int]:
    """How many agree, tie and disagree, where the target prefers one."""
    asked = [(sign(p), sign(t)) for p, t in zip(predicted, target, strict=True) if t != 0]
    return [sum(p == s * t for p, t in asked) for s in (1, 0, -1)]


def means(found: Values, topics: Sequence[str]) -> dict[tuple[str, str], Fraction]:
    """The mean of each pair over the topics."""
    return {
        pair: sum((each[t] for t in topics), Fraction(0)) / len(topics)
        for pair, each in found.items()
    }


def win_rates(pairs: Mapping[tuple[str, str], Fraction], systems: Sequence[str]) -> list[Fraction]:
    """The mean of each system over all others."""
    both = {**pairs, **{(b, a): -value for (a, b), value in pairs.items()}}
    return [
        sum((both[a, b] for b in systems if b != a), Fraction(0)) / (len(systems) - 1)
        for a in systems
    ]


def literal_tau_ap(order: Sequence[Fraction], target: Sequence[Fraction]) -> float:
    """Yilmaz, Aslam & Robertson 2008, with systems of one value in the given order."""

    def ranked(given: Sequence[Fraction]) -> list[int]:
        return sorted(range(len(given)), key=lambda system: (-given[system], system))

    mine, theirs = ranked(order), ranked(target)
    total = Fraction(0)
    for place in range(1, len(mine)):
        above = [theirs.index(each) < theirs.index(mine[place]) for each in mine[:place]]
        total += Fraction(sum(above), place)
    return float(2 * total / (len(mine) - 1) - 1)


def system_numbers(
    part: Mapping[tuple[str, str], Fraction],
    whole: Mapping[tuple[str, str], Fraction],
    reciprocal: Mapping[tuple[str, str], Fraction],
    systems: Sequence[str],
) -> dict[tuple[str, str], float]:
    """By against and condition: what one sample says of the systems."""
    found = {}
    for against, other in (("itself", whole), ("RR", reciprocal)):
        counts = agreeing(list(part.values()), list(other.values()))
        for kind in ("strict", "half", "decided"):
            found[against, f"systems agree, {kind}"] = agreement(counts, kind)
    rates, target = win_rates(part, systems), win_rates(whole, systems)
    tau = kendalltau([float(x) for x in rates], [float(x) for x in target]).statistic
    found["itself", "tau_b of the system orders"] = float(tau)
    found["itself", "tau_AP of the system orders"] = literal_tau_ap(rates, target)
    return found


def over_samples(
    samples: Sequence[Mapping[tuple[str, str], float]],
) -> dict[tuple[str, str], float]:
    """The mean of the samples that have a number."""
    found = {}
    for key in samples[0]:
        known = [each[key] for each in samples if not math.isnan(each[key])]
        found[key] = sum(known) / len(known) if known else math.nan
    return found


def degraded(
    parts: Sequence[tuple[Labels, Runs]], labels: Labels, runs: Runs, method: str
) -> dict[tuple[str, str], float]:
    """By against and condition: what comes out of some samples."""
    systems, topics = list(runs), list(labels)
    whole, reciprocal = values(labels, runs, method), values(labels, runs, "RR")
    counts = {"itself": [0, 0, 0], "RR": [0, 0, 0]}
    tied = of = 0
    samples = []
    for part in parts:
        found = values(*part, method)
        for against, target in (("itself", whole), ("RR", reciprocal)):
            for pair in whole:
                here = [each[topic] for each in (found[pair], target[pair]) for topic in topics]
                more = agreeing(here[: len(topics)], here[len(topics) :])
                counts[against] = [a + b for a, b in zip(counts[against], more, strict=True)]
        flat = [value for each in found.values() for value in each.values()]
        tied, of = tied + flat.count(Fraction(0)), of + len(flat)
        samples.append(
            system_numbers(
                means(found, topics), means(whole, topics), means(reciprocal, topics), systems
            )
        )
    numbers = {("", "tied pair-topics"): tied / of, **over_samples(samples)}
    for against, each in counts.items():
        for kind in ("strict", "half", "decided"):
            numbers[against, f"pair-topics agree, {kind}"] = agreement(each, kind)
    return numbers


def assert_found(
    frame: pd.DataFrame,
    method: str,
    treatment: str,
    wanted: Mapping[tuple[str, str], float],
    circumstance: str = "",
) -> None:
    """The frame has these numbers for a method and a treatment."""
    some = frame[(frame["method"] == method) & (frame["treatment"] == treatment)]
    for (against, condition), number in wanted.items():
        name = ", ".join(filter(None, (condition, circumstance)))
        [found] = some[(some["against"] == against) & (some["condition"] == name)]["estimate"]
        assert found == pytest.approx(number, nan_ok=True), (method, against, name, treatment)

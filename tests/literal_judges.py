"""Side-by-side judgments by their definitions: rows one by one, without arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from tests.literal import sign

SYSTEMS = ("bm25", "dense", "sparse", "zero")
TOPICS = [str(topic) for topic in range(1, 16)]
Number = Fraction
"""Exact, so that nothing is noise."""


class Row(NamedTuple):
    """What a judge says of two systems, in the order in which they were shown."""

    topic: str
    a: str
    b: str
    outcome: Number
    judge: str


@st.composite
def some_rows(draw: st.DrawFn) -> list[Row]:
    """A few rows of few topics, systems and judges, some of them about the same."""
    numbers = st.sampled_from([Fraction(each, 4) for each in (-4, -2, 0, 0, 1, 4)])
    names = st.permutations(["bm25", "dense", "zero"])
    judge = st.sampled_from("xyz")
    row = st.tuples(st.sampled_from("123"), names, numbers, judge)
    rows = draw(st.lists(row, min_size=1, max_size=25))
    return [Row(topic, a, b, outcome, judge) for topic, (a, b, _), outcome, judge in rows]


def some_judgments(
    *, judges: int = 2, share: float = 1.0, both: bool = True, seed: int = 0
) -> pd.DataFrame:
    """Judgments by noisy judges who like the first system best, of a share of all pairs and topics."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in TOPICS:
        for (i, a), (j, b) in combinations(enumerate(SYSTEMS), 2):
            if rng.random() >= share:
                continue
            for judge in range(judges):
                for turn in (1, -1) if both else (1,):
                    looks = turn * (j - i) / 4 + rng.normal()
                    said = "tie" if abs(looks) < 0.3 else "a" if looks > 0 else "b"
                    pair = (a, b)[::turn]
                    rows.append((topic, *pair, said, f"judge {judge}"))
    return pd.DataFrame(rows, columns=["topic", "a", "b", "outcome", "judge"])


def mean(numbers: Iterable[Number]) -> Number:
    """The exact mean."""
    given = list(numbers)
    return sum(given, Fraction(0)) / len(given)


def by_order(rows: Iterable[Row]) -> dict[tuple[str, str, str, str], Number]:
    """By topic, system shown first, the other one and judge: the mean answer."""
    found = defaultdict(list)
    for row in rows:
        found[row.topic, row.a, row.b, row.judge].append(row.outcome)
    return {about: mean(said) for about, said in found.items()}


def by_judge(rows: Iterable[Row]) -> dict[tuple[str, str, str], dict[str, Number]]:
    """By topic and two systems, the first one by its name first: by judge, how much it prefers this one."""
    found = defaultdict(lambda: defaultdict(list))
    for topic, a, b, said, judge in rows:
        first, second = sorted((a, b))
        found[topic, first, second][judge].append(said if a == first else -said)
    return {
        about: {judge: mean(said) for judge, said in judges.items()}
        for about, judges in found.items()
    }


def value(rows: Iterable[Row], topic: str, a: str, b: str) -> Number | None:
    """How much the judges prefer a to b; None if nobody was asked."""
    judges = by_judge(rows).get((topic, *sorted((a, b))))  # type: ignore[arg-type]
    if judges is None:
        return None
    found = mean(judges.values())
    return found if a < b else -found


def cases(rows: Iterable[Row]) -> list[tuple[int, int]]:
    """What two judges name as the winner of the same two systems on the same topic."""
    return [
        (sign(one), sign(other))
        for judges in by_judge(rows).values()
        for one, other in combinations(judges.values(), 2)
    ]


def both_orders(rows: Iterable[Row]) -> dict[str, list[tuple[Number, Number]]]:
    """By topic, what a judge says who was asked in both orders: for the one shown first, each time."""
    found = defaultdict(list)
    said = by_order(rows)
    for (topic, a, b, judge), there in said.items():
        if a < b and (topic, b, a, judge) in said:
            found[topic].append((there, said[topic, b, a, judge]))
    return found


def first_place(rows: Iterable[Row]) -> float:
    """How much better a system looks that is shown first: the mean over topics."""
    return fmean(
        float(mean(sum(both, Fraction(0)) / 2 for both in found))
        for found in both_orders(rows).values()
    )


def left_out(rows: Iterable[Row], topic: str) -> list[tuple[str, str, Number, int]]:
    """Each judge left out in turn, where the others decide: the pair, the judge, and the others."""
    found = []
    for (of, first, second), judges in by_judge(rows).items():
        for judge, own in judges.items():
            others = [said for other, said in judges.items() if other != judge]
            if of == topic and others and (target := sign(mean(others))):
                found.append((first, second, own, target))
    return found


def ceiling(rows: Iterable[Row], topic: str) -> list[int]:
    """How often a judge agrees with the mean of the others, says tie, and disagrees, where they decide."""
    counts = [0, 0, 0]
    for _, _, own, target in left_out(rows, topic):
        counts[1 - sign(own) * target] += 1
    return counts

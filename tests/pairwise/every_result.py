"""Many results that differ in one thing each: what was selected, asked or shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

import irpref
from irpref import AP, IPSO, LP, RPP, STRPP, Collection, Comparison, P, PairTest, demo_paths
from irpref.api.evaluation import evaluation_report
from irpref.report.report import Report

Result = tuple[str, str]
"""A signature, and what it is the signature of, as text."""

FAMOUS = {"power": 2.0}
TWO = PairTest(method="t", rng=3, n_resamples=100)


def powers(power: float) -> Callable[[Any], Any]:
    """A function of one name and one code, that closes over its power."""

    def weights(level: Any) -> Any:
        return level**-power

    return weights


def named_powers(power: float) -> Callable[[Any], Any]:
    """A function of the same name, whose power is in its code's default."""

    def weights(level: Any, *, by: float = power) -> Any:
        return level**-by

    return weights


def first(weight: float) -> Callable[[Any, Any], float]:
    """A preference of one name, that closes over how much it counts."""

    def earlier(one: Any, other: Any) -> float:
        return weight * (float(one[0] < other[0]) - float(one[0] > other[0]))

    return earlier


class Falling:
    """Weights that fall by a power, as an object that can be called."""

    def __init__(self, power: float) -> None:
        self.power = power
        self.names = {"falling", "weights", "of", "levels"}

    def __call__(self, level: Any) -> Any:
        return level**-self.power

    def doubled(self, level: Any) -> Any:
        return level ** -(2 * self.power)


def base_to_the(base: float, level: Any) -> Any:
    return FAMOUS["power"] * base**-level


WEIGHTS: list[Any] = [
    "uniform",
    "dcg",
    lambda level: 1 / level,
    lambda level: level * 0 + 1.0,
    lambda level: level * 0 + 1.0 + (level == 1),
    powers(0.5),
    powers(1.5),
    named_powers(2.0),
    named_powers(3.0),
    Falling(0.25),
    Falling(0.75),
    Falling(0.4).doubled,
    partial(base_to_the, 1.5),
    partial(base_to_the, 1.25),
    np.square,
    np.sqrt,
    np.arange(1, 40),
]


def selected(data: Collection) -> Iterator[Collection]:
    """The whole, and parts of it, many of the same size."""
    topics, systems = data.topics, data.systems
    yield data
    yield from (data.select(topics=each) for each in (topics[:6], topics[6:], topics[::2]))
    yield from (data.select(systems=each) for each in (systems[:3], systems[3:], systems[2::-1]))
    odd = np.arange(len(data.judgments)) % 2 == 1
    yield from (data.select(judgments=each) for each in (odd, ~odd))
    yield data.select(topics=topics[:6], judgments=odd)
    yield data.select(topics=topics[6:], judgments=odd)


def criteria(data: Collection) -> Iterator[Any]:
    """Preferences, measures and scores, many of the same name."""
    yield from (RPP(weights=weights) for weights in WEIGHTS[2:4])
    yield from (STRPP(weights=weights) for weights in WEIGHTS[2:4])
    yield from (irpref.preference(first(weight), label="mine") for weight in (1, 2))
    yield from (IPSO(gains=gains) @ 10 for gains in ({1: 1, 2: 3}, {1: 1, 2: 1.5}))
    yield from (LP, LP(rel=2), P @ 5, AP)
    scores = data.evaluate(AP)
    yield from ({"judge": scores.assign(value=scores["value"] ** each)} for each in (1, 2))


def of_all(compared: Comparison) -> Iterator[Any]:
    """What a comparison by one criterion shows of all systems."""
    (asked,) = compared.preferences
    a, b, c = compared.systems[:3]
    yield from of_some(compared)
    yield compared.mean(asked)
    yield from (compared.order(asked, method=method) for method in ("mean", "borda", "copeland"))
    yield from (compared.per_topic(asked, *pair) for pair in ((a, b), (b, a), (a, c)))
    for baseline in (a, b, [a, b], [b, a]):
        yield compared.test(asked, test="t", baseline=baseline)
    yield compared.leaderboard(asked, test=TWO)
    yield compared.summary.leaderboard(asked)
    yield from (compared.report(baseline=baseline) for baseline in (None, a, b))
    yield from (compared.report(baseline=baseline, test=TWO) for baseline in (None, a, b))
    yield from (compared.report(baseline=baseline, per_topic=True) for baseline in (a, b))


def of_some(compared: Comparison) -> Iterator[Any]:
    """A frame, a test and the records of a report: all others sign as one of these does."""
    (asked,) = compared.preferences
    yield compared.outcomes(asked)
    yield compared.test(asked, test="t")
    yield compared.report(per_topic=True)


def of_pairs(data: Collection) -> Iterator[Any]:
    """What is shown of two systems, or without a preference."""
    a, b, c = data.systems[:3]
    compared = data.compare([RPP, IPSO @ 10])
    for pair in ((a, b), (b, a), (a, c)):
        yield compared.relations("IPSO@10", *pair)
        yield compared.checks()
        yield compared.per_topic("IPSO@10", *pair)
        for by in ("share", "level", "grade"):
            yield compared.profile(*pair, by=by)  # type: ignore[arg-type]
        yield compared.verdict(*pair)
        explained = compared.explain(data.topics[0], *pair)
        yield explained.levels
        yield explained.decisions
        yield data.corroborate(*pair, measure=AP @ 10).frame
        two = data.select(systems=pair).compare("RPP")
        yield from (two.report(baseline=baseline) for baseline in (None, *pair))
    yield data.corroborate(a, [b, c], measure=AP @ 10).frame
    yield data.judgments
    scores = data.evaluate(AP)
    yield scores
    yield evaluation_report(data.placements, [AP])
    yield evaluation_report(data.placements, [AP], per_topic=True)
    yield evaluation_report(data.placements, [AP], ties=True)


def of_tasks(data: Collection) -> Iterator[Any]:
    """What is shown of tasks that hold the same topics, cut in two ways."""
    for cut in (slice(0, 5), slice(7, 12)):
        some = set(data.topics[cut])
        both = ([each for each in data.topics if (each in some) == side] for side in (True, False))
        tasks = {name: data.select(topics=each) for name, each in zip("xy", both, strict=True)}
        compared = irpref.compare_tasks(tasks, "RPP")
        yield compared.mean("RPP")
        yield compared.outcomes("RPP")
        yield compared.order("RPP")
        yield compared.leaderboard(test=TWO)
        for baseline in (None, *data.systems[:2]):
            yield compared.by_task("RPP", baseline=baseline)
            yield compared.test(baseline=baseline)
            yield compared.report(baseline=baseline)


def every_result(*, parts: int | None = None) -> Iterator[Result]:
    """The signature and the text of each of them; of so many parts only, the whole being the first.

    Of three parts, and of two criteria of one name, everything is made, and of the others some.
    """
    data = irpref.collect(*demo_paths(subtopics=True))
    for number, part in enumerate(islice(selected(data), parts)):
        # Two criteria of two parts of the same size: of the others, one shows which part it is.
        for asked in (RPP, AP) if number in (1, 2) else (RPP,):
            for made in (of_all if number < 3 else of_some)(part.compare(asked)):
                yield from _signed(made)
        for made in of_pairs(part) if number < 3 else (part.judgments,):
            yield from _signed(made)
    for number, asked in enumerate(criteria(data)):
        for made in (of_all if number < 2 else of_some)(data.compare(asked)):
            yield from _signed(made)
    # All results have the name of the weights from the preference.
    for compared in (data.compare(RPP(weights=weights)) for weights in WEIGHTS):
        yield from _signed(compared.mean(compared.preferences[0]))
    for made in of_tasks(data):
        yield from _signed(made)


def _signed(made: pd.DataFrame | pd.Series[Any] | Report) -> Iterator[Result]:
    if not isinstance(made, Report):
        yield made.attrs["signature"], made.to_csv()
        return
    for line, records in made.records.groupby("signature"):
        yield str(line), records.drop(columns="signature").to_csv(index=False)


if __name__ == "__main__":
    for line, _ in every_result(parts=1):
        print(line)

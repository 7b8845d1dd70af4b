"""A measure under every policy for ties, against its definition under every order of them."""

from __future__ import annotations

import math

from irpref.methods.measures import Measure, RankedItems
from tests.methods.measures import literal_measures as literal
from tests.random_cases import Case, make_case

CUTOFFS = (None, *range(1, 10))
POLICIES = ("trec", "expected", "best", "worst")
UNUSUAL = {1: 2.5, 2: 0.5}
"""Gains under which the higher grade is worth less."""


def whole_lists_tied() -> Case:
    """Lists of up to 8 documents of one score; some topics have nothing relevant, or nothing else."""
    judgments, runs = {}, {"tied": {}, "halves": {}}
    patterns = (
        [1],
        [0, 1],
        [1, 1],
        [3, 0, 2],
        [1, 2, 3, 1],
        [0, 0, 0, 1, 0],
        [2, 1, 0, 0, 1, 0, 0, 3],
    )
    for number, grades in enumerate(patterns):
        names = [f"d{i}" for i in range(len(grades))]
        judgments[f"t{number}"] = {(d, "0"): g for d, g in zip(names, grades, strict=True)}
        runs["tied"][f"t{number}"] = dict.fromkeys(names, 1.0)
        runs["halves"][f"t{number}"] = {d: float(i < len(names) // 2) for i, d in enumerate(names)}
    return Case(judgments, runs)


CASES = [whole_lists_tied(), *(make_case(seed, topics=10, documents=5) for seed in range(5))]


def cut(measure: Measure, cutoff: int | None) -> Measure:
    """The measure at a cutoff, or as it is."""
    return measure if cutoff is None else measure @ cutoff


def assert_agrees_under_every_order(
    measure: Measure, definition: literal.Definition, *, tied: int = 60
) -> None:
    """The value in trec_eval's order, the mean over all orders, the best of them and the worst.

    Ties matter in more than ``tied`` cases.
    """
    compared = 0
    differing = 0
    for case in CASES:
        collection = case.collect()
        ranked = RankedItems(collection)
        found = {
            (cutoff, ties): cut(measure, cutoff)(ties=ties).scores(ranked)
            for cutoff in CUTOFFS
            for ties in POLICIES
        }
        for t, topic in enumerate(collection.topics):
            judged = [max(grade, 0) for grade in case.grades[topic].values()]
            for s, system in enumerate(collection.systems):
                scores = case.run(system, topic)
                orders = list(literal.every_order(scores, case.grades[topic]))
                in_order = literal.in_order(scores, case.grades[topic])
                for cutoff in CUTOFFS:
                    values = [definition(listed, judged, cutoff) for listed in orders]
                    most, least = max(values), min(values)
                    wanted = {
                        "trec": definition(in_order, judged, cutoff),
                        "expected": math.fsum(values) / len(values),
                        "best": most if measure.higher_is_better else least,
                        "worst": least if measure.higher_is_better else most,
                    }
                    for ties in POLICIES:
                        value = found[cutoff, ties][t, s]
                        assert abs(value - wanted[ties]) < 1e-12, (cutoff, ties, topic, system)
                    compared += len(POLICIES)
                    differing += least < most - 1e-9
    assert compared >= 6_000
    assert differing > tied

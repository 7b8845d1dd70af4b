"""P, R, F1, AP, RR and nDCG under every policy for ties, against the definition under every order."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from irpref.measures import AP, F1, RR, Measure, P, R, RankedItems, nDCG
from tests.measures import literal_measures as literal
from tests.random_cases import Case, make_case

CUTOFFS = (None, *range(1, 10))
POLICIES = ("trec", "expected", "best", "worst")
UNUSUAL = {1: 2.5, 2: 0.5}
MEASURES: dict[Measure, literal.Definition] = {
    P: literal.precision,
    R: literal.recall,
    F1: literal.f1,
    AP: literal.average_precision,
    RR: literal.reciprocal_rank,
    nDCG: literal.ndcg,
    nDCG(dcg="exp-log2"): partial(literal.ndcg, gain=lambda grade: 2.0**grade - 1),
    nDCG(gains=UNUSUAL): partial(literal.ndcg, gain=lambda grade: UNUSUAL.get(grade, grade)),
    P(rel=2): partial(literal.precision, rel=2),
    AP(rel=2): partial(literal.average_precision, rel=2),
    RR(rel=2): partial(literal.reciprocal_rank, rel=2),
    nDCG(rel=2): partial(literal.ndcg, rel=2),
}


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
    return measure if cutoff is None else measure @ cutoff


def test_every_policy_agrees_with_the_definition_under_every_order() -> None:
    compared = 0
    differing = 0
    for case in CASES:
        collection = case.collect()
        ranked = RankedItems(collection)
        found = {
            (measure, cutoff, ties): cut(measure, cutoff)(ties=ties).scores(ranked)
            for measure in MEASURES
            for cutoff in CUTOFFS
            for ties in POLICIES
        }
        for t, topic in enumerate(collection.topics):
            judged = [max(grade, 0) for grade in case.grades[topic].values()]
            for s, system in enumerate(collection.systems):
                scores = case.run(system, topic)
                orders = list(literal.every_order(scores, case.grades[topic]))
                in_order = literal.in_order(scores, case.grades[topic])
                for measure, definition in MEASURES.items():
                    for cutoff in CUTOFFS:
                        values = [definition(listed, judged, cutoff) for listed in orders]
                        wanted = {
                            "trec": definition(in_order, judged, cutoff),
                            "expected": math.fsum(values) / len(values),
                            "best": max(values),
                            "worst": min(values),
                        }
                        for ties in POLICIES:
                            value = found[measure, cutoff, ties][t, s]
                            assert abs(value - wanted[ties]) < 1e-12, (
                                measure,
                                cutoff,
                                ties,
                                topic,
                                system,
                            )
                        compared += len(POLICIES)
                        differing += wanted["worst"] < wanted["best"] - 1e-9
    assert compared >= 20_000
    # Ties matter in a good part of them.
    assert differing > 3_000


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("cutoff", [None, 1, 4])
def test_expected_lies_between_worst_and_best(measure: Measure, cutoff: int | None) -> None:
    ranked = RankedItems(make_case(7, topics=300, systems=4, documents=12).collect())
    worst, expected, best = (
        cut(measure, cutoff)(ties=ties).scores(ranked) for ties in ("worst", "expected", "best")
    )
    assert np.all(worst <= expected + 1e-12)
    assert np.all(expected <= best + 1e-12)
    if not (measure.name in ("P", "R", "F1") and cutoff is None):
        assert np.any(best - expected > 0.01)
        assert np.any(expected - worst > 0.01)

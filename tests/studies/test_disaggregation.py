"""The study of recall levels, by what each relevant item adds, sample by sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pytest

import irpref
from irpref import demo_paths
from tests import literal
from tests.literal import INF, sign
from tests.random_cases import make_case
from tests.studies.turned import tried, verdicts

CASE = make_case(17, topics=14, systems=4, documents=24)
RBP = "RBP(persistence=0.5)"
# What an item at a position adds: its recall level i of m, n documents.
ADDS: dict[str, Callable[[float, int, int, int], float]] = {
    "AP": lambda p, i, m, n: i / p,
    "nDCG": lambda p, i, m, n: 1 / math.log2(p + 1),
    RBP: lambda p, i, m, n: 0.5 * 0.5 ** (p - 1),
    "RR": lambda p, i, m, n: 1 / p if i == 1 else 0.0,
    "R@3": lambda p, i, m, n: float(p <= 3),
    # How much further up it is than at the bottom.
    "ASL": lambda p, i, m, n: n - m + i - p,
}
LIMITS = (0.0301, 0.1703)
DATA = irpref.collect(CASE.qrels, CASE.runs)
PAIR = ("s1", "s3")
STUDY = irpref.studies.disaggregation(
    DATA, ["RPP", "RPP(weights='dcg')@5", *ADDS], epsilons=LIMITS, pair=PAIR, n_resamples=20
)
FOUND = STUDY.frame.set_index(["method", "condition", "treatment"])
ALL, RETRIEVED = "of all recall levels", "of those that one of the two retrieves"


class Sample(NamedTuple):
    """Two systems at a recall level of a topic."""

    topic: str
    pair: tuple[str, str]
    level: int
    levels: int
    positions: tuple[float, float]
    pool: int


def samples(*, skip: bool = False) -> list[Sample]:
    found = []
    for topic in DATA.topics:
        wanted = literal.relevant(CASE.grades[topic])
        pool = len(set(CASE.grades[topic]).union(*(CASE.run(s, topic) for s in DATA.systems)))
        for a, b in combinations(DATA.systems, 2):
            if skip and not (CASE.run(a, topic) and CASE.run(b, topic)):
                continue
            p, q = (literal.positions(CASE.run(each, topic), wanted) for each in (a, b))
            found += [
                Sample(topic, (a, b), i, len(wanted), (p[i - 1], q[i - 1]), pool)
                for i in range(1, len(wanted) + 1)
            ]
    return found


SAMPLES = samples()


def differences(name: str) -> list[float]:
    """Of each sample, in units of the largest that an item adds."""
    if name.startswith("RPP"):
        cut = 5 if "@5" in name else INF
        weight = (lambda i: 1 / math.log2(i + 1)) if "dcg" in name else (lambda i: 1.0)
        found = []
        for each in SAMPLES:
            p, q = (INF if p > cut else p for p in each.positions)
            found.append(weight(each.level) * (0 if p == q else sign(q - p)))
        return found
    added = [
        [
            ADDS[name](p, each.level, each.levels, each.pool) if p < INF else 0.0
            for p in each.positions
        ]
        for each in SAMPLES
    ]
    largest = max(abs(value) for both in added for value in both)
    return [(one - other) / largest for one, other in added]


DIFFERENCES = {name: differences(name) for name in ["RPP", "RPP(weights='dcg')@5", *ADDS]}


def test_positions_differ_as_often_as_sample_by_sample() -> None:
    for where, asked in (
        (ALL, SAMPLES),
        (RETRIEVED, [each for each in SAMPLES if min(each.positions) < INF]),
    ):
        differ = [each.positions[0] != each.positions[1] for each in asked]
        row = FOUND.loc[("positions", f"positions differ, {where}", "")]
        assert (row["estimate"], row["n"]) == (pytest.approx(fmean(differ)), len(asked))
    assert len(asked) < len(SAMPLES)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_small_differences_are_counted(name: str) -> None:
    given = list(zip(SAMPLES, DIFFERENCES[name], strict=True))
    for where, asked in (
        (ALL, given),
        (RETRIEVED, [each for each in given if min(each[0].positions) < INF]),
    ):
        for limit in LIMITS:
            small = [abs(size) < limit for _, size in asked]
            row = FOUND.loc[(name, f"smaller than epsilon, {where}", f"{limit:g}")]
            assert (row["estimate"], row["n"]) == (pytest.approx(fmean(small)), len(small))


@pytest.mark.parametrize("name", DIFFERENCES)
def test_sizes_by_recall_level(name: str) -> None:
    for level in (1, 2, 3, 5, 8):
        here = [
            (each.pair, size)
            for each, size in zip(SAMPLES, DIFFERENCES[name], strict=True)
            if each.level == level
        ]
        row = FOUND.loc[(name, "mean size at recall level", str(level))]
        assert row["n"] == len(here)
        assert row["estimate"] == pytest.approx(fmean(abs(size) for _, size in here))
        of_pair = [size for pair, size in here if pair == PAIR]
        row = FOUND.loc[(name, "mean difference of the pair at recall level", str(level))]
        assert (row["n"], row["against"]) == (len(of_pair), "s1 - s3")
        assert row["estimate"] == pytest.approx(fmean(of_pair))


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_first_tenth_of_the_recall_levels(name: str) -> None:
    shares = []
    for topic in DATA.topics:
        here = [
            (each, abs(size))
            for each, size in zip(SAMPLES, DIFFERENCES[name], strict=True)
            if each.topic == topic and each.levels >= 10
        ]
        total = sum(size for _, size in here)
        if total:
            early = sum(size for each, size in here if each.level <= each.levels // 10)
            shares.append(early / total)
    assert 1 < len(shares) < len(DATA.topics)
    row = FOUND.loc[(name, "in the first tenth of the recall levels", "")]
    assert (row["estimate"], row["n"]) == (pytest.approx(fmean(shares)), len(shares))


def test_skipped_topics_are_no_samples() -> None:
    data = irpref.collect(CASE.qrels, CASE.runs, missing="skip")
    frame = irpref.studies.disaggregation(data, "RPP", n_resamples=2).frame
    expected = samples(skip=True)
    row = frame[frame["method"] == "positions"].iloc[0]
    differ = [each.positions[0] != each.positions[1] for each in expected]
    assert row["n"] == len(expected) < len(SAMPLES)
    assert row["estimate"] == pytest.approx(fmean(differ))


def deep(first: list[int], second: list[int]) -> irpref.Collection:
    """Two systems with their relevant items at these positions, on two topics."""
    runs = {
        system: {
            topic: {
                f"d{places.index(rank)}" if rank in places else f"x{rank}": 1000.0 - rank
                for rank in range(1, max(places) + 1)
            }
            for topic in ("1", "2")
        }
        for system, places in (("a", first), ("b", second))
    }
    judged = {f"d{item}": 1 for item in range(len(first))}
    return irpref.collect({"1": judged, "2": judged}, runs)


LATE = list(range(400, 430))
TOP = [1, 4, 9, *LATE], [10, 11, 12, *(place + 1 for place in LATE)]
BOTTOM = [*range(1, 10), 10, *LATE], [*range(1, 10), 300, *(place + 100 for place in LATE)]


@pytest.mark.parametrize(
    ("lists", "claim", "verdict"),
    [
        (TOP, "For roughly 93 %", "holds"),
        (([1, 2, 3], [1, 2, 4]), "For roughly 93 %", "fails"),
        (TOP, "Under RBP and nDCG, the differences", "holds"),
        (([1, 4], [2, 5]), "Under RBP and nDCG, the differences", "fails"),
        (TOP, "RBP and nDCG contribute most", "holds"),
        (BOTTOM, "RBP and nDCG contribute most", "fails"),
        (TOP, "Even AP", "holds"),
        (BOTTOM, "Even AP", "fails"),
        (BOTTOM, "ASL emphasizes", "holds"),
        (TOP, "ASL emphasizes", "fails"),
        (([1, 2], [3, 4]), "ASL emphasizes", "cannot be tested"),
    ],
)
def test_claims_hold_and_fail(lists: Any, claim: str, verdict: str) -> None:
    found = verdicts(irpref.studies.disaggregation(deep(*lists), n_resamples=10))
    assert [each for said, each in found.items() if said.startswith(claim)] == [verdict]


def test_claims_need_their_methods() -> None:
    claims = tried(irpref.studies.disaggregation(irpref.collect(*demo_paths()), "RPP"))
    assert claims["item"].to_list() == ["Section 2"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": "LP"}, "add up in RPP, .* not in LP"),
        ({"methods": "TieAP"}, "one position each: leave out the ties of TieAP"),
        (
            {"methods": "AP(rel=2)"},
            r"AP\(rel=2\) has .* leave rel= out; irpref.collect\(…, rel=2\)",
        ),
        ({"epsilons": (0.1, 0)}, "epsilons must lie between 0 and 1, not 0"),
        ({"epsilons": ()}, "epsilons names none"),
        ({"pair": ("s1", "s1")}, "pair must name two systems"),
        ({"pair": "s1"}, "pair must name two systems"),
        ({"pair": ("s1", "s9")}, "unknown system 's9'"),
    ],
    ids=["LP", "TieAP", "rel", "zero", "none", "same", "one", "unknown"],
)
def test_bad_input_is_named(options: dict[str, Any], message: str) -> None:
    methods = options.pop("methods", "RPP")
    with pytest.raises(ValueError, match=message):
        irpref.studies.disaggregation(DATA, methods, **options)


def test_scores_of_other_tools_have_no_recall_levels() -> None:
    scores = {"other": DATA.evaluate("AP")}
    with pytest.raises(ValueError, match="not in other"):
        irpref.studies.disaggregation(DATA, scores)


def test_one_epsilon_is_enough() -> None:
    frame = irpref.studies.disaggregation(DATA, "RPP", epsilons=0.5, n_resamples=2).frame
    assert set(frame[frame["condition"].str.startswith("smaller")]["treatment"]) == {"0.5"}
    assert np.isfinite(frame["estimate"]).all()

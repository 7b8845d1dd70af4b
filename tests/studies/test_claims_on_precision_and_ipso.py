"""The rows of three papers: each holds where it must, fails where it must, and finds its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import irpref
from irpref.studies import AnyExperiment, DataFree, known_studies
from irpref.studies.claims import Claim, Facts, all_claims
from irpref.studies.findings import Finding
from tests.random_cases import Case, cases

PAPERS = ("Diaz 2023", "McSherry & Najork 2008", "Moffat & Mackenzie 2024")
ROWS = {
    claim.claim: claim for claim in all_claims() if claim.keys["said"].partition(", ")[0] in PAPERS
}
METRICS = ("RR", "P", "RBP(persistence=0.5)", "RBP", "AP", "nDCG")
DEFINITIONS = {name for name, claim in ROWS.items() if "by definition" in claim.keys}
SHARES = {"uniform": "pair-topics agree, strict, uniform", "systems": "systems agree, strict"}

Numbers = Mapping[str, float]


def by(column: str, *, method: str = "", **about: str) -> Any:
    """Makes findings of numbers by the values of a column."""

    def made(numbers: Numbers) -> list[Finding]:
        given = {"method": method, "against": "", "condition": "", "treatment": "", **about}
        # Draws that lie closely around the number.
        return [
            Finding(
                **{**given, column: name},
                estimate=number,
                drawn=np.array([number, number - 1e-3, number + 1e-3]),
            )
            for name, number in numbers.items()
        ]

    return made


AGREES = {"against": "RR", "treatment": "0.4"}
BY_LABELS = by("method", condition="systems agree, strict, uniform", **AGREES)
BY_TOPICS = by("method", condition="systems agree, strict", **AGREES)
BESIDE = by("condition", method="P", treatment="10")
CASES: list[tuple[str, Any, Numbers, Numbers]] = [
    # The beginning of a claim; what it is about; numbers that it is true of, and that it is not.
    (
        "Lexiprecision leaves substantially fewer ties",
        by("method", condition="tied pair-topics"),
        {"LP": 0.01, "RR": 0.06},
        {"LP": 0.01, "RR": 0.04},
    ),
    (
        "Fewer than 10 recall levels",
        by("treatment", condition="decided by recall level"),
        {"9": 0.91, "8": 0.8},
        {"9": 0.89, "10": 0.95},
    ),
    *(
        (
            f"{name} finds more significant differences than reciprocal rank ({said})",
            by("method", condition=said, treatment="0.05"),
            {method: 0.3, "RR": 0.2, other: 0.1},
            {method: 0.2, "RR": 0.3, other: 0.4},
        )
        for name, method, other in (("rrLP", "rrLP", "LP"), ("sgnLP", "LP", "rrLP"))
        for said in ("Tukey's HSD", "paired test, Bonferroni")
    ),
    *(
        case
        for removed, made in (("labels", BY_LABELS), ("requests", BY_TOPICS))
        for case in (
            (
                f"With fewer {removed}, rrLP agrees on pairs of systems",
                made,
                {"rrLP": 0.898, "RR": 0.9},
                {"rrLP": 0.89, "RR": 0.9},
            ),
            (
                f"With fewer {removed}, sgnLP agrees less",
                made,
                {"LP": 0.8, "rrLP": 0.9, "RR": 0.9},
                {"LP": 0.85, "rrLP": 0.9, "RR": 0.8},
            ),
        )
    ),
    *(
        (
            f"With more labels, {name} ties {more} often",
            by("treatment", method=method, condition="tied pair-topics, uniform"),
            dict(zip(("0.1", "0.4", "0.8", "1"), (*numbers, numbers[0]), strict=True)),
            dict(zip(("0.1", "0.4", "0.8"), numbers[::-1], strict=True)),
        )
        for name, method, more, numbers in (
            ("reciprocal rank", "RR", "more", (0.1, 0.2, 0.3)),
            ("lexiprecision", "LP", "less", (0.3, 0.2, 0.1)),
        )
    ),
    (
        "Other well-sorted orders",
        by("method", condition="systems that change places under another order of ties"),
        dict.fromkeys(("P@10", "R@10", "F1@10", "AP@10", "RR@10", "nDCG@10"), 3),
        dict.fromkeys(("P@10", "R@10", "F1@10", "AP@10", "nDCG@10"), 3) | {"RR@10": 1},
    ),
    (
        "More pairs of SERPs are equal",
        by("method", condition="equal", treatment="5"),
        {"IPSO": 0.05, "random SERPs": 0.03},
        {"IPSO": 0.02, "random SERPs": 0.03},
    ),
    (
        "From k = 10 on, more pairs of SERPs are separable",
        by("method", condition="separable", treatment="10"),
        {"IPSO": 0.7, "random SERPs": 0.6},
        {"IPSO": 0.5, "random SERPs": 0.6},
    ),
    (
        "Fewer pairs of SERPs are non-separable",
        by("method", condition="non-separable", treatment="5"),
        {"IPSO": 0.1, "random SERPs": 0.2},
        {"IPSO": 0.3, "random SERPs": 0.2},
    ),
    (
        "The greater k, the less likely",
        by("treatment", method="IPSO", condition="pairs that differ significantly"),
        {"5": 0.6, "20": 0.7, "100": 0.5},
        {"5": 0.6, "20": 0.5, "100": 0.7},
    ),
    (
        "IPSO and the metric agree",
        by("method", against="IPSO", condition="agreement, t test", treatment="10"),
        dict.fromkeys(METRICS, 0.8),
        dict.fromkeys(METRICS, 0.8) | {"RR": 0.7},
    ),
    (
        "The share of pairs that both find",
        by("treatment", method="P", against="IPSO", condition="both, wilcoxon test"),
        {"5": 0.4, "100": 0.5},
        {"5": 0.5, "100": 0.4},
    ),
    *(
        (
            f"For any metric, {start} finds more",
            by("condition", method="AP", against="IPSO", treatment="10"),
            {f"metric only, {test} test": n for n, test in enumerate(order)},
            {f"metric only, {test} test": -n for n, test in enumerate(order)},
        )
        for start, order in (
            ("Wilcoxon's test", ("sign", "wilcoxon")),
            ("the t test", ("wilcoxon", "t")),
        )
    ),
    *(
        (
            start,
            BESIDE,
            {f"{true} beside {own} only, t test": 0.6, f"{false} beside {own} only, t test": 0.2},
            {f"{true} beside {own} only, t test": 0.2, f"{false} beside {own} only, t test": 0.6},
        )
        for start, own, true, false in (
            ("Pairs that IPSO only finds", "IPSO", "neither", "both"),
            ("Pairs that P@10 only finds", "metric", "both", "neither"),
        )
    ),
]


def row(start: str) -> Claim:
    [found] = (claim for name, claim in ROWS.items() if name.startswith(start))
    return found


@pytest.mark.parametrize(("start", "made", "true", "false"), CASES, ids=[case[0] for case in CASES])
def test_a_claim_holds_where_it_is_true(
    start: str, made: Any, true: Numbers, false: Numbers
) -> None:
    verdicts = [
        row(start).judged(made(numbers), Facts(2, 20, 1000)).verdict for numbers in (true, false)
    ]
    assert verdicts == ["holds", "fails"]


def quick(experiment: AnyExperiment) -> AnyExperiment:
    few = {"n_resamples": 3, "n_shuffles": 20, "samples": 2}
    return experiment.with_options({key: few[key] for key in few if key in experiment.options})


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    """Long lists of eleven systems, some documents unjudged and some scores tied."""
    rng = np.random.default_rng(1)
    names = [f"d{n}" for n in range(120)]
    qrels = {
        str(topic): {each: int(rng.random() < 0.2) for each in names[:100]} for topic in range(12)
    }
    runs = {
        f"s{system}": {
            topic: {
                each: round(float(rng.normal(qrels[topic].get(each, 0), 1 + system / 5)), 1)
                for each in names
            }
            for topic in qrels
        }
        for system in range(11)
    }
    return irpref.collect(qrels, runs, lists=100)


@pytest.mark.parametrize("name", sorted({claim.study for claim in ROWS.values()}))
def test_every_claim_finds_its_numbers(name: str, data: irpref.Collection) -> None:
    experiment: Any = quick(known_studies()[name])
    study = experiment() if isinstance(experiment, DataFree) else experiment(data)
    found = study.claims.set_index("claim")
    for claim in ROWS.values():
        if claim.study == name and "overhead" not in claim.claim:
            compared = {"more", "less", "same", "rises", "falls"} & set(claim.keys)
            assert found.loc[claim.claim, "parts"] or not compared, claim.claim


@settings(max_examples=15)
@given(cases(systems=3, topics=8))
def test_what_is_so_by_definition_never_comes_out_otherwise(case: Case) -> None:
    some = irpref.collect(case.qrels, case.runs)
    studies = [
        irpref.studies.ties(some, ["LP", "RR"], n_resamples=1),
        irpref.studies.label_degradation(
            some, ["rrLP", "RR"], fractions=(0.3, 0.6), samples=2, n_resamples=1
        ),
    ]
    if (some.placements.recall_levels()[1] > 1).any():
        studies.append(irpref.studies.masked(some, ["LP", "RR"], n_resamples=1))
    for study in studies:
        known = study.claims[study.claims["claim"].isin(DEFINITIONS)]
        known = known[~known["note"].str.startswith("not tried")]
        assert len(known) == 1
        # A part below 0 makes it fail.
        assert set(known["verdict"]) == {"by definition"}

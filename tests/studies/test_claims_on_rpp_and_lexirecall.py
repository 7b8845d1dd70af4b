"""The rows of two papers: each holds where it must, fails where it must, and finds its numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import irpref
from irpref.studies import known_studies, tie_probability
from irpref.studies.claims import Facts, all_claims
from irpref.studies.findings import Finding
from tests.random_cases import Case, cases
from tests.studies.test_claims_on_precision_and_ipso import Numbers, by, data, quick
from tests.studies.turned import verdicts

__all__ = ["data"]

PAPERS = ("Diaz & Ferraro 2022", "Diaz & Mitra 2023")
ROWS = {
    claim.claim: claim for claim in all_claims() if claim.keys["said"].partition(", ")[0] in PAPERS
}
FAMILY = ("RPP", "dcgRPP", "invRPP")
OTHERS = ("RP", "AP", "nDCG", "RR", "nDCG@10")
ITSELF = {"against": "itself", "treatment": "0.4"}
REQUESTS = by("method", condition="tau_b of the system orders", **ITSELF)
LABELS = by("method", condition="tau_b of the system orders, uniform", **ITSELF)
AGREE = by("method", condition="pair-topics agree, strict, uniform", **ITSELF)
TIES = by("method", condition="tied pair-topics", treatment="100")
AS_LR = {"method": "LR", "condition": "LR agrees with the method, strict"}
ON_DEEP = by("against", treatment="2000", **AS_LR)
IA, STEEP = ("STRPP", "STRPP(weights='dcg')"), "STRPP(weights='inverse')"


def of_two(condition: str) -> Any:
    """Makes findings of two methods each, which may stand either way round."""

    def made(numbers: Numbers) -> list[Finding]:
        found = []
        for pair, number in numbers.items():
            method, against = pair.split(" ~ ")
            found += by("method", against=against, condition=condition)({method: number})
        return found

    return made


def of(names: Any, number: float, **others: float) -> Numbers:
    return dict.fromkeys(names, number) | others


def correlating(high: set[str], methods: Any, measures: Any) -> Numbers:
    """τ of every method and measure, which is higher where one of them is among the high ones."""
    return {f"{a} ~ {b}": 0.8 if {a, b} & high else 0.3 for a in methods for b in measures}


INTENTS = ("AP_IA", "ERR_IA@20", "StRecall@20")
CASES: list[tuple[str, Any, Numbers, Numbers]] = [
    # The beginning of a claim; what it is about; numbers that it is true of, and that it is not.
    (
        "MAP-IA correlates well",
        of_two("tau_b, mean"),
        correlating({"AP_IA"}, IA, INTENTS),
        correlating({"ERR_IA@20"}, IA, INTENTS),
    ),
    (
        "ERR-IA and subtopic recall correlate well",
        of_two("tau_b, mean"),
        correlating({STEEP}, (*IA, STEEP), INTENTS),
        correlating({"STRPP"}, (*IA, STEEP), INTENTS),
    ),
    (
        "Lexirecall is correlated",
        of_two("pairs of systems, Pearson's r"),
        {"LR ~ R@1000": 0.7, "RP ~ LR": 0.6},
        {"LR ~ R@1000": 0.7, "RP ~ LR": 0.4},
    ),
    (
        "With missing requests, the order of the systems by RR",
        REQUESTS,
        of((*FAMILY, "AP", "nDCG"), 0.9, RR=0.8),
        of((*FAMILY, "AP", "nDCG"), 0.9, AP=0.7, RR=0.8),
    ),
    (
        "With missing requests, the RPP family",
        REQUESTS,
        of((*FAMILY, "AP", "nDCG"), 0.9, RPP=0.895),
        of((*FAMILY, "AP", "nDCG"), 0.9, invRPP=0.88),
    ),
    (
        "RPP is equally robust to missing requests",
        REQUESTS,
        {"RPP": 0.895, "AP": 0.9, "nDCG": 0.8},
        {"RPP": 0.88, "AP": 0.9, "nDCG": 0.8},
    ),
    (
        "RPP is as robust to missing judgments",
        LABELS,
        {"RPP": 0.86, "nDCG": 0.9},
        {"RPP": 0.84, "nDCG": 0.9},
    ),
    (
        "With missing judgments, the order of the systems by RR",
        LABELS,
        of((*FAMILY, "nDCG"), 0.9, RR=0.8),
        of((*FAMILY, "nDCG"), 0.9, nDCG=0.7, RR=0.8),
    ),
    ("AP degrades poorly", LABELS, {"nDCG": 0.9, "AP": 0.8}, {"nDCG": 0.8, "AP": 0.9}),
    (
        "When more than half of the judgments are missing, the RPP family",
        LABELS,
        of(FAMILY, 0.9, AP=0.8),
        of(FAMILY, 0.9, AP=0.8, dcgRPP=0.7),
    ),
    (
        "With missing judgments, the RPP family is comparable",
        LABELS,
        of(FAMILY, 0.86, nDCG=0.9),
        of(FAMILY, 0.86, nDCG=0.92),
    ),
    (
        "Across all retrieval depths, lexirecall",
        ON_DEEP,
        of(OTHERS, 0.8, **{"R@1000": 0.9}),
        of(OTHERS, 0.8, **{"R@1000": 0.9, "nDCG": 0.95}),
    ),
    (
        "Across all retrieval depths, RR",
        ON_DEEP,
        of(OTHERS, 0.8, RR=0.5, **{"nDCG@10": 0.5}),
        of(OTHERS, 0.8, RR=0.5, **{"nDCG@10": 0.85}),
    ),
    (
        "The agreement of lexirecall with nDCG",
        by("treatment", against="nDCG", **AS_LR),
        {"10": 0.8, "100": 0.7, "1000": 0.9},
        {"10": 0.8, "100": 0.9, "1000": 0.7},
    ),
    ("On deep runs, nDCG", ON_DEEP, {"nDCG": 0.87, "R@1000": 0.9}, {"nDCG": 0.8, "R@1000": 0.9}),
    (
        "Lexirecall is comparable to AP",
        TIES,
        {"LR": 0.14, "AP": 0.14, "nDCG": 0.1},
        {"LR": 0.16, "AP": 0.16, "nDCG": 0.1},
    ),
    (
        "All methods have more ties",
        by("treatment", method="R@1000", condition="tied pair-topics"),
        {"10": 0.3, "100": 0.4, "1000": 0.2},
        {"10": 0.3, "100": 0.2, "1000": 0.4},
    ),
    (
        "Lexirecall is slightly better",
        by("method", condition="paired test, Holm", treatment="0.05"),
        {"LR": 0.5, "R@1000": 0.4, "RP": 0.3},
        {"LR": 0.5, "R@1000": 0.6, "RP": 0.3},
    ),
    (
        "Lexirecall is clearly more",
        by("method", condition="Tukey's HSD", treatment="0.05"),
        {"LR": 0.5, "R@1000": 0.4, "RP": 0.3},
        {"LR": 0.5, "R@1000": 0.4, "RP": 0.6},
    ),
    (
        "With missing labels, lexirecall is comparable",
        by("method", condition="tied pair-topics, by frequency", treatment="0.4"),
        {"LR": 0.14, "AP": 0.14, "nDCG": 0.1},
        {"LR": 0.16, "AP": 0.16, "nDCG": 0.1},
    ),
    (
        "With missing labels, the preferences by R@1000",
        AGREE,
        {"LR": 0.898, "R@1000": 0.9},
        {"LR": 0.89, "R@1000": 0.9},
    ),
    (
        "With missing labels, the preferences by RP",
        AGREE,
        {"LR": 0.9, "R@1000": 0.9, "AP": 0.9, "nDCG": 0.9, "RP": 0.8},
        {"LR": 0.9, "R@1000": 0.9, "AP": 0.9, "nDCG": 0.7, "RP": 0.8},
    ),
    (
        "With missing labels, the preferences by lexirecall",
        AGREE,
        {"LR": 0.86, "AP": 0.9, "nDCG": 0.8},
        {"LR": 0.84, "AP": 0.9, "nDCG": 0.8},
    ),
    (
        "The preferences by R@1000 degrade more",
        by("condition", method="R@1000", **ITSELF),
        {
            f"pair-topics agree, strict, {way}": n
            for way, n in (("uniform", 2), ("by frequency", 1))
        },
        {
            f"pair-topics agree, strict, {way}": n
            for way, n in (("uniform", 1), ("by frequency", 2))
        },
    ),
]


@pytest.mark.parametrize(("start", "made", "true", "false"), CASES, ids=[case[0] for case in CASES])
def test_a_claim_holds_where_it_is_true(
    start: str, made: Any, true: Numbers, false: Numbers
) -> None:
    [row] = (claim for name, claim in ROWS.items() if name.startswith(start))
    facts = Facts(topics=50, systems=20, deepest=2000)
    judged = [row.judged(made(each), facts).verdict for each in (true, false)]
    assert judged == ["holds", "fails"]


def test_claims_on_ties_of_random_rankings() -> None:
    found = {claim: each for claim, each in verdicts(tie_probability()).items() if claim in ROWS}
    assert {claim: each for claim, each in found.items() if each != "holds"} == {
        "Lexirecall has the fewest ties across corpus sizes": "by definition",
        "TSE ties with chance C(n, m)^-2 Σ C(i - 1, m - 1)": "misprint",
        "Lexirecall has substantially fewer ties than R@1000, RP and TSE": "fails",
    }
    assert len(found) == 7


STUDIES = sorted({claim.study for claim in ROWS.values()} - {"orientation", "worst-case"})


@pytest.mark.parametrize("name", STUDIES)
def test_every_claim_finds_its_numbers(name: str, data: irpref.Collection) -> None:
    study: Any = quick(known_studies()[name])
    # Where everything is retrieved, R@1000 never differs.
    some = data.select(depth=100) if name == "label-degradation" else data
    found = (study() if name == "tie-probability" else study(some)).claims.set_index("claim")
    for claim in ROWS.values():
        if claim.study == name and "deeper" not in claim.keys and "STRPP" not in str(claim.keys):
            assert found.loc[claim.claim, "parts"], claim.claim


@settings(max_examples=6)
@given(cases(systems=3, topics=8))
def test_what_is_so_by_definition_never_comes_out_otherwise(case: Case) -> None:
    some, methods = irpref.collect(case.qrels, case.runs), ["LR", "R@1000", "RP", "AP", "nDCG"]
    studies = [
        irpref.studies.label_degradation(
            some, methods, fractions=(0.3, 0.6), samples=2, n_resamples=1
        ),
        irpref.studies.depth_degradation(some, methods, depths=(1, 3), n_resamples=1),
    ]
    for study in studies:
        known = study.claims[study.claims["claim"].str.contains("ties on fewer rankings")]
        assert len(known) == 1
        assert not (known["theta"] < 0).any()

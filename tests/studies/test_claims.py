"""The one rule for claims: from draws of θ to a verdict, and the keys of a row."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import irpref
from irpref import demo_paths
from irpref.studies import known_studies
from irpref.studies.claims import VERDICTS, Claim, Facts, Judged, all_claims
from irpref.studies.findings import Finding

FACTS = Facts(topics=50, systems=20, deepest=1000)
EVEN = np.array([NormalDist().inv_cdf(each / 400) for each in range(1, 400)])


def found(method: str, number: float, sd: float = 0.0, **about: str) -> Finding:
    """A number whose draws have this standard deviation, those of another method the other way."""
    keys = {"against": "", "condition": "c", "treatment": "", **about}
    drawn = np.append(number, number + sd * EVEN / EVEN.std(ddof=1))
    return Finding(method, **keys, estimate=number, drawn=drawn)


def judged(findings: list[Finding], facts: Facts = FACTS, **keys: str) -> Judged:
    row = {"study": "ties", "said": "Somebody 2020, Table 1", "condition": "c", **keys}
    return Claim("A claim", row).judged(findings, facts)


@pytest.mark.parametrize(
    ("number", "verdict"),
    [(0.2, "holds"), (0.19, "undecided"), (-0.19, "undecided"), (-0.2, "fails")],
)
def test_a_claim_holds_if_the_interval_lies_above_0_and_fails_if_it_lies_below(
    number: float, verdict: str
) -> None:
    one = judged([found("A", number, 0.1), found("B", 0)], more="A", less="B")
    assert one.verdict == verdict
    assert (one.theta, one.paper, one.item) == (number, "Somebody 2020", "Table 1")
    assert (one.low, one.high) == pytest.approx((number - 0.196, number + 0.196), abs=1e-4)
    assert one.evidence == f"A {number}, B 0"


def test_all_parts_must_hold_and_one_fails_by_a_wider_interval() -> None:
    def of(numbers: list[float]) -> Judged:
        parts = [found("A", each, 0.1, treatment=str(n)) for n, each in enumerate(numbers)]
        return judged(
            [*parts, *(found("B", 0, treatment=str(n)) for n in range(9))], more="A", less="B"
        )

    assert of([0.2, 0.3, 0.4]).verdict == "holds"
    assert of([0.1, 0.3, 0.4]).verdict == "undecided"
    # Of three, one must lie 2.39 standard deviations below 0.
    assert of([-0.21, 0.3, 0.4]).verdict == "undecided"
    failed = of([-0.25, 0.3, 0.4])
    assert failed.high == pytest.approx(-0.25 + 0.2394, abs=1e-4)
    assert (failed.verdict, failed.theta, failed.parts) == ("fails", -0.25, 3)
    assert failed.evidence == "0: A -0.25, B 0 (θ is above 0 in 2 of 3 parts)"


def test_an_exact_number_has_no_interval() -> None:
    exact = [Finding("A", "", "c", "", 0.5), Finding("B", "", "c", "", 0.4)]
    one = judged(exact, Facts(), more="A", less="B")
    assert (one.verdict, one.low, one.high) == ("holds", one.theta, one.theta)
    assert judged(exact, Facts(), more="B", less="A").verdict == "fails"
    assert judged(exact, Facts(), more="B", less="A", by="-0.1").note == "the numbers are alike"
    # On data, a number without draws decides nothing.
    assert judged(exact, more="A", less="B").note == "its numbers were not drawn again"


def test_a_draw_alone_says_nothing() -> None:
    once = [Finding("A", "", "c", "", 0.5, drawn=np.array([0.5, 0.4])), found("B", 0)]
    assert judged([once[0]], more="A", above="0").verdict == "undecided"
    lacking = Finding("A", "", "c", "", 0.5, drawn=np.array([0.5, np.nan, np.nan]))
    assert judged([lacking], more="A", above="0").verdict == "undecided"
    assert judged([found("A", 0.5)], Facts(1, 2, 9), more="A", above="0").note.startswith(
        "one topic"
    )


def test_thresholds_margins_and_numbers_that_are_to_be_the_same() -> None:
    some = [found("A", 0.5), found("B", 0.52), found("C", 0.4)]
    assert judged(some, more="A; B", above="0.45").verdict == "holds"
    assert judged(some, more="A; C", above="0.45").verdict == "fails"
    assert judged(some, less="A; C", below="0.51").verdict == "holds"
    assert judged(some, more="A", less="B", by="-0.05").verdict == "holds"
    assert judged(some, more="B", less="A", by="0.05").verdict == "fails"
    assert judged(some, same="A; B", within="0.05").verdict == "holds"
    assert judged(some, same="A; B; C", within="0.05").verdict == "fails"
    assert judged(some, falls="B; A; C").verdict == "holds"
    assert judged(some, rises="C; A; B").verdict == "holds"
    assert judged(some, rises="A; B; C").verdict == "fails"


def test_treatments_are_compared_in_the_order_of_their_numbers() -> None:
    some = [found("A", n / 100, treatment=str(n)) for n in (10, 5, 100)]
    assert judged(some, compare="treatment", rises="every").verdict == "holds"
    assert judged(some, compare="treatment", falls="every").verdict == "fails"
    first_last = judged(some, compare="treatment", more="last", less="first")
    assert (first_last.verdict, first_last.evidence) == ("holds", "at 100 1, at 5 0.05")
    assert judged(some, more="A", above="0.07", treatment="> 5").verdict == "holds"
    assert judged(some, more="A", above="0.07", treatment="<= 10").verdict == "fails"
    assert judged(some, more="A", above="0.07", treatment="10; 100").parts == 2


def test_a_correlation_is_found_in_either_order() -> None:
    some = [found("A", 0.9, against="B"), found("C", 0.5, against="A")]
    row = {"compare": "method ~ against", "more": "B ~ A", "less": "A ~ C"}
    assert judged(some, **row).evidence == "B ~ A 0.9, A ~ C 0.5"


def test_what_cannot_be_tested_says_why() -> None:
    some: list[Any] = [found("A", np.nan), found("B", 0)]
    assert judged(some, more="A", less="B").note == "there are no such numbers here"
    assert judged(some, more="A", less="B", otherwise="A never ties").note == "A never ties"
    few = judged(some, Facts(50, 8, 9), more="A", less="B", pairs="50")
    assert (few.verdict, few.note) == (
        "cannot be tested",
        "28 pairs of systems, of 50 needed",
    )
    assert judged(some, more="A", less="B", deeper="1000").note == "no list is deeper than 1,000"


def test_it_is_said_where_the_verdict_depends_on_how_ties_count() -> None:
    some = [
        *(
            found("A", n, condition=f"agree, {kind}")
            for n, kind in ((0.4, "strict"), (0.9, "decided"))
        ),
        *(found("B", 0.5, condition=f"agree, {kind}") for kind in ("strict", "decided")),
    ]
    one = judged(some, more="A", less="B", condition="agree, strict")
    assert (one.verdict, one.note) == (
        "fails",
        "depends on how ties count: holds where both decide",
    )
    assert judged(some, more="B", less="A", condition="agree, strict").verdict == "holds"
    alike = [found("A", 0.6, condition=f"agree, {kind}") for kind in ("strict", "decided")]
    assert judged(alike, more="A", above="0.5", condition="agree, strict").note == ""


def test_what_is_known_is_said_and_a_definition_that_fails_is_a_mistake() -> None:
    some = [found("A", 0.5), found("B", 0.4)]
    for known in ("by definition", "refuted", "misprint"):
        one = judged(some, more="A", less="B", **{known: "because"})
        assert (one.verdict, one.note, one.theta) == (known, "because", pytest.approx(0.1))
    assert judged(some, more="B", less="A", **{"by definition": "because"}).verdict == "fails"
    parts = [found("A", each, 0.5, treatment=str(n)) for n, each in enumerate((0.1, -0.1))]
    definition = judged(parts, more="A", above="0", **{"by definition": "because"})
    assert (definition.verdict, definition.parts) == ("fails", 2)
    assert judged([], more="B", less="A", refuted="because").verdict == "refuted"


def test_a_claim_on_a_method_that_was_not_tried_says_so() -> None:
    row = Claim("A claim", {"study": "ties", "more": "A", "less": "B", "against": "every"})
    assert row.untried([found("A", 0), found("B", 0)]) == set()
    assert row.untried([found("A", 0)]) == {"B"}
    two = Claim("A claim", {"compare": "method ~ against", "more": "A ~ B", "less": "A ~ C"})
    assert two.untried([found("A", 0, against="B"), found("C", 0)]) == set()
    assert two.untried([found("A", 0, against="B")]) == {"C"}
    study = irpref.studies.masked(irpref.collect(*demo_paths()), ["RR"], n_resamples=2)
    assert study.claims["note"].to_list()[1:] == ["not tried: LP"] * 2
    assert "not tried: LP" in study.table(claims=True).to_text()
    assert "not tried" not in study.table().to_text()


def test_parts_without_a_number_are_counted() -> None:
    some = [found("A", each, treatment=str(n)) for n, each in enumerate((0.1, np.nan, 0.2))]
    one = judged(some, more="A", above="0")
    assert (one.verdict, one.parts) == ("holds", 2)
    assert one.evidence.endswith("(θ is above 0 in 2 of 2 parts); 1 part without a number")


def test_a_part_without_an_interval_decides_nothing_wherever_it_stands() -> None:
    good = found("A", 0.5, treatment="1")
    bad = Finding("A", "", "c", "2", 0.5, drawn=np.array([0.5, np.nan, np.nan]))
    for parts in ([good, bad], [bad, good]):
        assert judged(parts, more="A", above="0").verdict == "undecided"
    worse = found("A", -0.5, treatment="3")
    assert judged([bad, good, worse], more="A", above="0").verdict == "fails"


def test_every_row_is_of_a_study_and_has_keys_that_there_are() -> None:
    studies = {claim.study for claim in all_claims()}
    assert studies <= set(known_studies())
    assert len(all_claims()) > 100
    for claim in all_claims():
        assert ", " in claim.keys["said"]
        assert len(set(VERDICTS) & set(claim.keys)) <= 1
    with pytest.raises(ValueError, match=r"'A claim': unknown key les"):
        Claim("A claim", {"study": "ties", "les": "B"})

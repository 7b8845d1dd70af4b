"""What ties must and must not change, and groups of many thousand tied documents."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from irpref.methods.measures import (
    AP,
    ASL,
    F1,
    RBP,
    RP,
    RR,
    Measure,
    P,
    R,
    RankedItems,
    Success,
    TieAP,
    TieF1,
    TienDCG,
    TieP,
    TieR,
    TieRR,
    nDCG,
)
from tests.random_cases import make_case, place

SHORT = (P, R, F1, AP, RR, nDCG)
EXPECTED = (TieP, TieR, TieF1, TieAP, TieRR, TienDCG)
ALL = (*SHORT, RP, RBP, Success, RR(level=2), ASL(n=40))


def test_short_names_are_the_expected_values() -> None:
    assert [measure(ties="expected") for measure in SHORT] == list(EXPECTED)


def test_nothing_tied_is_the_same_under_every_policy() -> None:
    ranked = RankedItems(make_case(1, topics=100, ties=False).collect())
    for measure in (*ALL, *(measure @ 3 for measure in ALL)):
        trec = measure.scores(ranked)
        for ties in ("expected", "best", "worst"):
            assert np.array_equal(measure(ties=ties).scores(ranked), trec)


def test_one_relevant_document_makes_average_precision_reciprocal_rank() -> None:
    case = make_case(2, topics=200, documents=8)
    for judged in case.judgments.values():
        for number, key in enumerate(judged):
            judged[key] = int(number == 0)
    ranked = RankedItems(case.collect())
    for cutoff in (1, 2, 3, 5, 100):
        for ties in ("trec", "expected", "best", "worst"):
            ap, rr = (m(ties=ties) @ cutoff for m in (AP, RR))
            assert np.abs(ap.scores(ranked) - rr.scores(ranked)).max() < 1e-15
    assert np.abs(TieAP.scores(ranked) - TieRR.scores(ranked)).max() < 1e-15
    assert np.any(TieAP.scores(ranked) != AP.scores(ranked))


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
def test_renaming_documents_changes_nothing(ties: str) -> None:
    case = make_case(3, topics=100)
    # The other way round in the order of names, so that trec_eval's order turns round.
    name = {f"{kind}{i}": f"x{kind}{99 - i}" for kind in "du" for i in range(20)}
    qrels = {t: {name[d]: g for d, g in grades.items()} for t, grades in case.grades.items()}
    runs = {
        system: {t: {name[d]: score for d, score in scores.items()} for t, scores in topics.items()}
        for system, topics in case.runs.items()
    }
    before, after = case.collect(), place(qrels, runs)
    for measure in (*ALL, *(measure @ 3 for measure in ALL)):
        tied = measure(ties=ties)
        assert np.allclose(tied.scores(before), tied.scores(after), rtol=0, atol=1e-15)
    assert not np.array_equal(AP.scores(before), AP.scores(after))


def harmonic(n: int) -> Fraction:
    return sum((Fraction(1, place) for place in range(1, n + 1)), Fraction(0))


@pytest.mark.parametrize(("n", "r"), [(1, 1), (7, 3), (60, 1), (60, 60), (400, 17)])
def test_constant_scores_have_the_value_of_a_random_order(n: int, r: int) -> None:
    qrels = {"t": {f"d{i}": int(i < r) for i in range(n)}}
    collection = place(qrels, {"constant": {"t": {f"d{i}": 1.0 for i in range(n)}}})

    def value(measure: Measure) -> float:
        return measure.scores(collection).item()

    k = max(1, n // 3)
    assert value(TieP) == pytest.approx(r / n, rel=1e-14)
    assert value(TieP @ k) == pytest.approx(r / n, rel=1e-14)
    assert value(TieR @ k) == pytest.approx(k / n, rel=1e-14)
    assert value(TieF1 @ k) == pytest.approx(float(Fraction(2 * k * r, n * (k + r))), rel=1e-14)
    # Bestgen (2015): (r - 1)/(n - 1) + H_n/n (n - r)/(n - 1).
    h = harmonic(n)
    ap = (Fraction(r - 1) + h * Fraction(n - r, n)) / (n - 1) if n > 1 else Fraction(1)
    assert value(TieAP) == pytest.approx(float(ap), rel=1e-13)
    rr = sum(Fraction(math.comb(n - x, r - 1), math.comb(n, r) * x) for x in range(1, n - r + 2))
    assert value(TieRR) == pytest.approx(float(rr), rel=1e-13)
    discounts = [1 / math.log2(place + 1) for place in range(1, n + 1)]
    ndcg = r / n * math.fsum(discounts) / math.fsum(discounts[:r])
    assert value(TienDCG) == pytest.approx(ndcg, rel=1e-13)


HUGE = 100_000


def test_groups_of_a_hundred_thousand_have_the_values_of_closed_forms() -> None:
    """One group of everything, with one relevant document, some, half of all, and all."""
    counts = [1, 2, 1_000, HUGE // 2, HUGE]
    names = [f"d{i}" for i in range(HUGE)]
    qrels = {str(r): dict.fromkeys(names[:r], 1) for r in counts}
    run = {str(r): dict.fromkeys(names, 0.5) for r in counts}
    ranked = RankedItems(place(qrels, {"constant": run}))
    h = math.fsum(1 / place for place in range(1, HUGE + 1))
    discounts = [1 / math.log2(place + 1) for place in range(1, HUGE + 1)]

    def values(measure: Measure) -> dict[int, float]:
        return dict(zip(counts, measure.scores(ranked)[:, 0].tolist(), strict=True))

    tie_ap, tie_rr, tie_ndcg = values(TieAP), values(TieRR), values(TienDCG)
    tie_rr_cut, tie_p_cut = values(TieRR @ 10), values(TieP @ 10)
    for r in counts:
        ap = ((r - 1) + h * (HUGE - r) / HUGE) / (HUGE - 1)
        assert abs(tie_ap[r] - ap) < 1e-12
        assert abs(tie_rr[r] - first_relevant(HUGE, r, HUGE)) < 1e-12
        assert abs(tie_rr_cut[r] - first_relevant(HUGE, r, 10)) < 1e-12
        assert abs(tie_p_cut[r] - r / HUGE) < 1e-12
        ndcg = r / HUGE * math.fsum(discounts) / math.fsum(discounts[:r])
        assert abs(tie_ndcg[r] - ndcg) < 1e-12
    assert tie_ap[HUGE] == pytest.approx(1, abs=1e-12)
    assert tie_rr[HUGE] == 1
    assert values(RR(ties="best"))[1] == 1
    assert values(RR(ties="worst"))[1] == 1 / HUGE


def first_relevant(n: int, r: int, places: int) -> float:
    """The mean of one over the place of the first of r among n, in 30 digits: the definition."""
    with localcontext() as context:
        context.prec = 30
        none_yet, mean = Decimal(1), Decimal(0)
        for place in range(1, min(places, n - r + 1) + 1):
            here = none_yet * r / (n - place + 1)
            mean += here / place
            none_yet -= here
            if none_yet < Decimal(10) ** -25:
                break
        return float(mean)


def test_small_groups_at_the_end_of_a_long_list_keep_their_digits() -> None:
    """Two tied documents at places 99,999 and 100,000: few digits of a sum of 100,000 terms are theirs."""
    last = [f"last{i}" for i in range(2)]
    run = {f"d{i}": float(HUGE - i) for i in range(HUGE - 2)} | dict.fromkeys(last, 0.5)
    topics = {"one": last[:1], "both": last}
    ranked = RankedItems(
        place(
            {t: dict.fromkeys(relevant, 1) for t, relevant in topics.items()},
            {"a": dict.fromkeys(topics, run)},
        )
    )
    half = (Fraction(1, HUGE - 1) + Fraction(1, HUGE)) / 2
    both = (Fraction(1, HUGE - 1) + Fraction(2, HUGE)) / 2
    found = TieAP.scores(ranked)[:, 0].tolist()
    assert found == pytest.approx([float(half), float(both)], abs=1e-12)
    discounts = [1 / math.log2(HUGE), 1 / math.log2(HUGE + 1)]
    ideal = [1.0, 1.0 + 1 / math.log2(3)]
    found = TienDCG.scores(ranked)[:, 0].tolist()
    assert found == pytest.approx([sum(discounts) / 2, sum(discounts) / ideal[1]], abs=1e-12)

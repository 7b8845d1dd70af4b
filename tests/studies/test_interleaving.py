"""Interleaving as a study: lists interleaved and clicked document by document, pair by pair."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import irpref
from irpref import demo_paths
from tests.literal import dcg_weight, positions, ranked, relevant, rpp, sign
from tests.random_cases import make_case
from tests.studies.literal_interleaving import by_clicks, by_precision

CASE = make_case(11, topics=14, systems=3, documents=9, ties=False)
DATA = irpref.collect(CASE.qrels, CASE.runs)
RPP = "RPP(graded=False)"
PAIR_TOPICS = [(topic, pair) for topic in DATA.topics for pair in combinations(DATA.systems, 2)]
VARIANTS = {
    "positions, uniform": {},
    "positions, DCG": {},
    "clicks, uniform": {},
    "clicks, DCG": {},
    "clicks, uniform, shorter list": {"shorter": True},
    "clicks, uniform, unsatisfied users": {"unsatisfied": True},
    "clicks, uniform, shorter list, unsatisfied users": {"shorter": True, "unsatisfied": True},
}


@cache
def literal(name: str) -> list[float]:
    """RPP, or a variant of interleaving, on every pair-topic."""
    found = []
    for topic, pair in PAIR_TOPICS:
        wanted = sorted(relevant(CASE.grades[topic]))
        one, other = (ranked(CASE.run(system, topic)) for system in pair)
        if name == RPP:
            places = (positions(CASE.run(system, topic), wanted) for system in pair)
            value = rpp(*places, lambda level: Fraction(1))
        else:
            choices = {"unsatisfied": False} | VARIANTS[name.removeprefix("interleaving by ")]
            weights = [
                Fraction(1) if "uniform" in name else dcg_weight(number) for number in range(1, 20)
            ]
            value = (
                by_precision(one, other, wanted, weights)
                if "positions" in name
                else by_clicks(one, other, wanted, weights[: len(wanted)], **choices)
            )
        found.append(0.0 if abs(value) < 1e-12 else float(value))
    return found


def correlation(first: list[float], second: list[float]) -> float:
    both = ([*values, *(-value for value in values)] for values in (first, second))
    return float(np.corrcoef(*both)[0, 1])


def estimates(condition: str) -> dict[tuple[str, str], float]:
    frame = irpref.studies.interleaving(DATA, [RPP], n_resamples=1).frame
    chosen = frame[frame["condition"] == condition]
    return dict(
        zip(zip(chosen["method"], chosen["against"], strict=True), chosen["estimate"], strict=True)
    )


def test_correlation_by_definition() -> None:
    found = estimates("Pearson's r")
    names = [f"interleaving by {variant}" for variant in VARIANTS]
    for name in names:
        expected = correlation(literal(RPP), literal(name))
        assert found[RPP, name] == pytest.approx(expected), name
        assert found[name, RPP] == pytest.approx(expected), name
    assert len({round(found[RPP, name], 6) for name in names}) == 7


def test_agreement_by_definition() -> None:
    strict, decided = (estimates(f"sign agreement, {kind}") for kind in ("strict", "decided"))
    for variant in VARIANTS:
        name = f"interleaving by {variant}"
        for method, target in ((RPP, name), (name, RPP)):
            signs = [
                (sign(mine), sign(its))
                for mine, its in zip(literal(method), literal(target), strict=True)
                if its
            ]
            agreed = sum(mine == its for mine, its in signs)
            assert strict[method, target] == pytest.approx(agreed / len(signs))
            both = sum(mine != 0 for mine, _ in signs)
            assert decided[method, target] == pytest.approx(agreed / both)


def test_pairs_are_drawn() -> None:
    data = irpref.collect(*demo_paths())
    studies = [
        irpref.studies.interleaving(data, [RPP], n_resamples=1, pairs=pairs, rng=rng).frame
        for pairs, rng in ((4, 1), (4, 1), (4, 2), (15, 1), (500, 2))
    ]
    correlations = [frame["estimate"].to_list() for frame in studies]
    assert studies[0]["n"].max() == 4 * len(data.topics)
    assert studies[3]["n"].max() == 15 * len(data.topics)
    assert correlations[0] == correlations[1]
    assert correlations[0] != correlations[2]
    assert correlations[3] == pytest.approx(correlations[4])


def test_claims_are_about_binary_rpp() -> None:
    data = irpref.collect(*demo_paths())
    claims = irpref.studies.interleaving(data, [RPP, "AP"], n_resamples=20).claims
    assert len(claims) == 7
    [every] = claims[claims["claim"].str.contains("every reading")].to_dict("records")
    claims = claims[~claims["claim"].str.contains("every reading")]
    correlated = claims[claims["claim"].str.contains("correlates")]
    frame = irpref.studies.interleaving(data, [RPP, "AP"], n_resamples=20).frame
    found = frame[(frame["method"] == RPP) & (frame["condition"] == "Pearson's r")]
    for reading, claim in zip(("positions", "clicks"), correlated.to_dict("records"), strict=True):
        [row] = found[found["against"] == f"interleaving by {reading}, uniform"].to_dict("records")
        assert claim["verdict"] == ("holds" if row["high"] >= 0.975 else "fails")
        assert f"{row['estimate']:.2f}" in claim["evidence"]
    readings = found[found["against"].str.contains("clicks, uniform")]
    assert len(readings) == 4
    reached = (readings["high"] >= 0.975).all()
    assert every["verdict"] == ("holds" if reached else "fails")
    assert all(f"{estimate:.2f}" in every["evidence"] for estimate in readings["estimate"])
    assert len(irpref.studies.interleaving(data, ["AP"], n_resamples=1).claims) == 0


def test_claims_without_numbers_are_untestable() -> None:
    run = {"1": {"d1": 2.0, "d2": 1.0}}
    tied = irpref.collect({"1": {"d1": 1}}, {"a": run, "b": run})
    few = irpref.collect(*demo_paths()).select(systems=["bm25", "boolean"])
    for data, why in (
        (tied, "RPP or interleaving never prefers"),
        (few, "there are 12 pair-topics only"),
    ):
        claims = irpref.studies.interleaving(data, [RPP, "AP"], n_resamples=2).claims
        assert set(claims["verdict"]) == {"untestable"}
        assert claims["evidence"].str.startswith(why).all()


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="pairs must be a whole number of at least 1, not 0"):
        irpref.studies.interleaving(DATA, pairs=0)

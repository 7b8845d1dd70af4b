"""Interleaving as a study: lists interleaved and clicked document by document, pair by pair."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from irpref.methods.names import as_criteria
from irpref.pairwise.topic_values import topic_win_rates
from tests.literal import dcg_weight, positions, ranked, relevant, rpp, sign
from tests.random_cases import collection_of, make_case, topics_of
from tests.studies.literal_interleaving import by_clicks, by_precision
from tests.studies.turned import verdicts

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


SIGN, STRONG, STILL_AGREES, STILL_CORRELATES = (
    "The sign of RPP agrees more with offline interleaving than with AP, nDCG, ASL and RR",
    "RPP and offline interleaving have a strong linear correlation (r = .98)",
    "With a DCG-style user, the sign of RPP still agrees more with offline interleaving than with AP, "
    "nDCG, ASL and RR",
    "With a DCG-style user, RPP still correlates more with offline interleaving than with AP, nDCG, ASL "
    "and RR",
)
RELATIVE = (SIGN, STILL_AGREES, STILL_CORRELATES)


@pytest.mark.parametrize(("side", "verdict"), [(-1, "holds"), (1, "fails")])
def test_claims_hold_and_fail(side: int, verdict: str) -> None:
    """The measures differ as RPP does, as those of two systems can, or the other way round."""
    data = irpref.collect(*collection_of(systems=2, topics=100))
    [preference] = as_criteria([RPP])
    rates = side * topic_win_rates(data.placements, preference)
    frame = pd.DataFrame(rates, data.topics, data.systems).rename_axis("topic").reset_index()
    scores = frame.melt("topic", var_name="system")
    measures = [{name: scores} for name in ("AP", "nDCG", "ASL", "RR")]
    found = verdicts(irpref.studies.interleaving(data, [RPP, *measures], n_resamples=50))
    assert {found[claim] for claim in RELATIVE} == {verdict}


def test_a_strong_correlation() -> None:
    data = irpref.collect(*topics_of([1, 2] * 10, [2, 1] * 10))
    assert verdicts(irpref.studies.interleaving(data, n_resamples=20))[STRONG] == "holds"


def test_claims_are_about_binary_rpp() -> None:
    assert not verdicts(irpref.studies.interleaving(DATA, ["RPP", "AP"], n_resamples=1))


def test_claims_without_numbers_cannot_be_tested() -> None:
    run = {"1": {"d1": 2.0, "d2": 1.0}}
    tied = irpref.collect({"1": {"d1": 1}}, {"a": run, "b": run})
    found = verdicts(irpref.studies.interleaving(tied, n_resamples=2))
    assert set(found.values()) == {"cannot be tested"}


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="pairs must be a whole number of at least 1, not 0"):
        irpref.studies.interleaving(DATA, pairs=0)

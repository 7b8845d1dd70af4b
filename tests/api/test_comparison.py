"""A comparison, and all that can be asked of it, against literal definitions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import combinations, permutations
from math import isnan, nan
from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref import IPSO, LP, LR, RPP, Comparison
from tests import literal
from tests.literal_comparison import (
    DEFINITIONS,
    ORDERINGS,
    compare,
    literal_values,
    missing_means,
    small_cases,
)
from tests.random_cases import Case, collection_of, make_case


@settings(max_examples=7)
@given(small_cases, missing_means)
def test_every_frame_equals_the_definition(case: Case, missing: str) -> None:
    comparison = compare(case, missing=missing)
    assert comparison.systems == tuple(case.runs)
    assert comparison.preferences == tuple(DEFINITIONS)
    assert comparison.topics == tuple(t for t in case.judgments if literal.relevant(case.grades[t]))
    for preference in DEFINITIONS:
        mean = comparison.mean(preference)
        assert list(mean.index) == list(mean.columns) == list(case.runs)
        means = {}
        outcomes = comparison.outcomes(preference).set_index(["a", "b"])
        for a, b in permutations(case.runs, 2):
            wanted = literal_values(case, preference, a, b, missing)
            found = comparison.per_topic(preference, a, b)
            assert list(found.index) == list(wanted)
            assert found.index.name == "topic"
            assert found.name == str(preference)
            assert found.to_numpy() == pytest.approx(list(wanted.values()), abs=1e-12)
            assert [v == 0 for v in found] == [v == 0 for v in wanted.values()]
            means[a, b] = fmean(wanted.values()) if wanted else nan
            assert mean.loc[a, b] == pytest.approx(means[a, b], abs=1e-12, nan_ok=True)
            assert mean.loc[a, b] == pytest.approx(-mean.loc[b, a], abs=0, nan_ok=True)
            signs = [literal.sign(value) for value in wanted.values()]
            if (a, b) in outcomes.index:
                row = outcomes.loc[a, b]
                ties = signs.count(0)
                if preference in ORDERINGS:
                    relations = comparison.relations(preference, a, b)["relation"]
                    assert row["nonseparable"] == list(relations).count("**")
                    ties -= row["nonseparable"]
                assert (row["wins"], row["ties"], row["losses"]) == (
                    signs.count(1),
                    ties,
                    signs.count(-1),
                )
                assert row.sum() == len(wanted)
        assert list(outcomes.index) == list(combinations(case.runs, 2))
        ordered = comparison.order(preference)
        known = {
            a: [means[a, b] for b in case.runs if b != a and not isnan(means[a, b])]
            for a in case.runs
        }
        wins = {a: fmean(of) if of else 0 for a, of in known.items()}
        assert ordered.to_dict() == pytest.approx(wins, abs=1e-12)
        assert ordered.is_monotonic_decreasing


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda c: c.mean(LR), "LR was not compared; compared: LP, IPSO@2"),
        (lambda c: c.mean("IPSO@3"), "IPSO@3 was not compared"),
        (lambda c: c.outcomes("RPP"), "RPP was not compared"),
        (lambda c: c.order("LR"), "LR was not compared"),
        (lambda c: c.per_topic("RPP", "s0", "s1"), "RPP was not compared"),
        (lambda c: c.relations("IPSO", "s0", "s1"), "IPSO was not compared"),
        (lambda c: c.relations(LP, "s0", "s1"), "relations are of IPSO; LP has values"),
        (lambda c: c.per_topic(LP, "s0", "s11"), r"unknown system 's11' \(known: s0, s1"),
        (lambda c: c.relations("IPSO@2", "S0", "s1"), r"unknown system 'S0'; did you mean 's0'\?"),
        (lambda c: c.profile("s0", "none"), "unknown system 'none'"),
        (lambda c: c.profile("s0", "s1", cutoff=0), "a cutoff must be a whole number"),
        (lambda c: c.profile("s0", "s1", cutoff=1.5), "a cutoff must be a whole number"),
        (lambda c: c.explain("t99", "s0", "s1"), "unknown topic 't99'"),
        (lambda c: c.explain("t0", "s0", "nobody"), "unknown system 'nobody'"),
        (lambda c: c.report(baseline="s9"), "unknown baseline 's9'"),
        (lambda c: c.order(LP, method="meen"), "'meen'; did you mean 'mean'"),
        (lambda c: c.mean("LPP"), r"unknown preference or measure 'LPP' \(did you mean 'LP'\?\)"),
        (
            lambda c: c.mean(3),
            "give irpref's preference or measure, its text or a function, not 3",
        ),
    ],
)
def test_asking_for_what_is_not_there_is_refused_with_what_there_is(
    ask: Callable[[Comparison], object], message: str
) -> None:
    comparison = compare(make_case(1), [LP, IPSO @ 2])
    with pytest.raises(ValueError, match=message):
        ask(comparison)


def test_values_per_pair_and_topic_are_not_kept() -> None:
    systems, topics = 30, 150
    qrels, runs = collection_of(systems, topics)
    one, many = (
        irpref.compare(qrels, runs, preferences) for preferences in ([LP], [LP, LR, RPP, IPSO @ 10])
    )
    for comparison in (one, many):
        repr(comparison)
        comparison.per_topic(LP, *comparison.systems[:2])
    more = len(pickle.dumps(many)) - len(pickle.dumps(one))
    assert 0 < more / 3 < systems**2 * topics / 2

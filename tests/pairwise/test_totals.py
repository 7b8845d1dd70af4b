"""Sums over topics are the sums of the topics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import irpref
from irpref import AP, RPP
from irpref.methods.preferences import IPSO, LP, LR, Preference, dcgRPP, folds, rrLP
from irpref.pairwise import totals
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import sum_topics, totals_of_pairs
from irpref.positions.placements import Placements
from tests.methods.preferences.every_preference import ALL
from tests.random_cases import make_case, matrix, place


def by_hand(collection: Placements, asked: Preference) -> dict[str, np.ndarray]:
    values = matrix(asked, collection)
    numbers = asked.signed_values(values).astype(float)
    nonseparable = values == 3 if asked.name == "IPSO" else np.zeros(values.shape, dtype=bool)
    own = {"nonseparable": nonseparable.sum(axis=0)} if asked.name == "IPSO" else {}
    return {
        **own,
        "total": numbers.sum(axis=0),
        "deviations": ((numbers - numbers.mean(axis=0)) ** 2).sum(axis=0),
        "signs": np.isin(numbers, (-1, 0, 1)).all(axis=0),
        "wins": (numbers > 0).sum(axis=0),
        "losses": (numbers < 0).sum(axis=0),
        "ties": ((numbers == 0) & ~nonseparable).sum(axis=0),
        "topics": np.full(numbers.shape[1:], len(numbers)),
        "mean": numbers.mean(axis=0),
    }


def of(found: totals.Totals, name: str) -> np.ndarray:
    return found.counts[name] if name == "nonseparable" else getattr(found, name)


def test_sums_over_topics_are_the_sums_of_the_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_case(11, topics=50, systems=5).collect()
    for chunk in (1 << 19, 1):
        monkeypatch.setattr(totals, "CACHE", chunk)
        monkeypatch.setattr(totals, "_SIDE", 2 if chunk == 1 else 128)
        monkeypatch.setattr(folds, "_COMPARISONS", 1 if chunk == 1 else 1 << 23)
        for asked, found in zip(ALL, sum_topics(collection, ALL), strict=True):
            for name, wanted in by_hand(collection, asked).items():
                assert np.allclose(of(found, name), wanted, atol=1e-12), (str(asked), name)
        for first, second in (([3, 1], [0, 1, 4]), ([3, 1], None)):
            columns = second or first
            for asked in (dcgRPP, IPSO):
                found = sum_topics(collection, [asked], first=first, second=second)[0]
                for name, wanted in by_hand(collection, asked).items():
                    part = wanted[first][:, columns]
                    assert np.allclose(of(found, name), part, atol=1e-12), (str(asked), name)


def test_a_topic_without_anything_relevant_at_this_grade_is_left_out() -> None:
    qrels = {"high": {"a": 2}, "low": {"a": 1}}
    runs = {
        "found": {"high": {"a": 1.0}, "low": {"a": 1.0}},
        "not": {"high": {"x": 1.0}, "low": {"x": 1.0}},
    }
    collection = place(qrels, runs)
    for asked in (LP, rrLP, LR, RPP, IPSO, IPSO(graded=True), IPSO(gains={1: 1, 2: 2})):
        for rel, topics, wins in ((1, 2, 2), (2, 1, 1), (3, 0, 0)):
            found = sum_topics(collection, [asked(rel=rel)])[0]
            assert (found.topics[0, 1], found.wins[0, 1]) == (topics, wins), (str(asked), rel)
            values = topic_values(collection, asked(rel=rel), [0], [1])
            assert (~np.isnan(values)).ravel().tolist() == [rel <= 2, rel <= 1]


def test_missing_topics_are_the_worst_case_or_skipped() -> None:
    qrels = {"t1": {"a": 1}, "t2": {"a": 1}}
    runs = {"both": {"t1": {"a": 1.0}, "t2": {"a": 1.0}}, "one": {"t1": {"a": 1.0}}}
    worst, skip = (place(qrels, runs, missing=missing) for missing in ("worst", "skip"))
    for asked in (LP, LR, RPP, IPSO, IPSO(gains={1: 1})):
        found = sum_topics(worst, [asked])[0]
        assert (found.topics[0, 1], found.wins[0, 1], found.ties[0, 1]) == (2, 1, 1)
        found = sum_topics(skip, [asked])[0]
        assert (found.topics[0, 1], found.wins[0, 1], found.ties[0, 1]) == (1, 0, 1)
        assert found.topics[0, 0] == 2


def test_values_that_do_not_vary_have_no_spread() -> None:
    # In floats, sums of squares less the square of the sum would leave some.
    qrels = {str(t): {f"d{i}": 1 for i in range(3)} for t in range(50)}
    runs = {
        "a": {t: {"d0": 3.0, "d1": 2.0} for t in qrels},
        "b": {t: {"d0": 3.0, "x": 2.0} for t in qrels},
    }
    tests = irpref.compare(qrels, runs, [RPP, AP]).test(RPP, test="t")
    assert tests.loc[0, "effect"] == np.inf
    assert tests.loc[0, "p"] == 2.0**-49


def test_progress_is_told_of_every_topic_of_a_slow_criterion() -> None:
    placements = make_case(1, topics=9, systems=3, binary=True).collect()
    topics = len(placements.topics)
    told: list[tuple[str, int, int]] = []
    sum_topics(placements, [RPP(ties="expected"), LP], progress=lambda *step: told.append(step))
    assert {step[2] for step in told} == {2 * topics}
    done = [step[1] for step in told]
    assert done == [*range(topics), topics, 2 * topics]


def test_more_pairs_than_the_memory_holds_are_refused() -> None:
    placements = make_case(1, topics=2, systems=2, binary=True).collect()
    many = replace(placements, systems=tuple(map(str, range(1_000_000))))
    problem = (
        "the sums of all pairs of 1,000,000 systems, which a baseline needs too, take 138,000 GB"
    )
    with pytest.raises(ValueError, match=f"{problem} .* GB: give fewer runs or preferences, or"):
        totals_of_pairs(many, [RPP, IPSO])

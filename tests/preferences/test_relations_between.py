"""What holds between the preferences: four folds of one sign profile, whatever the documents are called."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    Preference,
    base,
    dcgRPP,
    invRPP,
    preference,
    rrLP,
    signs,
)
from irpref.preferences.ipso import RELATIONS
from irpref.project.placements import Placements
from irpref.summarise import totals
from irpref.summarise.topic_values import topic_values
from irpref.summarise.totals import sum_topics
from tests.literal import positions, relevant
from tests.literal import signs as literal_signs
from tests.random_cases import Case, cases, cut, make_case, matrix, place

cutoffs = st.none() | st.integers(1, 9)


def later(first: np.ndarray, second: np.ndarray) -> float:
    """How many levels more the first ranking has earlier: a caller's own preference."""
    return float((first < second).sum() - (first > second).sum())


ALL: tuple[Preference, ...] = (
    LP,
    rrLP,
    LR,
    RPP,
    dcgRPP,
    invRPP(graded=False),
    STRPP(weights="dcg"),
    IPSO,
    IPSO(graded=True),
    IPSO(gains={1: 0.1, 2: 0.2, 3: 0.3}),
    preference(later),
)


@given(case=cases(systems=3), cutoff=cutoffs)
def test_all_four_are_folds_of_the_sign_profile(case: Case, cutoff: int | None) -> None:
    """First, last, mean and unanimity of the signs (DESIGN section 2)."""
    collection = case.collect()
    first, last, mean, unanimity = (
        matrix(cut(asked, cutoff), collection) for asked in (LP, LR, RPP(graded=False), IPSO)
    )
    for t, topic in enumerate(collection.topics):
        wanted = relevant(case.grades[topic])
        vectors = [positions(case.run(s, topic), wanted, cutoff) for s in collection.systems]
        for a, c in product(range(len(vectors)), repeat=2):
            profile = literal_signs(vectors[a], vectors[c])
            nonzero = [sign for sign in profile if sign]
            assert first[t, a, c] == (nonzero[0] if nonzero else 0)
            assert last[t, a, c] == (nonzero[-1] if nonzero else 0)
            assert mean[t, a, c] == pytest.approx(sum(profile) / len(profile))
            agreed = {(): "=", (1,): "ni", (-1,): "ns", (-1, 1): "**"}[tuple(sorted(set(nonzero)))]
            assert RELATIONS[unanimity[t, a, c]] == agreed


@given(case=cases(systems=3), cutoff=cutoffs)
def test_what_every_metric_must_respect_the_others_respect(case: Case, cutoff: int | None) -> None:
    """Where IPSO is not undecided, LP, LR and RPP have its sign; equality is equality for all."""
    collection = case.collect()
    relation = matrix(cut(IPSO, cutoff), collection)
    for asked in (LP, rrLP, LR, RPP(graded=False), dcgRPP(graded=False), preference(later)):
        values = matrix(cut(asked, cutoff), collection)
        decided = relation != RELATIONS.index("**")
        assert np.array_equal(np.sign(values)[decided], IPSO.signed_values(relation)[decided])
    graded = matrix(cut(IPSO(graded=True), cutoff), collection)
    decided = graded != RELATIONS.index("**")
    for asked in (RPP, dcgRPP):
        signs_of = np.sign(matrix(cut(asked, cutoff), collection))
        assert np.array_equal(signs_of[decided], IPSO.signed_values(graded)[decided])


@given(case=cases(systems=4), asked=st.sampled_from(ALL), cutoff=cutoffs)
def test_antisymmetry(case: Case, asked: Preference, cutoff: int | None) -> None:
    asked = cut(asked, cutoff)
    values = asked.signed_values(matrix(asked, case.collect())).astype(float)
    assert np.array_equal(values, -values.swapaxes(1, 2))


@given(case=cases(systems=3, ties=False), seed=st.integers(0, 99), cutoff=cutoffs)
def test_names_of_documents_do_not_matter_without_ties(
    case: Case, seed: int, cutoff: int | None
) -> None:
    rng = random.Random(seed)
    old = [*(f"d{i}" for i in range(8)), *(f"u{i}" for i in range(3))]
    new = dict(zip(old, rng.sample([f"文{i}" for i in range(90)], len(old)), strict=True))
    renamed = Case(
        {
            topic: {
                (new[document], subtopic): grade for (document, subtopic), grade in judged.items()
            }
            for topic, judged in case.judgments.items()
        },
        {
            system: {
                topic: {new[document]: score for document, score in scores.items()}
                for topic, scores in run.items()
            }
            for system, run in case.runs.items()
        },
    )
    before, after = case.collect(), renamed.collect()
    for asked in ALL:
        found = matrix(cut(asked, cutoff), after)
        assert np.allclose(found, matrix(cut(asked, cutoff), before), atol=1e-12), str(asked)


@given(case=cases(systems=4), cutoff=cutoffs, data=st.data())
def test_a_rectangle_is_a_part_of_the_square(
    case: Case, cutoff: int | None, data: st.DataObject
) -> None:
    collection = case.collect()
    first = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    second = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    for asked in ALL:
        square = matrix(cut(asked, cutoff), collection)
        values = topic_values(collection, cut(asked, cutoff), first, second)
        assert values.shape == (len(collection.topics), len(first), len(second))
        wanted = asked.signed_values(square[:, first][:, :, second])
        assert np.allclose(values, wanted, atol=1e-12), str(asked)
        assert np.array_equal(values == 0, wanted == 0), str(asked)


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
    if name in ("wins", "losses", "ties", "nonseparable"):
        return found.outcome(name)
    return getattr(found, name)


def test_sums_over_topics_are_the_sums_of_the_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_case(11, topics=50, systems=5).collect()
    for chunk in (1 << 19, 1):
        monkeypatch.setattr(totals, "_BATCH", chunk)
        monkeypatch.setattr(base, "_COMPARISONS", 1 if chunk == 1 else 1 << 23)
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


def test_signs() -> None:
    first = np.array([[[2, 5], [4, 6]]], dtype=np.int16)
    second = np.array([[[3], [4]]], dtype=np.int16)
    assert signs(first, second)[0, :, :, 0].tolist() == [[1, -1], [0, -1]]


def test_a_cutoff_beyond_the_range_of_the_positions_is_no_cutoff() -> None:
    collection = make_case(5).collect()
    for asked in ALL:
        assert np.array_equal(matrix(asked @ 10**9, collection), matrix(asked, collection))

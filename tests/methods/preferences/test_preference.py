"""What holds between the preferences: four folds of one sign profile, whatever the documents are called."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    Preference,
    dcgRPP,
    preference,
    rrLP,
    signs,
)
from irpref.methods.preferences.ipso import RELATIONS
from tests.literal import positions, relevant
from tests.literal import signs as literal_signs
from tests.methods.preferences.every_preference import ALL, cutoffs, later
from tests.random_cases import Case, cases, cut, make_case, matrix


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
def test_every_preference_is_antisymmetric(
    case: Case, asked: Preference, cutoff: int | None
) -> None:
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


def test_signs_are_above_0_where_the_first_is_earlier() -> None:
    first = np.array([[[2, 5], [4, 6]]], dtype=np.int16)
    second = np.array([[[3], [4]]], dtype=np.int16)
    assert signs(first, second)[0, :, :, 0].tolist() == [[1, -1], [0, -1]]


def test_a_cutoff_beyond_the_range_of_the_positions_is_no_cutoff() -> None:
    collection = make_case(5).collect()
    for asked in ALL:
        assert np.array_equal(matrix(asked @ 10**9, collection), matrix(asked, collection))

"""Expected preferences as options: their text, what they refuse, and what must not change them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from irpref import parse
from irpref.base.reading_options import Reading
from irpref.methods.preferences import IPSO, LP, LR, RPP, STRPP, Preference
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.random_cases import cut, make_case, matrix, place

PREFERENCES = (LP, LP(magnitude="rr"), LR, RPP, RPP(weights="dcg"), STRPP, IPSO)
TEXTS = (
    "LP(ties='expected')",
    "LP(ties='expected', magnitude='rr')@10",
    "LR(ties='expected')",
    "RPP(ties='expected', weights='dcg', graded=False)@100",
    "STRPP(ties='expected')",
    "IPSO(rel=2, ties='expected')@10",
)


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_gives_the_preference_back(text: str) -> None:
    preference = parse(text)
    assert str(preference) == text
    assert parse(str(preference)) == preference
    assert preference != preference(ties="trec")
    assert preference.chosen.dtype == np.float64


def test_trec_is_the_default_and_not_written() -> None:
    assert [str(preference(ties="trec")) for preference in (LP, LR, RPP, IPSO)] == [
        "LP",
        "LR",
        "RPP",
        "IPSO",
    ]


@pytest.mark.parametrize("preference", [LP, LR, RPP, STRPP, IPSO], ids=str)
def test_unknown_ties_are_refused_with_the_nearest(preference: Preference) -> None:
    with pytest.raises(ValueError, match="unknown ties 'expect'; did you mean 'expected'"):
        preference(ties="expect")


@pytest.mark.parametrize("preference", [*PREFERENCES, IPSO @ 10], ids=str)
def test_the_order_of_the_rank_column_has_no_ties_to_expect(preference: Preference) -> None:
    collection = make_case(3, subtopics=2).collect()
    by_rank = replace(collection, reading=Reading(order="rank"))
    matrix(preference, by_rank)
    with pytest.raises(ValueError, match="order='rank'"):
        matrix(preference(ties="expected"), by_rank)


@cache
def without_ties() -> list[Placements]:
    shape = {"topics": 40, "systems": 6, "documents": 30, "subtopics": 2}
    return [make_case(seed, ties=False, **shape).collect() for seed in range(4)]


@pytest.mark.parametrize("cutoff", [None, 1, 4, 100])
@pytest.mark.parametrize("preference", PREFERENCES, ids=str)
def test_without_ties_nothing_changes(preference: Preference, cutoff: int | None) -> None:
    plain = cut(preference, cutoff)
    for collection in without_ties():
        wanted = plain.signed_values(matrix(plain, collection))
        found = matrix(plain(ties="expected"), collection)
        assert np.abs(found - wanted).max() < 1e-12
        assert np.array_equal(found == 0, wanted == 0)


@pytest.mark.parametrize("preference", [*PREFERENCES, IPSO @ 3, LR @ 3, RPP @ 3], ids=str)
def test_a_list_of_systems_is_a_part_of_the_square(preference: Preference) -> None:
    case = make_case(11, topics=20, systems=5, documents=12, subtopics=2)
    collection = case.collect()
    expected = preference(ties="expected")
    square = matrix(expected, collection)
    assert np.array_equal(square, -square.swapaxes(1, 2))
    part = expected.signed_values(
        expected.values(
            TopicBatch(
                collection,
                topics=np.arange(3, 17),
                first=np.array([4, 1]),
                second=np.array([0, 1, 3]),
            )
        )
    )
    assert np.abs(part - square[3:17][:, [4, 1]][:, :, [0, 1, 3]]).max() < 1e-12
    assert not part[:, 1, 1].any()


@pytest.mark.parametrize("preference", [*PREFERENCES, IPSO @ 3, LR @ 3], ids=str)
def test_names_of_documents_do_not_matter(preference: Preference) -> None:
    case = make_case(12, topics=20, systems=3, subtopics=2)

    def renamed(document: str) -> str:
        return f"{9 - int(document[1:])}{document[0]}"

    turned = {
        system: {
            topic: {renamed(document): score for document, score in listed.items()}
            for topic, listed in topics.items()
        }
        for system, topics in case.runs.items()
    }
    judged = {
        topic: {(renamed(document), s): grade for (document, s), grade in judgments.items()}
        for topic, judgments in case.judgments.items()
    }
    other = type(case)(judged, turned)
    expected = preference(ties="expected")
    before, after = (matrix(expected, one.collect()) for one in (case, other))
    assert np.abs(before - after).max() < 1e-12
    trec = (matrix(preference, one.collect()) for one in (case, other))
    assert not np.array_equal(*trec)


def test_real_runs_that_tie_much_keep_probabilities_and_antisymmetry(shared_data: Path) -> None:
    folder = shared_data / "llmjudge"
    collection = place(folder / "qrels.txt", sorted((folder / "runs").iterdir()))
    batch = TopicBatch(collection, topics=np.arange(0, 25, 8), first=np.arange(33))
    found = (IPSO(ties="expected") @ 20).values(batch)
    assert np.abs(found.sum(axis=-1) - 1).max() < 1e-12
    assert np.array_equal(found, found.swapaxes(1, 2)[..., [0, 2, 1, 3]])
    for preference in (LP, LR @ 20, RPP(weights="inverse")):
        values = preference(ties="expected").values(batch)
        assert np.array_equal(values, -values.swapaxes(1, 2))
        assert 0 < np.abs(values).max() <= 1

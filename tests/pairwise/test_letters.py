"""The defining property of the compact letter display."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irpref.pairwise.leaderboard import compact_letters


def split(letters: str) -> set[str]:
    return set(re.findall(r"[a-z]\d*", letters))


@st.composite
def relations(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    systems = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    upper = np.triu(rng.random((systems, systems)) < draw(st.sampled_from((0.1, 0.5, 0.9))), 1)
    return upper | upper.T, rng.permutation(systems).tolist()


@given(relations())
def test_a_letter_is_shared_just_where_the_systems_are_not_different(
    case: tuple[np.ndarray, list[int]],
) -> None:
    different, order = case
    by_rank = compact_letters(different[np.ix_(order, order)])
    letters = [split(by_rank[order.index(system)]) for system in range(len(order))]
    for a, mine in enumerate(letters):
        assert mine
        for b, theirs in enumerate(letters):
            assert bool(mine & theirs) == (a == b or not different[a, b])
    assert "a" in letters[order[0]]


@given(relations())
def test_letters_run_from_the_best_and_none_is_part_of_another(
    case: tuple[np.ndarray, list[int]],
) -> None:
    different, _ = case
    letters = [split(text) for text in compact_letters(different)]
    members = {
        letter: {system for system, mine in enumerate(letters) if letter in mine}
        for letter in set().union(*letters)
    }
    by_letter = sorted(members, key=lambda letter: (int(letter[1:] or 1), letter[0]))
    assert sorted(sorted(group) for group in members.values()) == [
        sorted(members[letter]) for letter in by_letter
    ]
    for letter, group in members.items():
        assert not any(group <= other for name, other in members.items() if name != letter)


def test_systems_along_one_line_have_runs_of_letters() -> None:
    place = np.array([0, 1, 2, 3, 4, 5, 9])
    different = np.abs(place[:, None] - place) > 2
    assert compact_letters(different) == ["a", "ab", "abc", "bcd", "cd", "d", "e"]
    assert compact_letters(different[::-1, ::-1])[::-1][:3] == ["e", "de", "cde"]


def test_all_alike_and_all_different() -> None:
    assert compact_letters(np.zeros((3, 3))) == ["a", "a", "a"]
    assert compact_letters(~np.eye(3, dtype=bool)) == ["a", "b", "c"]
    assert compact_letters(np.zeros((0, 0))) == []


def test_more_letters_than_the_alphabet_has() -> None:
    letters = compact_letters(~np.eye(54, dtype=bool))
    assert letters[25:28] == ["z", "a2", "b2"]
    assert letters[51:] == ["z2", "a3", "b3"]


def test_noisy_relations_of_many_systems_do_not_explode() -> None:
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((125, 125)) < 0.5, 1)
    different = upper | upper.T
    letters = [split(text) for text in compact_letters(different)]
    assert all(
        bool(letters[a] & letters[b]) != different[a, b] for a in range(125) for b in range(a)
    )

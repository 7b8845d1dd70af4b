"""Which runs are of which system: by names and patterns, and what they cannot be."""

from __future__ import annotations

from typing import Any

import pytest

import irpref
from irpref import LP
from irpref.base.reading_options import Reading
from tests.random_cases import collection_of

_NAMES = ["bert-1", "bert-2", "bm25", "t5"]


def _systems(groups: Any, names: Any = _NAMES, **reading: Any) -> tuple[str, ...]:
    qrels, made = collection_of(len(names), 3)
    runs = dict(zip(names, made.values(), strict=True))
    return irpref.collect(qrels, runs, groups=groups, **reading).compare("LP").systems


def test_a_group_is_names_or_patterns_and_others_are_systems_by_themselves() -> None:
    both = ("bert", "bm25", "t5")
    for runs in ("bert-*", ["bert-1", "bert-2"], {"bert-2", "bert-1"}, ["bert-?", "bert-1"]):
        assert _systems({"bert": runs}) == both
    assert _systems({"bert": (each for each in _NAMES[:2])}) == both
    # A group may have the name of one of its runs, and a system is where its first run is.
    assert _systems({"t5": ["t5", "bert-1"]}) == ("t5", "bert-2", "bm25")
    assert _systems({1: "bert-*"}) == ("1", "bm25", "t5")


def test_a_name_with_brackets_is_a_name_before_it_is_a_pattern() -> None:
    names = ["run[1]", "run1", "run[2]", "run2"]
    assert _systems({"some": ["run[1]", "run[2]"]}, names) == ("some", "run1", "run2")
    # As a pattern it is one character of two.
    assert _systems({"some": "run[12]"}, names) == ("run[1]", "some", "run[2]")


def test_the_order_of_names_is_no_part_of_a_signature() -> None:
    qrels, runs = collection_of(4, 3)
    a, b, c, d = runs
    made = [
        irpref.compare(qrels, runs, "LP", groups={"x": group}, deterministic=fixed).signature(LP)
        for group, fixed in (([a, b], [c, d]), ([b, a, b], [d, c, c]))
    ]
    assert made[0] == made[1]
    assert f"deterministic:{c},{d}" in made[0]


_EXAMPLE = r"^groups must be runs by system, such as \{'bert': \['bert-1', 'bert-2'\]\}$"


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({}, _EXAMPLE),
        (["bert-1"], _EXAMPLE),
        ({"bert": []}, _EXAMPLE),
        ({"": "bert-*"}, _EXAMPLE),
        ({"bert": 5}, "^groups must be names, as texts$"),
        ({"bert": None}, "^groups must be names, as texts$"),
        ({"bert": ["bert-1", 2]}, "^groups must be names, as texts$"),
        ({"bert": ""}, "^groups must be names, as texts$"),
        ({"x": "bort-*"}, r"^unknown run in groups=\{'x': 'bort-\*'\} 'bort-\*'"),
        ({"x": "brt-1"}, r"^unknown run in groups=\{'x': 'brt-1'\} 'brt-1'; did you mean 'bert-1'"),
        (
            {"x": "bert-*", "y": ["t5", "bert-2"]},
            "^groups=…: the run bert-2 is in two groups, x and y",
        ),
        ({"t5": "bert-*"}, "^groups=…: t5 is a group, and a run that is not in it: rename one$"),
        ({"all": "*"}, r"^only one system was given \(all\): it takes two to compare$"),
    ],
)
def test_a_mistake_in_groups_is_said(groups: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        _systems(groups)


@pytest.mark.parametrize(
    ("deterministic", "said"),
    [
        ("bert", "^bert has 2 runs, and so is not deterministic: leave it out of deterministic$"),
        ("bm52", "^unknown system in deterministic 'bm52'; did you mean 'bm25'"),
        ("bert-1", "^unknown system in deterministic 'bert-1'"),
        (5, "^deterministic must be names, as texts$"),
        (None, "^deterministic must be names, as texts$"),
        ([""], "^deterministic must be names, as texts$"),
    ],
)
def test_a_mistake_in_what_is_deterministic_is_said(deterministic: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        _systems({"bert": "bert-*"}, deterministic=deterministic)


def test_without_groups_nothing_is_deterministic() -> None:
    said = "^deterministic belongs to groups of runs, and there are none$"
    with pytest.raises(ValueError, match=said):
        _systems(None, deterministic="bm25")


def test_what_was_given_can_be_changed_afterwards() -> None:
    runs = ["bert-1"]
    reading = Reading(groups={"bert": runs})
    runs.append("bert-2")
    assert reading.members(_NAMES)["bert"] == (0,)

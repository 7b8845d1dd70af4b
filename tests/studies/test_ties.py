"""The study of ties: every number by its definition, ranking by ranking."""

from __future__ import annotations

from itertools import combinations, permutations

import pandas as pd
import pytest

import irpref
from irpref.collection import Collection
from irpref.demo import demo_paths
from tests import literal
from tests.random_cases import make_case

CASE = make_case(8, topics=25, systems=4, documents=6)
DATA = irpref.collect(CASE.qrels, CASE.runs)
FRAME = irpref.studies.ties(DATA, ["LP", "RR", "RPP"], n_resamples=50).frame


def vectors(data: Collection) -> list[list[list[float]]]:
    """By topic and system, the positions of the relevant items."""
    found = []
    for topic in data.topics:
        wanted = literal.relevant(CASE.grades[topic])
        found.append(
            [literal.positions(CASE.run(system, topic), wanted) for system in data.systems]
        )
    return found


def estimates(condition: str) -> pd.Series:
    chosen = FRAME[FRAME["condition"].str.startswith(condition)]
    return chosen.set_index(chosen["method"] + chosen["treatment"])["estimate"]


def test_methods_tie_as_often_as_pair_by_pair() -> None:
    pairs = [pair for topic in vectors(DATA) for pair in combinations(topic, 2)]
    found = estimates("tied pair-topics")
    assert found["LP"] == pytest.approx(sum(a == c for a, c in pairs) / len(pairs))
    assert found["RR"] == pytest.approx(sum(a[0] == c[0] for a, c in pairs) / len(pairs))


def test_the_next_run_has_its_first_relevant_item_there() -> None:
    ordered = [pair for topic in vectors(DATA) for pair in permutations(topic, 2)]
    found = estimates("another run has its first")
    asked = {
        position: [c[0] == position for a, c in ordered if a[0] == position]
        for position in range(1, 11)
    }
    assert len([1 for answers in asked.values() if answers]) > 3
    for position, answers in asked.items():
        if answers:
            assert found[str(position)] == pytest.approx(sum(answers) / len(answers))
        else:
            assert str(position) not in found


def test_recall_levels_tie_and_decide() -> None:
    pairs = [pair for topic in vectors(DATA) for pair in combinations(topic, 2)]
    tied, decided = estimates("tied at recall level"), estimates("decided by recall level")
    for level in (1, 2, 3, 4):
        has = [(a, c) for a, c in pairs if len(a) >= level]
        assert tied[str(level)] == pytest.approx(
            sum(a[level - 1] == c[level - 1] for a, c in has) / len(has)
        )
        assert decided[str(level)] == pytest.approx(
            sum(a[:level] != c[:level] for a, c in pairs) / len(pairs)
        )


def test_claims_fail_where_all_tie_and_hold_on_the_demo() -> None:
    held = irpref.studies.ties(irpref.collect(*demo_paths()), n_resamples=2)
    assert held.claims["verdict"].to_list() == ["holds", "holds"]
    same = {"1": {"d": 1.0}}
    tied = irpref.collect({"1": {"d": 1}}, {"a": same, "b": same})
    assert irpref.studies.ties(tied).claims["verdict"].to_list() == ["fails", "fails"]
    # Nothing is said of methods that were not tried.
    assert len(irpref.studies.ties(tied, "RPP").claims) == 1

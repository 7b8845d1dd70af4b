"""The study of ties: every number by its definition, ranking by ranking."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from statistics import fmean

import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from irpref.api.collection import Collection
from tests import literal
from tests.methods.measures.literal_measures import (
    Definition,
    average_precision,
    every_order,
    in_order,
    initial_search_length,
    reciprocal_rank,
)
from tests.random_cases import Case, make_case

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
            sum(a[:level] != c[:level] for a, c in pairs) / sum(a != c for a, c in pairs)
        )


def test_skipped_topics_are_no_pairs() -> None:
    runs = {name: {t: run[t] for t in run} for name, run in CASE.runs.items()}
    lacking = next(iter(runs))
    gone = next(topic for topic in DATA.topics if topic in runs[lacking])
    del runs[lacking][gone]
    data = irpref.collect(CASE.qrels, runs, missing="skip")
    frame = irpref.studies.ties(data, ["LP"], n_resamples=2).frame
    pairs = [
        (
            literal.positions(CASE.run(a, topic), wanted),
            literal.positions(CASE.run(b, topic), wanted),
        )
        for topic in data.topics
        for wanted in [literal.relevant(CASE.grades[topic])]
        for a, b in combinations(data.systems, 2)
        if topic in runs[a] and topic in runs[b]
    ]
    first = frame[frame["treatment"] == "1"].set_index("condition")
    assert first.loc["tied at recall level", "n"] == len(pairs)
    assert first.loc["tied at recall level", "estimate"] == pytest.approx(
        sum(a[0] == b[0] for a, b in pairs) / len(pairs)
    )
    assert first.loc["decided by recall level", "n"] == sum(a != b for a, b in pairs)
    at_1 = [both for both in pairs if 1 in (both[0][0], both[1][0])]
    asked = sum((a[0] == 1) + (b[0] == 1) for a, b in at_1)
    assert first.loc["another run has its first relevant item there", "estimate"] == pytest.approx(
        2 * sum(a[0] == b[0] for a, b in at_1) / asked
    )


def means_by_order(data: Collection, case: Case, system: str, measure: Definition) -> list[float]:
    """A system's mean in the order with the least scores, with the greatest, in trec_eval's, over all."""
    found = []
    for topic in data.topics:
        if topic not in case.runs[system] and data.reading.missing == "skip":
            continue
        scores, grades = case.run(system, topic), case.grades[topic]
        judged = [max(grade, 0) for grade in grades.values()]
        values = [measure(listed, judged, None) for listed in every_order(scores, grades)]
        known = measure(in_order(scores, grades), judged, None)
        found.append((min(values), max(values), known, fmean(values)))
    return [fmean(each) for each in zip(*found, strict=True)]


@pytest.mark.parametrize("missing", ["worst", "skip"])
@pytest.mark.parametrize(
    ("measure", "definition"),
    [
        ("RR", reciprocal_rank),
        ("AP", average_precision),
        ("ISL(n=30)", partial(initial_search_length, size=30)),
    ],
)
def test_another_order_of_ties_moves_systems(
    measure: str, definition: Definition, missing: str
) -> None:
    case = make_case(7, topics=20, systems=9, documents=5)
    for system in ("s0", "s1", "s2", "s3"):
        for run in case.runs[system].values():
            # Scores without ties.
            for place, document in enumerate(run):
                run[document] += place / 100
    data = irpref.collect(case.qrels, case.runs, missing=missing)
    means = {name: means_by_order(data, case, name, definition) for name in data.systems}
    can, moved = set(), set()
    for (one, first), (other, second) in combinations(means.items(), 2):
        if first[0] < second[1] - 1e-9 and second[0] < first[1] - 1e-9:
            can |= {one, other}
        if (first[2] - second[2]) * (first[3] - second[3]) < -1e-12:
            moved |= {one, other}
    assert 0 < len(moved) < len(can) < 9
    frame = irpref.studies.ties(data, [measure, "RPP"], n_resamples=50).frame
    found = frame[frame["condition"].str.startswith("systems that")]
    assert found["estimate"].to_list() == [len(can), len(moved)]
    assert set(found["n"]) == {9}
    assert found["low"].le(found["estimate"]).all()


def test_without_tied_scores_no_order_can_move_a_system() -> None:
    tied = {"1": {"d": 1.0, "e": 1.0}}
    late = {"1": {"e": 2.0, "d": 1.0}}
    ranked = pd.DataFrame(
        {"qid": ["1", "1"], "docno": ["d", "e"], "rank": [1, 2], "score": [1.0, 1.0]}
    )
    for runs, order, found in (
        ({"a": tied, "b": late}, "score", [0, 0]),
        ({"a": late, "b": late}, "score", [None, None]),
        ({"a": ranked, "b": ranked}, "rank", [None, None]),
    ):
        data = irpref.collect({"1": {"d": 1}}, runs, order=order)
        study = irpref.studies.ties(data, ["RR", "TSE"], n_resamples=2)
        moved = study.frame[study.frame["condition"].str.startswith("systems that")]
        assert moved["method"].to_list() == ["RR", "RR"]
        assert moved["estimate"].astype(object).where(
            moved["estimate"].notna(), None
        ).to_list() == (found)
        assert ("Systems that change places" in study.table().to_text()) == (found == [0, 0])


def test_claims_hold_and_fail_and_cannot_be_tested() -> None:
    # Ten relevant items at the same positions, and one that is not.
    many = {str(place): 30.0 - place for place in range(11)}
    late = {**many, "10": 1.0, "x": 2.0}
    tied = [dict.fromkeys(("x", "0", name), 1.0) for name in "ab"]
    for relevant, lists, levels in (
        (many, (many, late), "fails"),
        (["0"], tied, "cannot be tested"),
    ):
        qrels = {topic: dict.fromkeys(relevant, 1) for topic in "12"}
        runs = {name: dict.fromkeys("12", each) for name, each in zip("ab", lists, strict=True)}
        claims = irpref.studies.ties(irpref.collect(qrels, runs), n_resamples=20).claims
        verdicts = claims.set_index("item")["verdict"]
        assert verdicts[["Figure 6", "Section 1"]].to_list() == [levels, "cannot be tested"]
    demo = irpref.studies.ties(irpref.collect(*demo_paths()), n_resamples=20).claims
    verdicts = demo.set_index("item")["verdict"]
    # Where systems are few, few change places.
    assert verdicts[["Figure 6", "Section 1"]].to_list() == ["holds", "cannot be tested"]

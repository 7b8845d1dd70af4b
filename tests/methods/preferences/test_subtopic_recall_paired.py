"""STRPP against its definition: a population for each subtopic and one for any."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.methods.preferences import RPP, STRPP
from tests.literal import WEIGHTS, rounded, subtopic_rpp
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place


@given(
    case=cases(subtopics=3),
    cutoff=st.none() | st.integers(1, 9),
    rel=st.sampled_from((1, 2)),
    weights=st.sampled_from(list(WEIGHTS)),
)
def test_it_is_the_mixture_over_the_subtopics_and_one_for_any(
    case: Case, cutoff: int | None, rel: int, weights: str
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> float:
        return rounded(
            subtopic_rpp(
                case.judgments[topic],
                first,
                second,
                weight=WEIGHTS[weights],
                rel=rel,
                cutoff=cutoff,
            )
        )

    assert_agrees(case, cut(STRPP(weights=weights, rel=rel), cutoff), definition)


@given(case=cases(subtopics=1))
def test_one_subtopic_is_binary_recall_paired_preference(case: Case) -> None:
    """The one subtopic and the background are the same population."""
    collection = case.collect()
    assert np.allclose(matrix(STRPP, collection), matrix(RPP(graded=False), collection), atol=1e-15)


RUNS = {
    "a": {"t": {"d1": 3.0, "d2": 2.0, "d3": 1.0}},
    "b": {"t": {"d2": 3.0, "d1": 2.0, "d3": 1.0}},
}
# d1 is of subtopics 1 and 2, d2 of 2, d3 of 3; d2 counts as its highest grade, 1.
TREC = "t 1 d1 1\nt 2 d1 2\nt 2 d2 1\nt 3 d2 0\nt 3 d3 1\nt 3 d4 -2\n"
# Subtopic 1: 1 item, +1. Subtopic 2: (1, 2) against (1, 2). Subtopic 3: a tie. Any: three ties.
EXPECTED = 1 / (1 + 2 + 1 + 3)


def test_subtopics_that_may_be_judging_rounds_are_doubted() -> None:
    """As in TREC-COVID, where column 2 is the round."""
    rounds = pd.DataFrame(
        {"qid": "t", "iteration": [1, 1, 2], "docno": ["d1", "d2", "d3"], "label": [1, 1, 1]}
    )
    with pytest.warns(UserWarning, match="are they judging rounds"):
        irpref.compare(rounds, RUNS, STRPP)
    shared = pd.concat([rounds, rounds.iloc[:1].assign(iteration=2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        irpref.compare(shared, RUNS, STRPP)
        irpref.compare(rounds, RUNS, RPP)


def test_subtopics_of_a_trec_file_are_those_of_its_column_2(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(TREC)
    assert matrix(STRPP, place(path, RUNS))[0, 0, 1] == pytest.approx(EXPECTED)


@pytest.mark.parametrize("column", ["subtopic", "iteration"])
def test_subtopics_from_a_frame_are_those_of_its_column(column: str) -> None:
    rows = [line.split() for line in TREC.splitlines()]
    frame = pd.DataFrame(rows, columns=["query_id", column, "doc_id", "relevance"])
    frame["relevance"] = frame["relevance"].astype(int)
    assert matrix(STRPP, place(frame, RUNS))[0, 0, 1] == pytest.approx(EXPECTED)


def test_the_background_takes_the_highest_grade() -> None:
    """With rel=2 only d1 counts, and only through subtopic 2: two populations of one item each."""
    rows = [line.split() for line in TREC.splitlines()]
    frame = pd.DataFrame(rows, columns=["qid", "subtopic", "docno", "label"]).astype(
        {"label": float}
    )
    assert matrix(STRPP(rel=2), place(frame, RUNS))[0].tolist() == [[0, 1], [-1, 0]]


def test_qrels_without_subtopics_say_where_they_would_come_from() -> None:
    collection = place({"t": {"d1": 1}}, RUNS)
    with pytest.raises(
        ValueError, match=r"no subtopics; STRPP reads them from column 2 .* 'subtopic'"
    ):
        matrix(STRPP, collection)


def test_real_subtopics_give_what_the_definition_gives(shared_data: Path) -> None:
    """Two topics of the diversity task of TREC 2012, against the definition."""
    judgments: dict[str, dict[tuple[str, str], int]] = {}
    for line in (shared_data / "web12" / "qrels.diversity.txt").read_text().splitlines():
        topic, subtopic, document, grade = line.split()
        judgments.setdefault(topic, {})[document, subtopic] = int(grade)
    paths = sorted((shared_data / "web12" / "runs").iterdir())[:3]
    collection = place(shared_data / "web12" / "qrels.diversity.txt", paths)
    values = matrix(STRPP(weights="dcg"), collection)
    runs = [read_by_hand(path) for path in paths]
    for topic in ("151", "180"):
        t = collection.topic(topic)
        for a, first in enumerate(runs):
            for c, second in enumerate(runs):
                wanted = subtopic_rpp(
                    judgments[topic],
                    first.get(topic, {}),
                    second.get(topic, {}),
                    weight=WEIGHTS["dcg"],
                )
                assert values[t, a, c] == pytest.approx(rounded(wanted), abs=1e-12)


def read_by_hand(path: Path) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = {}
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as lines:
        for line in lines:
            topic, _, document, _, score, *_ = line.split()
            run.setdefault(topic, {})[document] = float(score)
    return run

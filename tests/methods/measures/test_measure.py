"""What every measure has: options, a text, a score for every topic, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from irpref.base.arrays import Floats
from irpref.base.errors import InputError
from irpref.base.reading_options import Reading
from irpref.methods.measures import (
    AP,
    ASL,
    F1,
    RBP,
    RP,
    RR,
    TSE,
    LexiPrecision,
    LexiRecall,
    Measure,
    P,
    R,
    Success,
    TieAP,
    TienDCG,
    nDCG,
)
from irpref.methods.measures.tied_groups import RankedItems
from irpref.methods.names import known_names, parse
from tests.random_cases import place

QRELS = {"t1": {"a": 2, "b": 1, "c": 0}, "t2": {"a": 1}, "none": {"a": 0}}
RUNS = {
    "full": {"t1": {"a": 3.0, "c": 2.0, "b": 1.0}, "t2": {"c": 2.0, "a": 1.0}},
    "half": {"t1": {"c": 2.0, "b": 1.0}, "elsewhere": {"a": 1.0}},
}


@pytest.mark.parametrize(
    "measure",
    [
        AP,
        TieAP @ 10,
        R(rel=2, ties="worst"),
        nDCG(dcg="exp-log2") @ 20,
        nDCG(gains={2: 7, 1: 0.5}, ties="best"),
        TSE(exposure="rbp", persistence=0.5),
        RBP(persistence=0.5, ties="expected") @ 10,
        RR(level=3, ties="expected") @ 10,
        ASL(n=1000, ties="worst"),
        LexiRecall(n=1000) @ 100,
        LexiPrecision(value="share"),
    ],
    ids=str,
)
def test_the_text_gives_the_measure_back(measure: Measure) -> None:
    assert parse(str(measure)) == measure
    assert hash(parse(str(measure))) == hash(measure)


def test_all_are_known_by_their_names() -> None:
    wanted = (
        "P R F1 AP RR nDCG TieP TieR TieF1 TieAP TieRR TienDCG "
        "RP RBP ASL ISL TSL Success TSE LexiRecall LexiPrecision"
    )
    assert set(wanted.split()) <= set(known_names())
    assert parse("TienDCG@10") == TienDCG @ 10
    assert str(TienDCG @ 10) == "TienDCG@10"


def test_missing_topics_and_topics_without_relevant_items_score_nothing() -> None:
    collection = place(QRELS, RUNS)
    assert collection.topics == ("t1", "t2")
    for measure in (P, R, F1, AP, RR, nDCG, RP, RBP, Success, TSE):
        scores = measure.scores(collection)
        assert scores.shape == (2, 2)
        assert scores.dtype == np.float64
        assert scores[1, 1] == 0
        assert measure(rel=2).scores(collection)[1].tolist() == [0, 0]
        assert measure(rel=9).scores(collection).tolist() == [[0, 0], [0, 0]]
    assert AP(rel=9, ties="expected").scores(collection).tolist() == [[0, 0], [0, 0]]
    # The topics without relevant items for this rel give no error and no bonus.
    assert LexiRecall(n=3, rel=2).scores(collection)[1].tolist() == [0, 0]


def test_runs_that_retrieve_nothing_for_any_relevant_topic_score_nothing() -> None:
    collection = place(QRELS, {"elsewhere": {"none": {"a": 1.0}}})
    for measure in (P, R, F1, AP, RR, nDCG, RP, RBP, Success, TSE):
        assert measure.scores(collection).tolist() == [[0], [0]]
    for measure in (P, R, F1, AP, RR, nDCG, RP, RBP, Success):
        assert (measure @ 5)(ties="expected").scores(collection).tolist() == [[0], [0]]


def test_a_cutoff_beyond_the_list_is_no_cutoff_but_for_what_it_divides_by() -> None:
    collection = place(QRELS, RUNS)
    for measure in (R, AP, RR, nDCG, RP, RBP, Success, TSE, ASL(n=9)):
        # The second one is beyond the greatest position that 16 bits can hold, too.
        for cutoff in (1000, 100_000):
            assert np.array_equal((measure @ cutoff).scores(collection), measure.scores(collection))
    assert np.array_equal(
        (LexiRecall(n=9) @ 100_000).scores(collection), LexiRecall(n=9).scores(collection)
    )
    assert (P @ 1000).scores(collection)[0, 0] == 2 / 1000
    assert (F1 @ 998).scores(collection)[0, 0] == 4 / 1000


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AP(ties="expect"), "did you mean 'expected'"),
        (lambda: AP(rel="1"), "rel must be a finite number"),
        (lambda: AP(rel=float("nan")), "rel must be a finite number"),
        (lambda: AP @ 0, "at least 1"),
        (lambda: nDCG(dcg="exp_log"), "did you mean 'exp-log2'"),
        (lambda: nDCG(gains={0: 1}), "grade 0 is not relevant"),
        (lambda: nDCG(gains={-1: 0.5, 1: 1}), "grade -1 is not relevant"),
        (lambda: nDCG(gains={1: -1}), "must not be negative"),
        (lambda: nDCG(gains={1: float("inf")}), "of grade 1 is not a finite number"),
        (lambda: nDCG(gains={1: "2"}), "of grade 1 is not a finite number"),
        (lambda: nDCG(gains={"x": 2, 1: 1}), "a grade must be a finite number"),
        (lambda: nDCG(gains=3), "gains must be"),
        (lambda: TSE(exposure="rbf"), "did you mean 'rbp'"),
        (lambda: TSE(persistence=1), "between 0 and 1"),
        (lambda: RBP(persistence=0), "between 0 and 1"),
        (lambda: RR(level=0), "level must be a whole number of at least 1"),
        (lambda: ASL(n=0), "n must be 'pool' or a whole number"),
        (lambda: TSE(persistence="0.5"), "persistence must be a finite number"),
        (lambda: TSE(ties="expected"), "TSE has no ties='expected'"),
        (lambda: LexiRecall(ties="best"), "LexiRecall has no ties='best'"),
        (lambda: LexiRecall(n=0), "n must be 'pool' or a whole number"),
        (lambda: LexiPrecision(n="all"), "n must be 'pool' or a whole number"),
        (lambda: LexiPrecision(n=10.5), "n must be 'pool' or a whole number"),
        (lambda: LexiPrecision(value="odds"), "did you mean 'log-odds'"),
    ],
)
def test_an_option_that_cannot_be_used_is_refused(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(TypeError, match="did you mean 'ties'"):
        RR(tie="expected")


def test_the_order_of_the_rank_column_has_no_ties() -> None:
    collection = replace(place(QRELS, RUNS), reading=Reading(order="rank"))
    assert AP.scores(collection).shape == (2, 2)
    for ties in ("expected", "best", "worst"):
        with pytest.raises(ValueError, match="order='rank'"):
            AP(ties=ties).scores(collection)


@dataclass(frozen=True)
class Given(Measure):
    """A measure whose scores are given: (T, S)."""

    name = "Given"
    found: tuple[tuple[float, ...], ...] = ()

    def _scores(self, ranked: RankedItems) -> Floats:
        return np.array(self.found)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e101])
def test_one_score_that_no_mean_can_hold_is_named(value: float) -> None:
    placements = place(QRELS, RUNS)
    usable = np.full((len(placements.topics), 2), 1e99)
    assert (
        Given(found=tuple(map(tuple, usable.tolist()))).scores(placements).tolist()
        == usable.tolist()
    )
    for topic, system in np.argwhere(usable).tolist():
        scores = usable.copy()
        scores[topic, system] = value
        with pytest.raises(InputError, match="which no mean can hold") as error:
            Given(found=tuple(map(tuple, scores.tolist()))).scores(placements)
        assert error.value.topic == placements.topics[topic]
        name = placements.systems[system]
        assert error.value.problem.startswith(f"the score of {name} by Given(")
        assert f" is {value:g}, " in error.value.problem


def test_of_several_scores_that_no_mean_can_hold_the_first_is_named() -> None:
    placements = place(QRELS, RUNS)
    with pytest.raises(InputError, match=r"the score of half by .* is inf, ") as error:
        Given(found=((0.5, np.inf), (np.nan, np.nan))).scores(placements)
    assert error.value.topic == "t1"

"""Names, parameters and texts: what ir_measures compares, hashes, prints and parses."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from ir_measures import parse_measure

from irpref_ir_measures import IPSO, LP, RPP, STRPP, LexiRecall, TienDCG, TieP, TieRR, rrLP

RUN = {"1": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize(
    "measure",
    [
        TieRR,
        TieRR @ 10,
        TieP(rel=2, judged_only=True) @ 5,
        TienDCG(dcg="exp-log2", gains={1: 3, 2: 9}) @ 10,
        LexiRecall(n=1000, value="share") @ 100,
        RPP(ref="baseline.run") @ 100,
        RPP(weights="dcg", graded=False, ties="expected", ref='it\'s "here".run'),
        rrLP(ref="b") @ 3,
        IPSO(ref="b", count="nonsep") @ 10,
        IPSO(ref="b", gains={1: 1, 2: "7/3"}) @ 10,
        STRPP(ref="b"),
        LP.against(RUN),
        LP.against(RUN, name="bm25"),
    ],
    ids=repr,
)
def test_texts_parse_back(measure: object) -> None:
    parsed = parse_measure(repr(measure))
    assert parsed == measure
    assert hash(parsed) == hash(measure)
    assert repr(parsed) == repr(measure)
    assert {measure: 1}[parsed] == 1


def test_texts_are_short() -> None:
    assert repr(RPP(ref="baseline.run") @ 100) == "RPP(ref='baseline.run')@100"
    assert repr(RPP.against(RUN, name="bm25") @ 100) == "RPP(ref='bm25')@100"
    assert repr(rrLP(ref="b")) == "LP(magnitude='rr',ref='b')"
    assert repr(IPSO(ref="b", gains={1: 1, 2: 3})) == "IPSO(ref='b',gains={1: 1, 2: 3})"


def test_numpy_and_paths_are_plain_parameters() -> None:
    assert TieRR @ np.int64(10) == TieRR @ 10
    assert TieP(rel=np.float64(2)) @ np.int32(5) == TieP(rel=2.0) @ 5
    assert RPP(ref=Path("runs") / "b.run") == RPP(ref="runs/b.run")
    assert RPP.against(Path("b.run")) == RPP(ref="b.run")
    assert RPP(ref="b", weights=np.array([2.0, 1.0])) == RPP(ref="b", weights=[2.0, 1.0])


def test_runs_without_names_are_told_apart_by_their_content() -> None:
    other = {"1": {"a": 2.0, "b": 1.5}}
    assert RPP.against(RUN) == RPP.against(copy.deepcopy(RUN))
    assert RPP.against(RUN) != RPP.against(other)
    assert RPP.against(RUN, name="x") != RPP.against(RUN, name="y")


def test_a_bound_run_travels_with_copies() -> None:
    bound = RPP.against(RUN, name="bm25")
    for measure in (
        bound @ 10,
        bound(weights="dcg"),
        copy.deepcopy(bound),
        pickle.loads(pickle.dumps(bound)),
    ):
        assert measure.calc_aggregate({"1": {"b": 1}}, {"1": {"b": 1.0}}) == 1


def test_a_bound_run_is_a_snapshot() -> None:
    run = copy.deepcopy(RUN)
    bound = RPP.against(run, name="bm25")
    run["1"].clear()
    assert bound.calc_aggregate({"1": {"a": 1}}, RUN) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RPP", r"RPP\(ref='baseline.run'\) names a file, RPP.against\(run\)"),
        ("RPP(ref='')", "RPP.against"),
        ("RPP(ref='b',weights='dgc')", "did you mean 'dcg'"),
        ("RPP(ref='b')@0", "cutoff must be a whole number of at least 1"),
        ("IPSO(ref='b',count='neq')", "unknown count 'neq'; did you mean 'eq'"),
        ("LexiRecall", r"needs n, .* LexiRecall\(n=1000\)"),
        ("LexiPrecision(n='pool')", "as a number here"),
        ("TieP(rel='x')", "rel must be a finite number"),
        ("TieP(judged_only=1)", "judged_only must be True or False"),
        ("RPP(ref='no/such.run')", r"no run file 'no/such.run'.*\.against\(run"),
    ],
)
def test_mistakes_are_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_measure(text).calc_aggregate({"1": {"a": 1}}, RUN)


def test_an_unknown_parameter_is_refused_at_once() -> None:
    with pytest.raises(
        ValueError, match="unknown parameter of RPP 'weight'; did you mean 'weights'"
    ):
        RPP(weight="dcg")


def test_a_reference_in_memory_must_be_a_run() -> None:
    with pytest.raises(ValueError, match="the reference run 'b'"):
        RPP.against(["no run"], name="b")
    with pytest.raises(ValueError, match="name of a reference run"):
        RPP.against(RUN, name="")

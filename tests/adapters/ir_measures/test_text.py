"""Names, parameters and texts: what ir_measures compares, hashes, prints and parses."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import parse_measure

from irpref_ir_measures import ASL, IPSO, LP, RPP, STRPP, LexiRecall, TienDCG, TieP, TieRR, rrLP

RUN = {"1": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize(
    "measure",
    [
        TieRR,
        TieRR @ 10,
        TieP(rel=2, judged_only=True) @ 5,
        TienDCG(dcg="exp-log2", gains={1: 3, 2: 9}) @ 10,
        LexiRecall(n=1000, value="share") @ 100,
        ASL(n=1000, ties="expected") @ 100,
        TieRR(level=2) @ 100,
        RPP(ref="baseline.run") @ 100,
        RPP(weights="dcg", graded=False, ties="expected", ref='it\'s "here".run'),
        rrLP(ref="b") @ 3,
        IPSO(ref="b", count="nonsep") @ 10,
        IPSO(ref="b", gains={1: 1, 2: "7/3"}) @ 10,
        IPSO(ref="b", gains={-1: 0, 2: Fraction(7, 3), 1: np.float64(0.1)}),
        STRPP(ref="b"),
        STRPP(ref="b", weights=pd.Series([1.0, 0.5])),
        RPP(ref="b", weights=[3, 2.5, 1e-7]) @ 3,
        RPP(ref="b", weights=(5,)),
        RPP(ref="b", weights=np.array([1, 0.1 + 0.2])),
        RPP(ref="b", weights=1 / np.arange(1, 1001)),
        LP(ref="b", ref_order="rank", duplicates="first"),
        LP.against(RUN),
        LP.against(RUN, name="run of this test"),
    ],
    ids=repr,
)
def test_texts_parse_back(measure: Any) -> None:
    parsed = parse_measure(repr(measure))
    assert parsed == measure
    assert hash(parsed) == hash(measure)
    assert repr(parsed) == repr(measure)
    assert {measure: 1}[parsed] == 1
    assert parsed.core() == measure.core()


def test_texts_are_short() -> None:
    assert repr(RPP(ref="baseline.run") @ 100) == "RPP(ref='baseline.run')@100"
    assert repr(RPP.against(RUN, name="bm25") @ 100) == "RPP(ref='bm25')@100"
    assert repr(rrLP(ref="b")) == "LP(magnitude='rr',ref='b')"
    assert repr(IPSO(ref="b", gains={1: 1, 2: 3})) == "IPSO(ref='b',gains={1:1,2:3})"


def test_numpy_and_paths_are_plain_parameters() -> None:
    assert TieRR @ np.int64(10) == TieRR @ 10
    assert TieP(rel=np.float64(2)) @ np.int32(5) == TieP(rel=2.0) @ 5
    assert RPP(ref=Path("runs") / "b.run") == RPP(ref="runs/b.run")
    assert RPP.against(Path("b.run")) == RPP(ref="b.run")
    assert RPP(ref="b", weights=np.array([2.0, 1.0])) == RPP(ref="b", weights=[2, 1])


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
        ("ASL", r"needs n, .* ASL\(n=1000\)"),
        ("TSL", r"needs n, .* TSL\(n=1000\)"),
        ("TieRR(level=0)", "level must be a whole number of at least 1"),
        ("TieP(rel='x')", "rel must be a finite number"),
        ("TieP(judged_only=1)", "judged_only must be True or False"),
        ("TieP(duplicates='fist')", "unknown duplicates 'fist'; did you mean 'first'"),
        ("RPP(ref='b',ref_order='ranks')", "unknown ref_order 'ranks'; did you mean 'rank'"),
        ("RPP(ref='b',weights='1,nan')", "none may be negative or infinite"),
        ("RPP(ref='b',weights={1:2})", "weights must be a name"),
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


def test_weights_without_a_text_are_refused() -> None:
    for weights in (np.sqrt, lambda level: 1 / level):
        with pytest.raises(
            ValueError, match=r"a function has none; give numbers.*weights=function"
        ):
            RPP(ref="b", weights=weights)
    with pytest.raises(ValueError, match="a name or a list of numbers"):
        RPP(ref="b", weights=["many", "few"])


@given(st.lists(st.floats(0, 1e100, exclude_min=True) | st.integers(1, 9), min_size=1, max_size=9))
def test_any_numbers_are_weights_that_parse_back(weights: list[float]) -> None:
    measure = RPP(ref="b", weights=weights)
    assert parse_measure(str(measure)) == measure
    assert measure.core().weights == tuple(map(float, weights))  # type: ignore[attr-defined]


def test_order_says_what_there_is_instead() -> None:
    with pytest.raises(ValueError, match=r"no ranks.*ScoredDoc\(topic, document, -rank\)$"):
        TieRR(order="rank")
    with pytest.raises(ValueError, match=r"ScoredDoc.*; ref_order='rank' orders the reference"):
        RPP(ref="b", order="rank")


NAMES = [
    "TieRR",
    "TieP",
    "TienDCG",
    "TSE",
    "ASL",
    "ISL",
    "LexiRecall",
    "LP",
    "RPP",
    "rrLP",
    "STRPP",
    "IPSO",
]
OPTIONS = [
    "rel",
    "ref",
    "weights",
    "gains",
    "n",
    "count",
    "judged_only",
    "ties",
    "order",
    "ref_order",
]
VALUES = ["1", "-1", "0", "2.5", "1e999", "'b'", "''", "None", "True", "{1:1}", "{'a':2}", "'dcg'"]
texts = st.builds(
    lambda name, options, cutoff: f"{name}({','.join(options)}){cutoff}",
    st.sampled_from(NAMES),
    st.lists(
        st.tuples(st.sampled_from(OPTIONS), st.sampled_from(VALUES)).map("=".join), max_size=3
    ),
    st.sampled_from(
        ["", "@10", "@0", "@-1", "@1.5", "@'k'", "@None", "@True", "@99999999999999999999"]
    ),
)


def _validated(text: str) -> Any:
    """The measure of a text; None if it has an error that a user can read."""
    try:
        measure = parse_measure(text)
        measure.validate_params()
    except ValueError as error:
        return None if str(error) else error
    return measure


@given(texts)
def test_any_text_is_a_measure_that_parses_back_or_a_clear_error(text: str) -> None:
    measure = _validated(text)
    assert measure is None or parse_measure(str(measure)) == measure


def test_a_reference_in_memory_must_be_a_run() -> None:
    with pytest.raises(ValueError, match="the reference run 'b'"):
        RPP.against(["no run"], name="b")
    with pytest.raises(ValueError, match="name of a reference run"):
        RPP.against(RUN, name="")

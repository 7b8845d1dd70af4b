"""A preference over the first run that it is evaluated on."""

from __future__ import annotations

import pickle
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irpref_ir_measures import IPSO, LP, LR, RPP, TieRR

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}, "3": {"b": 0}}
FIRST = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0, "b": 2.0}}
SECOND = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}}

RUNS = st.lists(
    st.fixed_dictionaries(
        {t: st.dictionaries(st.sampled_from("abcd"), st.sampled_from([1.0, 2.0])) for t in QRELS}
    ),
    min_size=1,
    max_size=4,
)


def values(measures: Any, run: Any) -> dict[Any, float]:
    found = ir_measures.iter_calc(measures, QRELS, run)
    return {(each.measure.NAME, each.query_id): each.value for each in found}


@pytest.mark.slow
@given(RUNS)
def test_its_values_are_those_against_the_first_run(
    runs: list[dict[str, dict[str, float]]],
) -> None:
    assume(any(runs[0].values()))  # against() takes no empty run
    measures = [RPP, LP @ 2, LR, IPSO(ties="expected") @ 3]
    bound = [measure.against(runs[0]) for measure in measures]
    first = [measure.over_first() for measure in measures]
    for run in runs:
        assert values(first, run) == values(bound, run)
    assert not any(values(first, runs[0]).values())


def test_its_first_run_is_its_own() -> None:
    early, late = RPP.over_first(), LP.over_first()
    assert set(values([early], FIRST).values()) == {0}
    # In one call, one of them has another first run.
    found = values([early, late, TieRR], SECOND)
    # On topic 2, a is found earlier at level 1 of both grades; c at level 2 of one is never found.
    assert [found["RPP", topic] for topic in QRELS] == pytest.approx([-1, 2 / 3, 0])
    assert [found["LP", topic] for topic in QRELS] == [0, 0, 0]
    assert (early @ 10).calc_aggregate(QRELS, SECOND) == pytest.approx((-1 + 2 / 3) / 3)


def test_other_qrels_and_a_second_call_are_refused() -> None:
    measure = RPP.over_first()
    assert ir_measures.run_inputs([measure]) == ir_measures.run_inputs([measure])
    measure.calc_aggregate(QRELS, FIRST)
    with pytest.raises(
        ValueError, match=r"RPP\(ref='<first>'\): .* other qrels .* \.over_first\(\)"
    ):
        measure.calc_aggregate({"1": QRELS["1"]}, FIRST)
    with pytest.raises(
        ValueError, match=r"RPP\(ref='<first>'\) has its first run of an earlier call"
    ):
        ir_measures.run_inputs([measure])


def test_what_it_cannot_do_is_said() -> None:
    with pytest.raises(TypeError, match=r"each process would see another first run"):
        pickle.dumps(RPP.over_first())
    with pytest.raises(ValueError, match=r"no ranks: leave ref_order= out"):
        RPP.over_first()(ref_order="rank").calc_aggregate(QRELS, FIRST)
    with pytest.raises(ValueError, match=r"there is no run file '<first>'"):
        ir_measures.calc_aggregate([ir_measures.parse_measure(str(LR.over_first()))], QRELS, FIRST)


def test_a_run_of_other_topics_is_said() -> None:
    with pytest.warns(UserWarning, match="the evaluated run has no topic in common with the qrels"):
        assert RPP.against(FIRST).calc_aggregate(QRELS, {"9": {"a": 1.0}}) < 0
    with pytest.raises(ValueError, match=r"ref= takes no frame: \.against\(run\)"):
        RPP(ref=pd.DataFrame(FIRST))


@pytest.mark.parametrize(
    "make", [lambda _: RPP.over_first(), RPP.against], ids=["first", "against"]
)
def test_a_frame_that_changes_later_does_not_change_the_reference(make: Any) -> None:
    rows = [(topic, d, s) for topic, found in FIRST.items() for d, s in found.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    measure = make(frame)
    assert measure.calc_aggregate(QRELS, frame) == 0
    frame.loc[:, "score"] = -frame["score"]
    assert measure.calc_aggregate(QRELS, frame) == pytest.approx((-1 + 2 / 3) / 3)


def test_qrels_in_another_order_are_the_same() -> None:
    measure = RPP.over_first()
    measure.calc_aggregate(QRELS, FIRST)
    turned = {topic: dict(reversed(QRELS[topic].items())) for topic in reversed(QRELS)}
    assert measure.calc_aggregate(turned, FIRST) == 0
    with pytest.raises(ValueError, match=r"name of a reference run must be a text, not '<first>'"):
        RPP.against(FIRST, name="<first>")

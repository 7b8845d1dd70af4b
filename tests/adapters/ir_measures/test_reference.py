"""Reference runs: one name is one run, how they are ordered, and what errors call them."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path

import ir_measures
import pandas as pd
import pytest
from ir_measures import parse_measure

from irpref_ir_measures import LP, RPP, TieAP

QRELS = {"1": {"a": 1, "b": 0}}
FIRST = {"1": {"a": 2.0, "b": 1.0}}
SECOND = {"1": {"b": 2.0, "a": 1.0}}


def test_two_different_runs_of_one_name_are_refused() -> None:
    one = RPP.against(FIRST, name="mine")
    with pytest.raises(ValueError, match=r"two different reference runs are both called 'mine'"):
        LP.against(SECOND, name="mine")
    # The same content is the same run, in any order and of any kind.
    rows = pd.DataFrame({"qid": ["1", "1"], "docno": ["b", "a"], "score": [1, 2]})
    assert LP.against(rows, name="mine").reference is one.reference
    assert RPP.against(SECOND, name="other") != one


def test_a_name_is_free_when_no_measure_has_it() -> None:
    one = RPP.against(FIRST, name="for a while")
    assert one.calc_aggregate(QRELS, SECOND) == -1
    del one
    gc.collect()
    assert RPP.against(SECOND, name="for a while").calc_aggregate(QRELS, FIRST) == 1


def test_a_copy_cannot_bring_a_second_run_of_a_name() -> None:
    packed = pickle.dumps(RPP.against(FIRST, name="packed"))
    gc.collect()
    other = LP.against(SECOND, name="packed")
    with pytest.raises(ValueError, match="both called 'packed'"):
        pickle.loads(packed)
    assert copy.deepcopy(other).reference is other.reference


FORKED = """
import multiprocessing, warnings
warnings.simplefilter("ignore")
from irpref_ir_measures import RPP

RUN = {"1": {"a": 2.0, "b": 1.0}}

def compared(measure):
    again = RPP(ref=measure.reference)
    try:
        return measure.calc_aggregate({"1": {"a": 1}}, RUN)
    except RuntimeError as error:
        return f"{measure} {again == measure} {error}"

if __name__ == "__main__":
    measure = RPP.against(RUN, name="first")
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.apply_async(compared, (measure,)).get(timeout=60))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_gets_it_and_is_refused_what_it_cannot_do(tmp_path: Path) -> None:
    """The name is held there already, and the two runs of it are compared."""
    program = tmp_path / "program.py"
    program.write_text(FORKED)
    ended = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.stdout.startswith("RPP(ref='first') True this process was forked"), ended.stderr


def test_a_text_with_the_name_of_a_run_in_memory_stands_for_it() -> None:
    bound = RPP.against(FIRST, name="in memory")
    parsed = parse_measure(str(bound))
    assert parsed.calc_aggregate(QRELS, SECOND) == bound.calc_aggregate(QRELS, SECOND) == -1


def test_a_file_and_a_run_in_memory_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.run"
    path.write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n")
    by_path = RPP(ref=path)
    assert by_path.calc_aggregate(QRELS, FIRST) == 1
    in_memory = RPP.against(FIRST, name=str(path))
    assert in_memory == by_path
    for measure in (by_path, in_memory):
        with pytest.raises(ValueError, match="is a file and the name of a run in memory"):
            measure.calc_aggregate(QRELS, FIRST)


def test_the_rank_column_may_order_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "tied.run"
    path.write_text("1 Q0 a 1 0 t\n1 Q0 b 2 0 t\n")
    run = {"1": {"a": 1.0}}
    asked = [RPP(ref=path), RPP(ref=path, ref_order="rank"), RPP(ref=path, ties="expected")]
    found = ir_measures.calc_aggregate(asked, QRELS, run)
    # By score (with a warning), b comes before a (names descending); by rank a is first.
    assert [found[measure] for measure in asked] == [1, 0, 0.5]
    frame = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "score": 0.0, "rank": [0, 1]})
    bound = RPP.against(frame, name="frame")
    assert bound.calc_aggregate(QRELS, run) == 1
    by_rank = bound(ref_order="rank")
    assert by_rank.calc_aggregate(QRELS, run) == by_rank(ties="expected").calc_aggregate(QRELS, run)
    with pytest.raises(ValueError, match=r"^the reference run no ranks.* ref_order='rank' needs"):
        RPP.against(FIRST, name="no ranks")(ref_order="rank").calc_aggregate(QRELS, run)
    same = RPP.against(frame.assign(rank=0), name="same ranks")
    with pytest.raises(ValueError, match=r"orders nothing.* with ref_order='score'$"):
        same(ref_order="rank").calc_aggregate(QRELS, run)


def test_a_doubtful_order_of_the_reference_is_said(tmp_path: Path) -> None:
    path = tmp_path / "rising.run"
    path.write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")
    with pytest.warns(
        UserWarning, match=r"contradicts the scores.*\(ref_order='rank' uses the ranks\)"
    ):
        assert RPP(ref=path).calc_aggregate(QRELS, FIRST) == 1
    assert RPP(ref=path, ref_order="rank").calc_aggregate(QRELS, FIRST) == 0


def test_a_repeated_document_counts_once_where_that_is_asked() -> None:
    twice = [ir_measures.ScoredDoc("1", "a", score) for score in (3.0, 1.0)]
    twice.append(ir_measures.ScoredDoc("1", "b", 2.0))
    with pytest.raises(
        ValueError, match=r"the evaluated run.*document a: .* twice.*TieAP\(duplicates='first'\)"
    ):
        TieAP.calc_aggregate(QRELS, twice)
    bound = RPP.against(twice, name="repeating")
    with pytest.raises(
        ValueError, match=r"^the reference run repeating, .* twice.*RPP\(duplicates='first'\)"
    ):
        bound.calc_aggregate(QRELS, FIRST)
    asked = [TieAP(duplicates="first"), bound(duplicates="first"), RPP.against(SECOND, name="2")]
    once = [ir_measures.ScoredDoc(*row) for row in (("1", "a", 3.0), ("1", "b", 2.0))]
    assert ir_measures.calc_aggregate(asked[:2], QRELS, twice) == dict(
        zip(asked, (1, 0), strict=False)
    )
    assert ir_measures.calc_aggregate(asked, QRELS, once) == dict(
        zip(asked, (1, 0, 1), strict=True)
    )


def test_too_few_weights_are_explained_without_a_function() -> None:
    bound = RPP(weights=[1]).against(FIRST, name="b")
    with pytest.raises(ValueError, match=r"weights: a topic has 2 relevant .* needs 2 .* not 1"):
        bound.calc_aggregate({"1": {"a": 1, "b": 1}, "2": {"a": 1}}, SECOND)


def test_runs_that_are_read_differently_do_not_disturb_each_other() -> None:
    twice = [ir_measures.ScoredDoc("1", "a", score) for score in (3.0, 1.0)]
    lenient = RPP(duplicates="first").against(twice, name="repeats")
    strict = RPP.against(SECOND, name="repeats nothing")
    found = ir_measures.calc_aggregate([lenient, strict], QRELS, FIRST)
    assert (found[lenient], found[strict]) == (0, 1)


def test_a_reference_may_have_any_name() -> None:
    for name in ("the evaluated run", "reference", "ranked reference", "reference b", "b by rank"):
        bound = RPP.against(SECOND, name=name)
        assert bound.calc_aggregate(QRELS, FIRST) == 1

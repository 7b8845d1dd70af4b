"""What a collection keeps, as frames: its judgments, and the first documents of its runs."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from tests.literal import ranked, tied_group
from tests.positions.cut_files import assert_same, from_rankings, make_files
from tests.random_cases import Case, cases


@settings(max_examples=10)
@given(case=cases(systems=2, subtopics=2))
def test_judgments_are_the_rows_of_the_qrels(case: Case) -> None:
    frame = irpref.collect(case.qrels, case.runs).judgments
    rows = case.qrels.select("query_id", "doc_id", "relevance", "subtopic").rows()
    assert frame.columns.to_list() == ["topic", "document", "grade", "subtopic"]
    assert list(frame.itertuples(index=False, name=None)) == rows


@settings(max_examples=10)
@given(case=cases(systems=2), first=st.sampled_from([1, 3, 100]))
def test_lists_are_the_first_documents_with_their_tied_groups(case: Case, first: int) -> None:
    frame = irpref.collect(case.qrels, case.runs, lists=first).lists
    found = {
        (row.system, row.topic, row.position): (row.document, row.tie_first, row.tie_last)
        for row in frame.itertuples()
    }
    assert len(found) == len(frame)
    assert found == {
        (system, topic, position): (document, *tied_group(scores, document))
        for system, lists in case.runs.items()
        for topic, scores in lists.items()
        for position, document in enumerate(ranked(scores)[:first], start=1)
    }
    for row in frame.itertuples():
        grade = case.grades[row.topic].get(row.document)
        assert row.grade == grade if grade is not None else np.isnan(row.grade)


def test_lists_that_were_not_kept_are_refused() -> None:
    data = irpref.collect({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}})
    with pytest.raises(ValueError, match="the lists were not kept"):
        _ = data.lists


def test_judgments_are_a_mask_of_any_kind_or_a_function_of_their_frame() -> None:
    data = from_rankings(make_files(3), {})
    frame = data.judgments
    wanted = data.select(judgments=(frame["grade"] >= 1).to_numpy())
    mask = frame["grade"] >= 1
    kinds = (mask, mask.to_list(), tuple(mask), pl.Series(mask.to_list()), mask.astype("boolean"))
    for given_mask in kinds:
        assert_same(data.select(judgments=given_mask), wanted)
    assert_same(data.select(judgments=lambda judged: judged["grade"] >= 1), wanted)
    assert len(wanted.judgments) == np.count_nonzero(mask)
    again = wanted.select(judgments=lambda judged: judged["grade"] >= 2)
    assert_same(again, data.select(judgments=frame["grade"] >= 2))

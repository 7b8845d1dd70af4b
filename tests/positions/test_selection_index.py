"""What is kept suffices for pools of a part, or it is said what would."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from tests.positions.cut_files import (
    COMBINATIONS,
    SEEDS,
    WHOLE,
    Files,
    Line,
    Options,
    assert_frames,
    assert_same,
    collect,
    cut,
    files_for,
    lists_of,
    make_part,
    readings,
    refusal,
)

POOLED = ["LexiRecall", "LexiPrecision(value='share')"]
CHANGED = r"select\(systems=…\) or select\(depth=…\)"


def with_pools(reading: Options, seed: int) -> Files:
    """Random files of which no run is left with nothing if t0 and its document d0 are kept."""
    files = files_for(reading, seed)
    runs = {}
    for name, lines in files.runs.items():
        others = [line for line in lines if line[:2] != ("t0", "d0")]
        # Ahead of all, so that it is there down to any depth.
        runs[name] = [*others, Line("t0", "d0", 9.0, 0)]
    return replace(files, runs=runs)


def keeping_something(part: Options, files: Files) -> Options:
    """The part with t0 and all judgments of its document d0."""
    kept = dict(part)
    if "topics" in part:
        kept["topics"] = list(dict.fromkeys(["t0", *part["topics"]]))
    if "judgments" in part:
        kept["judgments"] = [
            keep or line[:2] == ("t0", "d0")
            for keep, line in zip(part["judgments"], files.qrels, strict=True)
        ]
    return kept


def lists_are_whole(files: Files, reading: Options) -> bool:
    """Whether all documents of the runs are among those that are kept of their lists."""
    lengths = [
        len(listed)
        for lines in files.runs.values()
        for topic, listed in lists_of(lines, reading, files.judged).items()
        if topic in files.topics
    ]
    return reading["lists"] is not None and max(lengths) <= reading["lists"]


@pytest.mark.parametrize("chosen", COMBINATIONS, ids="+".join)
@settings(max_examples=2)
@given(
    seed=SEEDS,
    reading=readings(),
    lists=st.sampled_from([None, 3, WHOLE, WHOLE]),
    second=st.sampled_from([(), *COMBINATIONS]),
)
def test_pools_are_counted_as_in_the_cut_files_or_not_known(
    chosen: tuple[str, ...],
    seed: int,
    reading: Options,
    lists: int | None,
    second: tuple[str, ...],
) -> None:
    reading = {**reading, "lists": lists}
    files, rng = with_pools(reading, seed), random.Random(seed)
    data, changed = collect(files, reading), False
    for names in (chosen, second):
        part = keeping_something(make_part(rng, files, names), files)
        if refusal(files, part, reading) is not None:
            return
        data, files = data.select(**part), cut(files, part, reading)
        changed |= "systems" in part or "depth" in part
        if not changed or lists_are_whole(files, reading):
            reference = collect(files, reading)
            assert_frames(data.evaluate(POOLED), reference.evaluate(POOLED), ordered=True)
        else:
            for measure in POOLED:
                with pytest.raises(ValueError, match=CHANGED):
                    data.evaluate(measure)
    if not second:
        assert_same(data, collect(files, reading), duplicates=False)


def test_a_pool_is_known_again_once_the_lists_that_are_left_were_kept_whole() -> None:
    run = {"1": {"d1": 3.0, "u1": 2.0, "u2": 1.0}, "2": {"d1": 1.0}}
    data = irpref.collect({"1": {"d1": 1}, "2": {"d1": 1}}, {"a": run, "b": run}, lists=1)
    deeper = data.select(depth=2)
    with pytest.raises(ValueError, match=CHANGED):
        deeper.evaluate("LexiRecall")
    # What is kept suffices, as it does without the step between.
    for part in ({"depth": 1}, {"topics": ["2"]}, {"systems": ["a"], "topics": ["2"]}):
        at_once = data.select(**{"depth": 2, **part}).evaluate("LexiRecall")
        assert_frames(deeper.select(**part).evaluate("LexiRecall"), at_once, ordered=True)


def test_a_pool_loses_what_only_the_judgments_that_are_left_out_had() -> None:
    qrels = {"1": {"d1": 1, "d2": 1, "d3": 0}}
    data = irpref.collect(qrels, {"a": {"1": {"d1": 2.0, "u": 1.0}}})
    assert data.placements.pool.tolist() == [4]
    assert data.select(judgments=[True, True, False]).placements.pool.tolist() == [3]
    assert data.select(judgments=[False, True, False]).placements.pool.tolist() == [3]


def test_a_pool_of_judged_documents_only_loses_those_that_are_not_judged_any_more() -> None:
    qrels = {"1": {"d1": 1, "d2": 1, "d3": 0}}
    run = {"1": {"d1": 3.0, "d2": 2.0, "u": 1.0}}
    data = irpref.collect(qrels, {"a": run}, judged_only=True, lists=2)
    assert data.placements.pool.tolist() == [3]
    assert data.select(judgments=[True, False, True]).placements.pool.tolist() == [2]
    assert data.select(judgments=[True, False, False]).placements.pool.tolist() == [1]

"""A part of a collection is what reading would give if the files had been cut to it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import Collection
from tests.positions.cut_files import (
    CHOICES,
    COMBINATIONS,
    SEEDS,
    WHOLE,
    Files,
    Judgment,
    Line,
    Options,
    assert_frames,
    assert_same,
    assert_same_results,
    cut,
    files_for,
    from_rankings,
    make_files,
    make_part,
    placed,
    readings,
    refusal,
)

# The claim


def assert_selects(
    files: Files, parts: Sequence[Options], reading: Options, *, ordered: bool = True
) -> None:
    """Each part, taken of the one before, is what reading the cut files gives; or it is refused."""
    data = from_rankings(files, reading)
    duplicates = True
    for part in parts:
        wrong = refusal(files, part, reading)
        if wrong is not None:
            with pytest.raises(ValueError, match=wrong):
                data.select(**part)
            return
        data, files = data.select(**part), cut(files, part, reading)
        # Repeated documents below a depth were left out nevertheless.
        duplicates &= "depth" not in part
        reference = from_rankings(files, reading)
        assert_same(data, reference, ordered=ordered, duplicates=duplicates)


@settings(max_examples=40)
@given(chosen=st.sampled_from(COMBINATIONS), seed=SEEDS, reading=readings())
def test_a_part_is_what_the_cut_files_give(
    chosen: tuple[str, ...], seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    assert_selects(files, [make_part(random.Random(seed), files, chosen)], reading)


@settings(max_examples=14)
@given(
    chosen=st.sampled_from([chosen for chosen in COMBINATIONS if "judgments" in chosen]),
    seed=SEEDS,
    reading=readings(judged_only=True, lists=WHOLE),
)
def test_a_part_of_the_judgments_takes_unjudged_documents_out_of_whole_lists(
    chosen: tuple[str, ...], seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    assert_selects(files, [make_part(random.Random(seed), files, chosen)], reading)


@settings(max_examples=8)
@given(seed=SEEDS, reading=readings(judged_only=True), lists=st.integers(1, 8))
def test_short_lists_suffice_for_a_part_that_is_not_deeper(
    seed: int, reading: Options, lists: int
) -> None:
    reading = {**reading, "lists": lists}
    files = files_for(reading, seed)
    rng = random.Random(seed)
    part = {**make_part(rng, files, ("judgments",)), "depth": rng.randint(1, lists)}
    assert_selects(files, [part], reading)


@settings(max_examples=12)
@given(
    seed=SEEDS,
    reading=readings(),
    first=st.sampled_from(COMBINATIONS),
    second=st.sampled_from(COMBINATIONS),
)
def test_a_part_of_a_part_is_what_files_that_are_cut_twice_give(
    seed: int, reading: Options, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    if reading["judged_only"] and reading["lists"] is None:
        reading = {**reading, "lists": WHOLE}
    files, rng = files_for(reading, seed), random.Random(seed)
    part = make_part(rng, files, first)
    left = cut(files, part, reading)
    # Of a part that is refused there is no part.
    again = [make_part(rng, left, second)] if left.qrels else []
    assert_selects(files, [part, *again], reading)


@settings(max_examples=8)
@given(seed=SEEDS, reading=readings(), chosen=st.sampled_from(COMBINATIONS))
def test_a_part_is_the_same_where_the_judgments_of_a_topic_are_not_together(
    seed: int, reading: Options, chosen: tuple[str, ...]
) -> None:
    files = files_for(reading, seed, grouped=False)
    part = make_part(random.Random(seed), files, chosen)
    assert_selects(files, [part], reading, ordered=False)


def test_a_repeated_document_that_is_not_judged_any_more_is_not_counted() -> None:
    qrels = [Judgment("1", "d1", 1.0, None), Judgment("1", "d2", 1.0, None)]
    run = [Line("1", document, 1.0, 1) for document in ("d1", "d2", "d2")]
    reading: Options = {"duplicates": "first", "judged_only": True, "lists": 2}
    data = from_rankings(Files(qrels, {"a": run}), reading)
    assert data.coverage.duplicates == {"a": 1}
    assert from_rankings(Files(qrels[:1], {"a": run}), reading).coverage.duplicates == {}
    assert data.select(judgments=[True, False]).coverage.duplicates == {}


def test_a_tied_group_that_straddles_the_depth_loses_its_end() -> None:
    runs = {"a": {"1": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}, "b": {"1": {"d1": 2.0, "d3": 1.0}}}
    data = irpref.collect({"1": {"d1": 1, "d2": 1, "d3": 1}}, runs, lists=3).select(depth=2)
    assert placed(data)["1", "d3", "a"] == [1, 1, 2]
    assert placed(data)["1", "d1", "a"] == [np.inf] * 3
    assert data.lists["tie_last"].to_list() == [2, 2, 1, 2]


def test_a_topic_that_has_no_judgment_any_more_is_not_in_the_qrels() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}}
    for judged_only in (False, True):
        data = irpref.collect(qrels, runs, lists=5, judged_only=judged_only)
        part = data.select(judgments=[True, False])
        assert part.placements.by_topic.topics == ("1",)
        assert part.coverage.ignored_topics == {"a": 1}


LONG: Options = {"lists": 33000}


@pytest.fixture(scope="module")
def long_lists() -> tuple[Files, Collection]:
    """A long list and a short one, and what reading makes of them."""
    lengths = {"long": 40000, "short": 3}
    documents = [1, 2, 32767, 32768, 35001, 39999]
    qrels = [Judgment("1", f"d{number}", 1.0, None) for number in [*documents, 50000]]
    runs = {
        name: [
            Line("1", f"d{number}", float(-(number // 10)), number)
            for number in range(1, length + 1)
        ]
        for name, length in lengths.items()
    }
    files = Files(qrels, runs)
    return files, from_rankings(files, LONG)


@pytest.mark.parametrize("depth", [2, 32766, 32767, 32768, 35000, 39000, 10**6, 2**31 - 1])
def test_lists_of_any_length_are_cut_at_any_depth(
    depth: int, long_lists: tuple[Files, Collection]
) -> None:
    files, data = long_lists
    for part in ({"systems": ["long"], "depth": depth}, {"systems": ["short"], "depth": depth}):
        reference = from_rankings(cut(files, part, LONG), LONG)
        assert_same(data.select(**part), reference, duplicates=False)


@settings(max_examples=10)
@given(seed=SEEDS, reading=readings(), depth=st.integers(1, 12))
def test_reading_to_a_depth_is_reading_files_that_are_cut(
    seed: int, reading: Options, depth: int
) -> None:
    files = files_for(reading, seed)
    data = from_rankings(files, {**reading, "depth": depth})
    cut_files = cut(files, {"depth": depth}, reading)
    assert_same(data, from_rankings(cut_files, reading), duplicates=False)
    if refusal(files, {"depth": depth}, reading) is None:
        selected = from_rankings(files, reading).select(depth=depth)
        assert_same(data, selected)
        assert data.reading == selected.reading


def test_a_depth_counts_the_documents_that_judged_only_leaves_out() -> None:
    qrels, run = {"1": {"d": 1, "e": 1}}, {"1": {"x": 3.0, "d": 2.0, "e": 1.0}}
    for lists in (None, 2):
        data = irpref.collect(qrels, {"a": run}, judged_only=True, lists=lists)
        if lists is None:
            with pytest.raises(
                ValueError, match=r"select\(depth=…\) after judged_only=True .*lists=2"
            ):
                data.select(depth=2)
            # Nothing is cut.
            assert data.select(depth=3).evaluate("R")["value"].to_list() == [1.0]
        else:
            assert data.select(depth=2).evaluate("R")["value"].to_list() == [0.5]
    cut_now = irpref.collect(qrels, {"a": run}, judged_only=True, depth=2)
    assert cut_now.evaluate("R")["value"].to_list() == [0.5]


# One select and several


@settings(max_examples=7)
@given(seed=SEEDS, reading=readings())
def test_selecting_everything_changes_nothing(seed: int, reading: Options) -> None:
    files = files_for(reading, seed)
    data = from_rankings(files, reading)
    assert_same(data.select(), data)
    everything: Options = {"topics": files.topics, "systems": data.systems, "depth": WHOLE}
    if not reading["judged_only"] or reading["lists"] == WHOLE:
        everything["judgments"] = np.ones(len(files.qrels), dtype=np.bool_)
    part = data.select(**everything)
    strangers = data.coverage.ignored_topics
    if strangers:
        # Files that are cut to topics have no others.
        assert part.coverage.ignored_topics == {}
        part = data.select(**{**everything, "topics": None})
    assert_same(part, data)


@settings(max_examples=7)
@given(seed=SEEDS, reading=readings(lists=WHOLE))
def test_one_select_is_a_chain_of_them_in_the_order_of_their_effect(
    seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, CHOICES)
    judged = {line.topic for line, kept in zip(files.qrels, part["judgments"], strict=True) if kept}
    # A topic without judgments cannot be named in a chain.
    part["topics"] = [topic for topic in part["topics"] if topic in judged]
    if not part["topics"] or refusal(files, part, reading) is not None:
        return
    data = from_rankings(files, reading)
    chained = data
    for name in ("judgments", "topics", "systems", "depth"):
        chained = chained.select(**{name: part[name]})
    assert_same(chained, data.select(**part))


@settings(max_examples=6)
@given(seed=SEEDS, reading=readings())
def test_topics_systems_and_depth_can_be_selected_in_any_order(seed: int, reading: Options) -> None:
    if reading["judged_only"]:
        # Lists of other systems or topics may be too short to be cut first.
        reading = {**reading, "lists": WHOLE}
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, ("topics", "systems", "depth"))
    if refusal(files, part, reading) is not None:
        return
    data = from_rankings(files, reading)
    at_once = data.select(**part)
    for names in (("depth", "systems", "topics"), ("systems", "topics", "depth")):
        chained = data
        for name in names:
            chained = chained.select(**{name: part[name]})
        assert_same(chained, at_once)
    deeper = data.select(topics=part["topics"], depth=part["depth"] + 3).select(
        systems=part["systems"], depth=part["depth"]
    )
    assert_same(deeper, at_once)


@settings(max_examples=5)
@given(seed=SEEDS, reading=readings(lists=WHOLE), chosen=st.sampled_from(COMBINATIONS))
def test_selecting_leaves_the_collection_as_it_is(
    seed: int, reading: Options, chosen: tuple[str, ...]
) -> None:
    files, rng = files_for(reading, seed), random.Random(seed)
    data, untouched = (from_rankings(files, reading) for _ in range(2))
    for _ in range(2):
        part = make_part(rng, files, chosen)
        if refusal(files, part, reading) is None:
            # What is asked of a part must not reach the whole either.
            assert_same_results(data.select(**part), data.select(**part), ordered=True)
    assert_same(data, untouched)


def test_topics_and_documents_that_are_numbers_are_selected_by_their_names() -> None:
    judgments = pl.DataFrame({"topic": [7, 7, 10], "document": [1, 2, 1], "grade": [1.0, 0.0, 2.0]})
    run = pl.DataFrame({"topic": [7, 7, 10], "document": [2, 1, 1], "score": [3.0, 2.0, 1.0]})
    reading: Options = {"lists": 3, "judged_only": True}
    data = Collection.from_rankings(judgments, {"a": run, "b": run.head(1)}, **reading)
    for topics in ([7], ["7"], "7", iter([7]), np.array([7])):
        cut_files = [table.filter(pl.col("topic") == 7) for table in (judgments, run, run.head(1))]
        reference = Collection.from_rankings(
            cut_files[0], dict(zip("ab", cut_files[1:], strict=True)), **reading
        )
        assert_same(data.select(topics=topics), reference)
    kept = pl.Series([True, False, True])
    reference = Collection.from_rankings(
        judgments.filter(kept), {"a": run, "b": run.head(1)}, **reading
    )
    assert_same(data.select(judgments=kept), reference)


def test_the_signature_says_what_was_selected() -> None:
    data = from_rankings(make_files(1, topics=4, systems=3), {})
    judged = len(data.judgments)
    part = data.select(systems=["s2", "s0"], depth=5).select(
        judgments=[True] * (judged - 1) + [False], depth=9
    )
    signature = part.compare("RPP").signature("RPP")
    said = f"|depth:5|selected:systems=2/3#,judgments={judged - 1}/{judged}#|"
    assert said in re.sub("#[0-9a-f]{8}", "#", signature)
    assert "selected" not in data.compare("RPP").signature("RPP")
    assert "2 systems" in repr(part)


# What is refused


@pytest.fixture(scope="module")
def data() -> Collection:
    qrels = {"301": {"d1": 1, "d2": 0}, "302": {"d1": 2}, "303": {"d1": 0}}
    run = {"301": {"d1": 2.0, "d2": 1.0, "u": 0.5}, "302": {"d1": 1.0}}
    return irpref.collect(qrels, {"bm25": run, "bm25-prf": run, "tfidf": run})


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"topics": ["31"]}, r"unknown topic '31' \(known: 301, 302, 303\)"),
        ({"topics": [301, "999x"]}, "unknown topic '999x'"),
        ({"systems": ["bm52-prf"]}, "unknown system 'bm52-prf'; did you mean 'bm25-prf'"),
        ({"topics": []}, r"select\(topics=…\) names none"),
        ({"systems": ()}, r"select\(systems=…\) names none"),
        ({"topics": [301, "302", "301"]}, r"select\(topics=…\) names 301 twice"),
        ({"systems": ["bm25", "tfidf", "tfidf"]}, r"select\(systems=…\) names tfidf twice"),
        ({"judgments": [True]}, "takes 4 booleans, one for each row of .judgments"),
        ({"judgments": [[True, True, True, True]]}, "takes 4 booleans"),
        ({"judgments": [True] * 5}, "takes 4 booleans"),
        ({"judgments": True}, "takes 4 booleans"),
        ({"judgments": [1, 0, 1, 1]}, "takes 4 booleans"),
        ({"judgments": [0, 1]}, "takes 4 booleans"),
        ({"judgments": ["301"] * 4}, "takes 4 booleans"),
        ({"judgments": lambda judged: judged["grade"]}, "takes 4 booleans"),
        ({"judgments": lambda judged: judged.set_index("document")}, "takes 4 booleans"),
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"depth": -3}, "depth must be a whole number of at least 1, not -3"),
        ({"depth": 2.0}, r"depth must be a whole number of at least 1, not 2\.0"),
        ({"depth": True}, "depth must be a whole number of at least 1, not True"),
        ({"topics": ["303"]}, "nothing relevant is left"),
        ({"judgments": [False] * 4}, "nothing relevant is left"),
        ({"judgments": [False, True, False, True]}, "nothing relevant is left"),
        ({"judgments": [True, True, False, True], "topics": [302]}, "nothing relevant is left"),
    ],
)
def test_what_cannot_be_selected_is_refused(data: Collection, part: Options, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        data.select(**part)


def test_a_topic_that_has_lost_its_judgments_is_unknown(data: Collection) -> None:
    part = data.select(judgments=lambda judged: judged["topic"] != "302")
    with pytest.raises(ValueError, match="unknown topic '302'"):
        part.select(topics=["302"])


def test_systems_that_were_not_selected_are_unknown(data: Collection) -> None:
    with pytest.raises(ValueError, match="unknown system 'tfidf'"):
        data.select(systems=["bm25"]).select(systems=["tfidf"])


def test_a_run_that_is_left_with_nothing_lacks_all_topics() -> None:
    runs = {"a": {"1": {"d": 1.0}}, "b": {"2": {"d": 1.0}}}
    part = irpref.collect({"1": {"d": 1}, "2": {"d": 1}}, runs).select(topics=["1"])
    assert part.coverage.missing == {"b": ("1",)}
    assert np.isnan(part.coverage.judged_at_10["b"])
    assert part.compare("RPP").mean("RPP").loc["a", "b"] == 1


@settings(max_examples=12)
@given(seed=SEEDS, reading=readings(judged_only=True), lists=st.sampled_from([None, 1, 2, 4]))
def test_an_error_about_lists_says_what_would_do(
    seed: int, reading: Options, lists: int | None
) -> None:
    reading = {**reading, "lists": lists}
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, ("judgments",))
    if refusal(files, part, reading) != "lists=":
        return
    data = from_rankings(files, reading)
    if not data.coverage.retrieved.any():
        return  # test_an_error_about_lists_names_… is about that.
    with pytest.raises(ValueError, match="lists=") as error:
        data.select(**part)
    longer = re.search(r"judged_only=True, lists=(\d+)", str(error.value))
    assert longer is not None
    assert_selects(files, [part], {**reading, "lists": int(longer[1])})
    assert refusal(files, part, {**reading, "lists": int(longer[1])}) is None
    shallower = re.search(r"a depth of at most (\d+)", str(error.value))
    if shallower is not None:
        depth = int(shallower[1])
        data.select(**part, depth=depth)
        with pytest.raises(ValueError, match="lists="):
            data.select(**part, depth=depth + 1)


def test_an_error_about_lists_names_a_number_that_lists_can_be_where_nothing_was_retrieved() -> (
    None
):
    qrels = [Judgment("1", "d1", 1.0, None), Judgment("1", "d2", 1.0, None)]
    data = from_rankings(Files(qrels, {"a": [Line("1", "u", 1.0, 1)]}), {"judged_only": True})
    with pytest.raises(ValueError, match=r"lists=[1-9]"):
        data.select(judgments=[True, False])


# Real data


@pytest.mark.filterwarnings("ignore:.*the rank column contradicts")
def test_halves_of_real_judgments_are_what_reading_them_gives(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r5"
    if not folder.is_dir():
        pytest.skip("../shared/data/trec-covid-r5 absent")
    qrels, runs = folder / "qrels.txt", sorted((folder / "runs").iterdir())[:5]
    data = irpref.collect(qrels, runs)
    rng = np.random.default_rng(5)
    masks = [rng.random(len(data.judgments)) < 0.5 for _ in range(2)]
    halves = [data.select(judgments=mask) for mask in masks]
    for half, mask in zip(halves, masks, strict=True):
        assert len(half.judgments) == np.count_nonzero(mask)
    for number in range(2):
        reference = irpref.collect(data.judgments[masks[number]], runs)
        assert_same(halves[number], reference, ordered=False)
        assert_frames(
            halves[number].evaluate("LexiRecall"), reference.evaluate("LexiRecall"), ordered=False
        )

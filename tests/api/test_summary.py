"""Sums over the topics: they add up to the comparison of all topics, and say what they cannot."""

from __future__ import annotations

import pickle
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import (
    IPSO,
    LP,
    LR,
    RPP,
    Collection,
    Comparison,
    InputError,
    LexiRecall,
    Summary,
    demo_paths,
    nDCG,
)
from irpref.api.summed_part import SummedPart, sum_part
from irpref.base.reading_options import Reading
from irpref.methods.names import as_criteria
from irpref.methods.preferences import rrLP
from irpref.pairwise.signature import with_parts
from tests.positions.forged import header_of, members_of, packed, with_header, with_table
from tests.random_cases import Case, cases

ALL = (
    LP,
    rrLP,
    LR,
    RPP(weights="dcg"),
    IPSO @ 3,
    RPP(ties="expected"),
    IPSO(ties="expected") @ 3,
    LexiRecall(n="pool"),
    nDCG @ 2,
)


@pytest.fixture(scope="module")
def data() -> Collection:
    return irpref.collect(*demo_paths())


@pytest.fixture(scope="module")
def comparison(data: Collection) -> Comparison:
    return data.compare([*ALL, "RPP"])


def assert_same(summary: Summary, whole: Comparison) -> None:
    """All that a summary says is what the comparison of all its topics says."""
    assert summary.topic_count == len(whole.topics)
    assert summary.fingerprint == whole.summary.fingerprint
    for each in whole.preferences:
        np.testing.assert_allclose(summary.mean(each), whole.mean(each), rtol=0, atol=1e-12)
        found, wanted = summary.outcomes(each), whole.outcomes(each)
        if "expected" in str(each):
            pd.testing.assert_frame_equal(found, wanted, check_dtype=False, rtol=0, atol=1e-12)
        else:
            assert found.to_dict("list") == wanted.to_dict("list")
        assert summary.signature(each) == whole.signature(each)
        sums, of = summary.totals[each], whole.totals[each]
        np.testing.assert_allclose(sums.deviations, of.deviations, rtol=1e-9, atol=1e-12)
        assert (sums.signs == of.signs).all()
        lost = [
            topic
            for topic in whole.topics
            if topic not in whole.per_topic(each, *whole.systems[:2])
        ]
        if whole.placements.reading.missing == "worst":
            assert summary.topics_left_out[each].count == len(lost)
    pd.testing.assert_frame_equal(
        summary.coverage.frame, whole.coverage.frame, check_dtype=False, rtol=1e-12
    )


@settings(max_examples=8)
@given(case=cases(topics=12, systems=3, subtopics=2), draw=st.data())
def test_parts_in_any_split_add_up_to_the_whole(case: Case, draw: st.DataObject) -> None:
    missing = draw.draw(st.sampled_from(["worst", "skip"]))
    reading = Reading(missing=missing, duplicates="first")
    qrels = case.qrels
    topics = [*dict.fromkeys([*case.judgments, *(t for run in case.runs.values() for t in run)])]
    number = draw.draw(st.integers(1, 4))
    chosen = draw.draw(
        st.lists(st.integers(0, number - 1), min_size=len(topics), max_size=len(topics))
    )
    part_of = dict(zip(topics, chosen, strict=True))
    criteria = as_criteria([*ALL, "STRPP"])
    whole = irpref.compare(qrels, case.runs, criteria, missing=missing, duplicates="first")
    parts: list[SummedPart] = []
    for part in range(number):
        here = [topic for topic in topics if part_of[topic] == part]
        judged = qrels.filter(pl.col("query_id").is_in(here))
        runs = {
            name: {topic: run[topic] for topic in here if topic in run} or None
            for name, run in case.runs.items()
        }
        given_judgments = None if judged.is_empty() else judged
        parts.append(sum_part(given_judgments, runs, criteria, reading, source=f"part {part}"))
    total = parts[0]
    for each in parts[1:]:
        total += each
    assert_same(total.whole(), whole)


def test_sum_adds_summaries_up(data: Collection, comparison: Comparison) -> None:
    parts = [data.select(topics=[topic]).compare([*ALL, "RPP"]) for topic in data.topics]
    total = sum(part.summary for part in parts)
    assert isinstance(total, Summary)
    for each in comparison.preferences:
        np.testing.assert_allclose(total.mean(each), comparison.mean(each), rtol=0, atol=1e-12)


def test_its_tests_are_those_of_the_comparison(comparison: Comparison) -> None:
    summary = comparison.summary
    for preference, method in (("RPP", "t"), ("LP", "sign"), ("RPP", "sign")):
        for more in ({}, {"baseline": "bm25"}, {"correction": "bonferroni", "alpha": 0.1}):
            options: Any = {"method": method, **more}
            ask: Any = {
                "baseline": options.pop("baseline", None),
                "test": irpref.PairTest(**options),
            }
            found, wanted = (each.test(preference, **ask) for each in (summary, comparison))
            pd.testing.assert_frame_equal(found, wanted)
            assert found.attrs == wanted.attrs
    how = irpref.PairTest(margin=0.3, alternative="equivalent")
    margin: Any = {"test": how, "baseline": "tfidf"}
    found, wanted = (each.test("RPP", **margin) for each in (summary, comparison))
    # Beside the margin, the difference is tested by what fits.
    assert (found.pop("p_difference") != wanted.pop("p_difference")).any()
    pd.testing.assert_frame_equal(found, wanted)
    assert "|difference:t|" in found.attrs["signature"]
    assert "|difference:randomization|" in wanted.attrs["signature"]


def test_the_test_by_default_needs_sums_only_and_is_said() -> None:
    summary = irpref.compare(*demo_paths(), ["RPP", "LP"], keep="summary")
    assert "test:t|correction:holm" in summary.test().attrs["signature"]
    assert "test:sign|correction:holm" in summary.test("LP").attrs["signature"]
    board = summary.leaderboard().attrs["signature"]
    assert summary.report(test="fit").signatures[0] == with_parts(board, report="board")
    assert "test:t|correction:holm" in board


@pytest.mark.parametrize("method", ["mean", "borda", "copeland", "mc4", "kemeny"])
def test_orders_are_those_of_the_comparison(comparison: Comparison, method: Any) -> None:
    found, wanted = (each.order("RPP", method=method) for each in (comparison.summary, comparison))
    pd.testing.assert_series_equal(found, wanted)
    assert found.attrs == wanted.attrs


def test_its_leaderboard_is_that_of_the_comparison(comparison: Comparison) -> None:
    found = comparison.summary.leaderboard("RPP")
    pd.testing.assert_frame_equal(found, comparison.leaderboard("RPP", test="t"))
    assert found.attrs["test"] == "t"


@pytest.mark.parametrize("method", ["hsd", "wilcoxon", "randomization"])
def test_a_test_that_needs_the_topics_says_so(comparison: Comparison, method: Any) -> None:
    for ask in (comparison.summary.test, comparison.summary.leaderboard):
        with pytest.raises(ValueError, match=f"the test '{method}' needs every topic.*test='t'"):
            ask("RPP", test=method)


@pytest.mark.parametrize(
    "name", ["topics", "per_topic", "relations", "profile", "explain", "verdict", "plot"]
)
def test_what_needs_the_topics_says_so(comparison: Comparison, name: str) -> None:
    assert hasattr(comparison, name)
    with pytest.raises(AttributeError, match=f"^{name} needs every topic.*keep='summary'"):
        getattr(comparison.summary, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = comparison.summary.nothing


def test_what_cannot_be_added_is_refused(data: Collection) -> None:
    half = {"topics": data.topics[:6]}, {"topics": data.topics[6:]}
    one, other = (data.select(**each) for each in half)
    summary = one.compare("RPP").summary
    with pytest.raises(ValueError, match="same topics, which would count twice"):
        summary + one.compare("RPP").summary
    with pytest.raises(ValueError, match="only one of the summaries compares by LP"):
        summary + other.compare(["RPP", "LP"]).summary
    with pytest.raises(ValueError, match="systems are not the same: only one has bm25-prf"):
        summary + other.select(systems=["bm25", "boolean"]).compare("RPP").summary
    with pytest.raises(ValueError, match="come in another order"):
        summary + other.select(systems=data.systems[::-1]).compare("RPP").summary
    skipped = irpref.collect(*demo_paths(), missing="skip").select(**half[1])
    with pytest.raises(ValueError, match="not read in the same way: missing differs"):
        summary + skipped.compare("RPP").summary
    with pytest.raises(TypeError):
        summary + 1


def test_a_file_gives_all_of_it_back(tmp_path: Path, comparison: Comparison) -> None:
    summary, path = comparison.summary, tmp_path / "one.summary"
    summary.save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["one.summary"]
    back = Summary.load(path)
    assert str(back) == str(summary)
    assert back.report(test="fit").to_json() == summary.report(test="fit").to_json()
    for each, sums in summary.totals.items():
        for name in ("topics", "total", "deviations", "signs"):
            assert (getattr(back.totals[each], name) == getattr(sums, name)).all()
    assert back.fingerprint == summary.fingerprint
    assert back.coverage.reading == summary.coverage.reading
    assert str(pickle.loads(pickle.dumps(summary))) == str(summary)


def refused(path: Path, said: str = "this is no summary that irpref saved") -> str:
    with pytest.raises(InputError, match=said) as caught:
        Summary.load(path)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_none_or_damaged_is_refused(
    tmp_path: Path, data: Collection, comparison: Comparison
) -> None:
    path = tmp_path / "one.summary"
    comparison.summary.save(path)
    whole = path.read_bytes()
    middle = len(whole) // 2
    for content in (
        b"",
        b"nothing",
        whole[:100],
        whole[:middle],
        whole[:middle] + b"wrong" + whole[middle + 5 :],
    ):
        path.write_bytes(content)
        refused(path)
    refused(tmp_path / "missing.summary", "there is no such file")
    np.savez(tmp_path / "other.npz", numbers=np.arange(3))
    refused(tmp_path / "other.npz")
    data.save(path)
    refused(path)


def test_another_version_is_read_where_the_form_is_the_same(
    tmp_path: Path, comparison: Comparison
) -> None:
    path = tmp_path / "one.summary"
    comparison.summary.save(path)
    members = members_of(path.read_bytes())
    header = {**header_of(members), "irpref": "7.0"}
    path.write_bytes(packed(with_header(members, header)))
    assert Summary.load(path).topic_count == comparison.summary.topic_count
    path.write_bytes(packed(with_header(members, {**header, "irpref_summary": 99})))
    refused(path, r"irpref 7\.0 saved this summary, in another form")


def test_a_file_whose_parts_do_not_fit_each_other_is_refused(
    tmp_path: Path, comparison: Comparison
) -> None:
    path = tmp_path / "one.summary"
    comparison.summary.save(path)
    members = members_of(path.read_bytes())
    header = header_of(members)
    wrong: list[dict[str, Any]] = [
        {"systems": header["systems"][1:]},
        {"lacking": header["lacking"][1:]},
        {"unanswered": header["unanswered"][1:]},
        {"fingerprint": "1"},
        {"topic_count": 11},
        {"preferences": header["preferences"][1:]},
        {"systems": [f"run {number}" for number in range(10**5)]},
    ]
    exchanged = {"0.parquet": members["1.parquet"], "1.parquet": members["0.parquet"]}
    changed = [with_header(members, {**header, **parts}) for parts in wrong]
    changed += [{**members, **exchanged}]
    for name, change in (
        ("0", lambda table: table[:-1]),
        ("0", lambda table: table.drop("total")),
        ("0", lambda table: table.with_columns(topics=pl.col("topics").cast(pl.Float64))),
        ("0", lambda table: table.with_columns(topics=pl.lit(None, pl.Int64))),
        ("0", lambda table: table.with_columns(topics=pl.lit(13))),
        ("0", lambda table: table.with_columns(topics=pl.lit(0))),
        ("0", lambda table: table.with_columns(pl.col("counts.wins") - 9)),
        ("0", lambda table: table.with_columns(total=pl.lit(float("nan")))),
        ("0", lambda table: table.with_columns(signs=pl.lit(1))),
        ("systems", lambda table: table[1:]),
        ("systems", lambda table: table.with_columns(depths=pl.lit(-1))),
        ("systems", lambda table: table.with_columns(depths=pl.lit("1"))),
    ):
        changed.append(with_table(members, name, change))
    for forged in changed:
        path.write_bytes(packed(forged))
        refused(path)


def test_a_file_that_claims_more_than_it_holds_takes_no_memory(
    tmp_path: Path, comparison: Comparison
) -> None:
    path, many = tmp_path / "one.summary", 2000
    comparison.summary.save(path)
    members = members_of(path.read_bytes())
    header = header_of(members)
    systems = [f"run {number}" for number in range(many)]
    nothing = [{"count": 0, "first": []}] * many
    members = with_header(
        members, {**header, "systems": systems, "lacking": nothing, "unanswered": nothing}
    )
    members = with_table(
        members, "systems", lambda table: pl.concat([table[:1]] * many, rechunk=True)
    )
    header = header_of(members)
    # So many rows as the systems need are announced, and as many of zeros.
    header["tables"]["0"]["rows"] = many**2
    path.write_bytes(packed(with_header(members, header)))
    tracemalloc.start()
    refused(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 28
    tracemalloc.stop()


def test_what_a_file_cannot_keep_is_refused(tmp_path: Path, data: Collection) -> None:
    def earlier(first: Any, second: Any) -> float:
        return float(first[0] < second[0]) - float(first[0] > second[0])

    for asked in (earlier, {"judge": data.evaluate("RR")}):
        with pytest.raises(ValueError, match="which a file cannot keep"):
            data.compare(asked).summary.save(tmp_path / "part.summary")
    assert not list(tmp_path.iterdir())


def test_reports_are_those_of_the_comparison_without_what_needs_topics(data: Collection) -> None:
    # Sums cannot say what another depth changes.
    comparison = data.select(depth=20).compare(["RPP", "IPSO@10"])
    summary = comparison.summary
    assert str(summary.report(test=False)) == str(comparison.report(test=False))
    for report in (
        {"baseline": "bm25", "test": False},
        {"baseline": "bm25", "test": "t"},
        {"top": 3, "test": False},
    ):
        options: Any = report
        found, wanted = (each.report(**options) for each in (summary, comparison))
        assert found.to_text() == wanted.to_text()
        # Sums have no checks.
        others = wanted.records.drop(columns="check", errors="ignore")
        pd.testing.assert_frame_equal(found.records, others)
    assert "Intervals of ranks" not in summary.report(test="t").to_text()
    pair = data.select(systems=["bm25", "tfidf"]).compare("RPP").summary
    assert pair.report(test="fit").title == "bm25 against tfidf on 12 topics"
    with pytest.raises(ValueError, match="two have none"):
        pair.report(top=1)


def test_names_of_a_few_topics_are_kept_and_all_are_counted() -> None:
    qrels = {str(number): {"d": number % 2} for number in range(40)}
    runs = {
        "all": {str(number): {"d": 1.0} for number in range(40)},
        "some": {str(number): {"d": 1.0} for number in range(21)},
    }
    text = str(irpref.compare(qrels, runs, "RPP", keep="summary"))
    assert "left out: 20 topics (0, 2, 4, 6, 8, …)." in text
    assert "some lacks 10 (21, 23, 25, 27, 29, …)." in text


def test_nothing_relevant_and_no_common_topic_are_found_out_at_the_end() -> None:
    criteria, reading = as_criteria("RPP"), Reading()
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"x": 1.0}}}
    nothing = sum_part({"1": {"d": 0, "x": 0}}, runs, criteria, reading, source="part 1")
    with pytest.raises(InputError, match="nothing relevant to find"):
        nothing.whole()
    some = sum_part(
        {"2": {"d": 1}}, {"a": {"2": {"d": 1.0}}, "b": None}, criteria, reading, source="2"
    )
    assert (nothing + some).whole().mean("RPP").loc["a", "b"] == 1
    stranger = sum_part({"3": {"d": 1}}, {"a": runs["a"], "b": None}, criteria, reading, source="3")
    with pytest.raises(InputError, match="run 'a': the run has no topic in common with the qrels"):
        stranger.whole()


def test_a_doubt_is_said_once_for_all_parts() -> None:
    qrels = pl.DataFrame(
        {"query_id": ["1", "2"], "subtopic": ["1", "1"], "doc_id": ["d", "d"], "relevance": [1, 1]}
    )
    rising = pl.DataFrame(
        {"query_id": ["1", "1"], "doc_id": ["d", "x"], "score": [1.0, 2.0], "rank": [1, 2]}
    )
    again = rising.with_columns(query_id=pl.lit("2"))
    criteria = as_criteria("STRPP")
    one, two = (
        sum_part(qrels[at : at + 1], {"a": run, "b": run}, criteria, Reading(), source=f"part {at}")
        for at, run in enumerate((rising, again))
    )
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        (one + two).whole()
    said = [str(each.message) for each in warned]
    assert len(said) == 3
    assert sum("are they judging rounds" in text for text in said) == 1
    assert sum("run 'a': the rank column contradicts the scores" in text for text in said) == 1


def test_subtopics_on_some_topics_only_are_those_of_the_whole() -> None:
    qrels = pl.DataFrame(
        {
            "query_id": ["1", "1", "2", "3"],
            "subtopic": ["a", "b", None, "a"],
            "doc_id": ["d", "d", "d", "e"],
            "relevance": [1, 1, 1, 1],
        }
    )
    runs = {
        "s": {"1": {"d": 1.0}, "2": {"d": 1.0}, "3": {"x": 1.0}},
        "t": {"1": {"x": 1.0}, "2": {"x": 1.0, "d": 0.5}, "3": {"e": 1.0}},
    }
    criteria = as_criteria("STRPP")
    whole = irpref.compare(qrels, runs, criteria)
    parts = [
        sum_part(
            qrels.filter(pl.col("query_id") == topic),
            {name: {topic: run[topic]} for name, run in runs.items()},
            criteria,
            Reading(),
            source=f"part {topic}",
        )
        for topic in ("1", "2", "3")
    ]
    assert_same((parts[0] + parts[1] + parts[2]).whole(), whole)
    with pytest.raises(ValueError, match="the qrels name no subtopics"):
        parts[1].whole()

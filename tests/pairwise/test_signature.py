"""Every frame and report says, whole, how it was made."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import (
    AP,
    IPSO,
    LP,
    RPP,
    Collection,
    Comparison,
    PairTest,
    demo_paths,
    nDCG,
)
from irpref.api.task_comparison import TaskComparison
from irpref.pairwise.signature import with_parts
from irpref.report.report import Report, joined
from irpref.show.reports.corroboration_report import Corroboration
from irpref.show.reports.explanation_report import Explanation
from irpref.show.reports.topic_plan_report import Plan
from irpref.studies.findings import Study
from tests.literal_comparison import GAINS, compare
from tests.pairwise.expected_signatures import (
    CHOSEN,
    FRAMES,
    LINES,
    REPORTS,
    SYSTEMS,
    VERSION,
    line,
)
from tests.random_cases import make_case

RANDOM = ("randomization", "hsd")


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    return irpref.collect(*demo_paths(), missing="skip", duplicates="first", judged_only=True)


@pytest.fixture(scope="module")
def comparison(data: irpref.Collection) -> irpref.Comparison:
    return data.compare([RPP, LP, IPSO @ 10, nDCG @ 10])


def parts(result: pd.DataFrame | pd.Series) -> dict[str, str]:
    line = result.attrs["signature"]
    found = dict(part.partition(":")[::2] for part in line.split("|"))
    assert len(found) == len(line.split("|")), f"a key twice: {line}"
    return found


# The whole line


@pytest.fixture(scope="module")
def part() -> Collection:
    """Everything that is not the default: how it was read, and what of it is left."""
    reading: Any = {"missing": "skip", "duplicates": "first", "judged_only": True, "lists": 20}
    data = irpref.collect(*demo_paths(subtopics=True), **reading)
    return data.select(topics=["1", "2", "3", "6"], systems=SYSTEMS, depth=10)


@pytest.fixture(scope="module")
def compared(part: Collection) -> Comparison:
    return part.compare(CHOSEN)


@pytest.mark.parametrize(
    ("asked", "what"),
    LINES,
    ids=lambda value: "" if isinstance(value, str) else str(value),
)
def test_a_line_names_the_preference_or_measure_with_all_its_options(
    asked: Any, what: str, part: Collection
) -> None:
    found = part.compare(asked)
    (criterion,) = found.preferences
    # The order of the options is that of the class, which is no promise.
    assert sorted(found.signature(criterion).split("|")) == sorted(line(what).split("|"))
    assert found.mean(criterion).attrs["signature"] == found.signature(criterion)
    if what.startswith("measure:"):
        scores = with_parts(found.signature(criterion), table="scores")
        assert part.evaluate(asked).attrs["signature"] == scores


@pytest.mark.filterwarnings("ignore:.*resamples")
@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_says_all_of_how_it_was_made(
    name: str, part: Collection, compared: Comparison
) -> None:
    make, wanted = FRAMES[name]
    assert make(part, compared).attrs["signature"] == wanted


def test_no_frame_of_the_public_names_was_forgotten() -> None:
    given = set()
    returned_only = (Corroboration, Explanation, Plan, Report, Study, TaskComparison)
    public = {name: getattr(irpref, name) for name in irpref.__all__}
    for name, found in (public | {each.__name__: each for each in returned_only}).items():
        members = {name: found}
        if inspect.isclass(found):
            members = {each: inspect.getattr_static(found, each) for each in dir(found)}
        for member, value in members.items():
            function = getattr(value, "fget", None) or getattr(value, "func", value)
            returned = str(getattr(function, "__annotations__", {}).get("return", ""))
            if returned.startswith(("pd.DataFrame", "pd.Series")) and member[0] != "_":
                given.add(member if member == name else f"{name}.{member}")
    assert given == {
        *("Collection.evaluate", "Collection.judgments", "Collection.lists"),
        *("Comparison.leaderboard", "Comparison.mean", "Comparison.order"),
        *("Comparison.outcomes", "Comparison.per_topic", "Comparison.profile"),
        *("Comparison.relations", "Comparison.test", "Comparison.checks"),
        *("Corroboration.frame", "Explanation.decisions"),
        *("Summary.leaderboard", "Summary.mean", "Summary.order", "Summary.outcomes"),
        "Summary.test",
        *("TaskComparison.by_task", "TaskComparison.leaderboard", "TaskComparison.mean"),
        *("TaskComparison.order", "TaskComparison.outcomes", "TaskComparison.test"),
        *("Plan.frame", "Report.records", "evaluate"),
    }


@pytest.mark.filterwarnings("ignore:.*resamples")
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_and_each_of_its_records_say_all_of_how_they_were_made(
    name: str, part: Collection, compared: Comparison
) -> None:
    make, wanted = REPORTS[name]
    report = make(part, compared)
    assert list(report.signatures) == wanted
    assert report.records.attrs["signature"] == "\n".join(wanted)
    assert list(dict.fromkeys(report.records["signature"])) == wanted
    assert joined(wanted) in report.to_text().splitlines()


def test_a_pair_and_the_order_of_the_rank_column_are_said() -> None:
    qrels, runs = demo_paths()
    comparison = irpref.compare(qrels, runs[:2], LP, order="rank")
    how = "topics:12|missing:0|order:rank"
    what = "pref:LP|magnitude:sgn|rel:any|cutoff:none|ties:trec"
    assert comparison.mean(LP).attrs["signature"] == f"{what}|{how}|{VERSION}"
    report = comparison.report(test="sign")
    tested = "test:sign|correction:none|family:onepair|alpha:0.05"
    # The better one stands first, as over a baseline.
    shown = f"report:pair|baseline:{comparison.systems[0]}"
    assert report.signatures == (f"{what}|{how}|{tested}|{shown}|{VERSION}",)
    board = comparison.leaderboard(LP, test="sign")
    assert board.attrs["signature"] == f"{what}|{how}|table:board|{tested}|{VERSION}"


def test_the_order_of_systems_is_told_from_the_order_of_the_rank_column() -> None:
    qrels, runs = demo_paths()
    ordered = irpref.compare(qrels, runs, LP, order="rank").order(LP, method="borda")
    assert len(parts(ordered)) == len(ordered.attrs["signature"].split("|"))


def test_lists_say_how_many_documents_were_kept(part: Collection) -> None:
    qrels, runs = demo_paths()
    three, five = (irpref.collect(qrels, runs, lists=k).lists for k in (3, 5))
    assert three.attrs["signature"] != five.attrs["signature"]


def test_a_corroboration_by_scores_says_how_they_were_made(part: Collection) -> None:
    one, other = (
        part.corroborate(*SYSTEMS[:2], measure=irpref.evaluate(*demo_paths(), AP, **reading))
        for reading in ({}, {"judged_only": True})
    )
    assert one.signature != other.signature


def test_the_report_of_an_explanation_says_what_it_explains(compared: Comparison) -> None:
    report = compared.explain("6", *SYSTEMS[:2]).report
    parts = report.records.attrs["signature"].split("|")
    assert f"of:{','.join(str(each).replace(' ', '') for each in compared.preferences)}" in parts


# Again from the line


@pytest.mark.parametrize(
    ("method", "correction", "baseline"),
    [("randomization", "auto", "bm25"), ("randomization", "auto", None), ("hsd", "auto", None)],
)
def test_a_frame_that_was_drawn_can_be_made_again_from_its_line(
    method: Any, correction: Any, baseline: str | None, comparison: Comparison
) -> None:
    options: Any = {"method": method, "correction": correction, "alpha": 0.2, "n_resamples": 1000}
    first = comparison.test(LP, baseline=baseline, test=PairTest(rng=None, **options))
    said = parts(first)
    assert said["family"] == ("allpairs" if baseline is None else f"allagainst{baseline}")
    again = PairTest(
        method=said["test"],  # type: ignore[arg-type]
        alpha=float(said["alpha"]),
        rng=int(said["rng"]),
        n_resamples=int(said["B"]),
    )
    second = comparison.test(said["pref"], baseline=baseline, test=again)
    pd.testing.assert_frame_equal(first, second, check_exact=True)
    assert second.attrs == first.attrs
    board = comparison.leaderboard(LP, test=again)
    pd.testing.assert_frame_equal(board, comparison.leaderboard(LP, test=again), check_exact=True)
    report = comparison.report(baseline=baseline, test=again)
    assert report.to_json() == comparison.report(baseline=baseline, test=again).to_json()


def test_a_corroboration_that_was_drawn_can_be_made_again_from_its_line(data: Collection) -> None:
    drawn = PairTest(method="randomization", n_resamples=300, rng=None)
    first = data.corroborate("bm25", ["tfidf", "boolean"], measure="RR@10", test=drawn)
    said = parts(first.frame)
    again = PairTest(
        method="randomization",
        rng=int(said["rng"]),
        n_resamples=int(said["B"]),
        alpha=float(said["alpha"]),
    )
    second = data.corroborate("bm25", ["tfidf", "boolean"], measure=said["measure"], test=again)
    pd.testing.assert_frame_equal(first.frame, second.frame, check_exact=True)
    assert second.signature == first.signature


# What they have in common


def test_every_frame_says_how_the_runs_were_read(
    data: irpref.Collection, comparison: irpref.Comparison
) -> None:
    explained = comparison.explain("6", "bm25", "tfidf")
    scores = data.evaluate([AP, nDCG @ 10])
    results = {
        "mean": comparison.mean(RPP),
        "outcomes": comparison.outcomes(RPP),
        "per_topic": comparison.per_topic(RPP, "bm25", "tfidf"),
        "relations": comparison.relations(IPSO @ 10, "bm25", "tfidf"),
        "order": comparison.order(RPP),
        "test": comparison.test(RPP),
        "leaderboard": comparison.leaderboard(RPP),
        "profile": comparison.profile("bm25", "tfidf"),
        "levels": explained.levels,
        "decisions": explained.decisions,
        "evaluate": scores,
    }
    for name, result in results.items():
        found = parts(result)
        assert {"topics", "missing", "judged-only", "duplicates", "irpref"} <= found.keys(), name
        assert found["missing"] == "0:skipped"
        assert found["duplicates"] == "first"
    for name in ("mean", "outcomes", "per_topic", "order", "test", "leaderboard"):
        found = parts(results[name])
        assert (found["pref"], found["weights"], found["ties"]) == ("RPP", "uniform", "trec"), name
    assert parts(scores)["of"] == "AP,nDCG@10"
    assert parts(data.evaluate(AP))["measure"] == "AP"
    assert parts(comparison.order(RPP, method="borda"))["method"] == "borda"


def test_a_part_says_how_much_of_the_whole_it_is(data: irpref.Collection) -> None:
    data = irpref.collect(*demo_paths())
    part = data.select(topics=data.topics[:6], systems=["bm25", "tfidf"], depth=20)
    part = part.select(topics=part.topics[:3], depth=50)
    found = parts(part.compare(RPP).mean(RPP))
    assert re.sub("#[0-9a-f]{8}", "#", found["selected"]) == "systems=2/6#,topics=3/12#"
    assert found["depth"] == "20"
    assert found["topics"] == "3"


def test_reports_carry_one_for_each_preference(comparison: irpref.Comparison) -> None:
    for report in (
        comparison.report(),
        comparison.report(baseline="bm25"),
        comparison.report(per_topic=True),
    ):
        assert [line.split("|")[0] for line in report.signatures] == [
            "pref:RPP",
            "pref:LP",
            "pref:IPSO",
            "measure:nDCG",
        ]
        assert set(report.records["signature"]) == set(report.signatures)


@pytest.mark.parametrize("method", ["t", "sign", "wilcoxon", *RANDOM])
def test_the_leaderboard_says_all_that_the_test_says(
    comparison: irpref.Comparison, method: str
) -> None:
    how = irpref.PairTest(method=method, alpha=0.1, rng=11, n_resamples=400)  # type: ignore[arg-type]
    board = parts(comparison.leaderboard(RPP, test=how))
    test = parts(
        comparison.test(RPP, test=PairTest(method=method, alpha=0.1, rng=11, n_resamples=400))
    )  # type: ignore[arg-type]
    assert {**board, **test} == board
    assert ("rng" in test) == (method in RANDOM)
    assert test["correction"] == ("none" if method in RANDOM else "holm")
    assert test["alpha"] == "0.1"


@pytest.mark.parametrize("method", RANDOM)
def test_what_was_drawn_without_a_seed_can_be_had_again(
    comparison: irpref.Comparison, method: str
) -> None:
    drawn: Any = {"method": method, "n_resamples": 300, "rng": None}
    first, second = (comparison.test(RPP, test=irpref.PairTest(**drawn)) for _ in range(2))
    assert first.attrs["rng"] != second.attrs["rng"]
    again = comparison.test(
        RPP, test=PairTest(method=method, n_resamples=300, rng=first.attrs["rng"])
    )
    pd.testing.assert_frame_equal(first, again)
    assert again.attrs == first.attrs
    board = comparison.leaderboard(RPP, test=irpref.PairTest(**drawn))
    seed = int(parts(board)["rng"])
    how = irpref.PairTest(method=method, n_resamples=300, rng=seed)
    pd.testing.assert_frame_equal(board, comparison.leaderboard(RPP, test=how))
    generator = comparison.test(
        RPP,
        test=PairTest(
            method=method, n_resamples=300, rng=np.random.default_rng(first.attrs["rng"])
        ),
    )
    assert generator.attrs["rng"] != first.attrs["rng"]
    again = comparison.test(
        RPP, test=PairTest(method=method, n_resamples=300, rng=generator.attrs["rng"])
    )
    pd.testing.assert_frame_equal(generator, again)


def test_a_report_of_many_preferences_has_one_seed(comparison: irpref.Comparison) -> None:
    how = irpref.PairTest(method="randomization", n_resamples=300, rng=None)
    seeds = {
        part
        for line in comparison.report(baseline="bm25", test=how).signatures
        for part in line.split("|")
        if part.startswith("rng:")
    }
    assert len(seeds) == 1


def test_options_of_every_preference_are_in_the_signatures_of_a_report() -> None:
    case = make_case(4, systems=2)
    chosen = [RPP(weights="dcg", graded=False, rel=2) @ 7, LP, IPSO(gains=GAINS) @ 5]
    lines = compare(case, chosen, missing="skip").report().signatures
    assert len(lines) == len(set(lines)) == 3
    assert lines[0].split("|")[0].endswith("RPP")
    for part in (
        "weights:dcg",
        "graded:no",
        "rel:2",
        "cutoff:7",
        f"irpref:{irpref.__version__}",
    ):
        assert part in lines[0].split("|")
    assert "cutoff:none" in lines[1].split("|")
    assert all(":skipped|" in line for line in lines) == bool(compare(case).coverage.missing)

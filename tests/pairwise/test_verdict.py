"""The verdict on two systems, against the comparison and against counting."""

from __future__ import annotations

import io
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP, LR, RPP
from irpref.pairwise.feeds.page_numbers import pairs_of
from irpref.pairwise.verdict import verdicts
from irpref.stats.corrections import adjust
from tests import literal
from tests.literal_comparison import compare, counted_topics, small_cases
from tests.random_cases import Case, cases


@settings(max_examples=10)
@given(small_cases, st.sampled_from((None, 2)), st.sampled_from((1, 2)))
def test_a_verdict_says_what_the_comparison_says(case: Case, cutoff: int | None, rel: int) -> None:
    asked = [each(rel=rel) if cutoff is None else each(rel=rel) @ cutoff for each in (LP, RPP, LR)]
    expected = [each(ties="expected") for each in asked]
    comparison = compare(case, [*asked, *expected])
    if not len(comparison.per_topic(asked[0], "s0", "s1")):
        with pytest.raises(ValueError, match="s0 and s1 share no topic with relevant documents"):
            comparison.verdict("s0", "s1", rel=rel, cutoff=cutoff)
        return
    verdict = comparison.verdict("s0", "s1", rel=rel, cutoff=cutoff)
    frame = verdict.frame
    assert list(frame.index) == list(map(str, asked))
    for preference, over_ties in zip(asked, expected, strict=True):
        row, values = frame.loc[str(preference)], comparison.per_topic(preference, "s0", "s1")
        assert row["mean"] == pytest.approx(values.mean(), abs=1e-12)
        assert (row["wins"], row["losses"]) == ((values > 0).sum(), (values < 0).sum())
        assert row["wins"] + row["ties"] + row["losses"] == row["topics"] == len(values)
        mean_over_ties = comparison.mean(over_ties).loc["s0", "s1"]
        assert row["mean_over_ties"] == pytest.approx(mean_over_ties, abs=1e-12)
        if row["mean"] == 0:
            assert row["winner"] is None
        else:
            assert row["winner"] == ("s0" if row["mean"] > 0 else "s1")
    assert verdict.warnings.topics == frame["topics"].max()
    # Of several systems, the first preference is the question: only LP is tested here.
    tested = ["low", "high", "p", "p_adjusted"]
    assert frame[tested].iloc[1:].isna().all(axis=None)
    if frame[tested].iloc[0].notna().any():
        family = comparison.test(asked[0]).set_index(["a", "b"]).loc[("s0", "s1")]
        assert frame[tested].iloc[0].tolist() == family[tested].tolist()
        assert family["significant"] == frame["significant"].iloc[0]


@settings(max_examples=20, deadline=None)
@given(cases(topics=9, systems=2))
def test_two_systems_have_one_p_wherever_it_is_shown(case: Case) -> None:
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP, LR, irpref.IPSO @ 3])
    if comparison.totals[RPP].topics[0, 1] < 2:
        return
    frame = comparison.verdict("s0", "s1").frame
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = [comparison.test(each).iloc[0] for each in comparison.preferences]
        records = comparison.report(test="fit").records.set_index("preference")
    # Holm's correction over the four, and every interval at 1 - α / 4.
    expected = adjust([row["p"] for row in alone])
    assert records["p_adjusted"].tolist() == pytest.approx(expected)
    for name in ("LP", "RPP", "LR"):
        assert frame.loc[name, "p_adjusted"] == records.loc[name, "p_adjusted"]
        assert frame.loc[name, "p"] == records.loc[name, "p"]
        assert frame.loc[name, "significant"] == records.loc[name, "significant"]
        assert frame.loc[name, ["low", "high"]].tolist() == pytest.approx(
            records.loc[name, ["low", "high"]].tolist()
        )
    undecided = records[~records["significant"].astype(bool)]
    assert (undecided["low"] <= 0).all()
    assert (undecided["high"] >= 0).all()


def tied(case: Case, topic: str, system: str, rel: int) -> bool:
    """Whether a relevant document has the score of another document."""
    scores, wanted = case.run(system, topic), literal.relevant(case.grades[topic], rel)
    groups = [literal.tied_group(scores, document) for document in wanted & scores.keys()]
    return any(first < last for first, last in groups)


def unjudged(case: Case, topic: str, system: str) -> int:
    """How many of the first 10 documents are unjudged."""
    return len(set(literal.ranked(case.run(system, topic))[:10]) - case.grades[topic].keys())


@settings(max_examples=30)
@given(
    cases(topics=7, systems=4),
    st.permutations(range(4)),
    st.sampled_from(["worst", "skip"]),
    st.sampled_from([1, 2]),
)
def test_doubts_about_every_pair_are_those_that_one_counts(
    case: Case, order: list[int], missing: str, rel: int
) -> None:
    placements = irpref.collect(case.qrels, case.runs, missing=missing).placements
    found = list(verdicts(placements, order, rel=rel))
    pairs = list(zip(*pairs_of(order), strict=True))
    assert len(found) == len(pairs)
    for pair, (answers, warned) in zip(pairs, found, strict=True):
        a, b = (placements.systems[each] for each in pair)
        topics = counted_topics(case, LP(rel=rel), a, b, missing)
        counts = [(unjudged(case, topic, a), unjudged(case, topic, b)) for topic in topics]
        assert warned.topics == len(topics)
        assert warned.tied == sum(
            tied(case, topic, a, rel) or tied(case, topic, b, rel) for topic in topics
        )
        assert warned.unjudged == (sum(own for own, _ in counts), sum(own for _, own in counts))
        assert warned.unjudged_topics == sum(any(count) for count in counts)
        assert {each.topics for each in answers} == ({len(topics)} if topics else set())


@settings(max_examples=10)
@given(cases(topics=6, systems=4), st.permutations(range(4)), st.sampled_from(["worst", "skip"]))
def test_findings_on_every_pair_are_those_on_each(
    case: Case, order: list[int], missing: str
) -> None:
    comparison = irpref.collect(case.qrels, case.runs, missing=missing).compare(RPP)
    systems = comparison.placements.systems
    found = verdicts(comparison.placements, order[:3])
    for pair, (answers, warned) in zip(zip(*pairs_of(order[:3]), strict=True), found, strict=True):
        if not answers:
            continue
        single = comparison.verdict(*(systems[each] for each in pair))
        assert warned == single.warnings
        # Those on every pair are not tested here.
        untested = dict.fromkeys(("low", "high", "p", "p_adjusted", "detectable"), np.nan)
        for one, other in zip(answers, single.answers, strict=True):
            described = replace(other, significant=False, **untested)
            assert vars(one) == pytest.approx(vars(described), abs=1e-12, nan_ok=True)


def test_one_of_many_runs_in_the_order_of_its_ranks_has_no_ties() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    lines = "1 Q0 d 1 1.0 t\n1 Q0 e 2 1.0 t\n2 Q0 d 2 1.0 t\n2 Q0 e 1 1.0 t\n"
    tied = {"1": {"d": 1.0, "e": 1.0}, "2": {"d": 1.0, "e": 1.0}}
    runs = {"a": tied, "b": io.BytesIO(lines.encode()), "c": tied}
    placements = irpref.collect(qrels, runs, order={"b": "rank"}).placements
    order = [placements.system(name) for name in "abc"]
    found = list(verdicts(placements, order))
    assert [warned.tied for _, warned in found] == [None, 2, None]
    missing = [{np.isnan(each.mean_over_ties) for each in answers} for answers, _ in found]
    assert missing == [{True}, {False}, {True}]


def test_doubts_count_topics_with_ties_and_unjudged_documents() -> None:
    qrels = {
        "1": {"d": 1, "n": 0},
        "2": {"d": 1, "n": 0, "m": 0},
        "3": {"d": 1},
        "4": {"n": 0},  # nothing relevant: it does not count
    }
    runs = {
        "a": {
            "1": {"d": 2.0, "n": 2.0},  # the relevant document ties
            "2": {"d": 3.0, "n": 2.0, "m": 2.0},  # documents that are not relevant tie
            "3": {"x": 2.0, "y": 1.0, **{f"z{i:02}": 0.5 - i / 100 for i in range(20)}},
            "4": {"u": 1.0},
        },
        "b": {"1": {"d": 1.0, "u": 0.5}, "2": {"d": 1.0}, "3": {"d": 1.0}},
    }
    warned = irpref.compare(qrels, runs, RPP).verdict("a", "b").warnings
    assert (warned.topics, warned.tied) == (3, 1)
    # Of the 22 documents on topic 3, the first ten count.
    assert warned.unjudged == (10, 1)
    assert warned.unjudged_topics == 2


def test_runs_in_the_order_of_their_ranks_have_no_ties() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    lines = "1 Q0 d 1 1.0 t\n1 Q0 e 2 1.0 t\n2 Q0 d 2 1.0 t\n2 Q0 e 1 1.0 t\n"
    runs = {name: io.BytesIO(lines.encode()) for name in ("a", "b")}
    verdict = irpref.compare(qrels, runs, RPP, order="rank").verdict("a", "b")
    assert verdict.warnings.tied is None
    assert verdict.frame["mean_over_ties"].isna().all()
    assert "Ties: none, as a run is ordered by its ranks." in verdict.text


def test_one_topic_decides_nothing() -> None:
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"x": 2.0, "d": 1.0}}}
    verdict = irpref.compare({"1": {"d": 1}}, runs, RPP).verdict("a", "b")
    assert verdict.frame["p_adjusted"].isna().all()
    assert "No preference is tested here" in verdict.report.to_text()
    assert not verdict.frame["significant"].any()


def test_scores_alone_give_no_verdict() -> None:
    import pandas as pd

    frame = pd.DataFrame({"system": ["a", "b"], "topic": ["1", "1"], "value": [0.1, 0.2]})
    comparison = irpref.compare_scores(frame)
    with pytest.raises(ValueError, match="verdict needs rankings"):
        comparison.verdict("a", "b")
    runs = {name: {"1": {"d": 1.0}} for name in "ab"}
    with pytest.raises(ValueError, match="unknown system 'c'"):
        irpref.compare({"1": {"d": 1}}, runs, RPP).verdict("a", "c")

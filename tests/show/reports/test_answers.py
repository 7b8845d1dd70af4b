"""The answer in sentences: what it says, and that it says it only where it is so."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP, PairTest
from irpref.report.report import Report
from irpref.show.reports.answers import named
from tests.html import assert_well_formed
from tests.random_cases import Case, cases


def _runs(a_first: int, b_first: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Qrels and two runs: a finds the first of two documents earlier, b the last, on so many topics."""
    qrels, a, b = {}, {}, {}
    for number in range(a_first + b_first):
        topic = str(number)
        qrels[topic] = {"d": 1, "e": 1, "x": 0, "y": 0}
        early = {"d": 9.0, "x": 8.0, "y": 7.0, "e": 6.0}
        late = {"x": 9.0, "d": 8.0, "e": 7.0, "y": 6.0}
        a[topic], b[topic] = (early, late) if number < a_first else (late, early)
    return qrels, {"new": a, "old": b}


def sentences(report: Report) -> list[str]:
    return [each for said in report.answer for each in re.split(r"(?<=[.?]) (?=[A-Z0-9nms])", said)]


def test_two_systems_that_serve_different_users() -> None:
    report = irpref.compare(*_runs(18, 2), [RPP, LP, LR]).report()
    assert report.answer == (
        "new and old tie on every topic by RPP.",
        "new wins 0 of 20 topics and loses 0 (mean +0.00, p = 1).",
        "They serve different users: new is ahead for those who stop early (LP 18:2, p = 0.0004), old is "
        "ahead for those who want all relevant documents (LR 18:2, p = 0.0004). Which users do you have? "
        "https://irpref.github.io/irpref/which-preference.html",
    )
    turned = "If 8 topics had gone the other way, {} would not lead by {}."
    assert {turned.format("new", "LP"), turned.format("old", "LR")} <= {*report.notes}
    assert json.loads(report.to_json())["answer"] == list(report.answer)
    assert_well_formed(report.to_html())


def test_what_nobody_wins_is_no_tie_where_it_is_uncertain_or_not_separable() -> None:
    asked = RPP(graded=False, unjudged="any") @ 3
    first, late = {"d": 9.0, "x": 8.0}, {"x": 9.0, "d": 8.0, "y": 7.0}
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"new": dict.fromkeys(qrels, first), "old": dict.fromkeys(qrels, late)}
    answer = irpref.compare(qrels, runs, asked).report().answer
    assert answer[0] == f"Neither new nor old wins a topic by {asked}."
    several = irpref.compare(qrels, runs | {"late": runs["old"]}, asked).report().answer
    assert several[0] == f"No system wins any topic by {asked} (3 systems, 3 pairs, 2 topics)."
    apart = irpref.compare(*_runs(2, 1), IPSO).report().answer
    assert apart[0] == "Neither new nor old wins a topic by IPSO."


def test_one_system_that_is_better_for_everybody() -> None:
    better, worse = {"d": 2.0, "x": 1.0}, {"d": 1.0, "x": 2.0}
    topics = list(map(str, range(12)))
    qrels = {topic: {"d": 1, "x": 0} for topic in topics}
    runs = {"old": dict.fromkeys(topics, worse), "new": dict.fromkeys(topics, better)}
    runs["old"] |= {"0": better}
    runs["new"] |= {"0": worse}
    answer = irpref.compare(qrels, runs, [LP, LR]).report().answer
    assert answer == (
        "new is better than old by LP.",
        "new wins 11 of 12 topics and loses 1: significant (mean +0.83, 95 % interval +0.29 to +0.97, p = "
        "0.0063).",
        "new is also ahead for those who want all relevant documents (LR 11:1, p = 0.0063).",
    )
    untested = irpref.compare(qrels, runs, [LP, LR]).report(test=False).answer
    assert untested == (
        "new is ahead of old by LP; nothing was tested.",
        "new wins 11 of 12 topics and loses 1 (mean +0.83).",
    )


def test_users_are_told_apart_only_where_that_is_significant() -> None:
    """Of 12 topics, 8 to 4 shows nothing: neither that, nor whom it may serve."""
    report = irpref.compare(*_runs(8, 4), [RPP, LP, LR]).report()
    assert report.answer[2] == "LP and LR show no difference (p = 0.39, 0.39)."
    report = irpref.compare(*_runs(8, 4), [LP, LR]).report()
    assert report.answer[2] == "LR shows no difference (p = 0.39)."
    assert not any("users" in paragraph for paragraph in report.answer)


def test_wins_that_are_fewer_but_larger_are_said_to_be() -> None:
    # By reciprocal rank: one topic from rank 4 to 1, two from rank 3 to 4.
    scores = pd.DataFrame(
        {"old": [0.25, 1 / 3, 1 / 3], "new": [1.0, 0.25, 0.25]}, index=["1", "2", "3"]
    )
    long = scores.rename_axis("topic").reset_index().melt("topic", var_name="system")
    answer = irpref.compare_scores(long).report(test="t").answer
    assert answer[1].startswith("new wins 1 of 3 topics and loses 2, but wins by more (mean +0.194")
    assert "nor" in answer[0]


def test_a_winner_that_hangs_on_the_order_of_ties_is_said() -> None:
    # By name, descending, z stands before d; over all orders nobody leads.
    runs = {"a": {"1": {"d": 1.0, "z": 1.0}}, "b": {"1": {"d": 1.0, "c": 1.0}}}
    report = irpref.compare({"1": {"d": 1, "z": 0, "c": 0}}, runs, [RPP, LP]).report()
    for name in ("RPP", "LP"):
        said = f"Ties decide {name}: averaged over tie orders, neither is ahead (+0.000)."
        assert said in report.remarks
    # Of three documents with one score b's is the last by name, and the second on average.
    runs = {"a": {"1": {"y": 1.0, "d": 0.5}}, "b": {"1": {"d": 1.0, "e": 1.0, "f": 1.0}}}
    report = irpref.compare({"1": {"d": 1, "y": 0, "e": 0, "f": 0}}, runs, RPP).report()
    assert "Ties decide RPP: averaged over tie orders, neither is ahead (+0.000)." in report.remarks
    # Over all orders a is still behind.
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"d": 1.0, "z": 1.0, "y": 0.5}}}
    report = irpref.compare({"1": {"d": 1, "z": 0, "y": 0}}, runs, [RPP, LP]).report()
    assert not any("Ties decide" in remark for remark in report.remarks)


def test_few_judged_documents_are_a_doubt_and_many_are_none() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    lists = {topic: {"d": 2.0, "u": 1.0} for topic in qrels}
    other = {topic: {"d": 2.0} for topic in qrels}
    remarks = irpref.compare(qrels, {"a": lists, "b": other}, RPP).report().remarks
    assert (
        "Judged of the first 10 documents: 50% for a, 100% for b. Unjudged documents count as not relevant."
        in remarks
    )
    report = irpref.compare(qrels, {"a": other, "b": other}, RPP).report()
    assert not any("Judged" in line for line in (*report.remarks, *report.notes))
    # Above the threshold it is a note.
    many = {topic: {f"d{n}": -float(n) for n in range(40)} for topic in qrels}
    judged = {topic: {f"d{n}": int(n == 0) for n in range(40)} for topic in qrels}
    one = {topic: many[topic] | {"u": -8.5} for topic in qrels}
    report = irpref.compare(judged, {"a": many, "b": one}, RPP).report()
    assert any("100% for a, 90% for b" in remark for remark in report.remarks)
    board = irpref.compare(judged, {"a": many, "b": one, "c": one}, RPP).report()
    assert any(note.startswith("Judged: 93%") for note in board.remarks)
    board = irpref.compare(judged, {"a": many, "b": one, "c": many, "e": many}, RPP).report()
    assert any(note.startswith("Judged: 98%") for note in board.notes)
    assert not any("Judged" in remark for remark in board.remarks)


def test_what_could_not_be_tested_is_said() -> None:
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"x": 2.0, "d": 1.0}}}
    comparison = irpref.compare({"1": {"d": 1}}, runs, RPP)
    answer = comparison.report().answer
    assert answer[0] == "a is ahead of b by RPP; nothing was tested."
    assert answer[-1].startswith(
        "Nothing was tested: the randomization test needs at least 6 topics"
    )
    with pytest.raises(ValueError, match="needs at least 6 topics"):
        comparison.report(test="fit")
    assert not any("Nothing was" in each for each in comparison.report(test=False).answer)


def test_more_than_two_hundred_systems_are_tested_only_if_one_asks() -> None:
    qrels = {topic: {"d": 1} for topic in "123456"}
    runs = {f"s{n}": {topic: {"d": 1.0} for topic in qrels} for n in range(201)}
    comparison = irpref.compare(qrels, runs, LP)
    answer = comparison.report(top=3).answer
    assert answer[-1] == (
        "201 systems on 6 topics were not tested: test='fit' does it, and takes long."
    )
    assert (
        comparison.report(baseline="s0", top=3).answer[0]
        == "Better than s0 by LP on 6 topics: none of 200."
    )


def test_very_many_topics_are_tested_where_sums_of_them_suffice() -> None:
    topics = list(map(str, range(10_001)))
    frame = pd.DataFrame(
        {
            "topic": topics * 3,
            "system": np.repeat(["a", "b", "c"], len(topics)),
            "value": np.concatenate([np.tile([0.5, 0.25], 5001)[:10_001] + n for n in range(3)]),
        }
    )
    comparison = irpref.compare_scores(frame)
    assert comparison.report().answer == comparison.summary.report().answer
    assert comparison.report().answer[1].endswith("3 of 3 pairs differ significantly.")
    assert any(" by paired t-test, corr" in note for note in comparison.report(baseline="a").notes)
    two = irpref.compare_scores(frame[frame["system"] != "c"])
    assert two.report().answer[0] == "b is better than a by value."


def test_systems_that_share_no_topic() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1.0}}, "b": {"2": {"d": 1.0}}}
    answer = irpref.compare(qrels, runs, RPP, missing="skip").report().answer
    assert answer[0] == "a and b share no topic with relevant documents."


def test_p_values_near_alpha_are_said_to_be() -> None:
    data = irpref.collect(*irpref.demo_paths())
    comparison = data.compare(RPP)
    near = comparison.test(test=PairTest(n_resamples=100, rng=1))
    alpha = float(np.sort(near["p_adjusted"].unique())[0]) + 0.005
    report = comparison.report(test=PairTest(n_resamples=100, rng=1, alpha=alpha))
    close = [each for each in report.answer if "Monte Carlo" in each]
    error = np.sqrt(alpha * (1 - alpha) / 100)
    some = near[abs(near["p_adjusted"] - alpha) < 2 * error]
    pairs = [f"{a} against {b}" for a, b in zip(some["a"], some["b"], strict=True)]
    assert close == [
        f"p of {named(pairs)} is within its Monte Carlo error of α: more resamples (n_resamples=…) settle "
        "it."
    ]
    # All sign vectors of 12 topics were taken: nothing is drawn.
    assert not any("Monte Carlo" in each for each in comparison.report().answer)


@pytest.mark.parametrize("names", [("a", "b"), ("n" * 40, "m" * 40)])
@settings(max_examples=15, deadline=None)
@given(case=cases(topics=9, systems=2), expected=st.booleans())
def test_answers_are_short_and_say_what_the_numbers_say(
    names: tuple[str, str], case: Case, expected: bool
) -> None:
    assume(case.comparable)
    runs = dict(zip(names, case.runs.values(), strict=True))
    main = RPP(ties="expected") if expected else RPP
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = irpref.compare(case.qrels, runs, [main, LP, LR, IPSO @ 3])
        if not comparison.topics:
            return
        report = comparison.report()
    for each in sentences(report):
        # The longest say why nothing was tested, and what a check takes back.
        most = 160 + 2 * len(names[0])
        assert (
            len(each) <= most or each.startswith("Nothing was tested") or each in report.answer[0]
        )
    record = report.records.iloc[0]
    winner = record["a"]
    assert record["mean"] >= 0
    said = report.answer[0]
    if record["mean"] == 0:
        assert "tie on every topic" in said or "the mean is 0." in said
    elif "significant" not in record:
        assert said.startswith(f"{winner} is ahead of")
    elif record["significant"]:
        held = record.get("check", None) in (None, "holds", "weaker")
        assert said.startswith(f"{winner} is {'better than' if held else 'ahead of'}")
    else:
        assert said.startswith("Neither")
    assert (": significant" in report.answer[1]) == bool(record.get("significant", False))
    told = report.records.set_index("preference")
    sure = {
        np.sign(told.loc[name, "mean"])
        for name in (str(main), "LP", "LR")
        if "significant" in told
        and told.loc[name, "significant"]
        and ("check" not in told or told.loc[name, "check"] in (None, "holds"))
    }
    assert (len(sure) > 1) == any("serve different users" in each for each in report.answer), sure


def test_a_leaderboard_says_who_leads_and_who_beats_whom() -> None:
    better = {"d": 2.0, "x": 1.0}
    worse = {"d": 1.0, "x": 2.0}
    topics = list(map(str, range(12)))
    qrels = {topic: {"d": 1, "x": 0} for topic in topics}
    runs = {
        "slow": dict.fromkeys(topics, worse),
        "one": dict.fromkeys(topics, better),
        "two": dict.fromkeys(topics, better) | {"0": worse},
    }
    report = irpref.compare(qrels, runs, LP).report()
    assert report.answer == (
        "one leads by LP (3 systems, 3 pairs, 12 topics).",
        "Best, or not significantly worse: 2 systems (one, two). 2 of 3 pairs differ significantly.",
    )
    table = report.tables[0].frame
    assert table[""].to_list() == ["a", "b", "c"]
    assert table["better than"].to_list() == ["c", "c", ""]
    assert report.records["best"].tolist() == [True, True, False]
    assert [bar[-1] for bar in report.tables[0].bars.rows] == ["first", "first", "even"]
    alone = irpref.compare(
        qrels, {name: runs[name] for name in ("slow", "one")} | {"o": runs["slow"]}, LP
    )
    assert alone.report().answer[1] == (
        "It is significantly better than both others. 2 of 3 pairs differ significantly."
    )
    alike = irpref.compare(qrels, dict.fromkeys(runs, runs["one"]), LP)
    assert alike.report().answer == (
        "No system wins any topic by LP (3 systems, 3 pairs, 12 topics).",
        "Best, or not significantly worse: all 3 systems. 0 of 3 pairs differ significantly.",
    )
    level = {name: runs[name] for name in ("slow", "one")} | {"o": runs["one"]}
    assert irpref.compare(qrels, level, LP).report().answer == (
        "one, o lead equally by LP (3 systems, 3 pairs, 12 topics).",
        "Best, or not significantly worse: 2 systems (one, o). 2 of 3 pairs differ significantly.",
    )
    against = irpref.compare(qrels, runs, LP).report(baseline="two")
    assert against.answer[0] == "Better than two by LP on 12 topics: none of 2."
    assert against.answer[1].startswith("Worse: slow (-0.92, p = 0.00")
    assert "Not decided: 1." in against.answer[1]


def test_above_fifteen_systems_numbers_stand_in_place_of_letters() -> None:
    topics = list(map(str, range(15)))
    qrels = {topic: {"d": 1} for topic in topics}
    runs = {
        f"s{n:02}": {topic: {f"x{i}": 99.0 - i for i in range(n)} | {"d": 0.5} for topic in topics}
        for n in range(16)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = irpref.compare(qrels, runs, LP).report()
    table = report.tables[0].frame
    assert "" not in table.columns
    assert table["better than"].to_list() == list(range(15, -1, -1))
    assert table["worse than"].to_list() == list(range(16))


def test_sentences_on_many_systems_are_short_too() -> None:
    topics = list(map(str, range(12)))
    qrels = {topic: {"d": 1, "x": 0} for topic in topics}
    better, worse = {"d": 2.0, "x": 1.0}, {"d": 1.0, "x": 2.0}
    runs = {f"{n}" * 40: dict.fromkeys(topics, worse if n > 5 else better) for n in range(10)}
    comparison = irpref.compare(qrels, runs, LP)
    for report in (comparison.report(), *(comparison.report(baseline=name) for name in runs)):
        assert max(map(len, sentences(report))) <= 160

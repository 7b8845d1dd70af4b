"""What is known of two systems, against the comparison and against counting."""

from __future__ import annotations

import io
import math
import warnings
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP, PairTest, nDCG
from irpref.pairwise.feeds.page_numbers import pairs_of
from irpref.pairwise.pair_facts import PairFacts, means_over_ties, pair_facts, told_of
from irpref.pairwise.pair_table import PairTable
from irpref.report.table import p_words
from tests.literal_comparison import compare, small_cases
from tests.random_cases import Case, cases


def every_pair(comparison: irpref.Comparison, order: list[int]) -> list[PairFacts]:
    main, how = comparison.preferences[0], irpref.PairTest(rng=1)
    tests = {main: comparison._pairs(main, how, intervals=True)}
    pairs = pairs_of(order)
    tables = {
        each: PairTable.of(comparison.systems, each, sums, pairs).with_tests(tests.get(each))
        for each, sums in comparison.totals.items()
    }
    return list(pair_facts(comparison.placements, tables, order, {}))


@settings(max_examples=15)
@given(small_cases, st.permutations(range(3)))
def test_facts_of_every_pair_are_those_of_the_comparison(case: Case, order: list[int]) -> None:
    preferences = [RPP, LP, LR, IPSO @ 3, nDCG]
    comparison = compare(case, [*preferences, *(each(ties="expected") for each in (RPP, LP, LR))])
    names = comparison.systems
    if len(names) < 3 or any(
        comparison.totals[each].topics.min() < 6 for each in comparison.preferences[:1]
    ):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = comparison.test(RPP, test=irpref.PairTest(rng=1)).set_index(["a", "b"])
        found = every_pair(comparison, order[:3])
    for facts in found:
        values = {each: comparison.per_topic(each, facts.a, facts.b) for each in facts.records}
        # What asks about everybody, or measures, is described by its table only.
        assert {str(each) for each in facts.records} >= {"RPP", "LP", "LR"}
        assert not {IPSO @ 3, nDCG} & set(facts.records)
        for each, record in facts.records.items():
            assert record["mean"] == pytest.approx(values[each].mean(), abs=1e-12)
            assert record["topics"] == len(values[each])
            wins, losses = (values[each] > 0).sum(), (values[each] < 0).sum()
            if getattr(each, "ties", "trec") == "trec":
                assert (record["wins"], record["losses"]) == (wins, losses)
            assert ("p" in record) == (each == RPP)
        for each, mean in facts.over_ties.items():
            over = irpref.parse(f"{each}(ties='expected')")
            expected = comparison.mean(over).loc[facts.a, facts.b]
            assert mean == pytest.approx(expected, abs=1e-12)
        turned = (facts.a, facts.b) not in tests.index
        row: Any = tests.loc[(facts.b, facts.a) if turned else (facts.a, facts.b)]
        record = facts.records[RPP]
        assert record["p_adjusted"] == row["p_adjusted"]
        ends = (-row["high"], -row["low"]) if turned else (row["low"], row["high"])
        assert (record["low"], record["high"]) == pytest.approx(ends, nan_ok=True)
        shares = comparison.coverage.judged_at_10
        assert facts.judged == pytest.approx((shares[facts.a], shares[facts.b]), nan_ok=True)


@settings(max_examples=8, deadline=None)
@given(cases(topics=9, systems=3), st.sampled_from([PairTest(), PairTest(alpha=0.3, rng=5)]))
def test_a_preference_has_one_p_however_it_is_asked(case: Case, test: PairTest) -> None:
    assume(case.comparable)
    asked = [RPP, LP, LR, IPSO @ 3]
    data = irpref.collect(case.qrels, case.runs).select(systems=["s0", "s1"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = data.compare(asked)
        if comparison.totals[RPP].topics[0, 1] < 6:
            return
        records = comparison.report(test=test).records.set_index("preference")
        verdict = comparison.verdict("s0", "s1", test=test)
        board = irpref.compare(case.qrels, case.runs, asked)
        for each in comparison.preferences:
            row = comparison.test(each, test=test).iloc[0]
            first = data.compare([each]).report(test=test).records.iloc[0]
            beside = board.test(each, test=test).query("a == 's0' and b == 's1'").iloc[0]
            assert {row["p"], row["p_adjusted"], records.loc[str(each), "p"]} == {beside["p"]}
            assert first["p_adjusted"] == row["p"]
            assert beside["p_adjusted"] >= row["p"]
            for shown in (first, beside, records.loc[str(each)]):
                ends = [shown["low"], shown["high"]]
                if shown["a"] == "s1":
                    ends = [0 - end for end in ends[::-1]]
                assert ends == pytest.approx([row["low"], row["high"]], nan_ok=True)
    p = p_words(records.loc["RPP", "p"], test.alpha)
    assert records.loc["RPP", "mean"] == 0 or f"{p})" in " ".join(verdict.answer)
    assert verdict.records.set_index("preference").equals(records)
    assert verdict.answer == comparison.report(test=test).answer


def test_sentences_are_about_the_first_preference_and_those_of_some_users() -> None:
    asked = [nDCG @ 10, RPP, IPSO @ 10, LR, LP @ 5]
    compared = irpref.compare(*irpref.demo_paths(), asked).preferences
    assert list(map(str, told_of(compared))) == ["nDCG@10", "LR", "LP@5"]


def test_one_of_many_runs_in_the_order_of_its_ranks_has_no_ties() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    lines = "1 Q0 d 1 1.0 t\n1 Q0 e 2 1.0 t\n2 Q0 d 2 1.0 t\n2 Q0 e 1 1.0 t\n"
    tied = {"1": {"d": 1.0, "e": 1.0}, "2": {"d": 1.0, "e": 1.0}}
    runs = {"a": tied, "b": io.BytesIO(lines.encode()), "c": tied}
    placements = irpref.collect(qrels, runs, order={"b": "rank"}).placements
    order = [placements.system(name) for name in "abc"]
    over = means_over_ties(placements, [RPP], order)[RPP]
    known = {(one, other): not math.isnan(over[one, other]) for one, other in ((0, 1), (0, 2))}
    assert known == {(0, 1): False, (0, 2): True}
    ranked = {name: io.BytesIO(lines.encode()) for name in ("a", "b")}
    placements = irpref.collect(qrels, ranked, order="rank").placements
    assert means_over_ties(placements, [RPP], [0, 1]) == {}


def test_without_ties_nothing_is_averaged_over_their_orders() -> None:
    runs = {"a": {"1": {"d": 2.0, "e": 1.0}}, "b": {"1": {"d": 1.0, "e": 2.0}}}
    placements = irpref.collect({"1": {"d": 1}}, runs).placements
    assert means_over_ties(placements, [RPP], [0, 1]) == {}

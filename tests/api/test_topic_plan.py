"""irpref.plan: how many topics a comparison needs."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, chi2
from statsmodels.stats.power import TTestPower

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, Comparison, demo_paths
from irpref.pairwise.testing_options import PairTest
from irpref.stats.method import Draws
from irpref.stats.power import topics_for_sign, topics_for_t
from tests.stats.named import paired_tests


@cache
def pilot() -> Comparison:
    scores = irpref.evaluate(*demo_paths(), [AP])
    scores["value"] *= 100
    preferences = [RPP, LP, LR, IPSO @ 10, "RPP(ties='expected')", AP, {"percent": scores}]
    return irpref.compare(*demo_paths(), preferences)


PAIR = ("bm25", "tfidf")


def topics_of_statsmodels(difference: float, sd: float, alpha: float = 0.05) -> int:
    effect = difference / sd
    return int(np.ceil(TTestPower().solve_power(effect_size=effect, power=0.8, alpha=alpha)))


@pytest.mark.parametrize("what", [RPP, "RPP(ties='expected')", AP, LP, LR, IPSO @ 10], ids=str)
def test_a_pilot_is_planned_for_the_randomization_test(what: Any) -> None:
    for pairs in (1, 15, 60):
        plan = irpref.plan(what, difference=0.1, pilot=pilot(), pairs=pairs)
        assert plan.test == "randomization"
        assert (plan.critical is None) == (pairs != 15)
        assert plan.at_most is not None
        assert plan.at_most >= plan.topics
        assert plan.power >= 0.8 == plan.target
        assert "|test:randomization|" in plan.signature
        assert ("topics of the pilot, which has 15 of 60 pairs" in plan.basis) == (pairs == 60)


def test_a_formula_draws_nothing_and_a_board_draws_with_the_seed() -> None:
    plans = [
        irpref.plan(RPP, difference=0.2, pilot=pilot(), pairs=15, rng=seed) for seed in (0, 0, 1)
    ]
    assert plans[0].critical == plans[1].critical != plans[2].critical
    assert "|rng:1|" in plans[2].signature
    for more in ({"pair": PAIR}, {"pairs": 60}):
        one, other = (
            irpref.plan(RPP, difference=0.2, pilot=pilot(), rng=seed, **more) for seed in (1, 2)
        )
        assert one.needed == other.needed
        assert "|rng:" not in one.signature
    drawn = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR, pairs=3, rng=None)
    seed = int(drawn.signature.partition("|rng:")[2].partition("|")[0])
    again = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR, pairs=3, rng=seed)
    assert again.needed == drawn.needed


def test_the_difference_is_that_of_the_first_system() -> None:
    back = PAIR[::-1]
    for what, difference in ((RPP, 0.2), (AP, 0.05), (LP, 0.3)):
        for pairs in (1, 15):
            how = {"pilot": pilot(), "pairs": pairs}
            ahead = irpref.plan(what, difference=difference, pair=PAIR, **how)
            behind = irpref.plan(what, difference=-difference, pair=PAIR, **how)
            turned = irpref.plan(what, difference=-difference, pair=back, **how)
            assert ahead.topics == turned.topics
            assert turned.difference == -difference
            assert list(turned.needed.values()) == list(ahead.needed.values())
            assert list(turned.needed) == [-each for each in ahead.needed]
            # Values are skewed: a long tail on the side of the difference helps.
            if pairs == 1 and what is not LP:
                assert ahead.topics != behind.topics
    two = irpref.collect(*demo_paths()).select(systems=PAIR).compare(RPP)
    ways = [irpref.plan(RPP, difference=way, pilot=two, pair=PAIR).topics for way in (0.2, -0.2)]
    for way in (0.2, -0.2):
        assert irpref.plan(RPP, difference=way, pilot=two).topics == max(ways)


def test_more_pairs_need_more_topics() -> None:
    for what in (RPP, LP):
        plans = [
            irpref.plan(what, difference=0.2, pilot=pilot(), pair=PAIR, pairs=pairs)
            for pairs in (1, 3, 15)
        ]
        topics = [plan.topics for plan in plans]
        assert topics == sorted(set(topics))


def test_a_measure_or_the_scores_of_another_tool_are_planned_in_their_unit() -> None:
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    percent = irpref.plan("percent", difference=5, pilot=pilot(), pair=PAIR)
    assert percent.topics == plan.topics
    assert percent.sd == pytest.approx(100 * plan.sd)


def test_a_standard_deviation_stands_for_a_pilot() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    assert plan.topics == topics_of_statsmodels(0.2, 0.4)
    assert plan.at_most is plan.critical is None
    known = irpref.plan(LP, difference=-0.2, pilot=pilot(), pair=PAIR)
    again = irpref.plan(LP, difference=0.2, sd=known.sd)
    assert again.decided == pytest.approx(known.decided)
    assert again.topics == known.topics
    # Without a pilot no side has a longer tail.
    assert irpref.plan(RPP, difference=-0.2, sd=0.4).topics == plan.topics


def test_the_spread_is_that_of_the_values_and_the_upper_end_its_upper_limit() -> None:
    values = pilot().per_topic(AP, *PAIR).to_numpy()
    for pairs in (1, 15):
        plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR, pairs=pairs)
        assert plan.sd == pytest.approx(values.std(ddof=1))
        wider = (11 / chi2.ppf(0.05, 11)) ** 0.5
        assert plan.at_most == pytest.approx(plan.topics * wider**2, rel=0.05)
    signs = pilot().per_topic(IPSO @ 10, *PAIR).to_numpy()
    plan = irpref.plan(IPSO @ 10, difference=0.3, pilot=pilot(), pair=PAIR)
    decided = int(np.abs(signs).sum())
    assert plan.decided == pytest.approx(decided / 12)
    most = beta.ppf(0.95, decided + 1, 12 - decided)
    how = {"decided": most, "alpha": 0.05}
    assert plan.at_most == topics_for_sign(0.8, 0.3, **how)


def test_signs_may_just_have_the_standard_deviation_that_the_difference_allows() -> None:
    for decided in (0.3, 1.0):
        plan = irpref.plan(LP, difference=0.3, sd=(decided - 0.3**2) ** 0.5)
        assert plan.decided == pytest.approx(decided)
        assert plan.topics == topics_for_sign(0.8, 0.3, decided=decided, alpha=0.05)


def test_alpha_is_divided_by_the_pairs() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4, pairs=15, alpha=0.1)
    assert plan.alpha == 0.1
    assert plan.topics == topics_of_statsmodels(0.2, 0.4, 0.1 / 15)
    assert plan.needed == irpref.plan(RPP, difference=0.2, sd=0.4, alpha=0.1 / 15).needed


def test_a_pilot_of_more_systems_gives_the_middle_pair_and_says_so() -> None:
    plan = irpref.plan(RPP, difference=0.2, pilot=pilot())
    first, second = np.triu_indices(len(pilot().systems), 1)
    means = np.abs(pilot().mean(RPP).to_numpy()[first, second])
    alike = np.flatnonzero((means >= 0.1) & (means <= 0.4))
    sds = sorted(
        pilot().per_topic(RPP, pilot().systems[a], pilot().systems[b]).std()
        for a, b in zip(first[alike], second[alike], strict=True)
    )
    assert plan.sd == pytest.approx(sds[len(sds) // 2])
    near = f"the middle one of the {len(alike)} pairs that differ by 0.1 to 0.4"
    assert f", {near} (pair=(a, b) names another)" in plan.basis
    assert plan.basis.endswith(", on 12 topics of the pilot")
    assert "|pilot:median|" in plan.signature
    nearest = irpref.plan(AP, difference=0.7, pilot=pilot(), power=0.5)
    assert "the nearest one, as no pairs differ by 0.35 to 1.4 (" in nearest.basis
    two = irpref.collect(*demo_paths()).select(systems=PAIR).compare(RPP)
    plan = irpref.plan(RPP, difference=-0.2, pilot=two)
    again = irpref.plan(RPP, difference=-0.2, pilot=pilot(), pair=PAIR)
    assert (plan.sd, plan.topics) == (again.sd, again.topics)
    assert plan.basis == "bm25 against tfidf, on 12 topics of the pilot"


@pytest.mark.filterwarnings("ignore:Runs list up to:UserWarning")
def test_pairs_that_lack_topics_are_left_out() -> None:
    qrels = {str(t): {"a": 1, "b": 1} for t in range(6)}
    runs = {
        "all": {t: {"a": 2.0, "b": float(int(t) % 2) + 1.5} for t in qrels},
        "whole": {t: {"x": 4.0, "a": 3.0, "b": 4.5 - (int(t) % 3)} for t in qrels},
        "one": {"0": {"b": 1.0}},
    }
    skipping = irpref.compare(qrels, runs, RPP, missing="skip")
    plan = irpref.plan(RPP, difference=0.7, pilot=skipping, pairs=3)
    assert "on 6 topics" in plan.basis
    assert "which has 1 of 3 pairs" in plan.basis
    with pytest.raises(ValueError, match=r"count \(1\): it takes two or more"):
        irpref.plan(RPP, difference=0.3, pilot=skipping, pair=("whole", "one"))


def test_the_table_has_the_topics_of_other_differences() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    frame = plan.frame
    assert frame["difference"].to_list() == [0.1, 0.15, 0.2, 0.25, 0.3, 0.4]
    for row in frame.itertuples():
        assert row.topics == topics_for_t(0.8, effect=row.difference / 0.4, alpha=0.05)
        for topics, power in ((row.topics, row.power), (plan.topics, row.power_as_planned)):
            wanted = TTestPower().power(row.difference / 0.4, topics, 0.05)
            assert power == pytest.approx(wanted)
    assert frame.attrs["signature"] == plan.signature
    assert set(frame["signature"]) == {plan.signature}
    # What no values can be has no row.
    assert irpref.plan(RPP, difference=0.6, sd=0.5).frame["difference"].max() == 0.75
    assert irpref.plan(LP, difference=0.6, sd=0.5).frame["difference"].max() == 0.6
    assert irpref.plan("AP", difference=0.01, sd=0.9).frame["difference"].min() == 0.01


def of_runs(
    sd_of_runs: float, groups: dict[str, int], deterministic: tuple[str, ...] = ()
) -> Comparison:
    """Scores of systems of several runs on 30 topics: a run is better or worse on all of them."""
    rng, topics, rows = np.random.default_rng(4), [str(topic) for topic in range(30)], []
    for place, (system, number) in enumerate(groups.items()):
        own = 0.1 * place + rng.normal(0, 0.15, 30)
        # Runs differ by just as much as they shall.
        places = np.arange(number) - (number - 1) / 2
        luck = sd_of_runs * places / (places.std(ddof=1) if number > 1 else 1)
        for run in range(number):
            scores = own + rng.normal(0, 0.08, 30) + luck[run]
            rows += [(f"{system}-{run}", *each) for each in zip(topics, scores, strict=True)]
    scores = pd.DataFrame(rows, columns=["system", "topic", "value"])
    runs = {name: {topic: {"d": 1.0} for topic in topics} for name in scores["system"].unique()}
    return irpref.compare(
        {topic: {"d": 1} for topic in topics},
        runs,
        {"value": scores},
        groups={system: [f"{system}-*"] for system in groups},
        deterministic=deterministic,
    )


@pytest.mark.parametrize(("sd_of_runs", "more", "never"), [(0.002, 0, False), (0.07, 1, True)])
def test_a_pilot_of_runs_says_whether_more_topics_or_more_runs_help_more(
    sd_of_runs: float, more: int, never: bool
) -> None:
    pilot = of_runs(sd_of_runs, {"a": 6, "b": 7})
    plan = irpref.plan("value", difference=0.1, pilot=pilot)
    assert plan.test == "crossed"
    assert list(plan.by_runs) == [5, 6, 10, 20]
    assert (None in plan.by_runs.values()) == never
    assert plan.runs is not None
    assert plan.by_runs[plan.runs] == plan.topics == plan.needed[0.1][0]
    enough = [topics for topics in plan.by_runs.values() if topics]
    assert enough == sorted(enough, reverse=True)
    assert plan.power >= 0.8 == plan.target
    assert (0.05 in plan.needed) != never
    assert np.argmax(plan.twice) == more
    assert plan.twice[0] + plan.twice[1] < 2 * (1 - 0.5**0.5) + 1e-9
    assert "|groups:a=6,b=7#" in plan.signature
    assert "|test:crossed|" in plan.signature
    family = irpref.plan("value", difference=0.1, pilot=pilot, pairs=4)
    alone = irpref.plan("value", difference=0.1, pilot=pilot, alpha=0.05 / 4)
    assert family.needed == alone.needed


def test_a_pilot_of_few_runs_is_planned_for_five_and_one_run_must_be_deterministic() -> None:
    plan = irpref.plan("value", difference=0.1, pilot=of_runs(0.01, {"a": 2, "b": 3}))
    assert list(plan.by_runs) == [5, 10, 20]
    assert plan.runs == 5
    for groups in ({"a": 4, "b": 1}, {"a": 4, "b": 1, "c": 1}):
        with pytest.raises(
            ValueError, match=r"b has one run, which does not say .* deterministic=…"
        ):
            irpref.plan("value", difference=0.1, pilot=of_runs(0.01, groups))
    pilot = of_runs(0.01, {"a": 4, "b": 1, "c": 4})
    with pytest.raises(ValueError, match="b has one run"):
        irpref.plan("value", difference=0.1, pilot=pilot, pair=("a", "b"))
    assert "a against c, " in irpref.plan("value", difference=0.1, pilot=pilot).basis
    alone = of_runs(0.01, {"a": 4, "b": 1}, deterministic=("b",))
    assert irpref.plan("value", difference=0.1, pilot=alone).runs == 5


def test_a_difference_that_no_number_of_topics_finds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no number of topics finds .* of 0.1 with 20 runs"):
        irpref.plan("value", difference=0.1, pilot=of_runs(0.5, {"a": 8, "b": 8}))


def test_a_plan_is_reproduced_by_its_signature() -> None:
    plan = irpref.plan(LP @ 10, difference=0.2, sd=0.5, pairs=3)
    parts = (
        "pref:LP|magnitude:sgn|rel:any|cutoff:10|ties:trec|sd:0.5|difference:0.2|power:0.8|pairs:3"
    )
    assert plan.signature == f"{parts}|alpha:0.05|irpref:{irpref.__version__}"
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    assert (
        "|topics:12|missing:0|pair:bm25,tfidf|test:randomization|difference:0.05|" in plan.signature
    )


def test_a_plan_shows_itself_and_can_be_pickled() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    assert repr(plan).startswith("34 topics: a difference of 0.2 by RPP")
    assert plan._repr_html_() == plan.report.to_html()
    again = pickle.loads(pickle.dumps(plan))
    pd.testing.assert_frame_equal(again.frame, plan.frame)
    # No module of the package may hide the function.
    assert callable(irpref.plan)


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        (RPP, {}, "takes either a pilot, which is a Comparison, or sd, the standard deviation"),
        (RPP, {"pilot": True, "sd": 0.4}, "takes either a pilot"),
        (RPP, {"sd": 0.4, "pair": PAIR}, "pair names two systems of a pilot, and there is none"),
        (RR, {"pilot": True}, "RR was not compared; compared: RPP, LP"),
        ("RRP", {"sd": 0.4}, "did you mean 'RPP'"),
        ("percent", {"sd": 0.4}, "unknown preference"),
        (RPP, {"pilot": True, "pair": ("bm25", "tfdif")}, "unknown system 'tfdif'"),
        (RPP, {"pilot": True, "pair": ("bm25", "bm25")}, "two different systems, not 'bm25' twice"),
        (RPP, {"pilot": True, "pair": "ab"}, "pair must be two systems of the pilot, not 'ab'"),
        (RPP, {"pilot": True, "pair": ("a",)}, "pair must be two systems"),
        (RPP, {"sd": 0.4, "difference": 1.01}, "no difference by RPP can be greater than 1"),
        (AP, {"sd": 0.4, "difference": 2}, "no difference by AP can be greater than 1"),
        (RPP, {"sd": 0.9, "difference": 0.8}, "standard deviation of at most 0.6, not 0.9"),
        (RPP, {"sd": 1e300}, "standard deviation of at most 0.98, not 1e"),
        (LP, {"sd": 1e300}, "standard deviation of at most 0.98, not 1e"),
        (
            LP,
            {"sd": 0.39},
            r"LP decides 0.192 of the topics \(sd² \+ difference²\), and no diff.*: 0.2 is",
        ),
        (
            IPSO @ 10,
            {"pilot": True, "pair": PAIR, "difference": -0.9},
            "decides .* of the topics, and",
        ),
        (LP, {"sd": 0.4, "difference": 2}, "no difference by LP can be greater than 1"),
        (RPP, {"pilot": True, "difference": -1.01}, "no difference by RPP can be greater than 1"),
        (RPP, {"pilot": True, "rng": -1}, "rng must be a whole number of at least 0"),
        (RPP, {"sd": 0.4, "difference": 1e-3}, "more than 100,000 topics"),
    ],
)
def test_what_cannot_be_is_refused(what: Any, options: dict[str, Any], message: str) -> None:
    if options.get("pilot"):
        options = {**options, "pilot": pilot()}
    with pytest.raises(ValueError, match=message):
        irpref.plan(what, **{"difference": 0.2, **options})


def test_a_pilot_must_vary_and_be_a_comparison() -> None:
    qrels = {str(t): {"d": 1} for t in range(3)}
    run = {t: {"d": 1.0} for t in qrels}
    same = irpref.compare(qrels, {"a": run, "b": run}, [RPP, LP])
    for pair, whose in ((None, "any pair"), (("a", "b"), "a against b")):
        with pytest.raises(
            ValueError, match=rf"those of {whose} are the same on all topics; .* sd"
        ):
            irpref.plan(RPP, difference=0.2, pilot=same, pair=pair)
    with pytest.raises(ValueError, match="does not say how values vary"):
        irpref.plan(LP, difference=0.2, pilot=same)
    one = irpref.collect(*demo_paths()).select(topics=["6"]).compare([RPP, LP])
    for what in (RPP, LP):
        with pytest.raises(ValueError, match=r"\(1\): it takes two or more"):
            irpref.plan(what, difference=0.2, pilot=one)
    # Sums of these scores leave float noise.
    noise = pd.DataFrame(
        [(s, t, 0.1 * t + 0.7 * (s == "b")) for s in "ab" for t in range(9)],
        columns=["system", "topic", "value"],
    )
    with pytest.raises(ValueError, match=r"are the same on all topics"):
        irpref.plan("value", difference=0.2, pilot=irpref.compare_scores(noise))
    with pytest.raises(ValueError, match=r"must be an irpref.Comparison, .* not a Collection"):
        irpref.plan(RPP, difference=0.2, pilot=irpref.collect(*demo_paths()))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("pairs", [1, 15])
@pytest.mark.parametrize("what", [RPP, AP, LP], ids=str)
def test_testing_topics_of_the_pilot_reaches_the_power(what: Any, pairs: int, way: int) -> None:
    """The mean of the pair is what it has in the pilot, or the opposite."""
    pair, systems = ("bm25", "boolean"), pilot().systems
    values = pilot().per_topic(what, *pair).to_numpy()
    difference, trials = way * values.mean(), 400
    plan = irpref.plan(what, difference=difference, pilot=pilot(), pair=pair, pairs=pairs)
    rng = np.random.default_rng(7)
    rows = rng.integers(12, size=(trials, plan.topics))
    if pairs == 1:
        # Signs have no other values: they are turned.
        drawn = (values * way if what is LP else values - values.mean() + difference)[rows.T]
        method = "sign" if what is LP else "randomization"
        p = paired_tests(drawn, method=method, n_resamples=999).p
        assert np.mean(p < 0.05) == pytest.approx(plan.power, abs=0.1)
        return
    others = [(a, b) for n, a in enumerate(systems) for b in systems[n + 1 :] if {a, b} != {*pair}]
    columns = [pilot().per_topic(what, a, b).to_numpy() for a, b in others]
    board, test = np.column_stack([values, *columns]), PairTest().method_for()
    tests = [test.of_values(board[row], draws=Draws(n_resamples=300)) for row in rows[:150]]
    found = [each.adjusted is not None and each.adjusted[0] < 0.05 for each in tests]
    # The steps of the test find more than its first one, which is planned for.
    assert np.mean(found) > plan.power - 0.1

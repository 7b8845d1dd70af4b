"""irpref.plan: how many topics a comparison needs."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, Comparison, demo_paths
from irpref.api import topic_plan
from irpref.stats import simulated_power
from irpref.stats.corrections import adjust
from irpref.stats.power import topics_for_sign, topics_for_t
from irpref.stats.simulated_power import tilted
from tests.stats.named import joint_flips


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


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the work of a simulation: for what does not depend on how near it comes."""
    monkeypatch.setattr(simulated_power, "_WORK", 4e6)


@pytest.fixture
def one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The difference that is asked for is simulated, and none of those around it."""
    monkeypatch.setattr(topic_plan, "_AROUND", (1,))


@pytest.mark.usefixtures("fewer_draws", "one_row")
@pytest.mark.parametrize(
    ("what", "one", "several"),
    [
        (RPP, "t", "flip"),
        ("RPP(ties='expected')", "t", "flip"),
        (AP, "t", "flip"),
        (LP, "sign", "sign"),
        (LR, "sign", "sign"),
        (IPSO @ 10, "sign", "sign"),
    ],
)
def test_a_pilot_is_planned_for_the_test_that_will_be_run(
    what: Any, one: str, several: str
) -> None:
    for pairs, test in ((1, one), (15, several)):
        plan = irpref.plan(what, difference=0.1, pilot=pilot(), pairs=pairs)
        frame = pilot().test(what)
        assert plan.test == test
        assert frame.attrs["test"] == several
        assert plan.at_most is not None
        assert plan.error is not None
        assert plan.at_most >= plan.topics
        assert 0 < plan.error < 0.1
        assert plan.power >= 0.8 == plan.target
        assert f"|test:{test}|" in plan.signature


@pytest.mark.usefixtures("fewer_draws")
def test_the_same_seed_makes_the_same_plan() -> None:
    plans = [
        irpref.plan(RPP, difference=0.2, pilot=pilot(), pairs=15, rng=seed) for seed in (0, 0, 1)
    ]
    assert plans[0].needed == plans[1].needed != plans[2].needed
    assert "|rng:1|" in plans[2].signature
    drawn = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR, rng=None)
    seed = int(drawn.signature.partition("|rng:")[2].partition("|")[0])
    again = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR, rng=seed)
    assert again.needed == drawn.needed


@pytest.mark.usefixtures("fewer_draws", "one_row")
def test_more_pairs_need_more_topics_and_those_that_the_pilot_lacks_are_taken_again() -> None:
    for what in (RPP, LP):
        plans = [
            irpref.plan(what, difference=0.2, pilot=pilot(), pair=PAIR, pairs=pairs)
            for pairs in (1, 15, 60)
        ]
        topics = [plan.topics for plan in plans]
        assert topics == sorted(set(topics))
        assert ["are taken again" in plan.basis for plan in plans] == [False, False, True]


@pytest.mark.usefixtures("one_row")
def test_a_measure_or_the_scores_of_another_tool_are_planned_in_their_unit() -> None:
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    percent = irpref.plan("percent", difference=5, pilot=pilot(), pair=PAIR)
    assert percent.topics == pytest.approx(plan.topics, rel=0.05)
    assert percent.sd == pytest.approx(100 * plan.sd)


@pytest.mark.usefixtures("one_row")
def test_a_standard_deviation_stands_for_a_pilot() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    assert plan.topics == topics_of_statsmodels(0.2, 0.4)
    assert plan.at_most is plan.error is None
    # One pair needs nearly what the formula says of its standard deviation.
    for what in (RPP, LP):
        known = irpref.plan(what, difference=0.2, pilot=pilot(), pair=PAIR)
        again = irpref.plan(what, difference=0.2, sd=known.sd)
        assert again.decided == pytest.approx(known.decided)
        assert again.topics == pytest.approx(known.topics, rel=0.12)


def test_signs_may_just_have_the_standard_deviation_that_the_difference_allows() -> None:
    for decided in (0.3, 1.0):
        plan = irpref.plan(LP, difference=0.3, sd=(decided - 0.3**2) ** 0.5)
        assert plan.decided == pytest.approx(decided)
        assert plan.topics == topics_for_sign(0.8, difference=0.3, decided=decided, alpha=0.05)


def test_alpha_is_divided_by_the_pairs() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4, pairs=15, alpha=0.1)
    assert plan.alpha == 0.1
    assert plan.topics == topics_of_statsmodels(0.2, 0.4, 0.1 / 15)
    assert plan.needed == irpref.plan(RPP, difference=0.2, sd=0.4, alpha=0.1 / 15).needed


@pytest.mark.usefixtures("one_row")
def test_a_pilot_of_more_systems_gives_the_middle_pairs_and_says_so() -> None:
    plan = irpref.plan(RPP, difference=0.2, pilot=pilot())
    means = np.abs(pilot().mean(RPP).to_numpy()[np.triu_indices(len(pilot().systems), 1)])
    alike = np.count_nonzero((means >= 0.1) & (means <= 0.4))
    assert f"of the {alike} pairs that differ by 0.1 to 0.4 (pair=(a, b) names one)" in plan.basis
    assert plan.basis.endswith("on 12 topics of the pilot")
    assert "|pilot:median|" in plan.signature
    nearest = irpref.plan(AP, difference=0.28, pilot=pilot())
    assert " pairs whose difference is nearest" in nearest.basis
    two = irpref.collect(*demo_paths()).select(systems=PAIR).compare(RPP)
    plan = irpref.plan(RPP, difference=0.2, pilot=two)
    again = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR)
    assert plan.sd == again.sd
    # The other systems are drawn with the same random numbers.
    assert plan.topics == pytest.approx(again.topics, abs=2)
    assert plan.basis == "bm25 against tfidf, on 12 topics of the pilot"


@pytest.mark.usefixtures("fewer_draws", "one_row")
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
    assert "the pilot has 1 of 3 pairs" in plan.basis
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
    assert "the 1 pairs" in irpref.plan("value", difference=0.1, pilot=pilot).basis
    alone = of_runs(0.01, {"a": 4, "b": 1}, deterministic=("b",))
    assert irpref.plan("value", difference=0.1, pilot=alone).runs == 5


def test_a_difference_that_no_number_of_topics_finds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no number of topics finds .* of 0.1 with 20 runs"):
        irpref.plan("value", difference=0.1, pilot=of_runs(0.5, {"a": 8, "b": 8}))


@pytest.mark.usefixtures("one_row")
def test_a_plan_is_reproduced_by_its_signature() -> None:
    plan = irpref.plan(LP @ 10, difference=0.2, sd=0.5, pairs=3)
    parts = (
        "pref:LP|magnitude:sgn|rel:any|cutoff:10|ties:trec|sd:0.5|difference:0.2|power:0.8|pairs:3"
    )
    assert plan.signature == f"{parts}|alpha:0.05|irpref:{irpref.__version__}"
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    assert "|topics:12|missing:0|pair:bm25,tfidf|test:t|difference:0.05|" in plan.signature


def test_a_plan_shows_itself_and_can_be_pickled() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    assert repr(plan).startswith("34 topics find a difference of 0.2 by RPP")
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
        (LP, {"sd": 1e300}, "at least 0.4 and at most 0.98, not 1e"),
        (LP, {"sd": 0.39}, "at least 0.4 and at most 0.98, not 0.39"),
        (LP, {"sd": 0.4, "difference": 2}, "no difference by LP can be greater than 1"),
        (AP, {"pilot": True, "difference": 0.9}, "cannot show a difference of 0.9: .* of any pair"),
        (AP, {"pilot": True, "difference": 0.9, "pair": PAIR}, "of bm25 against tfidf are from"),
        (RPP, {"pilot": True, "difference": 1.01}, "no difference by RPP can be greater than 1"),
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
    with pytest.raises(ValueError, match=r"cannot show a difference of 0.2: .* of a against b"):
        irpref.plan(RPP, difference=0.2, pilot=same)
    with pytest.raises(ValueError, match="are from 0 to 0"):
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
    with pytest.raises(ValueError, match=r"are from 0.7 to 0.7"):
        irpref.plan("value", difference=0.2, pilot=irpref.compare_scores(noise))
    with pytest.raises(ValueError, match=r"must be an irpref.Comparison, .* not a Collection"):
        irpref.plan(RPP, difference=0.2, pilot=irpref.collect(*demo_paths()))  # type: ignore[arg-type]


@pytest.mark.usefixtures("one_row")
@pytest.mark.parametrize("what", [RPP, LP])
@pytest.mark.parametrize("pairs", [1, 15])
def test_testing_topics_of_the_pilot_reaches_the_power(what: Any, pairs: int) -> None:
    systems, trials = pilot().systems, 400
    a, b = (systems.index(name) for name in ("bm25", "boolean"))
    plan = irpref.plan(what, difference=0.25, pilot=pilot(), pair=("bm25", "boolean"), pairs=pairs)
    first, second = np.array([[a], [b]]) if pairs == 1 else np.triu_indices(len(systems), 1)
    own = [{one, other} == {a, b} for one, other in zip(first, second, strict=True)].index(True)
    columns = [
        pilot().per_topic(what, systems[one], systems[other])
        for one, other in zip(first, second, strict=True)
    ]
    values = np.column_stack(columns)
    better = values[:, [own]] * np.sign(values[:, own].mean())
    weights = tilted(better, 0.25)[:, 0]
    rng = np.random.default_rng(7)
    # (topics, trials, pairs)
    drawn = values[rng.choice(len(values), (plan.topics, trials), p=weights)]
    if what is LP:
        wins, losses = ((drawn * sign > 0).sum(axis=0) for sign in (1, -1))
        fewer = stats.binom.cdf(np.minimum(wins, losses), wins + losses, 0.5)
        p = [adjust(each, "holm")[own] for each in np.minimum(1, 2 * fewer)]
    elif pairs == 1:
        p = stats.ttest_1samp(drawn, 0).pvalue[:, 0]
    else:
        flips = [joint_flips(each, n_resamples=200, rng=rng) for each in drawn.swapaxes(0, 1)]
        p = [each.adjusted[own] for each in flips if each.adjusted is not None]
    found = np.mean(np.asarray(p) < 0.05)
    # Five standard errors of the share, and three of the plan.
    assert found == pytest.approx(
        plan.power, abs=5 * (0.16 / trials) ** 0.5 + 3 * (plan.error or 0)
    )

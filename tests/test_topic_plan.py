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
from irpref import AP, IPSO, LP, LR, RPP, RR, Comparison
from irpref.demo import demo_paths
from irpref.stats.power import sign_power, topics_for_sign, topics_for_t


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


@pytest.mark.parametrize("what", [RPP, "RPP", "RPP(ties='expected')", AP, "AP"])
def test_values_that_are_numbers_take_the_t_test_with_the_pair_s_standard_deviation(
    what: Any,
) -> None:
    values = pilot().per_topic(what, *PAIR)
    for difference in (0.1, -0.1, 0.2):
        plan = irpref.plan(what, difference=difference, pilot=pilot(), pair=PAIR)
        assert plan.test == "t"
        assert plan.decided is None
        assert plan.sd == pytest.approx(values.std())
        assert plan.topics == topics_of_statsmodels(abs(difference), values.std())
        assert plan.power >= 0.8 == plan.target
        assert plan.difference == abs(difference)


def test_a_measure_or_the_scores_of_another_tool_are_planned_in_their_unit() -> None:
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    percent = irpref.plan("percent", difference=5, pilot=pilot(), pair=PAIR)
    assert percent.topics == plan.topics
    assert percent.sd == pytest.approx(100 * plan.sd)


@pytest.mark.parametrize("what", [LP, LR, IPSO @ 10])
def test_signs_take_the_sign_test_with_the_share_of_topics_decided(what: Any) -> None:
    signs = pilot().per_topic(what, *PAIR)
    plan = irpref.plan(what, difference=0.25, pilot=pilot(), pair=PAIR)
    assert plan.test == "sign"
    assert plan.decided == np.mean(signs != 0)
    assert plan.sd == pytest.approx((plan.decided - 0.25**2) ** 0.5)
    how = {"difference": 0.25, "decided": plan.decided, "alpha": 0.05}
    assert plan.topics == topics_for_sign(0.8, **how)
    assert plan.power == sign_power(plan.topics, **how)


def test_a_standard_deviation_stands_for_a_pilot() -> None:
    known = irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR)
    assert irpref.plan(RPP, difference=0.2, sd=known.sd).needed == known.needed
    assert irpref.plan(RPP, difference=0.2, sd=0.4).topics == topics_of_statsmodels(0.2, 0.4)
    known = irpref.plan(LP, difference=0.2, pilot=pilot(), pair=PAIR)
    again = irpref.plan(LP, difference=0.2, sd=known.sd)
    assert again.decided == pytest.approx(known.decided)
    assert again.topics == known.topics


def test_signs_may_just_have_the_standard_deviation_that_the_difference_allows() -> None:
    for decided in (0.3, 1.0):
        plan = irpref.plan(LP, difference=0.3, sd=(decided - 0.3**2) ** 0.5)
        assert plan.decided == pytest.approx(decided)
        assert plan.topics == topics_for_sign(0.8, difference=0.3, decided=decided, alpha=0.05)


def test_alpha_is_divided_by_the_pairs() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4, pairs=15, alpha=0.1)
    assert plan.alpha == 0.1 / 15
    assert plan.topics == topics_of_statsmodels(0.2, 0.4, 0.1 / 15)
    assert plan.needed == irpref.plan(RPP, difference=0.2, sd=0.4, alpha=0.1 / 15).needed


def test_a_pilot_of_more_systems_gives_the_median_and_says_so() -> None:
    systems = pilot().systems
    pairs = [(a, b) for i, a in enumerate(systems) for b in systems[i + 1 :]]
    for what, spread in (
        (RPP, lambda values: values.std()),
        (LP, lambda values: (values != 0).mean()),
    ):
        spreads = [spread(pilot().per_topic(what, *pair)) for pair in pairs]
        plan = irpref.plan(what, difference=0.2, pilot=pilot())
        assert (plan.sd if what is RPP else plan.decided) == pytest.approx(np.median(spreads))
        means = [abs(pilot().mean(what).loc[pair]) for pair in pairs]
        alike = [s for s, mean in zip(spreads, means, strict=True) if 0.1 <= mean <= 0.4]
        assert 2 < len(alike) < 15
        assert plan.basis.startswith(
            f"the median of the 15 pairs of the pilot ({min(spreads):.3g} to {max(spreads):.3g}), and "
            f"{np.median(alike):.3g} of the {len(alike)} pairs that differ by 0.1 to 0.4, on its 12 topics"
        )
        assert "pair=(a, b)" in plan.basis
        assert "pilot:median|" in plan.signature
    two = irpref.collect(*demo_paths()).select(systems=PAIR).compare(RPP)
    plan = irpref.plan(RPP, difference=0.2, pilot=two)
    assert plan.needed == irpref.plan(RPP, difference=0.2, pilot=pilot(), pair=PAIR).needed
    assert plan.basis == "that of bm25 against tfidf on the 12 topics of the pilot"


def test_pairs_with_fewer_topics_count_where_they_have_two() -> None:
    qrels = {str(t): {"a": 1, "b": 1} for t in range(6)}
    runs = {
        "all": {t: {"a": 2.0, "b": float(int(t) % 2) + 1.5} for t in qrels},
        "some": {t: {"x": 4.0, "a": 5.0 - 3 * (int(t) % 2)} for t in list(qrels)[:4]},
        "one": {"0": {"b": 1.0}},
    }
    skipping = irpref.compare(qrels, runs, RPP, missing="skip")
    plan = irpref.plan(RPP, difference=0.3, pilot=skipping)
    assert plan.sd == pytest.approx(skipping.per_topic(RPP, "all", "some").std())
    assert "that of all against some on the 4 topics" in plan.basis
    with pytest.raises(ValueError, match=r"count for RPP \(1\): it takes two or more"):
        irpref.plan(RPP, difference=0.3, pilot=skipping, pair=("some", "one"))


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


def test_a_plan_is_reproduced_by_its_signature() -> None:
    plan = irpref.plan(LP @ 10, difference=0.2, sd=0.5, pairs=3)
    parts = (
        "pref:LP|magnitude:sgn|rel:1|cutoff:10|ties:trec|sd:0.5|difference:0.2|power:0.8|pairs:3"
    )
    assert plan.signature == f"{parts}|alpha:0.05|irpref:{irpref.__version__}"
    plan = irpref.plan(AP, difference=0.05, pilot=pilot(), pair=PAIR)
    assert "|topics:12|missing:0|pair:bm25,tfidf|difference:0.05|" in plan.signature


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
        (RPP, {"sd": 0.4, "difference": 1.01}, "no difference by RPP is greater than 1"),
        (AP, {"sd": 0.4, "difference": 2}, "no difference by AP is greater than 1"),
        (RPP, {"sd": 0.9, "difference": 0.8}, "standard deviation of at most 0.6, not 0.9"),
        (RPP, {"sd": 1e300}, "standard deviation of at most 0.98, not 1e"),
        (LP, {"sd": 1e300}, "at least 0.4 and at most 0.98, not 1e"),
        (LP, {"sd": 0.39}, "at least 0.4 and at most 0.98, not 0.39"),
        (LP, {"sd": 0.4, "difference": 2}, "no difference by LP is greater than 1"),
        (IPSO @ 10, {"pilot": True, "difference": 0.9}, "IPSO@10 decides 0.5 of the topics"),
        (RPP, {"sd": 0.4, "difference": 1e-3}, "more than 100,000 topics"),
        (LP, {"sd": 0.9, "difference": 1e-3}, "more than 100,000 topics"),
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
    with pytest.raises(ValueError, match="standard deviation by RPP is 0 in the pilot"):
        irpref.plan(RPP, difference=0.2, pilot=same)
    with pytest.raises(ValueError, match="share of topics decided by LP is 0 in the pilot"):
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
    with pytest.raises(ValueError, match="standard deviation by value is 0 in the pilot"):
        irpref.plan("value", difference=0.2, pilot=irpref.compare_scores(noise))
    with pytest.raises(ValueError, match=r"must be an irpref.Comparison, .* not a Collection"):
        irpref.plan(RPP, difference=0.2, pilot=irpref.collect(*demo_paths()))  # type: ignore[arg-type]


def test_resampling_shifted_values_reaches_the_power() -> None:
    values = pilot().per_topic(RPP, "bm25", "boolean").to_numpy()
    # The population of what is drawn has the standard deviation of n, not of n - 1.
    plan = irpref.plan(RPP, difference=0.25, sd=values.std())
    shifted = values - values.mean() + 0.25
    drawn = np.random.default_rng(7).choice(shifted, (plan.topics, 20_000))
    found = np.mean(stats.ttest_1samp(drawn, 0).pvalue < 0.05)
    assert found == pytest.approx(plan.power, abs=0.03)

    plan = irpref.plan(IPSO @ 10, difference=0.2, pilot=pilot(), pair=PAIR)
    assert plan.decided is not None
    shares = [(plan.decided + 0.2) / 2, 1 - plan.decided, (plan.decided - 0.2) / 2]
    wins, _, losses = np.random.default_rng(7).multinomial(plan.topics, shares, 2000).T
    p = [stats.binomtest(w, w + n).pvalue for w, n in zip(wins, losses, strict=True)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(plan.power, abs=0.03)

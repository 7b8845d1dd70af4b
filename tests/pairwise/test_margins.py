"""Not worse, or as good: asked of comparisons, of preferences and of any scores."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, LP, RPP, PairTest, demo_paths
from tests.random_cases import make_case


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    case = make_case(1, topics=60, systems=5)
    return irpref.compare(case.qrels, case.runs, [RPP, LP, AP, IPSO @ 3])


def asked(comparison: irpref.Comparison, preference: Any = RPP, **options: Any) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        baseline = options.pop("baseline", None)
        return comparison.test(preference, baseline=baseline, test=PairTest(**options))


@pytest.mark.parametrize("preference", [RPP, LP, AP])
def test_the_system_is_compared_with_the_baseline_less_the_margin(
    comparison: irpref.Comparison, preference: Any
) -> None:
    tests = asked(comparison, preference, baseline="s1", margin=0.2, alternative="noninferior")
    assert set(tests["b"]) == {"s1"}
    assert tests.attrs["test"] == "t"
    assert tests.attrs["correction"] == "holm"
    assert "margin:0.2|alternative:noninferior" in tests.attrs["signature"]
    for row in tests.itertuples():
        values = comparison.per_topic(preference, row.a, "s1")
        expected = stats.ttest_1samp(values, -0.2, alternative="greater")
        assert row.p == pytest.approx(expected.pvalue)
        interval = stats.ttest_1samp(values, 0).confidence_interval(0.9)
        assert (row.low, row.high) == pytest.approx((max(interval.low, -1), min(interval.high, 1)))
    assert (tests["significant"] == (tests["p_adjusted"] < 0.05)).all()
    assert set(tests["verdict"]) <= {"better", "not worse", "worse", "undecided"}
    claimed = tests["verdict"].isin(["better", "not worse"])
    assert (claimed >= tests["significant"]).all()


def test_equivalence_is_asked_of_all_pairs_and_in_both_directions(
    comparison: irpref.Comparison,
) -> None:
    tests = asked(comparison, margin=0.3, alternative="equivalent")
    assert len(tests) == 10
    assert set(tests["verdict"]) <= {"equivalent", "better", "worse", "undecided"}
    assert (tests["verdict"] == "equivalent").tolist() == tests["significant"].tolist()
    # Each pair the other way round.
    turned = irpref.collect(*_of(comparison)).select(systems=comparison.systems[::-1])
    back = asked(turned.compare(RPP), margin=0.3, alternative="equivalent")
    p = tests.set_index(["a", "b"])["p"].to_dict()
    for row in back.itertuples():
        assert row.p == pytest.approx(p[row.b, row.a])


def _of(comparison: irpref.Comparison) -> tuple[Any, Any]:
    case = make_case(1, topics=60, systems=5)
    return case.qrels, case.runs


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_any_score_can_be_asked_in_its_own_direction(higher_is_better: bool) -> None:
    rng = np.random.default_rng(2)
    topics = [str(topic) for topic in range(40)]
    sign = 1 if higher_is_better else -1
    scores = {"base": rng.normal(10, 1, 40)}
    scores["alike"] = scores["base"] + rng.normal(0, 0.1, 40)
    scores["better"] = scores["base"] + sign * rng.normal(1, 0.1, 40)
    scores["worse"] = scores["base"] - sign * rng.normal(1, 0.1, 40)
    frame = pd.DataFrame(
        [
            {"system": system, "topic": topic, "value": value}
            for system, values in scores.items()
            for topic, value in zip(topics, values, strict=True)
        ]
    )
    comparison = irpref.compare_scores(frame, higher_is_better=higher_is_better)
    for alternative, alike in (("noninferior", "not worse"), ("equivalent", "equivalent")):
        tests = comparison.test(baseline="base", test=PairTest(margin=0.2, alternative=alternative))  # type: ignore[arg-type]
        assert dict(zip(tests["a"], tests["verdict"], strict=True)) == {
            "alike": alike,
            "better": "better",
            "worse": "worse",
        }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "noninferior"}, "needs a margin above 0"),
        ({"margin": 0.1}, "say what to show: alternative='noninferior'"),
        ({"margin": 0.1, "alternative": "noninferior"}, "name a baseline"),
        ({"margin": 0, "alternative": "equivalent"}, "margin must be a number above 0, not 0"),
        ({"margin": np.nan, "alternative": "equivalent"}, "margin must be a finite number"),
        ({"margin": "1", "alternative": "equivalent"}, "margin must be a finite number"),
        ({"margin": 1, "alternative": "equivalent"}, "a margin of 1 holds every value of RPP"),
        ({"margin": 0.1, "alternative": "better"}, "alternative"),
        *(
            (
                {"margin": 0.1, "alternative": "equivalent", "method": method},
                f"a margin is tested by t-tests, not by '{method}'",
            )
            for method in ("sign", "wilcoxon", "randomization", "hsd")
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(
    comparison: irpref.Comparison, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        asked(comparison, RPP, **options)


def test_pairs_that_hardly_differ_warn() -> None:
    comparison = irpref.compare(*demo_paths(), [RPP, IPSO @ 10])
    ask: dict[str, Any] = {
        "baseline": "bm25",
        "test": PairTest(margin=0.3, alternative="noninferior"),
    }
    with pytest.warns(UserWarning, match=r"IPSO@10: 5 of 5 pairs differ on fewer than 10 topics"):
        comparison.test(IPSO @ 10, **ask)
    with pytest.warns(UserWarning, match=r"the first is lm-dirichlet against bm25: 9"):
        comparison.test(RPP, **ask)
    case = make_case(1, topics=60, systems=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        irpref.compare(case.qrels, case.runs, RPP).test(**{**ask, "baseline": "s0"})


def test_a_leaderboard_does_not_ask_for_a_margin(comparison: irpref.Comparison) -> None:
    how = irpref.PairTest(margin=0.1, alternative="equivalent")
    with pytest.raises(ValueError, match="leave out the margin, or name a baseline"):
        comparison.leaderboard(RPP, test=how)


def test_reports_say_the_verdict(comparison: irpref.Comparison) -> None:
    how = irpref.PairTest(margin=0.3, alternative="noninferior")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        report = comparison.report(baseline="s1", test=how)
    text = report.to_text(notes=True)
    assert report.tables[0].frame.columns[:3] == ["system", "RPP", "90 % interval, each"]
    assert {"p", "verdict", "LP"} < set(report.tables[0].frame.columns)
    assert (
        "† better, or less than 0.3 worse, all against s1 (4 pairs), α = 0.05: RPP by paired t-test, "
        "corrected by Holm." in " ".join(text.split())
    )
    tests = asked(comparison, baseline="s1", margin=0.3, alternative="noninferior")
    shown = report.records[report.records["preference"] == "RPP"].set_index("system")
    assert shown["verdict"].to_dict() == tests.set_index("a")["verdict"].to_dict()
    assert shown["low"].to_dict() == tests.set_index("a")["low"].to_dict()
    rows = json.loads(report.to_json())["results"]
    written = {row["system"]: row["verdict"] for row in rows if row["preference"] == "RPP"}
    assert written == shown["verdict"].to_dict()
    for text in (report.to_latex(), report.to_html(), report.to_markdown(), report.to_csv()):
        assert "verdict" in text


def test_two_baselines_are_each_asked_to_be_not_worse_than_the_other(
    comparison: irpref.Comparison,
) -> None:
    one_sided = asked(
        comparison, baseline=["s0", "s1"], margin=0.2, alternative="noninferior", correction=None
    )
    asked_of = list(zip(one_sided["a"], one_sided["b"], strict=True))
    assert ("s0", "s1") in asked_of
    assert ("s1", "s0") in asked_of
    assert len(asked_of) == 2 * 4
    for name in ("s0", "s1"):
        alone = asked(
            comparison, baseline=name, margin=0.2, alternative="noninferior", correction=None
        )
        part = one_sided[one_sided["b"] == name]
        assert part["p"].tolist() == alone["p"].tolist()
    both = asked(comparison, baseline=["s0", "s1"], margin=0.2, alternative="equivalent")
    assert len(both) == 7

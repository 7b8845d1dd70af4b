"""``irpref_ranx.compare``: ranx's report with the core's numbers in it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import ranx
from ranx import Qrels, Run
from ranx.data_structures import Report
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irpref
from irpref import RPP
from irpref.stats.tests.hsd import tukey_hsd
from irpref_ranx import compare
from tests.adapters.ranx.conftest import METRICS, PREFERENCES
from tests.adapters.ranx.test_convert import content
from tests.stats.named import paired_tests

pytestmark = pytest.mark.slow


def stepped_down(values: np.ndarray) -> np.ndarray:
    """The p-values of joint sign flips of (topics, pairs), from every set of signs."""
    means = np.abs(np.array(list(product((-1, 1), repeat=len(values)))) @ values)
    observed = np.abs(values.sum(axis=0))
    order = np.argsort(-observed, kind="stable")
    p, least = np.empty(len(order)), 0.0
    for step, pair in enumerate(order):
        reached = means[:, order[step:]].max(axis=1) >= observed[pair] - 1e-9
        p[pair] = least = max(least, reached.mean())
    return p


def check_against_core(
    report: Report, comparison: irpref.Comparison, topics: int, max_p: float, *, flips: bool
) -> None:
    """The core's numbers, over all topics of the qrels: 0 where nothing is relevant."""
    for metric, preference in PREFERENCES.items():
        by_topic = {}
        for a, b in combinations(comparison.systems, 2):
            values = comparison.per_topic(preference, a, b)
            by_topic[a, b] = np.append(values, np.zeros(topics - len(values)))
        means = {pair: values.mean() for pair, values in by_topic.items()}
        means |= {(b, a): -mean for (a, b), mean in means.items()}
        for a in comparison.systems:
            rate = np.mean([means[a, b] for b in comparison.systems if b != a])
            assert report.results[a][metric] == pytest.approx(rate, abs=1e-12)
        p = stepped_down(np.column_stack(list(by_topic.values()))).tolist() if flips else []
        if not flips:
            p = [stats.ttest_1samp(v, 0).pvalue for v in by_topic.values() if v.any()]
            p += [1.0] * (len(by_topic) - len(p))
            p = multipletests(p, method="holm")[1].tolist()
        found = [report.comparisons[pair][metric] for pair in by_topic]
        shown = np.nan_to_num([each["p_value"] for each in found], nan=1.0)
        assert sorted(shown) == pytest.approx(sorted(p), rel=1e-6)
        assert all(each["significant"] == (each["p_value"] <= max_p) for each in found)
        for row in comparison.outcomes(preference).itertuples():
            found = report.win_tie_loss[row.a, row.b][metric]
            assert (found["W"], found["L"]) == (row.wins, row.losses)
            assert found["T"] == topics - row.wins - row.losses
            assert found.get("N") == getattr(row, "nonseparable", None)
            back = report.win_tie_loss[row.b, row.a][metric]
            assert (back["W"], back["L"], back["T"]) == (found["L"], found["W"], found["T"])


def test_the_numbers_are_the_core_s(report: Report, comparison: irpref.Comparison) -> None:
    assert isinstance(report, Report)
    check_against_core(report, comparison, 12, 0.05, flips=True)


def test_the_numbers_are_the_core_s_on_web12(web12: Any, web12_paths: Any) -> None:
    options = {"correction": "holm", "preference_test": "t"}
    report = compare(*web12, METRICS, make_comparable=True, **options)
    qrels, paths = web12_paths
    runs = {run.name: path for run, path in zip(web12[1], paths, strict=True)}
    core = irpref.compare(qrels, runs, list(PREFERENCES.values()))
    # Two topics have nothing of grade 2.
    assert len(core.per_topic("LP(rel=2)@5", *core.systems[:2])) == len(web12[0]) - 2
    check_against_core(report, core, len(web12[0]), 0.01, flips=False)
    # Over as many topics as ranx counts for its own metrics.
    for metric in METRICS:
        outcome = report.win_tie_loss[core.systems[0], core.systems[1]][metric]
        assert outcome["W"] + outcome["T"] + outcome["L"] == len(web12[0])


def test_means_and_tests_from_the_values_by_topic(
    report: Report, comparison: irpref.Comparison
) -> None:
    names = report.model_names
    for metric, preference in PREFERENCES.items():
        by_pair = {
            (a, b): comparison.per_topic(preference, a, b).to_numpy()
            for a in names
            for b in names
            if a != b
        }
        for name in names:
            others = [by_pair[name, other].mean() for other in names if other != name]
            assert report.results[name][metric] == pytest.approx(np.mean(others), abs=1e-11)
        pairs = list(combinations(names, 2))
        flipped = stepped_down(np.column_stack([by_pair[pair] for pair in pairs]))
        p = [report.comparisons[pair][metric]["p_value"] for pair in pairs]
        assert p == pytest.approx(flipped.tolist(), rel=1e-9), metric


def test_ranx_metrics_are_ranx_s_own(demo: Any, report: Report) -> None:
    own = ranx.compare(*demo, ["map", "tie_mrr@10"], max_p=0.05)
    for metric in ("map", "tie_mrr@10"):
        for a in own.model_names:
            assert report.results[a][metric] == own.results[a][metric]
            for b in own.model_names:
                if a != b:
                    assert report.comparisons[a, b][metric] == own.comparisons[a, b][metric]
                    assert report.win_tie_loss[a, b][metric] == own.win_tie_loss[a, b][metric]


@pytest.mark.parametrize(
    ("method", "correction"),
    [("wilcoxon", "bh"), ("hsd", "auto"), (None, "auto"), ("t", None)],
)
def test_options_of_the_tests_are_those_of_the_core(
    demo: Any, method: Any, correction: Any
) -> None:
    qrels, runs = demo
    options = {"correction": correction, "n_resamples": 2000}
    report = compare(
        *demo, ["lr", "rpp"], preference_test=method, random_seed=3, max_p=0.05, **options
    )
    # Resampling depends on the order of the topics, which is ranx's here.
    by_name = {run.name: run.to_dict() for run in runs}
    comparison = irpref.compare(qrels.to_dict(), by_name, ["LR", "RPP"])
    for metric, preference in (("lr", "LR"), ("rpp", "RPP")):
        how = irpref.PairTest(method=method, rng=3, **options)  # type: ignore[arg-type]
        for row in comparison.test(preference, test=how).itertuples():
            found = report.comparisons[row.a, row.b][metric]["p_value"]
            assert found == pytest.approx(row.p_adjusted, rel=1e-9)


def test_options_of_ranx_reach_it(demo: Any) -> None:
    options: dict[str, Any] = {"stat_test": "tukey", "max_p": 0.1, "random_seed": 1, "threads": 1}
    own = ranx.compare(*demo, ["map"], **options)
    report = compare(*demo, ["rpp", "map"], rounding_digits=4, show_percentages=True, **options)
    for a, b in combinations(own.model_names, 2):
        assert report.comparisons[a, b]["map"] == own.comparisons[a, b]["map"]
    assert "Tukey's HSD test, over all 15 pairs (MAP)" in str(report)
    assert f"{report.results['bm25']['map'] * 100:.2f}" in str(report)


def test_duplicate_names_and_single_runs_are_refused(demo: Any) -> None:
    qrels, runs = demo
    with pytest.raises(ValueError, match="two runs are named 'bm25'"):
        compare(qrels, [*runs, next(run for run in runs if run.name == "bm25")], ["rpp"])
    with pytest.raises(ValueError, match=f"only one run \\({runs[0].name}\\): rpp takes two"):
        compare(qrels, runs[:1], ["map", "rpp"])
    with pytest.raises(ValueError, match="two runs have the same name as text"):
        compare(qrels, {1: runs[0], "1": runs[1]}, ["rpp"])
    with pytest.raises(ValueError, match="no run: rpp takes two"):
        compare(qrels, [], ["rpp"])
    with pytest.raises(
        ValueError, match=r"run_1 is a defaultdict without a name: give \{name: run\}"
    ):
        compare(qrels, [runs[0].to_dict(), runs[1]], ["rpp"])
    # ranx's objects, and the first two arguments swapped.
    for first, second in ((qrels, runs[0]), (runs, qrels)):
        with pytest.raises(
            ValueError, match=r"^runs must be a list of Run objects, or \{name: run"
        ):
            compare(first, second, ["map", "rpp"])
    with pytest.raises(ValueError, match="two runs are named 'run_2'"):
        compare(qrels, [Run(runs[0].to_dict(), name="run_2"), Run(runs[1].to_dict())], ["rpp"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_p": 1.5}, "max_p must lie between 0 and 1, not 1.5"),
        ({"random_seed": -1}, "random_seed must be a whole number of at least 0, not -1"),
        ({"stat_test": "studnt"}, "unknown stat_test 'studnt'; did you mean 'student'"),
        (
            {"preference_test": "wilcoxn"},
            "unknown preference_test 'wilcoxn'; did you mean 'wilcoxon'",
        ),
        ({"n_resamples": 0}, "n_resamples"),
    ],
)
def test_mistakes_in_options_name_these_options(
    demo: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare(*demo, ["rpp"], **options)


def test_runs_without_names_are_numbered(demo: Any) -> None:
    qrels, runs = demo
    unnamed = [Run(runs[0].to_dict()), Run(runs[1].to_dict())]
    report = compare(qrels, unnamed, ["map", "rpp"])
    assert report.model_names == ["run_1", "run_2"]
    assert [run.name for run in unnamed] == [None, None]


def test_the_caller_s_objects_are_left_as_they_are(demo: Any) -> None:
    qrels, runs = demo
    short = {topic: runs[0][topic] for topic in runs[0].get_query_ids()[1:]}
    short["more"] = {"garden-001": 1.0}
    unsorted = Run(name="unsorted")
    for topic in reversed(qrels.get_query_ids()):
        unsorted.add_score(topic, "garden-001", 1.0)
        unsorted.add_score(topic, "garden-002", 2.0)
    mine = [Run(short, name="short"), unsorted, runs[1]]
    before = [content(data)[:3] for data in (qrels, *mine)]
    report = compare(qrels, mine, ["map", "tie_map", "rpp", "lp"], make_comparable=True)
    assert [content(data)[:3] for data in (qrels, *mine)] == before
    # As in ranx, the scores are saved in the runs.
    for run in mine:
        saved = {metric: report.results[run.name][metric] for metric in ("map", "tie_map")}
        assert run.mean_scores == pytest.approx(saved | run.mean_scores)
        assert set(run.scores["tie_map"]) == set(qrels.get_query_ids())


def test_dicts_and_names_by_key(demo: Any, report: Report) -> None:
    qrels, runs = demo
    by_name = {run.name: run.to_dict() for run in runs}
    found = compare(qrels.to_dict(), by_name, ["map", "rpp"])
    for name in report.model_names:
        assert found.results[name]["rpp"] == report.results[name]["rpp"]
        assert found.results[name]["map"] == pytest.approx(report.results[name]["map"], abs=0.02)
    renamed = compare(qrels, {"x": runs[0], "y": runs[1]}, ["map", "rpp"])
    assert renamed.model_names == ["x", "y"]


def test_ties_do_not_depend_on_the_order_of_the_caller(demo: Any) -> None:
    qrels, runs = demo
    boolean = next(run for run in runs if run.name == "boolean")
    turned = Run(
        {t: dict(reversed(list(boolean[t].items()))) for t in boolean.get_query_ids()},
        name="turned",
    )
    assert list(turned[turned.get_query_ids()[0]]) != list(boolean[boolean.get_query_ids()[0]])
    report = compare(qrels, [boolean, turned], ["rpp", "lp", "lr", "ipso"])
    assert set(report.results["turned"].values()) == {0.0}


def test_a_run_may_be_made_from_a_frame(demo: Any) -> None:
    qrels, runs = demo
    frame = runs[0].to_dataframe()
    # pandas 3 has a type of its own for text, and ranx asks for objects.
    frame = frame.astype({"q_id": object, "doc_id": object})
    report = compare(qrels, [Run.from_df(frame, name="frame"), runs[0]], ["rpp"])
    assert report.results["frame"] == {"rpp": 0.0}


@pytest.mark.parametrize("metric", ["strpp", "STRPP@10-l2", irpref.STRPP])
def test_subtopics_are_not_in_ranx_qrels(demo: Any, metric: Any) -> None:
    with pytest.raises(ValueError, match=r"^(?i:strpp).* ranx's Qrels have no subtopics$"):
        compare(*demo, [metric])


def test_a_warning_of_what_does_not_hold_names_what_ranx_takes(demo: Any) -> None:
    qrels, runs = demo
    short = {topic: dict(list(runs[0][topic].items())[:3]) for topic in runs[0].get_query_ids()}
    said = r"^rpp: 1 significant difference does not hold at equal depth \(the first is long over "
    with pytest.warns(UserWarning, match=said + r"short\)\. rpp@K cuts all runs\.$") as caught:
        compare(qrels, {"long": runs[0], "short": short}, "rpp")
    assert caught[0].filename == __file__
    # The same list, as long.
    compare(qrels, {"long": runs[0], "other": runs[1]}, "rpp@3")


def runs_on(*topics: str) -> list[Run]:
    return [
        Run({q: {"garden-001": score, "garden-002": 2.0} for q in topics}, name=name)
        for name, score in (("above", 3.0), ("below", 1.0))
    ]


@pytest.mark.filterwarnings("ignore:.*(divide|divisor|scalar|Degrees):RuntimeWarning")
@pytest.mark.filterwarnings("ignore:One or more sample arguments is too small")
def test_of_too_few_topics_p_is_nan_as_in_ranx() -> None:
    report = compare(Qrels({"q_1": {"garden-001": 1}}), runs_on("q_1"), ["map", "rpp", "lp"])
    found = report.comparisons["above", "below"]
    assert np.isnan(found["map"]["p_value"])
    assert np.isnan(found["rpp"]["p_value"])
    assert not found["rpp"]["significant"]
    assert np.isnan(found["lp"]["p_value"])
    assert report.results["above"] == {"map": 1, "rpp": 1, "lp": 1}
    assert "RPP" in str(report)


def test_values_without_spread_take_the_sets_of_signs() -> None:
    topics = [f"q_{number}" for number in range(9)]
    report = compare({q: {"garden-001": 1} for q in topics}, runs_on(*topics), ["rpp"])
    assert report.comparisons["above", "below"]["rpp"]["p_value"] == 2 / 2**9


def test_where_nothing_is_relevant_preferences_are_refused() -> None:
    qrels = Qrels({"q_1": {"garden-001": 0}, "q_2": {"garden-001": 0}})
    with pytest.raises(ValueError, match="no judgment has a grade above 0"):
        compare(qrels, runs_on("q_1", "q_2"), ["map", "rpp"])


@pytest.mark.filterwarnings("ignore:Precision loss")
def test_where_nothing_has_the_grade_asked_for_every_topic_ties() -> None:
    qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
    report = compare(qrels, runs_on("q_1", "q_2"), ["rpp-l2", "ipso@10-l2", "lp-l2"])
    assert report.results["above"] == {"rpp-l2": 0, "ipso@10-l2": 0, "lp-l2": 0}
    pair = report.win_tie_loss["above", "below"]
    assert pair["rpp-l2"] == pair["lp-l2"] == {"W": 0, "T": 2, "L": 0}
    assert pair["ipso@10-l2"] == {"W": 0, "T": 2, "L": 0, "N": 0}
    # So is ranx's own, of two runs that nowhere differ.
    own = compare(qrels, runs_on("q_1", "q_2"), ["map-l2"]).comparisons["above", "below"]
    assert np.isnan(own["map-l2"]["p_value"])
    assert np.isnan(report.comparisons["above", "below"]["rpp-l2"]["p_value"])


def test_expected_counts_are_not_cut_to_whole_ones() -> None:
    qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
    tied = Run({q: {"garden-001": 1.0, "garden-002": 1.0} for q in ("q_1", "q_2")}, name="tied")
    ahead = runs_on("q_1", "q_2")[0]
    metric = "IPSO(ties='expected')@10"
    report = compare(qrels, [ahead, tied], [metric])
    assert report.win_tie_loss["above", "tied"][metric] == {"W": 1, "T": 1, "L": 0, "N": 0}
    assert report.win_tie_loss["tied", "above"][metric] == {"W": 0, "T": 1, "L": 1, "N": 0}


@pytest.mark.parametrize("method", ["wilcoxon", "randomization", "hsd", "t", "sign"])
def test_topics_without_the_grade_asked_for_are_ties_of_every_test(method: str) -> None:
    topics = [f"q{t}" for t in range(20)]
    judged = {q: {"d": 1, **({"e": 2} if t % 5 < 3 else {})} for t, q in enumerate(topics)}
    rng = np.random.default_rng(4)
    runs = {
        name: {
            q: {d: float(s) for d, s in zip("dexyz", rng.random(5) + lift, strict=True)}
            for q in topics
        }
        for name, lift in (("one", [0.3, 0.5, 0, 0, 0]), ("two", [0, 0, 0.2, 0, 0]))
    }
    report = compare(judged, runs, ["rpp-l2"], preference_test=method, correction=None)  # type: ignore[arg-type]
    values = irpref.compare(judged, runs, RPP(rel=2)).per_topic(RPP(rel=2), "one", "two")
    assert len(values) == 12
    everywhere = values.reindex(topics, fill_value=0.0).to_numpy()
    found = report.comparisons["one", "two"]["rpp-l2"]["p_value"]
    if method == "hsd":
        square = np.zeros((20, 2, 2))
        square[:, 0, 1], square[:, 1, 0] = everywhere, -everywhere
        wanted = tukey_hsd(square).p[0, 1]
        assert found == pytest.approx(wanted, abs=0.02)
    else:
        wanted = paired_tests(everywhere[:, None], method=method).p[0]
        assert found == pytest.approx(wanted, abs=0.02 if method == "randomization" else 1e-9)

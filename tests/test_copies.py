"""Every public object survives pickle, copy and deepcopy, and ``==`` and ``hash`` work on it.

Results compare by identity; options, preferences and measures by value.
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import (
    AP,
    IPSO,
    LP,
    LR,
    RPP,
    RR,
    InputError,
    LexiRecall,
    PairTest,
    Predictions,
    Reading,
    TieRR,
    demo_paths,
    nDCG,
    parse,
)
from irpref.api.task_comparison import TaskComparison
from irpref.base.named import Named
from irpref.report.report import Report
from irpref.show.reports.corroboration_report import Corroboration
from irpref.show.reports.explanation_report import Explanation

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def earlier(first: Any, second: Any) -> float:
    """Whoever has the first relevant item earlier."""
    return float(first[0] < second[0]) - float(first[0] > second[0])


def weight(level: Any) -> Any:
    """Less for every further level."""
    return 0.8**level


@irpref.preference
def decorated(first: Any, second: Any) -> float:
    """Whoever has the last relevant item earlier."""
    return float(first[-1] < second[-1]) - float(first[-1] > second[-1])


VALUES: dict[str, tuple[Any, Callable[[], Any]]] = {
    **{
        name: (found, lambda name=name: parse(name))
        for name, found in ((name, getattr(irpref, name)) for name in irpref.__all__)
        if isinstance(found, Named)
    },
    "TieRR@10": (TieRR @ 10, lambda: RR(ties="expected") @ 10),
    "IPSO(gains)": (IPSO(gains={1: 0.1, 2: "1/3"}) @ 5, lambda: IPSO(gains={2: "1/3", 1: 0.1}) @ 5),
    "RPP(weights)": (
        RPP(weights=range(20, 0, -1)),
        lambda: RPP(weights=[float(weight) for weight in range(20, 0, -1)]),
    ),
    "RPP(weight)": (RPP(weights=weight) @ 9, lambda: RPP(weights=weight) @ 9),
    "nDCG(gains)": (nDCG(gains={1: 1, 2: 7}), lambda: nDCG(gains={2: 7, 1: 1})),
    "function": (irpref.preference(earlier), lambda: irpref.preference(earlier)),
    "function with options": (
        irpref.preference(earlier, label="own", rel=2) @ 3,
        lambda: irpref.preference(earlier, label="own", rel=2) @ 3,
    ),
    "Reading": (
        Reading(order="rank", duplicates="first", judged_only=True, missing="skip", lists=7),
        lambda: Reading(
            order="rank", duplicates="first", judged_only=True, missing="skip", lists=7
        ),
    ),
    "Predictions": (
        Predictions("e5/X_predictions.json", subset="de"),
        lambda: Predictions("e5/X_predictions.json", "de"),
    ),
    "PairTest": (
        PairTest(method="hsd", alpha=0.1, rng=7, n_resamples=50),
        lambda: PairTest(method="hsd", alpha=0.1, rng=7, n_resamples=50),
    ),
}
"""Objects that compare by value, each with a way to make the same again."""


def make_results() -> dict[str, Any]:
    qrels, runs = demo_paths()
    data = irpref.collect(qrels, runs, lists=5)
    scores = data.evaluate([AP, RR @ 10])
    table = {"judge": scores[scores["measure"] == "AP"]}
    comparison = data.compare([RPP, LP, LR, IPSO @ 10, AP, irpref.preference(earlier), table])
    corroboration = data.corroborate("bm25", ["tfidf", "boolean"], measure=AP @ 10)
    return {
        "Collection": data,
        "a part of it": data.select(topics=data.topics[:7], systems=["bm25", "tfidf"]),
        "Coverage": data.coverage,
        "Placements": data.placements,
        "Comparison": comparison,
        "Summary": data.compare([RPP, IPSO @ 10]).summary,
        "Comparison of scores": irpref.compare_scores(scores),
        "ScoreTable": comparison.preferences[-1],
        "Totals": comparison.totals[comparison.preferences[0]],
        "TaskComparison": irpref.compare_tasks(
            {name: data.select(topics=data.topics[n::2]) for n, name in enumerate("ab")}, [RPP, LP]
        ),
        "Explanation": comparison.explain("6", "bm25", "tfidf"),
        "Corroboration": corroboration,
        "ChallengerResult": corroboration.results["tfidf"],
        "Report": comparison.report(test=PairTest(rng=3, n_resamples=100)),
        "Table": comparison.report().tables[0],
        "InputError": InputError("bad", source="x.txt", line=3, topic="1", remedy="mend it"),
    }


RESULTS = make_results()


def said(one: Any) -> list[Any]:  # noqa: PLR0911
    """All that can be asked of a result, as plain texts and frames."""
    if isinstance(one, irpref.Collection):
        compared = one.compare([RPP, IPSO @ 5]).report(test="fit", baseline=one.systems[0])
        scores = one.evaluate([AP, LexiRecall(n=40)])
        part = one.select(systems=one.systems[:2], depth=4)
        return [one.report.to_json(), compared.to_json(), scores, one.judgments, one.lists, part]
    if isinstance(one, irpref.Comparison):
        a, b = one.systems[:2]
        rankings = one.placements.has_rankings
        texts = [str(preference) for preference in one.preferences]
        return [
            *(each for text in texts for each in (one.mean(text), one.per_topic(text, a, b))),
            one.order(texts[0], method="kemeny"),
            one.test(texts[-1], test=PairTest(method="hsd", rng=1, n_resamples=200)),
            one.leaderboard(test=PairTest(rng=1, n_resamples=50)),
            one.report(per_topic=True).to_json(),
            *([one.profile(a, b), one.explain("6", a, b).levels] if rankings else []),
        ]
    if isinstance(one, TaskComparison):
        board = one.leaderboard(test=PairTest(rng=1, n_resamples=50))
        tested = one.test("LP", resample="topics", test=PairTest(rng=1, n_resamples=500))
        return [one.report().to_json(), one.mean("LP"), one.by_task("RPP"), board, tested]
    if isinstance(one, Explanation | Corroboration):
        return [one.report.to_json(), *([one.frame] if hasattr(one, "frame") else [])]
    if isinstance(one, Report | irpref.Summary):
        report = one.report(test="fit") if isinstance(one, irpref.Summary) else one
        return [report.to_json(), report.to_latex(), report.to_text(80), report.records]
    if isinstance(one, InputError):
        return [str(one), one.args, one.line, one.source, one.topic, one.remedy, one.problem]
    return [{name: value for name, value in vars(one).items() if not name.startswith("_")}]


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
        assert one.attrs == other.attrs
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, other, check_exact=True)
        assert one.attrs == other.attrs
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, dict):
        # The caches of the placements are made again where they are wanted.
        assert one.keys() == other.keys()
        for name in one:
            assert_same(one[name], other[name])
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for mine, its in zip(one, other, strict=True):
            assert_same(mine, its)
    else:
        assert repr(one) == repr(other)


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", VALUES)
def test_options_preferences_and_measures_are_the_same_value_after_it(name: str, how: str) -> None:
    one, again = VALUES[name]
    copied = COPIES[how](one)
    assert type(copied) is type(one)
    for same in (copied, again()):
        assert same == one
        assert hash(same) == hash(one)
        assert {one: "found"}[same] == "found"
    assert str(copied) == str(one)
    assert repr(copied) == repr(one)
    if isinstance(one, Named):
        assert copied.described == one.described
        # What it stands for goes on through further options.
        assert str(copied @ 4) == str(one @ 4)


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", RESULTS)
def test_results_say_the_same_after_it(name: str, how: str) -> None:
    one = RESULTS[name]
    copied = COPIES[how](one)
    assert type(copied) is type(one)
    assert repr(copied) == repr(one)
    assert_same(said(copied), said(one))
    # And again, now that whatever it keeps for later is kept.
    assert_same(said(COPIES[how](one)), said(one))


@pytest.mark.parametrize("how", COPIES)
def test_a_copied_preference_computes_the_same(how: str) -> None:
    qrels, runs = demo_paths()
    data = irpref.collect(qrels, runs)
    for name, (one, _) in VALUES.items():
        if isinstance(one, Named) and one.name != "STRPP":
            copied = COPIES[how](one)
            found = data.compare([copied]).mean(one)
            pd.testing.assert_frame_equal(found, data.compare([one]).mean(copied), obj=name)


def test_equality_never_raises_and_is_a_truth_value() -> None:
    everything = {name: one for name, (one, _) in VALUES.items()} | RESULTS
    others = [None, 0, 1.5, "RPP", (), object()]
    for one, other in product(everything.values(), [*everything.values(), *others]):
        assert (one == other) in (True, False)
        assert isinstance(one == other, bool)
        assert (one != other) is not (one == other)
        assert (other == one) is (one == other)


def test_different_values_are_different() -> None:
    # Some names stand for others: LP is sgnLP.
    texts = {
        name: one.described if isinstance(one, Named) else name for name, (one, _) in VALUES.items()
    }
    for (name, (one, _)), (other_name, (other, _)) in product(VALUES.items(), repeat=2):
        alike = texts[name] == texts[other_name] and type(one) is type(other)
        assert (one == other) is alike, (name, other_name)


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "ChallengerResult"])
def test_results_compare_by_identity_and_can_be_hashed(name: str) -> None:
    one, again = RESULTS[name], copy.deepcopy(RESULTS[name])
    assert one == one  # noqa: PLR0124
    assert one != again
    assert hash(one) == hash(one)
    assert {one: 1, again: 2} == {again: 2, one: 1}
    assert len({one, again}) == 2


def test_the_result_of_a_challenger_can_be_hashed() -> None:
    assert hash(RESULTS["ChallengerResult"]) == hash(RESULTS["ChallengerResult"])


def test_values_cannot_be_changed() -> None:
    for one, _ in VALUES.values():
        field = (
            "lists" if isinstance(one, Reading) else "alpha" if isinstance(one, PairTest) else "rel"
        )
        with pytest.raises(AttributeError):
            setattr(one, field, 2)


def test_a_comparison_is_asked_by_copies_of_its_preferences() -> None:
    comparison: irpref.Comparison = RESULTS["Comparison"]
    for preference in comparison.preferences[:-1]:
        for make in COPIES.values():
            assert_same(comparison.mean(make(preference)), comparison.mean(preference))
    # Scores of another tool are asked for by their name.
    assert_same(comparison.mean("judge"), comparison.mean(comparison.preferences[-1]))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
@pytest.mark.parametrize("how", COPIES)
def test_an_input_error_keeps_its_notes(how: str) -> None:
    error = InputError("bad", source="x.txt")
    error.__notes__ = ["read in a worker"]  # what add_note of Python 3.11 does
    assert COPIES[how](error).__notes__ == ["read in a worker"]


@pytest.mark.parametrize("how", ["copy", "deepcopy"])
def test_a_decorated_function_is_the_same_value_after_it(how: str) -> None:
    assert COPIES[how](decorated @ 5) == decorated @ 5


def test_a_decorated_function_can_be_pickled() -> None:
    assert COPIES["pickle"](decorated) == decorated

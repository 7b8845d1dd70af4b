"""With ranx's metrics, ``irpref_ranx`` gives what ranx gives: values, types, what it saves, and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from ranx import Qrels, Run
from ranx.data_structures import Report

import irpref_ranx
from irpref_ranx.metrics import TIE_METRICS

NAMES = [
    "hits",
    "hit_rate",
    "precision",
    "recall",
    "f1",
    "r-precision",
    "mrr",
    "map",
    "dcg",
    "dcg_burges",
    "ndcg",
    "ndcg_burges",
    "bpref",
    *TIE_METRICS,
]
METRICS = [name + suffix for name in NAMES for suffix in ("", "@3", "-l2", "@2-l2")]
METRICS += ["rbp.95", "rbp.8-l2", "rbp@50"]
# ranx compiles anew for every length of the longest name.
DOCUMENTS = [f"garden-{number:03}" for number in range(6)]
TOPICS = ["q_2", "q_1", "q_3"]
Lists = dict[str, dict[str, Any]]

# bpref divides by 0, and tests of few or equal values have nothing to go by.
pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:One or more sample arguments is too small"),
]


def lists_of(values: st.SearchStrategy[Any], topics: st.SearchStrategy[Any]) -> Any:
    documents = st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1, max_size=6)
    return topics.flatmap(lambda names: st.fixed_dictionaries(dict.fromkeys(names, documents)))


all_topics = st.permutations(TOPICS)
some_topics = st.lists(st.sampled_from([*TOPICS, "q_4"]), min_size=1, unique=True)
grades = lists_of(st.integers(0, 3), all_topics)
# Quarters tie often, and float32 holds them too.
scores = st.integers(-4, 8).map(lambda quarters: quarters / 4)
rankings = lists_of(scores, all_topics)
partial = lists_of(scores, some_topics)


def outcome(call: Callable[[], Any]) -> Any:
    """What is returned or raised."""
    try:
        return call()
    except Exception as error:
        return type(error), str(error)


def seen(value: Any) -> Iterator[Any]:
    """The value with its types, part by part; NaN as a text, so that it equals itself."""
    yield type(value)
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from seen(part)
    elif isinstance(value, np.ndarray):
        yield value.dtype, value.shape, value.tobytes()
    else:
        yield repr(value)


def saved(run: Any) -> list[Any]:
    return [*seen(run.scores), *seen(run.mean_scores), *seen(run.std_scores)]


def test_every_argument_may_be_positional() -> None:
    judged = {"q_1": {"garden-001": 1}, "q_2": {"garden-002": 1}}
    run = {topic: {"garden-001": 2.0, "garden-002": 1.0} for topic in judged}
    options = ("tukey", 50, 0.2, 7, 1, 2, True, True)
    runs = [Run(run, name="one"), Run({t: {"garden-002": 1.0} for t in judged}, name="two")]
    wanted = ranx.compare(Qrels(judged), runs, ["map"], *options)
    assert str(irpref_ranx.compare(Qrels(judged), runs, ["map"], *options)) == str(wanted)
    mixed = irpref_ranx.compare(Qrels(judged), runs, ["map", "rpp"], *options)
    assert (mixed.stat_test, mixed.max_p, mixed.rounding_digits) == ("tukey", 0.2, 2)
    assert mixed.comparisons["one", "two"]["map"] == wanted.comparisons["one", "two"]["map"]


def check_compare(
    grades: Lists, lists: list[Lists], metrics: Any, options: dict[str, Any], names: Any = None
) -> None:
    names = [f"system_{number}" for number in range(len(lists))] if names is None else names
    runs, own = (
        [Run(each, name=name) for each, name in zip(lists, names, strict=True)] for _ in range(2)
    )
    wanted = outcome(lambda: ranx.compare(Qrels(grades), runs, metrics, **options))
    found = outcome(lambda: irpref_ranx.compare(Qrels(grades), own, metrics, **options))
    assert type(found) is type(wanted)
    assert [saved(run) for run in own] == [saved(run) for run in runs]
    if isinstance(wanted, tuple):
        assert found == wanted
        return
    assert vars(found).keys() == vars(wanted).keys()
    for name, value in vars(wanted).items():
        ours, theirs = (getattr(each, "_map", each) for each in (getattr(found, name), value))
        assert list(seen(ours)) == list(seen(theirs)), name
    # ranx has no label for a metric like rbp@50.
    for text in (str, Report.to_latex):
        assert outcome(lambda: text(found)) == outcome(lambda: text(wanted))  # noqa: B023
    assert list(seen(found.to_dict())) == list(seen(wanted.to_dict()))


@given(
    grades=grades,
    lists=st.lists(rankings, min_size=1, max_size=4),
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=3, unique=True),
    options=st.fixed_dictionaries(
        {},
        optional={
            "stat_test": st.sampled_from(["student", "tukey", "unknown"]),
            "max_p": st.sampled_from([0.01, 0.5, 1.0]),
            "threads": st.sampled_from([0, 1]),
            "rounding_digits": st.sampled_from([2, 4]),
            "show_percentages": st.booleans(),
            "make_comparable": st.booleans(),
        },
    ),
)
@settings(max_examples=15)
def test_compare(
    grades: Lists, lists: list[Lists], metrics: list[str], options: dict[str, Any]
) -> None:
    check_compare(grades, lists, metrics, options)


@given(
    grades=grades,
    lists=st.lists(partial, min_size=1, max_size=3),
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=2, unique=True),
    make_comparable=st.booleans(),
)
@settings(max_examples=10)
def test_compare_on_other_topics(
    grades: Lists, lists: list[Lists], metrics: list[str], make_comparable: bool
) -> None:
    check_compare(grades, lists, metrics, {"make_comparable": make_comparable})


@pytest.mark.parametrize("metrics", ["map", ["map"], ["map", "tie_mrr@3"], ["map", "map"]])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_compare_with_one_metric_or_several(metrics: Any, number: int) -> None:
    judged = {topic: {"garden-001": 1, "garden-003": 2} for topic in TOPICS}
    lists = [
        {t: {d: float((place + n) % 5) for place, d in enumerate(DOCUMENTS)} for t in TOPICS}
        for n in range(number)
    ]
    check_compare(judged, lists, metrics, {})
    check_compare(judged, lists, metrics, {}, names=[None] * number)


def test_the_default_numbers_of_ranx_s_own_columns_beside_preferences(demo: Any) -> None:
    qrels, runs = demo
    wanted = ranx.compare(qrels, runs, METRICS[:8])
    found = irpref_ranx.compare(qrels, runs, [*METRICS[:8], "rpp"])
    for a in wanted.model_names:
        for metric in METRICS[:8]:
            assert list(seen(found.results[a][metric])) == list(seen(wanted.results[a][metric]))
            for b in wanted.model_names:
                if a == b:
                    continue
                for part in ("comparisons", "win_tie_loss"):
                    ours, theirs = (getattr(each, part)[a, b][metric] for each in (found, wanted))
                    assert list(seen(ours)) == list(seen(theirs))

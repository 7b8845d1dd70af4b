"""Options that are said once, for functions and for the command line."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

import irpref
from irpref.demo import demo_paths
from irpref.pair_test import PairTest, PairTestOptions
from irpref.reading import Reading, ReadingOptions

QRELS, RUNS = demo_paths()


@pytest.mark.parametrize(
    ("options", "keywords"), [(Reading, ReadingOptions), (PairTest, PairTestOptions)]
)
def test_the_keywords_of_functions_are_the_fields(options: type, keywords: type) -> None:
    # The one is for what runs, the other for the type checker.
    assert {field.name: field.type for field in fields(options)} == {
        name: getattr(kind, "__forward_arg__", kind)
        for name, kind in keywords.__annotations__.items()
    }


def test_documented_options_are_those_that_there_are() -> None:
    for name in ("order", "duplicates", "judged_only", "missing", "lists"):
        assert f"``{name}``" in (inspect.getdoc(irpref.collect) or "")
    for option in fields(PairTest):
        assert f"``{option.name}``" in (inspect.getdoc(irpref.Comparison.test) or "")


def test_the_nearest_name_may_be_one_of_the_function_itself() -> None:
    with pytest.raises(TypeError, match="unknown option 'progres'; did you mean 'progress'"):
        irpref.collect(QRELS, RUNS, progres=None)  # type: ignore[call-arg]
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(TypeError, match="unknown option 'basline'; did you mean 'baseline'"):
        comparison.test(basline="bm25")  # type: ignore[call-arg]


def test_an_option_of_a_test_is_referred_to_the_test() -> None:
    data = irpref.collect(QRELS, RUNS)
    comparison = data.compare("LP")
    for call in (comparison.leaderboard, comparison.report):
        with pytest.raises(TypeError, match=r"alpha= is .*: test=irpref.PairTest\(alpha=...\)"):
            call(alpha=0.1)
        with pytest.raises(TypeError, match="unknown option 'rnaks'; did you mean 'ranks'"):
            call(rnaks="each")
    with pytest.raises(TypeError, match=r"corroborate\(\): n_resamples= is an option of the test"):
        data.corroborate("bm25", "tfidf", measure="AP", n_resamples=9)  # type: ignore[call-arg]
    assert comparison.leaderboard.__doc__

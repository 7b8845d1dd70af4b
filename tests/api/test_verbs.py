"""The verbs are the methods of a collection, and refuse what they cannot use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import irpref
from irpref import IPSO, LP, RPP, STRPP, demo_paths
from tests.literal_comparison import compare
from tests.random_cases import collection_of, make_case

QRELS, RUNS = demo_paths()
ASK: dict[str, Callable[..., object]] = {
    "collect": lambda **options: irpref.collect(QRELS, RUNS, **options),
    "compare": lambda **options: irpref.compare(QRELS, RUNS, "LP", **options),
    "evaluate": lambda **options: irpref.evaluate(QRELS, RUNS, "AP", **options),
    "corroborate": lambda **options: irpref.corroborate(
        QRELS, RUNS[0], RUNS[1], measure="AP", **options
    ),
}


@pytest.mark.parametrize("name", ASK)
def test_a_wrong_name_is_refused_with_the_nearest(name: str) -> None:
    with pytest.raises(
        TypeError, match=rf"{name}\(\): unknown option 'mising'; did you mean 'missing'"
    ):
        ASK[name](mising="skip")
    with pytest.raises(ValueError, match="unknown missing 'skipp'; did you mean 'skip'"):
        ASK[name](missing="skipp")
    with pytest.raises(ValueError, match="lists must be a whole number of at least 1, not 0"):
        ASK[name](lists=0)
    with pytest.raises(ValueError, match="judged_only must be True or False, not 1"):
        ASK[name](judged_only=1)


def test_the_functions_are_the_methods_of_a_collection() -> None:
    reading = {"missing": "skip", "judged_only": True}
    data = irpref.collect(QRELS, RUNS, **reading)
    assert repr(data.compare("LP")) == repr(irpref.compare(QRELS, RUNS, "LP", **reading))
    assert data.evaluate("AP").equals(irpref.evaluate(QRELS, RUNS, "AP", **reading))
    one = data.corroborate("bm25", ["bm25-prf"], measure="AP@10")
    other = irpref.corroborate(QRELS, RUNS[1], RUNS[0], measure="AP@10", **reading)
    assert repr(one) == repr(other)


def test_progress_is_told_of_both_steps() -> None:
    told: list[tuple[str, int, int]] = []
    irpref.compare(*collection_of(3, 5), LP, progress=lambda *step: told.append(step))
    reading = [step for step in told if step[0] == "reading runs"]
    assert reading == [("reading runs", done, 3) for done in (1, 2, 3)]
    comparing = [step for step in told if step[0] == "comparing topics"]
    assert comparing == [("comparing topics", 5, 5)]


@pytest.mark.parametrize(
    ("preferences", "options", "message"),
    [
        ([], {}, "there is no preference"),
        (5, {}, "give irpref's preference or measure, its text or a function, not 5"),
        ([None], {}, "not None"),
        ("STRP", {}, r"unknown preference or measure 'STRP' \(did you mean 'STRPP'\?\)"),
        ("LP@0", {}, "a cutoff must be a whole number of at least 1, not 0"),
        (lambda first, second: 0.0, {}, "a function without a name needs a label"),
        (
            [RPP(weights=lambda i: 1 / i), RPP(weights=lambda i: 1 / i**2)],
            {},
            "two different preferences are both called",
        ),
        (LP, {"missing": "worse"}, r"unknown missing 'worse'; did you mean 'worst'\?"),
        (LP, {"order": "ranks"}, r"unknown order 'ranks'; did you mean 'rank'\?"),
        (LP, {"duplicates": "last"}, "unknown duplicates 'last'"),
        (IPSO(gains={1: 1}), {}, r"gains: topic t\d+ has grade [23], which has no gain"),
    ],
)
def test_mistaken_input_is_refused_with_the_reason(
    preferences: object, options: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare(make_case(2), preferences, **options)


def test_one_run_alone_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match=r"only one run was given \(alone\): it takes two"):
        irpref.compare({"1": {"d": 1}}, {"alone": {"1": {"d": 1}}})


def test_subtopics_that_are_asked_for_must_be_in_the_qrels() -> None:
    runs = {"a": {"1": {"d": 1}}, "b": {"1": {"d": 1}}}
    with pytest.raises(ValueError, match="the qrels name no subtopics"):
        irpref.compare({"1": {"d": 1}}, runs, STRPP)


def test_a_saved_collection_without_systems_is_refused(tmp_path: Path) -> None:
    irpref.collect(*demo_paths()).save(tmp_path / "demo.irpref")
    with pytest.raises(ValueError, match="name at least one system"):
        irpref.collect(tmp_path / "demo.irpref", [])

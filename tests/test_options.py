"""Options that are said once: of reading, and of testing pairs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields

import pytest

import irpref
from irpref.cli import main
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


def test_a_wrong_name_of_a_test_is_refused_with_the_nearest() -> None:
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(TypeError, match=r"test\(\): unknown option 'metod'; did you mean 'method'"):
        comparison.test(metod="t")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unknown test 'hds'; did you mean 'hsd'"):
        comparison.leaderboard(test="hds")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"test must be a name or an irpref\.PairTest, not 3"):
        comparison.report(test=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n_resamples must be a whole number of at least 1"):
        irpref.PairTest(n_resamples=0)
    with pytest.raises(ValueError, match="it takes no correction"):
        irpref.PairTest(method="hsd", correction="holm")


def test_the_functions_are_the_methods_of_a_collection() -> None:
    reading = {"missing": "skip", "judged_only": True}
    data = irpref.collect(QRELS, RUNS, **reading)
    assert repr(data.compare("LP")) == repr(irpref.compare(QRELS, RUNS, "LP", **reading))
    assert data.evaluate("AP").equals(irpref.evaluate(QRELS, RUNS, "AP", **reading))
    one = data.corroborate("bm25", ["bm25-prf"], measure="AP@10")
    other = irpref.corroborate(QRELS, RUNS[1], RUNS[0], measure="AP@10", **reading)
    assert repr(one) == repr(other)


@pytest.mark.parametrize("test", ["sign", irpref.PairTest(method="sign")])
def test_a_test_is_a_name_or_an_object_wherever_it_is_one_thing_among_others(test: object) -> None:
    comparison = irpref.compare(QRELS, RUNS, "RPP")
    assert comparison.leaderboard(test=test).attrs["test"] == "sign"  # type: ignore[arg-type]
    report = comparison.report(test=test, baseline="bm25")  # type: ignore[arg-type]
    assert "exact sign test" in report.to_text()
    found = irpref.collect(QRELS, RUNS).corroborate(
        "bm25",
        ["tfidf"],
        measure="AP",
        test=test,  # type: ignore[arg-type]
    )
    assert found.test == "sign"


def test_each_challenger_is_tested_by_itself() -> None:
    data = irpref.collect(QRELS, RUNS)
    for test, message in (
        ("hsd", "each challenger is tested by itself"),
        (irpref.PairTest(correction="holm"), "nothing to correct"),
    ):
        with pytest.raises(ValueError, match=message):
            data.corroborate("bm25", ["tfidf"], measure="AP", test=test)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no challenger"):
        data.corroborate("bm25", [], measure="AP")
    with pytest.raises(ValueError, match="unknown system 'bm52'; did you mean 'bm25'"):
        data.corroborate("bm52", ["tfidf"], measure="AP")


def test_the_command_line_offers_every_option_that_says_what_it_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in (*fields(Reading), *fields(PairTest)):
        if option.metadata:
            assert option.metadata["help"] in text
            flag = option.metadata["flag"] or f"--{option.name.replace('_', '-')}"
            assert flag in text


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


@pytest.mark.parametrize("rng", ["x", -1, 1.5, True])
def test_a_seed_is_a_whole_number(rng: object) -> None:
    with pytest.raises(ValueError, match="rng must be a whole number of at least 0"):
        irpref.PairTest(rng=rng)  # type: ignore[arg-type]


def test_fit_is_the_test_that_fits_wherever_it_stands() -> None:
    assert irpref.PairTest(method="fit") == irpref.PairTest()
    comparison = irpref.compare(QRELS, RUNS, "LP")
    assert comparison.test(method="fit").attrs["test"] == "sign"


def test_options_that_would_do_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(ValueError, match="shows every system and tests nothing"):
        comparison.report(per_topic=True, test="fit")
    words = ["compare", str(QRELS), str(RUNS[0]), str(RUNS[1])]
    for flag in ("--seed", "--alpha", "--resamples"):
        assert main([*words, flag, "1" if flag != "--alpha" else "0.1"]) == 1
        assert f"{flag} is of a test: say which one by --test" in capsys.readouterr().err


def test_judgments_may_be_changed_and_stay_what_they_are() -> None:
    data = irpref.collect(QRELS, RUNS)
    before = data.judgments
    changed = data.judgments
    changed["grade"] = 9
    assert data.judgments.equals(before)
    data.select(judgments=lambda judged: judged.assign(x=1)["x"] == 1)
    assert data.judgments.columns.to_list() == ["topic", "document", "grade", "subtopic"]
    shuffled = (before["grade"] > 1).sample(frac=1, random_state=1)
    assert data.select(judgments=shuffled).judgments["grade"].min() == 2

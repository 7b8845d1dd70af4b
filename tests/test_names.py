"""Preferences from text and back, and the texts and options that are refused."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irpref.errors import unknown
from irpref.measures import RR
from irpref.names import known_names, parse
from irpref.options import Named
from irpref.preferences import IPSO, LP, LR, RPP, STRPP, Preference, dcgRPP, invRPP, rrLP, sgnLP

NUMBERS = st.integers(-3, 9) | st.floats(allow_nan=False, allow_infinity=False)
WEIGHTS = st.sampled_from(["uniform", "dcg", "inverse"]) | st.lists(
    st.floats(0, 1e6), min_size=1, max_size=5
).filter(any)
GAINS = st.lists(
    st.tuples(
        st.integers(1, 9) | st.floats(0.5, 9),
        st.integers(0, 99)
        | st.floats(0, 99)
        | st.fractions(0, 99)
        | st.decimals(0, 99, allow_nan=False),
    ),
    min_size=1,
    max_size=4,
).map(lambda pairs: dict(zip(*map(sorted, zip(*pairs, strict=True)), strict=True)))
TIES = st.sampled_from(["trec", "expected"])


@st.composite
def preferences(draw: st.DrawFn) -> Preference:
    """Any preference under any options."""
    base, options = draw(
        st.sampled_from(
            [
                (LP, {"magnitude": st.sampled_from(["sgn", "rr"]), "ties": TIES}),
                (LR, {"ties": TIES}),
                (RPP, {"weights": WEIGHTS, "graded": st.booleans(), "ties": TIES}),
                (STRPP, {"weights": WEIGHTS, "ties": TIES}),
                (IPSO, {"ties": TIES}),
                (IPSO, {"graded": st.booleans()}),
                (IPSO, {"gains": GAINS}),
            ]
        )
    )
    chosen = draw(st.fixed_dictionaries({}, optional={"rel": NUMBERS, **options}))
    cutoff = draw(st.none() | st.integers(1, 10**6))
    found = base(**chosen)
    return found if cutoff is None else found @ cutoff


@settings(max_examples=250)
@given(preferences())
def test_parse_is_the_inverse_of_str(asked: Preference) -> None:
    again = parse(str(asked))
    assert again == asked
    assert hash(again) == hash(asked)
    assert type(again) is type(asked)
    assert str(again) == repr(asked) == str(asked)


@pytest.mark.parametrize("name", known_names())
def test_every_name_is_parsed_and_written(name: str) -> None:
    named = known_names()[name]
    assert parse(name) == parse(f" {name} ") == named
    assert parse(str(named)) == named


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("sgnLP", LP),
        ("rrLP", LP(magnitude="rr")),
        ("dcgRPP", RPP(weights="dcg")),
        ("invRPP", RPP(weights="inverse")),
        ("rrLP@10", LP(magnitude="rr") @ 10),
        ("rrLP(rel=2)@10", LP(magnitude="rr", rel=2) @ 10),
        ("dcgRPP(graded=False)@7", RPP(weights="dcg", graded=False) @ 7),
        ("TieRR@10", RR(ties="expected") @ 10),
    ],
)
def test_what_was_typed_is_the_name_of_what_it_means(text: str, same: Named) -> None:
    assert parse(text) == same
    assert hash(parse(text)) == hash(same)
    assert str(parse(text)) == text
    assert str(pickle.loads(pickle.dumps(parse(text)))) == text
    assert str(copy.deepcopy(parse(text))) == text
    assert "(" in str(same) or same == LP


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("invRPP(weights='uniform')", "RPP"),
        ("rrLP(magnitude='sgn', rel=2)", "LP(rel=2)"),
        ("TieRR(ties='best')@5", "RR(ties='best')@5"),
        ("TieRR(ties='trec')", "RR"),
    ],
)
def test_a_name_that_means_something_else_is_left(typed: str, text: str) -> None:
    assert str(parse(typed)) == text


def test_every_known_name_is_the_text_of_what_it_names() -> None:
    assert {name: str(found) for name, found in known_names().items()} == {
        name: name for name in known_names()
    }


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (LP, "LP"),
        (LP @ 100, "LP@100"),
        (LP(rel=1), "LP"),
        (LP(rel=2) @ 5, "LP(rel=2)@5"),
        (LP(rel=np.int64(2)) @ np.int64(5), "LP(rel=2)@5"),
        (LP(rel=np.float64(0.5)), "LP(rel=0.5)"),
        (LR, "LR"),
        (RPP(graded=False), "RPP(graded=False)"),
        (RPP(weights=[2, 1]), "RPP(weights=(2.0, 1.0))"),
        (RPP(weights=np.array([1, 0.5])), "RPP(weights=(1.0, 0.5))"),
        (RPP(weights=[Fraction(1, 2), 1]), "RPP(weights=(0.5, 1.0))"),
        (RPP(weights=np.sqrt), "RPP(weights=sqrt)"),
        (STRPP(weights="dcg") @ 20, "STRPP(weights='dcg')@20"),
        (IPSO(graded=True) @ 10, "IPSO(graded=True)@10"),
        (IPSO(gains={2: 0.8, 1: 0.2}) @ 10, "IPSO(gains={1: 0.2, 2: 0.8})@10"),
        (IPSO(gains={1: Fraction(1, 3), 2: Decimal("0.70")}), "IPSO(gains={1: '1/3', 2: '0.70'})"),
        (IPSO(gains={np.int64(1): np.float64(0.3)}), "IPSO(gains={1: 0.3})"),
        (IPSO(gains={0: 0, 1: 1}), "IPSO(gains={0: 0, 1: 1})"),
    ],
)
def test_texts(asked: Preference, text: str) -> None:
    assert str(asked) == repr(asked) == text
    if "sqrt" not in text:
        assert parse(text) == asked


def test_cutoffs_replace_each_other_and_options_keep_the_cutoff() -> None:
    assert (LP @ 10) @ 5 == LP @ 5
    assert (rrLP @ 10)(rel=2) == rrLP(rel=2) @ 10
    assert LP() == LP
    assert parse("LP @ 10") == parse("LP()@10") == LP @ 10


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("lp", "LP"),
        ("LPP", "LP"),
        ("rrlp", "rrLP"),
        ("RPPP", "RPP"),
        ("ISPO@10", "IPSO"),
        ("ST_RPP", "STRPP"),
        ("dcg_RPP(graded=False)", "dcgRPP"),
        ("inverseRPP", "invRPP"),
    ],
)
def test_unknown_names_suggest_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=f"unknown preference or measure .* mean '{nearest}'"):
        parse(wrong)


def test_a_name_like_no_other_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown preference or measure 'Q_x'") as error:
        parse("Q_x")
    assert "did you mean" not in str(error.value)
    assert "IPSO" in str(error.value)


@pytest.mark.parametrize(
    "hidden", ["Lexiprecision", "Preference", "preference", "signs", "np", "_x"]
)
def test_what_is_no_preference_has_no_name(hidden: str) -> None:
    with pytest.raises(ValueError, match="unknown preference or measure"):
        parse(hidden)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "LP@",
        "@10",
        "LP)(",
        "LP(",
        "LP(5)",
        "LP('rr')",
        "LP(**{'rel': 2})",
        "LP.cutoff",
        "LP[1]",
        "LP@10@5",
        "LP(rel=2)(rel=3)",
        "LP+RPP",
        "LP, RPP",
        "lambda: LP",
        "__import__('os')",
        "1",
        "'LP'",
        "LP(rel=2, rel=3)",
        "\0",
        "(" * 500,
    ],
)
def test_texts_of_another_form(text: str) -> None:
    with pytest.raises(ValueError, match=r"must read NAME, NAME\(option=value\) or NAME@cutoff"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "RPP(weights=sqrt)",
        "LP(rel=float('inf'))",
        "LP@k",
        "LP@len('ab')",
        "RPP(weights=[i for i in 'a'])",
    ],
)
def test_values_must_be_plain(text: str) -> None:
    with pytest.raises(ValueError, match="is not a plain value"):
        parse(text)


@pytest.mark.parametrize("cutoff", [0, -1, 1.5, 10.0, True, False, "10", None, [10], 0.0])
def test_cutoffs_that_are_no_whole_number_from_1(cutoff: Any) -> None:
    message = "a cutoff must be a whole number of at least 1, not"
    with pytest.raises(ValueError, match=message):
        _ = LP @ cutoff
    if cutoff is not None:
        with pytest.raises(ValueError, match=message):
            parse(f"IPSO(graded=True)@{cutoff!r}")


def test_a_cutoff_is_no_option() -> None:
    with pytest.raises(TypeError, match="LP: unknown option 'cutoff'"):
        LP(cutoff=10)


@pytest.mark.parametrize(
    ("asked", "option", "nearest"),
    [
        (LP, {"magnitud": "rr"}, "magnitude"),
        (RPP, {"weight": "dcg"}, "weights"),
        (IPSO, {"gain": {1: 1}}, "gains"),
        (LR, {"rell": 2}, "rel"),
        (STRPP, {"wieghts": "dcg"}, "weights"),
    ],
)
def test_unknown_options_suggest_the_nearest(
    asked: Preference, option: dict[str, Any], nearest: str
) -> None:
    message = f"unknown option '{next(iter(option))}'; did you mean '{nearest}'"
    with pytest.raises(TypeError, match=message):
        asked(**option)
    with pytest.raises(ValueError, match=message):
        parse(f"{asked.name}({next(iter(option))}={next(iter(option.values()))!r})")


@pytest.mark.parametrize(
    ("asked", "options", "message"),
    [
        (LP, {"magnitude": "recip"}, "unknown magnitude 'recip'"),
        (LP, {"magnitude": "rrr"}, "did you mean 'rr'"),
        (LP, {"magnitude": None}, "unknown magnitude None"),
        (LP, {"rel": "1"}, "rel must be a finite number, not '1'"),
        (LR, {"rel": True}, "rel must be a finite number, not True"),
        (RPP, {"rel": None}, "rel must be a finite number, not None"),
        (IPSO, {"rel": float("nan")}, "rel must be a finite number, not nan"),
        (STRPP, {"rel": float("inf")}, "rel must be a finite number, not inf"),
        (RPP, {"graded": "no"}, "graded must be True or False, not 'no'"),
        (RPP, {"graded": 0}, "graded must be True or False, not 0"),
        (IPSO, {"graded": 1}, "graded must be True or False, not 1"),
        (RPP, {"weights": "dgc"}, "unknown weights 'dgc'; did you mean 'dcg'"),
        (STRPP, {"weights": "invers"}, "unknown weights 'invers'; did you mean 'inverse'"),
        (RPP, {"weights": 5}, "weights must be a name, a function or a list of numbers, not 5"),
        (
            RPP,
            {"weights": None},
            "weights must be a name, a function or a list of numbers, not None",
        ),
        (RPP, {"weights": {}}, "weights must be a name, a function or a list of numbers"),
        (RPP, {"weights": ["a"]}, "weights must be a name, a function or a list of numbers"),
        (
            RPP,
            {"weights": [[1, 2], [3, 4]]},
            "weights must be a name, a function or a list of numbers",
        ),
        (RPP, {"weights": [1, -1]}, "none may be negative or infinite"),
        (RPP, {"weights": [1, float("nan")]}, "none may be negative or infinite"),
        (STRPP, {"weights": [1, float("inf")]}, "none may be negative or infinite"),
        (RPP, {"weights": [0, 0]}, "one must be above 0"),
        (RPP, {"weights": []}, "one must be above 0"),
        (IPSO, {"gains": 5}, r"gains must be \{grade: gain\}, not 5"),
        (IPSO, {"gains": "abc"}, r"gains must be \{grade: gain\}, not 'abc'"),
        (IPSO, {"gains": {"high": 1}}, r"gains must be \{grade: gain\}"),
        (IPSO, {"gains": {1: "x"}}, "the gain 'x' of grade 1 is not a number"),
        (IPSO, {"gains": {1: "1/0"}}, "the gain '1/0' of grade 1 is not a number"),
        (IPSO, {"gains": {1: None}}, "the gain None of grade 1 is not a number"),
        (IPSO, {"gains": {1: float("nan")}}, "the gain nan of grade 1 is not a number"),
        (IPSO, {"gains": {1: float("inf")}}, "the gain inf of grade 1 is not a number"),
        (IPSO, {"gains": {1: -1}}, "must not fall as the grade rises: grade 1 has -1"),
        (IPSO, {"gains": {1: 2, 2: 1, 3: 3}}, "grade 2 has 1, less than the 2 before it"),
        (IPSO, {"gains": {3: 1, 1: Fraction(3, 2)}}, "grade 3 has 1, less than the 1.5 before it"),
        (IPSO, {"gains": {0: 1, 1: 1}}, "grade 0 is not relevant and must have gain 0"),
        (IPSO, {"gains": {-1: -1, 1: 1}}, "grade -1 is not relevant and must have gain 0"),
        (IPSO, {"gains": {1: 1}, "graded": True}, "graded=True or gains=, not both"),
    ],
)
def test_options_that_cannot_be(asked: Preference, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asked(**options)


def test_gains_may_stay_the_same_and_be_in_any_order() -> None:
    assert IPSO(gains={2: 1, 1: 1}) == IPSO(gains={1: 1, 2: 1})
    assert IPSO(gains=((1, 1), (2, 1))) == IPSO(gains={1: 1, 2: 1})


def test_preferences_are_values() -> None:
    assert {LP @ 10, parse("LP@10"), sgnLP @ 10} == {LP @ 10}
    assert len({LP, LR, RPP, IPSO, STRPP, rrLP, dcgRPP, invRPP}) == 8
    with pytest.raises(AttributeError):
        LP.cutoff = 5


def test_the_error_for_an_unknown_name() -> None:
    assert str(unknown("run", "bm52", ["bm25", "tfidf"])) == (
        "unknown run 'bm52'; did you mean 'bm25'? (known: bm25, tfidf)"
    )
    assert str(unknown("run", "zzz", ["bm25"])) == "unknown run 'zzz' (known: bm25)"
    many = [f"run-{i}" for i in range(100)]
    assert str(unknown("run", 7, many)).endswith("run-11, … (100 in all))")

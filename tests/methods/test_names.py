"""Preferences and measures from text and back, and the texts that are refused."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP
from irpref.methods.names import known_names, parse
from irpref.methods.preferences import STRPP, Preference, dcgRPP
from tests.literal_comparison import compare
from tests.random_cases import make_case

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


def test_every_known_name_is_the_text_of_what_it_names() -> None:
    assert {name: str(found) for name, found in known_names().items()} == {
        name: name for name in known_names()
    }


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
def test_texts_of_another_form_are_refused(text: str) -> None:
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


def test_texts_objects_and_other_names_are_the_same() -> None:
    case = make_case(1)
    comparison = compare(case, ["sgnLP", LP, "RPP(weights='dcg')@3", dcgRPP @ 3])
    assert comparison.preferences == (LP, RPP(weights="dcg") @ 3)
    pd.testing.assert_frame_equal(comparison.mean("LP"), comparison.mean(LP))
    pd.testing.assert_frame_equal(
        comparison.outcomes("dcgRPP@3"), comparison.outcomes(RPP(weights="dcg") @ 3)
    )
    assert compare(case, "IPSO@2").preferences == (IPSO @ 2,)
    assert compare(case, LR).preferences == (LR,)
    assert irpref.compare(case.qrels, case.runs).preferences == (RPP, LP, LR, IPSO @ 10)


def test_a_preference_is_no_measure_and_has_its_use_named() -> None:
    for text in ("rpp", "RPP", "rpp@10", "lp"):
        with pytest.raises(
            ValueError, match=r"preference: compare\(\) and `irpref compare` take it"
        ):
            irpref.methods.names.as_measures(text)


@pytest.mark.parametrize(
    ("typed", "nearest"), [("RRP", "RPP"), ("rpp", "RPP"), ("ndcg", "nDCG"), ("rrlp", "rrLP")]
)
def test_the_nearest_name_is_the_one_in_the_same_letters(typed: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=rf"did you mean '{nearest}'\?"):
        parse(typed)

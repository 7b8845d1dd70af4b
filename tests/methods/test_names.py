"""Preferences and measures from text and back, and the texts that are refused."""

from __future__ import annotations

import re
from itertools import chain

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP
from irpref.methods.names import ELSEWHERE, as_criteria, as_measures, known_names, parse
from irpref.methods.preferences import STRPP, Preference, dcgRPP
from tests.literal_comparison import compare
from tests.random_cases import make_case

POSITIVE = st.integers(1, 9) | st.floats(0, exclude_min=True, allow_infinity=False)
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
    chosen = draw(st.fixed_dictionaries({}, optional={"rel": POSITIVE, **options}))
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
        ("LPP", "LP"),
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
    "hidden", ["LexicographicOrder", "Preference", "preference", "signs", "np", "_x"]
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
        "rbp.50",
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
            as_measures(text)


@pytest.mark.parametrize(
    ("typed", "nearest"), [("RRP", "RPP"), ("rrp", "RPP"), ("ndgc", "nDCG"), ("rlrp", "rrLP")]
)
def test_the_nearest_name_is_the_one_in_the_same_letters(typed: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=rf"did you mean '{nearest}'\?"):
        parse(typed)


def test_no_two_names_differ_in_their_case_only() -> None:
    known = known_names()
    assert len({name.lower() for name in known}) == len(known)
    for meant, others in ELSEWHERE.items():
        assert meant in known
        for other in others:
            assert other == other.lower()
            assert other not in {name.lower() for name in known}
            assert [*chain(*ELSEWHERE.values())].count(other) == 1


@pytest.mark.parametrize("name", known_names())
def test_a_name_is_understood_in_any_case(name: str) -> None:
    for typed in (name.lower(), name.upper(), name.swapcase()):
        assert str(parse(typed)) == name
        assert str(parse(f" {typed}(rel=2) @ 10 ")) == str(known_names()[name](rel=2) @ 10)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("map", "AP"),
        ("MAP@10", "AP@10"),
        ("map_cut_10", "AP@10"),
        ("map_cut.10", "AP@10"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG_CUT_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@5"),
        ("MRR@10", "RR@10"),
        ("recip_rank", "RR"),
        ("mrr(ties='expected')", "RR(ties='expected')"),
        ("precision@5", "P@5"),
        ("P_10", "P@10"),
        ("P.10", "P@10"),
        ("Recall@100", "R@100"),
        ("recall_100", "R@100"),
        ("R-precision", "RP"),
        ("Rprec", "RP"),
        ("SetF", "F1"),
        ("set_P", "P"),
        ("hit_rate@1", "Success@1"),
        ("accuracy@1", "Success@1"),
        ("success_1", "Success@1"),
        ("f1", "F1"),
        ("rpp_10", "RPP@10"),
    ],
)
def test_what_other_tools_call_the_same_is_understood_and_written_as_here(
    typed: str, written: str
) -> None:
    assert parse(typed) == parse(written)
    assert str(parse(typed)) == written
    assert [str(each) for each in as_criteria([typed, written])] == [written]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hits@10", "'hits' (did you mean 'Success'?); there"),
        ("ndcg_burges", "'ndcg_burges' (did you mean \"nDCG(dcg='exp-log2')\"?); there"),
        ("precison@5", "'precison' (did you mean 'P'?); there"),
        ("recip_rnk", "'recip_rnk' (did you mean 'RR'?); there"),
        ("bpref", "'bpref'; there"),
        ("infAP", "'infAP'; there"),
        ("ERR@20", "'ERR'; there"),
        ("gm_map", "'gm_map'; there"),
    ],
)
def test_what_other_tools_have_and_irpref_lacks_has_no_other_measure_for_it(
    typed: str, said: str
) -> None:
    for refused in (parse, as_criteria):
        with pytest.raises(ValueError, match=re.escape(f"unknown preference or measure {said}")):
            refused(typed)
    with pytest.raises(ValueError, match=re.escape(f"unknown measure {said} are AP, ASL")):
        as_measures(typed)


def test_results_are_asked_for_by_any_of_the_names() -> None:
    comparison = compare(make_case(1), ["map", "ndcg_cut_3"])
    assert [str(each) for each in comparison.preferences] == ["AP", "nDCG@3"]
    pd.testing.assert_frame_equal(comparison.mean("map"), comparison.mean("AP"))
    pd.testing.assert_frame_equal(comparison.mean("NDCG@3"), comparison.mean("nDCG@3"))

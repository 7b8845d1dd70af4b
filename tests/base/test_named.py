"""Objects with options: their text, their cutoff, and the options that are refused."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from irpref.base.named import Named
from irpref.methods.measures import RR
from irpref.methods.names import parse
from irpref.methods.preferences import (
    IPSO,
    LP,
    LR,
    RPP,
    STRPP,
    Preference,
    dcgRPP,
    invRPP,
    rrLP,
    sgnLP,
)


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


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (LP, "LP"),
        (LP @ 100, "LP@100"),
        (LP(rel=1), "LP(rel=1)"),
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
def test_the_text_names_the_options_that_are_not_the_default(asked: Preference, text: str) -> None:
    assert str(asked) == repr(asked) == text
    if "sqrt" not in text:
        assert parse(text) == asked


def test_cutoffs_replace_each_other_and_options_keep_the_cutoff() -> None:
    assert (LP @ 10) @ 5 == LP @ 5
    assert (rrLP @ 10)(rel=2) == rrLP(rel=2) @ 10
    assert LP() == LP
    assert parse("LP @ 10") == parse("LP()@10") == LP @ 10


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


def test_preferences_are_values() -> None:
    assert {LP @ 10, parse("LP@10"), sgnLP @ 10} == {LP @ 10}
    assert len({LP, LR, RPP, IPSO, STRPP, rrLP, dcgRPP, invRPP}) == 8
    with pytest.raises(AttributeError):
        LP.cutoff = 5

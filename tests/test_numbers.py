"""Numbers that no computer can use are errors at once, and none of them ever vanishes from a mean."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, P, PairTest, R, nDCG, parse
from irpref.base.errors import InputError
from irpref.methods.measures import LexiRecall
from irpref.methods.names import known_names
from tests.random_cases import collection_of, place

NINES = "9" * 400
MANY = 10**5000
SHORT = r"\A.{9,400}\Z"
HUGE: tuple[Any, ...] = (2**31, 2**63, 10**20, int(NINES), MANY)


@pytest.mark.parametrize("cutoff", HUGE, ids=lambda cutoff: f"{cutoff.bit_length()} bits")
@pytest.mark.parametrize("name", known_names())
def test_a_cutoff_is_at_most_the_length_of_any_list(name: str, cutoff: int) -> None:
    with pytest.raises(ValueError, match="a cutoff must be a whole number of at most 2147483647"):
        known_names()[name] @ cutoff


def test_the_greatest_cutoff_is_none() -> None:
    case = collection_of(3, 4)
    names = [name for name in known_names() if name != "STRPP"]
    plain = irpref.compare(*case, names)
    deep = irpref.compare(*case, [f"{name}@{2**31 - 1}" for name in names])
    for name in names:
        factor = 2**31 - 1 if name.endswith("P") and isinstance(parse(name), type(P)) else 1
        found = deep.mean(f"{name}@{2**31 - 1}") * factor
        wanted = plain.mean(name) * (20 if factor > 1 else 1)
        assert np.allclose(found, wanted), name


@pytest.mark.parametrize(
    "text",
    [
        "RPP@99999999999999999999",
        f"RPP@{NINES}",
        f"RPP@{'9' * 5000}",
        f"P@{NINES}",
        "-" * 3000 + "1",
        "RPP@" + "-" * 3000 + "1",
        "RPP@" + "-" * 50_000 + "1",
        "(" * 3000 + "RPP" + ")" * 3000,
        "RPP(weights=" + "[" * 90 + "]" * 90 + ")",
        "RPP(weights=" + "[" * 3000 + "]" * 3000 + ")",
        "RPP" + "@1" * 3000,
        "RPP" * 100_000,
        f"RPP(rel={NINES})",
        "RPP(rel=1e999)",
        f"RPP(weights=[{NINES}])",
        f"IPSO(gains={{1: {NINES}}})",
        "IPSO(gains={1: 1e999})",
        "IPSO(gains={1: '1e999999999'})",
        "IPSO(gains={1: '1e-999999999'})",
        f"IPSO(gains={{1: '{NINES}/{NINES}1' , 2: '{NINES}'}})",
        f"IPSO(gains={{1: '{'9' * 9000}/7'}})",
        "nDCG(gains={1: '1e999999999'})",
        "nDCG(gains={1: 1e300})",
        "nDCG(gains={1e999: 1})",
        f"TSE(persistence={NINES})",
        f"RBP(persistence={NINES})",
        f"RR(level={NINES})",
        f"ASL(n={NINES})",
        f"LexiRecall(n={NINES})",
        "\ud800",
        "RPP\0",
        "",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_text_that_cannot_be_used_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(ValueError, match=SHORT):
        parse(text)


ALPHABET = st.sampled_from(
    [
        *known_names(),
        *"()[]{}@=,:'\"+-*/._ 019",
        "rel",
        "gains",
        "weights",
        "ties",
        "1e99",
        "\n",
        "é",
        "None",
    ]
)


@settings(max_examples=400)
@given(st.lists(ALPHABET, max_size=14).map("".join) | st.text(max_size=30))
@example("RPP(rel=-1)@1")
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except ValueError:
        return
    assert parse(str(found)) == found
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    "make",
    [
        lambda: IPSO(gains={1: Decimal("1e999999999")}),
        lambda: IPSO(gains={1: Decimal("1e-999999999")}),
        lambda: IPSO(gains={1: Decimal("nan")}),
        lambda: IPSO(gains={1: Fraction(10**400)}),
        lambda: IPSO(gains={1: MANY}),
        lambda: IPSO(gains={Decimal("1e999999999"): 1}),
        lambda: IPSO(gains={MANY: 1}),
        lambda: nDCG(gains={1: MANY}),
        lambda: RPP(rel=MANY),
        lambda: AP(rel=10**400),
        lambda: RPP(weights=[10**400]),
        lambda: RPP(weights=[1e308, 1e308]),
        lambda: LP(magnitude=np.array(["rr", "sgn"])),
        lambda: LP(ties=["trec"]),
        lambda: LexiRecall(n=MANY),
        lambda: PairTest(n_resamples=2**31),
        lambda: PairTest(n_resamples=MANY),
        lambda: PairTest(n_resamples=10**8),
        lambda: PairTest(rng=-1),
        lambda: PairTest(rng=MANY),
        lambda: PairTest(rng=2**128),
        lambda: PairTest(method=["t"]),
        lambda: PairTest(alpha=MANY),
        lambda: PairTest(alpha=Decimal("0.05")),
    ],
)
def test_an_option_that_cannot_be_used_is_refused_in_a_line(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=SHORT):
        make()


def test_the_greatest_seed_can_be_used() -> None:
    compared = irpref.compare(*collection_of(3, 9), [RPP])
    seed = 2**128 - 1
    for method in ("randomization", "hsd"):
        board = compared.leaderboard(test=PairTest(method=method, rng=seed, n_resamples=200))
        assert f"rng:{seed}" in board.attrs["signature"]


def test_a_gain_without_end_is_an_error_of_topic_and_grade() -> None:
    qrels, runs = {"7": {"d": 2000}, "8": {"d": 1}}, {"a": {"7": {"d": 1}}, "b": {"8": {"d": 1}}}
    asked = nDCG(dcg="exp-log2")
    for ask in (irpref.evaluate, irpref.compare):
        with pytest.raises(
            InputError, match=r"topic 7, document d: nDCG.*grade 2000 has a gain of inf"
        ):
            ask(qrels, runs, asked)
    assert irpref.evaluate(qrels, runs, asked(gains={2000: 3}))["value"].tolist() == [1, 0, 0, 1]
    placements = place({"7": {"d": 1}}, {"a": {"7": {"d": 1}}})
    placements = replace(placements, grades=np.full_like(placements.grades, np.inf))
    for measure in (nDCG, nDCG(ties="best"), asked @ 3):
        with pytest.raises(
            InputError, match=r"topic 7, document d: .* grade inf has a gain of inf"
        ):
            measure.scores(placements)


SCORES = pd.DataFrame(
    [(system, topic, measure, 0.5) for system in "ab" for topic in "12" for measure in ("M", "N")],
    columns=["system", "topic", "measure", "value"],
)


@pytest.mark.parametrize(
    "value",
    [np.nan, None, pd.NA, "nan", "much", np.inf, -np.inf, 1e300, 10**400],
    ids=lambda value: str(value)[:9],
)
def test_a_score_that_no_mean_can_hold_is_an_error_of_system_and_topic(value: object) -> None:
    scores = SCORES.astype({"value": object})
    scores.loc[5, "value"] = value
    if not isinstance(value, str) and pd.isna(value):
        with pytest.warns(UserWarning, match="N: 1 of 4 scores are missing, most of b"):
            assert irpref.compare_scores(scores).test("M", test="t")["topics"].item() == 2
    else:
        with pytest.raises(ValueError, match=r"b by N .*no mean can hold"):
            irpref.compare_scores(scores)


def test_columns_of_nan_are_an_error() -> None:
    for scores in (SCORES.assign(value=np.nan), SCORES.assign(value=None)):
        with pytest.raises(ValueError, match="system a has no score by M: leave it out"):
            irpref.compare_scores(scores)


@pytest.mark.parametrize("column", ["system", "topic", "measure"])
def test_a_score_of_nothing_is_an_error(column: str) -> None:
    scores = SCORES.astype({column: object})
    scores.loc[2, column] = None
    with pytest.raises(ValueError, match=f"the scores, line 3: the row names no {column}"):
        irpref.compare_scores(scores)


def test_scores_near_the_bound_are_summed() -> None:
    values = np.random.default_rng(1).choice([-1e100, 1e100, 1e99], len(SCORES))
    compared = irpref.compare_scores(SCORES.assign(value=values))
    for name in ("M", "N"):
        assert np.isfinite(compared.mean(name).to_numpy()).all()
        assert np.isfinite(compared.test(name, test="t")["p"]).all()
        assert np.isfinite(compared.order(name)).all()
        board = compared.leaderboard(name, test="t")
        assert np.isfinite(board[["mean", "rank", "rank_low", "rank_high"]].to_numpy(float)).all()


def test_ranks_without_a_common_topic_are_an_error() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1}}, "b": {"2": {"d": 1}}}
    compared = irpref.compare(qrels, runs, [LR, RR, R], missing="skip")
    for name in ("LR", "RR"):
        assert np.isnan(compared.mean(name).loc["a", "b"])
        with pytest.raises(ValueError, match="topic"):
            compared.leaderboard(name, test="sign")

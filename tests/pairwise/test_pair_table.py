"""The table of pairs: each pair from either side, against the comparison."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, RPP, PairTest
from irpref.pairwise.pair_table import PairTable
from tests.random_cases import Case, cases

CRITERIA = (RPP, LP @ 2, IPSO @ 3, AP)
TURNED = {"better": "worse", "worse": "better"}
ALL_PAIRS = [(a, b) for a in range(4) for b in range(4) if a != b]
MARGIN = PairTest(margin=0.3, alternative="equivalent")


@settings(max_examples=12)
@given(
    cases(systems=4, topics=6),
    st.sampled_from([PairTest(method="t"), PairTest(method="sign", alpha=0.6), MARGIN, None]),
    st.lists(st.sampled_from(ALL_PAIRS), min_size=1, max_size=8),
    st.booleans(),
)
def test_each_pair_is_seen_from_its_first_system(
    case: Case, test: PairTest | None, asked: list[tuple[int, int]], baseline: bool
) -> None:
    comparison = irpref.compare(case.qrels, case.runs, CRITERIA)
    names, pairs = (
        comparison.systems,
        (np.array([a for a, _ in asked]), np.array([b for _, b in asked])),
    )
    for criterion, sums in comparison.totals.items():
        if int(sums.topics.min()) < 2:
            continue
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        tests = None
        if test is not None:
            baselines = (1,) if baseline else None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tests = comparison._pairs(criterion, test, baselines, intervals=True)
                frame = comparison.test(
                    criterion, test=test, baseline=names[1] if baseline else None
                )
            rows = frame.set_index(["a", "b"]).to_dict("index")
        table = PairTable.of(names, criterion, sums, pairs).with_tests(tests)
        outcomes = comparison.outcomes(criterion).set_index(["a", "b"]).to_dict("index")
        for (first, second), record in zip(asked, table.records(), strict=True):
            a, b = names[first], names[second]
            values = comparison.per_topic(criterion, a, b)
            assert record.pop("topics") == len(values)
            assert record.pop("mean") == pytest.approx(values.mean(), abs=1e-11)
            counts = outcomes.get((a, b)) or outcomes[b, a]
            sides = ("wins", "losses") if (a, b) in outcomes else ("losses", "wins")
            assert (record.pop("wins"), record.pop("losses")) == tuple(
                counts[side] for side in sides
            )
            for name in {*criterion.outcomes} - {"wins", "losses"}:
                assert record.pop(name) == counts[name]
            found = rows.get((a, b))
            if found is None and (found := rows.get((b, a))) is not None:
                ends = {"low": -found["high"], "high": -found["low"]}
                found = {**found, **ends, "verdict": TURNED.get(v := found.get("verdict"), v)}
            wanted = {} if found is None else {name: found[name] for name in record}
            assert bool(record) == (found is not None)
            assert record == pytest.approx(wanted, nan_ok=True)


def test_a_pair_in_both_directions_keeps_its_own_row() -> None:
    columns = {"mean": np.array([0.5, -0.5]), "p": np.array([0.01, 0.9])}
    columns |= {"low": np.array([0.1, -0.9]), "high": np.array([0.9, math.nan])}
    both = PairTable(
        columns=columns, systems=("x", "y"), pairs=(np.array([0, 1]), np.array([1, 0]))
    )
    counted = PairTable(
        columns={"mean": np.array([-0.5, 0.5])}, systems=both.systems, pairs=both.pairs[::-1]
    )
    one, other = counted.with_tests(both).records()
    assert (one["p"], one["low"], other["p"], other["high"]) == (0.9, -0.9, 0.01, 0.9)


def test_without_p_an_interval_is_all_that_there_is() -> None:
    columns = {"mean": np.array([0.5, 0.5]), "p": np.array([np.nan, np.nan])}
    columns |= {"low": np.array([0.1, np.nan]), "high": np.array([0.9, np.nan])}
    columns |= {"p_adjusted": columns["p"], "significant": np.array([False, False])}
    pairs = np.array([0, 0]), np.array([1, 2])
    table = PairTable(columns=columns, systems=("x", "y", "z"), pairs=pairs)
    assert list(table.records()) == [{"mean": 0.5, "low": 0.1, "high": 0.9}, {"mean": 0.5}]
    assert not table.tested

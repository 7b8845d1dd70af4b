"""The orientation of metrics against their formulas on lists of relevance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from irpref.studies import orientation
from irpref.studies.findings import Study
from irpref.studies.orientation import Orientation
from tests.studies.turned import verdicts

Serp = list[int]


def precisions(serp: Serp) -> list[float]:
    return [sum(serp[:i]) / i for i, relevant in enumerate(serp, start=1) if relevant]


def discounted(serp: Serp) -> float:
    return sum(relevant / math.log2(i + 1) for i, relevant in enumerate(serp, start=1))


def ranks(serp: Serp) -> list[int]:
    return [i for i, relevant in enumerate(serp, start=1) if relevant]


METRICS: dict[str, Callable[[Serp], float]] = {
    "RR": lambda serp: 1 / ranks(serp)[0],
    "TSE": lambda serp: 1 / ranks(serp)[-1],
    "AP": lambda serp: sum(precisions(serp)) / sum(serp),
    "nDCG": lambda serp: discounted(serp) / discounted(sorted(serp, reverse=True)),
    "R@4": lambda serp: sum(serp[:4]) / sum(serp),
    "RP": lambda serp: sum(serp[: sum(serp)]) / sum(serp),
    "RBP(persistence=0.6)": lambda serp: sum(0.4 * 0.6 ** (i - 1) for i in ranks(serp)),
}


def moved(serp: Serp, old: int, new: int) -> Serp:
    """The item at one position goes to another, where none is relevant; nobody else moves."""
    changed = list(serp)
    changed[old - 1], changed[new - 1] = changed[new - 1], changed[old - 1]
    return changed


@pytest.fixture(scope="module")
def figure() -> Study:
    return orientation()


@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_orientation_is_the_loss_when_one_item_drops(n: int) -> None:
    sizes = range(1, n + 1)
    study = orientation(items=n, relevant=sizes, measures=list(METRICS))
    for name, metric in METRICS.items():
        for m in sizes:
            far = [1] + [0] * (n - m) + [1] * (m - 1)
            near = [1] * m + [0] * (n - m)
            losses = {
                "precision orientation": metric(far) - metric(moved(far, 1, n - m + 1)),
                "recall orientation": metric(near) - metric(moved(near, m, n)),
            }
            rows = study.frame[
                (study.frame["method"] == name) & (study.frame["treatment"] == str(m))
            ]
            found = dict(zip(rows["condition"], rows["estimate"], strict=True))
            assert found == pytest.approx(losses, abs=1e-12)


def test_a_measure_of_effort_loses_where_it_grows() -> None:
    study = orientation(items=9, relevant=2, measures="ASL")
    # The mean position: of 1 and 9 against 8 and 9, and of 1 and 2 against 1 and 9.
    assert study.frame["estimate"].to_list() == [3.5, 3.5]


def test_what_the_paper_claims(figure: Study) -> None:
    found = verdicts(figure)
    assert len(found) == 10
    assert {claim: each for claim, each in found.items() if each != "holds"} == {
        "The recall orientation of TSE is well-calibrated across values of m": "cannot be tested",
        "TSE depends on the position of the lowest-ranked relevant item only": "by definition",
    }


def test_where_rbp_crosses_ndcg(figure: Study) -> None:
    [said] = figure.claims.loc[figure.claims["claim"].str.startswith("RBP has more"), "reading"]
    ideal = [discounted([1] * m) for m in range(1, 16)]
    drop = [(1 - 1 / math.log2(100_000 - m + 2)) / ideal[m - 1] for m in range(1, 16)]
    for persistence, first in ((0.5, 3), (0.8, 11), (0.95, None)):
        above = [m for m in range(1, 16) if 1 - persistence > max(drop[m - 1], 1 / m)]
        assert min(above, default=None) == first
    assert "with .5 (from m = 3 on) and .8 (from 11 on), not with .95" in said


def test_claims_need_their_measures() -> None:
    study = orientation(items=20, relevant=[3], measures=["P@5"])
    assert set(study.claims["verdict"]) == {"cannot be tested"}


def test_measures_are_objects_or_texts() -> None:
    from irpref.methods.measures import AP

    assert Orientation(measures=(AP @ 5, "RR")).measures == ("AP@5", "RR")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"items": 3}, "of 3 items 15 cannot be relevant"),
        ({"items": "many"}, "items must be a whole number"),
        ({"measures": ["bpref"]}, "unknown measure"),
        ({"measures": ["RPP"]}, "RPP is not a measure but a preference"),
    ],
    ids=["too few items", "no number", "unknown measure", "a preference"],
)
def test_mistakes(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        orientation(**options)

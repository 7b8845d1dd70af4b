"""Interleaving from positions, against lists that are interleaved and clicked document by document."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irpref.studies.interleaving import balanced_interleaving, precision_by_position
from tests.studies.literal_interleaving import by_clicks, by_precision

NEVER = 2**31 - 1


def random_pair(rng: random.Random) -> tuple[list[str], list[str], list[str]]:
    """Two lists of some of the same documents, and those that are relevant."""
    documents = [f"d{number}" for number in range(rng.randint(1, 7))]
    one, other = (rng.sample(documents, rng.randint(0, len(documents))) for _ in range(2))
    return one, other, rng.sample(documents, rng.randint(1, len(documents)))


def places(ranking: list[str], relevant: list[str], never: int) -> list[list[int]]:
    return [[ranking.index(d) + 1 if d in ranking else never] for d in relevant]


@pytest.mark.parametrize("unsatisfied", [True, False], ids=["all users", "satisfied users"])
@pytest.mark.parametrize("uniform", [True, False], ids=["uniform", "falling"])
@pytest.mark.parametrize("shorter", [True, False], ids=["shorter", "longer"])
def test_as_document_by_document(uniform: bool, unsatisfied: bool, shorter: bool) -> None:
    rng = random.Random(7)
    found: list[tuple[float, float]] = []
    for case in range(300):
        one, other, relevant = random_pair(rng)
        never = NEVER if case % 2 else 1 + max(len(one), len(other))
        weights = [1] * 7 if uniform else [60, 30, 20, 15, 12, 10, 9]
        users = weights[: len(relevant)]
        given = (
            *(np.array(places(ranking, relevant, never)) for ranking in (one, other)),
            (np.array([len(one)]), np.array([len(other)])),
        )
        clicks = balanced_interleaving(
            *given, np.array(users, dtype=float), unsatisfied=unsatisfied, shorter=shorter
        ).item()
        precision = precision_by_position(*given, np.cumsum([0.0, *weights])).item()
        expected = by_clicks(one, other, relevant, users, unsatisfied, shorter)
        assert clicks == pytest.approx(float(expected), abs=1e-12), (one, other, relevant)
        assert (clicks == 0) == (expected == 0)
        expected = by_precision(one, other, relevant, weights)
        assert precision == pytest.approx(float(expected), abs=1e-12), (one, other, relevant)
        assert (precision == 0) == (expected == 0)
        found.append((clicks, precision))
    assert len(set(found)) > 50


def test_pairs_by_themselves() -> None:
    rng = np.random.default_rng(1)
    first, second = (
        np.argsort(rng.random((6, 40)), axis=0)[:3].astype(np.int16) + 1 for _ in range(2)
    )
    lengths = np.full(40, 6), rng.integers(0, 7, size=40)
    second = np.where(second > lengths[1], np.int16(np.iinfo(np.int16).max), second)
    weights, cumulated = np.array([3.0, 2.0, 1.0]), np.arange(8.0)
    together = (
        balanced_interleaving(first, second, lengths, weights),
        precision_by_position(first, second, lengths, cumulated),
    )
    assert all(len(np.unique(values)) > 4 for values in together)
    for pair in range(40):
        one = slice(pair, pair + 1)
        given = first[:, one], second[:, one], (lengths[0][one], lengths[1][one])
        assert balanced_interleaving(*given, weights) == together[0][one]
        assert precision_by_position(*given, cumulated) == together[1][one]
        turned = second[:, one], first[:, one], (lengths[1][one], lengths[0][one])
        assert balanced_interleaving(*turned, weights) == -together[0][one]
        assert precision_by_position(*turned, cumulated) == -together[1][one]

"""All arrangements of items in a list, numbered, and the logarithm of a ratio of such numbers."""

from __future__ import annotations

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from irpref.methods.measures import LexiPrecision, LexiRecall
from irpref.methods.measures.lexicographic_metrics import log_ratio, number_of
from irpref.positions.given_positions import placements_at


@pytest.mark.parametrize(
    ("n", "m"), [(1_000, 1), (1_000, 40), (20_000, 218), (50, 50), (3_000, 2_000)]
)
def test_large_arrangements_have_a_number(n: int, m: int) -> None:
    rng = random.Random(n + m)
    for top in (n, min(n, 2 * m)):
        positions = sorted(rng.sample(range(1, top + 1), m))
        number = sum(math.comb(p - 1, i) for i, p in enumerate(positions, start=1))
        assert number_of(positions) == number
        total = math.comb(n, m)
        mirror = sum(math.comb(n - p, m - i + 1) for i, p in enumerate(positions, start=1))
        rank = total - 1 - mirror
        placements = placements_at(np.array([positions]).T, [m], n)
        assert LexiRecall(n=n).ranks(placements).tolist() == [[number]]
        assert LexiPrecision(n=n).ranks(placements).tolist() == [[rank]]
        odds = Fraction(2 * (total - 1 - rank) + 1, 2 * rank + 1)
        assert LexiPrecision(n=n).scores(placements).item() == pytest.approx(
            math.log(odds.numerator) - math.log(odds.denominator), rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [
        (1, 1),
        (3, 2),
        (10**300 + 1, 10**300),
        (10**31, 10**31 + 1),
        (10**29, 10**29 - 1),
        (2**5000 + 3**1000, 7**1000),
        (5, 3**4000),
        (2**3000 - 1, 2**3000 - 2**2899),
        (2**3000 - 1, 2**3000 - 2**2901),
    ],
)
def test_the_logarithm_of_a_ratio_is_rounded_once(numerator: int, denominator: int) -> None:
    with localcontext() as context:
        context.prec = 2_000
        wanted = float((Decimal(numerator) / Decimal(denominator)).ln())
    assert log_ratio(numerator, denominator) == wanted
    assert log_ratio(denominator, numerator) == -wanted


@pytest.mark.parametrize("bits", range(30, 120, 2))
def test_the_logarithm_of_a_ratio_near_1_is_rounded_once(bits: int) -> None:
    denominator = random.Random(bits).getrandbits(400) | 1 << 400
    for numerator in (denominator + (denominator >> bits), denominator - (denominator >> bits)):
        with localcontext() as context:
            context.prec = 200
            wanted = float((Decimal(numerator) / Decimal(denominator)).ln())
        assert log_ratio(numerator, denominator) == wanted

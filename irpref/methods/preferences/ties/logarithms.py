"""Logarithms of counts of arrangements, exact enough for the largest tied groups."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers

_COARSE = 20
_NEVER = np.iinfo(np.int64).min


class LogChoose:
    """Natural logarithms of binomial coefficients, as whole multiples of a small power of 2.

    The logarithms of factorials are large, and their differences small. As floats they would lose digits;
    sums of whole numbers are exact, even if one of them overflows, as long as the result does not.

    Example:
        >>> log = LogChoose(10)
        >>> log.exp(log(np.array([10, 5]), np.array([3, 5]))).round(9).tolist()
        [120.0, 1.0]
    """

    def __init__(self, most: int) -> None:
        """Tabulate the factorials.

        Args:
            most: The greatest number to choose from. Sums must be between -16 * most and 16 * most.
        """
        bits = 58 - int(most + 1).bit_length()
        logarithms = np.log(np.arange(1, most + 1))
        coarse = np.rint(np.ldexp(logarithms, _COARSE))
        fine = np.cumsum(logarithms - np.ldexp(coarse, -_COARSE))
        self.factorials: Integers = np.zeros(most + 1, dtype=np.int64)
        self.factorials[1:] = np.cumsum(coarse).astype(np.int64) << (bits - _COARSE)
        self.factorials[1:] += np.rint(np.ldexp(fine, bits)).astype(np.int64)
        self._bits = bits

    def __call__(self, of: Integers, chosen: Integers) -> Integers:
        """The logarithms of the ways to choose so many; 0 <= chosen <= of."""
        table = self.factorials
        return table.take(of) - table.take(chosen) - table.take(of - chosen)

    def masked(self, of: Integers, chosen: Integers) -> tuple[Integers, Flags]:
        """The same for any numbers, and whether there is a way to choose so many; they broadcast."""
        possible = (chosen >= 0) & (chosen <= of)
        return self(of, np.where(possible, chosen, 0)), possible

    def fixed(self, logarithms: Floats) -> Integers:
        """Other logarithms as whole numbers."""
        return np.rint(np.ldexp(logarithms, self._bits)).astype(np.int64)

    def exp(self, logarithms: Integers, possible: Flags | None = None) -> Floats:
        """The numbers that have these logarithms; 0 for what is not possible."""
        if possible is not None:
            logarithms = np.where(possible, logarithms, _NEVER)
        return np.exp(np.ldexp(logarithms.astype(np.float64), -self._bits))

"""The parameters of the measures, as ir_measures declares them, and the texts of their values.

ir_measures compares and parses measures by their texts, so every value must have one.
"""

# mypy: allow-untyped-calls
# (ir_measures has types for some of its functions only)

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Number, Real
from typing import Any

from ir_measures.measures import ParamInfo

CUTOFF = ParamInfo(dtype=int, required=False, desc="ranking cutoff threshold")
REL = ParamInfo(dtype=Real, default=1, desc="minimum relevance score to be considered relevant")
JUDGED_ONLY = ParamInfo(
    dtype=bool, default=False, desc="ignore returned documents without relevance judgments"
)
DUPLICATES = ParamInfo(
    dtype=str,
    choices=["error", "first"],
    default="error",
    desc="a document twice in a topic is an error, or counts at its best position",
)
TIES = ParamInfo(
    dtype=str,
    choices=["trec", "expected"],
    default="trec",
    desc="trec_eval's order among tied scores, or the mean over all orders",
)
WEIGHTS = ParamInfo(
    dtype=str,
    default="uniform",
    desc="weights of the recall levels: uniform, dcg, inverse, or numbers as in '3,2,1'",
)
REF = ParamInfo(dtype=str, required=True, desc="the reference run: a path")
REF_ORDER = ParamInfo(
    dtype=str,
    choices=["score", "rank"],
    default="score",
    desc="order the reference run by its scores, or by its rank column",
)


def plain_value(value: Any) -> Any:
    """The value as a plain one: not of numpy, and a path as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def plain_gains(gains: Any) -> Any:
    """The gains in plain numbers and texts; a gain of 0 for a grade that is not relevant says nothing.

    Example:
        >>> plain_gains({-1: 0, 1: 1, 2: Fraction(7, 3)})
        {1: 1, 2: '7/3'}
    """
    if not isinstance(gains, Mapping):
        return gains
    given = {_plain_number(grade): _plain_number(gain) for grade, gain in gains.items()}
    return {grade: gain for grade, gain in given.items() if not (_at_most_0(grade) and gain == 0)}


def _at_most_0(grade: Any) -> bool:
    return isinstance(grade, int | float) and grade <= 0


def _plain_number(number: Any) -> Any:
    if isinstance(number, Number) and hasattr(number, "item"):
        return number.item()
    return str(number) if isinstance(number, Fraction | Decimal) else number


def text_of_weights(weights: Any) -> Any:
    """The weights as a text: their name, or their numbers.

    Raises:
        ValueError: The weights are a function, or no numbers.

    Example:
        >>> text_of_weights([1, 0.5, 0.25])
        '1,0.5,0.25'
    """
    if callable(weights):
        raise ValueError(
            "weights: ir_measures compares measures by their texts, and a function has none; give "
            "numbers, one for each recall level: weights=function(numpy.arange(1, 1001))"
        )
    if isinstance(weights, str | Mapping) or not isinstance(weights, Iterable):
        return weights
    try:
        return ",".join(repr(float(number)).removesuffix(".0") for number in weights)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be a name or a list of numbers, not {weights!r}") from None


def weights_of(text: Any) -> Any:
    """The weights that a text stands for: the text itself if it is no list of numbers.

    Example:
        >>> weights_of("1,0.5,0.25"), weights_of("dcg")
        ((1.0, 0.5, 0.25), 'dcg')
    """
    try:
        return tuple(map(float, text.split(",")))
    except (AttributeError, ValueError):
        return text


def text_of(value: Any) -> str:
    """The value as :func:`ir_measures.parse_measure` reads it, without spaces around the parts of a dict.

    ir_measures' own text leaves out gains that equal their grades, but IPSO needs a gain for every grade.
    """
    if not isinstance(value, dict):
        return repr(value)
    pairs = sorted(value.items(), key=lambda pair: (str(type(pair[0])), pair[0]))
    return "{" + ",".join(f"{key!r}:{item!r}" for key, item in pairs) + "}"

"""locality: is what happens at one recall level like what happens at the next? (Diaz 2023, Figure 7)"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.methods.measures import RR
from irpref.methods.names import as_criteria
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies.base import Context, Experiment, Findings, rows
from irpref.studies.numbers.order_agreement import moments, pearson
from irpref.studies.numbers.pair_topics import pair_topics

_LEVELS = 8
# Levels that are predicted, each from as many next ones.
_PREDICTED, _NEXT = 4, 4
_CORRELATION, _EXPLAINED = "correlation", "R²"
# Predictors that are this much alike count as the same: the coefficient is shared among them.
_ALIKE = 1e-10


class _Regression(NamedTuple):
    """A way to do the regression, and what it is called."""

    words: str
    standardised: bool = False
    of_sign: bool = False
    cascaded: bool = False

    @property
    def coefficient(self) -> str:
        return f"coefficient{self.words}"


_STANDARDISED = _Regression(", standardised", standardised=True)
_REGRESSIONS = (
    _Regression(""),
    _STANDARDISED,
    _Regression(" for the sign", of_sign=True),
    _Regression(" where earlier levels tie", cascaded=True),
)
_NAMES = np.array([f"δRR_{level + 1}" for level in range(_LEVELS)])


class Locality(Experiment):
    """How alike neighbouring recall levels are: correlations, and regressions on the next levels.

    δRR_i is the difference of two rankings' reciprocal positions of the i-th relevant item, 0 for a
    position that is not retrieved. Topics with 8 relevant items and more count, with every pair of systems
    in both orders: so all means are 0, and no intercept is needed (Diaz 2023, section 3.6 and Figure 7).

    Each of the first four is predicted from the next four, in four ways: as it is; with all in units of
    their standard deviations; only its sign; and only on the pair-topics where all earlier levels tie.

    Raises:
        ValueError: No topic has 8 relevant items.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.locality(irpref.collect(*demo_paths()))
        >>> found = study.frame.query("condition == 'correlation' and method == 'δRR_1'")
        >>> found["estimate"].round(2).to_list()
        [0.77, 0.35, 0.14, -0.08, -0.3, -0.3, -0.21]
    """

    question = "Is what happens at one recall level like what happens at the next?"
    layouts = (
        Layout(
            "Correlation of the differences at a recall level and at the j-th next one",
            [_CORRELATION],
            columns="treatment",
            of="pair-topics",
            format=".2f",
            rows={"method": "level"},
        ),
        Layout(
            "Regression on the next recall levels: coefficient of the j-th next one",
            [each.coefficient for each in _REGRESSIONS],
            columns="treatment",
            of="pair-topics",
            format=".2f",
            rows={"condition": "regression", "method": "level"},
        ),
        Layout(
            "Share of the variance that the regressions explain",
            [f"{_EXPLAINED}{each.words}" for each in _REGRESSIONS if not each.standardised],
            format=".2f",
            rows={"method": "level"},
        ),
    )
    picture = Picture(
        "lines",
        x="recall levels further down",
        y="correlation, or coefficient",
        where={"condition": [_CORRELATION, _STANDARDISED.coefficient]},
        panels=("condition",),
    )
    notes = (
        "δRR_i: the difference of 1/position of the i-th relevant item. Topics have at least "
        f"{_LEVELS} relevant items. Every pair is in both orders, so there is no intercept.",
    )

    def findings(self, context: Context) -> Findings:
        sums, pairs = _sums(context)
        correlations = context.bootstrap.of_sums(pearson, sums[:, 0])
        one, other = np.triu_indices(_LEVELS, 1)
        yield from rows(
            correlations.at(one, other),
            method=_NAMES[one],
            condition=_CORRELATION,
            treatment=other - one,
            n=pairs[0],
        )
        for how in _REGRESSIONS:
            fits = context.bootstrap.of_sums(partial(_fits, how=how), sums)
            # Units do not change what is explained.
            shown = slice(_NEXT if how.standardised else None)
            yield from rows(
                fits.at(slice(None), shown),
                method=_NAMES[:_PREDICTED, None],
                condition=[*[how.coefficient] * _NEXT, f"{_EXPLAINED}{how.words}"][shown],
                treatment=[*range(1, 1 + _NEXT), ""][shown],
                n=pairs[:, None] if how.cascaded else pairs[0],
            )


def least_squares(
    correlations: Floats, target: int, predictors: Sequence[int]
) -> tuple[Floats, Floats]:
    """The linear regression of a variable on others, by least squares.

    Args:
        correlations: (…, C, C) of every two variables; NaN if one never varies.
        target: Index of the variable to predict.
        predictors: Indices of the K to predict it from.

    Returns:
        (…, K) coefficients of the predictors, each in units of its standard deviation; NaN for one that
        never varies. And (…,) R², the share of the variance that they explain; NaN if the target never
        varies.

    Example:
        >>> x, y = np.array([1.0, 2.0, 0.0]), np.array([0.0, 1.0, 1.0])
        >>> z = 2 * x - y
        >>> both = np.corrcoef([np.append(each, -each) for each in (x, y, z)])
        >>> _, determined = least_squares(both, 2, [0, 1])
        >>> round(determined.item(), 9)
        1.0
    """
    chosen = np.asarray(predictors)
    subset = correlations[..., chosen[:, None], chosen]
    with_target = correlations[..., chosen, target]
    varies = np.isfinite(np.diagonal(subset, axis1=-2, axis2=-1))
    known = np.nan_to_num(with_target)
    # scipy's and numpy's solvers take one matrix or refuse singular ones.
    inverse = np.linalg.pinv(np.nan_to_num(subset), rcond=_ALIKE, hermitian=True)
    found = np.asarray((inverse @ known[..., None])[..., 0])
    varied = np.isfinite(correlations[..., target, target])
    return (
        np.where(varies & varied[..., None], found, np.nan),
        np.where(varied, (found * known).sum(axis=-1), np.nan),
    )


def _sums(context: Context) -> tuple[Floats, Integers]:
    """Sums of products by topic, and how many pair-topics they are of.

    Returns:
        (T, 4, 12, 12, 4) sums of the products of δRR_1 … δRR_8 and the signs of the first four: for each of
        these four, over the pair-topics on which all earlier levels tie. And (4,) how many these are.
    """
    placements = context.placements
    deep = placements.recall_levels()[1] >= _LEVELS
    if not deep.any():
        raise ValueError(
            f"locality looks at {_LEVELS} recall levels, and no topic has {_LEVELS} relevant items"
        )
    variables = _LEVELS + _PREDICTED
    sums = np.zeros((len(placements.topics), _PREDICTED, variables, variables, 4))
    pairs = np.zeros(_PREDICTED, dtype=np.int64)
    levels = as_criteria([RR(level=1 + level) for level in range(_LEVELS)])
    for part in pair_topics(placements, levels, progress=context.progress):
        which = deep[part.topics]
        differences = part.values[:, which].swapaxes(0, 1)
        given = np.concatenate([differences, np.sign(differences[:, :_PREDICTED])], axis=1)
        for level in range(_PREDICTED):
            tied = (differences[:, :level] == 0).all(axis=1)
            pairs[level] += (tied & np.isfinite(differences[:, 0])).sum()
            sums[part.topics[which], level] = moments(np.where(tied[:, None], given, np.nan))
    return sums, pairs


def _fits(sums: Floats, how: _Regression) -> Floats:
    """(B, 4, 5) for each predicted level, the coefficients of the next ones, and R²."""
    found = []
    for level in range(_PREDICTED):
        drawn = sums[:, level if how.cascaded else 0]
        target = _LEVELS + level if how.of_sign else level
        predictors = range(level + 1, level + 1 + _NEXT)
        coefficients, determined = least_squares(pearson(drawn), target, predictors)
        if not how.standardised:
            sizes = np.sqrt(np.diagonal(drawn[..., 0], axis1=1, axis2=2))
            with np.errstate(divide="ignore", invalid="ignore"):
                coefficients = coefficients * sizes[:, [target]] / sizes[:, list(predictors)]
        found.append(np.column_stack([coefficients, determined]))
    return np.stack(found, axis=1)

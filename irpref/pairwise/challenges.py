"""Corroboration: a measure tests a challenger against a champion, and IPSO may agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Objects
from irpref.base.literals import Correction
from irpref.base.tolerance import difference as score_difference
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.ipso import EQUAL, NON_INFERIOR, NON_SEPARABLE, NON_SUPERIOR
from irpref.stats.corrections import adjust
from irpref.stats.method import USUAL, Draws
from irpref.stats.tests import known_test
from irpref.stats.tests.sign import sign_test

_LOST_FIRST, _LED_FIRST = (
    f"{NON_SEPARABLE.label} {side.label}-first" for side in (NON_SUPERIOR, NON_INFERIOR)
)
GROUPS = (_LOST_FIRST, NON_SUPERIOR.label, EQUAL.label, NON_INFERIOR.label, _LED_FIRST)
"""The five groups of topics, the worst for the challenger first (Moffat & Mackenzie 2024, Figure 6)."""


_DEPTH = 10


def group_depth(criteria: Iterable[Criterion]) -> int:
    """Down to where topics are put into the groups: where the first IPSO with a cutoff looks, or 10.

    Example:
        >>> from irpref.methods.names import as_criteria
        >>> group_depth(as_criteria(["RPP", "IPSO@5"])), group_depth(as_criteria("LP@20"))
        (5, 10)
    """
    named = (each.named for each in criteria if each.has_relations)
    return next((each.cutoff for each in named if each is not None and each.cutoff), _DEPTH)


@dataclass(frozen=True, eq=False)
class ChallengerResult:
    """A measure's test of a challenger, and whether IPSO corroborates it.

    All values are from the challenger's side.

    Attributes:
        champion: Mean score of the champion.
        challenger: Mean score of the challenger.
        difference: The challenger's mean less the champion's (the paper's effect size).
        low: Lower end of the confidence interval of the difference; NaN if the topics say nothing and
            the difference may be any number.
        high: Upper end of the interval; NaN likewise.
        effect: Standardised effect size of the test: :class:`.PairedTests`.
        p: p-value of the measure's test.
        p_adjusted: That p-value after the correction for all challengers.
        significant: † the adjusted p-value is below alpha.
        topics: Number of topics in each of the five groups, by name: :data:`GROUPS`.
        ipso_p: p-value of the sign test of ni against ns; it is about these topics, not about all metrics.
        ipso_p_adjusted: That p-value after the same correction.
        corroborated: ‡ the difference is significant, IPSO's adjusted p-value is below alpha too, and IPSO
            has more topics on the side that the measure prefers.
        least_p: The least of IPSO's p-values (not adjusted) over all splits of the non-separable topics
            into ni and ns.
        greatest_p: The greatest of these p-values. The two bound the sign test of every metric with
            IPSO's grades that is never equal where IPSO says ni or ns, such as AP, DCG and RBP. They do not
            bound P and RR, which often are: at depth 10, of 780 pairs of runs (TREC-COVID round 5), P was
            outside in 24 % and RR in 65 %.
    """

    champion: float
    challenger: float
    difference: float
    low: float
    high: float
    effect: float
    p: float
    p_adjusted: float
    significant: bool
    topics: dict[str, int]
    ipso_p: float
    ipso_p_adjusted: float
    corroborated: bool
    least_p: float
    greatest_p: float
    resamples: int | None


def corroborate_scores(
    champion: npt.ArrayLike,
    challenger: npt.ArrayLike,
    *,
    relation: Sequence[str] | Objects,
    led_first: Sequence[bool] | Flags,
    method: str = "t",
    draws: Draws = USUAL,
    higher_is_better: bool = True,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> ChallengerResult:
    """Follow "Using IPSO as a Corroboration" of Moffat & Mackenzie (2024).

    Args:
        champion: (T,) the measure's scores of the champion by topic.
        challenger: (T,) the challenger's scores on the same topics.
        relation: (T',) ``ni``, ``ns``, ``=`` or ``**``: IPSO of the challenger over the champion on every
            topic that has relevant items.
        led_first: (T',) whether the challenger was ahead first; matters for ``**`` only.
        method: The name of the measure's test.
        draws: How the test draws random numbers, and the level of the interval.
        higher_is_better: Whether a higher score of the measure is better.
        bounds: The least and the greatest difference of two scores that there can be.

    Returns:
        The challenger by itself, with p-values that are not corrected; :func:`corrected` does that.

    Raises:
        ValueError: There are too few topics for the test.

    Example:
        >>> relation = ["ns"] * 81 + ["**"] * 36 + ["="] * 23 + ["ni"] * 109
        >>> scores = np.linspace(0, 1, 249)
        >>> result = corroborate_scores(
        ...     scores, scores + 0.1, relation=relation, led_first=[True] * 249, method="sign"
        ... )
        >>> round(result.ipso_p, 4), result.corroborated, round(result.greatest_p, 4)
        (0.0499, True, 1.0)
    """
    before, after = (np.asarray(scores, dtype=np.float64) for scores in (champion, challenger))
    values = score_difference(after, before)[:, None]
    named = known_test(method)
    test = named.of_values(values, draws=draws)
    which = groups_of(np.asarray(relation, dtype=object), np.asarray(led_first, dtype=bool))
    counts = {name: int(np.count_nonzero(which == name)) for name in GROUPS}
    worse, better = counts[NON_SUPERIOR.label], counts[NON_INFERIOR.label]
    nonseparable = counts[_LOST_FIRST] + counts[_LED_FIRST]
    to_challenger = np.arange(nonseparable + 1)
    splits = sign_test(better + to_challenger, worse + nonseparable - to_challenger)
    low, high = (np.clip(end, *bounds) for end in named.intervals(values, draws=draws))
    difference, p = float(test.mean[0]), float(test.p[0])
    ipso_p = float(sign_test(better, worse))
    significant = p < draws.alpha
    preferred = difference if higher_is_better else -difference
    return ChallengerResult(
        champion=float(before.mean()),
        challenger=float(after.mean()),
        difference=difference,
        low=float(low[0]),
        high=float(high[0]),
        effect=float(test.effect[0]),
        p=p,
        p_adjusted=p,
        significant=significant,
        topics=counts,
        ipso_p=ipso_p,
        ipso_p_adjusted=ipso_p,
        corroborated=significant and ipso_p < draws.alpha and (better - worse) * preferred > 0,
        least_p=float(splits.min()),
        greatest_p=float(splits.max()),
        resamples=test.resamples,
    )


def corrected(
    results: Sequence[ChallengerResult], correction: Correction | None, *, alpha: float
) -> list[ChallengerResult]:
    """The challengers as one family: both p-values of each are adjusted, and its † and ‡ go by these.

    Args:
        results: Each challenger by itself.
        correction: See :func:`.adjust`.
        alpha: The significance level of the results.

    Raises:
        ValueError: The correction is unknown.

    Example:
        >>> one = corroborate_scores(
        ...     [0.1, 0.2, 0.3], [0.2, 0.4, 0.5], relation=["ni"] * 3, led_first=[True] * 3
        ... )
        >>> [each.p_adjusted / each.p for each in corrected([one, one], "holm", alpha=0.05)]
        [2.0, 2.0]
    """
    adjusted = adjust([result.p for result in results], correction)
    ipso_adjusted = adjust([result.ipso_p for result in results], correction)
    return [
        replace(
            result,
            p_adjusted=float(p),
            ipso_p_adjusted=float(ipso_p),
            significant=bool(p < alpha),
            # What a correction leaves was corroborated without it.
            corroborated=result.corroborated and bool(max(p, ipso_p) < alpha),
        )
        for result, p, ipso_p in zip(results, adjusted, ipso_adjusted, strict=True)
    ]


def groups_of(relation: Objects, led_first: Flags) -> Objects:
    """(T,) which of the :data:`GROUPS` each topic is in, by the relation and by who led first."""
    apart = np.where(led_first, _LED_FIRST, _LOST_FIRST)
    return np.where(relation == NON_SEPARABLE.label, apart, relation)

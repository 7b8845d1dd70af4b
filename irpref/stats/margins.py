"""Not worse, or as good: tests of whether a mean lies above or within a margin, or beside a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Objects, Values
from irpref.base.literals import Alternative
from irpref.base.tolerance import difference
from irpref.stats.method import (
    POWER,
    PairedTests,
    PairSums,
    TooFewTopicsError,
    check_topics,
    ratio,
)

LEAST_DECIDED = 10
"""With fewer topics that are won or lost, tests with a margin find too much."""


def verdicts(alternative: Alternative, claimed: Flags, ahead: Values) -> Objects:
    """What the tests of a margin, and of a difference, say of P pairs.

    ``"noninferior"``: ``"better"`` if the mean is significantly above 0, else ``"not worse"`` if it is
    above minus the margin. ``"equivalent"``: ``"equivalent"`` if the mean is within the margin, else
    ``"better"`` if it is significantly above 0. Then ``"worse"`` if it is significantly below 0, and
    ``"undecided"`` if nothing is shown.

    Args:
        alternative: What is to be shown.
        claimed: (P,) whether it is.
        ahead: (P,) +1 where the mean is significantly above 0, -1 where it is below, else 0.

    Returns:
        (P,) words.

    Example:
        >>> verdicts("noninferior", np.array([True, True, False]), np.array([1, 0, -1])).tolist()
        ['better', 'not worse', 'worse']
    """
    claims = [
        ("better", ahead > 0),
        ("not worse" if alternative == "noninferior" else "equivalent", claimed),
        ("worse", ahead < 0),
    ]
    if alternative == "equivalent":
        claims[:2] = claims[1::-1]
    words = np.select([flags for _, flags in claims], [word for word, _ in claims], "undecided")
    return words.astype(object)


def margin_tests(
    alternative: Alternative,
    margin: float,
    sums: PairSums,
    *,
    alpha: float,
) -> PairedTests:
    """Test with a margin, from sums over the topics (Schuirmann 1987 for ``"equivalent"``).

    Args:
        alternative: ``"noninferior"``: the mean is above -margin. ``"equivalent"``: it is above -margin
            and below +margin; the p-value is the greater of the two.
        margin: Above 0, in the unit of the values.
        sums: The sums over the topics.
        alpha: 1 - 2 alpha is the level of the intervals.

    Returns:
        The tests. The statistic is Student's t of the distance to the margin (to the nearer one). Values
        without spread have no t: their p-value is that of all sets of signs, 1 / 2^T.

    Raises:
        TooFewTopicsError: A pair has fewer than two topics.

    Example:
        >>> sums = PairSums.of(np.array([[0.05], [-0.02], [0.03], [-0.04], [0.01], [0.02]]))
        >>> margin_tests("equivalent", 0.1, sums, alpha=0.05).p.round(4).tolist()
        [0.0005]
    """
    topics, mean = sums.topics, sums.mean
    check_topics(topics, 2, "t with a margin")
    spread = sums.spread
    t, p = _beyond(difference(mean, -margin), spread, topics)
    if alternative == "equivalent":
        other, p_other = _beyond(difference(margin, mean), spread, topics)
        t, p = np.minimum(t, other), np.maximum(p, p_other)
    return sums.tested("t", statistic=t, p=p, ends=sums.t_interval(2 * alpha))


Decision = Literal["passed", "failed", "undecided"]


@dataclass(frozen=True, kw_only=True)
class Gate:
    """On which side of a limit the mean of a pair lies.

    Beside a limit below 0, one-sided t-tests say it; beside 0, the two-sided test of a difference.

    Attributes:
        limit: The mean must lie above it.
        alpha: Of a limit below 0, about how often a mean at it passes, and how often it fails: more often
            where few topics are won or lost. Of 0, how often equal systems do either.
        decision: ``"passed"``: the mean is shown to lie above the limit, ``"failed"``: below it.
        mean: The mean.
        low: The lower end of its interval, of the level 1 - 2 alpha, or 1 - alpha beside 0; NaN if all
            topics agree exactly.
        high: The upper end.
        p: The p-value of a mean above the limit; beside 0, of a difference.
        p_below: That of a mean below it; NaN beside 0.
        detectable: How far above the limit a mean must lie to pass with a power of 0.8; NaN if all topics
            agree exactly.
        needed: Where a margin is undecided, how many topics like these let a mean of 0 pass so often; ∞ for
            more than :data:`.MOST_TOPICS`, and NaN elsewhere.
        topics: How many topics count.
    """

    limit: float
    alpha: float
    decision: Decision
    mean: float
    low: float
    high: float
    p: float
    p_below: float
    detectable: float
    needed: float
    topics: float

    @classmethod
    def of_difference(cls, tested: Mapping[str, Any], *, alpha: float) -> Gate:
        """What the two-sided test of one pair decides: the mean must lie above 0.

        Args:
            tested: What the test says of the pair: mean, low, high, p, detectable and topics.
            alpha: The level of the test.
        """
        significant, mean = tested["p"] < alpha, tested["mean"]
        decision: Decision = "undecided"
        if significant:
            decision = "passed" if mean > 0 else "failed"
        names = ("mean", "low", "high", "p", "detectable", "topics")
        numbers = {name: tested[name] for name in names}
        more = {"p_below": np.nan, "needed": np.nan}
        return cls(limit=0.0, alpha=alpha, decision=decision, **numbers, **more)


def gate(
    sums: PairSums, *, limit: float, alpha: float, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Gate:
    """Whether the mean of one pair lies above a limit, or below it.

    Where all topics agree exactly there is no t: the p-value is that of all sets of signs, 1 / 2^T.

    Args:
        sums: What the topics of the pair say.
        limit: The limit, such as minus a margin, in the unit of the values.
        alpha: The level of each of the two tests.
        bounds: The least and the greatest mean there can be.

    Raises:
        TooFewTopicsError: The pair has fewer than two topics.

    Example:
        >>> sums = PairSums.of(np.array([[0.05], [-0.02], [0.03], [-0.04], [0.01], [0.02]]))
        >>> [gate(sums, limit=limit, alpha=0.05).decision for limit in (-0.1, 0.01, 0.1)]
        ['passed', 'undecided', 'failed']
    """
    if (topics := sums.topics.item()) < 2:
        few = f"a gate needs at least 2 topics with relevant documents, not {topics:g}"
        raise TooFewTopicsError(few)
    above = difference(sums.mean, limit)
    p, p_below = (_beyond(side, sums.spread, sums.topics)[1].item() for side in (above, -above))
    ends = sums.t_interval(2 * alpha)
    half = (ends[1] - ends[0]) / 2
    low, high = (np.clip(end, *bounds) for end in ends)
    decision: Decision = "undecided"
    if p < alpha:
        decision = "passed"
    elif p_below < alpha:
        decision = "failed"
    asked = decision == "undecided" and limit < 0 and sums.spread.item() > 0
    return Gate(
        limit=limit,
        alpha=alpha,
        decision=decision,
        mean=sums.mean.item(),
        low=low.item(),
        high=high.item(),
        p=p,
        p_below=p_below,
        detectable=sums.detectable(half).item(),
        needed=_needed(-limit / sums.spread.item(), alpha) if asked else np.nan,
        topics=topics,
    )


def _needed(effect: float, alpha: float) -> float:
    """How many topics let a mean of 0 pass with a power of 0.8; ∞ where nobody judges so many."""
    # It is slow to import, and comparisons without a test read this file.
    from irpref.stats.power import topics_for_t

    try:
        # A two-sided test at 2 alpha finds what a one-sided one at alpha does.
        return float(topics_for_t(POWER, effect=effect, alpha=2 * alpha))
    except ValueError:
        return np.inf


def too_few_decided(decided: Values, pairs: Sequence[tuple[str, str]], what: str) -> str | None:
    """A warning if pairs differ on so few topics that a margin is held too easily.

    Args:
        decided: (P,) topics that one of the systems wins.
        pairs: The names of their systems.
        what: The name of the values.

    Returns:
        The text; None if all pairs differ on enough topics.

    Example:
        >>> too_few_decided(np.array([12, 7]), [("a", "b"), ("c", "b")], "LP").partition(";")[0]
        'LP: 1 of 2 pairs differ on fewer than 10 topics (the first is c against b: 7)'
    """
    few = np.flatnonzero(decided < LEAST_DECIDED)
    if not len(few):
        return None
    a, b = pairs[few[0]]
    return (
        f"{what}: {len(few)} of {len(pairs)} pairs differ on fewer than {LEAST_DECIDED} topics (the first "
        f"is {a} against {b}: {decided[few[0]]:g}); a margin is then held too easily, because so few "
        "differences do not show their spread"
    )


def _beyond(distance: Floats, spread: Floats, topics: Integers) -> tuple[Floats, Floats]:
    """t of a distance, and the p-value of its being above 0."""
    from scipy.special import stdtr

    t = ratio(distance, spread / np.sqrt(topics))
    one_set_of_signs = np.where(distance > 0, np.exp2(-1.0 * topics), 1)
    return t, np.where(spread == 0, one_set_of_signs, stdtr(topics - 1, -t))

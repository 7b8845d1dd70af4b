"""How many topics to judge: ``plan``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from irpref.api.comparison import Comparison
from irpref.base.arrays import Floats, Integers
from irpref.base.message import Message, Option, refusal
from irpref.base.tolerance import TOLERANCE
from irpref.base.wording import Words
from irpref.methods.names import AnyCriterion, as_criterion, find_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import PairTest, Planning
from irpref.pairwise.topic_values import topic_values
from irpref.show.reports.topic_plan_report import Plan
from irpref.stats.power import sign_power, t_power, topics_for_sign, topics_for_t
from irpref.stats.simulated_power import (
    MOST_PAIRS,
    Curve,
    Simulation,
    reachable,
    tilted,
    upper_share,
    upper_variance,
    weighted_sd,
)

# The differences of the table, in differences asked for.
_AROUND = (0.5, 0.75, 1, 1.25, 1.5, 2)


def plan(
    preference: AnyCriterion,
    *,
    difference: float,
    pilot: Comparison | None = None,
    sd: float | None = None,
    pair: tuple[str, str] | None = None,
    power: float = Planning.power,
    pairs: int = Planning.pairs,
    alpha: float = Planning.alpha,
    rng: int | np.random.Generator | None = Planning.rng,
) -> Plan:
    """How many topics to judge, so that a two-sided test is likely to find a difference.

    With a pilot, the test that will be run is simulated on its topics, drawn with replacement, which weigh
    so that the pair has the difference: of several pairs, joint sign flips, or for preferences whose values
    are signs (LP, LR, IPSO) the exact sign test with Holm's correction; of one pair, the t-test or the sign
    test. Without a pilot, a formula gives the power of a t-test or sign test at alpha / pairs.

    Args:
        preference: What systems will be compared by: a preference or a measure, or the name of scores in
            the pilot.
        difference: The least mean value that matters, such as 0.2, whichever system it is for.
        pilot: A comparison by the preference, of systems and on topics like those to come.
        sd: The standard deviation of the values of a pair over the topics, instead of a pilot. If values
            are signs, sd² + difference² is the share of topics that one of the systems wins.
        pair: The two systems of the pilot to plan for; by default the median of the pairs that differ by
            about as much.
        power: How likely it must be that the test finds the difference.
        pairs: How many pairs will be tested.
        alpha: Significance level of all pairs together.
        rng: A seed or Generator for the simulation; None draws a seed. The signature says which one.

    Returns:
        The plan; ``.topics`` is the number, ``.at_most`` its upper end, ``.frame`` has those of other
        differences, ``.report`` all.

    Raises:
        ValueError: There is neither a pilot nor a standard deviation, or both; the pilot was not compared
            by the preference, lacks a system, or has no topics with such a difference; a number is out of
            range, or no values of the preference can have this mean and this standard deviation; or more
            than 100,000 topics are needed.

    Example:
        >>> import irpref
        >>> irpref.plan(irpref.RPP, difference=0.2, sd=0.4).topics
        34
        >>> from irpref import demo_paths
        >>> pilot = irpref.compare(*demo_paths(), [irpref.RPP, irpref.LP])
        >>> one = irpref.plan(irpref.RPP, difference=0.2, pilot=pilot, pair=("bm25", "tfidf"))
        >>> one.test, one.topics, one.at_most
        ('t', 27, 69)
    """
    planning = Planning(
        difference=difference, sd=sd, power=power, pairs=pairs, alpha=alpha, rng=rng
    )
    if (pilot is None) == (sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is a Comparison, or sd, the standard deviation"
        )
    if pilot is None:
        if pair is not None:
            raise ValueError("pair names two systems of a pilot, and there is none")
        return _by_formula(as_criterion(preference), planning)
    if not isinstance(pilot, Comparison):
        raise ValueError(
            f"pilot must be an irpref.Comparison, as compare() gives, not a {type(pilot).__name__}"
        )
    return _simulated(find_criterion(preference, pilot.preferences), planning, pilot, pair)


def _by_formula(criterion: Criterion, planning: Planning) -> Plan:
    """The plan for values that vary as given."""
    signs, difference = criterion.signs_only, planning.difference
    spread, basis = planning.sd or 0.0, "as given"
    if signs:
        basis = f"from a standard deviation of {spread:g}"
        spread = _share_decided(criterion, difference, spread)
    power, enough = (sign_power, topics_for_sign) if signs else (t_power, topics_for_t)

    def like(each: float) -> dict[str, float]:
        of = {"difference": each, "decided": spread} if signs else {"effect": each / spread}
        return {**of, "alpha": planning.level}

    def power_of(each: float, topics: int) -> float:
        return float(power(topics, **like(each)))

    def topics_for(each: float) -> int:
        _check_possible(criterion, each, spread)
        return enough(planning.power, **like(each))

    topics, needed = _around(difference, topics_for, power_of)
    return Plan(
        preference=str(criterion),
        difference=difference,
        topics=topics,
        at_most=None,
        power=power_of(difference, topics),
        error=None,
        target=planning.power,
        sd=math.sqrt(max(0.0, spread - difference**2)) if signs else spread,
        decided=spread if signs else None,
        test=PairTest().method_for(signs=signs).name,
        alpha=planning.alpha,
        pairs=planning.pairs,
        basis=basis,
        needed=needed,
        signature=signature(criterion, None, more={"sd": planning.sd, **_signed(planning)}),
    )


def _simulated(
    criterion: Criterion, planning: Planning, pilot: Comparison, pair: tuple[str, str] | None
) -> Plan:
    """The plan for topics like those of a pilot."""
    difference, signs = planning.difference, criterion.signs_only
    _check_difference(criterion, difference)
    test = PairTest(alpha=planning.alpha, rng=planning.rng)
    method, seed = test.method_for(signs=signs, pairs=planning.pairs).name, test.seed()
    indices = None if pair is None else _pair(pilot, pair)
    values = topic_values(pilot.placements, criterion)
    values, planned, basis = _pilot_pairs(pilot.systems, values, indices, difference)
    simulation = Simulation(values, planned, planning.pairs, method, planning.alpha, seed)

    @cache
    def curve_of(each: float) -> Curve:
        # The one asked for more exactly.
        return simulation.curve(each, planning.power, rounds=3 if each == difference else 2)

    curve = curve_of(difference)
    topics, needed = _around(
        difference,
        lambda each: curve_of(each).topics(planning.power),
        lambda each, topics: curve_of(each).power(topics),
    )
    own = values[:, planned[:, 0], planned[:, 1]]
    weights = tilted(own, difference)
    if signs:
        # Holm's correction finds at least as much as Bonferroni's.
        most = float(np.median(upper_share(np.abs(own), weights)))
        limited = {"difference": difference, "decided": most, "alpha": planning.level}
        at_most = max(topics, topics_for_sign(planning.power, **limited))
    else:
        at_most = math.ceil(topics * float(np.median(upper_variance(weights))))
    known, asked = math.comb(values.shape[1], 2), planning.pairs
    if asked > max(known, MOST_PAIRS):
        basis = Message(basis, f"; each draw tests {MOST_PAIRS:,} of the {asked:,} pairs")
    elif asked > known:
        basis = Message(
            basis, f"; the pilot has {known:,} of {asked:,} pairs: they are taken again"
        )
    return Plan(
        preference=str(criterion),
        difference=difference,
        topics=topics,
        at_most=at_most,
        power=curve.power(topics),
        error=curve.power_error(topics),
        target=planning.power,
        sd=difference / curve.slope,
        decided=float((weights * np.abs(own)).sum(axis=0).mean()) if signs else None,
        test=method,
        alpha=planning.alpha,
        pairs=planning.pairs,
        basis=Message(basis, f", on {len(own)} topics of the pilot"),
        needed=needed,
        signature=signature(
            criterion,
            pilot.placements,
            topics=len(own),
            names={"pair": pair},
            more={
                "pilot": "median" if pair is None else None,
                "test": method,
                **_signed(planning),
                "rng": seed,
            },
        ),
        words=Words(pilot.placements.reading.users, (str(criterion), *pilot.systems)),
    )


def _signed(planning: Planning) -> dict[str, object]:
    return {name: getattr(planning, name) for name in ("difference", "power", "pairs", "alpha")}


def _around(
    difference: float,
    topics_for: Callable[[float], int],
    power_of: Callable[[float, int], float],
) -> tuple[int, dict[float, tuple[int, float, float]]]:
    """The topics that a difference needs, and what those around it need, as far as there are any."""
    topics, needed = topics_for(difference), {}
    for times in _AROUND:
        # Without the float noise of the product.
        each = difference if times == 1 else float(f"{difference * times:.12g}")
        try:
            enough = topics_for(each)
        except ValueError:
            continue
        needed[each] = (enough, power_of(each, enough), power_of(each, topics))
    return topics, needed


def _check_possible(criterion: Criterion, difference: float, spread: float) -> None:
    """Refuse a difference and a spread that no values of the criterion have together.

    Raises:
        ValueError: They have not.
    """
    most = _check_difference(criterion, difference)
    if criterion.signs_only:
        if difference > spread + TOLERANCE:
            raise ValueError(
                f"{criterion} decides {spread:.3g} of the topics, and no difference can be greater than "
                f"that: {difference:g} is"
            )
    elif math.hypot(difference, spread) > most + TOLERANCE:
        raise ValueError(
            f"values by {criterion} whose mean is {difference:g} have a standard deviation of at most "
            f"{math.sqrt(most**2 - difference**2):.3g}, not {spread:.3g}"
        )


def _check_difference(criterion: Criterion, difference: float) -> float:
    """The greatest difference that there can be.

    Raises:
        ValueError: This one is greater.
    """
    most = max(map(abs, criterion.bounds))
    if difference > most:
        raise ValueError(
            f"no difference by {criterion} can be greater than {most:g}: {difference:g} is"
        )
    return most


def _share_decided(criterion: Criterion, difference: float, sd: float) -> float:
    """The share of topics decided of signs with this mean and standard deviation.

    Raises:
        ValueError: No signs have them.
    """
    _check_difference(criterion, difference)
    least, most = math.sqrt(difference - difference**2), math.sqrt(1 - difference**2)
    if not least - TOLERANCE <= sd <= most + TOLERANCE:
        raise ValueError(
            f"values by {criterion} are -1, 0 and 1: if their mean is {difference:g}, their standard "
            f"deviation is at least {least:.3g} and at most {most:.3g}, not {sd:.3g}"
        )
    return min(1.0, sd**2 + difference**2)


def _pair(pilot: Comparison, pair: tuple[str, str]) -> tuple[int, int]:
    if isinstance(pair, str) or len(pair) != 2:
        raise ValueError(f"pair must be two systems of the pilot, not {pair!r}")
    one, other = (pilot.placements.system(name) for name in pair)
    if one == other:
        raise ValueError(f"pair must be two different systems, not {pair[0]!r} twice")
    return one, other


# At most so many pairs are planned for: the middle ones of those that differ by about the difference (one
# less of an even number, whose median lies between two), or else the nearest ones.
_SOME = 5


def _pilot_pairs(
    systems: Sequence[str], values: Floats, pair: tuple[int, int] | None, difference: float
) -> tuple[Floats, Integers, str]:
    """The pairs of a pilot to plan for, and the values of all.

    By default these are the middle ones, by their standard deviation, of the pairs that differ by half to
    twice the difference; if there are none, of those that are nearest.

    Args:
        systems: Names of the systems.
        values: (T, S, S) values of all systems against all; NaN if a topic does not count.
        pair: Indices of two systems.
        difference: What is planned for.

    Returns:
        (T, S, S) values of all systems that count on the topics of these pairs; (K, 2) indices of the pairs
        planned for, the better system first; and which pairs these are, in words.

    Raises:
        ValueError: There are fewer than two topics, or no values on either side of the difference.
    """
    first, second = np.triu_indices(len(systems), 1) if pair is None else np.array([pair]).T
    candidates = values[:, first, second]
    counted = ~np.isnan(candidates)
    most = int(counted.sum(axis=0).max())
    if most < 2:
        raise ValueError(f"too few topics of the pilot count ({most}): it takes two or more")
    # Pairs are tested together on the topics that all of them have.
    whole = counted.sum(axis=0) == most
    counted = counted[:, np.flatnonzero(whole)[0]]
    whole &= ~np.isnan(candidates[counted]).any(axis=0)
    first, second, candidates = first[whole], second[whole], candidates[np.ix_(counted, whole)]
    means = candidates.mean(axis=0)
    candidates = np.where(means < 0, -candidates, candidates)
    can = reachable(candidates, difference)
    if not can.any():
        raise _unreachable(systems, candidates, first, second, difference)
    apart = np.where(can, np.abs(means), np.nan)
    alike = np.flatnonzero((apart >= difference / 2) & (apart <= 2 * difference))
    words = f"the {len(alike):,} pairs that differ by {difference / 2:g} to {2 * difference:g}"
    if not len(alike):
        alike = np.argsort(np.abs(apart - difference), kind="stable")[: min(_SOME, can.sum())]
        words = f"the {len(alike)} pairs whose difference is nearest"
    some = candidates[:, alike]
    spreads = weighted_sd(some, tilted(some, difference))
    size = min(len(alike), _SOME - 1 + len(alike) % 2)
    begin = (len(alike) - size) // 2
    chosen = alike[np.argsort(spreads, kind="stable")[begin : begin + size]]
    if pair is None and len(systems) > 2:
        middle = f"the middle {size} of " if size < len(alike) else ""
        basis: str = Message(
            f"{middle}{words} (", Option("pair", ..., python="pair=(a, b)"), " names one)"
        )
    else:
        basis = f"{systems[first[chosen[0]]]} against {systems[second[chosen[0]]]}"
    pairs = np.column_stack([first, second])[chosen]
    pairs[means[chosen] < 0] = pairs[means[chosen] < 0][:, ::-1]
    # A system counts against itself where it has the topic.
    has = ~np.isnan(np.diagonal(values[counted], axis1=1, axis2=2)).any(axis=0)
    return values[counted][:, has][:, :, has], (np.cumsum(has) - 1)[pairs], basis


def _unreachable(
    systems: Sequence[str], values: Floats, first: Floats, second: Floats, difference: float
) -> ValueError:
    """Why topics of the pilot cannot have the difference on average, however they weigh."""
    least, greatest = f"{values.min():.3g}", f"{values.max():.3g}"
    whose = "any pair"
    if len(first) == 1:
        whose = f"{systems[int(first[0])]} against {systems[int(second[0])]}"
    return refusal(
        f"the pilot cannot show a difference of {difference:g}: its values of {whose} are from {least} "
        f"to {greatest}; ask for another ",
        Option("difference"),
        ", name another ",
        Option("pair"),
        ", or give ",
        Option("sd"),
        " instead of a pilot",
    )

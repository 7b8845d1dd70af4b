"""How many topics to judge: ``plan``."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from irpref.api.comparison import Comparison
from irpref.api.pilot_pairs import named_pair, pilot_pairs
from irpref.base.message import Message, Option, refusal
from irpref.base.tolerance import TOLERANCE
from irpref.base.wording import Words
from irpref.methods.names import AnyCriterion, as_criterion, find_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import PairTest, Planning
from irpref.pairwise.topic_values import topic_values
from irpref.show.reports.topic_plan_report import Plan
from irpref.stats.crossed_variances import crossed_variances
from irpref.stats.power import CrossedPower, sign_power, t_power, topics_for_sign, topics_for_t
from irpref.stats.simulated_power import (
    MOST_PAIRS,
    Curve,
    Simulation,
    freedom_of,
    tilted,
    upper_share,
    upper_variance,
)
from irpref.stats.tests.crossed import LEAST_RUNS
from irpref.stats.tests.crossed import TEST as CROSSED

# The runs of each system that the table is for, beside those of the pilot.
_RUNS = {LEAST_RUNS, 10, 20}
# The differences of the table, in differences asked for.
_AROUND = (0.5, 0.75, 1, 1.25, 1.5, 2)
# What the signature says of the planning.
_SIGNED = ("sd", "difference", "power", "pairs", "alpha")


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

    With a pilot of groups of runs, a formula gives the power of the crossed test at alpha / pairs, from the
    variances of topics and of runs; and the plan says whether more topics or more runs help more.

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
        differences, ``.report`` all. With groups of runs, ``.runs`` of each system are planned for: as
        many as the pilot has, if that is five or more and if any number of topics is enough then.

    Raises:
        ValueError: There is neither a pilot nor a standard deviation, or both; the pilot was not compared
            by the preference, lacks a system, has one run of a system that is not deterministic, or has
            no topics with such a difference; a number is out of range, or no values of the preference can
            have this mean and this standard deviation; or more than 100,000 topics are needed.

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
    asked = {name: getattr(planning, name) for name in _SIGNED}
    if (pilot is None) == (sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is a Comparison, or sd, the standard deviation"
        )
    if pilot is None:
        if pair is not None:
            raise ValueError("pair names two systems of a pilot, and there is none")
        criterion = as_criterion(preference)
        found = _by_formula(criterion, planning)
        line = signature(criterion, None, more=asked)
    elif isinstance(pilot, Comparison):
        criterion = find_criterion(preference, pilot.preferences)
        _check_difference(criterion, planning.difference)
        of_pilot = _of_groups if pilot.placements.has_groups else _simulated
        found, counted, seed = of_pilot(criterion, planning, pilot, pair)
        found["basis"] = Message(found["basis"], f", on {counted} topics of the pilot")
        found["words"] = Words(pilot.placements.reading.users, (str(criterion), *pilot.systems))
        which = {"pilot": "median" if pair is None else None, "test": found["test"]}
        more, names = {**which, **asked, "rng": seed}, {"pair": pair}
        line = signature(criterion, pilot.placements, topics=counted, names=names, more=more)
    else:
        raise ValueError(
            f"pilot must be an irpref.Comparison, as compare() gives, not a {type(pilot).__name__}"
        )
    return Plan(
        preference=str(criterion),
        difference=planning.difference,
        target=planning.power,
        alpha=planning.alpha,
        pairs=planning.pairs,
        signature=line,
        **found,
    )


def _by_formula(criterion: Criterion, planning: Planning) -> dict[str, Any]:
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
    return {
        "topics": topics,
        "power": power_of(difference, topics),
        "sd": math.sqrt(max(0.0, spread - difference**2)) if signs else spread,
        "decided": spread if signs else None,
        "test": PairTest().method_for(signs=signs).name,
        "basis": basis,
        "needed": needed,
    }


def _simulated(
    criterion: Criterion, planning: Planning, pilot: Comparison, pair: tuple[str, str] | None
) -> tuple[dict[str, Any], int, int | None]:
    """The plan for topics like those of a pilot; how many of these count, and the seed."""
    difference, signs = planning.difference, criterion.signs_only
    test = PairTest(alpha=planning.alpha, rng=planning.rng)
    method, seed = test.method_for(signs=signs, pairs=planning.pairs).name, test.seed()
    indices = None if pair is None else named_pair(pilot, pair)
    values = topic_values(pilot.placements, criterion)
    counted, planned, basis = pilot_pairs(pilot.systems, values, indices, difference)
    # A system counts against itself where it has the topic.
    values = values[counted]
    has = ~np.isnan(np.diagonal(values, axis1=1, axis2=2)).any(axis=0)
    values, planned = values[:, has][:, :, has], (np.cumsum(has) - 1)[planned]
    simulation = Simulation(values, planned, planning.pairs, method, planning.alpha, seed)

    @cache
    def curve_of(each: float) -> Curve:
        # The one asked for more exactly.
        return simulation.curve(each, planning.power, rounds=3 if each == difference else 2)

    def topics_for(each: float) -> int:
        return curve_of(each).topics(planning.power)

    def power_of(each: float, topics: int) -> float:
        return curve_of(each).power(topics)

    curve = curve_of(difference)
    topics, needed = _around(difference, topics_for, power_of)
    own = values[:, planned[:, 0], planned[:, 1]]
    weights = tilted(own, difference)
    if signs:
        # Holm's correction finds at least as much as Bonferroni's.
        most = float(np.median(upper_share(np.abs(own), weights)))
        limited = {"difference": difference, "decided": most, "alpha": planning.level}
        at_most = max(topics, topics_for_sign(planning.power, **limited))
    else:
        at_most = math.ceil(topics * float(np.median(upper_variance(freedom_of(weights)))))
    known, asked = math.comb(values.shape[1], 2), planning.pairs
    if asked > max(known, MOST_PAIRS):
        basis = Message(basis, f"; each draw tests {MOST_PAIRS:,} of the {asked:,} pairs")
    elif asked > known:
        basis = Message(
            basis, f"; the pilot has {known:,} of {asked:,} pairs: they are taken again"
        )
    told = {
        "test": method,
        "basis": basis,
        "topics": topics,
        "at_most": at_most,
        "power": curve.power(topics),
        "error": curve.power_error(topics),
        "sd": difference / curve.slope,
        "decided": float((weights * np.abs(own)).sum(axis=0).mean()) if signs else None,
        "needed": needed,
    }
    return told, len(own), seed


def _of_groups(
    criterion: Criterion, planning: Planning, pilot: Comparison, pair: tuple[str, str] | None
) -> tuple[dict[str, Any], int, int | None]:
    """The same for topics and runs like those of a pilot whose systems have several runs, without a seed.

    Raises:
        ValueError: A system to plan for has one run, or no number of topics is enough.
    """
    placements, difference = pilot.placements, planning.difference
    sizes = np.array([len(each) for each in placements.members])
    known = (sizes > 1) | placements.deterministic
    indices = None if pair is None else named_pair(pilot, pair)
    alone = [pilot.systems[each] for each in indices or range(len(sizes)) if not known[each]]
    if alone and (indices or known.sum() < 2):
        raise refusal(
            f"{alone[0]} has one run, which does not say how others come out: give two or more, or call "
            "it ",
            Option("deterministic", ...),
        )
    values = topic_values(placements, criterion)
    values[:, ~known] = values[:, :, ~known] = np.nan
    counted, planned, basis = pilot_pairs(pilot.systems, values, indices, difference, weigh=False)
    by_run = topic_values(placements.of_runs, criterion.of_one_run)[counted]
    of_pairs = sizes[planned.T]
    several = of_pairs > 1
    found = crossed_variances(by_run, placements.members, (planned[:, 0], planned[:, 1]))
    model = CrossedPower.of(found, several, planning.level)
    own = max(LEAST_RUNS, int(min(of_pairs[several], default=LEAST_RUNS)))

    wider = replace(model, components=model.components * upper_variance(found.freedom))

    def topics_for(each: float, runs: int, of: CrossedPower = model) -> int:
        _check_difference(criterion, each)
        return of.topics(planning.power, each, runs)

    def enough(runs: int, of: CrossedPower = model) -> int | None:
        with suppress(ValueError):
            return topics_for(difference, runs, of)
        return None

    by_runs = {runs: enough(runs) for runs in sorted(_RUNS | {own})}
    suffice = [runs for runs, topics in by_runs.items() if runs >= own and topics]
    if not suffice:
        raise ValueError(
            f"no number of topics finds a difference of {difference:g} with {max(by_runs)} runs of each "
            "system: ask for a greater difference or less power"
        )
    runs = suffice[0]
    with_runs = partial(topics_for, runs=runs), partial(model.power, runs=runs)
    topics, needed = _around(difference, *with_runs)
    error, of_topics = model.error(topics, runs)
    more_topics, more_runs = model.error(2 * topics, runs)[0], model.error(topics, 2 * runs)[0]
    told = {
        "test": CROSSED.name,
        "basis": basis,
        "topics": topics,
        "at_most": enough(runs, wider),
        "power": model.power(difference, topics, runs),
        "sd": of_topics * math.sqrt(topics),
        "needed": needed,
        "runs": runs,
        "by_runs": by_runs,
        "twice": (1 - more_topics / error, 1 - more_runs / error),
    }
    return told, len(by_run), None


def _around(
    difference: float, topics_for: Callable[[float], int], power_of: Callable[[float, int], float]
) -> tuple[int, dict[float, tuple[int, float, float]]]:
    """The topics that a difference needs; and what it and those around it need.

    By difference, where any number is enough: its topics, the power with them, and the power with those of
    the first one.

    Raises:
        ValueError: No number of topics is enough.
    """
    topics, needed = topics_for(difference), {}
    for times in _AROUND:
        # Without the float noise of the product.
        each = difference if times == 1 else float(f"{difference * times:.12g}")
        with suppress(ValueError):
            number = topics_for(each)
            needed[each] = number, power_of(each, number), power_of(each, topics)
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

"""How many topics to judge: ``plan``."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irpref.api.comparison import Comparison
from irpref.base.arrays import Flags, Floats
from irpref.base.message import Message, Option, refusal
from irpref.base.tolerance import TOLERANCE
from irpref.methods.names import AnyCriterion, as_criterion, find_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import signature
from irpref.pairwise.testing_options import PairTest, Planning
from irpref.pairwise.topic_values import topic_values
from irpref.positions.grouped import GroupedPlacements
from irpref.report.table import count_of
from irpref.show.reports.topic_plan_report import Plan
from irpref.stats.crossed_variances import crossed_variances
from irpref.stats.method import LEAST_RUNS
from irpref.stats.power import CrossedPower, RandomizationPower, critical_value, upper_variance
from irpref.stats.tests.crossed import TEST as CROSSED
from irpref.stats.tests.randomization import TEST as RANDOMIZATION

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
    """How many topics to judge, so that the randomization test is likely to find a difference.

    A formula gives the power: the noncentral t distribution, or for preferences whose values are signs
    (LP, LR, IPSO) the binomial. A pilot says how much values vary and how skewed they are, or which share
    of the topics one of the systems wins. For several pairs, draws from it say how large a mean must be;
    without a pilot, or if it has fewer pairs, the level is alpha / pairs.

    With a pilot of groups of runs, the plan is for the crossed test at alpha / pairs, from the variances
    of topics and of runs; and it says whether more topics or more runs help more.

    Args:
        preference: What systems will be compared by: a preference or a measure, or the name of scores in
            the pilot.
        difference: The least mean value that matters, such as 0.2: by how much the first system of the
            pair is ahead, or behind if it is below 0. Without a pair, the plan is for the direction that
            needs more topics.
        pilot: A comparison by the preference, of systems and on topics like those to come.
        sd: The standard deviation of the values of a pair over the topics, instead of a pilot. If values
            are signs, sd² + difference² is the share of topics that one of the systems wins.
        pair: The two systems of the pilot to plan for; by default the middle one of the pairs that differ
            by about as much.
        power: How likely it must be that the test finds the difference.
        pairs: How many pairs will be tested.
        alpha: Significance level of all pairs together.
        rng: A seed or Generator for the draws of several pairs from a pilot; None draws a seed.

    Returns:
        The plan; ``.topics`` is the number, ``.at_most`` its upper end, ``.frame`` has those of other
        differences, ``.report`` all. With groups of runs, ``.runs`` of each system are planned for: as
        many as the pilot has, if that is five or more and if any number of topics is enough then.

    Raises:
        ValueError: There is neither a pilot nor a standard deviation, or both; the pilot was not compared
            by the preference, lacks a system, has one run of a system that is not deterministic, or its
            values do not vary; a number is out of range, or no values of the preference can have this
            mean and this standard deviation; or more than 100,000 topics are needed.

    Example:
        >>> import irpref
        >>> irpref.plan(irpref.RPP, difference=0.2, sd=0.4).topics
        34
        >>> from irpref import demo_paths
        >>> pilot = irpref.compare(*demo_paths(), [irpref.RPP, irpref.LP])
        >>> one = irpref.plan(irpref.RPP, difference=0.2, pilot=pilot, pair=("bm25", "tfidf"))
        >>> one.test, one.topics, one.at_most
        ('randomization', 24, 57)
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
        planned = _of_sd(criterion, planning)
        line = signature(criterion, None, more=asked)
    elif isinstance(pilot, Comparison):
        criterion = find_criterion(preference, pilot.preferences)
        _check_difference(criterion, planning.difference)
        if isinstance(pilot.placements, GroupedPlacements):
            planned, counted = _of_groups(criterion, planning, pilot, pilot.placements, pair)
            seed = None
        else:
            planned, counted, seed = _of_pilot(criterion, planning, pilot, pair)
        planned["words"] = pilot.placements.words.naming([criterion])
        which = {"pilot": "median" if pair is None else None, "test": planned["test"]}
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
        **planned,
    )


def _of_sd(criterion: Criterion, planning: Planning) -> dict[str, Any]:
    """The plan for values that vary as given."""
    sd, signs = planning.sd or 0.0, criterion.signs_only
    spread = sd * sd + planning.difference**2 * signs
    model = RandomizationPower(spread=spread, alpha=planning.level, signs=signs)
    basis = f"from a standard deviation of {sd:g}" if signs else "as given"
    return {**_by_model(criterion, planning, model), "basis": basis}


def _of_pilot(
    criterion: Criterion, planning: Planning, pilot: Comparison, pair: tuple[str, str] | None
) -> tuple[dict[str, Any], int, int | None]:
    """The plan for topics like those of a pilot; how many of these count, and the seed."""
    signs, pairs, seed = criterion.signs_only, planning.pairs, None
    test = PairTest(alpha=planning.alpha, rng=planning.rng)
    values = topic_values(pilot.placements, criterion)
    counted, chosen, basis = _pilot_pair(pilot, values, pair, planning.difference)
    values = values[counted]
    own = values[:, chosen[0], chosen[1]]
    spread = float(np.abs(own).mean() if signs else own.var(ddof=1))
    how: dict[str, Any] = {"spread": spread, "signs": signs, "freedom": len(own) - 1}
    model = RandomizationPower(**how, alpha=planning.level)
    # A system counts against itself where it has the topic.
    has = ~np.isnan(np.diagonal(values, axis1=1, axis2=2)).any(axis=0)
    most = math.comb(int(has.sum()), 2)
    if 1 < pairs <= most:
        seed, places = test.seed(), (np.cumsum(has) - 1)[list(chosen)]
        board, rng = values[:, has][:, :, has], np.random.default_rng(seed)
        critical = critical_value(board, places, pairs, test.alpha, rng, signs=signs)
        model = RandomizationPower(**how, alpha=test.alpha, critical=critical)
    elif pairs > 1:
        basis = Message(basis, f", which has {most:,} of {pairs:,} pairs")
    elif not signs:
        skewness = float(((own - own.mean()) ** 3).mean() / own.std() ** 3)
        ways = [replace(model, skewness=way) for way in (skewness, -skewness)]
        # Without a pair, the direction that needs more topics.
        ways = ways if pair is None else ways[:1]
        model = max(ways, key=lambda way: way.topics(planning.power, planning.difference))
    upper = model.at_upper_limit()
    return {**_by_model(criterion, planning, model, upper), "basis": basis}, len(own), seed


def _by_model(
    criterion: Criterion,
    planning: Planning,
    model: RandomizationPower,
    upper: RandomizationPower | None = None,
) -> dict[str, Any]:
    """What a plan says by a model, and its upper end by another."""
    difference, at_most = planning.difference, None

    def topics_for(difference: float) -> int:
        _check_possible(criterion, difference, model, planning.sd)
        return model.topics(planning.power, difference)

    topics, needed = _around(difference, topics_for, model.power)
    if upper is not None:
        with suppress(ValueError):
            at_most = max(topics, upper.topics(planning.power, difference))
    return {
        "test": RANDOMIZATION.name,
        "topics": topics,
        "at_most": at_most,
        "power": model.power(difference, topics),
        "sd": model.sd(difference),
        "decided": model.spread if model.signs else None,
        "critical": model.critical and model.critical / math.sqrt(topics),
        "needed": needed,
    }


def _pilot_pair(
    pilot: Comparison, values: Floats, pair: tuple[str, str] | None, difference: float
) -> tuple[Flags, tuple[int, int], str]:
    """The pair of a pilot to plan for, and its topics.

    By default it is the middle one, by standard deviation, of the pairs that differ by half to twice the
    difference; if there are none, the one that is nearest.

    Returns:
        (T,) whether a topic counts; the indices of the two systems; and which pair this is, in words.

    Raises:
        ValueError: There are fewer than two topics, or values do not vary.
    """
    systems, difference = pilot.systems, abs(difference)
    named = None if pair is None else _named_pair(pilot, pair)
    first, second = np.triu_indices(len(systems), 1) if named is None else np.array([named]).T
    counted = ~np.isnan(values[:, first, second])
    most = int(counted.sum(axis=0).max())
    if most < 2:
        raise ValueError(f"too few topics of the pilot count ({most}): it takes two or more")
    # Pairs are tested together on the topics that all of them have.
    topics = counted[:, counted.sum(axis=0).argmax()]
    own = values[:, first, second][topics]
    varies = (counted == topics[:, None]).all(axis=0) & (np.ptp(own, axis=0) > TOLERANCE)
    if not varies.any():
        whose = "any pair" if pair is None else " against ".join(pair)
        raise refusal(
            f"the pilot does not say how values vary: those of {whose} are the same on all topics; name "
            "another ",
            *(Option("pair"), ", or give ", Option("sd"), " instead of a pilot"),
        )
    means = np.where(varies, np.abs(own.mean(axis=0)), np.nan)
    alike = np.flatnonzero((means >= difference / 2) & (means <= 2 * difference))
    near = f"differ by {difference / 2:g} to {2 * difference:g}"
    words = f"the middle one of the {count_of(len(alike), 'pair')} that {near}"
    if not len(alike):
        alike = np.array([np.nanargmin(np.abs(means - difference))])
        words = f"the nearest one, as no pairs {near}"
    middle = alike[np.argsort(own.std(axis=0)[alike], kind="stable")[len(alike) // 2]]
    chosen = int(first[middle]), int(second[middle])
    basis = Message(" against ".join(systems[index] for index in chosen))
    if named is None and len(systems) > 2:
        which = Option("pair", ..., python="pair=(a, b)")
        basis = Message(f"{basis}, {words} (", which, " names another)")
    return topics, chosen, Message(basis, f", on {most} topics of the pilot")


def _named_pair(pilot: Comparison, pair: tuple[str, str]) -> tuple[int, int]:
    if isinstance(pair, str) or len(pair) != 2:
        raise ValueError(f"pair must be two systems of the pilot, not {pair!r}")
    one, other = (pilot.placements.system(name) for name in pair)
    if one == other:
        raise ValueError(f"pair must be two different systems, not {pair[0]!r} twice")
    return one, other


def _of_groups(
    criterion: Criterion,
    planning: Planning,
    pilot: Comparison,
    placements: GroupedPlacements,
    pair: tuple[str, str] | None,
) -> tuple[dict[str, Any], int]:
    """The same for topics and runs like those of a pilot whose systems have several runs.

    Raises:
        ValueError: A system to plan for has one run, or no number of topics is enough.
    """
    difference = planning.difference
    sizes = np.array([len(each) for each in placements.members])
    known = (sizes > 1) | placements.deterministic
    indices = None if pair is None else _named_pair(pilot, pair)
    alone = [pilot.systems[each] for each in indices or range(len(sizes)) if not known[each]]
    if alone and (indices or known.sum() < 2):
        raise refusal(
            f"{alone[0]} has one run, which does not say how others come out: give two or more, or call "
            "it ",
            Option("deterministic", ...),
        )
    values = topic_values(placements, criterion)
    values[:, ~known] = values[:, :, ~known] = np.nan
    counted, chosen, basis = _pilot_pair(pilot, values, pair, difference)
    by_run = topic_values(placements.runs, criterion.of_one_run)[counted]
    first, second = both = np.array([chosen]).T
    of_pairs = sizes[both]
    several = of_pairs > 1
    found = crossed_variances(by_run, placements.members, (first, second))
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
    topics, needed = _around(
        difference, partial(topics_for, runs=runs), partial(model.power, runs=runs)
    )
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
    return told, len(by_run)


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


def _check_possible(
    criterion: Criterion, difference: float, model: RandomizationPower, sd: float | None
) -> None:
    """Refuse a difference that values cannot have, with a standard deviation that is given.

    Raises:
        ValueError: They cannot.
    """
    most, apart = _check_difference(criterion, difference), abs(difference)
    if sd is not None and math.hypot(apart, model.sd(apart)) > most + TOLERANCE:
        raise ValueError(
            f"values by {criterion} whose mean is {difference:g} have a standard deviation of at most "
            f"{math.sqrt(most**2 - apart**2):.3g}, not {sd:.3g}"
        )
    if model.signs and apart > model.spread + TOLERANCE:
        how = "" if sd is None else " (sd² + difference²)"
        raise ValueError(
            f"{criterion} decides {model.spread:.3g} of the topics{how}, and no difference can be greater "
            f"than that: {apart:g} is"
        )


def _check_difference(criterion: Criterion, difference: float) -> float:
    """The greatest difference that there can be.

    Raises:
        ValueError: This one is greater.
    """
    most = max(map(abs, criterion.bounds))
    if abs(difference) > most:
        raise ValueError(
            f"no difference by {criterion} can be greater than {most:g}: {abs(difference):g} is"
        )
    return most

"""How many topics to judge: ``plan``, and what it gives back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from irpref.comparison import Comparison
from irpref.names import AnyCriterion, as_criterion, find_criterion
from irpref.noise import NOISE
from irpref.planning import Planning
from irpref.preferences.criterion import Criterion
from irpref.render.report import Report
from irpref.render.topic_plan import plan_report
from irpref.render.view import SeenAsReport
from irpref.stats.power import sign_power, t_power, topics_for_sign, topics_for_t
from irpref.summarise.pilot import pilot_spread
from irpref.summarise.signature import signature

__all__ = ["Plan", "plan"]

# The differences of the table, in differences asked for.
_AROUND = (0.5, 0.75, 1, 1.25, 1.5, 2)


@dataclass(frozen=True, eq=False, repr=False)
class Plan(SeenAsReport):
    """How many topics a two-sided test needs.

    Attributes:
        preference: What systems will be compared by.
        difference: The least mean value that must be found, on either side.
        topics: The number of topics from which on the test has the power that was asked for.
        power: The power with so many topics.
        target: The power that was asked for.
        sd: The standard deviation of the values of a pair over the topics.
        decided: The share of topics that one of the systems wins, of preferences whose values are signs;
            None for the others.
        test: ``"sign"``, the exact sign test, if values are signs; else ``"t"``.
        alpha: The significance level that each pair is tested at: alpha / pairs.
        pairs: How many pairs will be tested.
        basis: Where the standard deviation, or the share of topics decided, comes from.
        needed: By difference: the topics that it needs, the power that it has with them, and the power
            that it has with ``topics``.
        signature: How it was made.
    """

    preference: str
    difference: float
    topics: int
    power: float
    target: float
    sd: float
    decided: float | None
    test: Literal["t", "sign"]
    alpha: float
    pairs: int
    basis: str
    needed: dict[float, tuple[int, float, float]]
    signature: str

    @property
    def frame(self) -> pd.DataFrame:
        """What several differences need: columns difference, topics, power, and power_as_planned."""
        return self.report.records

    @property
    def report(self) -> Report:
        """The plan and its table, in any format: ``.report.to_markdown()``."""
        return plan_report(
            preference=self.preference,
            difference=self.difference,
            topics=self.topics,
            power=self.power,
            target=self.target,
            spread=self.sd if self.decided is None else self.decided,
            test=self.test,
            alpha=self.alpha,
            pairs=self.pairs,
            basis=self.basis,
            needed=self.needed,
            signature=self.signature,
        )

    def _view(self) -> Report:
        return self.report


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
) -> Plan:
    """How many topics to judge, so that a two-sided test is likely to find a difference.

    For preferences whose values are signs (LP, LR, IPSO) the test is the exact sign test, and each topic is
    decided with the same probability; for all others it is the t-test. Holm's correction of ``pairs`` tests
    finds at least as much as is planned for.

    Args:
        preference: What systems will be compared by: a preference or a measure, or the name of scores in
            the pilot.
        difference: The least mean value that matters, such as 0.2, whichever system it is for.
        pilot: A comparison by the preference, of systems and on topics like those to come. The plan takes
            from it how much the values vary over topics; its means do not matter.
        sd: The standard deviation of the values of a pair over the topics, instead of a pilot. If values
            are signs, sd² + difference² is the share of topics that one of the systems wins.
        pair: The two systems of the pilot to plan for; by default the median over all pairs.
        power: How likely it must be that the test finds the difference.
        pairs: How many pairs will be tested. Each is tested at alpha / pairs.
        alpha: Significance level of all pairs together.

    Returns:
        The plan; ``.topics`` is the number, ``.frame`` has those of other differences, ``.report`` all.

    Raises:
        ValueError: There is neither a pilot nor a standard deviation, or both; the pilot was not compared
            by the preference, lacks a system, or does not vary; a number is out of range, or no values of
            the preference can have this mean and this standard deviation; or more than 100,000 topics are
            needed.

    Example:
        >>> import irpref
        >>> irpref.plan(irpref.RPP, difference=0.2, sd=0.4).topics
        34
        >>> from irpref.demo import demo_paths
        >>> pilot = irpref.compare(*demo_paths(), [irpref.RPP, irpref.LP])
        >>> irpref.plan(irpref.RPP, difference=0.2, pilot=pilot, pair=("bm25", "tfidf")).topics
        27
        >>> irpref.plan(irpref.LP, difference=0.3, pilot=pilot, pairs=15).topics
        165
    """
    planning = Planning(difference=difference, sd=sd, power=power, pairs=pairs, alpha=alpha)
    if (pilot is None) == (sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is a Comparison, or sd, the standard deviation"
        )
    more = {
        "difference": planning.difference,
        "power": planning.power,
        "pairs": planning.pairs,
        "alpha": planning.alpha,
    }
    if pilot is None:
        if pair is not None:
            raise ValueError("pair names two systems of a pilot, and there is none")
        criterion, spread, basis = as_criterion(preference), planning.sd or 0.0, "as given"
        if criterion.signs_only:
            basis = f"from a standard deviation of {spread:g}"
            spread = _share_decided(criterion, planning.difference, spread)
        signed = signature(criterion, None, more={"sd": planning.sd, **more})
        return _planned(criterion, planning, spread=spread, basis=basis, signed=signed)
    if not isinstance(pilot, Comparison):
        raise ValueError(
            f"pilot must be an irpref.Comparison, as compare() gives, not a {type(pilot).__name__}"
        )
    criterion = find_criterion(preference, pilot.preferences)
    spread, topics, basis = pilot_spread(
        pilot.systems,
        criterion,
        pilot.totals[criterion],
        pair=None if pair is None else _pair(pilot, pair),
        difference=planning.difference,
    )
    signed = signature(
        criterion,
        pilot.placements,
        topics=topics,
        names={"pair": pair},
        more={"pilot": "median" if pair is None else None, **more},
    )
    return _planned(criterion, planning, spread=spread, basis=basis, signed=signed)


def _planned(
    criterion: Criterion, planning: Planning, *, spread: float, basis: str, signed: str
) -> Plan:
    """The plan for values that vary so much.

    Args:
        criterion: What systems will be compared by.
        planning: What the plan is made for.
        spread: The share of topics decided of signs, else the standard deviation.
        basis: Where it comes from, in words.
        signed: The signature.
    """
    signs, difference, level = criterion.signs_only, planning.difference, planning.level
    _check_possible(criterion, difference, spread)

    def power_of(each: float, topics: int) -> float:
        if signs:
            return float(sign_power(topics, difference=each, decided=spread, alpha=level))
        return float(t_power(topics, effect=each / spread, alpha=level))

    def topics_for(each: float) -> int:
        if signs:
            return topics_for_sign(planning.power, difference=each, decided=spread, alpha=level)
        return topics_for_t(planning.power, effect=each / spread, alpha=level)

    topics = topics_for(difference)
    needed = {}
    for times in _AROUND:
        # Without the float noise of the product.
        each = difference if times == 1 else float(f"{difference * times:.12g}")
        try:
            _check_possible(criterion, each, spread)
            enough = topics_for(each)
        except ValueError:
            continue
        needed[each] = (enough, power_of(each, enough), power_of(each, topics))
    return Plan(
        preference=str(criterion),
        difference=difference,
        topics=topics,
        power=power_of(difference, topics),
        target=planning.power,
        sd=math.sqrt(max(0.0, spread - difference**2)) if signs else spread,
        decided=spread if signs else None,
        test="sign" if signs else "t",
        alpha=level,
        pairs=planning.pairs,
        basis=basis,
        needed=needed,
        signature=signed,
    )


def _check_possible(criterion: Criterion, difference: float, spread: float) -> None:
    """Refuse a difference and a spread that no values of the criterion have together.

    Raises:
        ValueError: They have not.
    """
    most = _check_difference(criterion, difference)
    if criterion.signs_only:
        if difference > spread + NOISE:
            raise ValueError(
                f"{criterion} decides {spread:.3g} of the topics, so that no difference is greater: there "
                f"is none of {difference:g}"
            )
    elif math.hypot(difference, spread) > most + NOISE:
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
            f"no difference by {criterion} is greater than {most:g}: there is none of {difference:g}"
        )
    return most


def _share_decided(criterion: Criterion, difference: float, sd: float) -> float:
    """The share of topics decided of signs with this mean and standard deviation.

    Raises:
        ValueError: No signs have them.
    """
    _check_difference(criterion, difference)
    least, most = math.sqrt(difference - difference**2), math.sqrt(1 - difference**2)
    if not least - NOISE <= sd <= most + NOISE:
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

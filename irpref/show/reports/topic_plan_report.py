"""What ``plan`` gives back: how many topics to judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from irpref.base.message import Message
from irpref.report.report import Report, Worded
from irpref.report.table import Table, count_of
from irpref.stats.tests import known_test

if TYPE_CHECKING:
    import pandas as pd


_FACTS = ("preference", "test", "difference", "topics", "at_most", "power")
# Cuts of the standard error that differ by less are told as equal.
_ALIKE = 0.02


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Worded):
    """How many topics a two-sided test needs.

    Attributes:
        preference: What systems will be compared by.
        difference: The least mean value that must be found; below 0 if the first system of the pair is
            behind.
        topics: With so many topics or more, the test has the power that was asked for.
        at_most: The same, if values vary as much as the upper 95 % limit of the pilot allows; None without
            a pilot, or if no number of topics is enough then.
        power: The power with ``topics``.
        target: The power that was asked for.
        sd: The standard deviation of the values of a pair over the topics.
        critical: With ``topics``, the mean that the test finds, of several pairs of a pilot; None where the
            level is alpha / pairs.
        decided: The share of topics that one of the systems wins, of preferences whose values are signs;
            None for the others.
        test: The test that will be run: ``"randomization"``, or ``"crossed"`` with groups of runs.
        alpha: The significance level of all pairs together.
        pairs: How many pairs will be tested.
        basis: Where the standard deviation, or the share of topics decided, comes from.
        needed: By difference: the topics that it needs, the power that it has with them, and the power
            that it has with ``topics``.
        signature: How it was made.
        runs: How many runs of each system, but for deterministic ones; None without groups.
        by_runs: By number of runs, how many topics the difference needs; None where no number of them is
            enough.
        twice: With groups, the share by which twice as many topics cut the standard error of the mean, and
            that by which twice as many runs do.
    """

    preference: str
    difference: float
    topics: int
    power: float
    target: float
    sd: float
    test: str
    alpha: float
    pairs: int
    basis: str
    needed: dict[float, tuple[int, float, float]]
    signature: str
    at_most: int | None = None
    critical: float | None = None
    decided: float | None = None
    runs: int | None = None
    by_runs: dict[int, int | None] = field(default_factory=dict)
    twice: tuple[float, float] = (0.0, 0.0)

    @property
    def frame(self) -> pd.DataFrame:
        """What several differences need: columns difference, topics, power, and power_as_planned."""
        return self.report.records

    @property
    def report(self) -> Report:
        """The plan and its table, in any format: ``.report.to_markdown()``."""
        needed = [(difference, *of) for difference, of in self.needed.items()]
        columns = ["difference", "topics", "power", "power_as_planned"]
        shown = pl.DataFrame(needed, columns, orient="row")
        planned = f"power with {count_of(self.topics, 'topic')}"
        name, spread = self._spread
        end = "" if self.at_most is None else f" (at most {self.at_most:,})"
        repeated = "" if self.runs is None else f" with {self.runs} runs of each system"
        basis = (
            "values vary so"
            if self.at_most is None and not self.by_runs
            else "topics vary as these do"
        )
        finding = (
            f"{count_of(self.topics, 'topic')}{end}{repeated}: a difference of {self.difference:g} by "
            f"{self.preference} would likely be found (power {self.power:.3f}) if {basis}"
        )
        return Report(
            title=finding,
            tables=(
                Table(
                    "",
                    shown.rename({"power_as_planned": planned}),
                    {"power": ".3f", planned: ".3f"},
                ),
                *self._tables_of_runs(),
            ),
            rows=pl.DataFrame(
                {
                    "preference": [self.preference] * len(needed),
                    **shown.to_dict(),
                    "signature": [self.signature] * len(needed),
                }
            ),
            remarks=tuple(self._notes()),
            facts={
                **{name: getattr(self, name) for name in _FACTS},
                **({"runs": self.runs} if self.by_runs else {}),
                **{f"topics_with_{runs}_runs": topics for runs, topics in self.by_runs.items()},
                "critical": self.critical,
                "asked": self.target,
                name.replace(" ", "_"): spread,
                "alpha": self.alpha,
                "pairs": self.pairs,
            },
            signatures=(self.signature,),
        ).worded(self.words)

    @property
    def _spread(self) -> tuple[str, float]:
        """What says how much values vary, and how much they do."""
        if self.decided is None:
            return "standard deviation", self.sd
        return "share of topics decided", self.decided

    def _tables_of_runs(self) -> Iterable[Table]:
        if self.by_runs:
            topics = [f"{each:,}" if each else "never" for each in self.by_runs.values()]
            rows = pl.DataFrame({"runs of each system": list(self.by_runs), "topics": topics})
            yield Table(f"What a difference of {self.difference:g} takes", rows)

    def _notes(self) -> Iterable[str]:
        name, spread = self._spread
        tested = f"{known_test(self.test).title.capitalize()}, two-sided, α = {self.alpha:.4g}"
        pairs, many = count_of(self.pairs, "pair"), count_of(self.topics, "topic")
        alone = self.critical is None
        if not alone:
            tested += (
                f" for {pairs} together: on {many} it finds a mean beyond ±{self.critical:.3g}"
            )
        elif self.pairs > 1:
            tested += (
                f" / {pairs} = {self.alpha / self.pairs:.4g}, as Bonferroni's correction has it"
            )
        yield Message(f"{tested}. {name.capitalize()} = {spread:.3g}: ", self.basis, ".")
        if self.by_runs:
            cuts = zip(self.twice, ("topics", "runs"), strict=True)
            (some, less), (cut, more) = sorted(cuts)
            alike = cut - some < _ALIKE
            most = "Topics and runs help about as much" if alike else f"More {more} help more"
            yield (
                f"{most}: twice as many {more} cut the standard error by {100 * cut:.0f} %, "
                f"twice as many {less} by {100 * some:.0f} %."
            )
        if alone and self.decided is not None:
            yield (
                "Of the signs of one pair it is the exact sign test, whose power goes up and down as topics"
                f" are added. From these numbers on it stays at {self.target:g} or above."
            )
        limit = f"the upper 95 % limit of the {name if self.runs is None else 'variances'}"
        if self.at_most is not None:
            yield f"At most {count_of(self.at_most, 'topic')}: as many as it takes at {limit}."
        elif self.runs is not None:
            yield f"The pilot is small: at {limit} no number of topics is enough with {self.runs} runs."

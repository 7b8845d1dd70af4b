"""What ``plan`` gives back: how many topics to judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from irpref.base.message import Message, Option
from irpref.base.wording import Words
from irpref.report.report import Report, SeenAsReport
from irpref.report.table import Table, count_of
from irpref.stats.tests import known_test

if TYPE_CHECKING:
    import pandas as pd


_FACTS = ("preference", "test", "difference", "topics", "at_most", "power")
# Cuts of the standard error that differ by less are told as equal.
_ALIKE = 0.02
_NO_FLIPS = Message(
    "If you name no test, several pairs are tested by joint sign flips. A pair that varies less than the "
    "others then needs more topics than this, and only a pilot can say how many. Give a pilot, or test by "
    "t with Holm's correction (",
    Option("correction", "holm"),
    ").",
)


@dataclass(frozen=True, eq=False, repr=False)
class Plan(SeenAsReport):
    """How many topics a two-sided test needs.

    Attributes:
        preference: What systems will be compared by.
        difference: The least mean value that must be found, on either side.
        topics: With so many topics or more, the test has the power that was asked for.
        at_most: The same, if values vary as much as the upper 95 % limit of the pilot allows; None without
            a pilot, or if no number of topics is enough then.
        power: The power with ``topics``.
        error: The standard error of this power, which is simulated; None where a formula gives it.
        target: The power that was asked for.
        sd: The standard deviation of the values of a pair over the topics.
        decided: The share of topics that one of the systems wins, of preferences whose values are signs;
            None for the others.
        test: The test that will be run, ``"t"``, ``"sign"`` or ``"flip"`` (joint sign flips); without a
            pilot, ``"t"`` or ``"sign"``; with groups of runs, ``"crossed"``.
        alpha: The significance level of all pairs together.
        pairs: How many pairs will be tested.
        basis: Where the standard deviation, or the share of topics decided, comes from.
        needed: By difference: the topics that it needs, the power that it has with them, and the power
            that it has with ``topics``.
        signature: How it was made.
        words: What says user and item, where the pilot does, and not topic and document.
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
    error: float | None = None
    decided: float | None = None
    words: Words = field(default_factory=Words)
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
        of_runs = "" if self.runs is None else f" with {self.runs} runs of each system"
        finding = (
            f"{count_of(self.topics, 'topic')}{end}{of_runs} find a difference of {self.difference:g} by "
            f"{self.preference}"
        )
        return Report(
            title=f"{finding} with a power of {self.power:.3f} (asked: {self.target:g})",
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
            notes=tuple(self._notes()),
            facts={
                **{name: getattr(self, name) for name in _FACTS},
                **({"runs": self.runs} if self.by_runs else {}),
                **{f"topics_with_{runs}_runs": topics for runs, topics in self.by_runs.items()},
                "standard_error": self.error,
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
        signs, several = self.test == "sign", self.pairs > 1
        pairs = count_of(self.pairs, "pair")
        if self.error is None:
            if several:
                tested += f" / {pairs} = {self.alpha / self.pairs:.4g} (Bonferroni)"
                if self.runs is not None:
                    tested += "; Holm's correction finds at least as much"
            yield Message(f"{tested}. {name.capitalize()} = {spread:.3g}: ", self.basis, ".")
            if several and self.test == "t":
                yield _NO_FLIPS
            if self.by_runs:
                cuts = zip(self.twice, ("topics", "runs"), strict=True)
                (some, less), (cut, more) = sorted(cuts)
                alike = cut - some < _ALIKE
                most = "Topics and runs help about as much" if alike else f"More {more} help more"
                yield (
                    f"{most}: twice as many {more} cut the standard error by {100 * cut:.0f} %, "
                    f"twice as many {less} by {100 * some:.0f} %."
                )
            if signs:
                yield (
                    "The power of the sign test goes up and down as topics are added. From these numbers "
                    f"on it stays at {self.target:g} or above."
                )
        else:
            if several:
                tested += f" for {pairs}{', Holm' if signs else ''}"
            yield (
                f"{tested}. The power is simulated: topics of the pilot are drawn with replacement, with "
                "weights that make their mean the difference asked for. Its standard error: "
                f"{self.error:.3f}."
            )
            yield Message(f"{name.capitalize()} = {spread:.3g}: ", self.basis, ".")
        limit = f"the upper 95 % limit of the {name if self.runs is None else 'variances'}"
        bonferroni = " and Bonferroni's correction" if several and signs else ""
        if self.at_most is not None:
            many = count_of(self.at_most, "topic")
            yield f"At most {many}: as many as it takes at {limit}{bonferroni}."
        elif self.runs is not None:
            yield f"The pilot is small: at {limit} no number of topics is enough with {self.runs} runs."

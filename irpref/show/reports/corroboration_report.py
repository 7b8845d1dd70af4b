"""What ``corroborate`` gives back: challengers against a champion by one measure, corroborated by IPSO."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.base.literals import Correction
from irpref.methods.preferences.ipso import InnateOrdering
from irpref.pairwise.challenges import ChallengerResult
from irpref.report.report import Report, Worded
from irpref.report.table import P_VALUE, Table
from irpref.show.reports.comparison_notes import CORRECTION_NAMES, how_tested

if TYPE_CHECKING:
    import pandas as pd

# The groups of the topics as people read them, from the challenger's side.
_GROUPS = ("both, behind first", "behind", "=", "ahead", "both, ahead first")


@dataclass(frozen=True, eq=False, repr=False)
class Corroboration(Worded):
    """Challengers against one champion.

    Attributes:
        champion: Name of the champion.
        measure: What they were measured by.
        ordering: The IPSO that corroborates it.
        results: By challenger, all numbers, read from the challenger's side.
        test: The test of the measure.
        correction: What corrected the p-values of the measure, and of IPSO, for several challengers.
        alpha: Significance level.
        signature: How it was made.
    """

    champion: str
    measure: str
    ordering: InnateOrdering
    results: dict[str, ChallengerResult]
    test: str
    correction: Correction | None
    alpha: float
    signature: str

    @property
    def frame(self) -> pd.DataFrame:
        """One row a challenger, with every number of its :class:`.ChallengerResult`."""
        return self.report.records

    @property
    def report(self) -> Report:
        """The table of the paper's proposal, in any format: ``.report.to_latex()``."""
        ordering, found = str(self.ordering), self.results.values()
        counts = list(next(iter(found)).topics)
        by = "" if self.correction is None else f" ({CORRECTION_NAMES[self.correction]})"
        p, ipso_p = f"p{by}", f"IPSO p{by}"
        headings = {
            "challenger": "challenger",
            "challenger_mean": "mean",
            "champion_mean": "champion's",
            "difference": "difference",
            "p_adjusted": p,
            **dict(zip(counts, _GROUPS, strict=True)),
            "ipso_p_adjusted": ipso_p,
            "least_p": "least p",
            "greatest_p": "greatest p",
        }
        rows = pl.DataFrame([self._row(name) for name in self.results])
        marks = ["†" * each.significant + "‡" * each.corroborated for each in found]
        drawn = max((each.resamples or 0 for each in found), default=0)
        family = f"all {len(self.results)} challengers"
        if self.correction is None:
            family = "one challenger" if len(self.results) == 1 else "each challenger by itself"
        how = {"test": self.test, "n_resamples": drawn or None, "family": family}
        words = how_tested({**how, "correction": self.correction, "alpha": self.alpha})
        same = "same α" if self.correction is None else "same correction and α"
        scores = dict.fromkeys(("mean", "champion's"), ".4f") | {"difference": "+.4f"}
        return Report(
            title=f"{self.measure}: challengers against the champion {self.champion}, corroborated by "
            f"{ordering}",
            tables=(
                Table(
                    "",
                    pl.DataFrame({heading: rows[name] for name, heading in headings.items()}),
                    scores | dict.fromkeys((p, ipso_p, "least p", "greatest p"), P_VALUE),
                    {"difference": marks},
                ),
            ),
            rows=rows,
            remarks=(
                f"Positive: the challenger is better. † The means differ significantly ({words}). ‡ So "
                f"does {ordering}, in the same direction (exact sign test of ahead against behind, "
                f"{same}).",
                "The counts are of topics. ahead: the challenger is ahead at some depth and never behind; "
                "behind: the champion is; =: neither is ever ahead; both: each is ahead somewhere, first "
                "the challenger (ahead first) or the champion (behind first). IPSO p tests ahead against "
                "behind.",
                "A metric may give each topic of both to either side. least p and greatest p: the sign "
                "test, not corrected, where all of them go the way that makes p smallest, or greatest. P "
                "and RR, which can tie where one is ahead, may lie outside.",
            ),
            facts={"champion": self.champion, "measure": self.measure, "ipso": ordering},
            signatures=(self.signature,),
        ).worded(self.words.naming([self.measure, self.champion, *self.results]))

    def _row(self, challenger: str) -> dict[str, Any]:
        """All numbers of a challenger; by Python, as what polars computes hangs in a forked process."""
        numbers = asdict(self.results[challenger])
        topics = numbers.pop("topics")
        return {
            "challenger": challenger,
            "champion": self.champion,
            "measure": self.measure,
            "ipso": str(self.ordering),
            "challenger_mean": numbers.pop("challenger"),
            "champion_mean": numbers.pop("champion"),
            **numbers,
            **topics,
            "signature": self.signature,
        }

"""What a report shows of one metric, whether ranx computed it or irpref: scores, tests and outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from irpref import Preference
from irpref.for_adapters import Totals
from irpref_ranx.metric_names import PreferenceMetric
from irpref_ranx.preferences import HeadToHead
from irpref_ranx.report import PreferenceColumn

__all__ = ["Column", "preference_column"]

Pair = tuple[str, str]


@dataclass(frozen=True)
class Column:
    """The numbers of one metric, as a report of ranx has them.

    Attributes:
        scores: By run.
        tests: By pair of runs, each pair once: ``{"p_value": …, "significant": …}``, with a margin also
            ``"verdict"``.
        outcomes: By pair of runs, both ways round: topics won, tied and lost.
    """

    scores: dict[str, float]
    tests: dict[Pair, dict[str, Any]]
    outcomes: dict[Pair, dict[str, int | float]]

    @classmethod
    def of_ranx(cls, report: Any, metric: str, tests: dict[Pair, dict[str, Any]]) -> Column:
        """The column of a metric in a report of ranx, with other tests."""
        return cls(
            scores={name: report.results[name][metric] for name in report.model_names},
            tests=tests,
            outcomes={pair: found[metric] for pair, found in report.win_tie_loss.items()},
        )

    @classmethod
    def of_preference(
        cls, found: HeadToHead, preference: Preference, names: Sequence[str]
    ) -> Column:
        """The column of a preference among the runs with these names."""
        return cls(
            scores=dict(zip(names, found.scores.tolist(), strict=True)),
            tests=found.tests,
            outcomes={
                pair: _outcome(found.totals, preference, first, second)
                for pair, first, second in _pairs(names)
            },
        )


def preference_column(
    found: HeadToHead, metric: PreferenceMetric, names: Sequence[str]
) -> PreferenceColumn:
    """How a report shows a preference among the runs with these names."""
    means = found.totals.mean
    return PreferenceColumn(
        label=metric.label,
        test=found.test,
        correction=found.correction,
        means={pair: float(means[first, second]) for pair, first, second in _pairs(names)},
        signature=found.signature,
    )


def _pairs(names: Sequence[str]) -> list[tuple[Pair, int, int]]:
    """All pairs, both ways round: their names and indices."""
    return [((names[i], names[j]), i, j) for i, j in permutations(range(len(names)), 2)]


def _outcome(
    totals: Totals, preference: Preference, first: int, second: int
) -> dict[str, int | float]:
    """Wins, ties and losses of one system against another; non-separable topics (IPSO) are ties."""
    wins, ties, losses, *nonseparable = (
        _count(totals.outcome(name)[first, second]) for name in preference.outcomes
    )
    outcome = {"W": wins, "T": ties + sum(nonseparable), "L": losses}
    return {**outcome, "N": sum(nonseparable)} if nonseparable else outcome


def _count(number: Any) -> int | float:
    """A number of topics; an expected number, over all orders of ties, need not be whole."""
    return int(number) if float(number).is_integer() else float(number)

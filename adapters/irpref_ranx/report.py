"""ranx's report with columns of preferences."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import Any

from ranx.data_structures.report import Report, chars, stat_test_labels, super_chars

from irpref.for_adapters import CORRECTION_NAMES, known_test

_DENOTE = "Superscripts denote"
_JUDGED_ONLY = "Unjudged documents were taken out of the runs first."
_IN_DICT = ("label", "test", "correction", "signature")
Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Column:
    """The numbers of one metric, as a report of ranx has them.

    Attributes:
        scores: By run.
        tests: By pair of runs, each pair once: ``{"p_value": …, "significant": …}``.
        outcomes: By pair of runs, both ways round: topics won, tied and lost.
    """

    scores: dict[str, float]
    tests: dict[Pair, dict[str, Any]]
    outcomes: dict[Pair, dict[str, int | float]]


@dataclass(frozen=True, kw_only=True)
class PreferenceColumn(Column):
    """The numbers, heading, test and means of a preference in a report.

    Attributes:
        label: The heading of the column.
        test: The test behind the superscripts, by irpref's name.
        correction: The correction over all pairs, or None.
        means: By (a, b), the mean preference of a over b.
        signature: How the numbers were made, in one line.
    """

    label: str
    test: str
    correction: str | None
    means: dict[Pair, float]
    signature: str

    def describe_test(self, pairs: int) -> str:
        """The test and its correction in words."""
        test = known_test(self.test)
        how = _how_corrected(self.correction, pairs, by_itself=test.correction is None)
        return f"{test.title}, {how}, of the mean preference over each other system"


def _how_corrected(correction: str | None, pairs: int, *, by_itself: bool) -> str:
    if pairs == 1:
        return "one pair, uncorrected"
    if by_itself:
        return f"over all {pairs} pairs"
    if correction is None:
        return "uncorrected"
    return f"{CORRECTION_NAMES[correction]} over {pairs} pairs"


class PreferenceReport(Report):  # type: ignore[misc, unused-ignore]
    """A ``ranx`` ``Report`` with preferences among its metrics.

    The score of a preference is its mean over all other systems. The superscripts name the systems over
    which this one is significantly preferred, head to head, by adjusted p-values. Wins, ties and losses
    count topics, head to head; ``"N"`` of the ties are non-separable (IPSO).
    """

    def __init__(
        self,
        *,
        columns: dict[str, PreferenceColumn],
        correction: str | None,
        judged_only: bool,
        **report: Any,
    ) -> None:
        """Take the arguments of a ``Report``, and what ranx's own does not have.

        Args:
            columns: A column for each preference, by metric.
            correction: The correction of the p-values of ranx's metrics; None for one pair, or if none is
                asked for.
            judged_only: Whether unjudged documents were taken out of the runs first.
            report: The arguments of a ``Report``.
        """
        super().__init__(**report)
        self.columns = columns
        self.correction = correction
        self.judged_only = judged_only

    def get_metric_label(self, m: str) -> str:
        """The heading of a metric."""
        if m in self.columns:
            return self.columns[m].label
        return str(super().get_metric_label(m))

    def format_score(self, score: float) -> str:
        """The score as a text; a score that rounds to 0 has no sign."""
        text = str(super().format_score(score))
        return text.removeprefix("-") if float(text) == 0 else text

    def get_stat_test_label(self, stat_test: str) -> str:
        """The test of every metric, in words."""
        return "; ".join(self.legend())

    def legend(self) -> list[str]:
        """A line for each test, with the metrics that it tests."""
        pairs = math.comb(len(self.model_names), 2)
        by_test: dict[str, list[str]] = {}
        for metric in self.metrics:
            if metric in self.columns:
                test = self.columns[metric].describe_test(pairs)
            else:
                how = _how_corrected(self.correction, pairs, by_itself=self.stat_test == "tukey")
                test = f"{stat_test_labels[self.stat_test]}, {how}"
            by_test.setdefault(test, []).append(self.get_metric_label(metric))
        return [f"{test} ({', '.join(labels)})" for test, labels in by_test.items()]

    def to_table(self) -> str:
        """The table as text, and below it the test of every column."""
        note = f"{_DENOTE} significant differences with p ≤ {self.max_p} in"
        notes = [note, *(f"- {test}" for test in self.legend())]
        if self.judged_only:
            notes.append(_JUDGED_ONLY)
        wrapped = [textwrap.fill(each, 80, subsequent_indent="  ") for each in notes]
        return "\n".join([super().to_table(), "", *wrapped])

    def to_latex(self) -> str:
        """The table in LaTeX; its caption names the test of every column."""
        text = str(super().to_latex())
        for metric in self.columns:
            label = self.get_metric_label(metric)
            text = text.replace(label, label.replace("_", r"\_"))
        if self.judged_only:
            text = text.replace(_DENOTE, f"{_JUDGED_ONLY}\n{_DENOTE}", 1)
        return text

    def to_dict(self) -> dict[str, Any]:
        """The report as a dict: for each preference also its test, signature and head-to-head means."""
        report: dict[str, Any] = {
            "correction": self.correction,
            "judged_only": self.judged_only,
            "preferences": {
                metric: {name: getattr(column, name) for name in _IN_DICT}
                for metric, column in self.columns.items()
            },
            **super().to_dict(),
        }
        for name in self.model_names:
            report[name]["mean_preference"] = {
                other: {
                    metric: column.means[name, other] for metric, column in self.columns.items()
                }
                for other in self.model_names
                if other != name
            }
        return report

    def get_superscript_for_table(self, model: str, metric: str) -> str:
        """The systems that this one is significantly better than, as raised letters."""
        return "".join(super_chars[number] for number in self._beaten(model, metric))

    def get_superscript_for_latex(self, model: str, metric: str) -> str:
        """The same as letters."""
        return "".join(chars[number] for number in self._beaten(model, metric))

    def get_phantoms_for_latex(self, model: str, metric: str) -> str:
        """All other systems, as letters."""
        beaten = set(self._beaten(model, metric))
        return "".join(
            chars[number]
            for number, other in enumerate(self.model_names)
            if other != model and number not in beaten
        )

    def _beaten(self, model: str, metric: str) -> list[int]:
        return [
            number
            for number, other in enumerate(self.model_names)
            if other != model
            and self.comparisons[model, other][metric]["significant"]
            and self._is_better(model, other, metric)
        ]

    def _is_better(self, model: str, other: str, metric: str) -> bool:
        if metric in self.columns:
            # Means over all systems do not tell, since preferences need not be transitive.
            return self.columns[metric].means[model, other] > 0
        return bool(self.results[model][metric] > self.results[other][metric])

"""ranx's report with columns of preferences."""

from __future__ import annotations

import math
import textwrap
from dataclasses import asdict, dataclass
from typing import Any

from ranx.data_structures.report import Report, chars, stat_test_labels, super_chars

from irpref.for_adapters import CORRECTION_NAMES, Alternative, clean_latex, known_test

_DENOTE, _DIFFERENCES = "Superscripts denote", "significant differences"
_JUDGED_ONLY = "Unjudged documents were taken out of the runs first."
_SIGNS = {"not worse": "≥", "equivalent": "≈", "better": ">", "worse": "<"}
_LATEX_SIGNS = {"≥": r"\geq ", "≈": r"\approx ", ">": ">", "<": "<"}
_IN_DICT = ("label", "test", "correction", "signature")
Pair = tuple[str, str]
_TURNED = {"better": "worse", "worse": "better"}


@dataclass(frozen=True, kw_only=True)
class Margin:
    """What a report asks with a margin.

    Attributes:
        margin: How much worse may still count as not worse, in the unit of the scores.
        alternative: What to show.
        baseline: The run that all others are compared with; None for all pairs.
    """

    margin: float
    alternative: Alternative
    baseline: str | None


@dataclass(frozen=True, kw_only=True)
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

    def describe_test(self, pairs: int, others: str) -> str:
        """The test and its correction in words."""
        test = known_test(self.test)
        how = _how_corrected(self.correction, pairs, by_itself=test.correction is None)
        return f"{test.title}, {how}, of the mean preference over {others}"


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
    count topics, head to head; ``"N"`` of the ties are non-separable (IPSO). With a margin, signs before
    the superscripts say the verdicts.
    """

    def __init__(
        self,
        *,
        columns: dict[str, PreferenceColumn],
        correction: str | None,
        judged_only: bool,
        margin: Margin | None,
        **report: Any,
    ) -> None:
        """Take the arguments of a ``Report``, and what ranx's own does not have.

        Args:
            columns: A column for each preference, by metric.
            correction: The correction of the p-values of ranx's metrics; None for one pair, or if none is
                asked for.
            judged_only: Whether unjudged documents were taken out of the runs first.
            margin: What all metrics are tested for, if not for differences.
            report: The arguments of a ``Report``.
        """
        super().__init__(**report)
        self.columns = columns
        self.correction = correction
        self.judged_only = judged_only
        self.margin = margin

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
        pairs, others = math.comb(len(self.model_names), 2), "each other system"
        if self.margin is not None and self.margin.baseline is not None:
            pairs, others = len(self.model_names) - 1, self.margin.baseline
        by_test: dict[str, list[str]] = {}
        for metric in self.metrics:
            if metric in self.columns:
                test = self.columns[metric].describe_test(pairs, others)
            else:
                how = _how_corrected(self.correction, pairs, by_itself=self.stat_test == "tukey")
                test = f"{stat_test_labels[self.stat_test]}, {how}"
            by_test.setdefault(test, []).append(self.get_metric_label(metric))
        return [f"{test} ({', '.join(labels)})" for test, labels in by_test.items()]

    def to_table(self) -> str:
        """The table as text, and below it the test of every column."""
        denoted = _DIFFERENCES
        if self.margin is not None:
            denoted = self._signs_in_words(self.margin, self.margin.baseline)
        note = f"{_DENOTE} {denoted} with p ≤ {self.max_p} in"
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
        if self.margin is not None:
            baseline = self.margin.baseline
            name = None if baseline is None else clean_latex(baseline)
            denoted = self._signs_in_words(self.margin, name)
            for sign, written in _LATEX_SIGNS.items():
                denoted = denoted.replace(sign, f"${written.strip()}$")
            text = text.replace(f"{_DENOTE} {_DIFFERENCES}", f"{_DENOTE} {denoted}", 1)
        if self.judged_only:
            text = text.replace(_DENOTE, f"{_JUDGED_ONLY}\n{_DENOTE}", 1)
        return text

    def to_dict(self) -> dict[str, Any]:
        """The report as a dict: for each preference also its test, signature and head-to-head means.

        With a margin, also this and the verdicts of each system over the others.
        """
        report: dict[str, Any] = {
            "correction": self.correction,
            "judged_only": self.judged_only,
            "preferences": {
                metric: {name: getattr(column, name) for name in _IN_DICT}
                for metric, column in self.columns.items()
            },
            **({} if self.margin is None else asdict(self.margin)),
            **super().to_dict(),
        }
        for name in self.model_names:
            if self.margin is not None:
                found = {m: self._verdicts(self.margin, name, m) for m in self.metrics}
                report[name]["verdicts"] = {
                    other: {metric: verdicts[other] for metric, verdicts in found.items()}
                    for other in found[self.metrics[0]]
                }
            report[name]["mean_preference"] = {
                other: {
                    metric: column.means[name, other] for metric, column in self.columns.items()
                }
                for other in self.model_names
                if other != name
            }
        return report

    def get_superscript_for_table(self, model: str, metric: str) -> str:
        """The systems that this one is significantly better than, as raised letters.

        With a margin, all systems that the tests say something of, behind the sign of the verdict.
        """
        return "".join(
            (f" {sign}" if sign else "") + "".join(super_chars[number] for number in numbers)
            for sign, numbers in self._marks(model, metric)
        )

    def get_superscript_for_latex(self, model: str, metric: str) -> str:
        """The same as letters, with signs of LaTeX."""
        return r"\;".join(
            _LATEX_SIGNS.get(sign, "") + "".join(chars[number] for number in numbers)
            for sign, numbers in self._marks(model, metric)
        )

    def get_phantoms_for_latex(self, model: str, metric: str) -> str:
        """All other systems, as letters; none with a margin."""
        if self.margin is not None:
            return ""
        beaten = set(self._beaten(model, metric))
        return "".join(
            chars[number]
            for number, other in enumerate(self.model_names)
            if other != model and number not in beaten
        )

    def _verdicts(self, margin: Margin, model: str, metric: str) -> dict[str, str]:
        """What the tests say of a run over each other one, by the name of that one.

        With a baseline, only of a run over the baseline.
        """
        names, found = list(self.model_names), {}
        for other in names if margin.baseline is None else [margin.baseline]:
            if other == model:
                continue
            verdict = self.comparisons[model, other][metric]["verdict"]
            # A report has each pair once: the first run over the second, or over the baseline.
            turned = margin.baseline is None and names.index(model) > names.index(other)
            found[other] = _TURNED.get(verdict, verdict) if turned else verdict
        return found

    def _marks(self, model: str, metric: str) -> list[tuple[str, list[int]]]:
        """The sign of each kind of verdict, and the numbers of the runs that it is about.

        Without a margin, those that this one is better than, without a sign.
        """
        if self.margin is None:
            return [("", self._beaten(model, metric))]
        verdicts = self._verdicts(self.margin, model, metric)
        marks = [
            (sign, [n for n, other in enumerate(self.model_names) if verdicts.get(other) == kind])
            for kind, sign in _SIGNS.items()
        ]
        return [(sign, numbers) for sign, numbers in marks if numbers]

    def _signs_in_words(self, margin: Margin, baseline: str | None) -> str:
        """What the signs mean; ``baseline`` is its name as the report writes it."""
        size = f"{100 * margin.margin:g} points" if self.show_percentages else f"{margin.margin:g}"
        asked = f"≥ not worse than {baseline} by {size} or more"
        if margin.alternative == "equivalent":
            good = "as good" if baseline is None else f"as good as {baseline}"
            asked = f"≈ {good} (neither is worse by {size} or more)"
        return f"{asked}, > better, < worse (none: undecided),"

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

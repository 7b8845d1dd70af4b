"""Each system against a baseline: topics won and lost, p-values, and their corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from irpref import PairTest, Preference
from irpref.for_adapters import Floats, Values, difference, unknown
from irpref_pyterrier.baselines import Baseline
from irpref_pyterrier.preferences import Compared

__all__ = ["MeasureTest", "RecordedValues", "Test", "Tested", "check_correction", "of_measures"]
__all__ += ["of_preference", "tables"]

Test = str | Callable[..., Any] | None
MeasureTest = Callable[[Any, Any], Any]

# Two-sided tests give a pair of baselines one p-value, but for float noise, in both directions.
_SAME_P = 9


@dataclass(frozen=True, eq=False)
class Tested:
    """All S systems against one baseline, by one measure or preference.

    Attributes:
        label: The name of the measure or preference.
        baseline: The baseline.
        counts: (S,) numbers of topics, by what the columns call them; those of the baseline do not matter.
        p: (S,) p-values; NaN for the baseline, and where the test says nothing.
        values: (T, S) what is tested: the value of each system over the baseline; NaN where a topic does
            not count.
    """

    label: str
    baseline: Baseline
    counts: dict[str, Values]
    p: Floats
    values: Floats

    def columns(self, more: dict[str, Any]) -> pd.DataFrame:
        """The columns ``NAME +``, …, ``NAME p-value``, and more by what they are called."""
        others = np.arange(len(self.p)) != self.baseline.number
        columns: dict[str, Any] = {
            kind: np.where(others, count, np.nan) for kind, count in self.counts.items()
        }
        columns |= {"p-value": self.p, **more}
        names = {kind: f"{self.label} {kind}{self.baseline.suffix}" for kind in columns}
        return pd.DataFrame(columns).rename(columns=names)


def tables(tested: Sequence[Tested], correction: str | None, alpha: float) -> list[pd.DataFrame]:
    """The columns of each baseline in turn, and in it of each measure or preference.

    A correction goes over the tests of one measure or preference, against all baselines. Two baselines are
    tested against each other once, though both have a column for it.
    """
    decided: dict[int, dict[str, Any]] = {}
    if correction is not None:
        for label in {each.label for each in tested}:
            family = [each for each in tested if each.label == label]
            decided |= zip(map(id, family), _decided(family, correction, alpha), strict=True)
    return [each.columns(decided.get(id(each), {})) for each in tested]


def _decided(family: Sequence[Tested], correction: str, alpha: float) -> list[dict[str, Any]]:
    """(S,) whether to reject, and the corrected p-values, as columns of each of the family."""
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

    tests = {
        pair: p
        for each in family
        for pair, p in zip(_pairs(each), each.p, strict=True)
        if not np.isnan(p)
    }
    found: dict[Any, tuple[bool, float]] = {}
    if tests:
        reject, p, *_ = multipletests(list(tests.values()), alpha=alpha, method=correction)
        found = dict(zip(tests, zip(reject, p, strict=True), strict=True))
    # As in pt.Experiment, False for the baseline.
    decided = [[found.get(pair, (False, np.nan)) for pair in _pairs(each)] for each in family]
    return [
        {
            "reject": np.array([reject for reject, _ in each], dtype=bool),
            "p-value corrected": np.array([p for _, p in each]),
        }
        for each in decided
    ]


def _pairs(tested: Tested) -> list[tuple[frozenset[int], float]]:
    """Each test by its two systems; the tests of a function may differ in the two directions."""
    return [
        (frozenset({system, tested.baseline.number}), round(p, _SAME_P))
        for system, p in enumerate(tested.p.tolist())
    ]


def check_correction(method: str | None) -> str | None:
    """The correction as statsmodels names it.

    Raises:
        ValueError: There is no such correction.
    """
    if method is None:
        return None
    from statsmodels.stats.multitest import multitest_alias

    method = "fdr_bh" if method == "bh" else method
    if method not in multitest_alias:
        raise unknown("correction", method, ["bh", *multitest_alias])
    return method


def of_preference(compared: Compared, test: Test) -> Tested:
    """A preference over its baseline."""
    assert compared.baseline is not None
    values = compared.values
    wins, losses = np.count_nonzero(values > 0, axis=0), np.count_nonzero(values < 0, axis=0)
    ties = np.count_nonzero(~np.isnan(values), axis=0) - wins - losses
    counts: dict[str, Any] = {"+": wins, "=": ties, "-": losses}
    for label, count in compared.own.items():
        counts["="] = counts["="] - count
        counts[label] = count
    p = _p_values(values, compared.preference, test)
    p[compared.baseline.number] = np.nan
    return Tested(compared.label, compared.baseline, counts, p, values)


class RecordedValues:
    """A test for ``pt.Experiment`` that tests nothing, and keeps the values of the measures by topic."""

    def __init__(self) -> None:
        self.calls: list[tuple[Floats, Floats]] = []

    def __call__(self, values: Floats, reference: Floats) -> tuple[None, float]:
        """Keep the values of one measure: those of a system, and those of the baseline."""
        self.calls.append((values, reference))
        return None, np.nan

    def taken_from(
        self, averages: pd.DataFrame, baseline: int
    ) -> tuple[pd.DataFrame, dict[str, Floats]]:
        """The result without the columns of tests, and (S, T) values of all systems by measure."""
        end = " p-value"
        labels = [name.removesuffix(end) for name in averages.columns if name.endswith(end)]
        added = [f"{label} {kind}" for label in labels for kind in ("+", "-", "p-value")]
        values = {}
        for index, label in enumerate(labels):
            # pt.Experiment goes over the systems, and for each over the measures.
            calls = self.calls[index :: len(labels)]
            rows = [scores for scores, _ in calls]
            if calls:
                rows.insert(baseline, calls[0][1])
                values[label] = np.array(rows)
        return averages.drop(columns=added), values


def of_measures(values: dict[str, Floats], baseline: Baseline, test: MeasureTest) -> list[Tested]:
    """Measures against a baseline, as ``pt.Experiment`` compares them, from (S, T) values by name."""
    tested = []
    for label, scores in values.items():
        reference = scores[baseline.number]
        counts = {"+": (scores > reference).sum(axis=1), "-": (scores < reference).sum(axis=1)}
        p = [
            np.nan if number == baseline.number else test(column, reference)[1]
            for number, column in enumerate(scores)
        ]
        differences = difference(scores, reference).T
        tested.append(Tested(label, baseline, counts, np.array(p, dtype=np.float64), differences))
    return tested


def _p_values(values: Floats, preference: Preference, test: Test) -> Floats:
    """(S,) p-values of (T, S) values against 0; ``test``: a name, a function, or None for what fits."""
    if callable(test):
        kept = [column[~np.isnan(column)] for column in values.T]
        return np.array([test(column, np.zeros_like(column))[1] for column in kept], dtype=float)
    method = PairTest(method=test).method_for_each(signs=preference.signs_only)
    topics = np.count_nonzero(~np.isnan(values), axis=0)
    # As in the t-test of pt.Experiment, NaN for a single topic, and if no topic differs.
    enough = (topics > 1) & np.nan_to_num(values).any(axis=0) if method.name == "t" else topics > 0
    p = np.full(values.shape[1], np.nan)
    if enough.any():
        p[enough] = method.of_values(values[:, enough]).p
    return p

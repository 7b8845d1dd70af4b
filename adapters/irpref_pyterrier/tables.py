"""What ``Experiment`` adds to the result of ``pt.Experiment``: means and values of preferences, and tests.

A test is of each system against a baseline: topics won and lost, p-values, their corrections, and verdicts.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from irpref import PairTest, Preference
from irpref.for_adapters import (
    CORRECTION_NAMES,
    Alternative,
    Floats,
    Integers,
    PairSums,
    adjust,
    check_share,
    difference,
    family_pairs,
    margin_found,
    shown,
    unknown,
)
from irpref_pyterrier.preferences import Baseline, Compared

PLACEHOLDER = "num_q"
"""The metric for ``pt.Experiment`` if there are preferences only."""

Round = int | dict[str, int] | None

_LESS_IS_BETTER = (" -", "mrt")
_NOT_HIGHLIGHTED = ("name", " =", " **", " p-value", " reject", " p-value corrected", " verdict")
# The styles of pt.Experiment: of the best values, and of the last of them.
_STYLES = {
    "bold": ("font-weight: bold", "font-weight: bold"),
    "color": ("background-color: antiquewhite", "background-color: lightgreen"),
}
_STYLES["colour"] = _STYLES["color"]


def add_means(
    averages: Any, compared: Sequence[Compared], names: Sequence[Any], round: Round, drop: bool
) -> Any:
    """Add the means of the preferences to the averages of ``pt.Experiment``: a frame, or dicts by name."""
    if isinstance(averages, pd.DataFrame):
        rounded = {
            each.column: [_rounded(mean, each.label, round) for mean in each.means.tolist()]
            for each in compared
        }
        return (averages.drop(columns=PLACEHOLDER) if drop else averages).assign(**rounded)
    for number, name in enumerate(names):
        if drop:
            averages[name].pop(PLACEHOLDER, None)
        averages[name] |= {each.column: float(each.means[number]) for each in compared}
    return averages


def add_by_query(
    given: Any, compared: Sequence[Compared], names: Sequence[Any], round: Round, drop: bool
) -> Any:
    """Add the preferences to the values by query of ``pt.Experiment``: a frame, or dicts by index."""
    if not compared and not drop:
        return given
    if isinstance(given, pd.DataFrame):
        kept = given[given["measure"] != PLACEHOLDER] if drop else given
        both = pd.concat([kept, by_query(compared, names, round)], ignore_index=True)
        return both.sort_values(["name", "qid"], kind="stable")
    for number, queries in given.items():
        if drop:
            for measures in queries.values():
                measures.pop(PLACEHOLDER, None)
        for each in compared:
            for row, topic in enumerate(each.topics):
                queries.setdefault(topic, {})[each.column] = float(each.values[row, number])
    return given


def by_query(compared: Sequence[Compared], names: Sequence[Any], round: Round) -> pd.DataFrame:
    """The values of the preferences by query: columns name, qid, measure, value."""
    rows = [
        (name, topic, each.column, _rounded(float(each.values[row, number]), each.label, round))
        for number, name in enumerate(names)
        for each in compared
        for row, topic in enumerate(each.topics)
    ]
    return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])


def check_highlight(highlight: str | None) -> None:
    """Refuse a highlight that there is not.

    Raises:
        ValueError: It is unknown.
    """
    if highlight is not None and highlight not in _STYLES:
        raise ValueError(f"highlight must be 'bold' or 'color', not {highlight!r}")


def highlighted(averages: pd.DataFrame, highlight: str, baselines: Sequence[Baseline]) -> Any:
    """The frame with the best values of each column in bold or in colour, as ``pt.Experiment`` has them."""
    best, last = _STYLES[highlight]

    def styles(column: pd.Series[Any]) -> list[str]:
        kind = str(column.name)
        for baseline in baselines:
            kind = kind.removesuffix(baseline.suffix)
        if kind.endswith(_NOT_HIGHLIGHTED) or column.isna().all():
            return [""] * len(column)
        value = column.min() if kind.endswith(_LESS_IS_BETTER) else column.max()
        found = [best if each == value else "" for each in column]
        found[len(found) - 1 - found[::-1].index(best)] = last
        return found

    return averages.style.apply(styles, axis=0)


def _rounded(value: float, label: str, round: Round) -> float:
    places = round.get(label) if isinstance(round, dict) else round
    return value if places is None else builtins.round(value, places)


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
    counts: dict[str, Integers]
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


def tables(
    tested: Sequence[Tested],
    correction: str | None,
    alpha: float,
    margin_test: PairTest | None,
    names: Sequence[Any],
) -> list[pd.DataFrame]:
    """The columns of each baseline in turn, and in it of each measure or preference.

    A correction goes over the tests of one measure or preference, against all baselines. Two baselines are
    tested against each other once, though both have a column for it; but with a margin, each is asked
    whether it is not worse than the other.

    Args:
        tested: What to test.
        correction: The correction, as statsmodels names it.
        alpha: The level of what is rejected.
        margin_test: The test with a margin, if any, which has its own correction and level.
        names: The systems.
    """
    found: dict[int, dict[str, Any]] = {}
    for label in {each.label for each in tested}:
        family = [each for each in tested if each.label == label]
        columns: list[dict[str, Any]] = [{} for _ in family]
        if margin_test is not None:
            columns = _with_verdicts(family, margin_test, names)
        elif correction is not None:
            columns = _decided(family, correction, alpha)
        found |= zip(map(id, family), columns, strict=True)
    return [each.columns(found[id(each)]) for each in tested]


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
    untested = (False, np.nan)
    rows = [np.array([found.get(pair, untested) for pair in _pairs(each)]) for each in family]
    return [{"reject": each[:, 0] > 0, "p-value corrected": each[:, 1]} for each in rows]


def _pairs(tested: Tested) -> list[tuple[frozenset[int], float]]:
    """Each test by its two systems; the tests of a function may differ in the two directions."""
    return [
        (frozenset({system, tested.baseline.number}), round(p, _SAME_P))
        for system, p in enumerate(tested.p.tolist())
    ]


def _with_verdicts(
    family: Sequence[Tested], test: PairTest, names: Sequence[Any]
) -> list[dict[str, Any]]:
    """(S,) p-values and verdicts of the test with a margin, as columns of each of the family."""
    values = {each.baseline.number: each.values for each in family}
    pairs = [
        (one, two)
        for one, two in zip(*family_pairs(len(names), tuple(values), test), strict=True)
        # As in the other tests, NaN for a single topic.
        if np.count_nonzero(~np.isnan(values[two][:, one])) > 1
    ]
    p, corrected = np.full((2, len(names), len(names)), np.nan)
    verdicts = np.full(p.shape, None, dtype=object)
    if pairs:
        first, second = np.array(pairs).T
        sums = PairSums.of(np.column_stack([values[two][:, one] for one, two in pairs]))
        named = [(str(names[one]), str(names[two])) for one, two in pairs]
        tests, verdicts[first, second] = margin_found(sums, test, named, family[0].label)
        correction = test.correction_for(test.method_for(signs=False), pairs=len(pairs))
        p[first, second], corrected[first, second] = tests.p, adjust(tests.p, correction)
        if test.alternative == "equivalent":
            turned = {"better": "worse", "worse": "better"}
            p[second, first], corrected[second, first] = p[first, second], corrected[first, second]
            verdicts[second, first] = [turned.get(each, each) for each in verdicts[first, second]]
    tables = []
    for baseline in values:
        columns: dict[str, Any] = {"p-value": p[:, baseline]}
        if test.correction is not None:
            adjusted = corrected[:, baseline]
            columns |= {"reject": adjusted < test.alpha, "p-value corrected": adjusted}
        tables.append(columns | {"verdict": verdicts[:, baseline]})
    return tables


def margin_test(
    margin: float | None,
    alternative: Alternative | None,
    *,
    baselines: Sequence[Baseline],
    test: Any,
    correction: str | None,
    alpha: float,
    preferences: Mapping[str, Preference],
    averages: bool,
) -> PairTest | None:
    """The test with the margin that a caller of ``Experiment`` asks for, if any.

    Args:
        margin: As there, and so on.
        alternative: As there.
        baselines: The baselines.
        test: As there.
        correction: As there.
        alpha: ``correction_alpha`` there.
        preferences: The preferences to test, by name.
        averages: Whether the result is the table of means, which alone has tests.

    Raises:
        ValueError: The options contradict each other.
    """
    if margin is None and alternative is None:
        return None
    if not baselines:
        raise ValueError("a margin is for tests against a baseline: give baseline= too")
    if not averages:
        raise ValueError(
            "a margin is for tests in the table of means: leave perquery= and dataframe= out"
        )
    if callable(test):
        raise ValueError("a margin is tested by t-tests, not by a function: leave test= out")
    named: Any = "bh" if correction == "fdr_bh" else correction
    if named is not None and named not in CORRECTION_NAMES:
        raise ValueError(
            "tests with a margin are corrected by 'holm', 'bonferroni' or 'bh', not by "
            f"{shown(correction)}"
        )
    check_share("correction_alpha", alpha)
    how = PairTest(
        method=test, correction=named, alpha=alpha, margin=margin, alternative=alternative
    )
    for label, preference in preferences.items():
        how.refuse_wide_margin(label, preference.bounds[1])
    return how


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

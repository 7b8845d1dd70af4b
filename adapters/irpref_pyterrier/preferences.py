"""Preferences among the systems of an experiment: values by topic, and columns of results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import ir_measures
import numpy as np
import pandas as pd
import pyterrier as pt

from irpref.arrays import Floats, Integers
from irpref.choices import Method
from irpref.errors import unknown
from irpref.measures import Measure
from irpref.preferences import Preference
from irpref.project.placing import place_rankings
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.statistics.paired_tests import paired_tests
from irpref.summarise.topic_values import topic_win_rates
from irpref_ir_measures.evaluator import read_judgments, read_results
from irpref_ir_measures.measures import CoreMeasure, CorePreference

__all__ = ["Compared", "Test", "compare_systems", "split_metrics", "test_columns"]

Test = str | Callable[..., Any] | None


@dataclass(frozen=True, eq=False)
class Compared:
    """One preference among S systems on T topics.

    Attributes:
        label: The user's name of the preference.
        preference: The preference.
        topics: The topics of the qrels.
        values: (T, S) value of each system over the baseline, or its mean over all other systems; 0 on
            topics without relevant items.
        own: The preference's counts besides wins, ties and losses (IPSO: ``**``, non-separable), by label:
            (S,) topics of each system against the baseline. Empty without a baseline.
    """

    label: str
    preference: Preference
    topics: list[str]
    values: Floats
    own: dict[str, Integers]


def split_metrics(metrics: Sequence[Any]) -> tuple[list[Any], dict[str, Preference]]:
    """The metrics for ``pt.Experiment``, and the preferences by the user's names.

    Raises:
        ValueError: A measure is of irpref, not of irpref_ir_measures; or an option needs a reference run.
    """
    ordinary: list[Any] = []
    preferences: dict[str, Preference] = {}
    for metric in metrics:
        found = _of_irpref(metric) if isinstance(metric, str) else metric
        if isinstance(found, Measure):
            raise ValueError(
                f"{found}: measures for PyTerrier are in irpref_ir_measures, for example "
                "irpref_ir_measures.TieRR @ 10"
            )
        if isinstance(found, CorePreference) and found.reference is None:
            for parameter in ("judged_only", "count"):
                if parameter in found.params:
                    raise ValueError(
                        f"{parameter}= needs a reference run here: {found.NAME}.against(results)"
                    )
            found = found.core()
        if isinstance(found, Preference):
            preferences[metric if isinstance(metric, str) else str(found)] = found
        else:
            ordinary.append(found)
    return ordinary, preferences


def _of_irpref(text: str) -> Any:
    """The measure or preference that a text names, if it is one of irpref; else the text."""
    name = re.match(r"\w*", text.strip())
    known = ir_measures.measures.registry.get(name.group() if name else "")
    return ir_measures.parse_measure(text.strip()) if isinstance(known, CoreMeasure) else text


def compare_systems(
    qrels: pd.DataFrame,
    frames: Sequence[pd.DataFrame],
    preferences: dict[str, Preference],
    baseline: int | None,
) -> list[Compared]:
    """Every preference, of each system over the baseline or over all others.

    Raises:
        ValueError: There are fewer than two systems, or a result has a document twice in a topic.
    """
    if len(frames) < 2:
        raise ValueError("there is only one system: a preference takes two")
    known, judgments = read_judgments(pt.model.to_ir_measures(qrels))
    topics = list(known)
    runs = {
        str(number): read_results(pt.model.to_ir_measures(frame))
        for number, frame in enumerate(frames)
    }
    shape = (len(topics), len(frames))
    if not (judgments["grade"] > 0).any():
        return [
            Compared(label, preference, topics, np.zeros(shape), {})
            for label, preference in preferences.items()
        ]
    placements, _ = place_rankings(judgments, runs)
    row = {topic: index for index, topic in enumerate(topics)}
    rows = [row[topic] for topic in placements.topics]
    compared = []
    for label, preference in preferences.items():
        values = np.zeros(shape)
        own: dict[str, Integers] = {}
        if baseline is None:
            values[rows] = np.nan_to_num(topic_win_rates(placements, preference))
        else:
            batch = TopicBatch(placements, second=np.array([baseline]))
            found, counted = preference.values(batch), preference.compared(batch)
            signed = np.where(counted, preference.signed_values(found), 0)
            values[rows] = signed[:, :, 0]
            if preference.has_relations:
                counts = preference.count_outcomes(found, counted)
                own = {
                    relation.label: counts[name][:, 0]
                    for name, relation in preference.own_outcomes.items()
                }
        compared.append(Compared(label, preference, topics, values, own))
    return compared


def p_values(values: Floats, preference: Preference, test: Test) -> Floats:
    """(S,) p-values of (T, S) values against 0; ``test``: a name, a function, or None for what fits."""
    if callable(test):
        return np.array([test(column, np.zeros_like(column))[1] for column in values.T])
    method: Any = test or preference.fitting_test
    if method not in get_args(Method):
        raise unknown("test", method, get_args(Method))
    if method != "t":
        return paired_tests(values, method=method, rng=0).p
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    # As in the t-test of pt.Experiment, NaN for a single topic, and if no topic differs.
    return np.where(values.any(axis=0), paired_tests(values, method=method).p, np.nan)


def test_columns(
    compared: Compared,
    baseline: int,
    *,
    test: Test,
    correction: str | None,
    alpha: float,
) -> pd.DataFrame:
    """The results of each system against the baseline; the row of the baseline is empty.

    Returns:
        Columns ``NAME +``, ``NAME =``, ``NAME -`` (wins, ties, losses), for IPSO ``NAME **``
        (non-separable), ``NAME p-value``, and with a correction ``NAME reject`` and
        ``NAME p-value corrected``.
    """
    others = np.arange(compared.values.shape[1]) != baseline
    values = compared.values[:, others]
    wins, losses = np.count_nonzero(values > 0, axis=0), np.count_nonzero(values < 0, axis=0)
    ties = len(values) - wins - losses
    columns: dict[str, Any] = {"+": wins, "=": ties, "-": losses}
    for label, counts in compared.own.items():
        columns["="] = columns["="] - counts[others]
        columns[label] = counts[others]
    columns["p-value"] = p_values(values, compared.preference, test)
    if correction is not None:
        from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

        reject, corrected, *_ = multipletests(columns["p-value"], alpha=alpha, method=correction)
        # statsmodels rejects hypotheses with p-value NaN.
        columns["reject"] = reject & ~np.isnan(columns["p-value"])
        columns["p-value corrected"] = corrected
    frame = pd.DataFrame(columns, index=np.flatnonzero(others)).reindex(range(len(others)))
    if correction is not None:
        # As in pt.Experiment.
        frame.loc[baseline, "reject"] = False
        frame["reject"] = frame["reject"].astype(bool)
    return frame.rename(columns=lambda column: f"{compared.label} {column}")

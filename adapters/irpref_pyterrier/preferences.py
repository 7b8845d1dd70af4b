"""Preferences among the systems of an experiment: their values by topic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pyterrier as pt

from irpref import Measure, Preference, Reading
from irpref.for_adapters import (
    EMPTY,
    Floats,
    Integers,
    Placements,
    TopicBatch,
    distinct,
    locate_rankings,
    read_run,
    reading_for,
    topic_win_rates,
    unknown,
)
from irpref_ir_measures.base import CoreMeasure, CorePreference
from irpref_ir_measures.evaluator import read_judgments
from irpref_pyterrier.results import said


@dataclass(frozen=True)
class Baseline:
    """A system that the others are compared with.

    Attributes:
        number: The index of the system.
        suffix: What its columns end with: nothing, or ``vs NAME`` behind a space, if the user gave a list.
    """

    number: int
    suffix: str = ""


def baselines_of(given: Any, names: Sequence[Any]) -> list[Baseline]:
    """The baselines that a user gives: a name or an index, a list of them, or None.

    Raises:
        ValueError: There is no such system, one is there twice, or two systems have its name.

    Example:
        >>> baselines_of("bm25", ["bm25", "tfidf"])
        [Baseline(number=0, suffix='')]
        >>> [baseline.suffix for baseline in baselines_of([1, "bm25"], ["bm25", "tfidf"])]
        [' vs tfidf', ' vs bm25']
    """
    if given is None:
        return []
    if not isinstance(given, list | tuple):
        return [Baseline(_number_of(given, names))]
    if not given:
        raise ValueError("baseline=[] has no system; leave baseline= out")
    numbers = [_number_of(each, names) for each in given]
    for number, times in Counter(numbers).items():
        if times > 1:
            raise ValueError(f"baseline={given!r} has system {names[number]!r} twice")
        if list(names).count(names[number]) > 1:
            raise ValueError(
                f"two systems are named {names[number]!r}, and columns say the name of a baseline; "
                "give names="
            )
    return [Baseline(number, f" vs {names[number]}") for number in numbers]


def _number_of(given: Any, names: Sequence[Any]) -> int:
    if isinstance(given, str):
        found = [number for number, name in enumerate(names) if name == given]
        if not found:
            raise unknown("baseline", given, names)
        if len(found) > 1:
            raise ValueError(
                f"two systems are named {given!r}: give names=, or an index as baseline="
            )
        return found[0]
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise ValueError(f"a baseline is the name or the index of a system, not {given!r}")
    number = int(given)
    if not 0 <= number < len(names):
        known = ", ".join(f"{index} is {name!r}" for index, name in enumerate(names[:12]))
        known += f", … ({len(names)} in all)" if len(names) > 12 else ""
        raise ValueError(f"there is no system {number}: {known}")
    return number


@dataclass(frozen=True, eq=False)
class Compared:
    """One preference among S systems on T topics.

    Attributes:
        label: The user's name of the preference.
        preference: The preference.
        baseline: The system that all are compared with; None for the mean over all others.
        topics: The topics of the qrels.
        values: (T, S) value of each system over the baseline, or its mean over all other systems; 0 on
            topics without relevant items, NaN on those that ``missing="skip"`` leaves out.
        own: The preference's counts besides wins, ties and losses (IPSO: ``**``, non-separable), by label:
            (S,) topics of each system against the baseline. Empty without a baseline.
    """

    label: str
    preference: Preference
    baseline: Baseline | None
    topics: list[str]
    values: Floats
    own: dict[str, Integers]

    @property
    def column(self) -> str:
        """The name of its column."""
        return self.label if self.baseline is None else self.label + self.baseline.suffix

    @property
    def means(self) -> Floats:
        """(S,) means over the topics; NaN if none is left."""
        counted = np.count_nonzero(~np.isnan(self.values), axis=0)
        return np.asarray(np.nansum(self.values, axis=0) / np.where(counted, counted, np.nan))


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
            for name in ("judged_only", "duplicates"):
                if name in found.params:
                    raise ValueError(
                        f"{name}= is an option of the whole experiment: "
                        f'Experiment(…, ["{found.NAME}"], {name}={found.params[name]!r})'
                    )
            for name in ("count", "ref_order"):
                if name in found.params:
                    raise ValueError(
                        f"{name}= needs a reference run here: {found.NAME}.against(results)"
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


class Preferences:
    """The preferences of an experiment, and the qrels that they are computed with."""

    def __init__(
        self,
        preferences: Mapping[str, Preference],
        qrels: pd.DataFrame,
        reading: Reading,
        baselines: Sequence[Baseline],
    ) -> None:
        """Read the qrels, before any pipeline runs.

        Raises:
            ValueError: The qrels are unreadable.
        """
        self.preferences = preferences
        self.reading = reading_for(preferences.values(), reading)
        self.baselines = baselines
        known, self.judgments = read_judgments(pt.model.to_ir_measures(qrels))
        self.topics = list(known)

    def compare(self, names: Sequence[Any], results: Sequence[pd.DataFrame]) -> list[Compared]:
        """Every preference, of each system over each baseline or over all others.

        Raises:
            ValueError: Results are unreadable, or have a document twice in a topic; the error names system,
                topic and document.
        """
        placements = None
        if (self.judgments["grade"] > 0).any():
            runs = {
                name: EMPTY["run"] if frame.empty else read_run(frame, source=said(name))
                for name, frame in zip(distinct(map(str, names)), results, strict=True)
            }
            placements = locate_rankings(self.judgments, runs, self.reading).placements
        against: Sequence[Baseline | None] = self.baselines or [None]
        compared = []
        for baseline, (label, preference) in product(against, self.preferences.items()):
            values = np.zeros((len(self.topics), len(names)))
            own: dict[str, Integers] = {}
            if placements is not None:
                relevant, counted = placements.by_topic.relevant, placements.counted_in_all
                if baseline is None:
                    values[relevant] = np.nan_to_num(topic_win_rates(placements, preference))
                    pairs = counted & (counted.sum(axis=1, keepdims=True) - counted > 0)
                else:
                    values[relevant], own = _over(placements, preference, baseline.number)
                    pairs = counted & counted[:, [baseline.number]]
                values[~pairs] = np.nan
            compared.append(Compared(label, preference, baseline, self.topics, values, own))
        return compared


def _over(
    placements: Placements, preference: Preference, baseline: int
) -> tuple[Floats, dict[str, Integers]]:
    """The values of each system over the baseline, and the counts of the preference's own outcomes."""
    batch = TopicBatch(placements, second=np.array([baseline]))
    found, counted = preference.values(batch), preference.compared(batch)
    values = np.where(counted, preference.signed_values(found), 0)[:, :, 0]
    if not preference.has_relations:
        return values, {}
    counts = preference.count_outcomes(found, counted)
    own = preference.own_outcomes.items()
    return values, {relation.label: counts[name][:, 0] for name, relation in own}

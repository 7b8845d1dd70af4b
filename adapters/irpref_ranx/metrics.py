"""Metrics for ranx: preferences by name, and tie-aware metrics as functions.

Preferences are named in ranx's style (``rpp@100-l2``), or by irpref's own texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import polars as pl

from irpref import InputError, Measure, Preference, TieAP, TieF1, TienDCG, TieP, TieR, TieRR, parse
from irpref.for_adapters import Floats, Words, known_names, locate_rankings, spelled

PREFERENCES: dict[str, str] = {
    name.lower(): name for name, found in known_names().items() if isinstance(found, Preference)
}
"""irpref's names of the preferences, by the names in lower case."""
Asked = TypeVar("Asked", Measure, Preference)
_MEASURES = {name for name, found in known_names().items() if isinstance(found, Measure)}


class _InRanx(Words):
    """What ranx's users write for the options that irpref's warnings name."""

    def __call__(self, text: str) -> str:
        return spelled(text, lambda option: "rpp@K" if option.name == "depth" else str(option))


IN_RANX = _InRanx()


@dataclass(frozen=True)
class PreferenceMetric:
    """A preference as a column.

    Attributes:
        key: The caller's text.
        label: The same text, with irpref's spelling of the name.
        preference: The preference.
    """

    key: str
    label: str
    preference: Preference

    def __post_init__(self) -> None:
        if self.preference.interest == "subtopics":
            raise ValueError(f"{self.key} needs subtopics, and ranx's Qrels have no subtopics")


def listed(metrics: Any) -> list[Any]:
    """The metrics as a list, with one or several given."""
    single = isinstance(metrics, str) or not isinstance(metrics, Iterable)
    return [metrics] if single else list(metrics)


def split_metrics(metrics: Iterable[Any]) -> dict[str, PreferenceMetric | None]:
    """The metrics by key, each once, in their order; None for ranx's own metrics.

    Args:
        metrics: Texts (ranx's metrics; ``rpp``, ``dcgrpp@100``, ``lp-l2``;
            ``RPP(weights='dcg')@100``) and preference objects.

    Raises:
        ValueError: A metric is neither text nor preference, an option of a preference is unknown, or
            there is no metric.

    Example:
        >>> split_metrics(["map@100", "dcgrpp@10-l2"])["dcgrpp@10-l2"].preference
        dcgRPP(rel=2)@10
    """
    found: dict[str, PreferenceMetric | None] = {}
    for metric in metrics:
        if isinstance(metric, Preference):
            found[str(metric)] = PreferenceMetric(str(metric), str(metric), metric)
        elif isinstance(metric, str) and _name_in(metric) not in _MEASURES:
            found[metric] = named_preference(metric)
        else:
            raise ValueError(
                f"a metric must be a name of ranx or a preference, not {metric!r}: write measures as "
                "ranx does (mrr, map, ndcg@10, …), tie-aware ones with tie_ (tie_mrr, tie_map, …)"
            )
    if not found:
        raise ValueError("there is no metric")
    return found


def named_preference(text: str) -> PreferenceMetric | None:
    """The preference that a text names, in ranx's style or irpref's; None if it names none."""
    name = _name_in(text)
    if name.lower() not in PREFERENCES:
        return None
    spelled = PREFERENCES[name.lower()] + text.strip()[len(name) :]
    plain, _, level = spelled.partition("-l")
    preference = parse(plain if level.isdecimal() else spelled)
    assert isinstance(preference, Preference)
    if level.isdecimal():
        preference = at(preference, 0, int(level))
    return PreferenceMetric(text, spelled, preference)


def _name_in(text: str) -> str:
    return re.split(r"[@(]|-l", text.strip(), maxsplit=1)[0].strip()


def at(asked: Asked, k: int, level: int) -> Asked:
    """The measure or preference at a cutoff (0 for none) and a relevance level.

    Raises:
        ValueError: The level is below 1.

    Example:
        >>> from irpref import RPP
        >>> at(RPP, 10, 2)
        RPP(rel=2)@10
    """
    if level < 1:
        raise ValueError(
            f"the relevance level must be at least 1, not {level}: grade 0 is never relevant here"
        )
    # ranx says 1 where its user says nothing, and the text may have a level of its own.
    asked = asked if level == 1 else asked(rel=level)
    return asked @ k if k else asked


TIE_METRICS: dict[str, Measure] = {
    "tie_mrr": TieRR,
    "tie_map": TieAP,
    "tie_ndcg": TienDCG,
    "tie_ndcg_burges": TienDCG(dcg="exp-log2"),
    "tie_precision": TieP,
    "tie_recall": TieR,
    "tie_f1": TieF1,
}
"""The measures by name: ``tie_`` and ranx's name. ranx allows neither "-l" nor "rbp" in a name."""
OURS = [name for name in (*PREFERENCES, *TIE_METRICS) if name != "strpp"]
"""The names that there are in ranx, whose ``Qrels`` have no subtopics."""


def tie_aware_scores(
    measure: Measure, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1
) -> Floats:
    """A score a topic, as metrics of ranx give them.

    Args:
        measure: The measure, without cutoff and relevance level.
        qrels: By topic an (n, 2) array: hashes of the documents, and their grades.
        run: By topic an (n, 2) array: hashes of the documents, and their scores.
        k: The cutoff; 0 for none.
        rel_lvl: The relevance level.

    Raises:
        ValueError: A score is not a number, or a topic has a document twice.
    """
    asked, values = at(measure, k, rel_lvl), np.zeros(len(qrels))
    judged, retrieved = _table(qrels, "grade"), _table(run, "score")
    if not (judged["grade"] > 0).any():
        return values
    try:
        placements = locate_rankings(judged, {"run": retrieved}).placements
    except InputError as error:
        # Arrays have neither names of topics nor of documents, and ranx no option that would help.
        where = "" if error.topic is None else f"topic {int(error.topic) + 1} of {len(qrels)}: "
        raise ValueError(f"{where}{error.problem}") from None
    values[np.array(placements.topics, dtype=np.int64)] = asked.scores(placements)[:, 0]
    return values


def _table(arrays: Any, value: str) -> pl.DataFrame:
    """The arrays of all topics as a table, in which topics are indices."""
    of_topics = list(arrays)
    rows = np.concatenate([np.empty((0, 2)), *of_topics])
    topics = np.repeat(np.arange(len(of_topics)), list(map(len, of_topics)))
    return pl.DataFrame({"topic": topics, "document": rows[:, 0], value: rows[:, 1]})

"""Names of preferences in ranx's style (``rpp@100-l2``), and irpref's own texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from irpref import Measure, Preference, parse
from irpref.for_adapters import known_names

PREFERENCES: dict[str, str] = {
    name.lower(): name for name, found in known_names().items() if isinstance(found, Preference)
}
"""irpref's names of the preferences, by the names in lower case."""
_MEASURES = {name for name, found in known_names().items() if isinstance(found, Measure)}


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


def listed(metrics: Any) -> list[Any]:
    """The metrics as a list, with one or several given."""
    single = isinstance(metrics, str) or not isinstance(metrics, Iterable)
    return [metrics] if single else list(metrics)


def split_metrics(metrics: Sequence[Any]) -> dict[str, PreferenceMetric | None]:
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
            found[metric] = _preference_metric(metric)
        else:
            raise ValueError(
                f"a metric must be a name of ranx or a preference, not {metric!r}: write measures as "
                "ranx does (mrr, map, ndcg@10, …), tie-aware ones with tie_ (tie_mrr, tie_map, …)"
            )
    if not found:
        raise ValueError("there is no metric")
    return found


def _preference_metric(text: str) -> PreferenceMetric | None:
    name = _name_in(text)
    if name.lower() not in PREFERENCES:
        return None
    spelled = PREFERENCES[name.lower()] + text.strip()[len(name) :]
    plain, _, level = spelled.partition("-l")
    preference = parse(plain if level.isdecimal() else spelled)
    if level.isdecimal():
        if int(level) < 1:
            raise ValueError(f"{text}: the relevance level must be at least 1")
        preference = preference(rel=int(level))
    assert isinstance(preference, Preference)
    return PreferenceMetric(text, spelled, preference)


def _name_in(text: str) -> str:
    return re.split(r"[@(]|-l", text.strip(), maxsplit=1)[0].strip()

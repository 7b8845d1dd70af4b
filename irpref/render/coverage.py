"""What a report says of what was read, left out or missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from irpref.measures import Measure
from irpref.options import Named
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.render.report import count_of
from irpref.summarise import frames

__all__ = ["coverage_notes", "facts_of"]

_SYSTEMS_NAMED = 3
_TOPICS_NAMED = 5
_NOTICEABLE = 0.05


def coverage_notes(
    placements: Placements, systems: Sequence[str], shown: Sequence[Criterion | Measure]
) -> tuple[str, ...]:
    """What was left out or is missing, a line each; nothing where all is well.

    Topics without relevant documents are left out of comparisons by preferences, and score 0 by measures.

    Args:
        placements: What was read.
        systems: The systems that are shown.
        shown: The preferences or measures that are.
    """
    coverage = placements.coverage
    preferences = [each for each in shown if isinstance(each, Criterion)]
    notes = []
    if coverage.topics_without_relevant:
        names = coverage.topics_without_relevant
        treated = "Left out" if preferences else "Scored 0"
        notes.append(
            f"{treated}, as nothing in them is relevant: {count_of(len(names), 'topic')} ({_few(names)})."
        )
    left_out_by = frames.topics_left_out(placements, preferences)
    for preference in preferences:
        if lost := left_out_by.get(str(preference)):
            notes.append(
                f"{preference} leaves out {count_of(len(lost), 'topic')}, as {preference.not_compared} "
                f"({_few(lost)})."
            )
    # What is left out of every comparison cannot be lost in one.
    left_out = set(coverage.topics_without_relevant if preferences else ())
    missing = {
        system: lacking
        for system, names in coverage.missing.items()
        if system in systems and (lacking := [name for name in names if name not in left_out])
    }
    if missing:
        what = (
            "left out of its comparisons"
            if placements.reading.missing == "skip"
            else "counted as retrieving nothing"
        )
        few = "; ".join(
            f"{system} lacks {len(names)} ({_few(names)})"
            for system, names in list(missing.items())[:_SYSTEMS_NAMED]
        )
        more = (
            f"; {len(missing) - _SYSTEMS_NAMED} more systems"
            if len(missing) > _SYSTEMS_NAMED
            else ""
        )
        notes.append(f"Topics missing from a run, {what}: {few}{more}.")
    ignored = [coverage.unjudged_topics.get(system, 0) for system in systems]
    if any(ignored):
        of = "each run" if min(ignored) == max(ignored) else "a run, at the most"
        notes.append(f"Ignored, as the qrels lack them: {count_of(max(ignored), 'topic')} of {of}.")
    dropped = sum(coverage.duplicates.get(system, 0) for system in systems)
    if dropped:
        notes.append(f"Left out as repeated in a topic: {count_of(dropped, 'document')}.")
    tied = _tied_share(placements, systems)
    named = [each.named if isinstance(each, Criterion) else each for each in shown]
    # What does not say how it takes ties takes them in the order that they are in.
    ordered = [
        each for each in named if each is not None and getattr(each, "ties", "trec") == "trec"
    ]
    if tied >= _NOTICEABLE and ordered:
        who = (
            "they are"
            if len(ordered) == len(shown)
            else f"{_few(list(map(str, ordered)))} take them"
        )
        notes.append(
            f"Tied scores: in {tied:.0%} of the lists relevant documents tie with others; {who} in "
            f"trec_eval's order here{_exact_instead(ordered)}."
        )
    judged = {system: coverage.judged_at_10[system] for system in systems}
    # A system that retrieved nothing has no share.
    known = {system: share for system, share in judged.items() if not np.isnan(share)}
    if known and min(known.values()) < 1:
        least = min(known, key=lambda system: known[system])
        notes.append(
            f"Judged among the first 10 documents: {np.mean(list(known.values())):.0%} on average, least "
            f"in {least} ({known[least]:.0%}); unjudged ones count as not relevant."
        )
    return tuple(notes)


def facts_of(placements: Placements, preferences: Sequence[Criterion] = ()) -> dict[str, Any]:
    """What was read and what was left out, for programs."""
    coverage = placements.coverage
    if not placements.has_rankings:
        return {"systems": list(placements.systems), "topics": list(placements.topics)}
    return {
        "systems": list(placements.systems),
        "topics": list(placements.topics),
        "topics_without_relevant": list(coverage.topics_without_relevant),
        "topics_left_out": {
            preference: list(names)
            for preference, names in frames.topics_left_out(placements, preferences).items()
        },
        "missing": {system: list(names) for system, names in coverage.missing.items()},
        "unjudged_topics": dict(coverage.unjudged_topics),
        "judged_at_10": {
            system: None if np.isnan(share) else share
            for system, share in coverage.judged_at_10.items()
        },
        "duplicates": dict(coverage.duplicates),
    }


def _exact_instead(ordered: Sequence[Named]) -> str:
    """What takes the mean over all orders, by the first that can."""
    for each in ordered:
        try:
            return f", and {each(ties='expected')} takes the mean over all orders"
        except (TypeError, ValueError):
            continue
    return ""


def _tied_share(placements: Placements, systems: Sequence[str]) -> float:
    """The share of the lists in which the order of tied scores moves a relevant document."""
    if placements.reading.order == "rank":
        return 0.0
    if not placements.has_rankings:
        return 0.0
    columns = [placements.system(system) for system in systems]
    tied = placements.tie_first[:, columns] < placements.tie_last[:, columns]
    return float(np.logical_or.reduceat(tied, placements.starts[:-1], axis=0).mean())


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_TOPICS_NAMED]) + (", …" if len(names) > _TOPICS_NAMED else "")

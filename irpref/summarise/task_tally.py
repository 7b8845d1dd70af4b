"""What runs and qrels of several tasks have in common, as counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.tally import SomeTopics, Tally
from irpref.summarise.provenance import topics_left_out

__all__ = ["left_out_of_tasks", "tally_of_tasks"]


def tally_of_tasks(placements: Mapping[str, Placements]) -> Tally:
    """The sum of the tallies of the tasks, whose topics are named with their task."""
    return reduce(add, (_named(task, Tally.of(each)) for task, each in placements.items()))


def left_out_of_tasks(
    placements: Mapping[str, Placements], criteria: Sequence[Criterion]
) -> dict[Criterion, SomeTopics]:
    """By criterion, the topics of all tasks without items relevant to it, named with their task."""
    left_out = dict.fromkeys(criteria, SomeTopics())
    for task, each in placements.items():
        lost = topics_left_out(each, criteria)
        for criterion in criteria:
            topics = SomeTopics.of(lost.get(str(criterion), ()))
            left_out[criterion] += _within(task, topics)
    return left_out


def _named(task: str, tally: Tally) -> Tally:
    return replace(
        tally,
        without_relevant=_within(task, tally.without_relevant),
        missing=tuple(_within(task, topics) for topics in tally.missing),
    )


def _within(task: str, topics: SomeTopics) -> SomeTopics:
    return replace(topics, first=tuple(f"{task}: {name}" for name in topics.first))

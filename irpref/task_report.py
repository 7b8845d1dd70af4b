"""The report of a comparison on several tasks: what is summed up for it, and the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from irpref.choices import Progress, Resample
from irpref.message import Message, Option
from irpref.pair_test import AnyTest, PairTest
from irpref.preferences.criterion import Criterion
from irpref.render.report import Report
from irpref.render.task_comparison import (
    TaskResults,
    task_baseline_report,
    task_leaderboard_report,
    task_pair_report,
)
from irpref.summarise.provenance import provenance_of_sums
from irpref.summarise.signature import of_report
from irpref.summarise.task_frames import by_task, task_signature, task_standings
from irpref.summarise.task_tally import left_out_of_tasks, tally_of_tasks
from irpref.summarise.task_tests import TasksCompared
from irpref.summarise.task_totals import TaskTotals

if TYPE_CHECKING:
    import pandas as pd

    from irpref.comparison import Comparison

__all__ = ["task_report"]


def task_report(
    tasks: Mapping[str, Comparison],
    totals: Mapping[Criterion, TaskTotals],
    *,
    baseline: int | None,
    top: int | None,
    test: AnyTest,
    resample: Resample,
    progress: Progress | None,
) -> Report:
    """What there is to say: :meth:`irpref.TaskComparison.report` says how.

    Raises:
        ValueError: As there.
    """
    placements = {name: task.placements for name, task in tasks.items()}
    tally = tally_of_tasks(placements)
    systems, one_pair = tally.systems, len(tally.systems) == 2
    if top is not None and one_pair:
        raise ValueError(
            Message(
                Option("top"), " shows the best systems of a list, and two have none: leave it out"
            )
        )
    if test is None and resample != "tasks and topics":
        raise ValueError(
            Message(
                Option("resample", resample),
                " belongs to a test: give one (",
                Option("test", "fit"),
                "), or leave it out",
            )
        )
    second = 1 if baseline is None and one_pair else baseline
    tested: dict[Criterion, pd.DataFrame] = {}
    if test is not None:
        # One seed, so that it can be given again.
        how = PairTest.of(test)
        how = replace(how, rng=how.seed())
        compared = {
            each: TasksCompared(placements, tally, each, sums) for each, sums in totals.items()
        }
        main = next(iter(totals))
        if second is None:
            board = compared[main].leaderboard(how, resample=resample, progress=progress)
            tested = {main: board}
        else:
            tested = {
                each: found.test(how, resample=resample, baselines=(second,), progress=progress)
                for each, found in compared.items()
            }
    means = {each: by_task(tally, each, sums, second) for each, sums in totals.items()}
    lines = (
        tested[each].attrs["signature"] if each in tested else task_signature(tally, each, sums)
        for each, sums in totals.items()
    )
    signatures = [of_report(line, systems, second) for line in lines]
    results = TaskResults(
        topics={name: task.totals[next(iter(totals))].most_topics for name, task in tasks.items()},
        standings={each: task_standings(systems, sums, second) for each, sums in totals.items()},
        means=means,
        tests=tested,
        behind=provenance_of_sums(
            tally, left_out_of_tasks(placements, list(totals)), signatures=signatures
        ),
    )
    if second is None:
        report = task_leaderboard_report(results, top=top)
    elif one_pair:
        report = task_pair_report(results, (systems[1 - second], systems[second]))
    else:
        report = task_baseline_report(results, systems[second], top=top)
    warnings = tuple(
        Message(f"Task {name}: ", warning)
        for name, task in tasks.items()
        for warning in task.warnings
    )
    return replace(report, notes=(*warnings, *report.notes))

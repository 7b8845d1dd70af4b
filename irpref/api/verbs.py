"""Read, and ask in the same call: ``collect``, ``compare``, ``evaluate`` and their like."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, overload

from irpref.api.collection import Collection
from irpref.api.comparison import Comparison
from irpref.api.saved_collection import SavedCollection
from irpref.api.task_comparison import TaskComparison
from irpref.base.checks import by_text, check_choice, check_whole
from irpref.base.errors import InputError, warn
from irpref.base.escape import shown
from irpref.base.keywords import from_keywords
from irpref.base.literals import DEFAULT_PREFERENCES, Keep, Progress
from irpref.base.reading_options import (
    Reading,
    ReadingOptions,
    reading_for,
    refuse_groups,
    requires_pool,
)
from irpref.methods.names import (
    AnyCriterion,
    AnyMeasure,
    ComparedBy,
    as_criteria,
    as_measure,
    as_measures,
)
from irpref.pairwise.testing_options import AnyTest
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.locating import locate_runs
from irpref.positions.saved import opened_once, saved_in
from irpref.read.files import is_open_file
from irpref.read.names_of_runs import name_runs

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from irpref.api.summary import Summary
    from irpref.show.reports.corroboration_report import Corroboration


def collect(
    qrels: Any,
    runs: Any = None,
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Collection:
    """Read qrels and runs once, to compare, evaluate and select from them.

    Args:
        qrels: The judgments: a path (TREC text, a table with a header, JSON or Parquet, gzipped or not),
            an open file, a dict ``{topic: {document: grade}}``, a pandas, polars or Arrow table, records
            like ir_measures' ``Qrel``, or the id of a dataset of ir_datasets where that is installed. Or a
            path that :func:`irpref.convert` wrote: a saved collection has the runs too.
        runs: ``{name: run}`` or a list of paths; a run is anything that qrels may be, with scores. Of a
            saved collection, names of systems, or None for all.
        progress: Called with what is being done, how much is done, and how much there is.
        reading: Those of :class:`irpref.Reading`: ``order`` (``"score"`` or ``"rank"``, or a dict of these
            by run), ``duplicates`` (``"error"`` or ``"first"``), ``judged_only``, ``missing`` (``"worst"``
            or ``"skip"``), ``depth`` (cut every run to so many documents), ``rel`` (the least relevant
            grade) and ``lists`` (how many first documents to keep); else those of a saved collection.

    Returns:
        The collection.

    Raises:
        InputError: A file or object cannot be used, a run has no topic in common with the qrels, no run
            retrieves a judged document, or a file was saved with other options; the error says where.
        ValueError: An option is unknown or out of range, or two runs have one name.
        TypeError: There is no such option.

    Warns:
        UserWarning: One of several runs retrieves no judged document, or its ranks contradict its scores.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> new, old = {"d1": 3.0, "d2": 2.0, "d9": 1.0}, {"d1": 3.0, "d9": 2.0, "d2": 1.0}
        >>> runs = {"new": {"301": new}, "old": {"301": old}}
        >>> data = irpref.collect(qrels, runs, judged_only=True)
        >>> data.compare("RPP").per_topic("RPP", "new", "old").to_dict()
        {'301': 0.0}
    """
    qrels, options = opened_once(collect, qrels, reading)
    return collect_for(None, qrels, runs, options, progress=progress)


@overload
def compare(
    qrels: Any,
    runs: Any = None,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    keep: Literal["topics"] = "topics",
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Comparison: ...


@overload
def compare(
    qrels: Any,
    runs: Any = None,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    keep: Literal["summary"],
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Summary: ...


def compare(
    qrels: Any,
    runs: Any = None,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    keep: Keep = "topics",
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Comparison | Summary:
    """Compare every pair of systems, topic by topic: ``collect(qrels, runs, …).compare(preferences)``.

    The other arguments are those of :func:`irpref.collect` and :meth:`irpref.Collection.compare`.

    Args:
        keep: ``"topics"`` keeps the positions of every topic. ``"summary"`` keeps sums over the topics:
            data of many millions of rows are then read in parts, of which one at a time is in memory.

    Returns:
        The comparison, or its summary. Positive: the first (row) system is better.

    Raises:
        InputError: A file or object cannot be used, or one of two runs retrieves no judged document.
        ValueError: There are fewer than two runs, or an option or preference is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {
        ...     "new": {"301": {"d1": 3.0, "d2": 2.0, "d9": 1.0}},
        ...     "old": {"301": {"d1": 3.0, "d9": 2.0, "d2": 1.0}},
        ... }
        >>> comparison = irpref.compare(qrels, runs, [irpref.RPP, irpref.LP])
        >>> comparison.per_topic("RPP", "new", "old").to_dict()
        {'301': 0.5}
    """
    qrels, options = opened_once(compare, qrels, reading)
    check_choice("keep", keep, Keep)
    criteria = as_criteria(preferences)
    options = reading_for(asked := [criterion.named for criterion in criteria], options)
    if keep == "summary":
        refuse_groups(options, "sums over topics do not say how runs of a system differ")
        from irpref.api.summed_part import locate_parts, sum_parts
        from irpref.read.parts import topic_parts

        if (saved := saved_in(qrels)) is not None:
            if len(saved.parts) > 1:
                found = SavedCollection(saved, runs, options, progress=progress)
                return sum_parts(found.parts(), criteria).whole()
        else:
            # Both below look at the runs, and paths may come from an iterator.
            runs = name_runs(runs)
            with topic_parts(qrels, runs, options, progress=progress) as parts:
                # Small data are read at once.
                if parts is not None:
                    pool = requires_pool(asked)
                    located = locate_parts(parts, options, pool=pool, progress=progress)
                    return sum_parts(located, criteria).whole()
    collection = collect_for(asked, qrels, runs, options, progress=progress)
    comparison = collection.compare(criteria, progress=progress)
    return comparison.summary if keep == "summary" else comparison


def evaluate(
    qrels: Any,
    runs: Any,
    measures: AnyMeasure | Iterable[AnyMeasure],
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> pd.DataFrame:
    """Score every system on every topic: ``collect(qrels, runs, …).evaluate(measures)``.

    The arguments are those of :func:`irpref.collect` and :meth:`irpref.Collection.evaluate`; one run is
    enough. If a run lacks a topic, the topic scores 0 (``missing="worst"``, as trec_eval with ``-c``), or
    is left out of the run's scores (``"skip"``, as trec_eval without).

    Returns:
        Columns system, topic, measure, value: every topic of the qrels, those without relevant items with
        0. ``scores.pivot_table("value", "system", "measure")`` has the mean of each system.

    Raises:
        InputError: A file or object cannot be used; the error names file, line, topic and document.
        ValueError: An option or measure is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"301": {"d1": 1}}
        >>> runs = {"tied": {"301": {"d1": 1.0, "d2": 1.0}}}
        >>> scores = irpref.evaluate(qrels, runs, [irpref.RR, irpref.TieRR])
        >>> dict(zip(scores["measure"], scores["value"]))
        {'RR': 0.5, 'TieRR': 0.75}
    """
    qrels, options = opened_once(evaluate, qrels, reading)
    chosen = as_measures(measures)
    return collect_for(chosen, qrels, runs, options, progress=progress).evaluate(chosen)


def corroborate(
    qrels: Any,
    champion: Any,
    challengers: Any,
    *,
    measure: AnyMeasure | pd.DataFrame,
    preference: AnyCriterion = "IPSO",
    test: AnyTest = "t",
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Corroboration:
    """Test challengers against a champion by one measure, corroborated by IPSO.

    The other arguments are those of :func:`irpref.collect` and :meth:`irpref.Collection.corroborate`.

    Args:
        champion: A run (its path gives its name), or ``{name: run}``.
        challengers: A run, a list of paths, or ``{name: run}``: one or several challengers.

    Returns:
        The corroboration; ``.frame`` has the numbers, ``.report`` the table.

    Raises:
        InputError: A file or object cannot be used.
        ValueError: An option is unknown, or scores are missing.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> qrels, (bm25_prf, bm25, *_) = demo_paths()
        >>> found = irpref.corroborate(qrels, bm25, bm25_prf, measure=irpref.AP @ 10)
        >>> list(found.results["bm25-prf"].topics.values())
        [5, 2, 0, 5, 0]
    """
    qrels, options = opened_once(corroborate, qrels, reading)
    champions = _named(champion, "champion")
    others = _named(challengers, "challenger")
    if len(champions) != 1:
        raise ValueError(f"there is one champion, not {len(champions)}: {', '.join(champions)}")
    for name in champions.keys() & others:
        raise ValueError(f"the champion and a challenger are both named {name!r}")
    if isinstance(measure, str):
        measure = as_measure(measure)
    collection = collect_for([measure], qrels, {**champions, **others}, options, progress=progress)
    [name] = champions
    return collection.corroborate(
        name, list(others), measure=measure, preference=preference, test=test
    )


def compare_tasks(
    tasks: Mapping[str, Any],
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> TaskComparison:
    """Compare every pair of systems on several tasks, each of which weighs the same.

    Args:
        tasks: ``{task: (qrels, runs)}``, with what :func:`irpref.collect` takes, or
            ``{task: collection}``. One task is read after the other. :func:`irpref.mteb_tasks` makes them
            of what MTEB saves.
        preferences: What to compare by: see :meth:`irpref.Collection.compare`.
        progress: Called with what is being done, how much is done, and how much there is.
        reading: Those of :func:`irpref.collect`, for the tasks that are read.

    Returns:
        The comparison of all tasks. Positive: the first (row) system is better.

    Raises:
        InputError: A file or object cannot be used; the error names task, file, line, topic and document.
        ValueError: There are no tasks, a task lacks a system that another has, there are fewer than two
            systems, no topic of a task counts for a preference, or an option or preference is unknown.

    Example:
        >>> import irpref
        >>> qrels = {"1": {"d1": 1}}
        >>> first, second = {"1": {"d1": 2.0, "d2": 1.0}}, {"1": {"d2": 2.0, "d1": 1.0}}
        >>> easy = {"1": {"d1": 1}}, {"new": first, "old": second}
        >>> hard = {"1": {"d1": 1, "d2": 1}}, {"new": first, "old": second}
        >>> compared = irpref.compare_tasks({"easy": easy, "hard": hard}, "RPP")
        >>> compared.by_task("RPP")["new"].to_dict(), compared.mean("RPP").loc["new", "old"].item()
        ({'easy': 1.0, 'hard': 0.0}, 0.5)
    """
    options = from_keywords(Reading, compare_tasks, reading)
    criteria = as_criteria(preferences)
    for criterion in criteria:
        # Topics of different tasks may have the same name.
        if criterion.named is None:
            raise ValueError(
                f"{criterion} does not say of which task its topics are: compare each task by "
                "itself (irpref.compare_scores or compare_outcomes)"
            )
    given = {name: _prepared(name, task) for name, task in _checked(tasks).items()}
    read = {name: task for name, task in given.items() if isinstance(task, Collection)}
    for how in (options, *(task.reading for task in read.values())):
        refuse_groups(how, "on several tasks each run is a system by itself")
    if reading and read:
        raise ValueError(
            f"{next(iter(reading))}= says how files are read, and the task {shown(next(iter(read)))} "
            "is read already: say it to irpref.collect"
        )
    systems = _same_systems(given)
    asked = [criterion.named for criterion in criteria]
    compared = {}
    for name, task in given.items():
        with _naming(name):
            if isinstance(task, Collection):
                data = task if task.systems == systems else task.select(systems=systems)
            else:
                qrels, runs = task
                in_order = {system: runs[system] for system in systems}
                data = collect_for(asked, qrels, in_order, options, progress=progress)
            totals = totals_of_pairs(data.placements, criteria, progress=progress)
            compared[name] = Comparison(data.placements, totals)
        for warning in compared[name].warnings:
            warn(f"task {name}: {warning}")
        for criterion, sums in compared[name].totals.items():
            if not sums.most_topics:
                raise ValueError(
                    f"no topic of the task {shown(name)} counts for {criterion}, as "
                    f"{criterion.not_compared}: leave the task or the preference out"
                )
    return TaskComparison(compared)


def collect_for(
    asked: Sequence[object] | None,
    qrels: Any,
    runs: Any,
    reading: Reading,
    *,
    progress: Progress | None = None,
) -> Collection:
    """A collection that counts the pools and keeps the lists that what is asked needs, which saves time.

    None asks for anything, and for as many lists as ``reading`` says.

    Raises:
        InputError: See :func:`collect`.
        ValueError: See :func:`collect`.
    """
    reading = reading_for(asked or (), reading)
    if (saved := saved_in(qrels)) is not None:
        if asked is None and reading.lists is None:
            reading = replace(reading, lists=saved.reading.lists)
        return SavedCollection(saved, runs, reading, progress=progress)
    pool = asked is None or requires_pool(asked)
    placed = locate_runs(qrels, runs, reading, pool=pool, progress=progress)
    return Collection(placed.placements, placed.selection_index)


def _named(run: Any, role: str) -> dict[str, Any]:
    """The runs by name: paths have names of their own, and one run in memory is named by its role."""
    if isinstance(run, str | os.PathLike):
        return name_runs([run])
    if isinstance(run, Mapping):
        first = next(iter(run.values()), None)
        scores = isinstance(first, Mapping) and all(
            not isinstance(value, Mapping) for value in first.values()
        )
        return {role: run} if scores else name_runs(run)
    if isinstance(run, Iterable) and not hasattr(run, "columns") and not is_open_file(run):
        run = list(run)
        if all(isinstance(path, str | os.PathLike) for path in run):
            return name_runs(run)
    return {role: run}


def _checked(tasks: Any) -> dict[str, Any]:
    """The tasks by name.

    Raises:
        ValueError: There are none, two have one name, or a name has half of a character.
    """
    if not isinstance(tasks, Mapping):
        raise ValueError(
            f"tasks must be {{task: (qrels, runs)}} or {{task: collection}}, not {type(tasks).__name__}"
        )
    named = by_text(tasks, "task")
    if not named:
        raise ValueError("there are no tasks")
    check_whole("task", named)
    return named


def _prepared(name: str, task: Any) -> Collection | tuple[Any, dict[str, Any]]:
    """A collection, or qrels and runs by name."""
    if isinstance(task, Collection):
        return task
    task = (task, None) if isinstance(task, str | os.PathLike) else task
    if not isinstance(task, tuple | list) or len(task) != 2:
        raise ValueError(
            f"the task {shown(name)} must be (qrels, runs) or a collection, not {shown(task)}"
        )
    with _naming(name):
        return collect(*task) if saved_in(task[0]) else (task[0], name_runs(task[1]))


def _same_systems(tasks: Mapping[str, Collection | tuple[Any, dict[str, Any]]]) -> tuple[str, ...]:
    """The systems of all tasks, in the order of the first.

    Raises:
        ValueError: A task lacks one.
    """
    by_task = {
        name: task.systems if isinstance(task, Collection) else tuple(task[1])
        for name, task in tasks.items()
    }
    systems = tuple(dict.fromkeys(system for names in by_task.values() for system in names))
    said = [
        f"{shown(name)} lacks {', '.join(map(shown, lost[:5]))}{', …' if len(lost) > 5 else ''}"
        for name, names in by_task.items()
        if (lost := [system for system in systems if system not in names])
    ]
    if said:
        more = f"; and {len(said) - 5} more tasks" if len(said) > 5 else ""
        raise ValueError(
            f"all tasks need the same systems: {'; '.join(said[:5])}{more}. Leave out these systems or "
            "tasks, or call a system the same in all tasks"
        )
    return systems


@contextmanager
def _naming(task: str) -> Iterator[None]:
    """Name the task in errors of input."""
    try:
        yield
    except InputError as error:
        where = f"task {task}" if error.source is None else f"task {task}, {error.source}"
        raise error.changed(source=where) from error

"""Read several tasks, and compare their systems: ``compare_tasks``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from irpref.api.collection import Collection
from irpref.api.comparison import Comparison
from irpref.api.task_comparison import TaskComparison
from irpref.api.verbs import collect_for
from irpref.base.errors import InputError, warn
from irpref.base.escape import shown
from irpref.base.keywords import from_keywords
from irpref.base.literals import DEFAULT_PREFERENCES, Progress
from irpref.base.reading_options import Reading, ReadingOptions
from irpref.methods.names import ComparedBy, as_criteria
from irpref.pairwise.totals import totals_of_pairs
from irpref.read import name_runs

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        The comparison of all tasks. Above 0 prefers the first (row) system throughout.

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
                f"the scores {criterion} do not say of which task their topics are: compare each task by "
                "itself (irpref.compare_scores)"
            )
    given = {name: _prepared(name, task) for name, task in _checked(tasks).items()}
    read = [name for name, task in given.items() if isinstance(task, Collection)]
    if reading and read:
        raise ValueError(
            f"{next(iter(reading))}= says how files are read, and the task {shown(read[0])} is read "
            "already: say it to irpref.collect"
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


def _checked(tasks: Any) -> dict[str, Any]:
    """The tasks by name.

    Raises:
        ValueError: There are none, or two have one name.
    """
    if not isinstance(tasks, Mapping):
        raise ValueError(
            f"tasks must be {{task: (qrels, runs)}} or {{task: collection}}, not {type(tasks).__name__}"
        )
    named = {str(name): task for name, task in tasks.items()}
    if len(named) < len(tasks):
        raise ValueError("two tasks have the same name as text, such as 1 and '1'; rename one")
    if not named:
        raise ValueError("there are no tasks")
    return named


def _prepared(name: str, task: Any) -> Collection | tuple[Any, dict[str, Any]]:
    """A collection, or qrels and runs by name."""
    if isinstance(task, Collection):
        return task
    if not isinstance(task, tuple | list) or len(task) != 2:
        raise ValueError(
            f"the task {shown(name)} must be (qrels, runs) or a collection, not {shown(task)}"
        )
    with _naming(name):
        return task[0], name_runs(task[1])


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
    lacking = {
        name: [system for system in systems if system not in names]
        for name, names in by_task.items()
    }
    said = [
        f"{shown(name)} lacks {', '.join(map(shown, names[:5]))}{', …' if len(names) > 5 else ''}"
        for name, names in lacking.items()
        if names
    ]
    if said:
        more = f"; and {len(said) - 5} more tasks" if len(said) > 5 else ""
        raise ValueError(
            f"all tasks need the same systems: {'; '.join(said[:5])}{more}. Leave out these systems or "
            "tasks, or give the runs of one system one name"
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

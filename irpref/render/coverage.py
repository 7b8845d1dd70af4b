"""What a report says of what was read, left out or missing."""

from __future__ import annotations

from collections.abc import Sequence

from irpref.measures import Measure
from irpref.message import Message, Option
from irpref.options import Named
from irpref.preferences.criterion import Criterion
from irpref.project.tally import SomeTopics
from irpref.render.table import count_of
from irpref.summarise.provenance import Provenance

_SYSTEMS_NAMED = 3
_NAMED = 5
_NOTICEABLE = 0.05


def coverage_notes(behind: Provenance, systems: Sequence[str]) -> tuple[str, ...]:
    """What was left out or is missing for the systems shown, a line each; nothing where all is well.

    Topics without relevant documents are left out of comparisons by preferences, and score 0 by measures.
    """
    tally = behind.tally
    preferences = [each for each in behind.shown if isinstance(each, Criterion)]
    notes = []
    if tally.without_relevant:
        treated = "left out" if preferences else "scored 0"
        empty = tally.without_relevant
        notes.append(
            f"Without relevant documents, and {treated}: {count_of(empty.count, 'topic')} "
            f"({_few_topics(empty)})."
        )
    for preference in preferences:
        if lost := behind.topics_left_out.get(str(preference)):
            notes.append(
                f"{preference} leaves out {count_of(lost.count, 'topic')}, as {preference.not_compared} "
                f"({_few_topics(lost)})."
            )
    missing = {system: lost for system, lost in behind.missing.items() if system in systems}
    if missing:
        skipped = behind.tally.reading.missing == "skip"
        what = "left out of its comparisons" if skipped else "counted as nothing retrieved"
        lacking = [
            f"{system} lacks {lost.count:,} ({_few_topics(lost)})"
            for system, lost in missing.items()
        ]
        if len(lacking) > _SYSTEMS_NAMED:
            lacking[_SYSTEMS_NAMED:] = [f"{len(lacking) - _SYSTEMS_NAMED} more systems"]
        instead = (" ", Option("missing", "skip"), " leaves them out.")
        said = f"Topics missing from a run, {what}: {'; '.join(lacking)}."
        notes.append(Message(said, *(() if skipped else instead)))
    columns = [tally.systems.index(system) for system in systems]
    ignored = tally.ignored[columns].tolist()
    if any(ignored):
        most = count_of(max(ignored), "topic")
        each = f"{most} in each run" if min(ignored) == max(ignored) else f"up to {most} in a run"
        notes.append(f"Ignored, as the qrels do not judge them: {each}.")
    dropped = int(tally.repeated[columns].sum())
    if dropped:
        notes.append(f"Left out: {count_of(dropped, 'document')} repeated in a topic.")
    named = [each.named if isinstance(each, Criterion) else each for each in behind.shown]
    # What does not say how it takes ties takes them in the order that they are in.
    ordered = [
        each for each in named if each is not None and getattr(each, "ties", "trec") == "trec"
    ]
    if behind.tied >= _NOTICEABLE and ordered:
        of = "" if len(ordered) == len(behind.shown) else f" of {_few(list(map(str, ordered)))}"
        notes.append(
            f"Tied scores: in {behind.tied:.0%} of the lists (one run on one topic) relevant documents tie "
            f"with others, and the results{of} follow trec_eval's order{_exact_instead(ordered)}."
        )
    judged = {system: tally.judged_at_10[system] for system in systems}
    if behind.judged is not None and behind.judged < 1:
        # A system that retrieved nothing has no share, and NaN is no least.
        least = min(judged, key=lambda system: (judged[system] != judged[system], judged[system]))
        on_average, at_least = f"{behind.judged:.0%}", f"{judged[least]:.0%}"
        said = f" on average, least in {least} ({at_least})" if at_least != on_average else ""
        notes.append(
            f"Judged: {on_average} of the first 10 documents{said}.{_unjudged(behind.shown)}"
        )
    return tuple(notes)


def _unjudged(shown: Sequence[Criterion | Measure]) -> str:
    """How unjudged documents count."""
    either = [str(each) for each in shown if isinstance(each, Criterion) and each.observed]
    if either and len(either) == len(shown):
        return ""
    but = f", but to {_few(either)} as either" if either else ""
    return f" Unjudged documents count as not relevant{but}."


def _exact_instead(ordered: Sequence[Named]) -> str:
    """What takes the mean over all orders, by the first that can."""
    for each in ordered:
        try:
            return f"; {each(ties='expected')} takes the mean over all orders"
        except (TypeError, ValueError):
            continue
    return ""


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def _few_topics(topics: SomeTopics) -> str:
    return ", ".join(topics.first) + (", …" if topics.count > len(topics.first) else "")

"""What a report says of what was read, left out or missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_facts import over_tie_orders
from irpref.pairwise.provenance import Provenance
from irpref.positions.coverage import NAMED, SomeTopics
from irpref.report.report import Report
from irpref.report.table import count_of
from irpref.show.reports.comparison_notes import certain_notes

_SYSTEMS_NAMED = 3
JUDGED_ENOUGH = 0.95
"""Where fewer of the first 10 documents are judged, on average, a report says so below its tables."""
TIES_MATTER = 0.5
"""Where tied scores move relevant documents in as many of the lists, a report says so below its tables."""
_NOTICEABLE = 0.05


def coverage_remarks(provenance: Provenance, systems: Sequence[str] | None = None) -> Iterator[str]:
    """What was left out or is missing for the systems shown, a line each; nothing where all is well.

    Topics without relevant documents are left out of comparisons by preferences, and score 0 by measures.

    Args:
        provenance: What stands behind the results.
        systems: The two that are shown, of which a report says itself how far they are judged; default
            all.
    """
    coverage = provenance.coverage
    columns = coverage.columns_of(systems)
    runs = [coverage.systems[run] for run in columns]
    preferences = [each for each in provenance.shown if isinstance(each, Criterion)]
    if coverage.without_relevant:
        treated = "left out" if preferences else "scored 0"
        empty = coverage.without_relevant
        yield (
            f"Without relevant documents, and {treated}: {count_of(empty.count, 'topic')} ({_few(empty)})."
        )
    for preference in preferences:
        if lost := provenance.topics_left_out.get(str(preference)):
            yield (
                f"{preference} leaves out {count_of(lost.count, 'topic')}, as {preference.not_compared} "
                f"({_few(lost)})."
            )
    for name, of in provenance.facts.get("unscored", {}).items():
        topics = {system: SomeTopics(len(lost), tuple(lost)) for system, lost in of.items()}
        if unscored := _lacking(topics, runs):
            yield f"Scores missing from {name}, left out of comparisons: {unscored}."
    if lacking := _lacking(provenance.missing, runs):
        skipped = coverage.reading.missing == "skip"
        what = "left out of its comparisons" if skipped else "counted as nothing retrieved"
        instead = (" ", Option("missing", "skip"), " leaves them out.")
        said = f"Topics missing from a run, {what}: {lacking}."
        yield Message(said, *(() if skipped else instead))
    ignored = coverage.ignored[columns].tolist()
    if any(ignored):
        most = count_of(max(ignored), "topic")
        each = f"{most} in each run" if min(ignored) == max(ignored) else f"up to {most} in a run"
        yield f"Ignored, as the qrels do not judge them: {each}."
    dropped = int(coverage.repeated[columns].sum())
    if dropped:
        yield f"Left out: {count_of(dropped, 'document')} repeated in a topic."
    yield from _ties(provenance) if provenance.tied >= TIES_MATTER else ()
    if systems is None and provenance.judged is not None and provenance.judged < JUDGED_ENOUGH:
        yield _judged(provenance)


def coverage_notes(provenance: Provenance, systems: Sequence[str] | None = None) -> Iterator[str]:
    """What is known of ties, judgments and certain wins, where it hardly changes how the table is read."""
    yield from provenance.told
    yield from certain_notes(provenance.facts.get("certain_wins", {}))
    yield from _ties(provenance) if _NOTICEABLE <= provenance.tied < TIES_MATTER else ()
    if systems is None and provenance.judged is not None and JUDGED_ENOUGH <= provenance.judged < 1:
        yield _judged(provenance)


def reading_words(warnings: Mapping[str, InputError]) -> Iterator[Message]:
    """What looks wrong with runs as they were read, by their names: where files are is nobody's business.

    Args:
        warnings: By run, the error that it is not.
    """
    for name, warning in warnings.items():
        yield Message(f"{name}: ", warning.problem, ".")


def _ties(provenance: Provenance) -> Iterator[str]:
    """In how many lists the order of tied scores matters, and what it is for what is shown."""
    named = [each.named if isinstance(each, Criterion) else each for each in provenance.shown]
    # What does not say how it takes ties takes them in the order that they are in.
    ordered = [
        each for each in named if each is not None and getattr(each, "ties", "trec") == "trec"
    ]
    if ordered:
        of = "" if len(ordered) == len(provenance.shown) else f" of {_few(ordered)}"
        over = next(filter(None, map(over_tie_orders, ordered)), None)
        averages = "" if over is None else f"; {over} averages over tie orders"
        yield (
            f"Tied scores: in {provenance.tied:.0%} of the lists relevant documents tie with others; the "
            f"results{of} follow trec_eval's order{averages}."
        )


def _judged(provenance: Provenance) -> str:
    """How many of the first documents are judged, and what the others count as."""
    judged = provenance.coverage.judged_at_10
    # A system that retrieved nothing has no share, and NaN is no least.
    least = min(judged, key=lambda system: (judged[system] != judged[system], judged[system]))
    on_average, at_least = f"{provenance.judged:.0%}", f"{judged[least]:.0%}"
    said = f" on average, least in {least} ({at_least})" if at_least != on_average else ""
    return (
        f"Judged: {on_average} of the first 10 documents{said}.{unjudged_words(provenance.shown)}"
    )


def _lacking(topics: Mapping[str, SomeTopics], systems: Sequence[str]) -> str:
    """How many topics each system lacks, those that lack most; nothing if none of them lacks any."""
    shown = [(system, lost) for system, lost in topics.items() if system in systems]
    shown.sort(key=lambda each: -each[1].count)
    said = [f"{system} lacks {lost.count:,} ({_few(lost)})" for system, lost in shown]
    if len(said) > _SYSTEMS_NAMED:
        said[_SYSTEMS_NAMED:] = [count_of(len(said) - _SYSTEMS_NAMED, "more system")]
    return "; ".join(said)


def with_provenance(
    report: Report, provenance: Provenance, systems: Sequence[str] | None = None
) -> Report:
    """The report with what was read and left out, below it and in its facts, and how its results were made.

    Args:
        report: What there is to say, its own remarks and notes first.
        provenance: What stands behind it.
        systems: The two that are shown; by default all.
    """
    report = replace(
        report,
        remarks=(*report.remarks, *coverage_remarks(provenance, systems)),
        notes=(*report.notes, *coverage_notes(provenance, systems)),
        facts=provenance.facts,
        signatures=provenance.signatures,
    )
    return report.worded(provenance.coverage.words.naming(provenance.names))


def unjudged_words(shown: Sequence[Criterion | Measure]) -> str:
    """How unjudged documents count."""
    either = [str(each) for each in shown if isinstance(each, Criterion) and each.observed]
    if either and len(either) == len(shown):
        return ""
    but = f", but to {_few(either)} as either" if either else ""
    return f" Unjudged documents count as not relevant{but}."


def _few(names: SomeTopics | Sequence[object]) -> str:
    """The first names, and whether there are more of them."""
    some = (
        names if isinstance(names, SomeTopics) else SomeTopics(len(names), tuple(map(str, names)))
    )
    shown = some.first[:NAMED]
    return ", ".join(shown) + (", …" if some.count > len(shown) else "")

"""What a report says of what was read, left out or missing, and of runs of unequal depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irpref.base.message import Message, Option
from irpref.base.wording import Words
from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_facts import over_tie_orders
from irpref.pairwise.provenance import Provenance
from irpref.pairwise.unequal_depths import UnequalDepths
from irpref.positions.coverage import NAMED, SomeTopics
from irpref.report.report import Report
from irpref.report.table import MEAN, count_of
from irpref.show.reports.comparison_notes import certain_notes

_SYSTEMS_NAMED = _DEPTHS_NAMED = 3
_NOTICEABLE = 0.05
_DEPTH = Option("depth", ..., python="depth=K")
_CUTS = Message(_DEPTH, " cuts all runs.")
_ONLY_READING = Message(
    Option("judged_only"),
    " left documents out, so that no cutoff shows what that changes; ",
    _DEPTH,
    " does, which cuts all runs first.",
)


@dataclass(frozen=True, eq=False)
class DepthsSaid:
    """What a report says of runs of unequal depth.

    Attributes:
        said: How deep they are, and what the smaller depth changes.
        changes: Whether it changes an answer.
        facts: The same for programs.
        rows: Of two systems, or against a baseline, the rows of :meth:`.UnequalDepths.of`.
    """

    said: str
    changes: bool
    facts: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]] = ()


def coverage_notes(provenance: Provenance, systems: Sequence[str] | None = None) -> Iterator[str]:
    """What is certain, left out or missing for the systems shown, a line each; nothing where all is well.

    Topics without relevant documents are left out of comparisons by preferences, and score 0 by measures.

    Args:
        provenance: What stands behind the results.
        systems: The systems shown; default all.
    """
    yield from provenance.told
    yield from certain_notes(provenance.facts.get("certain_wins", {}))
    coverage = provenance.coverage
    members = coverage.reading.members(coverage.systems)
    columns = [run for system in systems or members for run in members[system]]
    runs = [coverage.systems[each] for each in columns]
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
    named = [each.named if isinstance(each, Criterion) else each for each in provenance.shown]
    # What does not say how it takes ties takes them in the order that they are in.
    ordered = [
        each for each in named if each is not None and getattr(each, "ties", "trec") == "trec"
    ]
    if provenance.tied >= _NOTICEABLE and ordered:
        of = "" if len(ordered) == len(provenance.shown) else f" of {_few(ordered)}"
        over = next(filter(None, map(over_tie_orders, ordered)), None)
        averages = "" if over is None else f"; {over} averages over tie orders"
        yield (
            f"Tied scores: in {provenance.tied:.0%} of the lists (one run on one topic) relevant documents "
            f"tie with others, and the results{of} follow trec_eval's order{averages}."
        )
    if provenance.judged is not None and provenance.judged < 1:
        judged = {run: coverage.judged_at_10[run] for run in runs}
        # A system that retrieved nothing has no share, and NaN is no least.
        least = min(judged, key=lambda system: (judged[system] != judged[system], judged[system]))
        on_average, at_least = f"{provenance.judged:.0%}", f"{judged[least]:.0%}"
        said = f" on average, least in {least} ({at_least})" if at_least != on_average else ""
        yield f"Judged: {on_average} of the first 10 documents{said}.{_unjudged(provenance.shown)}"


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
    """The report with what was read and left out, in its notes and facts, and how its results were made.

    Args:
        report: What there is to say, its notes first.
        provenance: What stands behind it.
        systems: Those that are shown, by default all.
    """
    notes = (*report.notes, *coverage_notes(provenance, systems))
    report = replace(report, notes=notes, facts=provenance.facts, signatures=provenance.signatures)
    users = provenance.coverage.reading.users
    return report.worded(Words(users, tuple(provenance.names) if users else ()))


def _unjudged(shown: Sequence[Criterion | Measure]) -> str:
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


def depth_warning(found: UnequalDepths) -> str | None:
    """What is warned of; None if no mean has another sign at the smaller depth."""
    if not any(found.changed_signs.values()):
        return None
    if len(found.systems) > 2:
        return leaderboard_depth_note(found)
    return baseline_depth_note(found.systems[1], None, found, found.rows)


def baseline_depth_note(
    baseline: str,
    others: Sequence[str] | None,
    found: UnequalDepths,
    rows: Sequence[Mapping[str, Any]],
) -> str:
    """Of two systems, or of all against a baseline: how deep they are, and what the smaller depth changes.

    Args:
        baseline: The baseline, or the second system.
        others: The others; all if not given.
        found: All pairs of unequal depth.
        rows: Those with the baseline, as :meth:`.UnequalDepths.of` gives them.
    """
    others = others or [each for each in found.systems if each != baseline]
    depths, own = list(map(found.depth_of, others)), found.depth_of(baseline)
    several = len(others) > 1
    noun = "system" if len(found.of_runs) > len(found.systems) else "run"
    theirs = f"others {_depths(depths, noun)}" if several else f"{others[0]} up to {depths[0]:,}"
    said = f"{baseline} lists up to {count_of(own, 'document')} a topic, {theirs}"
    if not found.cut:
        return Message(f"{said}: ", _ONLY_READING)
    # Where nothing without a cutoff is tested, there are no rows, and no columns either.
    changed = [row for row in rows if row["changes"]]
    if not changed:
        tested = not rows or "significant" in rows[0]
        same = "the answer is the same" if tested else "the mean has the same sign"
        return f"{said}: at the smaller depth of both {same}."
    means = "; ".join(map(_means, changed[:_DEPTHS_NAMED]))
    more = f"; and {len(changed) - _DEPTHS_NAMED:,} more" if len(changed) > _DEPTHS_NAMED else ""
    return Message(f"{said}. Where both are cut at the smaller depth, {means}{more}. ", _CUTS)


def leaderboard_depth_note(found: UnequalDepths) -> str:
    """Of all systems against all: how deep they are, and how many pairs change their sign."""
    size = len(found.systems)
    said = f"Runs list {_depths(found.of_runs.tolist())} documents a topic"
    if not found.changed_signs:
        return Message(f"{said}: ", _ONLY_READING)
    pairs = f"{found.pairs:,} of {size * (size - 1) // 2:,} pairs differ by more than a tenth"
    if not any(found.changed_signs.values()):
        return f"{said}; {pairs}, and their means have the same sign at the smaller depth."
    turned = ", ".join(f"{number:,} by {name}" for name, number in found.changed_signs.items())
    return Message(
        f"{said}; {pairs}. Cut at the smaller depth of both, so many have another winner: {turned}. ",
        _CUTS,
    )


def sums_depth_note(depths: Sequence[int]) -> str:
    """Of systems of unequal depth, where only sums over the topics were kept."""
    return Message(f"Runs list {_depths(depths)} documents a topic. ", _CUTS)


def _depths(depths: Sequence[int], noun: str = "run") -> str:
    """The depths of all systems, or of all runs, the most frequent first."""
    counts = Counter(depths).most_common()
    said = [f"{depth:,} ({count_of(number, noun)})" for depth, number in counts[:_DEPTHS_NAMED]]
    if rest := counts[_DEPTHS_NAMED:]:
        others, runs = zip(*rest, strict=True)
        ends = dict.fromkeys(f"{end:,}" for end in (min(others), max(others)))
        said.append(f"{' to '.join(ends)} ({count_of(sum(runs), noun)})")
    return "up to " + ", ".join(said)


def _means(row: Mapping[str, Any]) -> str:
    """What a row says at both depths."""
    here, there = both_means(row)
    return f"{row['preference']} of {row['a']} is {here} at depth {row['depth']:,}, not {there}"


def both_means(row: Mapping[str, Any]) -> tuple[str, str]:
    """The mean at the smaller depth and that of whole lists, with † where they are significant."""
    here, there = (
        f"{row[mean]:{MEAN}}{' †' if row.get(mark) else ''}"
        for mean, mark in (("mean_at_depth", "significant_at_depth"), ("mean", "significant"))
    )
    return here, there

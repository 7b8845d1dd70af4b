"""The answer of a gate: whether a new system passes, how sure that is, and what its topics could decide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from irpref.base.message import Message, Option
from irpref.base.named import in_signature
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Record
from irpref.pairwise.signature import with_parts
from irpref.positions.placements import Placements
from irpref.report.report import Report
from irpref.report.table import count_of, counted, p_words
from irpref.show.reports.check_words import selection_words
from irpref.show.reports.comparison_notes import how_tested, level_words
from irpref.show.reports.results import known
from irpref.stats.margins import LEAST_DECIDED, Decision, Gate
from irpref.stats.method import POWER
from irpref.stats.power import MOST_TOPICS
from irpref.stats.tests import known_test

_WHERE = {"passed": "lies above", "failed": "lies below", "undecided": "contains"}
_ADAPTS = (
    "A gate that is asked again and again on the same topics, and keeps what passes, fits the system to "
    "these topics: passing then means less. Before a release, ask it on new topics."
)


def gate_report(
    report: Report,
    placements: Placements,
    criterion: Criterion,
    gates: Sequence[Gate],
    how: Mapping[str, Any],
    checks: Sequence[GateCheck] | None,
) -> Report:
    """The report of two systems with what a gate says of them.

    Args:
        report: The report of the two, the new one first, without a test.
        placements: The two.
        criterion: What they are compared by.
        gates: What was asked: the first one decides; of one above 0, a second one says what a margin would.
        how: How the first one was tested.
        checks: What the first one says in each check; None if nothing is checked.
    """
    new, base = placements.systems
    words = placements.words.naming([criterion])
    gate, record = gates[0], report.rows.row(0, named=True)
    decision = decision_of(gate, placements, checks)
    first, *more = (_decided(new, base, criterion, each) for each in gates)
    answer = [f"{decision.capitalize()}: {first}"]
    if decision != gate.decision:
        answer = [Message(f"{decision.capitalize()}: ", _doubt(placements, checks or ()))]
        answer += [f"As given, {first}"]
    answer += [_evidence(gate, record, new), *(f"With a margin: {each}" for each in more)]
    answer += [*_power(gate, criterion)]
    table, *others = report.tables
    added: dict[str, Any] = {"must lie above": gate.limit, "decision": decision}
    if not math.isnan(gate.low):
        added = {_level(gate): _ends(gate), **added}
    names = table.frame.columns
    at = names.index("mean") + 1
    frame = table.frame.with_columns(pl.lit(of).alias(name) for name, of in added.items())
    frame = frame.select(*names[:at], *list(added)[:-1], *names[at:], "decision")
    table = replace(table, frame=frame, formats={**table.formats, "must lie above": ".15g"})
    drawn = {}
    if how.get("n_resamples") is not None:
        drawn = {"rng": in_signature(how["rng"]), "B": in_signature(how["n_resamples"])}
    line = with_parts(
        report.signatures[0],
        {"new": new, "base": base},
        test=how["test"],
        alpha=in_signature(gate.alpha),
        **drawn,
        gate=",".join(in_signature(each.limit) for each in gates),
        **({"checks": "none"} if checks is None else {}),
    )
    decided = [replace(gate, decision=decision), *gates[1:]]
    rows = (
        report.rows.with_columns(
            pl.lit(of).alias(name) for name, of in vars(each).items() if name not in record
        )
        for each in decided
    )
    said = f"{known_test('t').title}, on each side once, at α = {_plain(gate.alpha)}"
    tested = f"Tested by {criterion}: {said if gate.limit else how_tested(how)}."
    return replace(
        report,
        title=f"A gate: {new} against {base}",
        answer=tuple(map(words, answer)),
        tables=(table, *others),
        rows=pl.concat(rows),
        remarks=(*map(words, _doubts(gate, record)), *report.remarks),
        notes=(tested, *map(words, _checked(gate, checks or ())), *report.notes, words(_ADAPTS)),
        signatures=(line,),
        facts={**report.facts, **({"checks": known(map(_facts, checks))} if checks else {})},
    ).signed("preference", [criterion])


@dataclass(frozen=True)
class GateCheck:
    """What a gate says where the same files are taken another way.

    Attributes:
        check: The check, as ``{"check": …, "depth": …, "topics": …}``.
        gate: What it says; None where too few topics are shared.
    """

    check: Record
    gate: Gate | None


def decision_of(gate: Gate, placements: Placements, checks: Sequence[GateCheck] | None) -> Decision:
    """What a gate decides: it passes only what passes in every check, and has lists for enough topics.

    Args:
        gate: What it says of the files as given.
        placements: The two, the new one first.
        checks: What it says in each check; None if nothing is checked.
    """
    if gate.decision != "passed" or checks is None:
        return gate.decision
    held = all(each.gate is not None and each.gate.decision == "passed" for each in checks)
    return "passed" if held and not _lacks(placements) else "undecided"


def _lacks(placements: Placements) -> bool:
    """Whether the new system has no list for more than a tenth of the topics, which nobody chose."""
    lacking = 10 * int(placements.lacking[0]) > len(placements.topics)
    return placements.reading.missing is None and lacking


def _doubt(placements: Placements, checks: Sequence[GateCheck]) -> Message:
    """Why a gate does not pass what passes as given."""
    new, base = placements.systems
    if _lacks(placements):
        lacking, topics = placements.lacking[0], count_of(len(placements.topics), "topic")
        worst, skip = Option("missing", "worst"), Option("missing", "skip")
        without = f"{new} has no list for {lacking:,} of {topics}: "
        return Message(without, worst, " counts them as lost, ", skip, " leaves them out.")
    there = next(each for each in checks if each.gate is None or each.gate.decision != "passed")
    said = selection_words(there.check)
    if there.gate is None:
        lacking = int(placements.lacking[1])
        return Message(
            f"{base} has no list for {lacking:,} topics; {said}, nothing can be decided."
        )
    depth = there.check["depth"]
    option = Option("depth", depth) if depth else Option("missing", "skip")
    verdict = f", {new} {there.gate.decision} ({_level(there.gate)} {_ends(there.gate)})."
    if there.gate.decision == "undecided":
        verdict = f", nothing is decided ({_level(there.gate)} {_ends(there.gate)})."
    return Message(said, " (", option, ")", verdict)


def _checked(gate: Gate, checks: Sequence[GateCheck]) -> Iterator[str]:
    """What the checks say that change nothing."""
    for each in checks:
        if each.gate is not None and each.gate.decision == gate.decision:
            yield f"{selection_words(each.check).capitalize()}, it is {gate.decision} too."


def _facts(check: GateCheck) -> dict[str, Any]:
    """A check for programs."""
    return {
        **check.check,
        **({"decision": "not checked"} if check.gate is None else vars(check.gate)),
    }


def _decided(new: str, base: str, criterion: Criterion, gate: Gate) -> str:
    """What a decision says of two systems."""
    margin = _plain(-gate.limit)
    if gate.limit:
        said = {
            "passed": f"{new} is better than {base}, or less than {margin} worse",
            "failed": f"{new} is worse than {base} by {margin} or more",
            "undecided": f"it is open whether {new} is less than {margin} worse than {base}",
        }
        if gate.high < 0:
            said["undecided"] = f"{new} is worse than {base}; whether by less than {margin} is open"
    else:
        said = {
            "passed": f"{new} is better than {base}",
            "failed": f"{new} is worse than {base}",
            "undecided": f"it is open whether {new} is better than {base}",
        }
    return f"by {criterion}, {said[gate.decision]}."


def _evidence(gate: Gate, record: Record, new: str) -> str:
    """What was won and lost, and where the interval lies."""
    won, lost = counted(record["wins"]), counted(record["losses"])
    said = f"{new} wins {won} of {count_of(record['topics'], 'topic')} and loses {lost}."
    if math.isnan(gate.low):
        return f"{said} All have the same value, so there is no interval (p = {gate.p:.2g})."
    if not gate.limit:
        p = p_words(gate.p, gate.alpha)
        return f"{said} The mean is {gate.mean:+.3f} ({_level(gate)} {_ends(gate)}, {p})."
    where = f"{_WHERE[gate.decision]} {_plain(gate.limit)}"
    return f"{said} The {_level(gate)} of the mean, {_ends(gate)}, {where}."


def _power(gate: Gate, criterion: Criterion) -> Iterator[str]:
    """What so many topics could decide, and how many would decide what was asked."""
    if math.isnan(gate.detectable):
        return
    topics, margin = count_of(round(gate.topics), "topic"), -gate.limit
    least, power = f"{gate.detectable:.2g}", f"(power {POWER:g})"
    if gate.detectable >= criterion.bounds[1]:
        yield f"So few topics as these {topics} hardly decide anything {power}."
    elif not margin:
        yield f"{topics} like these would show a mean of about {least} or more {power}."
    else:
        said = (
            f"The smallest margin that {topics} like these decide is about {least}, for a system that is "
            f"just as good {power}"
        )
        needed = f"about {float(f'{gate.needed:.2g}'):,.0f}"
        if math.isinf(gate.needed):
            needed = f"more than {MOST_TOPICS:,}"
        more = gate.needed > gate.topics
        yield f"{said}; {_plain(margin)} needs {needed} topics." if more else f"{said}."


def _doubts(gate: Gate, record: Record) -> Iterator[str]:
    """What makes the decision doubtful."""
    differ, topics = record["wins"] + record["losses"], count_of(record["topics"], "topic")
    if not differ:
        yield f"The two are equal on all {topics}."
    elif differ < LEAST_DECIDED:
        yield (
            f"They differ on {counted(differ)} of {topics} only, too few to show how much they vary: the "
            "decision may come too easily."
        )


def _level(gate: Gate) -> str:
    return level_words({"alpha": gate.alpha, "margin": gate.limit or None})


def _ends(gate: Gate) -> str:
    """The interval, each end with as many digits as show on which side of the limit it is."""
    if math.isnan(gate.low):
        return "none"
    ends = []
    for end in (gate.low, gate.high):
        for decimals in range(3, 17):
            text = f"{end:+.{decimals}f}"
            seen = float(text)
            if (seen > gate.limit, seen < gate.limit) == (end > gate.limit, end < gate.limit):
                break
        ends.append(text)
    return " to ".join(ends)


def _plain(number: float) -> str:
    """A number as it was typed."""
    return f"{number:.15g}"

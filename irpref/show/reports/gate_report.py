"""The answer of a gate: whether a new system passes, how sure that is, and what its topics could decide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from irpref.base.message import Message, Option
from irpref.base.named import in_signature
from irpref.base.wording import Words
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Record
from irpref.pairwise.signature import with_parts
from irpref.positions.placements import Placements
from irpref.report.report import Report
from irpref.report.table import count_of
from irpref.show.reports.answers import counted, p_words
from irpref.show.reports.comparison_notes import how_tested, level_words
from irpref.stats.margins import LEAST_DECIDED, Gate
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
    at_depth: Mapping[int, Gate],
) -> Report:
    """The report of two systems with what a gate says of them.

    Args:
        report: The report of the two, the new one first, without a test.
        placements: The two.
        criterion: What they are compared by.
        gates: What was asked: the first one decides; of one above 0, a second one says what a margin would.
        how: How the first one was tested.
        at_depth: Where the runs are of unequal depth, by the smaller depth, what the first would say there.
    """
    new, base = placements.systems
    words = Words(placements.reading.users, (new, base, criterion))
    gate, record = gates[0], report.rows.row(0, named=True)
    decided, *more = (_decided(new, base, criterion, each) for each in gates)
    answer = [f"{gate.decision.capitalize()}: {decided}", _evidence(gate, record, new)]
    answer += [f"With a margin: {each}" for each in more]
    answer += [*_power(gate, criterion), *_doubts(gate, record, placements, at_depth)]
    first, *others = report.tables
    added: dict[str, Any] = {"must lie above": gate.limit, "decision": gate.decision}
    if not math.isnan(gate.low):
        added = {_level(gate): _ends(gate), **added}
    names = first.frame.columns
    at = names.index("mean") + 1
    frame = first.frame.with_columns(pl.lit(of).alias(name) for name, of in added.items())
    frame = frame.select(*names[:at], *list(added)[:-1], *names[at:], "decision")
    table = replace(first, frame=frame, formats={**first.formats, "must lie above": ".15g"})
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
    )
    rows = (
        report.rows.with_columns(
            pl.lit(of).alias(name) for name, of in vars(each).items() if name not in record
        )
        for each in gates
    )
    said = f"{known_test('t').title}, on each side once, at α = {_plain(gate.alpha)}"
    tested = f"Tested by {criterion}: {said if gate.limit else how_tested(how)}."
    return replace(
        report,
        title=f"A gate: {new} against {base}",
        # Behind who is ahead and by how much stands what could overturn that.
        answer=(*map(words, answer), *report.answer[2:]),
        tables=(table, *others),
        rows=pl.concat(rows),
        notes=(tested, *report.notes, words(_ADAPTS)),
        signatures=(line,),
    ).signed("preference", [criterion])


def _decided(new: str, base: str, criterion: Criterion, gate: Gate) -> str:
    """What a decision says of two systems."""
    by = f" by {_plain(-gate.limit)} or more" if gate.limit else ""
    asked, passes = ("worse", "not worse") if gate.limit else ("better", "better")
    said = {
        "passed": f"{new} is {passes} than {base}{by}",
        "failed": f"{new} is worse than {base}{by}",
        "undecided": f"it is open whether {new} is {asked} than {base}{by}",
    }
    if gate.limit and gate.high < 0:
        said["undecided"] = f"{new} is worse than {base}; whether{by} is open"
    return f"by {criterion}, {said[gate.decision]}."


def _evidence(gate: Gate, record: Record, new: str) -> str:
    """What was won and lost, and where the interval lies."""
    won, lost = counted(record["wins"]), counted(record["losses"])
    said = f"{new} wins {won} of {count_of(record['topics'], 'topic')} and loses {lost}."
    if math.isnan(gate.low):
        return f"{said} All have the same value, so there is no interval (p = {gate.p:.2g})."
    if not gate.limit:
        p = p_words(gate.p, {"alpha": gate.alpha})
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


def _doubts(
    gate: Gate, record: Record, placements: Placements, at_depth: Mapping[int, Gate]
) -> Iterator[str]:
    """What makes the decision doubtful."""
    new, base = placements.systems
    differ, topics = record["wins"] + record["losses"], count_of(record["topics"], "topic")
    if not differ:
        yield f"The two are equal on all {topics}."
    elif differ < LEAST_DECIDED:
        yield (
            f"They differ on {counted(differ)} of {topics} only, too few to show how much they vary: the "
            "decision may come too easily."
        )
    lacking = len(placements.coverage.missing.get(base, ()))
    if lacking and placements.reading.missing == "worst":
        option = Option("missing", "skip")
        said = f"{base} lacks {count_of(lacking, 'topic')}, where {new} cannot be worse: "
        yield Message(said, option, " leaves these out.")
    for depth, there in at_depth.items():
        if there.decision != gate.decision:
            yield Message(
                f"The runs are of unequal depth: cut at {depth:,} (",
                Option("depth", depth),
                f"), the decision is {there.decision} ({_level(there)} {_ends(there)}).",
            )
    for name, each in placements.warnings.items():
        yield Message(f"{name}: ", each.problem, ".")


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

"""The answer of a gate: whether a new system passes, how sure that is, and what its topics could decide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from irpref.base.wording import Words
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import with_parts
from irpref.report.report import Report
from irpref.report.table import count_of
from irpref.show.reports.answers import counted
from irpref.stats.margins import LEAST_DECIDED, Gate
from irpref.stats.method import POWER

_WHERE = {"passed": "lies above", "failed": "lies below", "undecided": "contains"}
_ADAPTS = (
    "A gate that is asked again and again on the same topics, and keeps what passes, fits the system to "
    "these topics: passing then means less. Before a release, ask it on new topics."
)


def gate_report(
    report: Report,
    pair: tuple[str, str],
    criterion: Criterion,
    gates: Sequence[Gate],
    words: Words,
) -> Report:
    """The report of two systems with what a gate says of them.

    Args:
        report: The report of the two, without a test.
        pair: The new system, and the other.
        criterion: What they are compared by.
        gates: What was asked: the first one decides; of one above 0, a second one says what a margin would.
        words: The words for the data.
    """
    gate, record = gates[0], report.rows.row(0, named=True)
    won, lost = counted(record["wins"]), counted(record["losses"])
    said = f"{pair[0]} wins {won} of {count_of(record['topics'], 'topic')} and loses {lost}."
    added: dict[str, Any] = {"must lie above": gate.limit}
    if not math.isnan(gate.low):
        level = f"{100 * (1 - 2 * gate.alpha):g} % interval"
        ends = f"{_end(gate.low, gate)} to {_end(gate.high, gate)}"
        said += f" The {level} of the mean, {ends}, {_WHERE[gate.decision]} {gate.limit:g}."
        added = {level: ends, **added}
    first, *others = report.tables
    names = first.frame.columns
    at = names.index("mean") + 1
    added["decision"] = gate.decision
    frame = first.frame.with_columns(pl.lit(of).alias(name) for name, of in added.items())
    frame = frame.select(*names[:at], *list(added)[:-1], *names[at:], "decision")
    table = replace(first, frame=frame, formats={**first.formats, "must lie above": "g"})
    numbers = {name: of for name, of in vars(gate).items() if name not in report.rows.columns}
    rows = report.rows.with_columns(pl.lit(of).alias(name) for name, of in numbers.items())
    how: dict[str, Any] = {
        "test": "t",
        "alpha": f"{gate.alpha:g}",
        "gate": ",".join(f"{each.limit:g}" for each in gates),
    }
    decided, *more = (_decided(*pair, criterion, each) for each in gates)
    answer = [f"{gate.decision.capitalize()}: {decided}", said]
    answer += [f"With a margin: {each}" for each in more]
    answer += _power(gate)
    if record["wins"] + record["losses"] < LEAST_DECIDED:
        answer.append(
            f"On fewer than {LEAST_DECIDED} topics one of them wins: a margin is then held too easily, "
            "because so few differences do not show their spread."
        )
    tested = f"Tested by {criterion}: paired t-test, one-sided at α = {gate.alpha:g} on each side."
    return replace(
        report,
        title=f"A gate: {pair[0]} against {pair[1]}",
        # Behind who is ahead and by how much stands what could overturn that.
        answer=(*map(words, answer), *report.answer[2:]),
        tables=(table, *others),
        rows=rows,
        notes=(tested, *report.notes, words(_ADAPTS)),
        signatures=(with_parts(report.signatures[0], **how),),
    ).signed("preference", [criterion])


def _decided(new: str, base: str, criterion: Criterion, gate: Gate) -> str:
    """What a decision says of two systems."""
    if gate.limit:
        by = f"by {-gate.limit:g}"
        said = {
            "passed": f"{new} is not worse than {base} {by} or more",
            "failed": f"{new} is worse than {base} {by} or more",
            "undecided": f"it is open whether {new} is worse than {base} {by} or more",
        }
    else:
        said = {
            "passed": f"{new} is better than {base}",
            "failed": f"{new} is worse than {base}",
            "undecided": f"it is open whether {new} is better than {base}",
        }
    return f"by {criterion}, {said[gate.decision]}."


def _power(gate: Gate) -> Iterator[str]:
    """What so many topics could decide, and how many would decide what was asked."""
    if math.isnan(gate.detectable):
        return
    topics, margin = count_of(round(gate.topics), "topic"), -gate.limit
    likely = f"would likely pass (power {POWER:g})"
    if not margin:
        yield f"With these {topics}, a system whose mean is {gate.detectable:.2g} or more {likely}."
        return
    yield (
        f"The smallest margin that these {topics} can decide is about {gate.detectable:.2g}: with it, a "
        f"system that is as good {likely}."
    )
    if gate.decision == "undecided" and margin < gate.detectable:
        needed = gate.topics * (gate.detectable / margin) ** 2
        yield f"A margin of {margin:g} needs about {float(f'{needed:.2g}'):,.0f} topics like these."


def _end(end: float, gate: Gate) -> str:
    """An end of the interval, with as many digits as show on which side of the limit it is."""
    for decimals in range(3, 17):
        text = f"{end:+.{decimals}f}"
        if (float(text) > gate.limit, float(text) < gate.limit) == (
            end > gate.limit,
            end < gate.limit,
        ):
            break
    return text

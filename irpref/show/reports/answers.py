"""The answer of a comparison in sentences: who is better, how sure that is, and what could overturn it.

The first sentence is the headline. No sentence has more than 160 characters, as long as names
have no more than 40.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_facts import PairFacts
from irpref.pairwise.standings import Record
from irpref.report.table import LEAST_P, MEAN, count_of
from irpref.show.reports.comparison_notes import detectable_words
from irpref.stats.corrections import close_to_alpha
from irpref.stats.method import POWER

WHICH_PREFERENCE = "https://irpref.github.io/irpref/which-preference.html"
# So many names at most stand in a sentence, and so many characters of them.
_NAMED, _ROOM = 3, 90
_SHORT = "+.2f"
# Below this share of judged documents, those that are not judged could change an answer.
_JUDGED = 0.95
# What a verdict with a margin shows of the first system.
_SHOWN = {
    "better": "is better than",
    "worse": "is worse than",
    "not worse": "is not worse than",
    "equivalent": "is as good as",
}


def pair_answer(facts: PairFacts, unit: str = "topic") -> Iterator[str]:
    """Who of two is better by the first preference, whom each serves, and what could overturn that.

    Args:
        facts: What is known of them.
        unit: What is won and lost.

    Yields:
        The headline, then a paragraph for each of these.
    """
    main, record = next(iter(facts.records.items()))
    votes = round(sum(record[name] for name in main.outcomes))
    if not votes:
        yield f"{facts.a} and {facts.b} share no {unit} with relevant documents."
        return
    yield f"{_headline(facts, main, unit)}."
    for said in (
        _evidence(facts, main, count_of(votes, unit)),
        _users(facts, _better(facts, main)),
        *_doubts(facts),
    ):
        sentences = list(said)
        if sentences:
            yield Message(sentences[0], *(part for each in sentences[1:] for part in (" ", each)))


def _headline(facts: PairFacts, main: Criterion, unit: str) -> str:
    record, better = facts.records[main], _better(facts, main)
    worse = facts.b if better == facts.a else facts.a
    if (verdict := record.get("verdict")) is not None:
        shown = _SHOWN.get(verdict)
        said = f"nothing is shown of {facts.a} and {facts.b}"
        if shown is not None:
            said = f"{facts.a} {shown} {facts.b}"
        return f"By {main} and this margin, {said}"
    if better is None:
        if not record["wins"] + record["losses"]:
            return f"{facts.a} and {facts.b} tie on every {unit} by {main}"
        return f"Neither {facts.a} nor {facts.b} is ahead by {main}: the mean is 0"
    if "p" not in record:
        return f"{better} is ahead of {worse} by {main}; nothing was tested"
    if record["significant"]:
        return f"{better} is better than {worse} by {main}"
    return f"Neither {facts.a} nor {facts.b} is shown to be better by {main}"


def _evidence(facts: PairFacts, main: Criterion, votes: str) -> Iterator[str]:
    """What was won and lost, how sure the mean is, and what could have been found."""
    record = facts.records[main]
    better = _better(facts, main) or facts.a
    won, lost, mean = record["wins"], record["losses"], record["mean"]
    low, high = (record.get(name, math.nan) for name in ("low", "high"))
    if better != facts.a:
        won, lost, mean, low, high = lost, won, -mean, -high, -low
    said = f"{better} wins {_count(won)} of {votes} and loses {_count(lost)}"
    if mean > 0 and won < lost:
        said += ", but wins by more"
    form = MEAN if main.of_scores else _SHORT
    known = [f"mean {mean:{form}}"]
    if "p" in record:
        if not math.isnan(low + high):
            known.append(f"{level_words(facts.how)} {low:{form}} to {high:{form}}")
        known.append(p_words(record["p_adjusted"], facts.how))
    chance = ": unlikely to be chance" if _is_sure(record) and "verdict" not in record else ""
    yield f"{said}{chance} ({', '.join(known)})."
    least = record.get("detectable", math.nan)
    if not _is_sure(record) and not math.isnan(least):
        shown = f"±{least:{form[1:]}}"
        yield f"With {votes}, a mean of {shown} or more would likely be found (power {POWER:g})."
    if "p" in record:
        yield from close_words(int(close_to_alpha(record["p_adjusted"], facts.how)), "p is")


def _users(facts: PairFacts, better: str | None) -> Iterator[str]:
    """Whether users of different kinds are served better by the same system."""
    others = {
        each: by
        for n, each in enumerate(facts.records)
        if n and each.users is not None and (by := _better(facts, each)) is not None
    }
    by_system: dict[str, list[str]] = {}
    for each, by in others.items():
        by_system.setdefault(by, []).append(f"those who {each.users} ({_score(facts, each)})")
    different = not set(by_system) <= {better}
    if different:
        sure = len(by_system) > 1 and all(_is_sure(facts.records[each]) for each in others)
        yield f"They {'' if sure else 'may '}serve different users."
    for system, served in by_system.items():
        also = "" if different else "also "
        yield f"{system} is {also}ahead for {served[0]}."
        yield from (f"It is {also}ahead for {each}." for each in served[1:])
    if different:
        yield f"Which users do you have? {WHICH_PREFERENCE}"


def _score(facts: PairFacts, criterion: Criterion) -> str:
    """What is won and lost by a criterion, the winner's first, and its p."""
    record = facts.records[criterion]
    counts = record["wins"], record["losses"]
    won, lost = counts if _better(facts, criterion) == facts.a else counts[::-1]
    p = f", {p_words(record['p_adjusted'], facts.how)}" if "p" in record else ""
    return f"{criterion} {_count(won)}:{_count(lost)}{p}"


def _doubts(facts: PairFacts) -> Iterator[list[str]]:
    """What could overturn the answer, each only where it does."""
    if facts.depths:
        yield list(_depths(facts))
    turned = [
        f"by {each} {over:{MEAN}}"
        for each, over in facts.over_ties.items()
        if not math.isnan(over) and _sign(over) != _sign(facts.records[each]["mean"])
    ]
    if turned:
        yield [f"Tied scores decide: averaged over tie orders, the mean is {', '.join(turned)}."]
    one, other = facts.judged
    if min(one, other) < _JUDGED:
        yield [
            f"Judged among the first 10 documents: {one:.0%} for {facts.a}, {other:.0%} for {facts.b}.",
            "Judging the others could change the answer.",
        ]


def _depths(facts: PairFacts) -> Iterator[str]:
    """What the two come to where both are cut at the smaller of their depths."""
    row, *_ = rows = facts.depths
    yield (
        f"{facts.a} lists up to {count_of(row['depth_a'], 'document')} a topic, {facts.b} up to "
        f"{row['depth_b']:,}."
    )
    means = (
        f"{each['preference']} is {_at(each, 'mean_at_depth', 'significant_at_depth')}, not "
        f"{_at(each, 'mean', 'significant')}"
        for each in rows[:_NAMED]
    )
    depth = Option("depth", row["depth"])
    yield Message(f"Cut at {row['depth']:,} (", depth, f"), {'; '.join(means)}.")


def _at(row: Mapping[str, Any], mean: str, mark: str) -> str:
    return f"{row[mean]:{MEAN}}{' †' if row.get(mark) else ''}"


def board_answer(
    main: Criterion, records: Sequence[Record], size: str, beats: Sequence[Set[int]] | None
) -> Iterator[str]:
    """Who leads, and who may be as good.

    Args:
        main: What the systems are ordered by.
        records: The record of every system, best first.
        size: How many there are, and on what they are compared, in words.
        beats: By system, the places of those that are significantly worse; None if nothing was tested.
    """
    names = [record["system"] for record in records]
    equal = [record["system"] for record in records if record["mean"] == records[0]["mean"]]
    lead = "leads" if len(equal) == 1 else "lead equally"
    yield f"{named(equal)} {lead} by {main} ({size})."
    if beats is None:
        return
    alike = [name for place, name in enumerate(names) if place and place not in beats[0]]
    leader = "It" if len(equal) == 1 else "The first"
    said = f"{leader} is significantly better than all {len(names) - 1:,} others."
    if alike:
        others = f"{count_of(len(alike), 'other')}: {named(alike)}"
        said = f"{leader} is not significantly better than {others}."
    pairs = len(names) * (len(names) - 1) // 2
    yield f"{said} {sum(map(len, beats)):,} of {pairs:,} pairs differ significantly."


def baseline_answer(
    main: Criterion,
    baseline: str,
    size: str,
    records: Sequence[Record],
    tested: Mapping[str, Record],
    how: Mapping[Any, Any],
    detectable: tuple[float, float, float] | None,
) -> Iterator[str]:
    """Who is better than the baseline, who is worse, and who is open.

    Args:
        main: The first preference.
        baseline: The baseline.
        size: On what they are compared, in words.
        records: The record of every other system, best first.
        tested: By system, what its test says; nothing if nothing was tested.
        how: How they were tested.
        detectable: The least, the median and the greatest mean that would be found of those left open.
    """
    if not tested:
        ahead = sum(record["mean"] > 0 for record in records)
        several = count_of(len(records), "system")
        yield f"By {main} on {size}, {ahead:,} of {several} are ahead of {baseline}; nothing was tested."
        return
    kinds: dict[str, list[str]] = {}
    for record in records:
        found = tested[record["system"]]
        mean = format(record["mean"], MEAN if main.of_scores else _SHORT)
        said = f"{record['system']} ({mean}, {p_words(found['p_adjusted'], how)})"
        kinds.setdefault(_kind(record, found), []).append(said)
    better = named(kinds.pop("better")) if "better" in kinds else f"none of {len(records):,}"
    yield f"Better than {baseline} by {main} on {size}: {better}."
    undecided = len(kinds.pop("undecided", ()))
    others = [
        f"{kind.capitalize()}: {named(kinds[kind])}."
        for kind in ("equivalent", "not worse", "worse")
        if kind in kinds
    ]
    if undecided:
        others.append(f"Not decided: {undecided:,}.")
        others += detectable_words(detectable)
    yield from ([" ".join(others)] if others else [])


def _kind(record: Record, found: Record) -> str:
    """What is shown of a system and its baseline."""
    if "verdict" in found:
        return str(found["verdict"])
    if not found["significant"]:
        return "undecided"
    return "better" if record["mean"] > 0 else "worse"


def close_words(pairs: int, who: str = "") -> Iterator[str]:
    """What is said of p-values that other random numbers could move over alpha: so many, or whose."""
    if pairs:
        who = who or f"p of {count_of(pairs, 'pair')} is"
        more = Option("n_resamples", ...)
        yield Message(
            f"{who} within its Monte Carlo error of α: more resamples (", more, ") settle it."
        )


def level_words(how: Mapping[Any, Any]) -> str:
    """What intervals are called.

    Example:
        >>> level_words({"alpha": 0.05})
        '95 % interval'
    """
    return f"{100 * (1 - how['alpha']):g} % interval"


def p_words(p: float, how: Mapping[Any, Any]) -> str:
    """A p-value as a sentence says it: rounded, but to the other side of alpha.

    Example:
        >>> p_words(0.326, {"alpha": 0.05}), p_words(0.0496, {"alpha": 0.05})
        ('p = 0.33', 'p = 0.0496')
    """
    if p < LEAST_P:
        return f"p < {LEAST_P:.4f}"
    short = f"{p:.2g}"
    same = (float(short) < how["alpha"]) == (p < how["alpha"])
    return f"p = {short if same else f'{p:.4g}'}"


def named(names: Sequence[str]) -> str:
    """The first few names, as many as a sentence has room for, and how many more there are."""
    shown = list(names[:_NAMED])
    while len(shown) > 1 and len(", ".join(shown)) > _ROOM:
        shown.pop()
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _better(facts: PairFacts, criterion: Criterion) -> str | None:
    sign = _sign(facts.records[criterion]["mean"])
    return {1: facts.a, -1: facts.b}.get(sign)


def _is_sure(record: Record) -> bool:
    return bool(record.get("significant", False))


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _count(number: float) -> str:
    """Of topics, in tenths where their number is an expected one."""
    return f"{number:.1f}" if isinstance(number, float) else f"{number:,}"

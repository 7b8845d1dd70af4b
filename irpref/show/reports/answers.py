"""The answer of a comparison in sentences: who is better, how sure that is, and what could overturn it.

The first sentence is the headline. No sentence has more than 160 characters, as long as names
have no more than 40.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.leaderboard import Leaderboard
from irpref.pairwise.pair_facts import PairFacts
from irpref.pairwise.pair_table import Record
from irpref.report.table import LEAST_P, MEAN, count_of
from irpref.show.reports.comparison_notes import detectable_words, level_words
from irpref.show.reports.coverage_report import both_means
from irpref.stats.corrections import close_to_alpha

WHICH_PREFERENCE = "https://irpref.github.io/irpref/which-preference.html"
# A sentence names at most so many systems, with so many characters in all.
_NAMED, _ROOM = 3, 90
_SHORT = "+.2f"
# Where fewer of the first documents are judged, the others could change an answer.
_JUDGED = 0.95
# What a verdict with a margin shows of the first system, or else what was asked.
_SHOWN = {
    "better": "is better than",
    "worse": "is worse than",
    "not worse": "is not worse than",
    "equivalent": "is as good as",
}
_ASKED = {
    "noninferior": "is not shown to be no worse than",
    "equivalent": "is not shown to be as good as",
}
# Such a p-value says nothing of who is ahead.
_NOTHING = 0.995
_LONGEST = 160


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
        yield f"{facts.a} and {facts.b} share no {unit} with {main.of_one_run.looked_for}."
        return
    yield f"{_headline(facts, main, unit)}."
    for said in (
        _evidence(facts, main, count_of(votes, unit), unit),
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
        said = _SHOWN.get(verdict, _ASKED[facts.how["alternative"]])
        return f"By {main} and a margin of {facts.how['margin']:g}, {facts.a} {said} {facts.b}"
    neither = f"Neither {facts.a} nor {facts.b}"
    if better is None:
        if not record["wins"] + record["losses"]:
            tied = not any(record[name] for name in main.own_outcomes)
            said = f"{facts.a} and {facts.b} tie on every" if tied else f"{neither} wins a"
            return f"{said} {unit} by {main}"
        return f"{neither} is ahead by {main}: the mean is 0"
    if "p" not in record:
        return f"{better} is ahead of {worse} by {main}; nothing was tested"
    if record["significant"]:
        return f"{better} is better than {worse} by {main}"
    return f"{neither} is shown to be better by {main}"


def _evidence(facts: PairFacts, main: Criterion, votes: str, unit: str) -> Iterator[str]:
    """What was won and lost, how sure the mean is, and what could have been found."""
    record = facts.records[main]
    better = _better(facts, main) or facts.a
    won, lost, mean = record["wins"], record["losses"], record["mean"]
    low, high = (record.get(name, math.nan) for name in ("low", "high"))
    if better != facts.a:
        won, lost, mean, low, high = lost, won, -mean, -high, -low
    said = f"{better} wins {counted(won)} of {votes} and loses {counted(lost)}"
    if mean > 0 and won < lost:
        said += ", but wins by more"
    form = MEAN if main.of_scores else _SHORT
    known = [f"mean {mean:{form}}"]
    if not math.isnan(low + high):
        known.append(f"{level_words(facts.how)} {low:{form}} to {high:{form}}")
    if "p" in record:
        known.append(p_words(record["p"], facts.how))
        if (pairs := facts.how["pairs"]) > 1:
            known.append(
                f"corrected for {pairs:,} pairs {p_words(record['p_adjusted'], facts.how)}"
            )
    sure = ": significant" if _is_sure(record) and "verdict" not in record else ""
    yield f"{said}{sure} ({', '.join(known)})."
    least = record.get("detectable", math.nan)
    if not _is_sure(record) and not math.isnan(least):
        yield from detectable_words((least, least, least), unit, form[1:])
    if "p" in record and close_to_alpha(record["p"], record["p_adjusted"], facts.how):
        yield from close_words("p")


def _users(facts: PairFacts, better: str | None) -> Iterator[str]:
    """Whether users of different kinds are served better by the same system."""
    by_system: dict[str, list[str]] = {}
    sure = []
    for each, record in list(facts.records.items())[1:]:
        ahead = _better(facts, each)
        # With a margin, p is not of who is ahead.
        if each.users is None or ahead is None or "verdict" in record:
            continue
        if record.get("p_adjusted", 0) < _NOTHING:
            sure.append(_is_sure(record))
            served = f"for those who {each.users} ({_score(facts, each)})"
            by_system.setdefault(ahead, []).append(served)
    if not by_system:
        return
    different = len({*by_system, *filter(None, [better])}) > 1
    differing = f"They {'' if len(by_system) > 1 and all(sure) else 'may '}serve different users"
    main = next(iter(facts.records.values()))
    also = "also " if not different and ("p" not in main or _is_sure(main)) else ""
    parts = {system: f"{system} is {also}ahead " for system in by_system}
    said = ", ".join(f"{part}{' and '.join(by_system[system])}" for system, part in parts.items())
    said = f"{differing}: {said}." if different else f"{said}."
    if len(said) <= _LONGEST:
        yield said
    else:
        yield from [f"{differing}."] if different else []
        for system, part in parts.items():
            yield from (f"{part}{served}." for served in by_system[system])
    if different:
        yield f"Which users do you have? {WHICH_PREFERENCE}"


def _score(facts: PairFacts, criterion: Criterion) -> str:
    """What is won and lost by a criterion, the winner's first, and its p."""
    record = facts.records[criterion]
    counts = record["wins"], record["losses"]
    won, lost = counts if _better(facts, criterion) == facts.a else counts[::-1]
    p = f", {p_words(record['p_adjusted'], facts.how)}" if "p" in record else ""
    # A mean over the pairs of runs can be ahead on fewer topics.
    more = ", but by more" if won < lost else ""
    return f"{criterion} {counted(won)}:{counted(lost)}{more}{p}"


def _doubts(facts: PairFacts) -> Iterator[list[str]]:
    """What could overturn the answer, each only where it does."""
    if changed := [row for row in facts.depths if row["changes"]]:
        yield list(_depths(facts, changed))
    for each, over in facts.over_ties.items():
        mean = facts.records[each]["mean"]
        if mean and not math.isnan(over) and _sign(over) != _sign(mean):
            ahead = {1: facts.a, -1: facts.b}.get(_sign(over), "neither")
            yield [
                f"Ties decide {each}: averaged over tie orders, {ahead} is ahead ({over:{MEAN}})."
            ]
    known = {
        system: share
        for system, share in zip((facts.a, facts.b), facts.judged, strict=True)
        if not math.isnan(share)
    }
    of_rankings = any(each.named is not None for each in facts.records)
    if of_rankings and known and min(known.values()) < _JUDGED:
        shares = ", ".join(f"{share:.0%} for {system}" for system, share in known.items())
        yield [
            f"Judged among the first 10 documents: {shares}.",
            "Judging the others could change the answer.",
        ]


def _depths(facts: PairFacts, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the two come to where both are cut at the smaller of their depths."""
    row = rows[0]
    yield (
        f"{facts.b} lists up to {count_of(row['depth_b'], 'document')} a topic, {facts.a} up to "
        f"{row['depth_a']:,}."
    )
    means = (
        "{} is {}, not {}".format(each["preference"], *both_means(each)) for each in rows[:_NAMED]
    )
    depth = Option("depth", row["depth"])
    yield Message(f"Cut at {row['depth']:,} (", depth, f"), {'; '.join(means)}.")


def board_answer(
    main: Criterion, records: Sequence[Record], size: str, board: Leaderboard | None
) -> Iterator[str]:
    """Who leads, and who may be as good.

    Args:
        main: What the systems are ordered by.
        records: The record of every system, best first.
        size: How many there are, and on what they are compared, in words.
        board: The leaderboard with its tests; None if nothing was tested.
    """
    equal = [record["system"] for record in records if record["mean"] == records[0]["mean"]]
    lead = f"{named(equal)} {'leads' if len(equal) == 1 else 'lead equally'}"
    won = any(record["wins"] for record in records)
    yield f"{lead if won else 'No system wins any topic'} by {main} ({size})."
    if board is None or not board.tests.tested:
        return
    best = board["system"][board["best"]].tolist()
    said = f"{count_of(len(best), 'system')} ({named(best)})"
    if len(best) == len(records):
        said = f"all {len(best):,} systems"
    said = f"Best, or not significantly worse: {said}. "
    tests = board.tests
    tested = tests.how["pairs"]
    untested = len(records) * (len(records) - 1) // 2 - tested
    if len(best) == len(equal) == 1:
        # With pairs that were not tested, it may be alone as it was tested against none.
        others = f"It is significantly better than all {len(records) - 1:,} others. "
        said = others if not untested else ""
    pairs = f"{tests['significant'].sum():,} of {tested:,} pairs differ significantly"
    yield f"{said}{pairs}{f'; {untested:,} could not be tested' if untested else ''}."


def baseline_answer(
    main: Criterion,
    baseline: str,
    size: str,
    records: Sequence[Record],
    how: Mapping[str, Any],
    detectable: tuple[float, float, float] | None,
) -> Iterator[str]:
    """Who is better than the baseline, who is worse, and who is open.

    Args:
        main: The first preference.
        baseline: The baseline.
        size: On what they are compared, in words.
        records: The record of every other system, best first, with what its test says.
        how: How they were tested.
        detectable: The least, the median and the greatest mean that would be found of those left open.
    """
    if not any("p" in record for record in records):
        ahead = sum(record["mean"] > 0 for record in records)
        several = count_of(len(records), "system")
        yield f"By {main} on {size}, {ahead:,} of {several} are ahead of {baseline}; nothing was tested."
        return
    asked = {None: "better", "noninferior": "not worse", "equivalent": "equivalent"}
    first = asked[how.get("alternative")]
    kinds: dict[str, list[str]] = {}
    for record in records:
        mean = format(record["mean"], MEAN if main.of_scores else _SHORT)
        kind = _kind(record)
        # With a margin, p is of what was asked.
        of_this = "p" in record and (kind == first or "verdict" not in record)
        p = f", {p_words(record['p_adjusted'], how)}" if of_this else ""
        kinds.setdefault(kind, []).append(f"{record['system']} ({mean}{p})")
    found_so = named(kinds.pop(first)) if first in kinds else f"none of {len(records):,}"
    than = "As good as" if first == "equivalent" else f"{first.capitalize()} than"
    margin = "" if how.get("margin") is None else f" (margin {how['margin']:g})"
    yield f"{than} {baseline} by {main} on {size}{margin}: {found_so}."
    undecided, untested = (kinds.pop(kind, []) for kind in ("undecided", "not tested"))
    others = [
        f"{kind.capitalize()}: {named(kinds[kind])}."
        for kind in ("better", "not worse", "equivalent", "worse")
        if kind in kinds
    ]
    if undecided:
        others.append(f"Not decided: {len(undecided):,}.")
        others += detectable_words(detectable)
    if untested:
        others.append(f"Not tested, as there are too few runs or common topics: {named(untested)}.")
    yield from ([" ".join(others)] if others else [])


def _kind(record: Record) -> str:
    """What is shown of a system and its baseline."""
    if "verdict" in record:
        return str(record["verdict"])
    if "p" not in record:
        return "not tested"
    if not record["significant"]:
        return "undecided"
    return "better" if record["mean"] > 0 else "worse"


def close_words(whose: str) -> Iterator[str]:
    """What is said of p-values that other random numbers could move over alpha.

    Args:
        whose: Whose they are; nothing is said of nobody.
    """
    if whose:
        more = Option("n_resamples", ...)
        said = f"{whose} is within its Monte Carlo error of α: more resamples ("
        yield Message(said, more, ") settle it.")


def p_words(p: float, how: Mapping[str, Any]) -> str:
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


def counted(number: float) -> str:
    """Of topics, in tenths where their number is an expected one."""
    return f"{number:.1f}" if isinstance(number, float) else f"{number:,}"

"""The answer of a comparison in sentences: who is better, how sure that is, and whom it serves.

The first sentence is the headline, which says what holds in every check.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.leaderboard import Leaderboard
from irpref.pairwise.pair_facts import PairFacts
from irpref.pairwise.pair_table import Record
from irpref.report.table import MEAN, count_of, counted, mean_words, p_words
from irpref.show.reports.check_words import (
    baseline_check_words,
    board_check_words,
    check_words,
    failing,
    selection_words,
)
from irpref.show.reports.comparison_notes import detectable_words, level_words
from irpref.show.reports.coverage_report import JUDGED_ENOUGH, unjudged_words
from irpref.stats.corrections import close_to_alpha

WHICH_PREFERENCE = "https://irpref.github.io/irpref/which-preference.html"
# A sentence names at most so many systems, with so many characters in all.
_NAMED, _ROOM = 3, 90
_SHORT = "+.2f"
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


def pair_answer(facts: PairFacts, voter: str = "topic") -> Iterator[str]:
    """Who of two is better by the first preference, how sure that is, and whom each serves.

    Args:
        facts: What is known of them.
        voter: What is won and lost.

    Yields:
        The headline, then a paragraph for each of these.
    """
    main, record = next(iter(facts.records.items()))
    votes = round(sum(record[name] for name in main.outcomes))
    if not votes:
        yield f"{facts.a} and {facts.b} share no {voter} with {main.looked_for}."
        return
    yield f"{_headline(facts, main, voter)}."
    for paragraph in (_evidence(facts, main, count_of(votes, voter), voter), _users(facts, main)):
        if sentences := list(paragraph):
            first, *more = sentences
            yield Message(first, *(part for sentence in more for part in (" ", sentence)))


def _headline(facts: PairFacts, main: Criterion, voter: str) -> str:
    record, better = facts.records[main], _better(facts, main)
    worse = facts.a if better == facts.b else facts.b
    # Whoever is ahead stands first.
    neither, check = f"Neither {better or facts.a} nor {worse}", failing(facts.checks.get(main, ()))
    if (verdict := record.get("verdict")) is not None:
        shown = _SHOWN.get(verdict, _ASKED[facts.how["alternative"]])
        but = "" if check is None else f" as given; {selection_words(check)}, that is not shown"
        return (
            f"By {main} and a margin of {facts.how['margin']:g}, {facts.a} {shown} {facts.b}{but}"
        )
    if better is None and not record["wins"] + record["losses"]:
        tied = not any(record[name] for name in main.own_outcomes)
        said = f"{facts.a} and {facts.b} tie on every" if tied else f"{neither} wins a"
        return f"{said} {voter} by {main}"
    if better is None:
        return f"{neither} is ahead by {main}: the mean is 0"
    if "p" not in record:
        return f"{better} is ahead of {worse} by {main}; nothing was tested"
    if not record["significant"]:
        return f"{neither} is shown to be better by {main}"
    return _sure_headline(facts, main, better, worse)


def _sure_headline(facts: PairFacts, main: Criterion, better: str, worse: str) -> str:
    """The headline of a significant difference: in full only if it holds in every check."""
    record, check = facts.records[main], failing(facts.checks.get(main, ()))
    if check is None:
        return f"{better} is better than {worse} by {main}"
    alpha, p = facts.how["alpha"], p_words(record["p_adjusted"], facts.how["alpha"])
    is_so = "is better than" if check["outcome"] == "weaker" else "is ahead of"
    given = f"as given ({p})" if check["outcome"] == "weaker" else f"({p})"
    but = check_words(check, better, worse, alpha, facts.topics)
    return f"{better} {is_so} {worse} by {main} {given}{but}"


def _evidence(facts: PairFacts, main: Criterion, votes: str, voter: str) -> Iterator[str]:
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
    numbers = [f"mean {mean_words(mean, form)}"]
    if not math.isnan(low + high):
        ends = f"{mean_words(low, form)} to {mean_words(high, form)}"
        numbers.append(f"{level_words(facts.how)} {ends}")
    if "p" in record:
        numbers.append(p_words(record["p"], facts.how["alpha"]))
        if (pairs := facts.how["pairs"]) > 1:
            p = p_words(record["p_adjusted"], facts.how["alpha"])
            numbers.append(f"corrected for {pairs:,} pairs {p}")
    sure = ": significant" if _is_sure(record) and "verdict" not in record else ""
    yield f"{said}{sure} ({', '.join(numbers)})."
    least = record.get("detectable", math.nan)
    if "p" in record and close_to_alpha(record["p"], record["p_adjusted"], facts.how):
        yield from close_words("p")
    elif not _is_sure(record) and not math.isnan(least):
        yield from detectable_words((least, least, least), voter, form[1:])


def _users(facts: PairFacts, main: Criterion) -> Iterator[str]:
    """Which users other preferences show to be served better by one of the two, and which show nothing."""
    by_system: dict[str, list[str]] = {}
    alike, fragile = dict[str, str](), dict[tuple[str, str], list[str]]()
    for each, record in list(facts.records.items())[1:]:
        # With a margin, p is not of who is ahead.
        if each.audience is None or "p" not in record or "verdict" in record:
            continue
        ahead = _better(facts, each)
        if ahead is None or not record["significant"]:
            alike[str(each)] = p_words(record["p_adjusted"], facts.how["alpha"])
        elif (check := failing(facts.checks.get(each, ()))) is not None:
            fragile.setdefault((ahead, selection_words(check)), []).append(str(each))
        else:
            served = f"for those who {each.audience} ({_score(facts, each)})"
            by_system.setdefault(ahead, []).append(served)
    better = _better(facts, main) if _holds(facts, main) else None
    different = len({*by_system, *filter(None, [better])}) > 1
    also = "also " if better in by_system and not different else ""
    parts = [f"{system} is {also}ahead {' and '.join(of)}" for system, of in by_system.items()]
    if parts:
        yield f"{'They serve different users: ' * different}{', '.join(parts)}."
    for (system, there), names in fragile.items():
        yield f"By {' and '.join(names)}, {system} is better only as given; {there}, that is not shown."
    if alike:
        listed, ps = " and ".join(alike), ", ".join(alike.values()).replace(", p = ", ", ")
        yield f"{listed} show{'s' * (len(alike) == 1)} no difference ({ps})."
    if different:
        yield f"Which users do you have? {WHICH_PREFERENCE}"


def tie_words(facts: PairFacts) -> Iterator[str]:
    """By which preferences the order of ties decides who of two is ahead."""
    for each, over in facts.over_ties.items():
        mean = facts.records[each]["mean"]
        if mean and not math.isnan(over) and _sign(over) != _sign(mean):
            ahead = {1: facts.a, -1: facts.b}.get(_sign(over), "neither")
            averaged = f"averaged over tie orders, {ahead} is ahead ({mean_words(abs(over))})"
            yield f"Ties decide {each}: {averaged}."


def judged_words(facts: PairFacts) -> Iterator[str]:
    """How many of the first documents of two are judged, where the others could change an answer."""
    pairs = list(zip((facts.a, facts.b), facts.judged, strict=True))
    if _better(facts, next(iter(facts.records))) == facts.b:
        pairs.reverse()
    shares = {system: share for system, share in pairs if not math.isnan(share)}
    of_rankings = any(each.named is not None for each in facts.records)
    if of_rankings and shares and min(shares.values()) < JUDGED_ENOUGH:
        listed = ", ".join(f"{share:.0%} for {system}" for system, share in shares.items())
        unjudged = unjudged_words(list(facts.records))
        yield f"Judged of the first 10 documents: {listed}.{unjudged}"


def _score(facts: PairFacts, criterion: Criterion) -> str:
    """What is won and lost by a criterion, the winner's first, and its p."""
    record = facts.records[criterion]
    counts = record["wins"], record["losses"]
    won, lost = counts if _better(facts, criterion) == facts.a else counts[::-1]
    p = f", {p_words(record['p_adjusted'], facts.how['alpha'])}"
    # A mean over the pairs of runs can be ahead on fewer topics.
    more = ", but by more" if won < lost else ""
    return f"{criterion} {counted(won)}:{counted(lost)}{more}{p}"


def board_answer(
    main: Criterion,
    records: Sequence[Record],
    size: str,
    board: Leaderboard | None,
    wins: Sequence[Record | None],
) -> Iterator[str]:
    """Who leads, and who may be as good.

    Args:
        main: What the systems are ordered by.
        records: The record of every system, best first.
        size: How many there are, and on what they are compared, in words.
        board: The leaderboard with its tests; None if nothing was tested.
        wins: Of each system that the first one is better than, the check that does not hold, or None.
    """
    equal = [record["system"] for record in records if record["mean"] == records[0]["mean"]]
    lead = f"{named(equal)} {'leads' if len(equal) == 1 else 'lead equally'}"
    won = any(record["wins"] for record in records)
    tested = board is not None and board.tests.tested
    but = board_check_words(wins) if len(equal) == 1 else ""
    yield f"{lead if won else 'No system wins any topic'} by {main} ({size}){but}."
    if board is None or not tested:
        return
    best = board["system"][board["best"]].tolist()
    said = f"{count_of(len(best), 'system')} ({named(best)})"
    if len(best) == len(records):
        said = f"all {len(best):,} systems"
    said = f"Best, or not significantly worse: {said}. "
    tests = board.tests
    number = tests.how["pairs"]
    untested = len(records) * (len(records) - 1) // 2 - number
    if len(best) == len(equal) == 1:
        # With pairs that were not tested, it may be alone as it was tested against none.
        others = "both others" if len(records) == 3 else f"all {len(records) - 1:,} others"
        given = "As given, it" if but else "It"
        said = "" if untested else f"{given} is significantly better than {others}. "
    pairs = f"{tests['significant'].sum():,} of {number:,} pairs differ significantly"
    yield f"{said}{pairs}{f'; {untested:,} could not be tested' if untested else ''}."


def baseline_answer(
    main: Criterion,
    baseline: str,
    size: str,
    records: Sequence[Record],
    how: Mapping[str, Any],
    checks: Mapping[frozenset[str], Sequence[Record]],
    without_judged: Collection[str] = (),
) -> Iterator[str]:
    """Who is better than the baseline, who is worse, and who is open.

    Args:
        main: The first preference.
        baseline: The baseline.
        size: On what they are compared, in words.
        records: The record of every other system, best first, with what its test says.
        how: How they were tested.
        checks: By two systems, their checks, the worst one first.
        without_judged: Systems that retrieved no judged document: nothing is known of them.
    """
    if not any("p" in record for record in records):
        ahead = sum(record["mean"] > 0 for record in records)
        several = count_of(len(records), "system")
        yield f"By {main} on {size}, {ahead:,} of {several} are ahead of {baseline}; nothing was tested."
        return
    asked = {None: "better", "noninferior": "not worse", "equivalent": "equivalent"}
    first, form = asked[how.get("alternative")], MEAN if main.of_scores else _SHORT
    kinds: dict[str, list[str]] = {}
    for record in records:
        system, kind = record["system"], _kind(record)
        words = [mean_words(record["mean"], form)]
        # With a margin, p is of what was asked.
        if "p" in record and (kind == first or "verdict" not in record):
            words.append(p_words(record["p_adjusted"], how["alpha"]))
        check = failing(checks.get(frozenset((system, baseline)), ()))
        if check is not None:
            kind = f"{kind} only as given"
            side = check if check["a"] == system else {**check, "mean": -check["mean"]}
            words.append(baseline_check_words(side, how["alpha"], form))
        if system in without_judged:
            kind, words = "without judged documents", ["nothing is known"]
        kinds.setdefault(kind, []).append(f"{system} ({', '.join(words)})")
    found_so = named(kinds.pop(first)) if first in kinds else f"none of {len(records):,}"
    than = "As good as" if first == "equivalent" else f"{first.capitalize()} than"
    margin = "" if how.get("margin") is None else f" (margin {how['margin']:g})"
    yield f"{than} {baseline} by {main} on {size}{margin}: {found_so}."
    undecided, untested = (kinds.pop(kind, []) for kind in ("undecided", "not tested"))
    others = [f"{kind.capitalize()}: {named(systems)}." for kind, systems in sorted(kinds.items())]
    if undecided:
        others.append(f"Not decided: {len(undecided):,}.")
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


def named(names: Sequence[str]) -> str:
    """The first few names, as many as a sentence has room for, and how many more there are."""
    shown = list(names[:_NAMED])
    while len(shown) > 1 and len(", ".join(shown)) > _ROOM:
        shown.pop()
    if len(names) - len(shown) == 1 and len(shown) > 1:
        shown.pop()
    more = len(names) - len(shown)
    others = f" and {more:,} other{'s' * (more > 1)}"
    return ", ".join(shown) + others * (more > 0)


def _better(facts: PairFacts, criterion: Criterion) -> str | None:
    sign = _sign(facts.records[criterion]["mean"])
    return {1: facts.a, -1: facts.b}.get(sign)


def _holds(facts: PairFacts, criterion: Criterion) -> bool:
    """Whether a difference is significant, and is so in every check."""
    return _is_sure(facts.records[criterion]) and not failing(facts.checks.get(criterion, ()))


def _is_sure(record: Record) -> bool:
    return bool(record.get("significant", False))


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)

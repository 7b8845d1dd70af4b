"""What is known of two systems before anything is said: outcomes, tests, ties, judgments and depths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irpref.base.arrays import Floats, Pairs
from irpref.base.named import Named
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.over_runs import over_runs
from irpref.pairwise.pair_rows import PairRows, Tests
from irpref.pairwise.standings import Record, pair_records, records_of
from irpref.pairwise.totals import Totals, sum_topics
from irpref.positions.placements import Placements

_INTERVAL = ("low", "high")
_TESTED = (*_INTERVAL, "p", "p_adjusted", "significant", "detectable", "verdict")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairFacts:
    """What is known of two systems.

    Attributes:
        a: The first system.
        b: The second system.
        records: By criterion, the first one first: topics, mean (above 0 if a is better), outcomes, and
            where it is tested, what the test says.
        over_ties: By criterion that follows the order of tied scores, its mean averaged over tie orders.
        judged: Which share of the first 10 documents of each is judged; NaN if it is not known.
        depths: The rows of :meth:`.UnequalDepths.of` of the two: both cut at the smaller of their depths.
        how: How the first criterion was tested, by option; nothing if it was not.
    """

    a: str
    b: str
    records: Mapping[Criterion, Record]
    over_ties: Mapping[Criterion, float]
    judged: tuple[float, float]
    depths: Sequence[Mapping[str, Any]] = ()
    how: Mapping[Any, Any] = field(default_factory=dict)


def over_tie_orders(named: Named | None) -> Named | None:
    """What takes the mean over all orders of tied scores, where this follows trec_eval's; else None."""
    if named is not None and getattr(named, "ties", "trec") == "trec":
        with suppress(TypeError, ValueError):
            return named(ties="expected")
    return None


def means_over_ties(
    placements: Placements, criteria: Sequence[Criterion], order: Sequence[int]
) -> dict[Criterion, Floats]:
    """By criterion, the (S, S) means of some systems, averaged over tie orders; NaN of runs in rank order.

    Those without such a mean are not among them; none is where no relevant document ties.
    """
    names, order_of = placements.of_runs.systems, placements.reading.order_of
    ranked = [
        any(order_of(names[run]) == "rank" for run in placements.members[each]) for each in order
    ]
    expected = {
        each: as_criterion(over)
        for each in criteria
        if (over := over_tie_orders(each.named)) is not None
    }
    runs = [run for each in order for run in placements.members[each]]
    if not expected or all(ranked) or not placements.covered(0).tied[runs].any():
        return {}
    sums = sum_topics(placements, over_runs(list(expected.values()), placements), first=order)
    unknown = np.logical_or.outer(ranked, ranked)
    return {
        each: np.where(unknown, np.nan, of.mean) for each, of in zip(expected, sums, strict=True)
    }


def told_of(criteria: Iterable[Criterion]) -> list[Criterion]:
    """What sentences on two systems are about: the first criterion, and those that ask about some users."""
    return [each for n, each in enumerate(criteria) if n == 0 or each.users is not None]


def pair_facts(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    order: Sequence[int],
    pairs: Pairs,
    tests: Tests,
    depths: Iterable[Record],
) -> Iterator[PairFacts]:
    """What is known of some pairs of systems.

    Args:
        placements: The placements.
        totals: By criterion, its sums.
        order: The systems that the pairs are of.
        pairs: The first and the second systems.
        tests: By criterion that is tested, its rows.
        depths: The rows of :meth:`.UnequalDepths.of` of these pairs.
    """
    first, second = pairs
    names = placements.systems
    told = told_of(totals)
    over = means_over_ties(placements, told, order)
    place = np.zeros(len(names), dtype=np.intp)
    place[list(order)] = np.arange(len(order))
    over_ties = {each: of[place[first], place[second]].tolist() for each, of in over.items()}
    judged = placements.covered(0).told_judged
    deeper: dict[tuple[str, str], list[Record]] = {}
    for row in depths:
        deeper.setdefault((row["a"], row["b"]), []).append(row)
    columns = {each: pair_records(each, totals[each], pairs) for each in told}
    known = {each: tested_pairs(tests[each]) for each in told if each in tests}
    how = tests[told[0]].attrs if told[0] in tests else {}
    for number, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        pair = names[a], names[b]
        yield PairFacts(
            a=pair[0],
            b=pair[1],
            records={
                each: {**columns[each][number], **known.get(each, {}).get(pair, {})}
                for each in told
            },
            over_ties={each: of[number] for each, of in over_ties.items()},
            judged=(judged[pair[0]], judged[pair[1]]),
            depths=deeper.get(pair, ()),
            how=how,
        )


def tested_pairs(tests: PairRows) -> dict[tuple[str, str], Record]:
    """By pair, in either order, what the tests say of it."""
    found: dict[tuple[str, str], Record] = {}
    for row in records_of({name: tests[name] for name in ("a", "b", *_TESTED) if name in tests}):
        pair = row.pop("a"), row.pop("b")
        # Of too few runs, an interval is all that there is.
        some = _INTERVAL if math.isnan(row["p"]) else row
        found[pair] = own = {name: row[name] for name in some}
        turned = {**own, "low": -row["high"], "high": -row["low"]}
        if (verdict := own.get("verdict")) is not None:
            turned["verdict"] = {"better": "worse", "worse": "better"}.get(verdict, verdict)
        found.setdefault(pair[::-1], turned)
    return found

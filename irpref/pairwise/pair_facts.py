"""What is known of two systems before anything is said: outcomes, tests, checks, ties and judgments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irpref.base.arrays import Floats
from irpref.base.named import Named
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import PairTable, Record
from irpref.pairwise.totals import sum_topics
from irpref.positions.placements import Placements


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
        topics: How many topics there are.
        checks: By criterion, the rows of its :class:`.CheckTable`, the worst one first.
        how: How the first criterion was tested, by option; nothing if it was not.
    """

    a: str
    b: str
    records: Mapping[Criterion, Record]
    over_ties: Mapping[Criterion, float]
    judged: tuple[float, float]
    topics: int = 0
    checks: Mapping[Criterion, Sequence[Record]] = field(default_factory=dict)
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
    ranked = placements.in_rank_order[list(order)]
    expected = {
        each: as_criterion(over)
        for each in criteria
        if (over := over_tie_orders(each.named)) is not None
    }
    if not expected or ranked.all() or not placements.tied[list(order)].any():
        return {}
    sums = sum_topics(placements, list(expected.values()), first=order)
    unknown = np.logical_or.outer(ranked, ranked)
    return {
        each: np.where(unknown, np.nan, of.mean) for each, of in zip(expected, sums, strict=True)
    }


def told_of(criteria: Iterable[Criterion]) -> list[Criterion]:
    """What sentences on two systems are about: the first criterion, and those that ask about some users."""
    return [each for n, each in enumerate(criteria) if n == 0 or each.audience is not None]


def pair_facts(
    placements: Placements,
    tables: Mapping[Criterion, PairTable],
    order: Sequence[int],
    checks: Mapping[Criterion, Mapping[frozenset[str], Sequence[Record]]],
) -> Iterator[PairFacts]:
    """What is known of some pairs of systems.

    Args:
        placements: The placements.
        tables: By criterion, the same pairs, with what tests say of them.
        order: The systems that the pairs are of.
        checks: By criterion and two systems, their checks, the worst one first.
    """
    told = told_of(tables)
    main, names = tables[told[0]], placements.systems
    first, second = main.pairs
    over = means_over_ties(placements, told, order)
    place = np.zeros(len(names), dtype=np.intp)
    place[list(order)] = np.arange(len(order))
    over_ties = {each: of[place[first], place[second]].tolist() for each, of in over.items()}
    judged = placements.covered(0).told_judged
    records = zip(*(tables[each].records() for each in told), strict=True)
    for number, (a, b, of_pair) in enumerate(zip(*main.names, records, strict=True)):
        yield PairFacts(
            a=a,
            b=b,
            records=dict(zip(told, of_pair, strict=True)),
            over_ties={each: of[number] for each, of in over_ties.items()},
            judged=(judged[a], judged[b]),
            topics=len(placements.topics),
            checks={each: of.get(frozenset((a, b)), ()) for each, of in checks.items()},
            how=main.how,
        )

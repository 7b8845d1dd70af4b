"""What stands below the tables of a comparison: what columns and relations mean, how it was tested."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from irpref.preferences.criterion import Criterion, Relation
from irpref.render.pair_tests import (
    board_words,
    correction_words,
    detectable_words,
    family_words,
    what_is_marked,
    which_test,
)
from irpref.render.table import count_of
from irpref.summarise.certain_wins import CertainWins
from irpref.summarise.pair_tests import detectable_range

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.pair_tests import PairRows


Tests = Mapping[Criterion, "PairRows | pd.DataFrame"]


def leaderboard_notes(
    preferences: Sequence[Criterion],
    others: int,
    *,
    compared: int | None,
    expected: bool,
    tested: PairRows | pd.DataFrame | None,
    lettered: bool,
) -> Iterable[str]:
    """What the columns of a leaderboard are, and how its ranks were tested.

    Args:
        preferences: What the columns of means are by; the first one has wins, ties and losses.
        others: How many opponents each system has.
        compared: On how many topics every two systems are compared; None where that differs.
        expected: Whether the counts are expected ones.
        tested: The leaderboard of the first preference with its tests; None if nothing was tested.
        lettered: Whether the table shows letters.
    """
    main = preferences[0]
    yield (
        f"{_what_is_averaged(preferences, others)}. Wins, ties and losses count duels by {main}"
        f"{_duels(compared, others)}."
    )
    if expected:
        yield "Counts are expected ones, over all orders of the tied scores."
    if tested is None:
        return
    said = board_words(tested, main, lettered=lettered)
    if "rank_low" not in tested:
        yield said
        return
    together = tested.attrs["ranks"] is not None
    yield f"{said} rank within: {100 * (1 - tested.attrs['alpha']):g} % " + (
        "intervals of the ranks, which hold all together (joint sign flips)."
        if together
        else "interval of each rank by itself, from a bootstrap over topics."
    )


def mark_notes(tests: Tests | None, shown: Collection[Criterion] = ()) -> Iterable[str]:
    """What † marks, and by which test: a line for all preferences.

    Args:
        tests: By preference, its tests.
        shown: The preferences that have columns.
    """
    all_tested = all(each in (tests or {}) for each in shown)
    kinds: dict[str, dict[str, list[str]]] = {}
    for preference, frame in (tests or {}).items():
        how = frame.attrs
        several = len(frame) > 1
        family = family_words(how) if several else "one pair, not corrected"
        if "preferences" in how:
            family = f"{how['family']} as one family{correction_words(how)}, intervals joint"
        kind = kinds.setdefault(f"{what_is_marked(how)}, {family}, α = {how['alpha']:g}", {})
        kind.setdefault(which_test(how, several=several), []).append(str(preference))
    for marked, by in kinds.items():
        made = "; ".join(f"{_listed(names)} by {words}" for words, names in by.items())
        yield f"† {marked}: {made}.{'' if all_tested else ' The other columns are means.'}"
    for frame in (tests or {}).values():
        if len(frame) > 1:
            yield from detectable_words(detectable_range(frame))


def relation_notes(preferences: Iterable[Criterion], whose: str) -> Iterable[str]:
    """What the relations say that a table shows, a line for all preferences that have the same ones.

    Args:
        preferences: What the table shows.
        whose: The system that the relations are of.
    """
    legends: dict[str, list[str]] = {}
    for preference in preferences:
        if preference.has_relations:
            relations = sorted(preference.relations, key=_rank)
            *some, last = [f"{each.label} ({_meant(each)})" for each in relations]
            legend = f"{', '.join(some)} or {last}" if some else last
            legends.setdefault(legend, []).append(str(preference))
    for legend, names in legends.items():
        say = "says" if len(names) == 1 else "say"
        yield f"{_listed(names)} {say} of {whose}: {legend}."


def certain_notes(certain: Iterable[CertainWins]) -> Iterable[str]:
    """How many wins are certain, a line for all preferences that were asked."""
    counts = [f"{each.certain:,} of {each.wins:,} wins of {each.preference}" for each in certain]
    if counts:
        yield f"Certain: {_listed(counts)} hold however the unjudged documents are judged."


def outcome_notes(preferences: Iterable[Criterion], tests: Tests | None) -> Iterable[str]:
    """What the columns of outcomes count, or what the verdicts say."""
    if any("verdict" in frame for frame in (tests or {}).values()):
        yield (
            "better, worse: the mean is above, below 0 (at half of α each); undecided: nothing is shown."
        )
        return
    text = "W/T/L: topics won, tied and lost against the baseline"
    for preference in preferences:
        own = preference.own_outcomes.values()
        meanings = [f"{each.label}: {_meant(each)}" for each in own]
        if meanings:
            text += f"; of {preference} {', '.join(meanings)}"
    yield f"{text}."


def _rank(relation: Relation) -> int:
    counts = ("wins", "losses", "ties")
    return counts.index(relation.counts_as) if relation.counts_as in counts else len(counts)


def _meant(relation: Relation) -> str:
    return relation.meaning or relation.counts_as


def _what_is_averaged(preferences: Sequence[Criterion], others: int) -> str:
    measured = [str(each) for each in preferences if each.of_scores]
    if len(measured) == len(preferences):
        return f"Each column is the mean difference of the scores to the {others} other systems"
    text = f"Each column is the mean preference over the {others} other systems, from -1 to +1"
    if measured:
        text += f" (of {', '.join(measured)} the mean difference of the scores)"
    return text


def _duels(topics: int | None, others: int) -> str:
    """How many duels each system has."""
    if topics is None:
        return ": one for each topic and opponent of a system"
    product = f"{count_of(topics, 'topic')} × {count_of(others, 'opponent')}"
    return f": {topics * others:,} duels a system = {product}"


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last

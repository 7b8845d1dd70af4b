"""What stands below the tables of a comparison: what columns and relations mean, how it was tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irpref.methods.preferences.criterion import Criterion, Relation
from irpref.pairwise.leaderboard import Leaderboard
from irpref.pairwise.pair_table import Tests
from irpref.pairwise.pair_tests import detectable_range
from irpref.stats.method import POWER
from irpref.stats.tests import known_test

OF_TASKS = {
    "topics": "on the topics of these tasks, as strata",
    "tasks": "on the means of the tasks, for other tasks like these",
}
"""By what might have been other: on what several tasks are tested."""
CORRECTION_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}


def mark_notes(tests: Tests) -> Iterable[str]:
    """What † marks, and by which test: a line for all preferences."""
    kinds: dict[str, dict[str, list[str]]] = {}
    for preference, table in tests.items():
        how = table.how
        if not table.tested:
            continue
        several = len(table) > 1
        family = family_words(how) if several else "one pair, not corrected"
        kind = kinds.setdefault(f"{mark_meaning(how)}, {family}, α = {how['alpha']:g}", {})
        by = _test(how) + (correction_words(how) if several else "")
        kind.setdefault(by, []).append(str(preference))
    for marked, kind in kinds.items():
        made = "; ".join(f"{_listed(names)} by {words}" for words, names in kind.items())
        yield f"† {marked}: {made}."
    if any(len(table) > 1 and "low" in table for table in tests.values()):
        yield "Each interval is of its pair alone; p is corrected for all of them."


def relation_notes(preferences: Iterable[Criterion]) -> Iterable[str]:
    """What the relations say that a table shows, a line for all preferences that have the same ones."""
    legends: dict[str, list[str]] = {}
    for preference in preferences:
        if preference.has_relations:
            legends.setdefault(legend(preference), []).append(str(preference))
    for words, names in legends.items():
        yield f"{_listed(names)} {'names' if len(names) == 1 else 'name'} {words}."


def legend(preference: Criterion) -> str:
    """Whom the relations of a preference name, and what their other words mean.

    Example:
        >>> from irpref import LP
        >>> legend(LP(unjudged="any") @ 5).partition(";")[0]
        'who is better, however the unjudged documents are judged'
    """
    relations = preference.relations
    wins = [
        f"who is {win.meaning}" if win.meaning else "who wins" for win in relations if win.sign > 0
    ]
    words = [f"{even.cell('', '')}: {meant(even)}" for even in relations if not even.sign]
    # What ties comes last.
    return "; ".join([*dict.fromkeys(wins), *sorted(words, key=lambda word: word[0] == "=")])


def certain_notes(certain: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """How many wins are certain, a line for all preferences that were asked."""
    counts = [f"{of['certain']:,} of {of['wins']:,} wins of {name}" for name, of in certain.items()]
    if counts:
        however = "cannot become losses, however the unjudged documents are judged"
        yield f"Certain: {_listed(counts)} {however}."


def meant(relation: Relation) -> str:
    return relation.meaning or relation.counts_as


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def how_tested(how: Mapping[str, Any]) -> str:
    """How a test was made, as the caption of a table says it."""
    return f"{_test(how)}, {family_words(how)}{correction_words(how)}, α = {how['alpha']:g}"


def family_words(how: Mapping[str, Any]) -> str:
    """What is tested at once, and how many pairs these are."""
    pairs = how.get("pairs", 1)
    if how["family"] == "all pairs":
        return f"all {pairs:,} pairs"
    return f"{how['family']} ({pairs:,} pairs)" if pairs > 1 else str(how["family"])


def board_words(board: Leaderboard, main: object) -> Iterable[str]:
    """How a leaderboard was tested, and what its ranks are, in sentences.

    Args:
        board: The leaderboard with its tests.
        main: What its systems are ordered by.
    """
    tasks = f", {OF_TASKS[board.how['resample']]}" if "resample" in board.how else ""
    yield f"Tested by {main}: {how_tested(board.how)}{tasks}."
    yield from detectable_words(detectable_range(board.tests))
    level = f"{100 * (1 - board.how['alpha']):g} %"
    sure = f", with a chance of {level} all of them" * controls_family(board.how)
    yield f"Ranks in brackets follow from these tests{sure}."


def controls_family(how: Mapping[str, Any]) -> bool:
    """Whether alpha is the chance of any false difference: not by "bh", nor of pairs that none corrects."""
    if how["correction"] is None:
        return how["pairs"] == 1 or known_test(how["test"]).correction is None
    return bool(how["correction"] != "bh")


def detectable_words(
    found: tuple[float, float, float] | None, voter: str = "topic", form: str = ".2f"
) -> Iterable[str]:
    """What pairs that are not significant could have shown: a sentence, if there is anything to say.

    Args:
        found: The least, the median and the greatest mean that would be found of them.
        voter: What is tested.
        form: How a mean is written.
    """
    if found is not None:
        least, median, most = (f"±{each:{form}}" for each in found)
        spread = "" if least == most else f"; {least} to {most} by pair"
        likely = f"would likely be found (power {POWER:g}{spread}) if {voter}s vary as these do"
        yield f"A mean of {median} or more {likely}."


def mark_meaning(how: Mapping[str, Any]) -> str:
    """What † says of a pair."""
    if how.get("margin") is None:
        return "significant"
    if how["alternative"] == "noninferior":
        return f"better, or less than {how['margin']:g} worse"
    return f"equivalent: less than {how['margin']:g} apart"


def _test(how: Mapping[str, Any]) -> str:
    test, drawn = known_test(how["test"]), ""
    if test.draws:
        drawn = " (exact)" if how["n_resamples"] is None else f" (B = {how['n_resamples']:,})"
    return test.title + drawn


def level_words(how: Mapping[str, Any]) -> str:
    """What intervals are called.

    Example:
        >>> level_words({"alpha": 0.05})
        '95 % interval'
    """
    # Two tests at alpha, one on each side of a margin, have an interval of 1 - 2 alpha.
    tails = 1 if how.get("margin") is None else 2
    return f"{100 * (1 - tails * how['alpha']):g} % interval"


def correction_words(how: Mapping[str, Any]) -> str:
    """What corrects the p-values, as it goes on a sentence."""
    if how["correction"] is not None:
        return f", corrected by {CORRECTION_NAMES[how['correction']]}"
    return "" if known_test(how["test"]).correction is None else ", not corrected"

"""How a test was made, in words, and what it says of each pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from irpref.render.table import count_of
from irpref.stats.method import POWER
from irpref.stats.tests import known_test
from irpref.summarise.standings import Record

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.pair_tests import PairRows


_TESTED = ("low", "high", "p", "p_adjusted", "significant", "detectable", "verdict")

CORRECTION_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}


def which_test(how: Mapping[Any, Any], *, several: bool) -> str:
    """The test, and its correction if it is of several pairs."""
    return _test(how) + (correction_words(how) if several else "")


def how_tested(how: Mapping[Any, Any]) -> str:
    """How a test was made, as the caption of a table says it."""
    return f"{_test(how)}, {family_words(how)}{correction_words(how)}, α = {how['alpha']:g}"


def family_words(how: Mapping[Any, Any]) -> str:
    """What is tested at once, and how many pairs these are."""
    pairs = how.get("pairs", 1)
    if how["family"] == "all pairs":
        return f"all {pairs:,} pairs"
    return f"{how['family']} ({pairs:,} pairs)" if pairs > 1 else str(how["family"])


def board_words(
    board: PairRows | pd.DataFrame, main: object, *, lettered: bool, what: str = ""
) -> str:
    """How the ranks of a leaderboard were tested, and what came out.

    Args:
        board: The leaderboard with its tests.
        main: What its systems are ordered by.
        lettered: Whether the table shows letters.
        what: What else is to be said of the test.
    """
    # Intervals of ranks are drawn, even if the test is not.
    how = how_tested({**board.attrs, "n_resamples": board.attrs["test_resamples"]})
    who = "Systems that share a letter do not differ"
    if not lettered:
        who = f"{count_of(board.attrs['significant_pairs'], 'pair')} differ"
    said = [f"{who} significantly by {main} ({how}{what})."]
    return " ".join([*said, *detectable_words(board.attrs["detectable"])])


def detectable_words(found: tuple[float, float, float] | None) -> Iterable[str]:
    """What pairs that are not significant could have shown: a sentence, if there is anything to say."""
    if found is not None:
        least, median, most = (f"{each:.3f}" for each in found)
        spread = "" if least == most else f" (the median of these pairs; {least} to {most})"
        yield f"Not significant: a mean of {median} would be found with power {POWER:g}{spread}."


def what_is_marked(how: Mapping[Any, Any]) -> str:
    """What † says of a pair."""
    if how.get("margin") is None:
        return "significant"
    if how["alternative"] == "noninferior":
        return f"not worse by {how['margin']:g} or more"
    return f"equivalent: neither is worse by {how['margin']:g} or more"


def _test(how: Mapping[Any, Any]) -> str:
    words = known_test(how["test"]).title
    if how["n_resamples"] is not None:
        words += f" (B = {how['n_resamples']:,})"
    return words


def correction_words(how: Mapping[Any, Any]) -> str:
    """What corrects the p-values, as it goes on a sentence."""
    if how["correction"] is not None:
        return f", corrected by {CORRECTION_NAMES[how['correction']]}"
    return "" if known_test(how["test"]).correction is None else ", not corrected"


def tested_rows(tests: PairRows | pd.DataFrame) -> dict[str, Record]:
    """By its first system, what the test says of each pair."""
    names = [name for name in _TESTED if name in tests]
    rows = zip(*(tests[name].tolist() for name in names), strict=True)
    return {a: dict(zip(names, row, strict=True)) for a, row in zip(tests["a"], rows, strict=True)}

"""Families of tests: what is asked at once, and so is corrected at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from irpref.base.literals import Correction
from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import PairTable, Tests
from irpref.pairwise.pair_tests import signed, signed_family
from irpref.pairwise.signature import RunInfo
from irpref.pairwise.testing_options import PairTest, ReportTest
from irpref.report.table import count_of
from irpref.stats.corrections import adjust
from irpref.stats.margins import margin_verdicts

Found = TypeVar("Found")

# More take longer than a test that nobody asked for may.
_MOST_SYSTEMS, _MOST_TOPICS = 200, 10_000


def found_or_why(
    test: ReportTest,
    find: Callable[[PairTest], Found],
    systems: int,
    topics: int,
    *,
    all_pairs: bool = True,
    draws: bool = True,
) -> tuple[Found | None, tuple[Message, ...]]:
    """What a test finds, or why nothing is tested where nobody asked for a test.

    Args:
        test: What is asked: None for the test that fits, unless there are too many systems or topics, or
            too few topics; False for none.
        find: Finds it.
        systems: How many there are.
        topics: On how many they are compared.
        all_pairs: Whether all pairs would be tested.
        draws: Whether the test of several pairs draws signs of every topic.

    Raises:
        ValueError: A test is asked for, and does not fit.
    """
    if test is False:
        return None, ()
    many = (all_pairs and systems > _MOST_SYSTEMS) or (draws and topics > _MOST_TOPICS)
    if test is None and systems > 2 and many:
        said = f"{systems:,} systems on {count_of(topics, 'topic')} were not tested: "
        return None, (Message(said, Option("test", "fit"), " does it, and takes long."),)
    try:
        # One seed, so that it can be given again.
        return find(PairTest.of(test).seeded()), ()
    except ValueError as error:
        if test is not None:
            raise
        why = error.args[0] if len(error.args) == 1 else str(error)
        said = why if isinstance(why, Message) else str(why).partition("; ")[0]
        return None, (Message("Nothing was tested: ", said, "."),)


def family_tests(
    run_info: RunInfo,
    preferences: Sequence[Criterion],
    test: PairTest,
    one: Callable[[Criterion, PairTest], PairTable],
) -> dict[Criterion, PairTable]:
    """The tests of what a comparison asks: one question, one p.

    Of two systems, all preferences are the family. Of more, the first preference is the question, and its
    pairs are the family; the other preferences are described, not tested.

    Args:
        run_info: What is compared.
        preferences: What it compares by; the first one is the question.
        test: The test and its options.
        one: Makes the test of one preference by itself.

    Returns:
        By preference that is tested, the rows of its tests.
    """
    asked = preferences if len(run_info.systems) == 2 else preferences[:1]
    how = of_one_preference(test, len(asked))
    return one_family(run_info, {each: one(each, how) for each in asked}, test)


def of_one_preference(test: PairTest, preferences: int) -> PairTest:
    """The test of one preference among several of two systems: its interval holds jointly."""
    # One seed, so that all have the same random numbers, and it can be given again.
    return replace(test, alpha=test.alpha / preferences, rng=test.seed())


def one_family(run_info: RunInfo, tests: Tests, test: PairTest) -> dict[Criterion, PairTable]:
    """The tests of two systems by several preferences, corrected for all of them.

    The p-values are adjusted step by step (Holm), or as the test's correction says. The intervals hold all
    together (Bonferroni): none excludes 0 where no difference is found.

    Args:
        run_info: What is compared.
        tests: By preference, its test by itself, as of :func:`of_one_preference`.
        test: The test that was asked for.
    """
    if len(tests) == 1:
        return dict(tests)
    correction: Correction | None = "holm" if test.correction == "auto" else test.correction
    # A row is a pair, in one direction or both; the preferences are the family of each.
    adjusted = adjust(np.array([rows["p"] for rows in tests.values()]), correction)
    of_family: dict[str, Any] = {"p_adjusted": adjusted, "significant": adjusted < test.alpha}
    if test.margin is not None and test.alternative is not None:
        claims = ("p", "p_better", "p_worse")
        sides = (np.array([rows[name] for rows in tests.values()]) for name in claims)
        of_family["verdict"] = margin_verdicts(
            test.alternative, *sides, correction=correction, alpha=test.alpha
        )
    found = {}
    names = [str(each) for each in tests]
    for number, (criterion, rows) in enumerate(tests.items()):
        columns = {**rows.columns, **{name: of[number] for name, of in of_family.items()}}
        how = {
            **rows.how,
            "alpha": test.alpha,
            "correction": correction,
            "family": f"{len(names)} preferences ({', '.join(names)})",
            "preferences": names,
        }
        table = replace(rows, columns=columns, how=how)
        topics = int(rows["topics"].max())
        found[criterion] = signed(table, signed_family(table), criterion, run_info, topics=topics)
    return found

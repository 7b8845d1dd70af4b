"""What a test finds, or why nothing is tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from irpref.base.message import Message, Option
from irpref.pairwise.testing_options import PairTest, ReportTest
from irpref.report.table import count_of

Found = TypeVar("Found")

# More take longer than a test that nobody asked for may.
_MOST_SYSTEMS = 200


def found_or_why(
    test: ReportTest,
    find: Callable[[PairTest], Found],
    systems: int,
    topics: int,
    *,
    all_pairs: bool = True,
) -> tuple[Found | None, tuple[Message, ...]]:
    """What a test finds, or why nothing is tested where nobody asked for a test.

    Args:
        test: What is asked: None for the test that fits, unless there are too many systems, or too few
            topics; False for none.
        find: Finds it.
        systems: How many there are.
        topics: On how many they are compared.
        all_pairs: Whether all pairs would be tested.

    Raises:
        ValueError: A test is asked for, and does not fit.
    """
    if test is False:
        return None, ()
    if test is None and all_pairs and systems > _MOST_SYSTEMS:
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

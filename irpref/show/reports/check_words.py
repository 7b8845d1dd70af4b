"""What reports say of checks: what becomes of a difference at an equal depth, or on shared topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_checks import OUTCOMES, CheckTable, differ, looks_below
from irpref.pairwise.pair_table import Record, records_of
from irpref.positions.coverage import Coverage
from irpref.report.table import count_of, counted, mean_words, p_words

_WHERE = {"equal depth": "at equal depth", "shared topics": "on shared topics"}


def checks_by_pair(checks: CheckTable) -> dict[frozenset[str], list[Record]]:
    """By two systems, their checks, the worst one first."""
    found: dict[frozenset[str], list[Record]] = {}
    for row in records_of(checks.columns):
        found.setdefault(frozenset((row["a"], row["b"])), []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: -OUTCOMES.index(row["outcome"]))
    return found


def failing(rows: Sequence[Record]) -> Record | None:
    """The worst of the checks of two systems, if it does not hold."""
    return rows[0] if rows and rows[0]["outcome"] != "holds" else None


def selection_words(row: Record) -> str:
    """How the same files were taken in a check.

    Example:
        >>> selection_words({"check": "equal depth", "depth": 10})
        'cut at 10 both'
    """
    if row["check"] == "equal depth":
        return f"cut at {row['depth']:,} both"
    return f"on the {count_of(row['topics'], 'topic')} that both have"


def check_words(row: Record, a: str, b: str, alpha: float, topics: int) -> str:
    """The second half of a headline: what a check that does not hold says of the better system.

    Args:
        row: The check.
        a: The better system.
        b: The other one.
        alpha: The significance level.
        topics: How many topics there are.
    """
    there, p = selection_words(row), p_words(row["p"], alpha)
    if row["outcome"] == "weaker":
        return f"; {there}, it is ahead, not significantly ({p})"
    loser_lacks = row["lacking_b"] >= row["lacking_a"]
    lacking = row["lacking_b"] if loser_lacks else row["lacking_a"]
    without = (
        f"{b if loser_lacks else a} has no list for {lacking:,} of {count_of(topics, 'topic')}"
    )
    if row["outcome"] == "not checked":
        few = (
            "none is left"
            if not row["topics"]
            else f"{row['topics']:,} left are too few to check that"
        )
        return f", but {without}: {few}"
    if row["check"] == "equal depth":
        why = (
            "only with its longer lists"
            if row["depth_a"] > row["depth_b"]
            else "not at equal depth"
        )
    else:
        why = f"only because {without}" if loser_lacks else f"not on shared topics, as {without}"
        there = f"on the {row['topics']:,} that both have"
    wins = row["losses"]
    won = (
        "all" if wins == row["topics"] else f"{counted(wins)} of {count_of(row['topics'], 'topic')}"
    )
    if row["outcome"] == "reversed":
        return f", but {why}: {there}, {b} wins {won} ({p})"
    if row["mean"] < 0:
        return f", but {why}: {there}, {b} is ahead on {won}, not significantly ({p})"
    return f", but {why}: {there}, neither is ahead ({p})"


def board_check_words(rows: Sequence[Record | None]) -> str:
    """How many wins of the leader do not hold; nothing where all do.

    Args:
        rows: Of each win, the check that does not hold, or None.
    """
    lost = [row for row in rows if row is not None]
    if not lost:
        return ""
    wins = "its only win does" if len(rows) == 1 else f"{len(lost):,} of its {len(rows):,} wins do"
    return f"; {wins} not hold {_where(lost)}"


def _where(lost: Sequence[Record]) -> str:
    """In which checks something does not hold."""
    return " or ".join(dict.fromkeys(_WHERE[row["check"]] for row in lost))


def baseline_check_words(row: Record, alpha: float, form: str) -> str:
    """What a check that does not hold says of a system and its baseline, in brackets behind both.

    Args:
        row: The check, from the side of the better one.
        alpha: The significance level.
        form: How a mean is written.
    """
    if row["outcome"] == "not checked":
        lacking = max(row["lacking_a"], row["lacking_b"])
        return f"not checked, as lists for {count_of(lacking, 'topic')} are missing"
    mean = mean_words(row["mean"], form)
    return f"{selection_words(row)} {mean}, {p_words(row['p'], alpha)}"


def fragile_words(preference: object, checks: CheckTable) -> Message | None:
    """A warning of significant differences that do not hold; None where all do.

    Args:
        preference: What they are by.
        checks: Their checks.
    """
    lost = [row for row in records_of(checks.columns) if row["outcome"] != "holds"]
    if not lost:
        return None
    number = len({(row["a"], row["b"]) for row in lost})
    first = f"the first is {lost[0]['a']} over {lost[0]['b']}"
    differences = f"{count_of(number, 'significant difference')} {'does' if number == 1 else 'do'}"
    said = f"{preference}: {differences} not hold {_where(lost)} ({first}). "
    cut = (Option("depth", ..., python="depth=K"), " cuts all runs.")
    return Message(said, *(cut if any(row["depth"] for row in lost) else ()))


def unchecked_words(
    coverage: Coverage, criteria: Sequence[Criterion], *, sums: bool
) -> Iterator[str]:
    """What is said of lists of unequal depth that no check can cut.

    Args:
        coverage: What was read.
        criteria: What is compared by.
        sums: Whether only sums over the topics are known.
    """
    depths, reading = coverage.depths, coverage.reading
    if not (sums or reading.judged_only) or reading.depth is not None:
        return
    if any(map(looks_below, criteria)) and differ(depths[:, None], depths).any():
        why = "sums over the topics do" if sums else "runs without their unjudged documents do"
        yield depth_words(depths.tolist(), f"{why} not show whether that matters")


def depth_words(depths: Sequence[int], doubt: str) -> Message:
    """That lists of unequal depth are not checked.

    Args:
        depths: The depths of all runs.
        doubt: What follows of that.
    """
    documents = f"{min(depths):,} to {max(depths):,} documents"
    option = Option("depth", ..., python="depth=K")
    return Message(
        f"The longest lists of the runs have {documents}, and {doubt}: ", option, " cuts all runs."
    )

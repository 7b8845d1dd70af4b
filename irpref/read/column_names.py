"""What tables call their columns: the words that people and tools use, or the names that are given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from irpref.base.errors import InputError, warn
from irpref.base.escape import shortened
from irpref.base.message import Message, Option
from irpref.base.reading_options import USUAL, Reading
from irpref.read.columns import Column, numbers_of
from irpref.read.text import COLUMNS, Kind

# A thing a row, its surest word first: beside an id, a word such as query is the text of it.
_WORDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "topic": (
        ("qid|queryid", "query"),
        ("topicid|topicno", "topic"),
        ("userid|uid", "user"),
        ("sessionid", "session"),
    ),
    "document": (
        ("docno|docid|documentid|did", "document|doc"),
        ("corpusid",),
        ("itemid|iid", "item"),
        ("passageid|pid", "passage"),
        ("productid", "product"),
        ("movieid", "movie"),
    ),
    "grade": (("relevance|rel|label|grade|judgment|judgement",), ("rating|ratings|stars",)),
    "score": (("score|scores|similarity|prediction",),),
    "rank": (("rank",),),
    "subtopic": (("subtopic|subtopicid|iteration",),),
}
OF_SCORES = {"system": "model_name", "topic": "task_name", "value": "score"}
"""The columns of scores of any tool: irpref's own words, and MTEB's."""
OF_OUTCOMES = {"topic": "question_id", "a": "model_a", "b": "model_b", "outcome": "winner"}
"""The columns of side-by-side judgments: irpref's own words, and those of MT-bench."""
# PyTerrier has numbers of its own in the one, beside the names of documents in the other.
_NOT_BESIDE = ("docid", "docno")
# What is called so is a judgment of relevance, of which 1 is some. BEIR calls a grade a score.
_RELEVANCE = {*_WORDS["grade"][0][0].split("|"), *_WORDS["score"][0][0].split("|")}


def is_called(name: str, column: str) -> bool:
    """Whether a column of this name is of this kind, whatever its case and its separators.

    Example:
        >>> is_called("User ID", "topic"), is_called("corpus-id", "document"), is_called("title", "topic")
        (True, True, False)
    """
    return any(_plain(name) in words.split("|") for thing in _WORDS[column] for words in thing)


def names_table(names: Iterable[str]) -> bool:
    """Whether some names are those of the columns of a table: of its topics and of its documents."""
    listed = list(names)
    return all(any(is_called(name, each) for name in listed) for each in ("topic", "document"))


def columns_found(
    names: Sequence[str], kind: Kind, source: str, reading: Reading = USUAL
) -> dict[str, list[str]]:
    """Which columns of a table could be each column that is read; some need not be there.

    Args:
        names: The names of the columns.
        kind: ``"qrels"``, which need no grades, or ``"run"``, which needs scores or ranks.
        source: The name of the table in errors.
        reading: How to read it; its ``columns`` go before all words.

    Raises:
        InputError: A column is missing.

    Warns:
        UserWarning: Qrels have no column of grades, so that all rows are relevant; or a topic or document
            is called otherwise than ``columns`` says.

    Example:
        >>> columns_found(["qid", "query", "docno", "score"], "run", "a frame")
        {'topic': ['qid'], 'document': ['docno'], 'score': ['score']}
    """
    given = reading.columns or {}
    known = {wanted: columns_for(wanted, names, reading) for wanted in COLUMNS[kind][:-1]}
    found = {wanted: called for wanted, called in known.items() if called}
    asked = [wanted for wanted in given if wanted in COLUMNS[kind]]
    value = ["score"] if kind == "run" and "rank" not in found else []
    there = f"(found: {shortened(', '.join(names), 200)})"
    for wanted in ("topic", "document", *value, *asked):
        name = given.get(wanted)
        if name in found.get(wanted, ()) or (name is None and wanted in found):
            continue
        problem = f"there is no column {name!r} {there}"
        # What one table calls topics and documents, another may not.
        if wanted in found and wanted in ("topic", "document"):
            warn(f"{source}: {problem}; the {wanted} is {found[wanted][0]!r}")
            continue
        if name is None:
            problem = f"no column has a known name for the {wanted} {there}"
        remedy = Message("say which one it is: ", Option("columns", {wanted: "NAME"}))
        raise InputError(problem, source=source, remedy=remedy)
    if kind == "qrels" and "grade" not in found:
        others = [name for name in names if [name] not in found.values()]
        beside = f" (others: {shortened(', '.join(others), 200)})" if others else ""
        warn(
            Message(
                f"{source}: no column has grades{beside}, so every row counts as relevant; ",
                Option("columns", {"grade": "NAME"}),
                " names one",
            )
        )
    return found


def columns_for(wanted: str, names: Sequence[str], reading: Reading) -> list[str]:
    """Which columns could be one that is read: the one that was named, or those of its words."""
    given = reading.columns or {}
    if given.get(wanted) in names:
        return [given[wanted]]
    others = {*given.values(), *(_NOT_BESIDE[:1] if _NOT_BESIDE[1] in names else ())}
    left = [(name, _plain(name)) for name in names if name not in others]
    known = []
    for thing in _WORDS[wanted]:
        called = ([name for name, plain in left if plain in words.split("|")] for words in thing)
        known += next(filter(None, called), [])
    return columns_for("score", names, reading) if wanted == "grade" and not known else known


def columns_called(
    words: Mapping[str, str], names: Iterable[object], source: str, remedy: str
) -> dict[object, str]:
    """The columns of a frame of which each is called in one of two ways, with irpref's own word for it.

    Args:
        words: irpref's own words, each with another one.
        names: The names of the columns.
        source: The name of the frame in errors.
        remedy: How to mend a frame without one of them.

    Raises:
        InputError: A column is missing, or two could be it.

    Example:
        >>> columns_called(OF_SCORES, ["model_name", "task_name", "is_public", "score"], "the scores", "")
        {'model_name': 'system', 'task_name': 'topic', 'score': 'value'}
    """
    called = {}
    for wanted, other in words.items():
        found = [name for name in names if _plain(str(name)) in (wanted, _plain(other))]
        if not found:
            there = shortened(", ".join(map(str, names)), 200)
            problem = f"there is no column {wanted!r} or {other!r} (found: {there})"
            raise InputError(problem, source=source, remedy=remedy)
        if len(found) > 1:
            both = several_columns(wanted, [*map(str, found)], source)
            raise both.changed(remedy="leave one of them in")
        called[found[0]] = wanted
    return called


def several_columns(wanted: str, names: Sequence[str], source: str) -> InputError:
    """The error for columns that could all be one."""
    return InputError(
        f"several columns could be the {wanted}: {', '.join(names)}",
        source=source,
        remedy=Message("say which one it is: ", Option("columns", {wanted: names[0]})),
    )


def refuse_ratings(grades: Column, name: str, source: str, reading: Reading) -> None:
    """Refuse ratings that would all be relevant, if nobody says which of them are.

    Args:
        grades: The grades.
        name: What their column is called.
        source: The name of the table in errors.
        reading: How to read it.

    Raises:
        InputError: There are several ratings, all above 0, and no least one is given.
    """
    if not may_be_ratings(name, reading):
        return
    ratings = numbers_of(grades)
    least, most = ratings.min(), ratings.max()
    if isinstance(least, float) and isinstance(most, float) and 0 < least < most:
        raise InputError(
            f"the column {name!r} rates from {least:g} to {most:g}, and all of it would be relevant",
            source=source,
            remedy=Message(
                "say which rating is relevant at least: ",
                Option("rel", ...),
                f" ({least:g} takes all)",
            ),
        )


def may_be_ratings(name: str, reading: Reading) -> bool:
    """Whether a column of grades may be one of ratings, of which nobody says what is relevant."""
    return reading.rel is None and _plain(name) not in _RELEVANCE


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()

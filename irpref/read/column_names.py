"""What tables call their columns: the words that people and tools use, or the names that are given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import polars as pl

from irpref.base.errors import InputError, warn
from irpref.base.escape import shortened
from irpref.base.message import Message, Option
from irpref.base.reading_options import USUAL, Reading
from irpref.read.columns import Column, numbers_of
from irpref.read.text import COLUMNS, VALUE, Kind

SYSTEM_WORDS = ("system", "model", "algorithm", "method", "run")
"""The words for the column that says whose run a row belongs to, the surest first."""
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
    "system": tuple((f"{word}|{word}id|{word}name",) for word in SYSTEM_WORDS),
}
OF_SCORES = {"system": "model_name", "topic": "task_name", "value": "score", "measure": "measure"}
"""The columns of scores of any tool: irpref's own words, and MTEB's."""
OF_OUTCOMES = {
    "topic": "question_id",
    "a": "model_a",
    "b": "model_b",
    "outcome": "winner",
    "judge": "judge",
}
"""The columns of side-by-side judgments: irpref's own words, and those of MT-bench."""
# PyTerrier has numbers of its own in the one, beside the names of documents in the other.
_NOT_BESIDE = ("docid", "docno")
# The columns of BEIR's qrels, how many different grades are likely, and the least that TREC gives, to junk.
_BEIR, _GRADES, _LEAST_GRADE = ["query-id", "corpus-id", "score"], 5, -2
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
    given = _named_columns(kind, reading)
    # Places are of text without names.
    given = {name: word for name, word in given.items() if word in names or not word.isdecimal()}
    reading = replace(reading, columns=given or None)
    known = {wanted: columns_for(wanted, names, reading) for wanted in COLUMNS[kind][:-1]}
    found = {wanted: called for wanted, called in known.items() if called}
    value = ["score"] if kind == "run" and "rank" not in found else []
    there = f"(found: {shortened(', '.join(names), 200)})"
    for wanted in ("topic", "document", *value, *given):
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
    grade = found.get("grade", ["NAME"])[0]
    if kind == "qrels" and "grade" not in given and not is_called(grade, "grade"):
        for name in names:
            if is_called(name, "rank") or name == "system":
                meant = Option("columns", {"grade": grade})
                raise _no_qrels(f"it has a column {name!r}", source, meant)
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


def system_column(names: Iterable[object]) -> str | None:
    """The column that says whose run a row belongs to, if there is one.

    Example:
        >>> system_column(["qid", "docno", "score", "Run ID"]), system_column(["qid", "docno", "tag"])
        ('Run ID', None)
    """
    return next(iter(columns_for("system", list(map(str, names)), USUAL)), None)


def are_placed(kind: Kind, reading: Reading) -> bool:
    """Whether somebody says at which places the columns of a kind of table are, counted from 1."""
    named = _named_columns(kind, reading)
    placed = {name for name, word in named.items() if word.isdecimal()}
    return placed >= {"topic", "document"} and (kind == "qrels" or bool(placed & {"score", "rank"}))


def warn_of_columns(kind: Kind, source: str, reading: Reading) -> None:
    """Warn where columns are named of a text whose columns have no names."""
    named = _named_columns(kind, reading)
    # Places are of other files: here, each has its own.
    if not all(word.isdecimal() for word in named.values()):
        option = Option("columns", named)
        warn(Message(f"{source}: no first line names columns, so ", option, " says nothing of it"))


def _named_columns(kind: Kind, reading: Reading) -> dict[str, str]:
    """The names of the columns of a kind of table, as far as somebody says them."""
    named = (reading.columns or {}).items()
    return {name: str(word) for name, word in named if name in COLUMNS[kind]}


def columns_for(wanted: str, names: Sequence[str], reading: Reading) -> list[str]:
    """Which columns could be one that is read: the one that was named, or those of its words."""
    given = reading.columns or {}
    if given.get(wanted) in names:
        return [str(given[wanted])]
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
        words: irpref's own words, each with another one, or with itself if there need be no such column.
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
        if not found and wanted == other:
            continue
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


def refuse_misread(
    columns: Mapping[str, Column],
    called: Mapping[str, Sequence[str]],
    kind: Kind,
    source: str,
    reading: Reading,
) -> None:
    """Refuse a table whose numbers are likely something else than what they would be read as.

    Args:
        columns: The columns of the table.
        called: What they are called there.
        kind: What it is read as.
        source: The name of the table in errors.
        reading: How to read it.

    Raises:
        InputError: Qrels have scores in place of grades, as where they were forgotten, or ratings that
            would all be relevant; or a run has the columns and the grades of BEIR's qrels.
    """
    column = VALUE[kind]
    if column not in called:
        return
    name = called[column][0]
    is_rated = kind == "qrels" and may_be_ratings(name, reading)
    is_chosen = name == (reading.columns or {}).get(column)
    is_doubtful = kind == "qrels" or [*chain(*called.values())] == _BEIR
    is_doubtful &= is_called(name, "score") and not is_chosen
    # Of most tables the names say enough: to look at the numbers takes time.
    if not (is_doubtful or is_rated):
        return
    numbers = numbers_of(columns[column])
    if is_doubtful:
        whole = (numbers >= _LEAST_GRADE) & (numbers == numbers.floor())
        meant = Option("columns", {column: name})
        if kind == "qrels":
            refuse_scores(numbers.filter(~whole), source, meant)
        elif whole.all() and numbers.n_unique() <= _GRADES:
            raise InputError(
                "these may be qrels of BEIR: all scores are small whole numbers",
                source=source,
                remedy=Message("if it is a run, say ", meant),
            )
    if is_rated:
        least, most = numbers.min(), numbers.max()
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


def refuse_scores(scores: pl.Series, source: str, meant: Option) -> None:
    """Refuse what no grades are where qrels are read, if there is any; ``meant`` reads it all the same."""
    if len(scores):
        raise _no_qrels(f"the score {scores[0]:g} is no grade", source, meant)


def _no_qrels(problem: str, source: str, meant: Option) -> InputError:
    remedy = Message("name the qrels first; if it has grades, say ", meant)
    return InputError(f"these are no qrels, but a run ({problem})", source=source, remedy=remedy)


def may_be_ratings(name: str, reading: Reading) -> bool:
    """Whether a column of grades may be one of ratings, of which nobody says what is relevant."""
    return reading.rel is None and _plain(name) not in _RELEVANCE


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()

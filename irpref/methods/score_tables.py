"""Per-topic scores of any tool as criteria."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irpref.base.arrays import Integers
from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.methods.gains import LARGEST
from irpref.methods.preferences.scores import ScoreTable
from irpref.read import source_of
from irpref.read.column_names import OF_SCORES, columns_called
from irpref.read.columns import is_missing, names_of
from irpref.read.files import is_open_file, read_bytes
from irpref.read.forms import File, Table, form_of
from irpref.read.given_frames import what_is_wrong
from irpref.read.text import is_number


def frame_of(table: Any, what: str) -> tuple[pd.DataFrame, Integers, str]:
    """A frame of any library, or a file, as a frame of pandas.

    Args:
        table: The frame, or the file: text with a header, JSON or Parquet.
        what: What it holds.

    Returns:
        The frame; (N,) the number of each row, or its line in the file; and its name in errors.

    Raises:
        InputError: The file is unreadable, or it is neither.
    """
    if isinstance(table, pd.DataFrame):
        return table, np.arange(1, len(table) + 1), f"the {what}"
    if hasattr(table, "column_names"):  # An Arrow table: its columns do not say their names.
        return frame_of(table.to_pandas(), what)
    if hasattr(table, "columns"):
        held = {name: list(table[name]) for name in table.columns}
        return frame_of(pd.DataFrame(held, dtype=object), what)
    if not isinstance(table, str | os.PathLike) and not is_open_file(table):
        kind = type(table).__name__
        raise InputError(
            f"give a frame or a file with a header, not a {kind}", source=f"the {what}"
        )
    source = source_of(table, f"the {what}")
    file = File(read_bytes(table, source), source, any_table=True)
    content = form_of(file).read(file)
    if not isinstance(content, Table) or content.lines is None:
        return *frame_of(content[0], what)[:2], source
    columns = {name: list(content.columns[name]) for name in content.names}
    return pd.DataFrame(columns, dtype=object), content.lines.to_numpy(), source


def with_names(
    frame: pd.DataFrame, columns: Iterable[str], lines: Integers, source: str
) -> pd.DataFrame:
    """The frame with its names as texts.

    Args:
        frame: The rows.
        columns: The columns of names.
        lines: (N,) the number of each row.
        source: The name of the frame in errors.

    Raises:
        InputError: A row lacks a name, or has one with half of a character in it, or a number that is not
            exact.
    """
    texts = {}
    for column in columns:
        kind = {"a": "system a", "b": "system b"}.get(column, column)
        values = frame[column].to_list()
        names = names_of(values)
        texts[column] = names.to_list()
        for row in names.is_null().arg_true():
            refused = partial(InputError, source=source, line=int(lines[row]))
            if is_missing(values[row]):
                remedy = "name it, or leave the row out"
                raise refused(f"the row names no {kind}", remedy=remedy)
            if isinstance(values[row], str | bytes | Number):
                raise refused(what_is_wrong(kind, values[row]))
            # Such as several judges, in a list.
            texts[column][row] = str(values[row])
    return frame.assign(**texts)


def _finite_scores(scores: Any) -> pd.DataFrame:
    """The scores as a frame of pandas with columns system, topic, measure and value.

    Args:
        scores: A frame with a row for each score, its columns called so or as MTEB calls them; or a file.

    Raises:
        ValueError: It has no rows, a column is missing or there twice, a name is missing or not whole, or a
            score is no number that a mean can hold.
    """
    named, lines, source = frame_of(scores, "scores")
    remedy = (
        "give a row for each score: pandas' .melt() turns columns into rows, and MTEB's to_dataframe has "
        "format='long'"
    )
    named = named.rename(columns=columns_called(OF_SCORES, named.columns, source, remedy))
    if not len(named):
        raise ValueError("there are no scores")
    if "measure" not in named.columns:
        name = Path(source).stem if isinstance(scores, str | os.PathLike) else "value"
        named = named.assign(measure=name)
    named = with_names(named, ("system", "topic", "measure"), lines, source)
    numbers = named["value"].map(number_or_nan).to_numpy(dtype=float)
    unusable = np.flatnonzero(~(np.abs(numbers) <= LARGEST))
    unusable = unusable[~named["value"].iloc[unusable].map(is_missing).to_numpy(dtype=np.bool_)]
    if len(unusable):
        row = named.iloc[unusable[0]]
        raise InputError(
            f"the score of system {row['system']} by {row['measure']} on topic {row['topic']} is "
            f"{shortened(str(row['value']))}, which no mean can hold ({len(unusable)} such scores in all)",
            source=source,
            line=int(lines[unusable[0]]),
            remedy="leave such topics out for every system, or fill in the worst score",
        )
    return named.assign(value=numbers)


def score_tables(scores: Any, *, higher_is_better: bool = True) -> list[ScoreTable]:
    """Make a table of scores for every measure of a frame.

    Args:
        scores: A frame, or a file with a header: columns system, topic and value, and measure if there are
            several. A score is missing where there is no row, or the value is missing or an empty text.
        higher_is_better: Whether a higher score is better.

    Raises:
        ValueError: A column or a name is missing, a value is not a finite number, or a system has a topic
            twice, or no score.
    """
    return [
        _table(part, str(measure), higher_is_better)
        for measure, part in _finite_scores(scores).groupby("measure", sort=False)
    ]


def score_table(scores: pd.DataFrame, name: str | None = None) -> ScoreTable:
    """Make a table of scores from a frame with one measure.

    Args:
        scores: See :func:`score_tables`.
        name: The name of the scores; by default that of the measure.

    Raises:
        ValueError: There are several measures; and see :func:`score_tables`.
    """
    tables = score_tables(scores)
    if len(tables) > 1:
        names = ", ".join(table.name for table in tables)
        raise ValueError(f"the scores are of several measures ({names}): name one")
    return tables[0] if name is None else replace(tables[0], name=name)


def _table(scores: pd.DataFrame, name: str, higher_is_better: bool) -> ScoreTable:
    twice = scores.duplicated(["system", "topic"])
    if twice.any():
        system, topic = scores.loc[twice, ["system", "topic"]].iloc[0]
        raise ValueError(
            f"system {shortened(system)} has two scores on topic {shortened(topic)}: give one of them"
        )
    matrix = scores.pivot(index="topic", columns="system", values="value")
    matrix = matrix.reindex(index=scores["topic"].unique(), columns=scores["system"].unique())
    if len(unscored := matrix.columns[matrix.isna().all()]):
        raise ValueError(f"system {shortened(unscored[0])} has no score by {name}: leave it out")
    return ScoreTable(
        name=name,
        systems=tuple(matrix.columns),
        topics=tuple(matrix.index),
        values_by_topic=matrix.to_numpy(dtype=float),
        higher_is_better=higher_is_better,
        origin=scores.attrs.get("signature"),
    )


def number_or_nan(given: Any) -> float:
    """The number that is given, also as a text; NaN if it is none."""
    try:
        known = not isinstance(given, str) or is_number(given)
        return float(given) if known else float("nan")
    except (TypeError, ValueError, OverflowError):
        return float("nan")

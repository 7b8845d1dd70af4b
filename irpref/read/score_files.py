"""Per-topic scores from files of other tools: ``trec_eval -q``, and ``ir_measures -q``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from irpref.base.errors import InputError
from irpref.base.escape import HALVED, is_whole, shown
from irpref.read import source_of
from irpref.read.files import read_bytes
from irpref.read.names_of_runs import name_runs
from irpref.read.text import MARK_INSIDE, is_number

_SUMMARY = "all"
Score = tuple[str, str, float]
"""Topic, measure and value."""
_Line = tuple[int, str, str, str]
"""The number of a line, its topic and measure, and the text of its value."""


def read_scores(files: Any) -> pl.DataFrame:
    """Read the scores of every system on every topic.

    Args:
        files: ``{system: file}``, or paths, which name the systems. A file is what ``trec_eval -q`` or
            ``ir_measures -q`` prints (text or JSON lines). Lines about all topics are left out.

    Returns:
        Columns system, topic, measure, value.

    Raises:
        InputError: A file is unreadable, or has only means over all topics.
        ValueError: These are no files.

    Example:
        >>> import io
        >>> text = "map                   \\t301\\t0.2500\\nmap                   \\tall\\t0.2500\\n"
        >>> read_scores({"bm25": io.BytesIO(text.encode())}).rows()
        [('bm25', '301', 'map', 0.25)]
    """
    if not isinstance(files, Mapping | str | os.PathLike) and not isinstance(files, Iterable):
        raise ValueError(
            "scores must be a frame with columns system, topic and value, or files of per-topic scores, "
            f"not {type(files).__name__}"
        )
    rows = [
        (system, *score)
        for system, file in name_runs(files).items()
        for score in _scores(file, source_of(file, f"scores of {system!r}"))
    ]
    schema = {"system": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _scores(file: Any, source: str) -> list[Score]:
    try:
        lines = read_bytes(file, source).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("the text is not valid UTF-8", source=source) from None
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    read = _from_json if numbered[0][1].lstrip().startswith("{") else _from_text
    for number, line in numbered:
        if line.startswith("\ufeff"):
            raise MARK_INSIDE.changed(source=source, line=number)
    scores = list[Score]()
    for number, topic, measure, value in read(numbered, source):
        if not is_number(value):
            problem = f"the score {shown(value)} is not a number"
            raise InputError(problem, source=source, line=number, topic=topic)
        if topic != _SUMMARY:
            scores.append((topic, measure, float(value)))
    if not scores:
        raise InputError(
            "there are only means over all topics",
            source=source,
            remedy="give trec_eval or ir_measures the option -q, which prints each topic",
        )
    return scores


def _from_text(lines: list[tuple[int, str]], source: str) -> Iterator[_Line]:
    rows = [(number, line.split("\t")) for number, line in lines]
    # trec_eval fills up the measure with blanks, and names it before the topic.
    measure_first = any(
        fields[0].endswith(" ") or (len(fields) > 1 and fields[1] == _SUMMARY) for _, fields in rows
    )
    for number, fields in rows:
        if len(fields) != 3:
            raise InputError(
                f"the line {shown(' '.join(fields))} has {len(fields)} columns",
                source=source,
                line=number,
                remedy="trec_eval -q and ir_measures -q print three, with tabs between them",
            )
        first, second, value = (field.strip() for field in fields)
        topic, measure = (second, first) if measure_first else (first, second)
        # trec_eval also prints the name of the run.
        if topic != _SUMMARY or is_number(value):
            yield number, topic, measure, value


def _from_json(lines: list[tuple[int, str]], source: str) -> Iterator[_Line]:
    for number, line in lines:
        try:
            score = json.loads(line)
            topic, measure, value = score["query_id"], score["measure"], score["value"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise InputError(
                "this is no JSON object with query_id, measure and value",
                source=source,
                line=number,
                remedy="give what ir_measures -q -o jsonl prints",
            ) from None
        if not is_whole(f"{topic}{measure}"):
            raise InputError(f"a name in the line {HALVED}", source=source, line=number)
        yield number, str(topic), str(measure), str(value)

"""Per-topic scores from files of other tools: ``trec_eval -q``, and ``ir_measures -q``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.read import source_of
from irpref.read.columns import name_of
from irpref.read.files import read_bytes
from irpref.read.given_frames import what_is_wrong
from irpref.read.json_file import begins_as_json, json_objects
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
    content = read_bytes(file, source)
    read = _from_json if begins_as_json(content) else _from_text
    scores = list[Score]()
    for number, topic, measure, value in read(content, source):
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


def _from_text(content: bytes, source: str) -> Iterator[_Line]:
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("the text is not valid UTF-8", source=source) from None
    rows = [(line, text.split("\t")) for line, text in enumerate(lines, start=1) if text.strip()]
    for line, fields in rows:
        if fields[0].startswith("\ufeff"):
            raise MARK_INSIDE.changed(source=source, line=line)
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


def _from_json(content: bytes, source: str) -> Iterator[_Line]:
    for line, score in json_objects(content, source):
        topic, measure = name_of(score.get("query_id")), name_of(score.get("measure"))
        if topic is None or measure is None:
            key = "query_id" if topic is None else "measure"
            problem, remedy = what_is_wrong(key, score.get(key)), "ir_measures -q -o jsonl names it"
            raise InputError(problem, source=source, line=line, remedy=remedy)
        yield line, topic, measure, str(score.get("value"))

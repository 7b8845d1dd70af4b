"""The texts of topics and documents: from a file, a dataset of ir_datasets, or a dict."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO, Literal

from irpref.base.errors import InputError
from irpref.base.escape import shortened, shown
from irpref.base.reading_options import USUAL
from irpref.read import source_of
from irpref.read.column_names import columns_for
from irpref.read.dataset import read_dataset
from irpref.read.files import is_open_file, opened
from irpref.read.json_file import parse_json
from irpref.read.text import MARK_INSIDE

Texts = str | os.PathLike[str] | BinaryIO | Mapping[str, str]
"""Texts by id; or a file, which may be open, or a dataset that has them."""

_ANY_ID = ("_id", "id", "number")
# Memory ends before a line does that never ends.
_LONGEST = 1 << 26
_TEXTS = ("title", "query", "question", "description", "text", "contents", "abstract", "body")


def read_texts(
    texts: Texts, wanted: Collection[str], kind: Literal["topic", "document"]
) -> dict[str, str]:
    """The texts of some topics or documents; those that are not there are left out.

    A file has a line for each text: its id, a tab and the text, or a JSON object with both; gzipped or
    not; or a pipe. A first line of a table may name the columns. It is read until all texts are found.

    Args:
        texts: Where they are.
        wanted: The ids.
        kind: Whose ids they are.

    Raises:
        InputError: The file cannot be read, or has none of the texts.

    Example:
        >>> read_texts({"1": "slugs", "2": "compost"}, ["2", "3"], "topic")
        {'2': 'compost'}
    """
    pairs: Iterable[tuple[str, str]]
    if isinstance(texts, Mapping):
        source = "these texts"
        pairs = ((str(name), str(text)) for name, text in texts.items())
    else:
        source = source_of(texts, f"the texts of {kind}s")
        of_dataset = None if is_open_file(texts) else _of_dataset(source, wanted, kind)
        pairs = _of_file(texts, source, kind) if of_dataset is None else of_dataset
    left, found, first = set(wanted), {}, None
    for name, text in pairs:
        first = name if first is None else first
        if name in left:
            # Half of a character is shown, as in names.
            found[name] = text.encode(errors="backslashreplace").decode()
            left.remove(name)
            if not left:
                break
    if wanted and not found:
        example = min(wanted)
        raise InputError(
            f"this has none of the {len(wanted)} {kind}s asked for, such as {shown(example)}"
            + ("" if first is None else f"; its first id is {shown(first)}"),
            source=source,
        )
    return found


def _of_dataset(name: str, wanted: Collection[str], kind: str) -> list[tuple[str, str]] | None:
    """Texts of the dataset of ir_datasets with this id; None if there is none."""

    def read(dataset: Any) -> Iterator[tuple[str, str]]:
        if kind == "topic":
            return ((query[0], query.default_text()) for query in dataset.queries_iter())
        found = dataset.docs_store().get_many(list(wanted))
        return ((document, each.default_text()) for document, each in found.items())

    return read_dataset(name, kind, read)


def _of_file(file: Any, source: str, kind: str) -> Iterator[tuple[str, str]]:
    header: list[str] | None = None
    in_json: bool | None = None
    for number, line in _lines(file, source):
        cells = line.split("\t")
        if in_json is None:
            in_json = line.startswith("{")
            if not in_json and _id_among(cells[:1], kind) is not None:
                header = cells
                continue
        if in_json:
            record = parse_json(line.encode(), source, line=number)
            yield _of_record(record, source, number, kind)
        elif len(cells) < 2:
            raise InputError(
                "the line has no tab: a text is an id, a tab and the text, or a JSON object",
                source=source,
                line=number,
            )
        elif header is None:
            yield cells[0], " ".join(cells[1:])
        else:
            yield _of_record(dict(zip(header, cells, strict=False)), source, number, kind)


def _lines(file: Any, source: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    with opened(file, source) as content:
        pieces = iter(partial(content.readline, _LONGEST), b"")
        for number, line in enumerate(pieces, start=1):
            if len(line) == _LONGEST:
                problem = f"the line is longer than {_LONGEST >> 20} MB, as no text is"
                raise InputError(problem, source=source, line=number)
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip("\r\n")
            except UnicodeDecodeError:
                raise InputError(
                    "the line has a byte that is not valid UTF-8", source=source, line=number
                ) from None
            if text.startswith("\ufeff"):
                raise MARK_INSIDE.changed(source=source, line=number)
            if text.strip():
                yield number, text


def _of_record(record: Mapping[str, Any], source: str, number: int, kind: str) -> tuple[str, str]:
    """The id and the text of a record: what stands under the usual names, or else every text in it."""
    key = _id_among(record, kind)
    if key is None:
        raise InputError(
            f"no column has a known name for the {kind}, such as {kind}_id or id (found: "
            f"{shortened(', '.join(record), 200)})",
            source=source,
            line=number,
        )
    said = {name: text for name, text in record.items() if isinstance(text, str) and name != key}
    usual = {name: text for name, text in said.items() if name.lower() in _TEXTS}
    return str(record[key]), " ".join((usual or said).values())


def _id_among(names: Iterable[str], kind: str) -> str | None:
    """The column of the ids; None if there is none."""
    # What may be a topic elsewhere is its text here.
    left = [name for name in names if name.lower() not in _TEXTS]
    known = columns_for(kind, left, USUAL) or [name for name in left if name in _ANY_ID]
    return known[0] if known else None

"""Parse TREC text: lines of columns with blanks between them.

polars parses the bytes as separated values, where every column is separated by one blank of one kind.
Other blanks are folded to that first. If polars fails, the first wrong line is sought and named.
"""

from __future__ import annotations

import io
import math
import re
from codecs import BOM_UTF8
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Literal

import numpy as np
import polars as pl

from irpref.base.arrays import CACHE
from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.base.message import Message, Option

Kind = Literal["qrels", "run"]
Rows = tuple[pl.DataFrame, InputError | None]
"""The rows before the first fault, and the fault: a later check may find an earlier one in these rows."""

_DELETE = 0x7F
# Seconds since 1970 are no grades; and where there are so many iterations, these are documents.
_GREATEST_GRADE, _MANY = 1e6, 1000
_FIELD = re.compile(rb"[^ \t\n]+")
_TOO_MANY = 8
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_MARK = re.compile(rb"^[ \t]*" + BOM_UTF8, re.MULTILINE)
MARK_INSIDE = InputError(
    "the line begins with a byte order mark (U+FEFF), which only a file does",
    remedy="two files were put together: take the mark away",
)
"""What is said of such a line, without its place."""
# How many bytes are looked at together: they and what is found out of them stay in the cache.
_BLOCK = CACHE
_NAMES: dict[Kind, tuple[str, ...]] = {
    "qrels": ("topic", "subtopic", "document", "grade"),
    "run": ("topic", "iteration", "document", "rank", "score", "tag"),
}
_NUMBERS = {"grade": pl.Float64, "rank": pl.Int64, "score": pl.Float64}
_LAYOUT: dict[Kind, dict[str, type[pl.DataType]]] = {
    kind: {name: _NUMBERS.get(name, pl.String) for name in names} for kind, names in _NAMES.items()
}
VALUE: dict[Kind, str] = {"qrels": "grade", "run": "score"}
"""The column of the numbers."""
_WIDTHS: dict[Kind, tuple[int, ...]] = {"qrels": (4,), "run": (5, 6)}
_SHAPE: dict[Kind, str] = {
    "qrels": Message(
        "a qrels file has topic, iteration, document, grade; of other columns say the places, such as ",
        Option("columns", {"topic": 1, "document": 2, "grade": 3}),
    ),
    "run": "a run file has topic, Q0, document, rank, score[, tag]",
}


COLUMNS: dict[Kind, tuple[str, ...]] = {
    "qrels": ("topic", "subtopic", "document", "grade", "line"),
    "run": ("topic", "document", "rank", "score", "line"),
}
"""The columns of a table: those that irpref uses, and ``line``."""
EMPTY: dict[Kind, pl.DataFrame] = {
    kind: pl.DataFrame(schema={**layout, "line": pl.UInt32}).select(COLUMNS[kind])
    for kind, layout in _LAYOUT.items()
}
"""A table without rows."""


def parse_text(data: bytes, kind: Kind, source: str) -> Rows:
    """Parse the bytes of a TREC file into a table.

    Args:
        data: The content, in UTF-8; columns separated by spaces, tabs or any mix of them.
        kind: ``"qrels"`` (4 columns) or ``"run"`` (5 or 6 columns).
        source: The file's name in errors.

    Returns:
        One row for each line that is not blank, in file order, with the columns of :data:`COLUMNS`; and
        the first fault: a malformed line, a score or grade that is not a number, a control character, or
        what is not UTF-8.
    """
    # Everything below splits at the same characters: spaces, tabs and ends of lines.
    data = data.removeprefix(BOM_UTF8)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    head = data.lstrip(b" \t\n")
    if not head:
        return EMPTY[kind], InputError("the file is empty", source=source)
    first = _fields(io.BytesIO(head).readline())
    widths = _widths(first, kind)
    table = None
    if len(first) in widths and not has_mark_inside(data):
        mixed = b"\t" in data and b" " in data
        plain = data.replace(b"\t", b" ") if mixed else data
        bounds = _bounds(plain)
        if bounds is None:
            plain = _folded(plain)
            bounds = _bounds(plain)
        if bounds is not None:
            table = _separated(plain, kind, widths, bounds)
            if table is None and kind == "run":
                table = _separated(plain, kind, widths, bounds, ranked=False)
    # A number that is too large is read as infinite.
    if table is not None and not table[VALUE[kind]].is_infinite().any():
        return _to_misplaced(table, source) if kind == "qrels" else (table, None)
    before, fault = to_fault(data, source, partial(_fault, kind=kind, widths=widths))
    if fault is None and table is not None:
        return table, None
    if fault is None:
        return EMPTY[kind], InputError(f"this is not a {kind} file in TREC format", source=source)
    return parse_text(before, kind, source)[0] if before else EMPTY[kind], fault


def _to_misplaced(qrels: pl.DataFrame, source: str) -> Rows:
    """The rows before the first that shows that the columns have other places, if one does.

    In the ratings of MovieLens, such as ``196 242 3 881250949``, they are user, item, stars and time.
    """
    refused = partial(InputError, source=source, remedy=_SHAPE["qrels"])
    grades = qrels["grade"]
    too_great = (grades.is_not_nan() & (grades > _GREATEST_GRADE)).arg_true()
    if len(too_great):
        row = qrels.row(int(too_great[0]), named=True)
        problem = f"column 4 holds {row['grade']:.0f}, which is no grade"
        place = {name: row[name] for name in ("line", "topic", "document")}
        return qrels.head(int(too_great[0])), refused(problem, **place)
    iterations = qrels["subtopic"].n_unique()
    # To count the documents takes a while.
    if iterations >= _MANY and (documents := qrels["document"].n_unique()) * 50 <= iterations:
        problem = f"column 2 holds {iterations} iterations, and column 3 only {documents} documents"
        return qrels.clear(), refused(problem)
    return qrels, None


def to_fault(
    data: bytes, source: str, wrong: Callable[[bytes], InputError | None]
) -> tuple[bytes, InputError | None]:
    """The lines before the first wrong one, and what is wrong with that one, by what is said of a line."""
    start = 0
    for line, raw in enumerate(io.BytesIO(data), start=1):
        if (fault := wrong(raw)) is not None:
            return data[:start], fault.changed(source=source, line=line)
        start += len(raw)
    return data, None


def has_mark_inside(data: bytes) -> bool:
    """Whether a line begins with a byte order mark, behind the one of the file."""
    # A single byte is sought much more quickly, and few files have it.
    return BOM_UTF8[:1] in data and BOM_UTF8 in data and _MARK.search(data) is not None


def wrong_character(raw: bytes) -> InputError | None:
    """What is wrong with the characters of a line, whatever its columns; None if nothing is."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return InputError(
            f"byte {error.start + 1} of the line is not valid UTF-8",
            remedy="save the file in UTF-8",
        )
    if control := CONTROL.search(raw):
        return InputError(
            f"byte {control.start() + 1} of the line is a control character (code {ord(control.group())})",
            remedy="take it away: tabs and ends of lines (LF or CR LF) are all that is allowed",
        )
    return MARK_INSIDE if _MARK.match(raw) else None


def is_number(text: str) -> bool:
    """Whether a text is a number as every language writes it.

    Example:
        >>> [is_number(text) for text in ("-1.5e3", "inf", "1e400", "1_000", "1,5")]
        [True, True, False, False, False]
    """
    # Python alone takes 1_000 and digits of other scripts for numbers.
    if "_" in text or not text.isascii():
        return False
    try:
        number = float(text)
    except ValueError:
        return False
    # What is too large would be infinite.
    return not math.isinf(number) or "inf" in text.lower()


def whole_ranks(ranks: pl.Series) -> pl.Series:
    """The ranks as whole numbers; null where they are none, as only ``order="rank"`` needs them.

    Args:
        ranks: Texts or numbers, such as ``"3"`` or ``3.0``.

    Example:
        >>> whole_ranks(pl.Series(["3", "3.0", "3.5", "first"])).to_list()
        [3, 3, None, None]
    """
    if ranks.dtype.is_integer():
        return ranks.cast(pl.Int64, strict=False)
    numbers = ranks.cast(pl.Float64, strict=False)
    # Beyond 2^53 a float is no longer exact.
    whole = (numbers.floor() == numbers) & (numbers.abs() < 2**53)
    rounded = numbers.set(~whole.fill_null(False), None).cast(pl.Int64)
    if ranks.dtype == pl.String:
        return ranks.cast(pl.Int64, strict=False).fill_null(rounded)
    return rounded


def _fields(line: bytes) -> list[bytes]:
    """The first columns of a line, one more than any file has."""
    return [found.group() for found in islice(_FIELD.finditer(line), _TOO_MANY)]


def _widths(first: list[bytes], kind: Kind) -> tuple[int, ...]:
    """How many columns a line may have, by the first line."""
    if kind == "run" and len(first) == 5:
        return (5,)
    if kind == "run" and is_number(first[-1].decode(errors="replace")):
        # A line without a tag that is a number could as well lack another column.
        return (6,)
    return _WIDTHS[kind]


def _bounds(data: bytes) -> int | None:
    """How many blanks, ends of lines and other control characters there are.

    None if more than one blank stands between two columns, or one at the end of a line.
    """
    blanks = (b" ", b"\t")
    # A file begins and ends as a line does.
    if data.startswith(blanks) or data.endswith(blanks) or _DELETE in data:
        return None
    found = 0
    whole = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(whole), _BLOCK):
        # One character of the next block, for what stands across the border.
        characters = whole[start : start + _BLOCK + 1]
        bounds = characters <= ord(" ")
        found += int(np.count_nonzero(bounds[:_BLOCK]))
        doubled = bounds[1:] & bounds[:-1]
        if doubled.any():
            # Two ends of lines may follow each other, with an empty line between them.
            ends = characters == ord("\n")
            if (doubled & ~(ends[1:] & ends[:-1])).any():
                return None
    return found


def _folded(data: bytes) -> bytes:
    """The same with one space between columns, and none at either end of a line."""
    text = np.frombuffer(data.replace(b"\t", b" "), dtype=np.uint8)
    # A space is too many behind another or at the start of a line, and then before the end of a line.
    stays = text != ord(" ")
    stays[1:] |= text[:-1] > ord(" ")
    text = text[stays]
    stays = text != ord(" ")
    stays[:-1] |= text[1:] > ord(" ")
    return bytes(text[stays])


def _separated(
    data: bytes, kind: Kind, widths: tuple[int, ...], bounds: int, *, ranked: bool = True
) -> pl.DataFrame | None:
    """The table; None if a line is malformed. Without ``ranked``, a rank that is not whole is null."""
    width = widths[-1]
    # polars would take the width of the file from leading blank lines.
    text = data.lstrip(b"\n")
    blank = len(data) - len(text)
    schema = dict(list(_LAYOUT[kind].items())[:width])
    needed = [name for name in schema if name in COLUMNS[kind]]
    taken = [name for name in schema if name in needed or name == "tag"]
    if not ranked:
        schema["rank"] = pl.String
    try:
        table = pl.read_csv(
            text,
            separator="\t" if b"\t" in data else " ",
            has_header=False,
            schema=schema,
            columns=[list(schema).index(name) for name in taken],
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    # Row numbers are line numbers: polars reads a blank line as a row of nulls.
    ends = blank + table.height - (not data.endswith(b"\n"))
    table = table.with_row_index("line", offset=blank + 1)
    if not ranked:
        table = table.with_columns(whole_ranks(table["rank"]))
        needed.remove("rank")
    if any(table[name].null_count() for name in needed):
        table = table.filter(~pl.all_horizontal(pl.col(needed).is_null()))
        if any(table[name].null_count() for name in needed):
            return None
    # polars ignores columns too many, which have bounds too many, as have control characters.
    untagged = table["tag"].null_count() if "tag" in taken else 0
    if untagged and width - 1 not in widths:
        return None
    if bounds != ends + table.height * (width - 1) - untagged:
        return None
    return table.select(COLUMNS[kind])


def _fault(raw: bytes, kind: Kind, widths: tuple[int, ...]) -> InputError | None:
    """What is wrong with a line, wherever it is."""
    fields = _fields(raw)
    if not fields:
        return None
    if (wrong := wrong_character(raw)) is not None:
        return wrong
    if len(fields) not in widths:
        return _malformed(fields, kind, widths)
    what = VALUE[kind]
    column = _NAMES[kind].index(what)
    text = fields[column].decode()
    if not is_number(text):
        return InputError(
            f"the {what} {shown(text)} is not a number",
            topic=fields[0].decode(),
            document=fields[2].decode(),
            remedy=f"column {column + 1} must hold the {what}",
        )
    return None


def _malformed(fields: list[bytes], kind: Kind, widths: tuple[int, ...]) -> InputError:
    other: Kind = "run" if kind == "qrels" else "qrels"
    text = shown(b" ".join(fields).decode(errors="replace"))
    number = f"{_TOO_MANY} or more" if len(fields) == _TOO_MANY else str(len(fields))
    problem = f"the line {text} has {number} column{'s' * (len(fields) != 1)}"
    if kind == "run" and len(fields) in (5, 6):
        remedy = f"the first line has {widths[0]}: give every line a tag, or no line"
    elif len(fields) in _WIDTHS[other]:
        remedy = f"this looks like a {other} file: were qrels and run swapped?"
    else:
        remedy = _SHAPE[kind]
    return InputError(problem, remedy=remedy)

"""What a Parquet file says of its sizes, looked at before polars reads it.

Files have no checksum. Of a damaged one polars may read some rows only, or ask for more memory than there
is, which ends the process. So rows and values are counted wherever the file has their numbers: in its
footer, and in the header of each page. Both are structs of Thrift's compact protocol.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, BinaryIO

from irpref.base.errors import InputError
from irpref.read.files import reading_file, refuse_growth

# Where the header of each kind of page has the one that counts values.
_DICTIONARY = 2
_COUNTED_IN = {0: 5, _DICTIONARY: 7, 3: 8}
_REPEATED = 2
_LONGEST_LIST = 1 << 20
# What is raised where damaged numbers lead nowhere.
_CONTRADICTIONS = (ArithmeticError, LookupError, OSError, RecursionError, TypeError, ValueError)
_Struct = dict[int, Any]


def check_sizes(file: Path | bytes, source: str) -> None:
    """Refuse a Parquet file whose sizes contradict each other, or which would fill the memory.

    Args:
        file: Its path, or what it holds.
        source: Its name in errors.

    Raises:
        InputError: It is damaged, or unpacks to far more than it is.
    """
    with (
        reading_file(source),
        file.open("rb") if isinstance(file, Path) else io.BytesIO(file) as content,
    ):
        try:
            rows, unpacked = _unpacked(content)
        except _CONTRADICTIONS as error:
            problem = "not a readable Parquet file (its sizes contradict each other)"
            raise InputError(problem, source=source, remedy="fetch or write it again") from error
        refuse_growth(unpacked, content.seek(0, io.SEEK_END), source, rows=rows)


def _unpacked(content: BinaryIO) -> tuple[int, int]:
    """How many rows a file has, and how many bytes its pages."""
    # The last bytes: the length of the footer, and the mark.
    end = content.seek(-8, io.SEEK_END)
    content.seek(end - int.from_bytes(content.read(4), "little"))
    footer = _struct(content)
    # Only columns have a type: the others are the names of several.
    columns = [element for element in footer[2] if 1 in element]
    rows = unpacked = 0
    for group in footer[4]:
        rows += group[3]
        for column, chunk in zip(columns, group[1], strict=True):
            unpacked += _unpacked_column(content, column, chunk[3], group[3])
    _refuse(rows != footer[3])
    return rows, unpacked


def _unpacked_column(content: BinaryIO, column: _Struct, chunk: _Struct, rows: int) -> int:
    """How many bytes the pages of a column have in a part of so many rows."""
    is_list = len(chunk[3]) > 1 or column.get(3) == _REPEATED
    _refuse(chunk[1] != column[1], chunk[5] != rows and not is_list, rows < 0)
    content.seek(chunk.get(11) or chunk[9])
    values = unpacked = 0
    while values < chunk[5]:
        page = _struct(content)
        count = page[_COUNTED_IN[page[1]]][1]
        _refuse(min(page[2], page[3], count) < 0, page[1] == _DICTIONARY and count > page[2])
        values += count if page[1] != _DICTIONARY else 0
        unpacked += page[2]
        content.seek(page[3], io.SEEK_CUR)
    _refuse(values != chunk[5], content.tell() > content.seek(0, io.SEEK_END))
    return unpacked


def _refuse(*contradictions: bool) -> None:
    if any(contradictions):
        raise ValueError("the sizes of the file contradict each other")


def _struct(content: BinaryIO) -> _Struct:
    """The struct that begins here, as a dict by the numbers of its fields."""
    fields: _Struct = {}
    number = 0
    while head := content.read(1)[0]:
        number = number + (head >> 4) if head >> 4 else _value(content, 4)
        # A field that is a flag has its value for a type.
        fields[number] = None if head & 15 in (1, 2) else _value(content, head & 15)
    return fields


def _value(content: BinaryIO, kind: int) -> Any:
    """A number, a struct or a list of them; all else is passed over."""
    if kind in (4, 5, 6):
        number = _number(content)
        return number >> 1 ^ -(number & 1)
    if kind == 12:
        return _struct(content)
    if kind in (9, 10):
        head = content.read(1)[0]
        length = head >> 4 if head >> 4 < 15 else _number(content)
        _refuse(length > _LONGEST_LIST)
        return [_value(content, head & 15) for _ in range(length)]
    # Flags in a list and bytes take one byte, floats 8, and texts say how many.
    content.seek(_number(content) if kind == 8 else {1: 1, 2: 1, 3: 1, 7: 8}[kind], io.SEEK_CUR)
    return None


def _number(content: BinaryIO) -> int:
    byte = content.read(1)[0]
    return byte if byte < 128 else byte - 128 + (_number(content) << 7)

"""A table of a report: rows, and how people read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.base.escape import escaped
from irpref.base.wording import Words

if TYPE_CHECKING:
    import pandas as pd


P_VALUE = "p"
"""The format of a p-value: four decimals, and never 0."""
MEAN = "+.3f"
"""The format of a mean preference or difference."""
LEAST_P = 1e-4


@dataclass(frozen=True, eq=False)
class Bars:
    """A picture behind the rows of a table on a page: bars with a dot, all on one scale.

    Attributes:
        heading: What they show, and from where to where.
        ends: The two ends of the scale.
        rows: For each row, where its bar begins, where its dot is, where its bar ends, and what colour it
            has: ``"first"``, ``"second"`` or ``"even"``.
    """

    heading: str
    ends: tuple[float, float]
    rows: Sequence[tuple[float, float, float, str]]

    def percent(self, value: float) -> str:
        """How far from the left a value is."""
        low, high = self.ends
        return f"{100 * (value - low) / ((high - low) or 1):.1f}%"


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a report.

    Attributes:
        caption: What it shows, in a line.
        frame: The rows.
        formats: Format specification by column, for people (``"+.3f"``).
        marks: By column, what is set behind each of its cells: †, or letters.
        keys: How many columns at the left say what a row is about. On a narrow terminal the others may go
            to a second table, which has these too.
        flexible: Columns of names or sentences, which are shortened or folded on a narrow terminal; by
            default the texts among the keys.
        words: What gives its headings and texts the words for the data.
        bars: What a page draws behind the rows.
    """

    caption: str
    frame: pl.DataFrame
    formats: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys: int = 1
    flexible: Sequence[str] | None = None
    words: Words = field(default_factory=Words)
    bars: Bars | None = None

    @property
    def headings(self) -> list[str]:
        """The headings of the columns, as people read them."""
        return list(map(self.words, self.frame.columns))

    def cells(
        self,
        mark: Callable[[str], str] = lambda text: f" {text}",
        clean: Callable[[str], str] = escaped,
    ) -> list[list[str]]:
        """The rows as people read them, every cell a text.

        Args:
            mark: How a mark is set behind a cell.
            clean: What makes a text safe for the format; by default for a terminal.
        """
        columns = []
        for name, values in self.frame.to_dict(as_series=False).items():
            texts = [_text(value, self.formats.get(name, "")) for value in values]
            # Names are there many times.
            cleaned = {text: clean(self.words(text)) for text in set(texts)}
            cells = [cleaned[text] for text in texts]
            if name in self.marks:
                marked = zip(cells, self.marks[name], strict=True)
                cells = [cell + (mark(behind) if behind else "") for cell, behind in marked]
            columns.append(cells)
        return [list(row) for row in zip(*columns, strict=True)]

    def labelled_cells(
        self, mark: Callable[[str], str], clean: Callable[[str], str]
    ) -> pd.DataFrame:
        """The cells and headings as a frame of pandas, which writes them in many formats."""
        import pandas as pd

        headings = list(map(clean, self.headings))
        return pd.DataFrame(self.cells(mark, clean), columns=headings, dtype=object)

    def right_aligned(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [dtype.is_numeric() or dtype == pl.Boolean for dtype in self.frame.dtypes]

    def flexible_columns(self) -> set[int]:
        """The numbers of the flexible columns."""
        if self.flexible is not None:
            return {self.frame.columns.index(name) for name in self.flexible}
        # What polars selects starts threads, which hang in a forked process.
        kinds = enumerate(self.frame.dtypes[: self.keys])
        return {column for column, kind in kinds if kind == pl.String}


def end_of_scale(bounds: Sequence[float], greatest: float, *, least: float = 0.0) -> float:
    """How far a scale of means goes, up and down: to the greatest that there can be.

    Where that has no end, or every mean is within so small a part of it, it goes to the greatest one, with
    one digit.

    Example:
        >>> end_of_scale((-1, 1), 0.025), end_of_scale((-1, 1), 0.025, least=0.2)
        (1.0, 0.03)
        >>> end_of_scale((-math.inf, math.inf), 31)
        40.0
    """
    limit = float(max(map(abs, bounds)))
    if not math.isfinite(limit) or greatest < least * limit:
        size = 10.0 ** math.floor(math.log10(greatest or 1))
        limit = math.ceil(greatest / size) * size or 1.0
    return limit


def unlike(name: str, others: Collection[str]) -> str:
    """A heading that is none of the others: with spaces behind it, which nobody sees."""
    while name in others:
        name += " "
    return name


def distinct(names: Iterable[str]) -> list[str]:
    """The names; where one is there several times, all but the first with a number.

    Example:
        >>> distinct(["x", "y", "x"])
        ['x', 'y', 'x (2)']
    """
    given = list(names)
    # Names that are there stay as they are.
    taken, found = set(given), dict[str, None]()
    for name in given:
        others = (f"{name} ({times})" for times in count(2))
        own = next(each for each in others if each not in taken) if name in found else name
        taken.add(own)
        found[own] = None
    return list(found)


def count_of(number: int, noun: str) -> str:
    """A number with its noun, which is plural unless there is one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def counted(number: float) -> str:
    """How many topics, in tenths where their number is an expected one."""
    return f"{number:.1f}" if isinstance(number, float) else f"{number:,}"


def mean_words(mean: float, form: str = MEAN) -> str:
    """A mean as a sentence says it, with as many decimals as show its sign.

    Example:
        >>> mean_words(0.326, "+.2f"), mean_words(-0.0032, "+.2f"), mean_words(-0.0, "+.2f")
        ('+0.33', '-0.003', '+0.00')
    """
    # Not -0.
    text = f"{mean + 0:{form}}"
    return text if float(text) or not mean else f"{mean:+.1g}"


def p_words(p: float, alpha: float) -> str:
    """A p-value as a sentence says it: rounded, but to the other side of alpha.

    Example:
        >>> p_words(0.326, 0.05), p_words(0.0496, 0.05)
        ('p = 0.33', 'p = 0.0496')
    """
    if p < LEAST_P:
        return f"p < {LEAST_P:.4f}"
    short = f"{p:.2g}"
    same = (float(short) < alpha) == (p < alpha)
    return f"p = {short if same else f'{p:.4g}'}"


def table_of(frame: pd.DataFrame) -> pl.DataFrame:
    """A frame of pandas, without its index, as a table of a report."""
    import pandas as pd
    from pandas.api.extensions import ExtensionDtype

    def values(column: Any) -> Any:
        if column.dtype.kind in "iufb" and not isinstance(column.dtype, ExtensionDtype):
            return column.to_numpy()
        listed = [None if pd.isna(value) else value for value in column.tolist()]
        return pl.Series(listed, dtype=pl.Int64) if column.dtype.kind == "i" else listed

    return pl.DataFrame(
        {str(name): values(column) for name, column in frame.items()}, nan_to_null=True
    )


def to_pandas(table: pl.DataFrame) -> pd.DataFrame:
    """The same in pandas, whole numbers that may be missing as its ``Int64``."""
    import pandas as pd

    def values(column: pl.Series) -> Any:
        if column.dtype.is_integer() and column.null_count():
            return pd.array(column.to_list(), dtype="Int64")
        numbers = column.dtype.is_numeric() or column.dtype == pl.Boolean
        return column.to_numpy() if numbers else column.to_list()

    return pd.DataFrame({column.name: values(column) for column in table.iter_columns()})


def _text(value: Any, specification: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return value
    if specification == P_VALUE:
        return f"{value:.4f}" if value >= LEAST_P else f"<{LEAST_P:.4f}"
    if specification:
        return format(value, specification)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)

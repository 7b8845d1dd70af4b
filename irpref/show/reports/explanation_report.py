"""What ``explain`` gives back: why one ranking of a topic is preferred to another, in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import singledispatch
from itertools import groupby
from typing import Any

import pandas as pd
import polars as pl

from irpref.base.escape import beginning
from irpref.methods.preferences.reasons import (
    EveryOrder,
    FirstLeads,
    HoweverJudged,
    JudgesSay,
    NothingRelevant,
    OneLevel,
    OwnFunction,
    PairsOfRuns,
    Reason,
    SomeLevels,
    TwoScores,
)
from irpref.pairwise.signature import with_parts
from irpref.report.report import Report, Worded
from irpref.report.table import MEAN, Table, count_of, table_of, unlike

_FORMS: dict[type[Reason], str] = {
    NothingRelevant: "nothing is relevant",
    EveryOrder: "averaged over tie orders",
    OwnFunction: "the function {label}",
    TwoScores: "{first} against {second}",
    PairsOfRuns: "{a} is ahead in {won} of {pairs:pair} of runs, {b} in {lost}",
}
_NOT_IN_LIST = "not in its list"
SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")
"""A slot of a form: what fills it, and how."""


def in_words(reason: Reason, a: str, b: str, retrieved: tuple[int, int] | None = None) -> str:
    """What decides between two rankings of a topic, in a sentence.

    Args:
        reason: The reason.
        a: The name of the first ranking.
        b: The name of the second one.
        retrieved: How many documents each of them has, if known.

    Example:
        >>> in_words(OneLevel(level=2, first=None, second=16), "bm25", "tfidf", (100, 90))
        '2nd relevant document: bm25 not in its 100, tfidf at rank 16'
    """
    said = {field.name: getattr(reason, field.name) for field in fields(reason)}
    form = form_of(reason)
    if retrieved is not None and isinstance(reason, OneLevel):
        # Where a level decides, at most one of the two lacks it.
        form = form.replace(_NOT_IN_LIST, f"not in its {retrieved[reason.first is not None]:,}")
    return filled(form, {"a": a, "b": b, **said})


@singledispatch
def form_of(reason: Reason) -> str:
    """The sentence with slots for the names ``a`` and ``b`` and for the fields of the reason.

    Many reasons have one form. The page of a comparison fills it in the same way as :func:`filled`.

    Example:
        >>> form_of(OneLevel(level=2, first=None, second=16))
        '{level:ordinal} relevant document: {a} not in its list, {b} at rank {second}'
    """
    return _FORMS[type(reason)]


def filled(form: str, said: Mapping[str, object]) -> str:
    """A form with what is said in its slots, which is not looked at again.

    Args:
        form: ``{name}`` is a slot; a score gets four decimals. ``{name:ordinal}`` is a number that says the
            how-manieth, ``{name:topic}`` that many topics.
        said: What fills the slots, by name.

    Example:
        >>> filled("{a} wins {won:topic}, its {won:ordinal}", {"a": "{b}", "won": 1})
        '{b} wins 1 topic, its 1st'
    """

    def fill(found: re.Match[str]) -> str:
        value, how = said[found[1]], found[2]
        if isinstance(value, float):
            return "no score" if math.isnan(value) else f"{value:.4f}"
        if how is None or not isinstance(value, int):
            return str(value)
        return ordinal(value) if how == "ordinal" else count_of(value, how)

    return SLOT.sub(fill, form)


@form_of.register
def _(reason: OneLevel) -> str:
    if reason.level is None:
        reach = "" if reason.cutoff is None else " down to rank {cutoff}"
        if not reason.retrieved:
            return f"neither has a relevant document{reach}"
        rest = ", and lacks {lacking}" if reason.lacking else ""
        return f"each has {{retrieved:relevant document}}{reach}, as early as the other{rest}"
    lacks = _NOT_IN_LIST if reason.cutoff is None else "not in its first {cutoff}"
    first = lacks if reason.first is None else "at rank {first}"
    second = lacks if reason.second is None else "at rank {second}"
    return f"{{level:ordinal}} relevant document: {{a}} {first}, {{b}} {second}"


@form_of.register
def _(reason: SomeLevels) -> str:
    text = "{a} is earlier at {won:recall level}, {b} at {lost}; {tied} tied"
    if reason.populations > 1:
        text += " (over {populations} {interest})"
    return text if reason.cell is None else f"{_cell(reason.cell)}: {text}"


@form_of.register
def _(reason: FirstLeads) -> str:
    first, second = reason.first, reason.second
    if first is None and second is None:
        return "equal at every depth"
    if first == second:
        return "each is ahead by some grade at depth {first}, so metrics can disagree"
    leads, overtakes = "{a} is ahead from depth {first}", "{b} overtakes at depth {second}"
    if first is None or (second is not None and second < first):
        leads, overtakes = "{b} is ahead from depth {second}", "{a} overtakes at depth {first}"
    if first is None or second is None:
        return f"{leads} and never behind, so {{metrics}} agree"
    return f"{leads}; {overtakes}, so metrics can disagree"


@form_of.register
def _(reason: HoweverJudged) -> str:
    cell = _cell(reason.cell)
    if not reason.first + reason.second:
        return f"{cell}: neither has an unjudged document down to rank {{cutoff}}"
    unjudged = "the unjudged documents down to rank {cutoff} ({first} of {a}, {second} of {b})"
    if reason.certain:
        return f"{cell}: no judging of {unjudged} would change it"
    return f"{cell}: it depends on how somebody would judge {unjudged}"


@form_of.register
def _(reason: JudgesSay) -> str:
    if not reason.judges:
        return "no judge was asked"
    return "{first:judge} for {a}, {second} for {b}, {neither} for neither"


def _cell(cell: str) -> str:
    """The cell of a relation as a part of a form: a name's own slot, or one for any words."""
    return cell if cell in ("{a}", "{b}") else "{cell}"


def ordinal(number: int) -> str:
    """A number that says the how-manieth.

    Example:
        >>> ordinal(1), ordinal(12), ordinal(23)
        ('1st', '12th', '23rd')
    """
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


_MARKS = {1: "<", 0: "=", -1: ">"}
# More levels than these are folded, but for the first ones and those that decide.
_MOST_LEVELS, _FIRST_LEVELS = 20, 10
_LONGEST_TEXT = 300


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Worded):
    """Why one ranking of a topic is preferred to another.

    Attributes:
        topic: The topic.
        a: The first system.
        b: The second system.
        levels: A row for every recall level that a preference looks at. Columns population (``grade >= 1``
            holds the users who look for items of at least grade 1), level (from 1), document_a, grade_a,
            position_a, document_b, grade_b, position_b, sign (+1 if a is earlier, -1 if b is) and decides
            (the preferences that this level decides). Document, grade and position are missing if a system
            retrieves no item at that level.
        values: By preference, its value, above 0 if a is preferred.
        reasons: By preference, what decides, as data.
        signature: How all this was made.
        retrieved: How many documents each of the two has, if known.
        query: The text of the topic, if known.
        texts: The texts of documents, where known.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> explanation = irpref.compare(*demo_paths(), "LP").explain("6", "bm25", "tfidf")
        >>> explanation.reasons["LP"].first, explanation.reasons["LP"].second
        (1, 3)
        >>> explanation.levels.query("decides == 'LP'")[["level", "document_a", "document_b"]].values
        array([[1, 'garden-112', 'garden-112']], dtype=object)
    """

    topic: str
    a: str
    b: str
    levels: pd.DataFrame
    values: Mapping[str, float]
    reasons: Mapping[str, Reason]
    signature: str
    retrieved: tuple[int, int] | None = None
    query: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def decisions(self) -> pd.DataFrame:
        """By preference: its value, and a sentence that says what decides."""
        said = [in_words(each, self.a, self.b, self.retrieved) for each in self.reasons.values()]
        columns = {"value": list(self.values.values()), "decided_by": said}
        frame = pd.DataFrame(columns, index=pd.Index(list(self.values), name="preference"))
        frame.attrs["signature"] = self.signature
        return frame

    @property
    def report(self) -> Report:
        """The explanation as a report."""
        a, b = pair = self.a, self.b
        levels, line = self.levels, with_parts(self.signature, table="levels")
        documents = levels[["document_a", "document_b"]].to_numpy().ravel()
        said = (beginning(text, _LONGEST_TEXT) for text in (self.query or "", *self.texts.values()))
        words = self.words.naming((self.topic, *pair, *self.values, *documents, *said))
        asked = "" if self.query is None else f" ({beginning(self.query, _LONGEST_TEXT)})"
        decided = table_of(self.decisions.reset_index())
        parts = levels.groupby("population", sort=False)
        return Report(
            title=f"Topic {self.topic}{asked}: {a} against {b} (positive: {a} is better)",
            tables=(
                Table("", decided, {"value": MEAN}, flexible=("preference", "decided_by")),
                *(_levels_table(part, pair, str(population)) for population, part in parts),
                *_texts_table(documents, self.texts),
            ),
            rows=table_of(levels.assign(signature=line)),
            remarks=tuple(_notes(pair, levels, self.reasons)),
            facts={
                "topic": self.topic,
                "a": a,
                "b": b,
                **({} if self.query is None else {"query": self.query}),
                "decisions": [
                    {
                        "preference": name,
                        "value": self.values[name],
                        "kind": reason.kind,
                        # The rows say which levels decide, and people alone read cells.
                        **{
                            key: fact
                            for key, fact in asdict(reason).items()
                            if key not in ("levels", "cell")
                        },
                    }
                    for name, reason in self.reasons.items()
                ],
            },
            signatures=(line,),
        ).worded(words)


def _levels_table(levels: pd.DataFrame, pair: tuple[str, str], population: str) -> Table:
    """The items of one population, side by side; long segments that decide nothing in one row."""

    def folds(level: Mapping[str, Any]) -> bool:
        deep = len(levels) > _MOST_LEVELS and level["level"] > _FIRST_LEVELS
        return deep and not level["decides"]

    rows: list[list[Any]] = []
    for folded, segment in groupby(table_of(levels).iter_rows(named=True), folds):
        here = list(segment)
        rows += [_folded(here)] if folded else map(_whole, here)
    headings = ["level"]
    # No two headings may be the same, whatever the systems are called.
    for heading in (pair[0], "at", "", "at", pair[1], "decides"):
        headings.append(unlike(heading, headings))
    level = pl.String if any(isinstance(row[0], str) for row in rows) else pl.Int64
    types = level, pl.String, pl.Int64, pl.String, pl.Int64, pl.String, pl.String
    schema = dict(zip(headings, types, strict=True))
    frame = pl.DataFrame(rows, schema, orient="row", strict=False)
    if not any(row[-1] for row in rows):
        # Not drop, which starts threads: these hang in a process that was forked.
        frame.drop_in_place(headings[-1])
    grade, sign, least = population.partition(" >= ")
    wanted = f"{grade} {least} or more" if sign else population
    return Table(
        f"Relevant documents by recall level, with their grades: {wanted}",
        frame,
        flexible=[headings[each] for each in (1, 5, 6) if headings[each] in frame.columns],
    )


def _whole(level: Mapping[str, Any]) -> list[Any]:
    """The row of a recall level."""
    a, b = (_item(level, side) for side in "ab")
    at_a, at_b, mark = level["position_a"], level["position_b"], _MARKS[level["sign"]]
    return [level["level"], a, at_a, mark, at_b, b, level["decides"]]


def _folded(levels: Sequence[Mapping[str, Any]]) -> list[Any]:
    """One row for several recall levels."""
    signs = [level["sign"] for level in levels]
    first, last = (levels[end]["level"] for end in (0, -1))
    earlier = [f"earlier at {signs.count(sign)} of {len(levels)}" for sign in (1, -1)]
    if all(level[f"grade_{side}"] is None for level in levels for side in "ab"):
        earlier = ["not retrieved"] * 2
    said = f"{first}–{last}" if last > first else first
    return [said, earlier[0], None, "…", None, earlier[1], ""]


def _item(level: Mapping[str, Any], side: str) -> str:
    grade = level[f"grade_{side}"]
    return "not retrieved" if grade is None else f"{level[f'document_{side}']} ({grade:g})"


def _texts_table(named: Iterable[str], texts: Mapping[str, str]) -> list[Table]:
    """What the documents say, each once, in the order of the levels."""
    documents = [name for name in dict.fromkeys(named) if name in texts]
    if not documents:
        return []
    said = [beginning(texts[name], _LONGEST_TEXT) for name in documents]
    frame = pl.DataFrame({"document": documents, "text": said})
    return [Table("What these documents say", frame, flexible=("document", "text"))]


def _notes(
    pair: tuple[str, str], levels: pd.DataFrame, reasons: Mapping[str, Reason]
) -> Iterable[str]:
    a, b = pair
    decides = ""
    if levels["decides"].astype(bool).any():
        decides = " decides: which preferences this level decides."
    yield (
        f"<: {a} is earlier at this level; >: {b} is; =: both are at the same rank, or neither has a "
        f"document here.{decides}"
    )
    cut: dict[int, list[str]] = {}
    for name, reason in reasons.items():
        depth = getattr(reason, "cutoff", None)
        if depth is not None:
            cut.setdefault(depth, []).append(name)
    for depth, names in cut.items():
        yield f"{', '.join(names)}: a document below rank {depth} counts as not retrieved."
    if levels.groupby("population").size().max() > _MOST_LEVELS:
        yield (
            f"A row such as 11–24 stands for several levels; csv, json and explanation.levels have all "
            f"{count_of(len(levels), 'level')}."
        )

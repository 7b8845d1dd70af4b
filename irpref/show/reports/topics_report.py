"""The report of a comparison topic by topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from irpref.base.literals import Progress
from irpref.base.message import Option, refusal
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.certain_wins import certain_wins
from irpref.pairwise.provenance import provenance_of
from irpref.pairwise.signature import signature, with_parts
from irpref.pairwise.testing_options import ReportTest
from irpref.positions.placements import Placements
from irpref.report.report import Report
from irpref.report.table import MEAN, Table, table_of, unlike
from irpref.show.reports.comparison_notes import relation_notes
from irpref.show.reports.coverage_report import reading_words, with_provenance

if TYPE_CHECKING:
    import pandas as pd


def refuse_beside_topics(test: ReportTest, top: int | None) -> None:
    """Refuse options of :meth:`irpref.Comparison.report` that go with no report topic by topic."""
    if test or top is not None:
        raise refusal(
            Option("per_topic"),
            " goes with neither ",
            Option("test"),
            " nor ",
            Option("top"),
            ": leave one out",
        )


def topics_report(
    placements: Placements,
    criteria: Sequence[Criterion],
    baseline: int | None,
    progress: Progress | None,
) -> Report:
    """Topic by topic: over the baseline, of two systems else over the second one, or over all others."""
    from irpref.pairwise.frames import by_topic

    if baseline is None and len(placements.systems) == 2:
        baseline = 1
    values = by_topic(placements, criteria, baseline, progress=progress)
    counted = values.groupby("preference")["topic"].nunique()
    over = None if baseline is None else placements.systems[baseline]
    signatures = [
        with_parts(
            signature(each, placements, topics=int(counted.get(str(each), 0))),
            {"baseline": over},
            report="topics",
        )
        for each in criteria
    ]
    certain = certain_wins(placements, criteria, baseline)
    provenance = provenance_of(placements, criteria, signatures=signatures, certain=certain)
    reference = "all others" if over is None else over
    seen = values if over is None else _named(values, criteria, over)
    report = Report(
        title=f"Preference of each system over {reference}, topic by topic",
        tables=(topics_table(seen, "preference", criteria, provenance.facts["topics"], MEAN),),
        rows=table_of(values.assign(over=reference)),
        remarks=tuple(reading_words(placements.warnings)),
        notes=tuple(relation_notes(criteria if "relation" in values else ())),
    )
    return with_provenance(report, provenance).signed("preference", criteria)


def _named(values: pd.DataFrame, criteria: Iterable[Criterion], baseline: str) -> pd.DataFrame:
    """The values over the baseline, with relations as people read them."""
    if "relation" not in values:
        return values
    relations = {(str(each), one.label): one for each in criteria for one in each.relations}
    cells: list[Any] = []
    for preference, label, system in values[["preference", "relation", "system"]].to_numpy():
        # Not every criterion has relations.
        relation = relations.get((preference, label))
        cells.append(None if relation is None else relation.cell(system, baseline))
    return values.assign(relation=cells)


def topics_table(
    values: pd.DataFrame, by: str, shown: Sequence[object], topics: Iterable[str], form: str
) -> Table:
    """A row for each topic and system.

    Args:
        values: Columns topic, system, value, and what the values are by; and perhaps relation, which is
            shown instead of a value.
        by: The column that says what they are by.
        shown: What becomes of it a column each.
        topics: The topics in their order.
        form: The format of a value.
    """
    import pandas as pd

    names, keys = list(map(str, shown)), ["topic", "system"]
    table = values.pivot(index=keys, columns=by, values="value").reindex(columns=names)
    if "relation" in values:
        related = values.dropna(subset="relation")
        related = related.pivot(index=keys, columns=by, values="relation")
        table[related.columns] = related
    headings = [unlike(name, keys) for name in names]
    table.columns = pd.Index(headings)
    order = {topic: place for place, topic in enumerate(topics)}
    table = table.reset_index().sort_values(
        "topic", key=lambda column: column.map(order), kind="stable"
    )
    return Table("", table_of(table), dict.fromkeys(headings, form), keys=len(keys))

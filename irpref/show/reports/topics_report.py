"""What the report of a comparison has that no other has: depths of runs, and topic by topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.base.literals import Progress
from irpref.base.message import Option, refusal
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.certain_wins import certain_wins
from irpref.pairwise.pair_table import Tests
from irpref.pairwise.provenance import provenance_of
from irpref.pairwise.signature import signature, with_parts
from irpref.pairwise.testing_options import PairTest, ReportTest
from irpref.pairwise.unequal_depths import UnequalDepths, differ
from irpref.positions.placements import Placements
from irpref.report.report import Report
from irpref.report.table import MEAN, Table, table_of, to_pandas, unlike
from irpref.show.reports.comparison_notes import relation_notes
from irpref.show.reports.coverage_report import (
    DepthsSaid,
    baseline_depth_note,
    leaderboard_depth_note,
    with_provenance,
)

if TYPE_CHECKING:
    import pandas as pd


def refuse_beside_topics(test: ReportTest, top: int | None) -> None:
    """Refuse options of :meth:`irpref.Comparison.report` that go with no report topic by topic."""
    if test or top is not None:
        others = Option("test"), " nor ", Option("top"), ": leave one out"
        raise refusal(Option("per_topic"), " goes with neither ", *others)


def depths_said(
    placements: Placements,
    depths: UnequalDepths | None,
    pair: tuple[int | None, int | None],
    tests: Tests,
    asked: tuple[PairTest, tuple[int, ...] | None, Progress | None] | None,
) -> DepthsSaid | None:
    """What a report says of the depths of runs; None where they do not differ.

    Args:
        placements: The placements.
        depths: The runs of unequal depth; None if there are none.
        pair: The two systems, or none and what all systems are compared to; no two in a leaderboard.
        tests: By preference, its tests.
        asked: How they were tested, the baselines (None for all pairs), and whom to tell the progress; None
            if nothing was.
    """
    first, second = pair
    if depths is None:
        return None
    facts: dict[str, Any] = {
        "depths": dict(zip(depths.systems, depths.depths.tolist(), strict=True)),
        "changed_signs": depths.changed_signs,
    }
    if second is None:
        changes = any(depths.changed_signs.values())
        return DepthsSaid(leaderboard_depth_note(depths), changes, facts)
    others = [each for each in range(len(depths.systems)) if each != second]
    if first is not None:
        others = [first]
    if not differ(depths.depths[others], depths.depths[second]).any():
        return None
    if not tests or asked is None or len(others) < len(depths.systems) - 1:
        rows = depths.against(others, second)
    else:
        test, baselines, progress = asked
        rows = depths.tested(placements, tests, test, baselines, progress=progress)
    facts["pairs"] = rows
    changes = any(row["changes"] for row in rows)
    names = [depths.systems[each] for each in others]
    said = baseline_depth_note(depths.systems[second], names, depths, rows)
    return DepthsSaid(said, changes, facts, rows)


def depths_frame(
    placements: Placements, criteria: Sequence[Criterion], depths: UnequalDepths | None
) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.unequal_depths`."""
    frame = to_pandas(pl.DataFrame([] if depths is None else depths.rows))
    asked = criteria if depths is None else tuple(depths.cut)
    frame.attrs["signature"] = signature(asked, placements, table="unequal-depths")
    return frame


def topics_report(
    placements: Placements,
    criteria: Sequence[Criterion],
    baseline: int | None,
    progress: Progress | None,
) -> Report:
    """Topic by topic: over the baseline, or over all others."""
    from irpref.pairwise.frames import by_topic

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

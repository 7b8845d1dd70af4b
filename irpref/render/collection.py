"""What a collection holds, as a report."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from irpref.render.coverage import coverage_notes
from irpref.render.report import Report
from irpref.render.table import Table, count_of
from irpref.summarise.holdings import Holdings
from irpref.summarise.provenance import Provenance


def collection_report(held: Holdings, behind: Provenance, *, top: int | None = None) -> Report:
    """Every system: how many topics and documents it has, and what it finds."""
    rows = pl.DataFrame(held.systems)
    table = Table(
        "",
        rows if top is None else rows.head(top),
        {"documents a topic": ",.1f", "relevant found": ".0%", "judged at 10": ".0%"},
    )
    notes = [
        f"{count_of(held.judgments, 'judgment')}, {count_of(held.relevant, 'relevant document')}: "
        f"{held.per_topic:.1f} a topic, from {held.least} to {held.most}.",
    ]
    if top is not None and top < rows.height:
        notes.insert(
            0, f"{count_of(rows.height - top, 'more system')} below these: .report shows all."
        )
    if behind.tally.reading.lists is not None:
        notes.append(f"The first {behind.tally.reading.lists:,} documents of every run are kept.")
    report = Report(
        title=f"{count_of(rows.height, 'system')}, {count_of(behind.tally.topic_count, 'topic')} with "
        "relevant documents",
        tables=(table,),
        rows=rows,
        notes=(*notes, *coverage_notes(behind, behind.tally.systems)),
        facts=behind.facts,
        signatures=behind.signatures,
    )
    line = pl.lit(report.signatures[0]).alias("signature")
    return replace(report, rows=report.rows.with_columns(line))

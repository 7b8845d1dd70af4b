"""What a collection holds, as a report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from irpref.project.kept import Kept
from irpref.project.placements import Placements
from irpref.render.coverage import coverage_notes, facts_of
from irpref.render.report import Report, Table, count_of
from irpref.summarise.signature import signature

__all__ = ["collection_report"]


def collection_report(placements: Placements, kept: Kept, *, top: int | None = None) -> Report:
    """Every system: how many topics and documents it has, and what it finds.

    Args:
        placements: What was placed.
        kept: What was kept with it.
        top: How many systems to show, the first ones; all if not given.
    """
    coverage = placements.coverage
    topics = (coverage.retrieved > 0).sum(axis=0)
    relevant = np.diff(placements.starts)
    found = (placements.positions != placements.unretrieved).sum(axis=0)
    rows = pl.DataFrame(
        {
            "system": list(placements.systems),
            "topics": topics,
            "documents a topic": coverage.retrieved.sum(axis=0) / np.maximum(topics, 1),
            "relevant found": found / max(1, int(relevant.sum())),
            "judged at 10": list(coverage.judged_at_10.values()),
        }
    )
    table = Table(
        "",
        rows if top is None else rows.head(top),
        {"documents a topic": ",.1f", "relevant found": ".0%", "judged at 10": ".0%"},
    )
    judged = int(np.count_nonzero(kept.chosen))
    notes = [
        f"{count_of(judged, 'judgment')}, {int(relevant.sum()):,} relevant documents: "
        f"{relevant.mean():.1f} a topic, from {relevant.min()} to {relevant.max()}.",
    ]
    if top is not None and top < rows.height:
        notes.insert(0, f"{count_of(rows.height - top, 'more system')} below these.")
    if placements.reading.lists is not None:
        notes.append(f"The first {placements.reading.lists:,} documents of every run are kept.")
    report = Report(
        title=f"{count_of(len(placements.systems), 'system')}, "
        f"{count_of(len(placements.topics), 'topic')} with relevant documents",
        tables=(table,),
        rows=rows,
        notes=(*notes, *coverage_notes(placements, placements.systems, ())),
        facts=facts_of(placements),
        signatures=(signature((), placements),),
    )
    line = pl.lit(report.signatures[0]).alias("signature")
    return replace(report, rows=report.rows.with_columns(line))

"""Why one ranking of a topic is preferred to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from irpref.base.arrays import Integers
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import Reason
from irpref.pairwise.frames import nullable
from irpref.pairwise.signature import signature, with_parts
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Populations, TopicBatch, refuse_levels
from irpref.read.texts import Texts, read_texts
from irpref.show.reports.explanation_report import Explanation


def explain(
    placements: Placements,
    preferences: Sequence[Criterion],
    topic_name: object,
    systems: tuple[str, str],
    *,
    topics: Texts | None,
    docs: Texts | None,
) -> Explanation:
    """See :meth:`irpref.Comparison.explain`."""
    pair, topic = placements.pair(*systems, "explain"), placements.topic(topic_name)
    criteria = [each.of_one_run for each in preferences]
    batch = TopicBatch(placements, topics=np.array([topic]), first=pair[:1], second=pair[1:])
    values: dict[str, float] = {}
    reasons: dict[Criterion, Reason] = {}
    for criterion in criteria:
        value = criterion.signed_values(criterion.values(batch))[0, 0, 0]
        values[str(criterion)] = float(value)
        reasons[criterion] = criterion.reasons(batch).row((0, 0, 0), batch.shape)
    side_by_side = _levels(batch, reasons, topic, pair)
    one, other = placements.retrieved[topic, [*pair]].tolist()
    name, (a, b) = placements.topics[topic], (placements.systems[each] for each in pair)
    line = signature(criteria, placements, topics=1, names={"topic": name, "a": a, "b": b})
    side_by_side.attrs["signature"] = with_parts(line, table="levels")
    named = side_by_side[["document_a", "document_b"]].to_numpy().ravel()
    documents = [str(document) for document in dict.fromkeys(named) if document is not None]
    return Explanation(
        topic=name,
        a=a,
        b=b,
        levels=side_by_side,
        values=values,
        reasons={str(each): reason for each, reason in reasons.items()},
        signature=line,
        retrieved=(one, other),
        query=None if topics is None else read_texts(topics, [name], "topic").get(name),
        texts={} if docs is None else read_texts(docs, documents, "document"),
        words=placements.words,
    )


# Rows of a table that people look at.
_MOST_LEVELS = 1_000_000


def _levels(
    batch: TopicBatch, reasons: Mapping[Criterion, Reason], topic: int, pair: tuple[int, int]
) -> pd.DataFrame:
    """Every recall level that the criteria look at, of two rankings of one topic.

    Returns:
        A row a population and recall level. Columns population (``grade >= 1``, ``subtopic 3``), level
        (from 1), document_a, grade_a, position_a, document_b, grade_b, position_b, sign, and decides: the
        criteria that this level decides, joined by commas. Document, grade and position are missing if no
        item is retrieved at that level.
    """
    placements = batch.placements
    looked_at = list(dict.fromkeys(filter(None, (each.looks_at for each in reasons))))
    found: dict[tuple[str, bytes], tuple[Integers, dict[int, list[str]]]] = {}
    for asked in looked_at or [("relevant", 1.0)]:
        populations = batch.populations(*asked)
        here = np.flatnonzero(populations.topic == topic)
        if asked[0] == "grades":
            levels = int(populations.sizes[here].sum())
            refuse_levels(placements.topics[topic], levels, _MOST_LEVELS, "to show")
        looking = {str(each): of for each, of in reasons.items() if each.looks_at == asked}
        for index in here.tolist():
            rows = populations.rows(np.array([index]))[0]
            # Several criteria may look at the same items.
            key = _name(placements, populations, index, rows), rows.tobytes()
            _, names_by_level = found.setdefault(key, (rows, {}))
            for name, reason in looking.items():
                for at in reason.levels:
                    if at.population == index:
                        names_by_level.setdefault(at.level, []).append(name)
    parts = [
        _side_by_side(placements, name, rows, pair, deciding)
        # Those who want any relevant item come first.
        for (name, _), (rows, deciding) in sorted(found.items(), key=lambda each: -len(each[1][0]))
    ]
    if not parts:
        return _side_by_side(placements, "", np.empty(0, dtype=np.int64), pair, {})
    return pd.concat(parts, ignore_index=True)


def _name(placements: Placements, populations: Populations, index: int, rows: Integers) -> str:
    """What the users of a population look for."""
    if populations.subtopics is None:
        return f"grade >= {placements.grades[rows].min():g}"
    subtopic = populations.subtopics[index]
    return "any subtopic" if subtopic is None else f"subtopic {subtopic}"


def _side_by_side(
    placements: Placements,
    population: str,
    rows: Integers,
    systems: tuple[int, int],
    deciding: Mapping[int, Sequence[str]],
) -> pd.DataFrame:
    """The items of some rows in two rankings, by recall level."""
    columns: dict[str, Any] = {"population": population, "level": np.arange(1, len(rows) + 1)}
    positions = []
    for side, system in zip("ab", systems, strict=True):
        by_position = rows[np.argsort(placements.positions[rows, system], kind="stable")]
        position = placements.positions[by_position, system]
        found = position != placements.unretrieved
        documents = placements.documents[by_position].copy()
        documents[~found] = None
        columns[f"document_{side}"] = documents
        columns[f"grade_{side}"] = np.where(found, placements.grades[by_position], np.nan)
        columns[f"position_{side}"] = nullable(np.where(found, position.astype(np.float64), np.inf))
        positions.append(position)
    columns["sign"] = np.sign(positions[1].astype(np.int64) - positions[0])
    columns["decides"] = [", ".join(deciding.get(level + 1, ())) for level in range(len(rows))]
    return pd.DataFrame(columns)

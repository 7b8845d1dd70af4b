"""Comparisons as reports: two systems, all against one, or a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from irpref.preferences.base import Preference
from irpref.preferences.ipso import InnateOrdering
from irpref.project.collection import Collection
from irpref.render.report import Report, Table
from irpref.summarise import frames
from irpref.summarise.signature import signature
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["baseline_report", "leaderboard_report", "pair_report", "per_topic_report"]

_CLEAREST = 3
_TOPICS_NAMED = 5
_MEAN = "+.3f"
_HEADINGS = {"nonseparable": "not separable"}
Results = Mapping[Preference, Totals]


def pair_report(collection: Collection, results: Results, first: int, second: int) -> Report:
    """Two systems: means, outcomes, and the topics with the clearest wins each way."""
    import pandas as pd

    a, b = collection.systems[first], collection.systems[second]
    rows, records = [], []
    for preference, totals in results.items():
        outcome = _outcome(preference, totals, first, second)
        records.append({"a": a, "b": b, "preference": str(preference), **outcome})
        rows.append(
            {
                "preference": str(preference),
                "mean": outcome["mean"],
                **{name: outcome[name] for name in ("wins", "ties", "losses")},
                "not separable": outcome.get("nonseparable"),
            }
        )
    summary = pd.DataFrame(rows)
    if not any(isinstance(preference, InnateOrdering) for preference in results):
        summary = summary.drop(columns="not separable")
    else:
        summary["not separable"] = summary["not separable"].astype("Int64")
    values = pd.DataFrame(
        {
            str(preference): frames.topic_values(collection, preference, first, second)
            for preference in results
        }
    )
    # Where the preferences agree, and the first of them does at least.
    clearness = values.mean(axis=1).sort_values(ascending=False, kind="stable")
    side = values.iloc[:, 0].loc[clearness.index]
    shown = values.copy()
    for preference in results:
        if _has_relations(preference):
            shown[str(preference)] = frames.relations(collection, preference, first, second)[
                "relation"
            ]
    tables = [Table("", summary, {"mean": _MEAN})]
    for winner, chosen in (
        (a, clearness[(clearness > 0) & (side > 0)].index[:_CLEAREST]),
        (b, clearness[(clearness < 0) & (side < 0)].index[::-1][:_CLEAREST]),
    ):
        if len(chosen):
            frame = shown.loc[chosen].reset_index()
            formats = {
                str(column): _MEAN for column in shown.columns if shown[column].dtype.kind == "f"
            }
            tables.append(Table(f"Clearest wins of {winner}", frame, formats))
    compared = int(max(totals.topics[first, second] for totals in results.values()))
    return Report(
        title=f"{a} against {b} on {_count(compared, 'topic')} (above 0 prefers {a})",
        tables=tuple(tables),
        records=_tidy(records),
        notes=coverage_notes(collection, (a, b), list(results)),
        facts=_facts(collection, list(results)),
        signatures=tuple(
            signature(preference, collection, topics=int(totals.topics[first, second]))
            for preference, totals in results.items()
        ),
    )


def leaderboard_report(
    collection: Collection, results: Results, *, most: int | None = None
) -> Report:
    """Every system against all others, best first by the first preference.

    Args:
        collection: What was compared.
        results: Totals of all systems against all, by preference.
        most: How many systems to show; the best ones and the last one. All if not given.
    """
    import pandas as pd

    boards = {
        preference: frames.leaderboard(collection, preference, totals)
        for preference, totals in results.items()
    }
    main = next(iter(results))
    order = boards[main].index
    columns: dict[str, Any] = {"rank": range(1, len(order) + 1), "system": order}
    for preference, board in boards.items():
        columns[str(preference)] = board["mean"].loc[order].to_numpy()
        if preference is main:
            for name in board.columns.drop("mean"):
                columns[_HEADINGS.get(name, name)] = board[name].to_numpy()
    records = [
        {"system": system, "preference": str(preference), **_plain(row)}
        for preference, board in boards.items()
        for system, row in zip(board.index, board.to_dict("records"), strict=True)
    ]
    frame = pd.DataFrame(columns)
    left = 0
    if most is not None and len(frame) > most:
        left = len(frame) - most
        frame = pd.concat([frame.head(most - 1), frame.tail(1)])
    systems, topics = len(order), len(collection.topics)
    pairs = systems * (systems - 1) // 2
    notes = [
        f"Each column is the mean preference over the {systems - 1} other systems, from -1 to +1; "
        f"wins, ties and losses count the topics on which {main} prefers a system to another.",
        *coverage_notes(collection, collection.systems, list(results)),
    ]
    if left:
        notes.insert(0, f"{_count(left, 'system')} between the last two rows not shown.")
    return Report(
        title=f"{systems} systems, {pairs:,} pairs, {_count(topics, 'topic')}; best first by {main}",
        tables=(Table("", frame, {str(preference): _MEAN for preference in results}),),
        records=_tidy(records),
        notes=tuple(notes),
        facts=_facts(collection, list(results)),
        signatures=_signatures(collection, results),
    )


def baseline_report(collection: Collection, results: Results, baseline: int) -> Report:
    """Every system against one of them."""
    import pandas as pd

    boards = {
        preference: frames.against(collection, preference, totals, baseline)
        for preference, totals in results.items()
    }
    name = collection.systems[baseline]
    main = next(iter(results))
    order = boards[main].index
    columns: dict[str, Any] = {"system": order}
    for preference, board in boards.items():
        here = board.loc[order]
        columns[str(preference)] = here["mean"].to_numpy()
        columns[_outcome_column(preference)] = [
            "/".join(f"{count:g}" for count in row)
            for row in here.drop(columns="mean").itertuples(index=False, name=None)
        ]
    records = [
        {"system": system, "baseline": name, "preference": str(preference), **_plain(row)}
        for preference, board in boards.items()
        for system, row in zip(board.index, board.to_dict("records"), strict=True)
    ]
    return Report(
        title=f"{_count(len(order), 'system')} against {name} on "
        f"{_count(len(collection.topics), 'topic')} (above 0 prefers the system of the row)",
        tables=(
            Table("", pd.DataFrame(columns), {str(preference): _MEAN for preference in results}),
        ),
        records=_tidy(records),
        notes=(
            "W/T/L: topics won, tied and lost against the baseline; for IPSO the last number is the "
            "topics where the two cannot be separated.",
            *coverage_notes(collection, collection.systems, list(results)),
        ),
        facts=_facts(collection, list(results)),
        signatures=_signatures(collection, results),
    )


def per_topic_report(
    collection: Collection, preferences: Sequence[Preference], baseline: int | None
) -> Report:
    """Topic by topic: against the baseline, or against all others."""
    import pandas as pd

    systems = collection.systems
    if baseline is None and len(systems) == 2:
        baseline = 1
    others = [number for number in range(len(systems)) if number != baseline]
    parts = []
    for preference in preferences:
        if baseline is None:
            rates = frames.win_rates(collection, preference)
            values = [rates[system].dropna() for system in systems]
        else:
            values = [
                frames.topic_values(collection, preference, number, baseline) for number in others
            ]
        for number, by_topic in zip(others, values, strict=True):
            part = pd.DataFrame(
                {
                    "topic": by_topic.index,
                    "system": systems[number],
                    "preference": str(preference),
                    "value": by_topic.to_numpy(),
                }
            )
            if baseline is not None and _has_relations(preference):
                relations = frames.relations(collection, preference, number, baseline)
                part["relation"] = relations["relation"].to_numpy()
            parts.append(part)
    records = pd.concat(parts, ignore_index=True)
    names = [str(preference) for preference in preferences]
    rows = ["topic", "system"]
    shown = records.pivot(index=rows, columns="preference", values="value").reindex(columns=names)
    if "relation" in records:
        related = records.dropna(subset="relation")
        related = related.pivot(index=rows, columns="preference", values="relation")
        shown[related.columns] = related
    topics = {topic: i for i, topic in enumerate(collection.topics)}
    shown = shown.reset_index().sort_values(
        "topic", key=lambda column: column.map(topics), kind="stable"
    )
    shown.columns.name = None
    reference = "all others" if baseline is None else systems[baseline]
    return Report(
        title=f"Preference of each system over {reference}, topic by topic",
        tables=(Table("", shown, dict.fromkeys(names, _MEAN)),),
        records=records.assign(over="all others" if baseline is None else systems[baseline]),
        notes=coverage_notes(collection, systems, preferences),
        facts=_facts(collection, preferences),
        signatures=tuple(
            signature(preference, collection, topics=len(collection.topics))
            for preference in preferences
        ),
    )


def coverage_notes(
    collection: Collection, systems: Sequence[str], preferences: Sequence[Preference]
) -> tuple[str, ...]:
    """What was left out or is missing, a line each; nothing where all is well."""
    coverage = collection.coverage
    notes = []
    if coverage.topics_without_relevant:
        names = coverage.topics_without_relevant
        notes.append(
            f"Left out, as nothing in them is relevant: {_count(len(names), 'topic')} ({_few(names)})."
        )
    for preference, names in frames.topics_left_out(collection, preferences).items():
        notes.append(
            f"{preference} leaves out {_count(len(names), 'topic')}, as nothing in them is relevant to "
            f"it ({_few(names)})."
        )
    missing = {s: names for s, names in coverage.missing.items() if s in systems}
    if missing:
        what = (
            "left out of its comparisons"
            if collection.missing == "skip"
            else "counted as retrieving nothing"
        )
        shown = "; ".join(
            f"{system} lacks {len(names)} ({_few(names)})"
            for system, names in list(missing.items())[:_CLEAREST]
        )
        more = f"; {len(missing) - _CLEAREST} more systems" if len(missing) > _CLEAREST else ""
        notes.append(f"Topics missing from a run, {what}: {shown}{more}.")
    ignored = sum(coverage.unjudged_topics.get(system, 0) for system in systems)
    if ignored:
        notes.append(f"Ignored, as the qrels lack them: {_count(ignored, 'topic')} of the runs.")
    dropped = sum(coverage.duplicates.get(system, 0) for system in systems)
    if dropped:
        notes.append(f"Left out as repeated in a topic: {_count(dropped, 'document')}.")
    judged = np.array([coverage.judged_at_10[system] for system in systems])
    if judged.min() < 1:
        least = systems[int(judged.argmin())]
        notes.append(
            f"Judged among the first 10 documents: {judged.mean():.0%} on average, least in {least} "
            f"({judged.min():.0%}); unjudged ones count as not relevant."
        )
    return tuple(notes)


def _has_relations(preference: Preference) -> TypeGuard[InnateOrdering]:
    """Whether each topic has one relation: the expected one over orders of ties has a share of each."""
    return isinstance(preference, InnateOrdering) and getattr(preference, "ties", "trec") == "trec"


def _outcome(preference: Preference, totals: Totals, first: int, second: int) -> dict[str, Any]:
    names = ["topics", "mean", "wins", "ties", "losses"]
    if isinstance(preference, InnateOrdering):
        names.append("nonseparable")
    return {name: getattr(totals, name)[first, second].item() for name in names}


def _outcome_column(preference: Preference) -> str:
    separated = "W/T/L" if not isinstance(preference, InnateOrdering) else "W/T/L/**"
    return f"{preference} {separated}"


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items()}


def _tidy(records: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(records)
    if "nonseparable" in frame and (frame["nonseparable"].dropna() % 1 == 0).all():
        frame["nonseparable"] = frame["nonseparable"].astype("Int64")
    return frame


def _facts(collection: Collection, preferences: Sequence[Preference]) -> dict[str, Any]:
    coverage = collection.coverage
    return {
        "systems": list(collection.systems),
        "topics": list(collection.topics),
        "topics_without_relevant": list(coverage.topics_without_relevant),
        "topics_left_out": {
            preference: list(names)
            for preference, names in frames.topics_left_out(collection, preferences).items()
        },
        "missing": {system: list(names) for system, names in coverage.missing.items()},
        "unjudged_topics": dict(coverage.unjudged_topics),
        "judged_at_10": dict(coverage.judged_at_10),
        "duplicates": dict(coverage.duplicates),
    }


def _signatures(collection: Collection, results: Results) -> tuple[str, ...]:
    return tuple(
        signature(preference, collection, topics=int(totals.topics.max()))
        for preference, totals in results.items()
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_TOPICS_NAMED]) + (", …" if len(names) > _TOPICS_NAMED else "")

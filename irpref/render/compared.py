"""Comparisons as reports: two systems, all against one, or a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from irpref.preferences.base import Preference
from irpref.preferences.ipso import InnateOrdering
from irpref.project.collection import Collection
from irpref.render.coverage import count_of, coverage_notes, facts_of
from irpref.render.report import Report, Table
from irpref.render.tested import how_tested
from irpref.summarise import frames
from irpref.summarise.signature import signature
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "baseline_report",
    "leaderboard_report",
    "pair_report",
    "per_topic_report",
]

_CLEAREST = 3
_LETTERS = 10
_MEAN = "+.3f"
_HEADINGS = {"nonseparable": "not separable"}
_TESTED = ("p", "p_adjusted", "significant")
Results = Mapping[Preference, Totals]
Tests = Mapping[Preference, "pd.DataFrame"]


def pair_report(
    collection: Collection,
    results: Results,
    first: int,
    second: int,
    tests: Tests | None = None,
) -> Report:
    """Two systems: means, outcomes, and the topics with the clearest wins each way.

    Args:
        collection: What was compared.
        results: Totals of all systems against all, by preference.
        first: The number of the first system.
        second: That of the second one.
        tests: By preference, the test of this pair.
    """
    import pandas as pd

    a, b = collection.systems[first], collection.systems[second]
    rows, records = [], []
    for preference, totals in results.items():
        outcome = _outcome(preference, totals, first, second)
        tested: dict[str, Any] = {}
        if tests is not None:
            tested = _plain(tests[preference].iloc[0][list(_TESTED)].to_dict())
        records.append({"a": a, "b": b, "preference": str(preference), **outcome, **tested})
        rows.append(
            {
                "preference": str(preference),
                "mean": outcome["mean"],
                **{name: outcome[name] for name in ("wins", "ties", "losses")},
                "not separable": outcome.get("nonseparable"),
                **({} if tests is None else {"p": tested["p"]}),
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
    marks = {}
    if tests is not None:
        marks["mean"] = ["†" if test["significant"].iloc[0] else "" for test in tests.values()]
    tables = [Table("", summary, {"mean": _MEAN, "p": ".4f"}, marks)]
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
        title=f"{a} against {b} on {count_of(compared, 'topic')} (above 0 prefers {a})",
        tables=tuple(tables),
        records=_tidy(records),
        notes=(*_test_notes(tests), *coverage_notes(collection, (a, b), list(results))),
        facts=facts_of(collection, list(results)),
        signatures=_signatures(collection, results, tests),
    ).signed("preference", list(results))


def leaderboard_report(
    collection: Collection,
    results: Results,
    tested: pd.DataFrame | None = None,
    *,
    most: int | None = None,
) -> Report:
    """Every system against all others, best first by the first preference.

    Args:
        collection: What was compared.
        results: Totals of all systems against all, by preference.
        tested: The leaderboard of the first preference with letters and intervals of the ranks.
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
            if tested is not None:
                columns["letters"] = [
                    letters if len(letters) <= _LETTERS else f"{letters[:_LETTERS]}…"
                    for letters in tested["letters"]
                ]
                columns["rank within"] = [
                    f"{low}-{high}"
                    for low, high in zip(tested["rank_low"], tested["rank_high"], strict=True)
                ]
    records = [
        {"system": system, "preference": str(preference), **_plain(row)}
        for preference, board in boards.items()
        for system, row in zip(board.index, board.to_dict("records"), strict=True)
    ]
    if tested is not None:
        extra = tested[["rank", "rank_low", "rank_high", "letters"]].to_dict("index")
        for record in records[: len(order)]:
            record.update(_plain(extra[record["system"]]))
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
    if tested is not None:
        notes.insert(
            1,
            f"Systems that share a letter are not told apart by {main} ({how_tested(tested.attrs)}); "
            f"rank within: bootstrap interval over topics, level {1 - tested.attrs['alpha']:g}.",
        )
    if left:
        notes.insert(0, f"{count_of(left, 'system')} between the last two rows not shown.")
    return Report(
        title=f"{systems} systems, {pairs:,} pairs, {count_of(topics, 'topic')}; best first by {main}",
        tables=(Table("", frame, {str(preference): _MEAN for preference in results}),),
        records=_tidy(records),
        notes=tuple(notes),
        facts=facts_of(collection, list(results)),
        signatures=_signatures(collection, results, None if tested is None else {main: tested}),
    ).signed("preference", list(results))


def baseline_report(
    collection: Collection, results: Results, baseline: int, tests: Tests | None = None
) -> Report:
    """Every system against one of them.

    Args:
        collection: What was compared.
        results: Totals of all systems against all, by preference.
        baseline: The number of the one.
        tests: By preference, the tests of all others against it.
    """
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
    by_system = {
        preference: frame.set_index("a")[list(_TESTED)]
        for preference, frame in (tests or {}).items()
    }
    records = [
        {
            "system": system,
            "baseline": name,
            "preference": str(preference),
            **_plain(row),
            **(_plain(by_system[preference].loc[system].to_dict()) if by_system else {}),
        }
        for preference, board in boards.items()
        for system, row in zip(board.index, board.to_dict("records"), strict=True)
    ]
    marks = {
        str(preference): ["†" * bool(mark) for mark in frame["significant"].loc[order]]
        for preference, frame in by_system.items()
    }
    return Report(
        title=f"{count_of(len(order), 'system')} against {name} on "
        f"{count_of(len(collection.topics), 'topic')} (above 0 prefers the system of the row)",
        tables=(
            Table(
                "", pd.DataFrame(columns), {str(preference): _MEAN for preference in results}, marks
            ),
        ),
        records=_tidy(records),
        notes=(
            *_test_notes(tests),
            "W/T/L: topics won, tied and lost against the baseline; for IPSO the last number is the "
            "topics where the two cannot be separated.",
            *coverage_notes(collection, collection.systems, list(results)),
        ),
        facts=facts_of(collection, list(results)),
        signatures=_signatures(collection, results, tests),
    ).signed("preference", list(results))


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
        facts=facts_of(collection, preferences),
        signatures=tuple(
            signature(preference, collection, topics=len(collection.topics))
            for preference in preferences
        ),
    ).signed("preference", preferences)


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


def _test_notes(tests: Tests | None) -> tuple[str, ...]:
    """How the tests were made, a line for each kind."""
    kinds: dict[str, list[str]] = {}
    for preference, frame in (tests or {}).items():
        kinds.setdefault(how_tested(frame.attrs), []).append(str(preference))
    return tuple(f"† significant ({', '.join(names)}: {how})." for how, names in kinds.items())


def _signatures(
    collection: Collection, results: Results, tests: Tests | None = None
) -> tuple[str, ...]:
    return tuple(
        (tests or {})[preference].attrs["signature"]
        if preference in (tests or {})
        else signature(preference, collection, topics=totals.most_topics)
        for preference, totals in results.items()
    )

"""Totals and per-topic values as labelled pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from irpref.preferences.criterion import NOISE, Criterion
from irpref.project.placements import Placements
from irpref.project.populations import Projection
from irpref.summarise.signature import signature
from irpref.summarise.standings import best_first, standings
from irpref.summarise.totals import Totals, topic_relations, topic_values

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "decisions",
    "explanation",
    "leaderboard",
    "mean",
    "outcomes",
    "relations",
    "topic_series",
    "topics_left_out",
    "win_rates",
    "win_rates_of",
]

# Values (topics × pairs) that are worked on at a time.
_CHUNK = 1 << 22


def mean(placements: Placements, criterion: Criterion, totals: Totals) -> pd.DataFrame:
    """The mean value of the row system over the column system.

    Returns:
        Systems × systems, antisymmetric.
    """
    import pandas as pd

    systems = list(placements.systems)
    frame = pd.DataFrame(totals.mean, index=systems, columns=systems)
    frame.attrs["signature"] = signature(criterion, placements, topics=totals.most_topics)
    return frame


def outcomes(placements: Placements, criterion: Criterion, totals: Totals) -> pd.DataFrame:
    """Wins, ties and losses of every pair of systems.

    Returns:
        Columns a, b, wins, ties, losses (topics on which a is preferred, neither, b), and the criterion's
        own counts; one row a pair, in the order of the systems.
    """
    import pandas as pd

    systems = np.array(placements.systems, dtype=object)
    pairs = np.triu_indices(len(systems), 1)
    frame = pd.DataFrame(
        {
            "a": systems[pairs[0]],
            "b": systems[pairs[1]],
            **{name: totals.outcome(name)[pairs] for name in criterion.outcomes},
        }
    )
    frame.attrs["signature"] = signature(criterion, placements, topics=totals.most_topics)
    return frame


def leaderboard(placements: Placements, criterion: Criterion, totals: Totals) -> pd.DataFrame:
    """Every system against all others.

    Returns:
        Index system, best first; the columns of :func:`~irpref.summarise.standings.standings`.
    """
    import pandas as pd

    columns = standings(criterion, totals)
    frame = pd.DataFrame(columns, index=pd.Index(placements.systems, name="system"))
    return frame.iloc[best_first(columns)]


def topic_series(
    placements: Placements, criterion: Criterion, first: int, second: int
) -> pd.Series:
    """The value of one system over another on every topic that counts.

    Returns:
        Values by topic.
    """
    import pandas as pd

    values = topic_values(placements, criterion, [first], [second])[:, 0, 0]
    kept = ~np.isnan(values)
    series = pd.Series(values[kept], index=_topics(placements, kept), name=str(criterion))
    series.attrs["signature"] = signature(
        criterion, placements, topics=len(series), more=_pair(placements, first, second)
    )
    return series


def topics_left_out(
    placements: Placements, criteria: Sequence[Criterion]
) -> dict[str, tuple[str, ...]]:
    """By criterion, the topics of the collection where nothing is relevant to it.

    Its ``rel`` is above every grade there, or no subtopic is named; criteria that leave out nothing
    are not listed.
    """
    everything = Projection(placements, first=np.array([0]))
    left_out = {}
    for criterion in criteria:
        relevant = criterion.has_relevant(everything)
        if not relevant.all():
            left_out[str(criterion)] = tuple(
                placements.topics[topic] for topic in np.flatnonzero(~relevant)
            )
    return left_out


def win_rates(placements: Placements, criterion: Criterion) -> pd.DataFrame:
    """The mean value of every system over all others, topic by topic.

    Returns:
        Topics × systems; NaN where a system is compared to no other.
    """
    everyone = range(len(placements.systems))
    rates = np.empty((len(placements.topics), len(everyone)))
    step = max(1, _CHUNK // rates.size)
    for start in everyone[::step]:
        some = everyone[start : start + step]
        values = topic_values(placements, criterion, some, everyone)
        rates[:, some] = _rates(values, np.array(some))
    return _rate_frame(placements, rates)


def win_rates_of(placements: Placements, values: npt.NDArray[np.float64]) -> pd.DataFrame:
    """The same from (T, S, S) values that are known already."""
    return _rate_frame(placements, _rates(values, np.arange(len(placements.systems))))


def _rates(values: npt.NDArray[np.float64], some: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """(T, A) the means over all other systems of (T, A, S) values."""
    others = ~np.isnan(values)
    others[:, np.arange(len(some)), some] = False
    counted = others.sum(axis=2)
    return np.asarray(np.where(others, values, 0).sum(axis=2) / np.where(counted, counted, np.nan))


def _rate_frame(placements: Placements, rates: npt.NDArray[np.float64]) -> pd.DataFrame:
    import pandas as pd

    rates[np.abs(rates) < NOISE] = 0
    kept = np.asarray(~np.isnan(rates).all(axis=1))
    return pd.DataFrame(
        rates[kept], index=_topics(placements, kept), columns=list(placements.systems)
    )


def relations(
    placements: Placements, criterion: Criterion, first: int, second: int
) -> pd.DataFrame:
    """How two systems relate on every topic.

    Returns:
        Index topic; columns relation (its label, read from the first system's side) and what else the
        criterion says of it; depths as nullable integers.
    """
    import pandas as pd

    labels = topic_relations(placements, criterion, first, second)
    kept = labels != None  # noqa: E711 (element by element)
    columns: dict[str, Any] = {"relation": labels[kept]}
    projection = Projection(placements, first=np.array([first]), second=np.array([second]))
    for name, column in criterion.relation_details(projection).items():
        numbers = np.issubdtype(column.dtype, np.number)
        columns[name] = _depths(column[kept]) if numbers else column[kept]
    frame = pd.DataFrame(columns, index=_topics(placements, kept))
    frame.attrs["signature"] = signature(
        criterion, placements, topics=len(frame), more=_pair(placements, first, second)
    )
    return frame


def explanation(
    placements: Placements, topic: int, first: int, second: int, *, rel: float
) -> pd.DataFrame:
    """The relevant items of one topic in two rankings, side by side.

    Returns:
        Index level (from 1); columns document_a, grade_a, position_a, document_b, grade_b, position_b
        and sign; documents, grades and positions are missing where no item is retrieved at that level.
    """
    import pandas as pd

    rows = placements.rows(topic)
    kept = np.arange(rows.start, rows.stop)[placements.grades[rows] >= rel]
    columns: dict[str, Any] = {}
    positions = []
    for side, system in (("a", first), ("b", second)):
        by_position = kept[np.argsort(placements.positions[kept, system], kind="stable")]
        position = placements.positions[by_position, system]
        found = position != placements.unretrieved
        documents = placements.documents[by_position].copy()
        documents[~found] = None
        columns[f"document_{side}"] = documents
        columns[f"grade_{side}"] = np.where(found, placements.grades[by_position], np.nan)
        columns[f"position_{side}"] = _depths(np.where(found, position.astype(np.float64), np.inf))
        positions.append(position)
    columns["sign"] = np.sign(positions[1].astype(np.int64) - positions[0])
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(kept) + 1, name="level"))
    how = {"rel": f"{rel:g}", "topic": placements.topics[topic]}
    how |= _pair(placements, first, second)
    frame.attrs["signature"] = signature((), placements, topics=1, more=how)
    return frame


def decisions(
    placements: Placements,
    criteria: Sequence[Criterion],
    topic: int,
    first: int,
    second: int,
) -> pd.DataFrame:
    """What each preference says of two systems on one topic, and what decides it.

    Returns:
        Index preference; columns value and decided_by (a text).
    """
    import pandas as pd

    projection = Projection(
        placements,
        topics=np.array([topic]),
        first=np.array([first]),
        second=np.array([second]),
    )
    rows = []
    for criterion in criteria:
        signed = criterion.signed_values(criterion.values(projection))
        rows.append({"value": float(signed[0, 0, 0]), "decided_by": criterion.reason(projection)})
    frame = pd.DataFrame(rows, index=pd.Index(list(map(str, criteria)), name="preference"))
    how = {"topic": placements.topics[topic], **_pair(placements, first, second)}
    frame.attrs["signature"] = signature(criteria, placements, topics=1, more=how)
    return frame


def _pair(placements: Placements, first: int, second: int) -> dict[str, str]:
    """What the signature says of two systems."""
    return {"a": placements.systems[first], "b": placements.systems[second]}


def _topics(placements: Placements, kept: npt.NDArray[np.bool_]) -> pd.Index[str]:
    import pandas as pd

    names = [topic for topic, keep in zip(placements.topics, kept, strict=True) if keep]
    return pd.Index(names, name="topic", dtype=object)


def _depths(depths: npt.NDArray[np.float64]) -> pd.arrays.IntegerArray:
    import pandas as pd

    finite = np.isfinite(depths)
    return pd.arrays.IntegerArray(np.where(finite, depths, 0).astype(np.int64), ~finite)

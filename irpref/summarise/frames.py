"""Totals and per-topic values as labelled pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from irpref.options import check_count
from irpref.preferences.base import NOISE, Preference
from irpref.preferences.ipso import RELATIONS, InnateOrdering
from irpref.project.collection import Collection
from irpref.project.populations import Projection
from irpref.summarise.standings import best_first, outcome_names, standings
from irpref.summarise.totals import Totals, per_topic

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "decisions",
    "explanation",
    "leaderboard",
    "outcomes",
    "profile",
    "relations",
    "topic_values",
    "topics_left_out",
    "win_rates",
]

# So many values (topics × pairs) are worked on at a time.
_CHUNK = 1 << 22


def outcomes(collection: Collection, preference: Preference, totals: Totals) -> pd.DataFrame:
    """Wins, ties and losses of every pair of systems.

    Returns:
        Columns a, b, wins, ties, losses (topics on which a is preferred, neither, b), and for IPSO
        nonseparable; one row a pair, in the order of the systems.
    """
    import pandas as pd

    systems = np.array(collection.systems, dtype=object)
    pairs = np.triu_indices(len(systems), 1)
    return pd.DataFrame(
        {
            "a": systems[pairs[0]],
            "b": systems[pairs[1]],
            **{name: getattr(totals, name)[pairs] for name in outcome_names(preference)},
        }
    )


def leaderboard(collection: Collection, preference: Preference, totals: Totals) -> pd.DataFrame:
    """Every system against all others.

    Returns:
        Index system, best first; the columns of :func:`~irpref.summarise.standings.standings`.
    """
    import pandas as pd

    columns = standings(preference, totals)
    frame = pd.DataFrame(columns, index=pd.Index(collection.systems, name="system"))
    return frame.iloc[best_first(columns)]


def topic_values(
    collection: Collection, preference: Preference, first: int, second: int
) -> pd.Series:
    """The preference of one system over another on every topic that counts.

    Returns:
        Values by topic.
    """
    import pandas as pd

    values, compared = per_topic(collection, preference, [first], [second])
    kept = compared[:, 0, 0]
    return pd.Series(
        preference.numbers(values)[kept, 0, 0].astype(np.float64),
        index=_topics(collection, kept),
        name=str(preference),
    )


def topics_left_out(
    collection: Collection, preferences: Sequence[Preference]
) -> dict[str, tuple[str, ...]]:
    """By preference, the topics of the collection where nothing is relevant to it.

    Its ``rel`` is above every grade there, or no subtopic is named; preferences that leave out nothing
    are not listed.
    """
    everything = Projection(
        collection, topics=np.arange(len(collection.topics)), first=np.array([0])
    )
    left_out = {}
    for preference in preferences:
        asked = everything.asked(preference.populations_asked, preference.rel)
        if not asked.all():
            left_out[str(preference)] = tuple(
                collection.topics[topic] for topic in np.flatnonzero(~asked)
            )
    return left_out


def win_rates(collection: Collection, preference: Preference) -> pd.DataFrame:
    """The mean preference of every system over all others, topic by topic.

    Returns:
        Topics × systems; NaN where a system is compared to no other.
    """
    import pandas as pd

    everyone = range(len(collection.systems))
    rates = np.empty((len(collection.topics), len(everyone)))
    step = max(1, _CHUNK // rates.size)
    for start in everyone[::step]:
        some = everyone[start : start + step]
        values, compared = per_topic(collection, preference, some, everyone)
        others = compared & ~np.eye(len(everyone), dtype=bool)[some]
        counted = others.sum(axis=2)
        total = np.where(others, preference.numbers(values), 0).sum(axis=2)
        rates[:, some] = total / np.where(counted, counted, np.nan)
    rates[np.abs(rates) < NOISE] = 0
    kept = np.asarray(~np.isnan(rates).all(axis=1))
    return pd.DataFrame(
        rates[kept], index=_topics(collection, kept), columns=list(collection.systems)
    )


def relations(
    collection: Collection, preference: InnateOrdering, first: int, second: int
) -> pd.DataFrame:
    """How IPSO relates two systems on every topic.

    Returns:
        Index topic; columns relation (``ni``, ``ns``, ``=``, ``**``, read from the first system's
        side), led_first (the system that was ahead first, missing where they are equal), decided_at (the
        depth from which it was) and nonseparable_at (the depth from which the other one had been ahead
        too), as nullable integers.
    """
    import pandas as pd

    values, compared = per_topic(collection, preference, [first], [second])
    kept = compared[:, 0, 0]
    projection = Projection(
        collection,
        topics=np.arange(len(collection.topics)),
        first=np.array([first]),
        second=np.array([second]),
    )
    ahead, behind = (lead[kept] for lead in preference.leads(projection))
    names = np.array([None, collection.systems[first], collection.systems[second]], dtype=object)
    decided, nonseparable = np.minimum(ahead, behind), np.maximum(ahead, behind)
    return pd.DataFrame(
        {
            "relation": np.array(RELATIONS, dtype=object)[values[kept, 0, 0]],
            "led_first": names[(ahead < behind) * 1 + (behind < ahead) * 2],
            "decided_at": _depths(decided),
            "nonseparable_at": _depths(nonseparable),
        },
        index=_topics(collection, kept),
    )


def profile(
    collection: Collection, first: int, second: int, *, rel: float, cutoff: int | None
) -> pd.DataFrame:
    """Where one system wins over another: the mean sign by recall level.

    Returns:
        Index level (from 1); columns mean (mean sign), wins, ties, losses and topics (with that many
        relevant items).

    Raises:
        ValueError: The cutoff is not a whole number above 0.
    """
    import pandas as pd

    topics_compared = np.arange(len(collection.topics))
    if collection.missing == "skip":
        found = collection.retrieved[:, [first, second]] > 0
        topics_compared = np.flatnonzero(found.all(axis=1))
    projection = Projection(
        collection,
        topics=topics_compared,
        first=np.array([first]),
        second=np.array([second]),
    )
    groups = projection.groups("relevant", rel)
    deepest = max((group.first.shape[1] for group in groups), default=0)
    wins, losses, topics = (np.zeros(deepest, dtype=np.int64) for _ in range(3))
    limit = collection.unretrieved if cutoff is None else check_count("a cutoff", cutoff)
    for group in groups:
        levels = slice(0, group.first.shape[1])
        one, other = (
            np.where(side[:, :, 0] > limit, collection.unretrieved, side[:, :, 0])
            for side in (group.first, group.second)
        )
        wins[levels] += (one < other).sum(axis=0)
        losses[levels] += (one > other).sum(axis=0)
        topics[levels] += len(one)
    return pd.DataFrame(
        {
            "mean": (wins - losses) / np.maximum(topics, 1),
            "wins": wins,
            "ties": topics - wins - losses,
            "losses": losses,
            "topics": topics,
        },
        index=pd.RangeIndex(1, deepest + 1, name="level"),
    )


def explanation(
    collection: Collection, topic: int, first: int, second: int, *, rel: float
) -> pd.DataFrame:
    """The relevant items of one topic in two rankings, side by side.

    Returns:
        Index level (from 1); columns document_a, grade_a, position_a, document_b, grade_b, position_b
        and sign; documents, grades and positions are missing where no item is retrieved at that level.
    """
    import pandas as pd

    rows = collection.rows(topic)
    kept = np.arange(rows.start, rows.stop)[collection.grades[rows] >= rel]
    columns: dict[str, Any] = {}
    positions = []
    for side, system in (("a", first), ("b", second)):
        by_position = kept[np.argsort(collection.positions[kept, system], kind="stable")]
        position = collection.positions[by_position, system]
        found = position != collection.unretrieved
        documents = collection.documents[by_position].copy()
        documents[~found] = None
        columns[f"document_{side}"] = documents
        columns[f"grade_{side}"] = np.where(found, collection.grades[by_position], np.nan)
        columns[f"position_{side}"] = _depths(np.where(found, position.astype(np.float64), np.inf))
        positions.append(position)
    columns["sign"] = np.sign(positions[1].astype(np.int64) - positions[0])
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(kept) + 1, name="level"))


def decisions(
    collection: Collection,
    preferences: Sequence[Preference],
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
        collection,
        topics=np.array([topic]),
        first=np.array([first]),
        second=np.array([second]),
    )
    rows = []
    for preference in preferences:
        values = preference.values(projection)
        rows.append(
            {
                "value": float(preference.numbers(values)[0, 0, 0]),
                "decided_by": preference.reason(projection),
            }
        )
    return pd.DataFrame(rows, index=pd.Index(list(map(str, preferences)), name="preference"))


def _topics(collection: Collection, kept: npt.NDArray[np.bool_]) -> pd.Index[str]:
    import pandas as pd

    names = [topic for topic, keep in zip(collection.topics, kept, strict=True) if keep]
    return pd.Index(names, name="topic", dtype=object)


def _depths(depths: npt.NDArray[np.float64]) -> pd.arrays.IntegerArray:
    import pandas as pd

    finite = np.isfinite(depths)
    return pd.arrays.IntegerArray(np.where(finite, depths, 0).astype(np.int64), ~finite)

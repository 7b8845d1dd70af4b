"""The verdict on two systems: who serves which users better, how sure that is, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from irpref.arrays import Flags, Floats
from irpref.choices import Correction
from irpref.noise import NOISE
from irpref.preferences.criterion import Criterion
from irpref.preferences.lexiprecision import LP
from irpref.preferences.lexirecall import LR
from irpref.preferences.recall_paired import RPP
from irpref.preferences.tie_aware import TieAwarePreference
from irpref.project.coverage import JUDGED_DEPTH
from irpref.project.placements import Placements
from irpref.summarise.frames import pair_names
from irpref.summarise.signature import signature
from irpref.summarise.statistics.corrections import adjust
from irpref.summarise.statistics.paired_tests import paired_tests
from irpref.summarise.topic_values import topic_values

__all__ = ["ALPHA", "CORRECTION", "Doubts", "doubts", "findings", "questions"]

ALPHA = 0.05
CORRECTION: Correction = "bonferroni"
"""Three questions are asked at once. Intervals at a third of alpha then agree with the p-values."""
_USERS: dict[str, TieAwarePreference] = {"best-off": LP, "most": RPP, "worst-off": LR}


@dataclass(frozen=True)
class Doubts:
    """What could change a verdict.

    Attributes:
        topics: How many topics count.
        tied: On how many of them a relevant document of either system ties with other documents; None if
            a run was ordered by rank, which has no ties.
        unjudged: How many of the first 10 documents of each of the two systems are unjudged, over the
            topics that count.
        unjudged_topics: On how many topics either of them has such a document.
    """

    topics: int
    tied: int | None
    unjudged: tuple[int, int]
    unjudged_topics: int


def questions(rel: float, cutoff: int | None) -> dict[str, TieAwarePreference]:
    """By the users it asks about, the preference that answers each question."""
    found = {users: preference(rel=rel) for users, preference in _USERS.items()}
    return {users: each if cutoff is None else each @ cutoff for users, each in found.items()}


def findings(
    placements: Placements, first: int, second: int, *, rel: float, cutoff: int | None
) -> pd.DataFrame:
    """What each preference says of two systems.

    Returns:
        Index preference; columns users, winner (None if the mean is 0), mean, low, high (intervals that
        hold all three together at 95 %), p, wins, ties, losses, topics, mean_over_ties (the mean over all
        orders of tied scores, NaN where a run was ordered by rank), p_adjusted (Bonferroni over the three)
        and significant.

    Raises:
        ValueError: The two systems share no topic with relevant items.
    """
    names = pair_names(placements, first, second)
    a, b = names.values()
    records, asked = [], questions(rel, cutoff)
    for users, preference in asked.items():
        values = _values(placements, preference, first, second)
        if not len(values):
            raise ValueError(f"{a} and {b} share no topic with relevant documents")
        # Student's t needs two topics.
        method = preference.fitting_test if len(values) > 1 else "randomization"
        test = paired_tests(values[:, None], method=method, alpha=ALPHA / len(asked))
        low, high = test.interval(preference.bounds)
        mean = _settled(test.mean[0])
        over_ties = np.nan
        if not _by_rank(placements, first, second):
            expected = _values(placements, preference(ties="expected"), first, second)
            over_ties = _settled(expected.mean())
        records.append(
            {
                "preference": str(preference),
                "users": users,
                "winner": None if mean == 0 else (a if mean > 0 else b),
                "mean": mean,
                "low": low[0],
                "high": high[0],
                "p": test.p[0],
                "wins": np.count_nonzero(values > 0),
                "ties": np.count_nonzero(values == 0),
                "losses": np.count_nonzero(values < 0),
                "topics": len(values),
                "mean_over_ties": over_ties,
            }
        )
    frame = pd.DataFrame(records).set_index("preference")
    # None must not become NaN among texts.
    frame["winner"] = pd.Series([each["winner"] for each in records], frame.index, dtype=object)
    frame["p_adjusted"] = adjust(frame["p"].to_numpy(), CORRECTION)
    frame["significant"] = frame["p_adjusted"] < ALPHA
    how = {**names, "correction": CORRECTION, "alpha": ALPHA}
    frame.attrs["signature"] = signature(
        list(asked.values()), placements, topics=int(frame["topics"].max()), more=how
    )
    return frame


def doubts(
    placements: Placements, first: int, second: int, *, rel: float, cutoff: int | None
) -> Doubts:
    """What could change the verdict: ties, and documents that nobody judged."""
    criterion: Criterion = questions(rel, cutoff)["most"]
    counted = ~np.isnan(topic_values(placements, criterion, [first], [second])[:, 0, 0])
    pair = [first, second]
    coverage = placements.coverage
    shown = np.minimum(coverage.retrieved[:, pair], JUDGED_DEPTH)
    unjudged = (shown - coverage.judged[:, pair])[coverage.relevant][counted]
    return Doubts(
        topics=int(np.count_nonzero(counted)),
        tied=None
        if _by_rank(placements, first, second)
        else int(np.count_nonzero(_tied(placements, first, second, rel) & counted)),
        unjudged=(int(unjudged[:, 0].sum()), int(unjudged[:, 1].sum())),
        unjudged_topics=int(np.count_nonzero(unjudged.any(axis=1))),
    )


def _values(placements: Placements, criterion: Criterion, first: int, second: int) -> Floats:
    """The values on the topics that count."""
    values = topic_values(placements, criterion, [first], [second])[:, 0, 0]
    return np.asarray(values[~np.isnan(values)])


def _settled(mean: float) -> float:
    """The mean, with float noise as 0."""
    return 0.0 if abs(mean) < NOISE else float(mean)


def _tied(placements: Placements, first: int, second: int, rel: float) -> Flags:
    """(T,) whether a relevant document of either system ties with others."""
    pair = [first, second]
    tied = placements.tie_first[:, pair] < placements.tie_last[:, pair]
    tied &= (placements.grades >= rel)[:, None]
    return np.asarray(np.logical_or.reduceat(tied.any(axis=1), placements.starts[:-1]))


def _by_rank(placements: Placements, first: int, second: int) -> bool:
    """Whether one of the two was ordered by its ranks."""
    order = placements.reading.order
    if isinstance(order, str):
        return order == "rank"
    return any(order.get(placements.systems[each]) == "rank" for each in (first, second))

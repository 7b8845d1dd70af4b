"""Scores of measures as labelled pandas frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from irpref.measures import Measure, RankedItems, tie_spread
from irpref.project.placements import Placements
from irpref.summarise.signature import signature


def topic_scores(placements: Placements, measures: Sequence[Measure]) -> pd.DataFrame:
    """The score of every system on every topic of the qrels.

    Returns:
        Columns system, topic, measure, value. ``missing="skip"`` leaves out topics that a run lacks.
    """
    empty = placements.coverage.topics_without_relevant
    topics = [*placements.topics, *empty]
    systems = list(placements.systems)
    # By system, then by topic, as the scores are laid out below.
    counted = np.concatenate((placements.counted, placements.counted_at_0)).T.ravel()
    parts = []
    for measure in measures:
        scores = measure.scores(placements)
        padded = np.concatenate((scores, np.zeros((len(empty), len(systems)))))
        part = pd.DataFrame(
            {
                "system": np.repeat(np.array(systems, dtype=object), len(topics)),
                "topic": np.tile(np.array(topics, dtype=object), len(systems)),
                "measure": str(measure),
                "value": padded.T.ravel(),
            }
        )
        parts.append(part if counted.all() else part[counted])
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs["signature"] = signature(measures, placements, topics=len(topics), table="scores")
    return frame


def tie_report(placements: Placements, measures: Sequence[Measure]) -> pd.DataFrame:
    """How far ties can move the mean score of every system.

    Returns:
        Columns system, measure, trec (the value in trec_eval's order), expected (the mean over all
        orders), worst, best, spread (how far these two are apart), straddled (the share of topics with a
        tied group of relevant documents that the cutoff splits, or that above the cutoff also has others)
        and unsettled (the share of topics where the order of ties changes the score).

    Raises:
        ValueError: A measure has no expected value.
    """
    ranked = RankedItems.of(placements)
    parts = []
    for measure in measures:
        spread = tie_spread(ranked, measure)
        columns = ("trec", "expected", "worst", "best", "straddled", "unsettled")
        parts.append(
            pd.DataFrame(
                {
                    "system": placements.systems,
                    "measure": str(spread.measure),
                    **{name: getattr(spread, name) for name in columns[:4]},
                    "spread": np.abs(spread.best - spread.worst),
                    **{name: getattr(spread, name) for name in columns[4:]},
                }
            )
        )
    frame = pd.concat(parts, ignore_index=True)
    topics = len(placements.by_topic.topics)
    exact = [measure(ties="expected") for measure in measures]
    frame.attrs["signature"] = signature(exact, placements, topics=topics, table="ties")
    return frame

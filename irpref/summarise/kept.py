"""The kept data of a collection as labelled pandas frames: judgments, and first documents of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from irpref.arrays import Flags
from irpref.project.kept import Kept
from irpref.project.placements import Placements
from irpref.summarise.signature import signature


def judgments_frame(placements: Placements, kept: Kept) -> pd.DataFrame:
    """All judgments, in the order of the qrels: columns topic, document, grade and subtopic."""
    judgments, chosen = kept.judgments, kept.chosen
    key = judgments.key_of_judgment[chosen]
    topics = np.array([str(topic) for topic in judgments.topics], dtype=object)
    frame = pd.DataFrame(
        {
            "topic": topics[judgments.key_topics[key]],
            "document": judgments.keys["document"].gather(key).to_numpy().astype(object),
            "grade": judgments.table["grade"].to_numpy()[chosen],
            "subtopic": judgments.subtopics_of(np.flatnonzero(chosen)),
        }
    )
    frame.attrs["signature"] = signature((), placements, table="judgments")
    return frame


def lists_frame(placements: Placements, kept: Kept) -> pd.DataFrame:
    """The first documents of every run; for the columns, see :attr:`irpref.Collection.lists`.

    Raises:
        ValueError: The lists were not kept.
    """
    if kept.lists is None:
        raise ValueError("the lists were not kept: irpref.collect(…, lists=k) keeps the first k")
    lists, judgments = kept.lists, kept.judgments
    systems = np.array(placements.systems, dtype=object)
    topics = np.array([str(topic) for topic in judgments.topics], dtype=object)
    # An unjudged document has the key -1, which takes the last grade: NaN.
    grades = np.append(kept.grades, np.nan)
    frame = pd.DataFrame(
        {
            "system": systems[lists["system"].to_numpy()],
            "topic": topics[lists["topic"].to_numpy()],
            "position": lists["position"].to_numpy(),
            "document": lists["document"].to_numpy().astype(object),
            "tie_first": lists["tie_first"].to_numpy(),
            "tie_last": lists["tie_last"].to_numpy(),
            "grade": grades[lists["key"].to_numpy()],
        }
    )
    frame.attrs["signature"] = signature((), placements, more={"lists": placements.reading.lists})
    return frame


def mask_of_judgments(given: Any, judgments: pd.DataFrame) -> Flags:
    """Which judgments a selection keeps, from booleans (a Series goes by its index) or rows of the frame.

    Raises:
        ValueError: ``given`` is neither.
    """
    if isinstance(given, pd.Series):
        given = given.reindex(judgments.index)
        if pd.api.types.is_bool_dtype(given.dtype) and not given.isna().any():
            # pandas' own booleans may be missing.
            given = given.astype(bool)
    if isinstance(given, pd.DataFrame) and given.index.isin(judgments.index).all():
        given = judgments.index.isin(given.index)
    mask = np.asarray(given)
    if mask.dtype != np.bool_ or mask.shape != (len(judgments),):
        raise ValueError(
            f"select(judgments=…) takes {len(judgments)} booleans, one for each row of "
            ".judgments, a part of that frame, or a function of that frame that returns either; not a "
            f"{type(given).__name__} of shape {mask.shape} and type {mask.dtype}"
        )
    return mask

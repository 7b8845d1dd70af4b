"""Where LP and LR decide between two systems, topic by topic, as a share of the recall."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irpref.project.placements import Placements
from irpref.summarise.frames import pair_names
from irpref.summarise.profile import sign_profiles
from irpref.summarise.signature import signature


def deciding_levels(
    placements: Placements, first: int, second: int, *, rel: float, cutoff: int | None
) -> pd.DataFrame:
    """The recall level that decides each topic: the first one that differs for LP, the last one for LR.

    Returns:
        Index topic, in the order of the qrels; columns levels (how many there are), and LP_sign, LP_share,
        LR_sign and LR_share: who is ahead at the deciding level, and level / levels. A topic without a
        difference has sign 0 and no share.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> pair = (placements.system("bm25-prf"), placements.system("bm25"))
        >>> found = deciding_levels(placements, *pair, rel=1, cutoff=None)
        >>> found.loc["6"].to_dict()
        {'levels': 8.0, 'LP_sign': 1.0, 'LP_share': 0.5, 'LR_sign': 1.0, 'LR_share': 1.0}
    """
    rows = []
    for profiles in sign_profiles(placements, first, second, rel=rel, cutoff=cutoff):
        signs, levels = profiles.signs, profiles.signs.shape[1]
        differ = signs != 0
        decided = differ.any(axis=1)
        each = np.arange(len(signs))
        earliest = differ.argmax(axis=1)
        latest = levels - 1 - differ[:, ::-1].argmax(axis=1)
        found = {"topic": profiles.topics, "levels": np.full(len(signs), levels)}
        for name, level in (("LP", earliest), ("LR", latest)):
            found[f"{name}_sign"] = signs[each, level]
            found[f"{name}_share"] = np.where(decided, (level + 1) / levels, np.nan)
        rows.append(pd.DataFrame(found))
    columns = ["topic", "levels", "LP_sign", "LP_share", "LR_sign", "LR_share"]
    frame = pd.concat(rows) if rows else pd.DataFrame(columns=columns, dtype=np.float64)
    frame = frame.sort_values("topic")
    names = [placements.topics[int(topic)] for topic in frame.pop("topic")]
    frame.index = pd.Index(names, name="topic", dtype=object)
    how = {"rel": float(rel), "cutoff": "none" if cutoff is None else cutoff}
    frame.attrs["signature"] = signature(
        (), placements, topics=len(frame), names=pair_names(placements, first, second), more=how
    )
    return frame


def topics_by_share(levels: pd.DataFrame, preference: str) -> pd.DataFrame:
    """How many topics a preference decides at each share of the recall, for either system.

    Args:
        levels: The result of :func:`deciding_levels`.
        preference: ``"LP"`` or ``"LR"``.

    Returns:
        Columns sign, share and topics; one row for each place where topics are decided.

    Example:
        >>> levels = pd.DataFrame({"LP_sign": [1, 1, -1, 0], "LP_share": [0.5, 0.5, 0.2, np.nan]})
        >>> topics_by_share(levels, "LP").to_numpy().tolist()
        [[-1.0, 0.2, 1.0], [1.0, 0.5, 2.0]]
    """
    decided = levels[levels[f"{preference}_sign"] != 0]
    found = decided.groupby([f"{preference}_sign", f"{preference}_share"]).size()
    return found.rename_axis(["sign", "share"]).reset_index(name="topics")


def grade_thresholds(placements: Placements, rel: float) -> list[float]:
    """The grades of the relevant items, ascending: whose items of at least this grade users may want.

    Example:
        >>> import irpref
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
        >>> grade_thresholds(irpref.collect({"1": {"d": 1, "e": 3}}, runs).placements, rel=1)
        [1.0, 3.0]
    """
    return [float(grade) for grade in np.unique(placements.grades[placements.grades >= rel])]

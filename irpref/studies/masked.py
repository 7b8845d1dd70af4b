"""masked: what do later relevant items say of the first one, if it is hidden? (Diaz 2023, Table 2)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irpref.base.arrays import Integers
from irpref.base.message import Message, refusal
from irpref.methods.names import as_criteria
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.given_positions import UNRETRIEVED, placements_at
from irpref.positions.placements import NoPool, Placements
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies.base import Context, Experiment, Findings, agreements
from irpref.studies.numbers.order_agreement import AGREEMENTS, agreement_sums
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.options import rel_of_all

_TARGET = "first relevant item"
_EVERY, _BACK_OFF = "all pair-topics", "where back-off acts"


class Masked(Experiment):
    """How well a method predicts which ranking has its first relevant item earlier, without seeing it.

    A pair-topic counts if the topic has several relevant items, and the positions of
    the first ones differ: the target is the sign of that difference. A method sees the positions of the
    other relevant items only, p_2 … p_m, as if these were all, and binary. So RR sees p_2 alone, and LP
    backs off to later ones where p_2 ties (Diaz 2023, section 5.1 and Table 2).

    Where a method ties, it predicts nothing. This counts as wrong ("strict", as in the paper), as half
    right ("half", as a coin would be on average), or not at all ("decided"). LP differs from RR only where
    back-off acts: both rankings retrieve their second relevant item at one position, and a later one
    differs.

    Raises:
        ValueError: No topic has two relevant items; a method has scores of another tool, subtopics, random
            ties, or a ``rel`` of its own.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.masked(irpref.collect(*demo_paths()), ["LP", "RR"])
        >>> found = study.frame.query("condition == 'all pair-topics, half'").set_index("method")
        >>> found["estimate"].round(3).to_dict()
        {'LP': 0.784, 'RR': 0.809}
    """

    question = "What do later relevant items say of the first one?"
    default_methods = ("LP", "RR", "RPP", "AP", "LR")
    layouts = tuple(
        Layout(
            f"Agreement with the hidden {_TARGET}, {words}",
            {f"{where}, {kind}": kind for kind in AGREEMENTS},
            of="pair-topics",
            interval=True,
        )
        for where, words in ((_EVERY, "where it differs"), (_BACK_OFF, "where back-off acts"))
    )
    picture = Picture(
        "dots",
        x=f"agreement with the hidden {_TARGET} (a tie counts a half)",
        where={"condition": [f"{_EVERY}, half", f"{_BACK_OFF}, half"]},
        series=("method", "condition"),
    )
    notes = (
        "Back-off acts where the second relevant item ties, and a later one differs.",
        "Strict: a tie counts as wrong; half: as half right; decided: not at all. A coin gets 0.5.",
    )

    def findings(self, context: Context) -> Findings:
        methods = context.methods
        _check(methods)
        several, hidden, rest = hidden_first(context.placements)
        counts = np.zeros((2, len(context.placements.topics), len(methods), 3))
        # LP and RR say where back-off acts, whether or not they are to be tried.
        asked = [*as_criteria(["LP", "RR"]), *methods]
        for part in pair_topics(rest, asked, progress=context.progress):
            first, topics = hidden[part.topics], several[part.topics]
            target = np.sign(first[:, part.second] - first[:, part.first])
            acts = (part.values[0] != 0) & (part.values[1] == 0)
            for count, asked_of in zip(counts, (target, np.where(acts, target, 0)), strict=True):
                count[topics] = agreement_sums(part.values[2:], asked_of).swapaxes(0, 1)
        of = np.array(methods, dtype=object)[:, None]
        for where, count in zip((_EVERY, _BACK_OFF), counts, strict=True):
            yield from agreements(context, count, method=of, against=_TARGET, where=where)


def _check(methods: Sequence[Criterion]) -> None:
    for method in methods:
        named, looks_at = method.named, method.looks_at
        problem: str | None = None
        if named is None or looks_at is None:
            problem = "has scores of whole rankings: try preferences and measures"
        elif looks_at[0] == "subtopics":
            problem = "looks at subtopics: try RPP"
        elif getattr(named, "ties", "trec") != "trec":
            problem = "has random ties: leave out ties="
        elif named.rel is not None:
            problem = Message("has a rel of its own: leave it out; ", rel_of_all(named.rel))
        if problem is not None:
            raise refusal(f"masked hides the first relevant item, and {method} ", problem)


def hidden_first(placements: Placements) -> tuple[Integers, Integers, Placements]:
    """Hide the first relevant item of every ranking.

    Returns:
        - (T,) indices of the topics with several relevant items in the whole collection.
        - (T, S) position of each ranking's first relevant item, which is hidden.
        - What is left of their rankings, with the relevant items from the second one on, all of grade 1.
          Tied scores stand in the order of the positions.

    Raises:
        ValueError: No topic has two relevant items.

    Example:
        >>> import irpref
        >>> run = {"1": {"x": 3.0, "d": 2.0, "e": 1.0}}
        >>> data = irpref.collect({"1": {"d": 1, "e": 1}}, {"a": run})
        >>> _, first, rest = hidden_first(data.placements)
        >>> first.tolist(), rest.positions.tolist()
        ([[2]], [[3]])
    """
    found, levels = placements.recall_levels()
    positions = np.where(found == placements.unretrieved, UNRETRIEVED, found.astype(np.int64))
    several = levels > 1
    topics = np.flatnonzero(several)
    if not len(topics):
        raise ValueError(
            "hiding the first relevant item leaves nothing: no topic has two items of grade 1 or above"
        )
    firsts = (np.cumsum(levels) - levels)[topics]
    left = np.repeat(several, levels)
    left[firsts] = False
    some = placements.by_topic.relevant.copy()
    some[some] = several
    rest = replace(
        placements_at(positions[left], levels[topics] - 1, placements.retrieved[topics]),
        systems=placements.systems,
        topics=tuple(placements.topics[topic] for topic in topics),
        reading=placements.reading,
        by_topic=replace(placements.by_topic, relevant=some),
        pool=placements.pool if isinstance(placements.pool, NoPool) else placements.pool[topics],
        parts=placements.parts,
    )
    return topics, positions[firsts], rest

"""What irpref read, as ir_measures takes it: judgments and rankings with the topics numbered from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from ir_measures import Qrel

from irpref import InputError

if TYPE_CHECKING:
    from irpref.for_adapters import Judgments, Ranking


def numbered(judgments: Judgments) -> dict[str, str]:
    """The numbers of the topics: gdeval, which is behind ir_measures, reads no other names of topics."""
    return {topic: str(number) for number, topic in enumerate(judgments.topics, start=1)}


def all_judgments(judgments: Judgments, names: dict[str, str], source: str) -> list[Qrel]:
    """Every judgment, with its subtopic.

    Args:
        judgments: The judgments.
        names: What each topic is called.
        source: Where the judgments are.

    Raises:
        InputError: A grade is not a whole number.
    """
    table = judgments.table
    grades = _whole(table["grade"].to_numpy(), table["topic"], table["document"], source)
    given = judgments.subtopics_of(np.arange(table.height))
    subtopics = ["0" if each is None else str(each) for each in given]
    topics = [names[topic] for topic in table["topic"]]
    return list(map(Qrel, topics, table["document"], grades, subtopics))


def highest_grades(
    judgments: Judgments, names: dict[str, str], source: str
) -> dict[str, dict[str, int]]:
    """The highest grade of every judged document; for the arguments and errors, see above."""
    keys = judgments.keys
    found: dict[str, dict[str, int]] = {names[topic]: {} for topic in judgments.topics}
    grades = _whole(judgments.key_grades, keys["topic"], keys["document"], source)
    for topic, document, grade in zip(keys["topic"], keys["document"], grades, strict=True):
        found[names[topic]][document] = grade
    return found


def ordered_run(
    ranking: Ranking, names: dict[str, str], *, tied: bool
) -> dict[str, dict[str, float]]:
    """The run on the topics that have a name, with scores that say its order.

    Args:
        ranking: The ranking.
        names: What each topic is called.
        tied: Whether tied documents stay tied, or have trec_eval's order.
    """
    places = ranking.everywhere.tie_first if tied else ranking.everywhere.position
    lengths = ranking.stretches.lengths
    # Above 0, which Compat takes for the score of what is not retrieved.
    standing = (np.repeat(lengths, lengths) + 1.0 - places).tolist()
    documents = ranking.documents.to_list()
    found, end = {}, 0
    for topic, length in zip(ranking.stretches.topics, lengths.tolist(), strict=True):
        start, end = end, end + length
        if topic in names:
            listed = zip(documents[start:end], standing[start:end], strict=True)
            found[names[topic]] = dict(listed)
    return found


def _whole(grades: Any, topics: Any, documents: Any, source: str) -> list[int]:
    """The grades as whole numbers; what is behind ir_measures takes no others."""
    broken = np.flatnonzero(grades != np.rint(grades))
    if len(broken):
        first = int(broken[0])
        raise InputError(
            f"the grade {grades[first]:g} is not a whole number, which ir_measures needs",
            source=source,
            topic=topics[first],
            document=documents[first],
        )
    whole: list[int] = grades.astype(np.int64).tolist()
    return whole

"""describe: what does a collection hold? (the papers' tables of data)"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats
from irpref.positions.placements import Placements
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies.base import Context, Experiment, Findings, rows, shares

_TOPICS, _RUNS = "topics", "runs"
_MEANS = {
    "relevant documents a topic": "relevant/topic",
    "subtopics a topic": "subtopics/topic",
    "documents a list": "documents/list",
    "relevant documents a list": "relevant/list",
}
_BY_POSITION = "share of the relevant"
_POSITIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000)
# Table 3 of Diaz & Mitra (2023): lists that are on average deeper than this are of the class.
_CLASSES = ((1_000, "deep"), (100, "standard"), (0, "shallow"))


@dataclass(frozen=True, kw_only=True)
class Describe(Experiment):
    """How many topics, runs and relevant documents a collection has, and how deep its runs are.

    What the papers say of their data (Diaz 2023, Table 1; Diaz & Ferraro 2022, Table 1; Diaz & Mitra 2023,
    Table 3). Topics are those with relevant documents (a grade above 0). A list is what a run retrieved for
    such a topic; topics that a run lacks do not count. The spread of a mean is the standard deviation over
    topics or over lists (Diaz 2023, section 3.6, has that of relevant documents a list). The depth is deep
    if a list has more than 1,000 documents on average, standard if it has more than 100, else shallow; it
    is the treatment of every finding but the share by position.

    Column 2 of the qrels counts as a subtopic if a document is relevant to two or more of them somewhere:
    TREC-COVID has the rounds of judging there.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> frame = irpref.studies.describe(irpref.collect(*demo_paths())).frame
        >>> frame.set_index("condition")["estimate"][["topics", "runs"]].to_dict()
        {'topics': 12.0, 'runs': 6.0}
    """

    question = "What does a collection hold?"
    layouts = (
        Layout(
            "What the collection holds",
            {_TOPICS: _TOPICS, _RUNS: _RUNS, **_MEANS},
            format=".4g",
            rows={"treatment": "depth"},
        ),
        Layout("Standard deviations", _MEANS, {"treatment": "depth"}, format=".4g", show="spread"),
        Layout(
            "How much of a topic's relevant documents a list has down to a position",
            [_BY_POSITION],
            rows={"condition": "down to position"},
            columns="treatment",
            where={"treatment": ["1", "10", "100", "1000", "10000"]},
        ),
    )
    picture = Picture(
        "lines",
        x="position",
        y="share of a topic's relevant documents",
        where={"condition": [_BY_POSITION]},
    )

    def findings(self, context: Context) -> Findings:
        placements = context.placements
        listed = placements.retrieved > 0
        lists = listed.sum(axis=1)
        relevant, retrieved = np.diff(placements.starts), placements.retrieved.sum(axis=1)
        mean = retrieved.sum() / max(1, int(lists.sum()))
        depth = next(name for least, name in _CLASSES if mean > least or not least)
        sizes = np.array([len(placements.topics), len(placements.systems)])
        yield from rows(sizes, condition=(_TOPICS, _RUNS), treatment=depth, n=sizes)
        subtopics, one = _subtopics(placements), np.ones(len(relevant))
        there = placements.positions < placements.unretrieved
        found = np.add.reduceat(there, placements.starts[:-1], axis=0, dtype=np.int64)
        numbers = np.column_stack([relevant, subtopics, retrieved, found.sum(axis=1)])
        of = np.column_stack([one, one, lists, lists])
        each = (relevant, subtopics, placements.retrieved[listed], found[listed])
        spread = [values.std() if len(values) else np.nan for values in each]
        yield from shares(context, numbers, of, spread=spread, condition=[*_MEANS], treatment=depth)
        # Below the deepest list, nothing is added.
        shown = _POSITIONS[: 1 + bisect_left(_POSITIONS, placements.retrieved.max(initial=0))]
        down_to, of = _found_by_position(placements, shown) / relevant[:, None], lists[:, None]
        yield from shares(context, down_to, of, condition=_BY_POSITION, treatment=shown)


def _subtopics(placements: Placements) -> Floats:
    """(T,) how many subtopics each topic has; none if no document is relevant to two of them."""
    rows, subtopics = placements.subtopic_rows, placements.subtopics
    pairs = set(zip(rows.tolist(), subtopics.tolist(), strict=True))
    counts = np.zeros(len(placements.topics))
    if len(pairs) > len({row for row, _ in pairs}):
        for topic, _ in {(placements.topic_of_row[row], subtopic) for row, subtopic in pairs}:
            counts[topic] += 1
    return counts


def _found_by_position(placements: Placements, shown: Sequence[int]) -> Floats:
    """(T, positions) relevant documents down to some positions, over all runs."""
    # What is not retrieved has a position too, which may lie above the last of these.
    there = np.where(placements.positions < placements.unretrieved, placements.positions, np.inf)
    by_row = [np.count_nonzero(there <= position, axis=1) for position in shown]
    return np.add.reduceat(np.column_stack(by_row), placements.starts[:-1], axis=0).astype(float)

"""ties: how often do methods tie, and do tied scores move systems? (Diaz 2023; McSherry & Najork 2008)"""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.tolerance import power_above
from irpref.methods.measures.measure import Measure
from irpref.methods.preferences.lexicographic import LexicographicOrder
from irpref.methods.preferences.scores import MeasureDifference
from irpref.show.reports.study_report import Layout, Picture
from irpref.stats.orders.win_rates import rounded
from irpref.studies.base import Context, Experiment, Findings, rows, shares
from irpref.studies.numbers.level_differences import count_below
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.topic_bootstrap import Estimate, divided

_TIED = "tied pair-topics"
_SAME_FIRST = "another run has its first relevant item there"
_BY_LEVEL = "tied at recall level"
_DECIDED = "decided by recall level"
_CAN_MOVE = "systems that change places under another order of ties"
_MOVED = "systems that change places by the mean over all orders"
_ORDERS = ("worst", "best", "trec", "expected")
_LEVELS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100])
_FIRST = np.arange(1, 11)


class Ties(Experiment):
    """How often methods tie, how many recall levels decide, and how far tied scores move systems.

    Four numbers of rankings that tie (Diaz 2023, Table 3 and Figures 3, 5 and 6):

    - the share of the pair-topics that a method leaves tied;
    - given that one ranking has its first relevant item at position v, the chance that another one has it
      there too: Σ_t n_v (n_v - 1) / Σ_t n_v (S - 1), where n_v of S systems have it there on topic t;
    - the share of pair-topics that tie at recall level i, over topics with at least i relevant items (two
      rankings that lack the item tie);
    - of the pair-topics that any recall level decides, the share that the first i of them do.

    And two of scores that tie (McSherry & Najork 2008, section 1), by each measure that takes ``ties``:

    - the number of systems that change places with another one if the tied documents of both are put in
      another order: each one's mean in its best order is above that of the other in its worst;
    - the number of systems that do so between trec_eval's order and the exact mean over all orders.

    What the exact mean costs, which that paper says too, is no number of a study: times are not the same
    twice.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.ties(irpref.collect(*demo_paths()), ["RR", "LP"])
        >>> study.claims["verdict"].head(3).to_list()
        ['by definition', 'holds', 'holds']
    """

    question = "How often do methods tie?"
    default_methods = (
        *("LP", "RR", "LR", "RPP", "AP", "nDCG", "R@1000", "TSE", "IPSO@10"),
        *("P@10", "R@10", "F1@10", "AP@10", "RR@10", "nDCG@10"),
    )
    layouts = (
        Layout(
            "Share of pair-topics (a pair of systems on a topic) that tie",
            {_TIED: "tied"},
            of="pair-topics",
            interval=True,
        ),
        Layout(
            "Pair-topics that tie at a recall level; decided by it, of all that any decides",
            {_BY_LEVEL: "tied", _DECIDED: "decided"},
            rows={"treatment": "recall level"},
        ),
        Layout(
            "Chance that another run has its first relevant item at the same position",
            {_SAME_FIRST: "chance"},
            interval=True,
            rows={"treatment": "position"},
        ),
        Layout(
            "Systems that change places where tied scores stand in another order",
            {_CAN_MOVE: "in some order", _MOVED: "in the mean over all orders"},
            of="systems",
            format=".0f",
            interval=True,
        ),
    )
    picture = Picture("dots", x="share of tied pair-topics", where={"condition": [_TIED]})

    def findings(self, context: Context) -> Findings:
        placements = context.placements
        tied, of = np.zeros((2, len(placements.topics), len(context.methods)))
        for part in pair_topics(placements, context.methods, progress=context.progress):
            tied[part.topics] = (part.values == 0).sum(axis=2).T
            of[part.topics] = np.isfinite(part.values).sum(axis=2).T
        yield from shares(context, tied, of, method=context.methods, condition=_TIED)
        first = np.minimum.reduceat(placements.positions, placements.starts[:-1], axis=0)
        same = (first[..., None] == _FIRST).sum(axis=1)
        same, shown = same[:, same.any(axis=0)], _FIRST[same.any(axis=0)]
        # missing="skip" leaves out systems that lack the topic.
        others = placements.counted.sum(axis=1, keepdims=True) - 1
        chance = context.bootstrap.of_ratio(same * (same - 1), same * others)
        yield from rows(chance, condition=_SAME_FIRST, treatment=shown, n=same.sum(axis=0))
        counts, of = _levels(context)
        there = of.any(axis=0)
        level, which = np.nonzero(there)
        counts, of, said = counts[:, there], of[:, there], np.array([_BY_LEVEL, _DECIDED])[which]
        yield from shares(context, counts, of, condition=said, treatment=_LEVELS[level])
        for method in context.watched(context.methods, "breaking ties"):
            if isinstance(method.named, Measure) and method.named.takes_ties:
                yield from _moves(context, method.named)


def _levels(context: Context) -> tuple[Floats, Floats]:
    """(T, levels, 2) pairs tied at some recall levels, and decided by then; and how many there are."""
    found, sizes = context.placements.recall_levels()
    counts, of = np.zeros((2, len(sizes), len(_LEVELS), 2))
    by_topic = np.split(found, np.cumsum(sizes)[:-1])
    for topic in context.watched(np.flatnonzero(sizes).tolist(), "looking at recall levels"):
        positions = by_topic[topic][:, context.placements.counted[topic]]
        first, second = np.triu_indices(positions.shape[1], 1)
        shown = np.flatnonzero(len(positions) >= _LEVELS)
        at_level = positions[_LEVELS[shown] - 1].astype(np.float64)
        counts[topic, shown, 0] = count_below(at_level, [0.5])[:, 0]
        of[topic, shown, 0] = len(first)
        one = positions[None]
        decided = LexicographicOrder(one, one).deciding_levels()[0][first, second]
        # Equal rankings are never decided: their level is past the last.
        decided = decided[decided < len(positions)] + 1
        counts[topic, :, 1] = (decided[:, None] <= _LEVELS).sum(axis=0)
        of[topic, :, 1] = len(decided)
    return counts, of


def _moves(context: Context, measure: Measure) -> Findings:
    """How many systems other orders of tied scores move, by a measure."""
    placements, systems = context.placements, len(context.placements.systems)
    moved = Estimate.without_interval([[np.nan, np.nan]])
    if (placements.tie_first < placements.tie_last).any():
        orders = [MeasureDifference(measure(ties=each)).scores(placements) for each in _ORDERS]
        scores = np.where(placements.counted, orders, 0)
        per_topic = np.stack([*scores, placements.counted], axis=-1)
        moved = context.bootstrap.of_sums(_moved, per_topic, cells=systems**2)
    yield from rows(moved, method=measure, condition=(_CAN_MOVE, _MOVED), n=systems)


def _moved(sums: Floats) -> Integers:
    """(B, 2) how many systems are moved, from (B, S, 5) sums by each of :data:`_ORDERS` and of topics."""
    means = divided(sums[..., :-1], sums[..., -1:])
    means = rounded(means, power_above(means))
    worst, best, trec, expected = np.moveaxis(means, -1, 0)
    ahead = best[:, :, None] > worst[:, None]
    can_move = ahead & ahead.swapaxes(1, 2) & ~np.eye(sums.shape[1], dtype=bool)
    above, exactly = (each[:, :, None] > each[:, None] for each in (trec, expected))
    turned = above & exactly.swapaxes(1, 2)
    moved = np.stack([can_move, turned | turned.swapaxes(1, 2)], axis=-1)
    return moved.any(axis=2).sum(axis=1)

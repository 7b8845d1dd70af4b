"""unjudged: how much do documents matter that nobody has judged? (Moffat & Mackenzie 2024, section 3)"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.certain_wins import certain_wins_by_topic
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, shares

_LISTS = "lists with an unjudged document"
_FIRST = "mean rank of the first one, where there is one"
_NUMBER = "mean number, where there is one"
_CERTAIN = "certain wins"


@dataclass(frozen=True, kw_only=True)
class Unjudged(Experiment):
    """How many unjudged documents the runs have near the top, and how many wins they could undo.

    At every depth k (Moffat & Mackenzie 2024, section 3): the share of the lists (a run on a topic with
    relevant documents) with an unjudged document among the first k; the mean rank of the first one; and how
    many there are, in lists that have one.

    Besides, what the paper leaves open: the share of the wins that are certain. A win is a pair-topic where
    a method prefers one of two systems by the judgments there are. It is certain if no
    judging of the unjudged documents among the first k of both would reverse it (``unjudged="any"``).

    Attributes:
        depths: k, one depth or several; the collection must have kept as many first documents of every run:
            ``irpref.collect(…, lists=100)``.

    Raises:
        ValueError: A depth is not a whole number above 0, the lists were not kept, or a method cannot say
            what is certain.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths(), lists=20)
        >>> study = irpref.studies.unjudged(data, "IPSO", depths=(10, 20))
        >>> shares = study.frame.query("condition == 'certain wins'")
        >>> shares.set_index("treatment")["estimate"].round(2).to_dict()
        {'10': 1.0, '20': 0.39}
    """

    question = "How much do unjudged documents matter?"
    default_methods = ("IPSO", "LP", "LR", "RPP(graded=False)")
    layouts = (
        Layout(
            "Unjudged documents among the first k of the lists (a run on a topic)",
            {_LISTS: "share with one", _FIRST: "first one at", _NUMBER: "how many"},
            format=".4g",
            rows={"treatment": "k"},
        ),
        Layout(
            "Share of the wins that cannot become losses, however the unjudged documents are judged, by k",
            [_CERTAIN],
            columns="treatment",
            format=".1%",
            interval=True,
        ),
    )
    picture = Picture(
        "lines", x="depth k", y="share of certain wins", where={"condition": (_CERTAIN,)}
    )
    notes = (
        "How many: in the lists that have one. By IPSO a win is certain if the leader is never behind. "
        "RPP's shares are lower bounds, and nearly always exact.",
    )

    depths: tuple[int, ...] = options.counts((10, 20, 100), "depths to look down to", rising=True)

    @property
    def lists(self) -> int:
        return self.depths[-1]

    def findings(self, context: Context) -> Findings:
        # An error now, not after the shallow depths.
        context.placements.unjudged(self.lists)
        asked = [
            (method, depth, _any(method, depth))
            for method, depth in product(context.methods, self.depths)
        ]
        for depth in self.depths:
            yield from _at_the_top(context, depth)
        for method, depth, each in context.watched(asked, "judging any way"):
            wins, certain = certain_wins_by_topic(context.placements, each).T
            yield from shares(
                context, certain, wins, method=method, condition=_CERTAIN, treatment=depth
            )


def _any(method: Criterion, depth: int) -> Criterion:
    """The method at a depth, however the unjudged documents are judged."""
    named = method.named
    if named is not None and named.cutoff is not None:
        raise ValueError(f"'unjudged' cuts at its depths: leave @{named.cutoff} out of {method}")
    try:
        found = None if named is None else named(unjudged="any") @ depth
    except TypeError:  # there is no such option
        found = None
    except ValueError as error:
        raise ValueError(f"'unjudged' asks what is certain: {error}") from None
    if not isinstance(found, Criterion):
        raise ValueError(
            f"'unjudged' asks what is certain, and {method} cannot say: take IPSO, LP, LR or "
            "RPP(graded=False)"
        )
    return found


def _at_the_top(context: Context, depth: int) -> Findings:
    """Unjudged documents among the first of every list."""
    placements = context.placements
    found = placements.unjudged(depth)
    shape = len(placements.topics), len(placements.systems)
    counts = found.counts(shape[1])
    first = np.full(shape, depth + 1)
    np.minimum.at(first, (found.topics, found.systems), found.positions)
    some = counts > 0
    listed, number = (placements.retrieved > 0).sum(axis=1), some.sum(axis=1)
    return shares(
        context,
        np.column_stack([number, np.where(some, first, 0).sum(axis=1), counts.sum(axis=1)]),
        np.column_stack([listed, number, number]),
        condition=(_LISTS, _FIRST, _NUMBER),
        treatment=depth,
    )

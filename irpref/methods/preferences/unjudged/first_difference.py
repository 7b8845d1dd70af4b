"""What is certain of preferences, however the unjudged documents are judged.

Of lexiprecision and lexirecall: all that is certain, from the first difference. Of recall-paired
preference: proved bounds, from the levels won.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import CACHE, Flags, Integers, batches
from irpref.methods.preferences.unjudged.open_lists import OPEN, Certain, Met, OpenPairs


def certain_of(win: Flags, loss: Flags, tie: Flags) -> Certain:
    """What is certain if these outcomes are possible: a sure one is the only possible one.

    Returns:
        Codes: 0 tie, 1 win, 2 loss, 3 uncertain.
    """
    codes = np.select([~win & ~loss, ~loss & ~tie, ~win & ~tie], range(3), 3)
    return Certain(codes.astype(np.uint8), ~loss, ~win)


def certain_lexiprecision(pairs: OpenPairs) -> Certain:
    """What is certain of sgnLP (Diaz 2023, Eq. 3).

    The first rank decides where only one of the two rankings has a relevant document.

    Returns:
        See :func:`certain_of`.
    """
    size = len(pairs.first)
    win, loss = np.zeros((2, size), dtype=np.bool_)
    free = np.full(size, OPEN, dtype=np.int8)
    tie = _scan(pairs, range(pairs.depth), win, loss, (free, free), np.arange(size))
    return certain_of(win, loss, tie)


def certain_lexirecall(pairs: OpenPairs) -> Certain:
    """What is certain of LR (Diaz & Mitra 2023, section 4).

    The ranking with more relevant documents wins. The difference can be any number from the least to the
    greatest lead at the depth, since only unjudged documents that one of the two lacks change it. If the
    least lead is 0, there are as many if and only if the second ranking's own are relevant and the first
    one's own are not (if the greatest is 0, the other way round). Then the last rank decides where only one
    of them has a relevant document: the other one has found its last ones earlier.

    Returns:
        See :func:`certain_of`.
    """
    least, most = pairs.leads()[:, -1]
    win, loss = most > 0, least < 0
    open_ = np.flatnonzero((least <= 0) & (most >= 0) & ~(win & loss))
    own = (most == 0).astype(np.int8), (least == 0).astype(np.int8)
    tie = _scan(pairs, reversed(range(pairs.depth)), loss, win, own, open_)
    return certain_of(win, loss, tie)


def _scan(
    pairs: OpenPairs,
    ranks: Iterable[int],
    first_has: Flags,
    second_has: Flags,
    own: tuple[Integers, Integers],
    active: Integers,
) -> Flags:
    """Which of two rankings may have a relevant document at the first rank where only one has.

    Before that rank both rankings have equal labels. So a label that is known in one of them is known in
    both, and wherever the document is met again. If two different unjudged documents are at one rank,
    either ranking may have the relevant one, and nothing more needs to be known of the pair. So every
    document that the scan meets again has a label by then: the scan takes O(k), and is exact.

    Args:
        pairs: The pairs.
        ranks: The ranks, in the order of the scan.
        first_has: (N,) set where only the first ranking may have one; may be set before.
        second_has: (N,) the same for the second one.
        own: (N,) labels of the unjudged documents that only the first ranking has among its first k, and
            of those that only the second one has.
        active: Indices of the pairs to scan.

    Returns:
        (N,) whether the rankings may have equal labels at all ranks; of no interest if both may differ.
    """
    labels = np.zeros((pairs.depth, len(pairs.first)), dtype=np.int8)
    done = np.zeros(pairs.depth + 1, dtype=np.bool_)
    for rank in ranks:
        if not len(active):
            break
        one, other = pairs.met(rank, active)
        same = one.elsewhere == rank
        left, right = (
            _known(met, labels, done, mine, active)
            for met, mine in zip((one, other), own, strict=True)
        )
        labels[rank, active] = np.where(left == OPEN, right, left)
        done[rank] = True
        first_has[active] |= ~same & (left != 0) & (right != 1)
        second_has[active] |= ~same & (left != 1) & (right != 0)
        differ = (left != right) & (left != OPEN) & (right != OPEN)
        active = active[~differ & ~(first_has[active] & second_has[active])]
    equal = np.zeros(len(pairs.first), dtype=np.bool_)
    equal[active] = True
    return equal


def _known(met: Met, labels: Integers, done: Flags, own: Integers, active: Integers) -> Integers:
    """(N,) labels, with those that follow from the ranks that are done."""
    alone = (met.labels == OPEN) & (met.elsewhere == len(labels))
    before = done[met.elsewhere]
    known = np.where(alone, own[active], met.labels)
    known[before] = labels[met.elsewhere[before], active[before]]
    return known


def certain_recall_paired_preference(pairs: OpenPairs) -> Certain:
    """What is certain of RPP with binary relevance and uniform weights (Diaz & Ferraro 2022, Eq. 4).

    Its sign is that of the levels won less the levels lost. With more relevant documents there are more
    recall levels: RPP is divided by more, and its sign stays. A level is won at each rank where the first
    ranking has a relevant document and leads after it, and lost where the second one has one and leads.

    The bounds are the least and the greatest number of levels won less lost, over all pairs of sequences of
    labels that respect the judgments, keep the lead within its bounds at each depth
    (:meth:`.OpenPairs.leads`), and label a document equally if both rankings have it at the same rank. Any
    judgment of the documents gives such sequences, so what follows from the bounds holds under all
    judgments. But some of the sequences label a document differently where the rankings have it at
    different ranks. So a pair may be uncertain here that a search through all judgments would find certain;
    never the other way round.

    Returns:
        See :func:`.certain_of`.
    """
    rank = np.arange(pairs.depth)[:, None]
    labels, elsewhere = (np.stack(each) for each in zip(*pairs.met(slice(None)), strict=True))
    later, same = elsewhere < rank, elsewhere[0] == rank
    # Leads and numbers of levels won are at most the depth, and "impossible" is more.
    kind = np.int16 if pairs.depth < _impossible(np.int16) else np.int32
    leads: Integers = pairs.leads().astype(kind)
    least = _fewest_won(labels, later, leads, same)
    # Seen from the second rankings.
    most = -_fewest_won(labels[::-1], later[::-1], -leads[::-1], same)
    return certain_of(most > 0, least < 0, (least <= 0) & (most >= 0))


def _impossible(kind: npt.DTypeLike) -> int:
    """The number of this type that stands for "impossible": three of them can be added."""
    return int(np.iinfo(kind).max) // 4


def _fewest_won(labels: Integers, later: Flags, leads: Integers, same: Flags) -> Integers:
    """(N,) a bound: the first ranking wins at least so many levels more than it loses.

    Where a quick bound and some judgments agree on the sign, it is the quick bound.

    Args:
        labels: (2, k, N) labels of the documents of the first and of the second rankings.
        later: (2, k, N) whether each is unjudged, and the other ranking has it earlier.
        leads: (2, k, N) the least and the greatest lead of the first ranking down to each rank.
        same: (k, N) whether both have the same unjudged document at that rank.
    """
    (first, second), (first_later, second_later), (least, most) = labels, later, leads
    bound = _count((first == 1) & (least > 0))
    bound -= _count((second != 0) & (least < 0))
    # The judgments there are, and those under which the lead is least everywhere.
    steps = (first == 1).view(np.int8) - (second == 1).view(np.int8)
    lead = np.cumsum(steps, axis=0, dtype=leads.dtype)
    found = _won(first == 1, second == 1, lead)
    others = (second == 1) | ((second == OPEN) & ~same & ~second_later)
    np.minimum(found, _won((first == 1) | first_later, others, least), out=found)
    open_ = np.flatnonzero((bound <= 0) & (found >= 0) & (bound < found))
    if len(open_):
        states = int(most[:, open_].max()) - int(least[:, open_].min()) + 1
        # At most so many sums are updated at a time as fit into the processor's cache.
        for some in batches(len(open_), states, CACHE):
            part = open_[some]
            bound[part] = _fewest_by_lead(labels[..., part], leads[..., part], same[:, part])
    return bound


def _won(first: Flags, second: Flags, lead: Integers) -> Integers:
    """(N,) levels won less levels lost, from (k, N) relevant documents and the lead after each rank."""
    return _count(first & (lead > 0)) - _count(second & (lead < 0))


def _count(flags: Flags) -> Integers:
    return np.asarray(flags.sum(axis=0, dtype=np.int32))


def _fewest_by_lead(labels: Integers, leads: Integers, same: Flags) -> Integers:
    """(N,) the least number of levels won less lost over all sequences of labels.

    Rank by rank, the state is the lead: O(k · leads) for each pair.
    """
    least, most = min(0, int(leads[0].min())), max(0, int(leads[1].max()))
    kind = leads.dtype
    impossible = kind.type(_impossible(kind))

    def unless(allowed: Flags) -> Integers:
        return np.where(allowed, kind.type(0), impossible)

    lead = np.arange(least, most + 1, dtype=kind)[:, None]
    sign = np.sign(lead)
    fewest = np.full((len(lead), same.shape[1]), impossible)
    fewest[-least] = 0
    for rank in range(len(same)):
        first, second = labels[:, rank]
        neither = fewest + unless((first != 1) & (second != 1))
        both = fewest + sign + unless((first != 0) & (second != 0))
        following = np.minimum(neither, both)
        one = fewest[:-1] + unless((first != 0) & (second != 1) & ~same[rank]) + (lead[1:] > 0)
        np.minimum(following[1:], one, out=following[1:])
        other = fewest[1:] + unless((first != 1) & (second != 0) & ~same[rank]) - (lead[:-1] < 0)
        np.minimum(following[:-1], other, out=following[:-1])
        within = (leads[0, rank] <= lead) & (lead <= leads[1, rank])
        fewest = np.where(within, np.minimum(following, impossible), impossible)
    return np.asarray(fewest.min(axis=0))

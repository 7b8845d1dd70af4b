"""What is certain of lexiprecision and lexirecall, however the unjudged documents are judged."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from irpref.base.arrays import Flags, Integers
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

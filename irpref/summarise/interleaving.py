"""Which of two rankings is preferred if they are interleaved, from the positions of relevant items alone.

Positions are (m, P): of each of m relevant items, the same ones in all P pairs, in one ranking of a pair.
Rankings have (P,) lengths. An item that is not retrieved has a position beyond the lengths of both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.memory import batches
from irpref.noise import NOISE
from irpref.project.placements import Placements

# Batch size, in positions; bounds memory.
_BATCH = 1 << 20

POSITIONS, CLICKS = READINGS = ("positions", "clicks")
UNIFORM, DCG = "uniform", "DCG"
_SHORTER, _UNSATISFIED = "shorter list", "unsatisfied users"


class Variant(NamedTuple):
    """A reading of the paper, and how the users are distributed.

    Attributes:
        reading: By positions, or by clicks.
        users: Uniform, or as in DCG.
        shorter: Whether the list ends with the shorter ranking.
        unsatisfied: Whether users who do not find what they look for prefer a ranking too.
    """

    reading: str
    users: str
    shorter: bool = False
    unsatisfied: bool = False

    @property
    def said(self) -> str:
        """In words."""
        asked = ((_SHORTER, self.shorter), (_UNSATISFIED, self.unsatisfied))
        others = [what for what, is_so in asked if is_so]
        return ", ".join([self.reading, self.users, *others])


VARIANTS = (
    *(Variant(reading, users) for reading in READINGS for users in (UNIFORM, DCG)),
    # What else the paper may mean.
    Variant(CLICKS, UNIFORM, shorter=True),
    Variant(CLICKS, UNIFORM, unsatisfied=True),
    Variant(CLICKS, UNIFORM, shorter=True, unsatisfied=True),
)


def precision_by_position(
    first: Integers,
    second: Integers,
    lengths: tuple[Integers, Integers],
    cumulated: Floats,
) -> Floats:
    """E[sgn(v_k - v'_k)] over positions k, with v_k the precision at k (Diaz & Ferraro 2022, Eq. 2).

    Args:
        first: (m, P) positions in the first rankings.
        second: (m, P) positions in the second rankings.
        lengths: (P,) lengths of the first rankings, and of the second ones; k goes to the longer one's end.
        cumulated: (K + 1,) weight of the positions 1 … k together, for k = 0, 1, … K; they are
            normalised.

    Returns:
        (P,) from -1 to 1, above 0 if the first ranking is preferred; 0 if both are empty.

    Example:
        The first ranking is ahead at positions 1 and 2, and the second one at 4.

        >>> positions = np.array([[1], [9]]), np.array([[3], [4]])
        >>> precision_by_position(*positions, (np.array([4]), np.array([4])), np.arange(5.0)).tolist()
        [0.25]
    """
    end = np.maximum(*lengths).astype(np.int64)
    at = np.minimum(np.concatenate([first, second]), end + 1)
    order = np.argsort(at, axis=0, kind="stable")
    at = np.take_along_axis(at, order, axis=0)
    lead = np.cumsum(np.where(order < len(first), 1, -1), axis=0)
    until = np.concatenate([at[1:], (end + 1)[None]])
    held = cumulated[until - 1] - cumulated[at - 1]
    return _mean((np.sign(lead) * held).sum(axis=0), cumulated[end])


def balanced_interleaving(
    first: Integers,
    second: Integers,
    lengths: tuple[Integers, Integers],
    weights: Floats,
    *,
    unsatisfied: bool = False,
    shorter: bool = False,
) -> Floats:
    """Whose items are clicked in the balanced interleaving of two rankings (Joachims 2002).

    A coin decides which ranking goes first. The list takes the items of both in turn, the k-th of the one
    and the k-th of the other, without those that it has already. When one ranking ends, the rest of the
    other follows, or the list ends (Chapelle et al. 2012, Algorithm 1). A user who looks for r relevant
    items clicks all relevant ones down to the r-th. If the last click is on the k-th item of a ranking, for
    the least such k, the ranking is preferred whose first k items have more clicks. The result is the mean
    over both sides of the coin and over users.

    Args:
        first: (m, P) positions in the first rankings.
        second: (m, P) positions in the second rankings.
        lengths: (P,) lengths of the first rankings, and of the second ones.
        weights: (m,) share of the users for each r; they are normalised.
        unsatisfied: Whether users who look for more relevant items than the list has prefer a ranking too,
            by all their clicks. If not, they prefer none.
        shorter: Whether the list ends when one ranking does.

    Returns:
        (P,) from -1 to 1, above 0 if the first ranking is preferred.

    Example:
        The first ranking has one item sooner, the second one has both. Two of three users look for one.

        >>> positions = np.array([[1], [4]]), np.array([[2], [3]])
        >>> lengths, users = (np.array([4]), np.array([4])), np.array([2.0, 1.0])
        >>> balanced_interleaving(*positions, lengths, users).round(3).tolist()
        [0.333]
    """
    # The k-th item of the first ranking is looked at in turn 2k - 1, that of the second one in turn 2k.
    last = np.minimum if shorter else np.maximum
    turns, others = (2 * each.astype(np.int64) for each in lengths)
    one, other = first.astype(np.int64), second.astype(np.int64)
    whole = np.append(0.0, np.cumsum(weights))
    heads = _first_in_turn(one, other, last(turns - 1, others), whole, unsatisfied)
    tails = -_first_in_turn(other, one, last(others - 1, turns), whole, unsatisfied)
    return _mean((heads + tails) / 2, whole[-1:])


def _first_in_turn(
    first: Integers, second: Integers, end: Integers, whole: Floats, unsatisfied: bool
) -> Floats:
    """(P,) the sum over users if the first ranking goes first.

    Args:
        first: (m, P) positions in the first rankings.
        second: (m, P) positions in the second rankings.
        end: (P,) the last turn of the list.
        whole: (m + 1,) how many users look for at most 0, 1, … m items.
        unsatisfied: Whether users prefer a ranking if they look for more items than there are.
    """
    # An item is new in the earlier of its two turns.
    turns = np.concatenate([2 * first - 1, 2 * second])
    early = first <= second
    order = np.argsort(turns, axis=0)
    turns = np.take_along_axis(turns, order, axis=0)
    new = np.take_along_axis(np.concatenate([early, ~early]), order, axis=0)
    lead = np.cumsum(np.where(order < len(first), 1, -1), axis=0)
    # After a turn of the first ranking, the second one's k-th item was not looked at: it is clicked if the
    # first ranking has it above.
    clicked_above = np.zeros(turns.shape, dtype=bool)
    clicked_above[:-1] = (turns[:-1] % 2 == 1) & (turns[1:] == turns[:-1] + 1) & ~new[1:]
    preferred = np.sign(lead - clicked_above)
    clicked = new & (turns <= end)
    clicks = np.cumsum(clicked, axis=0)
    users = whole[clicks] - whole[clicks - 1]
    total = np.where(clicked, preferred * users, 0.0).sum(axis=0)
    if unsatisfied:
        last = (clicked & (clicks == clicks[-1])).argmax(axis=0)
        by_all = np.where(clicks[-1] > 0, np.take_along_axis(preferred, last[None], axis=0)[0], 0)
        total += by_all * (whole[-1] - whole[clicks[-1]])
    return np.asarray(total)


def _mean(total: Floats, weight: Floats) -> Floats:
    """The total over the weight; what is float noise only becomes 0."""
    mean = total / np.where(weight > 0, weight, 1.0)
    return np.asarray(np.where(np.abs(mean) < NOISE, 0.0, mean))


def interleaved(placements: Placements, topic: int, first: Integers, second: Integers) -> Floats:
    """What interleaving says of N pairs of systems on a topic, in every variant.

    Args:
        placements: Positions of the relevant items.
        topic: Index of the topic.
        first: (N,) index of each pair's first system.
        second: (N,) index of its second one.

    Returns:
        (variants, N) from -1 to 1, as :data:`VARIANTS` are; NaN if nothing is relevant.
    """
    rows = placements.rows(topic)
    positions = placements.positions[rows][placements.grades[rows] >= 1]
    lengths = placements.retrieved[topic]
    found = np.full((len(VARIANTS), len(first)), np.nan)
    if not len(positions):
        return found
    for part in batches(len(first), len(positions), _BATCH):
        one, other = first[part], second[part]
        given = positions[:, one], positions[:, other], (lengths[one], lengths[other])
        for place, variant in enumerate(VARIANTS):
            if variant.reading == POSITIONS:
                cumulated = np.append(0.0, np.cumsum(_chances(int(lengths.max()), variant.users)))
                found[place, part] = precision_by_position(*given, cumulated)
            else:
                found[place, part] = balanced_interleaving(
                    *given,
                    _chances(len(positions), variant.users),
                    unsatisfied=variant.unsatisfied,
                    shorter=variant.shorter,
                )
    return found


def _chances(number: int, users: str) -> Floats:
    """Of 1 … n, in proportion."""
    return np.ones(number) if users == UNIFORM else 1 / np.log2(np.arange(2.0, number + 2))

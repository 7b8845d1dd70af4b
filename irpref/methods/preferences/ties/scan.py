"""Scans of pairs of rankings while the two are equal, which LP, LR and IPSO share.

If a cutoff splits tied groups, the number of retrieved items is random, and differs or is equal first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, ranges
from irpref.methods.preferences.lexicographic import LexicographicOrder
from irpref.methods.preferences.ties.logarithms import LogChoose
from irpref.methods.preferences.ties.tied_rankings import TiedRankings

# Batch size, in states; bounds memory.
_CELLS = MEMORY // 4
# A pair drops out once its probability of being undecided is below this.
_DECIDED = 1e-16
# The scans leave out counts less probable than this; all of these together stay below 1e-15.
NEGLIGIBLE = 1e-19
# Decided pairs stay until they are more than one in eight, since taking them out takes time too.
_MOST = 7 / 8
# After so many steps, the scans look for them.
_STEPS = 8


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of rankings that are equal, for certain, above a recall level.

    Attributes:
        population: (P,) the population of each pair.
        sides: (2, P) its first ranking, and its second one.
        level: (P,) that recall level, from 0.
        cells: (B, A, C) arrays hold the pairs at these places.
        mirrored: Whether each pair is listed in one direction only, as the two lists are the same.
    """

    population: Integers
    sides: Integers
    level: Integers
    cells: tuple[Integers, ...]
    mirrored: bool

    @classmethod
    def at(cls, chosen: Flags, first: slice, second: slice, level: Integers | int = 0) -> Pairs:
        """The pairs that are chosen (B, A, C), with the level of each place, or one level of all."""
        cells = np.nonzero(chosen)
        sides = np.stack((cells[1] + first.start, cells[2] + second.start))
        levels = np.broadcast_to(level, chosen.shape)[cells]
        return cls(cells[0], sides, levels, cells, mirrored=second == first)

    def __len__(self) -> int:
        return len(self.level)

    def add_to(self, values: Floats, added: Floats) -> Floats:
        """The (B, A, C) values with (P,) numbers added at these pairs, and subtracted at the reverse."""
        values[self.cells] += added
        if self.mirrored:
            population, one, other = self.cells
            values[population, other, one] -= added
        return values


@dataclass(frozen=True, eq=False)
class Undecided:
    """Pairs with items at the same positions so far, and their chances at a position each.

    Attributes:
        pairs: (P,) indices of the pairs.
        position: (P,) the position of each.
        lowest: (P,) the count of items so far in the first row of the other arrays.
        mass: (W, P) probability of being undecided with each count.
        left: (W, P) chance that the first ranking has an item at this position; any number for a count
            that has no probability.
        right: (W, P) chance that the second ranking has one.
    """

    pairs: Integers
    position: Integers
    lowest: Integers
    mass: Floats
    left: Floats
    right: Floats


def first_differences(
    rankings: TiedRankings, first: slice, second: slice
) -> tuple[Floats, Pairs, Integers]:
    """Who has the first item that the other has not, where no order of tied groups can change it.

    Returns:
        (B, A, C) +1 if it is the first ranking, -1 if it is the second one, 0 if nobody or unknown; the
        pairs where it is unknown; and (B, A, C) the recall level (from 0) above which all is equal for
        certain, m if all is.
    """
    level = equal_above(rankings, first, second)
    populations = np.arange(len(level))[:, None, None]
    systems = np.arange(rankings.start.shape[2])
    one = rankings.cells(populations, level, systems[first][:, None])
    other = rankings.cells(populations, level, systems[second])
    best, worst = rankings.best, rankings.worst
    sign = (worst.take(one) < best.take(other)).astype(np.float64)
    sign -= worst.take(other) < best.take(one)
    unknown = (sign == 0) & (level < rankings.levels)
    if second == first:
        unknown = np.triu(unknown, 1)
    return sign, Pairs.at(unknown, first, second, level), level


def equal_above(rankings: TiedRankings, first: slice, second: slice) -> Integers:
    """(B, A, C) the recall level (from 0) above which all is equal for certain; m if all is."""
    systems = np.arange(rankings.start.shape[2])
    # A random item is like no other one.
    keys = np.where(rankings.random, rankings.depth + 2 + systems, rankings.best)
    one = keys[:, :, first]
    other = one if second == first else keys[:, :, second]
    level = LexicographicOrder(one, other).deciding_levels()
    if second == first:
        # Nor is it like itself in another order.
        itself = np.arange(level.shape[1])
        level[:, itself, itself] = (np.cumsum(rankings.random, axis=1) == 0).sum(axis=1)[:, first]
    return np.minimum(level, rankings.levels)


def scan(rankings: TiedRankings, pairs: Pairs, mass: Floats | None = None) -> Iterator[Undecided]:
    """Go along the positions while a pair may be undecided, all pairs in step, each from its own position.

    The state of a pair is its common count of items above the position. At the end of a tied group of
    either ranking the count is certain. A step with P undecided pairs and W possible counts takes O(P · W);
    without ties, W is 1.

    Args:
        rankings: The rankings.
        pairs: The pairs.
        mass: (W, P) probability of each count at the start, from the pairs' levels; by default there are
            as many items as levels above.

    Yields:
        The undecided pairs, each at its next position where either ranking may have an item.
    """
    if mass is None:
        mass = np.ones((1, len(pairs)))
    # Where the level 0 of each ranking is.
    tops = rankings.cells(pairs.population, 0, pairs.sides)
    row = rankings.start.shape[2]
    tied_groups = [
        array.take(tops + pairs.level * row).astype(np.int64)
        for array in (rankings.start, rankings.end, rankings.through)
    ]
    position = tied_groups[0].min(axis=0, initial=rankings.depth + 1)
    parts = [(0, np.arange(len(pairs)), pairs.level, position, mass, tops, *tied_groups)]
    while parts:
        step, *state = parts.pop()
        index, lowest, position, mass, tops, start, end, through = state
        undecided = (mass.sum(axis=0) > _DECIDED) & (position <= rankings.depth)
        left = np.count_nonzero(undecided)
        if not left:
            continue
        if left < _MOST * len(index):
            kept = np.flatnonzero(undecided)
            index, lowest, position, mass, tops, start, end, through = (
                array.take(kept, axis=-1) for array in state
            )
        elif left < len(index):
            mass[:, ~undecided] = 0
        if len(mass) > 1 and step % _STEPS == 0:
            mass, lowest = likely_counts(mass, lowest)
        if mass.size > _CELLS and len(index) > 1:
            state = [index, lowest, position, mass, tops, start, end, through]
            half = len(index) // 2
            for part in (slice(half), slice(half, None)):
                parts.append((step, *(np.ascontiguousarray(array[..., part]) for array in state)))
            continue
        one, other = _chances(position, lowest, len(mass), (start, end, through), rankings.depth)
        yield Undecided(index, position, lowest, mass, one, other)
        mass = _after(mass, one, other)
        ended = (end == position) & (position <= rankings.depth)
        certain = ended.any(axis=0)
        if certain.any():
            lowest = np.where(certain, np.where(ended[0], through[0], through[1]), lowest)
            total = mass.sum(axis=0)
            if certain.all():
                mass = total[None]
            else:
                mass *= ~certain
                mass[0] += total * certain
            over = np.flatnonzero(ended)
            cell = tops.take(over) + through.take(over) * row
            start.put(over, rankings.start.take(cell))
            end.put(over, rankings.end.take(cell))
            through.put(over, rankings.through.take(cell))
        position = np.maximum(position + 1, start.min(axis=0))
        parts.append((step + 1, index, lowest, position, mass, tops, start, end, through))


def _chances(
    position: Integers,
    lowest: Integers,
    states: int,
    tied_groups: tuple[Integers, Integers, Integers],
    depth: int,
) -> Floats:
    """(2, W, P) chances of an item at these positions."""
    start, end, through = tied_groups
    # In a gap before a group, and below the last position, the chance is 0.
    inside = (start <= position) & (position <= depth)
    items = np.where(inside, through - lowest, 0.0)
    places = np.where(inside, end - position + 1, np.inf)
    chance = items[:, None] - np.arange(states, dtype=np.float64)[:, None]
    return np.divide(chance, places[:, None], out=chance)


def _after(mass: Floats, one: Floats, other: Floats) -> Floats:
    """(W + 1, P) probabilities after positions where both rankings have an item, or neither has."""
    after = np.empty((len(mass) + 1, mass.shape[1]))
    both = mass * one
    neither = np.subtract(mass, both, out=after[:-1])
    both *= other
    neither -= neither * other
    after[-1] = 0
    after[1:] += both
    return after


def likely_counts(mass: Floats, lowest: Integers) -> tuple[Floats, Integers]:
    """The states and the lowest counts of pairs, without counts of almost no probability at either end."""
    likely = mass > NEGLIGIBLE
    skipped = likely.argmax(axis=0)
    rows = np.arange(len(mass))[:, None]
    width = int(np.where(likely, rows - skipped, 0).max()) + 1
    rows = np.minimum(rows[:width] + skipped, len(mass))
    padded = np.concatenate((mass, np.zeros((1, mass.shape[1]))))
    return np.take_along_axis(padded, rows, axis=0), lowest + skipped


class RetrievedCounts:
    """The probabilities of the numbers of items down to the cutoff."""

    def __init__(self, rankings: TiedRankings) -> None:
        """Find the tied groups that the cutoff splits."""
        self._levels, last = rankings.levels, rankings.depth + 1
        self.least = (rankings.worst < last).sum(axis=1)
        self.most = (rankings.best < last).sum(axis=1)
        split = np.nonzero(self.least < self.most)
        group = split[0], self.least[split], split[1]
        shape = self.least.shape
        # A count of certain items is the one way to place none among none.
        above, places, items, before = self._groups = np.zeros((4, *shape), dtype=np.int64)
        before[...] = self.least
        before[split] = rankings.before[group]
        items[split] = rankings.through[group] - rankings.before[group]
        places[split] = rankings.end[group] - rankings.start[group] + 1
        above[split] = last - rankings.start[group]
        self._log = LogChoose(int(places.max(initial=1)))

    def _chances(self, populations: Integers, systems: Integers, counts: Integers) -> Floats:
        """(W, P) probabilities of (W, P) counts in the rankings of (P,) pairs."""
        above, places, items, before = self._groups[:, populations, systems]
        here, possible = self._log.masked(above, counts - before)
        below, remain = self._log.masked(places - above, items - (counts - before))
        return self._log.exp(here + below - self._log(places, items), possible & remain)

    def compare(self, pairs: Pairs) -> tuple[Pairs, Floats, Floats]:
        """Pairs that do or do not retrieve the same number of items.

        Returns:
            The pairs, with the level (from the last position on) where their next items are; (W, P)
            probabilities that both retrieve as many as from there on, and one less for each row; (P,)
            probability that the second ranking retrieves more, less that the first one does.
        """
        most, least = (array[pairs.population, pairs.sides] for array in (self.most, self.least))
        split = np.flatnonzero((least < most).any(axis=0))
        mass, fewer = np.ones((1, len(pairs))), np.zeros(len(pairs))
        if not len(split):
            return pairs, mass, fewer
        top = most[:, split].max(axis=0)
        lost = np.arange(int((top - least[:, split].min(axis=0)).max()) + 1)[:, None]
        one, other = (
            self._chances(pairs.population[split], side, top - lost)
            for side in pairs.sides[:, split]
        )
        # Counts fall down the rows.
        at_least = np.cumsum(one, axis=0)
        fewer[split] = np.einsum("wp,wp->p", other, one - 2 * at_least + at_least[-1])
        level = pairs.level.copy()
        equal = one * other
        begin = top - most[:, split].min(axis=0)
        level[split] = self._levels - top + begin
        rows = np.minimum(lost + begin, len(lost) - 1)
        mass = np.zeros((len(lost), len(pairs)))
        mass[0] = 1
        mass[:, split] = np.take_along_axis(equal, rows, axis=0) * (lost + begin < len(lost))
        return replace(pairs, level=level), mass, fewer

    def split_by_count(
        self, populations: Integers, sides: Integers, levels: tuple[Integers, Integers]
    ) -> tuple[Integers, Integers, Floats]:
        """Pairs, one for each count of the left ranking if the cutoff splits groups of both rankings.

        Args:
            populations: (P,) population of each pair.
            sides: (2, P) its rankings.
            levels: (P,) first and last (excluded) recall levels of interest; others may be split too.

        Returns:
            (N,) indices of the pairs, counts of their left rankings, or -1, and the probabilities of these.
        """
        start, stop = levels
        before = self._groups[-1][populations, sides]
        split = (self.least < self.most)[populations, sides] & (before >= start) & (before < stop)
        both = split.all(axis=0)
        least, most = (
            np.where(both, array[populations, sides[0]], -1) for array in (self.least, self.most)
        )
        width = most - least + 1
        pair = np.repeat(np.arange(len(both)), width)
        counts = ranges(least, width)
        chance = np.ones(len(pair))
        of = np.flatnonzero(counts >= 0)
        chance[of] = self._chances(populations[pair[of]], sides[0, pair[of]], counts[of][None])[0]
        likely = chance > NEGLIGIBLE
        return pair[likely], counts[likely], chance[likely]

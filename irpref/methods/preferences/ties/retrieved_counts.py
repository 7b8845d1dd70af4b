"""How many items are retrieved, if the cutoff splits tied groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irpref.base.arrays import Floats, Integers, ranges
from irpref.methods.preferences.ties.logarithms import LogChoose
from irpref.methods.preferences.ties.scan import NEGLIGIBLE, Pairs
from irpref.methods.preferences.ties.tied_rankings import TiedRankings


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
        least = np.maximum(0, items - (places - above))
        most = np.minimum(items, above)
        here = counts - before
        possible = (here >= least) & (here <= most)
        here = np.clip(here, least, most)
        ways = self._log(above, here) + self._log(places - above, items - here)
        return np.where(possible, self._log.exp(ways - self._log(places, items)), 0)

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

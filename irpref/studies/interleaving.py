"""interleaving: does a preference say what interleaving would? (Diaz & Ferraro 2022, Figure 5)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irpref.base.arrays import Floats, Integers, batches
from irpref.positions.placements import Placements
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, agreements, rows
from irpref.studies.numbers.order_agreement import agreement_sums, moments, pearson
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.system_values import means_of_pairs

# Batch size, in positions; bounds memory.
_BATCH = 1 << 20

POSITIONS, CLICKS = READINGS = ("positions", "clicks")
UNIFORM, DCG = "uniform", "DCG"


_READ = f"{CLICKS}, {UNIFORM}, "
_SHORTER, _UNSATISFIED = {"shorter": True}, {"unsatisfied": True}
VARIANTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    **{
        f"{each}, {weighting}": (each, weighting, {})
        for each in READINGS
        for weighting in (UNIFORM, DCG)
    },
    f"{_READ}shorter list": (CLICKS, UNIFORM, _SHORTER),
    f"{_READ}unsatisfied users": (CLICKS, UNIFORM, _UNSATISFIED),
    f"{_READ}shorter list, unsatisfied users": (CLICKS, UNIFORM, _SHORTER | _UNSATISFIED),
}
"""By name: a reading of the paper, how the users are distributed, and what else the paper may mean."""

_SAID = {f"interleaving by {said}": said.removeprefix(_READ) for said in VARIANTS}
_NAMES = tuple(_SAID)
# By name, what each is called in the tables.
_MAIN, _OPEN = ({each: _SAID[each] for each in part} for part in (_NAMES[:4], _NAMES[4:]))
_RPP = "RPP(graded=False)"
_CORRELATION = "Pearson's r"
_AGREEMENT = "sign agreement"
_STRICT, _DECIDED = f"{_AGREEMENT}, strict", f"{_AGREEMENT}, decided"


@dataclass(frozen=True, kw_only=True)
class Interleaving(Experiment):
    """How well preferences and measures agree with offline interleaving, in two readings of the paper.

    Some pairs of systems are drawn on every topic, and their rankings are interleaved offline: a simulated
    user sees relevant documents only (a grade of at least 1).

    - By positions, Eq. 2 of Diaz & Ferraro (2022) read literally: the ranking is preferred that has more
      relevant documents down to position k. k is uniform down to the end of the longer ranking, or its
      chance is proportional to 1 / log2(k + 1).
    - By clicks: balanced interleaving (Joachims 2002), the mean over both sides of the coin. A user clicks
      all relevant documents down to the r-th. r is uniform over the relevant documents of the topic, or
      its chance is proportional to 1 / log2(r + 1). The ranking is preferred that contributed more clicks.
      Where the shorter ranking ends, the rest of the longer one follows. A user who does not find r
      documents prefers none.

    The paper leaves open what ends the list, and what becomes of a user who does not find r documents. What
    is taken here was chosen after trying the others: of all, RPP correlates most with it. So the study says
    what comes out of the others too, for uniform users by clicks: the list ends with the shorter ranking
    (as in Algorithm 1 of Chapelle et al. 2012, which the paper cites), a user who does not find r documents
    prefers a ranking by all clicks, or both.

    The sign agreement is over the pair-topics that the target decides (see ``agreement``); Pearson's r
    takes each pair in both orders (Figure 5, bottom row).

    Attributes:
        pairs: How many pairs of systems are drawn on each topic; all if there are no more.

    Raises:
        ValueError: pairs is not a whole number above 0.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.interleaving(irpref.collect(*demo_paths()), "RPP(graded=False)")
        >>> found = study.frame.set_index(["method", "against", "condition"])["estimate"].round(2)
        >>> found["RPP(graded=False)", "interleaving by clicks, uniform", "Pearson's r"].item()
        0.96
    """

    question = "Does a preference say what interleaving would?"
    default_methods = (_RPP, "dcgRPP(graded=False)", "AP", "nDCG", "ASL", "RR")
    layouts = (
        *(
            Layout(
                caption, [condition], columns="against", where={"against": against}, format=".2f"
            )
            for condition, against, caption in (
                (_CORRELATION, _MAIN, "Pearson's r with interleaving"),
                (
                    _CORRELATION,
                    _OPEN,
                    f"Pearson's r with interleaving by {_READ}read in other ways",
                ),
                (_STRICT, _MAIN, "Sign agreement with interleaving; a tie disagrees"),
                (_DECIDED, _MAIN, "Sign agreement with interleaving, where both decide"),
            )
        ),
        Layout(
            f"Pearson's r and sign agreement with {_RPP}",
            {_CORRELATION: "r", _STRICT: "strict", _DECIDED: "decided"},
            where={"against": [_RPP]},
            format=".2f",
        ),
    )
    picture = Picture(
        "dots",
        x="Pearson's r",
        where={"condition": [_CORRELATION], "against": _MAIN},
        series=("method", "against"),
    )

    pairs: int = options.count(500, "how many pairs of systems are drawn on each topic")

    def findings(self, context: Context) -> Findings:
        names = [*map(str, context.methods), *_NAMES]
        values = self._values(context)
        correlation = context.bootstrap.of_sums(pearson, moments(values))
        both = np.isfinite(values)
        for target in dict.fromkeys([*_NAMES, *(name for name in names if name == _RPP)]):
            against = names.index(target)
            counts = agreement_sums(values, values[:, [against]])
            for place, name in enumerate(names):
                # Not with itself, and not one variant of interleaving with another.
                if name == target or {name, target} <= set(_NAMES):
                    continue
                yield from rows(
                    correlation.at(place, against),
                    method=name,
                    against=target,
                    condition=_CORRELATION,
                    n=(both[:, place] & both[:, against]).sum(),
                )
                yield from agreements(
                    context, counts[:, place], method=name, against=target, where=_AGREEMENT
                )

    def _values(self, context: Context) -> Floats:
        """(T, methods + variants, N) values of methods and interleaving on some pairs; NaN for none."""
        placements, methods = context.placements, len(context.methods)
        first, second = np.triu_indices(len(placements.systems), 1)
        number = min(self.pairs, len(first))
        drawn = np.array([context.rng.permutation(len(first))[:number] for _ in placements.topics])
        values = np.empty((len(drawn), methods + len(_NAMES), number))
        for part in pair_topics(placements, context.methods, progress=context.progress):
            chosen = drawn[None, part.topics]
            by_method = np.take_along_axis(part.values, chosen, axis=2)
            values[part.topics, :methods] = by_method.swapaxes(0, 1)
        for topic, chosen in context.watched(list(enumerate(drawn)), "interleaving"):
            values[topic, methods:] = interleaved(placements, topic, first[chosen], second[chosen])
        return values


# Which of two rankings is preferred, from the positions of relevant items alone. Positions are (m, P): of
# each of m relevant items, the same ones in all P pairs, in one ranking of a pair. Rankings have (P,)
# lengths. An item that is not retrieved has a position beyond the lengths of both.
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
    _, at, lead = _in_order(np.minimum(np.concatenate([first, second]), end + 1))
    until = np.concatenate([at[1:], (end + 1)[None]])
    held = cumulated[until - 1] - cumulated[at - 1]
    return np.nan_to_num(means_of_pairs((np.sign(lead) * held).sum(axis=0), cumulated[end]))


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
    return np.nan_to_num(means_of_pairs((heads + tails) / 2, whole[-1:]))


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
    early = first <= second
    order, turns, lead = _in_order(np.concatenate([2 * first - 1, 2 * second]))
    new = np.take_along_axis(np.concatenate([early, ~early]), order, axis=0)
    # After a turn of the first ranking, the second one's k-th item was not looked at: it is clicked if the
    # first ranking has it above.
    clicked_above = np.zeros(turns.shape, dtype=bool)
    clicked_above[:-1] = (turns[:-1] % 2 == 1) & (turns[1:] == turns[:-1] + 1) & ~new[1:]
    preferred = np.sign(lead - clicked_above)
    clicked = new & (turns <= end)
    clicks = np.cumsum(clicked, axis=0)
    weight = whole[clicks] - whole[clicks - 1]
    total = np.where(clicked, preferred * weight, 0.0).sum(axis=0)
    if unsatisfied:
        last = (clicked & (clicks == clicks[-1])).argmax(axis=0)
        by_all = np.where(clicks[-1] > 0, np.take_along_axis(preferred, last[None], axis=0)[0], 0)
        total += by_all * (whole[-1] - whole[clicks[-1]])
    return np.asarray(total)


def _in_order(at: Integers) -> tuple[Integers, Integers, Integers]:
    """(2m, P) the order of the items of both rankings, where each is, and how many more the first one has
    by then."""
    order = np.argsort(at, axis=0, kind="stable")
    lead = np.cumsum(np.where(order < len(at) // 2, 1, -1), axis=0)
    return order, np.take_along_axis(at, order, axis=0), lead


def interleaved(placements: Placements, topic: int, first: Integers, second: Integers) -> Floats:
    """What interleaving says of N pairs of systems on a topic, in every variant.

    Args:
        placements: Positions of the relevant items.
        topic: Index of the topic.
        first: (N,) index of each pair's first system.
        second: (N,) index of its second one.

    Returns:
        (variants, N) from -1 to 1, as :data:`VARIANTS` are.
    """
    rows = placements.rows(topic)
    positions = placements.positions[rows]
    lengths = placements.retrieved[topic]
    found = np.empty((len(VARIANTS), len(first)))
    for part in batches(len(first), len(positions), _BATCH):
        one, other = first[part], second[part]
        pair, longest = (positions[:, one], positions[:, other]), (lengths[one], lengths[other])
        for place, (reading, weighting, otherwise) in enumerate(VARIANTS.values()):
            if reading == POSITIONS:
                cumulated = np.append(0.0, np.cumsum(_chances(int(lengths.max()), weighting)))
                found[place, part] = precision_by_position(*pair, longest, cumulated)
            else:
                weights = _chances(len(positions), weighting)
                found[place, part] = balanced_interleaving(*pair, longest, weights, **otherwise)
    return found


def _chances(number: int, weighting: str) -> Floats:
    """Of 1 … n, in proportion."""
    return np.ones(number) if weighting == UNIFORM else 1 / np.log2(np.arange(2.0, number + 2))

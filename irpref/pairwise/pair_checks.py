"""Checks of a verdict: the same question of two systems again, at one depth, or on the topics of both.

A run that lists 1,000 documents a topic finds more than one that lists 100, and a run without a list for a
topic loses it, however good both are. What somebody acts on must not hang on that, unless it was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Objects, Pairs, Values
from irpref.base.literals import Progress
from irpref.base.reading_options import requires_pool
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Columns, PairTable
from irpref.pairwise.pair_tests import of_several_runs, pair_sums
from irpref.pairwise.signature import with_parts
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.totals import sum_topics
from irpref.positions.placements import Placements
from irpref.stats.margins import margin_tests, verdicts
from irpref.stats.method import Method, PairSums
from irpref.stats.tests import known_test

Check = Literal["equal depth", "shared topics"]
Outcome = Literal["holds", "not checked", "weaker", "gone", "reversed"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""What becomes of a difference in a check, from the best to the worst."""

# More different depths take longer than a hurried reader waits.
_MOST = 32


class Selection(NamedTuple):
    """The same files, taken another way, for the pairs that it concerns.

    Attributes:
        check: What it checks.
        placements: The placements taken so.
        rows: (P',) which of the pairs it concerns.
        turned: (P',) whether the second system is the one with shorter lists, or fewer topics.
        depth: Where both are cut; 0 where they are not.
    """

    check: Check
    placements: Placements
    rows: Integers
    turned: Flags
    depth: int = 0


def differ(one: Integers, other: Integers) -> Flags:
    """Whether two depths differ by more than a tenth of the greater one; not from a run without documents.

    Example:
        >>> differ(np.array([971, 899, 100, 0]), np.array(1000)).tolist()
        [False, True, True, False]
    """
    smaller, greater = np.minimum(one, other), np.maximum(one, other)
    return np.asarray((smaller > 0) & (10 * (greater - smaller) > greater))


def smaller_depths(depths: Integers, pairs: Pairs) -> Integers:
    """(P,) where both runs of each pair are cut: at the smaller depth; 0 if their depths do not differ.

    Each depth costs a comparison of some pairs. Where there are more than 32, runs whose depths are within
    a tenth of the smallest of them share that one.

    Args:
        depths: (S,) depths of all runs.
        pairs: (P,) indices of the first and of the second systems.

    Example:
        >>> smaller_depths(np.array([100, 10, 99]), (np.array([0, 0, 1]), np.array([1, 2, 2]))).tolist()
        [10, 0, 10]
    """
    first, second = (depths[side] for side in pairs)
    cuts = np.where(differ(first, second), np.minimum(first, second), 0)
    distinct = np.unique(cuts[cuts > 0])
    if len(distinct) <= _MOST:
        return cuts
    shared = [int(distinct[0])]
    for depth in distinct.tolist():
        if differ(np.array(shared[-1]), np.array(depth)):
            shared.append(depth)
    places = np.searchsorted(shared, cuts, "right") - 1
    return np.where(cuts > 0, np.take(shared, places), 0)


def looks_below(criterion: Criterion) -> bool:
    """Whether a criterion looks at whole lists; not one of the pool, which cut lists would change."""
    named = criterion.named
    return named is not None and named.cutoff is None and not requires_pool([named])


def selections(placements: Placements, criterion: Criterion, pairs: Pairs) -> Iterator[Selection]:
    """How some pairs of systems are checked; nothing for what was chosen, as a depth or a cutoff is.

    Equal depth: the depths of the two, the lengths of their longest lists, differ by more than a tenth;
    both are cut at the smaller one. After ``judged_only`` no depth says how long lists were. Shared topics:
    one of the two has no list for more than a tenth of the topics; the topics that both have are left.

    Args:
        placements: The placements.
        criterion: What is compared by.
        pairs: (P,) indices of the first and of the second systems.
    """
    (first, second), reading = pairs, placements.reading
    if criterion.named is None:
        return
    if looks_below(criterion) and reading.depth is None and not reading.judged_only:
        depths = placements.by_topic.depths
        cuts = smaller_depths(depths, pairs)
        for depth in np.unique(cuts[cuts > 0]).tolist():
            rows = np.flatnonzero(cuts == depth)
            turned = depths[second[rows]] < depths[first[rows]]
            yield Selection("equal depth", placements.at(depth), rows, turned, depth)
    if reading.missing is None:
        lacking = placements.lacking
        most = np.maximum(lacking[first], lacking[second])
        rows = np.flatnonzero(10 * most > len(placements.topics))
        if len(rows):
            turned = lacking[second[rows]] > lacking[first[rows]]
            yield Selection("shared topics", placements.on_shared_topics, rows, turned)


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckTable(Columns):
    """What became of significant differences in their checks, a row a pair and check.

    Columns are a (the better system; of a margin the one that is not worse, or as good) and b, check,
    outcome (:data:`OUTCOMES`), depth (where both are cut, else 0), depth_a and depth_b (of their longest
    lists), lacking_a and lacking_b (topics without a list); and in the check topics, mean, wins, losses and
    p, all from the side of a.

    Attributes:
        pairs: (Q,) indices of the systems of each row.
    """

    pairs: Pairs

    def worst(self, pairs: Pairs) -> Objects:
        """(P,) the worst outcome of each of some pairs, in either order; None where nothing is checked."""
        codes = [OUTCOMES.index(outcome) for outcome in self["outcome"].tolist()]
        size = 1 + max(int(side.max(initial=0)) for side in (*pairs, *self.pairs))
        worst = np.full((size, size), -1)
        for sides in (self.pairs, self.pairs[::-1]):
            np.maximum.at(worst, sides, codes)
        return np.asarray(np.array([*OUTCOMES, None], dtype=object)[worst[pairs]])


def check_pairs(
    placements: Placements,
    criterion: Criterion,
    tests: PairTable,
    test: PairTest,
    *,
    progress: Progress | None = None,
) -> CheckTable:
    """Ask of every pair with a significant difference, or a verdict, whether that holds in its checks.

    A check takes the method and the seed of the tests; of HSD, which tests all systems at once, the
    randomization test. Its p is of the pair alone.

    Args:
        placements: The placements that were compared.
        criterion: What was compared by.
        tests: The tests of the pairs.
        test: How they were made, with a seed that is known.
        progress: See :func:`.compare_pairs`.
    """
    if "verdict" in tests:
        some = np.flatnonzero(tests["verdict"] != "undecided")
        claims = tests["verdict"][some]
        behind = claims == "worse"
    else:
        some = np.flatnonzero(tests["significant"])
        behind = tests["mean"][some] < 0
        claims = np.full(len(some), "better", dtype=object)
    claims = np.where(behind, "better", claims)
    first, second = (side[some] for side in tests.pairs)
    pairs = np.where(behind, second, first), np.where(behind, first, second)
    names, depths = np.array(placements.systems, dtype=object), placements.by_topic.depths
    lacking = placements.lacking
    sides = [(pairs[0][:0], pairs[1][:0])]
    blocks: list[dict[str, Values]] = [
        {name: np.empty(0, dtype) for name, dtype in _COLUMNS.items()}
    ]
    for selection in selections(placements, criterion, pairs):
        one, other = here = pairs[0][selection.rows], pairs[1][selection.rows]
        columns = _answers(selection, criterion, here, test, tests.how, progress)
        word, claim = columns.pop("word"), claims[selection.rows]
        kept = (word == claim) | ((word == "better") & (claim == "not worse"))
        ahead = (columns["mean"] > 0) | (claim != "better")
        columns |= {
            "a": names[one],
            "b": names[other],
            "check": np.full(len(one), selection.check, dtype=object),
            "outcome": np.select(
                [np.isnan(columns["p"]), kept, word == "worse", ahead],
                ["not checked", "holds", "reversed", "weaker"],
                "gone",
            ).astype(object),
            "depth": np.full(len(one), selection.depth),
            "depth_a": depths[one],
            "depth_b": depths[other],
            "lacking_a": lacking[one],
            "lacking_b": lacking[other],
        }
        sides.append(here)
        blocks.append(columns)
    return CheckTable(
        columns={name: np.concatenate([block[name] for block in blocks]) for name in _COLUMNS},
        how=tests.how,
        signature=with_parts(tests.signature, table="checks"),
        pairs=(np.concatenate([one for one, _ in sides]), np.concatenate([of for _, of in sides])),
    )


def with_checks(tests: PairTable, checks: CheckTable) -> PairTable:
    """The tests with a column ``check``: the worst outcome of each pair, None where nothing is checked."""
    return replace(tests, columns={**tests.columns, "check": checks.worst(tests.pairs)})


_COLUMNS: Mapping[str, type] = {
    **dict.fromkeys(("a", "b", "check", "outcome"), object),
    **dict.fromkeys(("depth", "depth_a", "depth_b", "lacking_a", "lacking_b", "topics"), int),
    **{"mean": float, "wins": int, "losses": int, "p": float},
}


def _answers(
    selection: Selection,
    criterion: Criterion,
    pairs: Pairs,
    test: PairTest,
    how: Mapping[str, Any],
    progress: Progress | None,
) -> dict[str, Values]:
    """What a selection says of (P,) pairs: topics, mean, wins, losses, p, and a word for all that."""
    method = known_test(how.get("difference", how["test"]))
    if method.requirements == "systems":
        method = known_test("randomization")
    sums, values = _values(selection, criterion, pairs, method, progress)
    enough = sums.topics >= max(method.least_topics, 2)
    if method.requirements == "topics" or method.name == "sign":
        enough &= np.exp2(1.0 - sums.topics) < test.alpha
    p, word = np.full(len(enough), np.nan), np.full(len(enough), "undecided", dtype=object)
    some = np.flatnonzero(enough)
    if len(some):
        few = PairSums(**{each.name: getattr(sums, each.name)[some] for each in fields(PairSums)})
        if method.requirements == "sums":
            p[some] = method.of_sums(few, alpha=test.alpha).p
        elif method.requirements == "runs":
            checked = pairs[0][some], pairs[1][some]
            p[some] = of_several_runs(selection.placements, criterion, checked, test.alpha).p
        else:
            p[some] = method.of_values(values[:, some], draws=test.draws(progress)).p
        ahead = np.where(p[some] < test.alpha, np.sign(few.mean), 0)
        word[some] = np.select([ahead > 0, ahead < 0], ["better", "worse"], "undecided")
        if test.margin is not None and test.alternative is not None:
            p[some] = margin_tests(test.alternative, test.margin, few, alpha=test.alpha).p
            word[some] = verdicts(test.alternative, p[some] < test.alpha, ahead)
    names = ("topics", "mean", "wins", "losses")
    return {**{name: getattr(sums, name) for name in names}, "p": p, "word": word}


def _values(
    selection: Selection,
    criterion: Criterion,
    pairs: Pairs,
    method: Method,
    progress: Progress | None,
) -> tuple[PairSums, Floats]:
    """The sums of (P,) pairs, and their (T, P) values where the test needs topics."""
    placements, turned = selection.placements, selection.turned
    # Few systems have shorter lists: all of these against all others are the fewest pairs.
    short, long = np.where(turned, pairs[::-1], pairs)
    (first, one), (second, other) = (np.unique(side, return_inverse=True) for side in (short, long))
    at, sides = (one, other), (first.tolist(), second.tolist())
    if method.requirements in ("sums", "runs"):
        [totals] = sum_topics(
            placements, [criterion], first=sides[0], second=sides[1], progress=progress
        )
        sums = pair_sums(totals, at)
        sums = replace(
            sums,
            mean=np.where(turned, 0 - sums.mean, sums.mean),
            wins=np.where(turned, sums.losses, sums.wins),
            losses=np.where(turned, sums.wins, sums.losses),
        )
        return sums, np.empty((0, 0))
    values = topic_values(placements, criterion, *sides, progress=progress)[:, one, other]
    values = np.where(turned, 0 - values, values)
    return PairSums.of(values), values

"""disaggregation: what does each recall level add to a difference? (Diaz & Ferraro 2022, Figure 2)"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Any, NamedTuple

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.checks import check_between
from irpref.base.keywords import several
from irpref.positions.placements import Placements
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies import options
from irpref.studies.base import Context, Experiment, Findings, shares
from irpref.studies.numbers.level_differences import count_below, level_differences
from irpref.studies.numbers.topic_bootstrap import divided

TENTH = 10


_ALL, _RETRIEVED = _WHERE = ("of all recall levels", "of those that one of the two retrieves")
_DIFFER = "positions differ"
_BELOW = "smaller than epsilon"
_SIZE = "mean size at recall level"
_EARLY = "in the first tenth of the recall levels"
_PAIR = "mean difference of the pair at recall level"
_LEVELS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100)


def _check_pair(_: str, given: Any) -> tuple[str, ...]:
    pair = (given,) if isinstance(given, str) else tuple(map(str, given))
    if len(set(pair)) != 2 or len(pair) != 2:
        raise ValueError(f"pair must name two systems, not {given!r}")
    return pair


@dataclass(frozen=True, kw_only=True)
class Disaggregation(Experiment):
    """What each recall level adds to the difference of two rankings.

    Many measures are a sum over the relevant items, so the difference of two scores is a sum over recall
    levels i. What the i-th relevant item adds: RBP p^(position - 1), nDCG 1/log2(position + 1), AP
    i/position, RR 1/position of the first one, ASL how much further up it is than at the bottom of the
    pool. RPP adds the sign of the difference of the positions. All are divided by the largest that any item
    of the collection adds, so that a difference of size 1 is large. An item that is not retrieved adds
    nothing. Relevance is binary (Diaz & Ferraro 2022, section 2 and Figures 2 and 4).

    Every pair of systems, topic and recall level is a sample. How many differ by less than epsilon: of all,
    and of those whose item one of the two rankings retrieves. How large the differences are at each recall
    level. And which share of a topic's differences is in the first tenth of its recall levels.

    Attributes:
        epsilons: The limits of small differences.
        pair: Two systems, whose mean difference at each recall level is to be shown.

    Raises:
        ValueError: A method is no sum over recall levels, an epsilon is not between 0 and 1, or the pair is
            not of two systems of the collection.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.disaggregation(irpref.collect(*demo_paths()), ["RPP", "AP"])
        >>> found = study.frame[study.frame["method"] == "positions"]
        >>> found["estimate"].round(2).to_list()
        [0.64, 0.77]
    """

    question = "What does each recall level add to a difference?"
    default_methods = ("RPP", "AP", "nDCG", "RBP(persistence=0.5)", "RBP", "RR", "ASL")
    layouts = (
        Layout(
            "Share of the recall levels at which the positions of two rankings differ",
            {
                f"{_DIFFER}, {_ALL}": "of all",
                f"{_DIFFER}, {_RETRIEVED}": "of those that one retrieves",
            },
            interval=True,
            rows={"method": "what"},
        ),
        *(
            Layout(
                f"Differences smaller than epsilon, {where}",
                [f"{_BELOW}, {where}"],
                columns="treatment",
            )
            for where in _WHERE
        ),
        Layout(
            "Mean size of the difference at a recall level, on topics that have it",
            [_SIZE],
            columns="method",
            rows={"treatment": "recall level"},
        ),
        Layout(
            "Mean share of a topic's differences in the first tenth of its recall levels",
            {_EARLY: "share"},
            of="topics",
            interval=True,
        ),
        Layout(
            "Mean difference of the pair at a recall level, on topics that have it",
            [_PAIR],
            columns="method",
            rows={"against": "pair", "treatment": "recall level"},
        ),
    )
    picture = Picture(
        "lines",
        x="recall level",
        y="mean size of the difference",
        where={"condition": [_SIZE]},
    )
    notes = (
        "Differences are in units of the largest that one relevant item adds to a score here.",
    )

    epsilons: tuple[float, ...] = options.listed(
        (0.001, 0.01, 0.05, 0.1),
        "limits of small differences",
        check_between,
        like=0.01,
        metavar="E,…",
    )
    pair: tuple[str, str] | None = options.option(
        None,
        "two systems whose mean difference at each recall level is to be shown",
        _check_pair,
        metavar="A,B",
        number=several(str),
    )

    def findings(self, context: Context) -> Findings:
        # Grades below 1 stay what they are: not relevant.
        placements = replace(context.placements, grades=np.minimum(context.placements.grades, 1.0))
        pair = None if self.pair is None else [placements.system(name) for name in self.pair]
        counted, (_, sizes) = placements.counted, placements.recall_levels()
        found = self._sums(context, placements, pair)
        systems = counted.sum(axis=1)
        pairs, has_level = systems * (systems - 1) // 2, sizes[:, None] >= np.array(_LEVELS)
        # (T, 2) of all recall levels, and of those that one of the two retrieves.
        samples = np.stack([pairs * sizes, pairs * sizes - found.missing], axis=1)
        differ, where = found.differ[:, None], [f"{_DIFFER}, {each}" for each in _WHERE]
        yield from shares(context, differ, samples, method="positions", condition=where)
        methods = np.array(context.methods, dtype=object)
        yield from shares(
            context,
            # Where neither retrieves the item, the difference is 0.
            np.stack([found.below, found.below - found.missing[:, None, None]], axis=2),
            samples[:, None, :, None],
            method=methods[:, None, None],
            condition=[[f"{_BELOW}, {each}"] for each in _WHERE],
            treatment=[f"{limit:g}" for limit in self.epsilons],
        )
        early, there = np.nan_to_num(found.early), np.isfinite(found.early)
        yield from shares(context, early, there, method=methods, condition=_EARLY)
        shown = [(_SIZE, "", found.size, pairs)]
        if pair is not None:
            both = counted[:, pair].all(axis=1).astype(np.int64)
            shown.append((_PAIR, " - ".join(self.pair or ()), found.pair, both))
        for condition, against, values, of in shown:
            weights = of[:, None] * has_level
            there = weights.any(axis=0)
            yield from shares(
                context,
                values[..., there],
                weights[:, None, there],
                method=methods[:, None],
                against=against,
                condition=condition,
                treatment=np.array(_LEVELS)[there],
            )

    def _sums(self, context: Context, placements: Placements, pair: list[int] | None) -> _LevelSums:
        """Sum the differences of all pairs, topic by topic.

        Args:
            context: The methods.
            placements: Positions of the relevant items.
            pair: Two systems whose differences are to be shown.
        """
        methods = [level_differences(method, placements) for method in context.methods]
        positions, sizes = placements.recall_levels()
        ends = np.cumsum(sizes)
        by_topic, levels = [], list(enumerate(zip(sizes.tolist(), ends.tolist(), strict=True)))
        for topic, (size, end) in context.watched(levels, "looking at recall levels"):
            rows = slice(end - size, end)
            # missing="skip" leaves out systems that lack the topic.
            systems = np.flatnonzero(placements.counted[topic])
            found = positions[rows][:, systems]
            lacking = (found == placements.unretrieved).sum(axis=1)
            same = count_below(found.astype(np.float64), [0.5])
            sized = [method.sizes(rows, systems, self.epsilons) for method in methods]
            sums, below = map(np.stack, zip(*sized, strict=True))
            between = np.zeros_like(sums)
            if pair is not None and np.isin(pair, systems).all():
                between = np.stack([method.between(rows, *pair) for method in methods])
            first, whole = sums[:, : size // TENTH].sum(axis=1), sums.sum(axis=1)
            of_topic = _LevelSums(
                missing=(lacking * (lacking - 1) // 2).sum(),
                differ=comb(len(systems), 2) * size - same.sum(),
                below=below.sum(axis=1),
                size=_at_levels(sums),
                early=divided(first, whole * (size >= TENTH)),
                pair=_at_levels(between),
            )
            by_topic.append(of_topic)
        return _LevelSums(*map(np.stack, zip(*by_topic, strict=True)))


def _at_levels(values: Floats) -> Floats:
    """(C, L) the values at each level that is shown, of (C, m) values; 0 where there are fewer levels."""
    return np.pad(values, ((0, 0), (0, _LEVELS[-1])))[:, np.array(_LEVELS) - 1]


class _LevelSums(NamedTuple):
    """Sums over the pairs of T topics, for C methods, E limits and L recall levels.

    Attributes:
        missing: (T,) recall levels of pairs whose item neither of the two retrieves.
        differ: (T,) those with different positions.
        below: (T, C, E) how many differences are smaller than each limit.
        size: (T, C, L) sizes of the differences at each level.
        early: (T, C) share of the sizes in the first tenth of the recall levels; NaN if there is none: of
            fewer than 10 levels, or without a difference.
        pair: (T, C, L) the differences of one pair.
    """

    missing: Integers
    differ: Integers
    below: Integers
    size: Floats
    early: Floats
    pair: Floats

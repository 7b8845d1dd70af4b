"""agreement: how often do two methods prefer the same system? (Diaz & Ferraro 2022, Figure 5)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from math import comb
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import Floats, Integers, pair_counts
from irpref.base.tolerance import TOLERANCE, product
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.side_by_side import Outcomes
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.show.reports.study_report import Layout, Picture
from irpref.studies.base import Context, Experiment, Findings, agreements, of_every_two, shares
from irpref.studies.findings import Finding
from irpref.studies.numbers.order_agreement import (
    AGREEMENTS,
    agreement_matrix,
    agreement_of,
    agreement_size,
    moments,
    pearson,
)
from irpref.studies.numbers.pair_topics import pair_topics, system_pairs
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap, divided

TENTHS = 10

# The tenths are those of a sample of so many differences.
_SAMPLE = 1 << 21


_TOPICS, _SYSTEMS = "pair-topics", "pairs of systems"
_CORRELATION = "Pearson's r"
_CONFLICTS = "conflicts by tenth of the differences"
_AGREES = "Agreement of a method (row) with a target (column)"
_CORRELATES = f"{_CORRELATION} of the differences by two methods"
_JUDGED, _LEFT_OUT = "judged pair-topics", "one judge left out"
_CONTRADICTS, _BY_JUDGES = "clearest contradiction", "clearest contradiction, by the judges"
# How many of each method are shown.
_CONTRADICTIONS = 2


@dataclass(frozen=True, kw_only=True)
class Agreement(Experiment):
    """How often any two methods prefer the same system, on a topic and on the mean over topics.

    The agreement of a method with another one, the target, is over the pairs that the target decides.
    Where the method ties, this counts as disagreement ("strict", as in the papers), as half an agreement
    ("half"), or not at all ("decided"). Pearson's r is of the two values; each pair counts in both orders,
    so that no order matters (Diaz & Ferraro 2022, Figure 5; Diaz & Mitra 2023, Figure 9).

    Two methods are in conflict if they prefer different systems. Conflicts are counted by the size of the
    target's difference: in the smallest tenth of all its differences that are not 0, in the next one, and
    so on, as a share of the pair-topics that both decide. The methods are preferences and the targets
    scores; any two, where all are of one kind; side-by-side judgments are held against all others.

    Side-by-side judgments (``{name: frame}``, see :func:`irpref.compare_outcomes`) may be one of the
    methods. Then the agreement of the others with the judges has a table of its own. In another one each
    judge is left out in turn: what this judge says, and each method, is held against the mean of the other
    judges. There the agreement of the judges among themselves is the ceiling. And it is said on which
    topics a method and the judges contradict each other most clearly: the product of their two values is
    lowest. Means over topics are of the topics that each method has, so those of the judges are of the
    judged ones.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> study = irpref.studies.agreement(irpref.collect(*demo_paths()), ["RPP", "AP"])
        >>> found = study.frame.query("condition == 'pair-topics, strict' and method == 'RPP'")
        >>> found["estimate"].round(3).to_list()
        [0.877]
    """

    question = "How often do two methods prefer the same system?"
    takes_judges = True
    default_methods = ("RPP", "LP", "LR", "AP", "nDCG", "nDCG@10", "RR", "RP", "R@1000", "ASL")
    layouts = (
        Layout(
            "Agreement with the judges, on what they decide (intervals over topics, for these judges)",
            {f"{_JUDGED}, {kind}": kind for kind in AGREEMENTS},
            format=".2f",
            interval=True,
            of="pair-topics",
            rows={"method": "method", "against": "judges"},
        ),
        Layout(
            "Each judge left out in turn: agreement with the others, where both decide",
            {f"{_LEFT_OUT}, decided": "decided"},
            format=".2f",
            interval=True,
            of="cases",
            rows={"method": "method", "against": "judges"},
        ),
        Layout(
            "Where methods contradict the judges most clearly: their values for the system that is better "
            "by the method",
            {_CONTRADICTS: "value", _BY_JUDGES: "by the judges"},
            format="+.3f",
            rows={
                "method": "method",
                "against": "judges",
                "treatment": "topic: better, worse by the method",
            },
        ),
        *(
            Layout(caption, [condition], columns="against", format=".2f")
            for condition, caption in (
                (f"{_TOPICS}, strict", f"{_AGREES}, a tie disagrees"),
                (f"{_TOPICS}, half", f"{_AGREES}, a tie counts a half"),
                (f"{_TOPICS}, decided", f"{_AGREES}, where both decide"),
                (f"{_SYSTEMS}, strict", f"{_AGREES}, by mean, a tie disagrees"),
                (f"{_TOPICS}, {_CORRELATION}", f"{_CORRELATES}, over pair-topics"),
                (f"{_SYSTEMS}, {_CORRELATION}", f"{_CORRELATES}, over means of pairs of systems"),
            )
        ),
        Layout(
            "Share of pair-topics in conflict, by tenths of the target's differences",
            [_CONFLICTS],
            columns="treatment",
            format=".2f",
            rows={"method": "method", "against": "target"},
        ),
    )
    picture = Picture(
        "cells",
        x="share of pair-topics on which the row agrees, of those that the column decides",
        where={"condition": [f"{_TOPICS}, strict"]},
        series=("method", "against"),
    )
    notes = (
        "Agreement is over the pair-topics that the target decides, and by mean over such pairs of "
        "systems; conflicts are over the pair-topics that both decide. The first tenth has the smallest "
        "differences.",
    )

    def findings(self, context: Context) -> Findings:
        methods, bootstrap = context.methods, context.bootstrap
        if len(methods) < 2:
            raise ValueError(f"agreement is between methods, and there is one only ({methods[0]})")
        found = method_agreement(context)
        agree = {
            _TOPICS: (bootstrap.of_sums(agreement_of, found.topics), found.topics.sum(axis=0)),
            _SYSTEMS: (bootstrap.of_found(agreement_of(found.systems)), found.systems[0]),
        }
        for way, kind in enumerate(AGREEMENTS):
            for where, (share, counts) in agree.items():
                condition, n = f"{where}, {kind}", agreement_size(counts)[..., way]
                yield from of_every_two(context, share.at(..., way), condition=condition, n=n)
        of_topics, of_systems = found.topic_moments, found.system_moments
        for where, correlation, sums in (
            (_TOPICS, bootstrap.of_sums(pearson, of_topics), of_topics.sum(axis=0)),
            (_SYSTEMS, bootstrap.of_found(pearson(of_systems)), of_systems[0]),
        ):
            condition, n = f"{where}, {_CORRELATION}", sums[..., 3]
            yield from of_every_two(context, correlation, once=True, condition=condition, n=n)
        for (method, target), counts in zip(_conflicts_of(methods), found.conflicts, strict=True):
            yield from shares(
                context,
                *np.moveaxis(counts, -1, 0),
                method=methods[method],
                against=methods[target],
                condition=_CONFLICTS,
                treatment=range(1, TENTHS + 1),
            )
        for judges in methods:
            if isinstance(judges, Outcomes):
                yield from _judged(context, judges, found.topics[:, :, methods.index(judges)])


def _judged(context: Context, judges: Outcomes, counts: Integers) -> Findings:
    """How far the methods agree with the judges and with all but one, and where they contradict them.

    Args:
        context: The collection and the C methods.
        judges: The judgments, which are one of the methods.
        counts: (T, C, 3) by topic, pairs on which a method agrees with the judges, ties, and disagrees.
    """
    placements = context.placements
    methods = [each for each in context.methods if each is not judges]
    for method in methods:
        of = counts[:, context.methods.index(method)]
        yield from agreements(context, of, where=_JUDGED, method=method, against=judges)
    left_out = np.zeros((len(methods), len(placements.topics), 3), dtype=np.int64)
    contradictions: list[list[tuple[float, float, float, str]]] = [[] for _ in methods]
    for part in pair_topics(placements, [*methods, judges]):
        *values, judged = part.values
        batch = TopicBatch(placements, topics=part.topics)
        others = [of[:, part.first, part.second] for of in judges.one_left_out(batch)]
        for number, value in enumerate(values):
            left_out[number, part.topics] = _sums_of_one(value, *others)
            both = np.nan_to_num(value * judged)
            for place in both.argsort(axis=None, kind="stable")[:_CONTRADICTIONS]:
                topic, pair = np.unravel_index(place, both.shape)
                names = [placements.systems[each[pair]] for each in (part.first, part.second)]
                better, worse = names if value[topic, pair] > 0 else reversed(names)
                where = f"{placements.topics[part.topics[topic]]}: {better}, {worse}"
                sizes = np.abs([value[topic, pair], judged[topic, pair]])
                contradictions[number].append((both[topic, pair], *sizes.tolist(), where))
    among = judges.among_judges(placements)
    names = [*map(str, methods), "the judge left out"]
    for name, of in zip(names, [*left_out, among], strict=True):
        if among.any():
            yield from agreements(context, of, where=_LEFT_OUT, method=name, against=judges)
    for method, places in zip(methods, contradictions, strict=True):
        for both, own, said, where in sorted(places, key=itemgetter(0))[:_CONTRADICTIONS]:
            for condition, value in ((_CONTRADICTS, own), (_BY_JUDGES, -said)):
                if both < 0:
                    yield Finding(str(method), str(judges), condition, where, value, n=1)


def _sums_of_one(value: Floats, first: Integers, second: Integers) -> Integers:
    """(T, 3) sums over pairs: how often a method agrees with targets, ties, and disagrees.

    Args:
        value: (T, P) value of the method; NaN if it has none.
        first: (T, P) how many targets prefer the first system.
        second: (T, P) how many prefer the second one.
    """
    agree, disagree = (
        np.where(value > 0, one, np.where(value < 0, other, 0))
        for one, other in ((first, second), (second, first))
    )
    tie = np.where(value == 0, first + second, 0)
    return np.stack([agree, tie, disagree], axis=-1).sum(axis=1)


def _conflicts_of(methods: Sequence[Criterion]) -> list[tuple[int, int]]:
    """The indices of preferences, each with those of scores; of any two methods if all are of one kind.

    Side-by-side judgments come before preferences.
    """
    kinds = [method.of_scores + (not method.pair_by_pair) for method in methods]
    one_kind = len(set(kinds)) == 1
    return [
        (method, target)
        for method, target in permutations(range(len(methods)), 2)
        if one_kind or kinds[method] < kinds[target]
    ]


class MethodAgreement(NamedTuple):
    """Counts and sums over pairs of systems, for T topics, C methods and B draws of the topics.

    Attributes:
        topics: (T, C, C, 3) by topic, pairs on which a method agrees with a target (the second method),
            ties, and disagrees.
        systems: (1 + B, C, C, 3) the same of the means over all topics, and over those of each draw.
        topic_moments: (T, C, C, 4) by topic, the :func:`moments` of the values.
        system_moments: (1 + B, C, C, 4) the same of the means.
        conflicts: (K, T, 10, 2) of each two methods that are held against each other, by topic and by
            tenths of the target's differences, the smallest first: pairs on which the two prefer different
            systems, and pairs that both decide.
    """

    topics: Integers
    systems: Integers
    topic_moments: Floats
    system_moments: Floats
    conflicts: Integers


def method_agreement(context: Context) -> MethodAgreement:
    """Count what the methods say of every pair of systems, on every topic and on the mean."""
    placements, criteria = context.placements, context.methods
    wanted = _conflicts_of(criteria)
    targets = {target for _, target in wanted}
    ends = {target: _tenths(placements, criteria[target]) for target in targets}

    def counted(values: Floats) -> MethodAgreement:
        by_topic = values.swapaxes(0, 1)
        drawn = _means(by_topic, context.bootstrap)
        means = [(agreement_matrix(each), moments(each)) for each in drawn]
        systems, system_moments = map(np.concatenate, zip(*means, strict=True))
        conflicts = [_conflicts(values[one], values[two], ends[two]) for one, two in wanted]
        return MethodAgreement(
            topics=agreement_matrix(by_topic),
            systems=systems,
            topic_moments=moments(by_topic),
            system_moments=system_moments,
            conflicts=np.stack(conflicts),
        )

    parts = system_pairs(placements, criteria, progress=context.progress)
    counts = (counted(part.values) for part in parts)
    return reduce(lambda one, other: MethodAgreement(*map(np.add, one, other)), counts)


def _means(values: Floats, bootstrap: TopicBootstrap) -> Iterator[Floats]:
    """(B, C, P) means of (T, C, P) values, over all topics and then over drawn ones."""
    known = np.isfinite(values)
    flat = np.where(known, values, 0.0).reshape(len(values), -1)
    compared = known.reshape(flat.shape).astype(np.float64)
    # What is left of a sum that is 0 in exact arithmetic is tiny beside what was summed.
    noise = TOLERANCE * np.abs(flat).sum(axis=0)
    everywhere = bool(known.all())
    for drawn in bootstrap.with_all_topics(flat.shape[1]):
        sums = product(drawn, flat)
        sums[np.abs(sums) <= noise] = 0
        over = drawn.sum(axis=1, keepdims=True) if everywhere else product(drawn, compared)
        yield divided(sums, over).reshape(-1, *values.shape[1:])


def _tenths(placements: Placements, criterion: Criterion) -> Floats:
    """(9,) where each tenth of the differences that are not 0 ends, and the next one begins."""
    topics, pairs = len(placements.topics), comb(len(placements.systems), 2)
    # If there are too many topics, some from all over the collection.
    number = min(topics, max(1, _SAMPLE // pairs))
    some = np.unique(np.linspace(0, topics - 1, number, dtype=np.int64))
    parts = pair_topics(placements, [criterion], topics=some)
    sizes = np.abs(np.concatenate([part.values.ravel() for part in parts]))
    sizes = sizes[sizes > 0]
    if not len(sizes):
        return np.zeros(TENTHS - 1)
    ends = np.quantile(sizes, np.arange(1, TENTHS) / TENTHS, method="inverted_cdf")
    # Equal differences stay in one tenth, whatever their last digits.
    return np.asarray(ends * (1 + TOLERANCE))


def _conflicts(method: Floats, target: Floats, ends: Floats) -> Integers:
    """(T, 10, 2) from (T, P) values: pairs in conflict, and pairs that both decide, by tenth."""
    sign = np.nan_to_num(np.sign(method)) * np.nan_to_num(np.sign(target))
    topic, pair = np.nonzero(sign)
    tenth = np.searchsorted(ends, np.abs(target[topic, pair]))
    against, shape = sign[topic, pair] < 0, (len(target), TENTHS)
    opposed = pair_counts(topic[against], tenth[against], shape)
    return np.stack([opposed, pair_counts(topic, tenth, shape)], axis=-1)

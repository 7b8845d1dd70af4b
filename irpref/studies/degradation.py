"""What studies of degradation share: methods on a part of the data, held against all of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irpref.api.collection import Collection
from irpref.base.arrays import Floats, Values
from irpref.base.tolerance import product
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.placements import Placements
from irpref.studies.base import Context, Findings, rows
from irpref.studies.numbers.order_agreement import (
    AGREEMENTS,
    agreement_of,
    agreement_size,
    agreement_sums,
    tau_ap,
    tau_b,
)
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.system_values import (
    SystemOrdering,
    means_of_pairs,
    summed_terms,
    values_by_majority,
    values_by_mean,
)
from irpref.studies.numbers.topic_bootstrap import Estimate, divided

TIED = "tied pair-topics"
AGREE, SYSTEMS_AGREE = "pair-topics agree", "systems agree"
TAU_B, TAU_AP = "tau_b of the system orders", "tau_AP of the system orders"
ITSELF, RECIPROCAL_RANK = "itself", "RR"
TARGETS = (ITSELF, RECIPROCAL_RANK)
_EVERY_TARGET = [target for target in TARGETS for _ in AGREEMENTS]
# What is counted of a method, as three counts of agreement each: whether it ties, and what it says of every
# target.
_COUNTS = 1 + len(TARGETS)
# Numbers of systems take long: one of so many draws is enough.
_ONE_OF = 10


class Treatment(NamedTuple):
    """A way to take a part of the data, once or several times at random.

    Attributes:
        circumstance: How it was taken, in a word; empty if that needs none.
        treatment: How much of it.
        samples: Each makes a part of a collection, with the same topics; as many for every treatment.
    """

    circumstance: str
    treatment: str
    samples: Sequence[Callable[[Collection], Collection]] = ()


def refuse_scores(study: str, methods: Iterable[Criterion], follows: str) -> None:
    """Raise a ValueError if a method is scores of another tool, which cannot follow a part of the data."""
    for method in methods:
        if method.named is None:
            raise ValueError(
                f"{study}: the scores {method} were computed from all {follows}, and cannot be computed "
                "again from a part: leave them out, or give a preference, a measure or a function"
            )


def system_draws(context: Context) -> Floats:
    """(1 + B, T) all topics once, and then how often each is drawn, for numbers of systems."""
    few = replace(context.bootstrap, n_resamples=-(-context.n_resamples // _ONE_OF))
    return np.concatenate(list(few.with_all_topics()))


def degraded(
    context: Context,
    treatments: Sequence[Treatment],
    *,
    order: SystemOrdering,
    doing: str,
) -> Findings:
    """Do every treatment, and hold every method on the part against the full data.

    Three kinds of findings: the share of pair-topics that tie; how often the sign on a pair-topic, and that
    of the mean of a pair, agrees with the sign by the full data (of the method itself, and of RR); and
    Kendall's τ_b and τ_AP of the orders of the systems. A method that finds nothing relevant in the part of
    a topic ties there. For claims, topics are drawn again, and the samples with them.

    Args:
        context: The collection and the methods.
        treatments: What to do.
        order: How the systems are ordered.
        doing: What is being done, for the progress.
    """
    methods, placements = context.methods, context.placements
    target = as_criterion(RECIPROCAL_RANK)
    criteria = methods if target in methods else (*methods, target)
    reciprocal = criteria.index(target)
    topics, samples = len(placements.topics), len(treatments[0].samples)
    drawn = system_draws(context)
    weights = _drawn_samples(context, samples, len(drawn))
    full = pair_terms(placements, criteria, order)
    wholes = [full.standing(criterion, drawn) for criterion in range(len(criteria))]
    counts = np.zeros((samples, topics, len(methods), _COUNTS, 3))
    for number, treatment in enumerate(treatments):
        systems = list[list[Floats]]()
        for sample, take in enumerate(treatment.samples):
            taken = take(context.collection).placements
            found = pair_terms(taken, methods, order)
            # There are many parts.
            taken.clear_cache()
            counts[sample] = _counts(found, full, reciprocal)
            parts = [found.standing(method, drawn) for method in range(len(methods))]
            held = zip(parts, wholes, strict=False)
            systems.append([system_agreement(*each, wholes[reciprocal]) for each in held])
            context.tell(doing, number * samples + sample + 1, len(treatments) * samples)
        yield from _pair_topic_findings(context, treatment, counts)
        agreed = np.stack(systems).swapaxes(1, 2)
        yield from system_findings(methods, agreed, weights, len(placements.systems), treatment)


def _drawn_samples(context: Context, samples: int, draws: int) -> Floats:
    """(1 + B, N) the weight of each sample: all alike, and then as they are drawn again."""
    generator = np.random.default_rng([context.seed, samples])
    drawn = generator.multinomial(samples, np.full(samples, 1 / samples), size=draws) / samples
    drawn[0] = 1 / samples
    return np.asarray(drawn)


def _counts(found: PairTerms, full: PairTerms, reciprocal: int) -> Floats:
    """(T, C, 3, 3) counts of each topic and method."""
    methods = len(found.signs)
    # What ties on the part counts as agreeing with "it counts on the full data": so ties are counted as
    # agreement is, and only the strict count of the first three says something.
    ties = np.where(found.signs == 0, np.int8(1), np.int8(-1))
    counted = full.terms[:methods, 1].astype(np.int8)
    counts = [
        agreement_sums(ties, counted),
        agreement_sums(found.signs, full.signs[:methods]),
        agreement_sums(found.signs, full.signs[reciprocal]),
    ]
    return np.stack(counts, axis=-2).swapaxes(0, 1).astype(np.float64)


def _in_a_row(found: Floats) -> Floats:
    """(…, 7) the number for ties, and those in three ways for each target, from (…, 3, 3)."""
    return np.delete(found.reshape(*found.shape[:-2], -1), (1, 2), axis=-1)


def _shares(counts: Floats) -> Floats:
    return _in_a_row(agreement_of(counts))


def _pair_topic_findings(context: Context, treatment: Treatment, counts: Floats) -> Findings:
    """What (N, T, C, 3, 3) counts of the samples say."""
    samples, topics, *shape = counts.shape
    flat = counts.reshape(samples, topics, -1)
    weights = _drawn_samples(context, samples, 1 + context.n_resamples)
    drawn = np.concatenate(list(context.bootstrap.with_all_topics(flat.shape[2])))
    sums = sum(weights[:, [each]] * product(drawn, flat[each]) for each in range(samples))
    again = _shares(np.reshape(sums, (len(drawn), *shape)))
    return rows(
        context.bootstrap.of_sums(_shares, counts.sum(axis=0))._replace(drawn=again),
        method=np.array(context.methods, dtype=object)[:, None],
        against=["", *_EVERY_TARGET],
        condition=_under([TIED, *_every_way(AGREE)], treatment),
        treatment=treatment.treatment,
        n=np.rint(_in_a_row(agreement_size(counts.sum(axis=(0, 1)) / samples))),
        spread=_over_samples(_shares(counts.sum(axis=1)))[1],
    )


class Standing(NamedTuple):
    """How S systems stand by a method, in each of B draws of the topics.

    Attributes:
        signs: (B, P) the sign of each pair's mean; NaN without topics.
        values: (B, S) by which the systems are ordered.
    """

    signs: npt.NDArray[np.float32]
    values: Floats


def system_agreement(part: Standing, whole: Standing, reciprocal: Standing) -> Floats:
    """How the systems by a part of the data agree with those by all of it, and with those by RR of all.

    Returns:
        (B, 10) the shares of the pairs whose means agree, for each target in every way; τ_b of the orders;
        τ_AP, of all topics only; and of how many pairs the shares are, for each target.
    """
    counts = np.stack([agreement_sums(part.signs, by.signs) for by in (whole, reciprocal)], axis=1)
    heads = np.full(len(counts), np.nan)
    heads[0] = tau_ap(part.values[0], whole.values[0])
    agreed, taus = agreement_of(counts).reshape(len(counts), -1), tau_b(part.values, whole.values)
    return np.column_stack([agreed, taus, heads, counts.sum(axis=-1)])


def system_findings(
    methods: Sequence[Criterion],
    agreed: Floats,
    weights: Floats,
    systems: int,
    treatment: Treatment,
) -> Findings:
    """How well the systems by a part of the data agree with those by all of it.

    Args:
        methods: C methods.
        agreed: (N, 1 + B, C, 10) what the samples say (:func:`system_agreement`), first of all topics and
            then of each draw.
        weights: (1 + B, N) the weight of each sample in each draw.
        systems: How many systems there are.
        treatment: What was done.
    """
    found, pairs = np.split(agreed, [-len(TARGETS)], axis=-1)
    mean, spread = _over_samples(found[:, 0])
    pairs = pairs[:, 0].mean(axis=0).repeat(len(AGREEMENTS), axis=1)
    # As in the mean, samples without a number do not count.
    known = np.isfinite(found)
    drawn = np.einsum("bs,sb...->b...", weights, np.where(known, found, 0.0))
    drawn = divided(drawn, np.einsum("bs,sb...->b...", weights, known.astype(np.float64)))
    # No claim is about τ_AP, which is not drawn.
    drawn[..., -1] = np.nan
    return rows(
        Estimate.without_interval(drawn)._replace(value=mean),
        method=np.array(methods, dtype=object)[:, None],
        against=[*_EVERY_TARGET, ITSELF, ITSELF],
        condition=_under([*_every_way(SYSTEMS_AGREE), TAU_B, TAU_AP], treatment),
        treatment=treatment.treatment,
        n=np.rint(np.pad(pairs, ((0, 0), (0, 2)), constant_values=systems)),
        spread=spread,
    )


def _over_samples(found: Values) -> tuple[Floats, Floats]:
    """The mean and the standard deviation over the first axis, of the samples that have a number.

    Example:
        >>> mean, spread = _over_samples(np.array([[1.0], [3.0], [np.nan]]))
        >>> mean.item(), round(spread.item(), 3)
        (2.0, 1.414)
    """
    known = np.ma.masked_invalid(found)
    mean, spread = known.mean(axis=0), known.std(axis=0, ddof=1)
    return mean.filled(np.nan), spread.filled(np.nan)


def _every_way(condition: str) -> list[str]:
    """The condition for each target and way to count ties."""
    return [f"{condition}, {kind}" for _ in TARGETS for kind in AGREEMENTS]


def _under(conditions: Sequence[str], treatment: Treatment) -> list[str]:
    return [", ".join(filter(None, (each, treatment.circumstance))) for each in conditions]


@dataclass(frozen=True, eq=False)
class PairTerms:
    """What C criteria say of P pairs of S systems on T topics, each pair once.

    Attributes:
        terms: (C, 4, T, P) terms of :func:`summed_terms`; the last two are not there for ``"mean"``.
        systems: S.
    """

    terms: Floats
    systems: int

    @cached_property
    def signs(self) -> npt.NDArray[np.int8]:
        """(C, T, P) +1 if the first system is preferred, -1 if the second one is, else 0."""
        return np.sign(self.terms[:, 0]).astype(np.int8)

    def standing(self, criterion: int, drawn: Floats) -> Standing:
        """How the systems stand by a criterion, from (B, T) draws of the topics."""
        total, topics, *sides = self.terms[criterion]
        # Where all pairs have the same topics, one number says how many.
        topics = topics[:, :1] if (topics == topics[:, :1]).all() else topics
        means = means_of_pairs(product(drawn, total), product(drawn, topics))
        if sides:
            ahead, behind = (product(drawn, side) for side in sides)
            values = values_by_majority(ahead, behind, self.systems)
        else:
            values = values_by_mean(means, self.systems)
        return Standing(np.sign(means).astype(np.float32), values)


def pair_terms(
    placements: Placements, criteria: Sequence[Criterion], order: SystemOrdering = "mean"
) -> PairTerms:
    """What all criteria say of all pairs of systems, topic by topic.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        order: How the terms will order the systems.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from irpref.methods.names import as_criteria
        >>> found = pair_terms(irpref.collect(*demo_paths()).placements, as_criteria(["LP", "RR"]))
        >>> found.signs.shape, int((found.signs == 0)[1].sum())
        ((2, 12, 15), 78)
    """
    systems, some = len(placements.systems), 2 if order == "mean" else 4
    terms = np.zeros((len(criteria), some, len(placements.topics), comb(systems, 2)))
    for part in pair_topics(placements, criteria):
        for place, term in enumerate(summed_terms(part.values, systems, order)[:some]):
            terms[:, place, part.topics] = term
    return PairTerms(terms, systems)

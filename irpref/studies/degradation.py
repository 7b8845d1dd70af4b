"""What studies of degradation share: methods on a part of the data, held against all of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irpref.api.collection import Collection
from irpref.base.arrays import Flags, Floats, Integers, Values, batches
from irpref.methods.names import as_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.placements import Placements
from irpref.show.reports.study_report import Layout
from irpref.studies.base import Context, rows
from irpref.studies.findings import Finding
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
    system_values,
)

TIED = "tied pair-topics"
AGREE, SYSTEMS_AGREE = "pair-topics agree", "systems agree"
TAU_B, TAU_AP = "tau_b of the system orders", "tau_AP of the system orders"
ITSELF, RECIPROCAL_RANK = "itself", "RR"
TARGETS = (ITSELF, RECIPROCAL_RANK)
_EVERY_TARGET = [target for target in TARGETS for _ in AGREEMENTS]

# The most signs of all data that are held at a time; bounds memory.
_SIGNS = 1 << 27
# What is counted of a method, as three counts of agreement each: whether it ties, and what it says of every
# target.
_COUNTS = 1 + len(TARGETS)


class Treatment(NamedTuple):
    """A way to take a part of the data, once or several times at random.

    Attributes:
        circumstance: How it was taken, in a word; empty if that needs none.
        treatment: How much of it.
        samples: Each makes a part of a collection, with the same topics; as many for every treatment.
    """

    circumstance: str
    treatment: str
    samples: Sequence[Callable[[Collection], Collection]]


def by_treatment(caption: str, condition: str, against: str = "", show: str = "estimate") -> Layout:
    """A table with a row for each method and a column for each treatment."""
    return Layout(
        caption,
        columns="treatment",
        where={"condition": [condition], "against": [against]},
        show=show,
    )


def refuse_scores(study: str, methods: Iterable[Criterion], follows: str) -> None:
    """Raise a ValueError if a method is scores of another tool, which cannot follow a part of the data."""
    for method in methods:
        if method.named is None:
            raise ValueError(
                f"{study}: the scores {method} were computed from all {follows}, and cannot be computed "
                "again from a part: leave them out, or give a preference, a measure or a function"
            )


def degraded(
    context: Context,
    treatments: Sequence[Treatment],
    *,
    order: SystemOrdering,
    doing: str,
) -> Iterator[Finding]:
    """Do every treatment, and hold every method on the part against the full data.

    Three kinds of findings: the share of pair-topics that tie; how often the sign on a pair-topic, and that
    of the mean of a pair, agrees with the sign by the full data (of the method itself, and of RR); and
    Kendall's τ_b and τ_AP of the orders of the systems. A method that finds nothing relevant in the part of
    a topic ties there.

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
    parts = list(np.ndindex(len(treatments), len(treatments[0].samples)))
    topics, systems = len(placements.topics), len(placements.systems)
    pairs = comb(systems, 2)
    counts = np.zeros((len(treatments), topics, len(methods), _COUNTS, 3))
    of_part = np.zeros((len(treatments), len(treatments[0].samples), len(methods), _COUNTS, 3))
    full_sums = np.zeros((4, len(criteria), pairs))
    part_sums = np.zeros((4, *of_part.shape[:3], pairs))
    done = 0
    # The signs of a batch of topics fit into memory.
    for batch in batches(topics, len(criteria) * pairs, _SIGNS):
        named, whole = placements.topics[batch], context.collection
        if len(named) < topics:
            whole = whole.select(topics=named)
        full = pair_signs(whole.placements, criteria, order)
        full_sums += full.sums
        for part in parts:
            number, sample = part
            taken = treatments[number].samples[sample](whole).placements
            found = pair_signs(taken, methods, order)
            # There are many parts.
            taken.clear_cache()
            here = _counts(found, full, reciprocal)
            counts[number, batch] += here
            of_part[part] += here.sum(axis=0)
            part_sums[:, number, sample] += found.sums
            done += len(named)
            context.tell(doing, done, topics * len(parts))
    for number, treatment in enumerate(treatments):
        yield from _pair_topic_findings(context, treatment, counts[number], of_part[number])
        sums, whole_sums = part_sums[:, number], full_sums[:, : len(methods)]
        of_target = full_sums[:, reciprocal]
        yield from system_findings(methods, sums, whole_sums, of_target, systems, treatment, order)


def _counts(found: PairSigns, full: PairSigns, reciprocal: int) -> Integers:
    """(T, C, 3, 3) counts of each topic and method."""
    methods = len(found.signs)
    # What ties on the part counts as agreeing with "it counts on the full data": so ties are counted as
    # agreement is, and only the strict count of the first three says something.
    ties = np.where(found.signs == 0, np.int8(1), np.int8(-1))
    counts = [
        agreement_sums(ties, full.counted[:methods].astype(np.int8)),
        agreement_sums(found.signs, full.signs[:methods]),
        agreement_sums(found.signs, full.signs[reciprocal]),
    ]
    return np.stack(counts, axis=-2).swapaxes(0, 1)


def _in_a_row(found: Floats) -> Floats:
    """(…, 7) the number for ties, and those in three ways for each target, from (…, 3, 3)."""
    ties, targets = found[..., 0, :1], found[..., 1:, :]
    return np.concatenate([ties, targets.reshape(*found.shape[:-2], -1)], axis=-1)


def _shares(counts: Floats) -> Floats:
    return _in_a_row(agreement_of(counts))


def _pair_topic_findings(
    context: Context, treatment: Treatment, counts: Floats, of_part: Floats
) -> Iterator[Finding]:
    return rows(
        context.bootstrap.of_sums(_shares, counts),
        method=np.array(context.methods, dtype=object)[:, None],
        against=["", *_EVERY_TARGET],
        condition=_under([TIED, *_every_way(AGREE)], treatment),
        treatment=treatment.treatment,
        n=np.rint(_in_a_row(agreement_size(counts.sum(axis=0) / len(of_part)))),
        spread=_over_samples(_shares(of_part))[1],
    )


def system_findings(
    methods: Sequence[Criterion],
    sums: Floats,
    full: Floats,
    reciprocal: Floats,
    systems: int,
    treatment: Treatment,
    order: SystemOrdering,
) -> Iterator[Finding]:
    """How well the systems by a part of the data agree with those by all of it.

    Args:
        methods: C methods.
        sums: (4, N, C, P) sums for each pair in N samples; see
            :func:`irpref.studies.numbers.system_values.summed_terms`.
        full: (4, C, P) the same for the full data.
        reciprocal: (4, P) the same of RR.
        systems: How many systems there are.
        treatment: What was done.
        order: How the systems are ordered.
    """
    values, target = (system_values(each, systems, order) for each in (sums, full))
    means, own, other = (means_of_pairs(*each[:2]) for each in (sums, full, reciprocal))
    taus = tau_b(values, target)
    head = np.array([[tau_ap(*each) for each in zip(one, target, strict=True)] for one in values])
    # (N, C, targets, 3)
    agreed = np.stack([agreement_sums(means, own), agreement_sums(means, other)], axis=2)
    found = np.dstack([agreement_of(agreed).reshape(*taus.shape, -1), taus, head])
    pairs = agreed.sum(axis=3).mean(axis=0).repeat(len(AGREEMENTS), axis=1)
    mean, spread = _over_samples(found)
    return rows(
        mean,
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
class PairSigns:
    """The signs of C criteria on T topics, for P pairs of systems, each pair once.

    Attributes:
        signs: (C, T, P) +1 if the first system is preferred, -1 if the second one is, 0 if they tie or the
            topic does not count.
        counted: (C, T, P) whether the topic counts.
        sums: (4, C, P) sums of :func:`summed_terms`.
    """

    signs: npt.NDArray[np.int8]
    counted: Flags
    sums: Floats


def pair_signs(
    placements: Placements, criteria: Sequence[Criterion], ordering: SystemOrdering = "mean"
) -> PairSigns:
    """The signs of all criteria on all pair-topics, which take a byte each.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        ordering: How the sums will order the systems.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from irpref.methods.names import as_criteria
        >>> found = pair_signs(irpref.collect(*demo_paths()).placements, as_criteria(["LP", "RR"]))
        >>> found.signs.shape, int((found.signs == 0)[1].sum())
        ((2, 12, 15), 78)
    """
    systems = len(placements.systems)
    shape = (len(criteria), len(placements.topics), comb(systems, 2))
    signs, counted = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.bool_)
    sums = np.zeros((4, *shape[::2]))
    for part in pair_topics(placements, criteria):
        terms = summed_terms(part.values, systems, ordering)
        values, known, *_ = terms
        counted[:, part.topics] = known
        signs[:, part.topics] = np.sign(values)
        sums += np.stack([term.sum(axis=1, dtype=np.float64) for term in terms])
    return PairSigns(signs, counted, sums)

"""What studies of degradation share: methods on a part of the data, held against all of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irpref.api.collection import Collection
from irpref.base.arrays import Flags, Floats, Values
from irpref.base.memory import batches
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
)
from irpref.studies.numbers.pair_topics import pair_topics
from irpref.studies.numbers.rank_correlation import tau_ap, tau_b
from irpref.studies.numbers.system_values import (
    SystemOrdering,
    means_of_pairs,
    summed_terms,
    system_values,
)
from irpref.studies.numbers.topic_bootstrap import ratio

TIED = "tied pair-topics"
AGREE, SYSTEMS_AGREE = "pair-topics agree", "systems agree"
TAU_B, TAU_AP = "tau_b of the system orders", "tau_AP of the system orders"
ITSELF, RECIPROCAL_RANK = "itself", "RR"
TARGETS = (ITSELF, RECIPROCAL_RANK)
_EVERY_TARGET = [target for target in TARGETS for _ in AGREEMENTS]

# The most signs of all data that are held at a time; bounds memory.
_SIGNS = 1 << 27
# What is counted of a method: ties and pair-topics, then three counts of agreement for each target.
_COUNTS = 2 + 3 * len(TARGETS)


class Treatment(NamedTuple):
    """A way to take a part of the data, once or several times at random.

    Attributes:
        circumstance: How it was taken, in a word; empty if that needs none.
        treatment: How much of it.
        samples: Each makes a part of a collection, with the same topics.
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


def target_criteria(methods: Sequence[Criterion]) -> tuple[tuple[Criterion, ...], int]:
    """The methods with RR, whose sign on the full data is a target, and its index."""
    target = as_criterion(RECIPROCAL_RANK)
    criteria = tuple(methods) if target in methods else (*methods, target)
    return criteria, criteria.index(target)


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
    methods = context.methods
    criteria, reciprocal = target_criteria(methods)
    parts = [(number, part) for number, each in enumerate(treatments) for part in each.samples]
    topics = len(context.placements.topics)
    counts = np.zeros((len(treatments), topics, len(methods), _COUNTS))
    of_part = np.zeros((len(parts), len(methods), _COUNTS))
    systems = len(context.placements.systems)
    pairs = systems * (systems - 1) // 2
    full_sums = np.zeros((4, len(criteria), pairs))
    part_sums = np.zeros((4, len(parts), len(methods), pairs))
    done = 0
    # The signs of a batch of topics fit into memory.
    for batch in batches(topics, len(criteria) * pairs, _SIGNS):
        group = np.arange(topics)[batch]
        whole = context.collection
        if len(group) < topics:
            whole = whole.select(topics=[context.placements.topics[topic] for topic in group])
        full = pair_signs(whole.placements, criteria, order)
        full_sums += full.sums
        for place, (number, part) in enumerate(parts):
            placements = part(whole).placements
            found = pair_signs(placements, methods, order)
            # There are many parts.
            placements.clear_cache()
            here = _counts(found, full, reciprocal)
            counts[number, group] += here
            of_part[place] += here.sum(axis=0)
            part_sums[:, place] += found.sums
            done += len(group)
            context.tell(doing, done, topics * len(parts))
    of_treatment = np.array([number for number, _ in parts])
    for number, treatment in enumerate(treatments):
        chosen = np.flatnonzero(of_treatment == number)
        yield from _pair_topic_findings(context, treatment, counts[number], of_part[chosen])
        yield from system_findings(
            methods, part_sums[:, chosen], full_sums, reciprocal, systems, treatment, order
        )


def _counts(found: PairSigns, full: PairSigns, reciprocal: int) -> Floats:
    """(T, C, 8) counts of each topic and method."""
    methods = len(found.signs)
    # What ties on the part are pair-topics that count on the full data.
    counted = full.counted[:methods]
    tied = np.count_nonzero(counted & (found.signs == 0), axis=2)
    own = agreement_sums(found.signs, full.signs[:methods])
    other = agreement_sums(found.signs, full.signs[reciprocal])
    both = np.stack([tied, np.count_nonzero(counted, axis=2)], axis=-1)
    return np.concatenate([both, own, other], axis=-1).swapaxes(0, 1).astype(np.float64)


def _by_target(counts: Floats) -> Floats:
    """(…, targets, 3) counts of agreement, of (…, 8) counts."""
    return counts[..., 2:].reshape(*counts.shape[:-1], len(TARGETS), 3)


def _in_a_row(first: Values, by_target: Values) -> Values:
    """(…, 7) a number, and those in three ways for each target, from (…,) and (…, targets, 3)."""
    return np.concatenate([first[..., None], by_target.reshape(*first.shape, -1)], axis=-1)


def _shares(counts: Floats) -> Values:
    """(…, 7) the share that ties, and agreement in three ways with each target, from (…, 8) counts."""
    return _in_a_row(ratio(counts[..., :2]), agreement_of(_by_target(counts)))


def _pair_topic_findings(
    context: Context, treatment: Treatment, counts: Floats, of_part: Floats
) -> Iterator[Finding]:
    sizes = counts.sum(axis=0) / len(of_part)
    of_each = _in_a_row(sizes[..., 1], agreement_size(_by_target(sizes)))
    return rows(
        context.bootstrap.of_sums(_shares, counts),
        method=np.array(context.methods, dtype=object)[:, None],
        against=["", *_EVERY_TARGET],
        condition=_under([TIED, *_every_way(AGREE)], treatment),
        treatment=treatment.treatment,
        n=np.rint(of_each),
        spread=_over_samples(_shares(of_part))[1],
    )


def system_findings(
    methods: Sequence[Criterion],
    sums: Floats,
    full: Floats,
    reciprocal: int,
    systems: int,
    treatment: Treatment,
    order: SystemOrdering,
) -> Iterator[Finding]:
    """How well the systems by a part of the data agree with those by all of it.

    Args:
        methods: C methods.
        sums: (4, N, C, P) sums for each pair in N samples; see
            :func:`irpref.studies.numbers.system_values.summed_terms`.
        full: (4, C', P) the same for the full data; the methods come first.
        reciprocal: The index of RR there.
        systems: How many systems there are.
        treatment: What was done.
        order: How the systems are ordered.
    """
    count = len(methods)
    values = system_values(sums, systems, order)
    target = system_values(full[:, :count], systems, order)
    means, whole = means_of_pairs(sums[0], sums[1]), means_of_pairs(full[0], full[1])
    taus = tau_b(values, target)
    head = np.array([[tau_ap(*each) for each in zip(one, target, strict=True)] for one in values])
    # (N, C, targets, 3)
    agreed = np.stack(
        [agreement_sums(means, whole[:count]), agreement_sums(means, whole[reciprocal])], axis=2
    )
    found = np.dstack([agreement_of(agreed).reshape(len(means), count, -1), taus, head])
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
        >>> mean, spread = _over_samples(np.array([1.0, 3.0, np.nan]))
        >>> mean.item(), round(spread.item(), 3)
        (2.0, 1.414)
    """
    known = ~np.isnan(found)
    n = known.sum(axis=0)
    mean = np.where(known, found, 0).sum(axis=0) / np.where(n > 0, n, np.nan)
    squares = np.where(known, (found - mean) ** 2, 0).sum(axis=0)
    return np.asarray(mean), np.asarray(np.sqrt(squares / np.where(n > 1, n - 1, np.nan)))


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
    pairs = systems * (systems - 1) // 2
    shape = (len(criteria), len(placements.topics), pairs)
    signs, counted = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.bool_)
    sums = np.zeros((4, len(criteria), pairs))
    for part in pair_topics(placements, criteria):
        terms = summed_terms(part.values, systems, ordering)
        values, known, *_ = terms
        counted[:, part.topics] = known
        signs[:, part.topics] = np.sign(values)
        sums += np.stack([term.sum(axis=1, dtype=np.float64) for term in terms])
    return PairSigns(signs, counted, sums)

"""Tests of a criterion for pairs of systems, as rows with a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Pairs
from irpref.base.errors import warn
from irpref.base.escape import shown
from irpref.base.literals import Correction, Progress
from irpref.base.message import refusal
from irpref.base.named import in_signature, listed
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Columns, PairTable
from irpref.pairwise.signature import signature, with_parts
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import how_to_fill, topic_values
from irpref.pairwise.totals import Sums, Totals
from irpref.positions.coverage import Basis, topics_lost
from irpref.positions.grouped import GroupedPlacements, of_several
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.corrections import adjust, too_few_resamples
from irpref.stats.margins import margin_tests, too_few_decided, verdicts
from irpref.stats.method import Method, PairedTests, PairSums, TooFewTopicsError
from irpref.stats.tests.crossed import TEST as CROSSED

Result = TypeVar("Result", bound=Columns)
MOST_INTERVALS = 1_000
"""Of more pairs, intervals take much longer than the test: a millisecond each."""
Ends: TypeAlias = tuple[Floats, Floats]

MOST_TOPICS = 10_000
"""Of more topics, their sums are tested: signs of so many topics take long, and say the same."""


def baseline_indices(basis: Basis, baseline: str | Sequence[str] | None) -> tuple[int, ...] | None:
    """The indices of one or several baselines; None without a baseline.

    Raises:
        ValueError: A baseline is not among the systems or named twice, or there is none in the list.
    """
    if baseline is None:
        return None
    several = isinstance(baseline, Iterable) and not isinstance(baseline, str)
    names: list[Any] = list(baseline) if several else [baseline]
    if not names:
        raise ValueError("baseline=[] names no system: leave it out to test all pairs")
    indices = tuple(basis.system(name, "baseline") for name in names)
    for name in names:
        if (times := names.count(name)) > 1:
            raise ValueError(f"the baseline {shown(name)} is named {times} times: name it once")
    return indices


def compare_pairs(
    basis: Basis,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    baselines: tuple[int, ...] | None = None,
    values: Floats | None = None,
    intervals: bool = False,
    progress: Progress | None = None,
) -> PairTable:
    """Test which pairs of systems differ by a criterion, or with a margin, which do not.

    Args:
        basis: The placements to compare; for a test that needs sums only, their coverage suffices.
        criterion: The criterion to test.
        totals: The criterion's sums over the topics, of all systems against all. If the totals have more
            topics than the placements, every pair ties on the other topics.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        values: (T, R, R) the criterion's values on every topic, of all runs, if known already.
        intervals: Whether each pair has an interval: NaN where a test of topics has very many pairs.
        progress: Called after every batch of resamples, and for every topic of a slow criterion.

    Returns:
        The pairs, with what was counted, low and high (the interval of the pair alone, if wanted, and where
        there is a margin or systems have several runs), effect, statistic, p (of the pair alone),
        p_adjusted (of the family), significant, detectable (without a margin), critical (what the size of
        the mean must exceed to be significant, where the test says it), used (topics that the test uses),
        and with a margin verdict and p_difference.

    Raises:
        ValueError: The test does not fit the baselines or their absence, or needs values and there are sums
            only; the margin holds all values; or there are too few topics.
    """
    sums_only = not basis.has_topics or totals.most_topics > MOST_TOPICS

    def tested(test: PairTest, method: Method, pairs: Pairs) -> TestedPairs:
        (first, second), sums = pairs, pair_sums(totals, pairs)
        more: dict[str, npt.NDArray[Any]] = {}
        ends: Ends | None = None
        if test.margin is not None and test.alternative is not None:
            if test.alternative == "noninferior" and baselines is None:
                raise ValueError(
                    "alternative='noninferior' asks for not worse than what: name a baseline"
                )
            test.refuse_wide_margin(str(criterion), criterion.bounds[1])
            tests = margin_tests(test.alternative, test.margin, sums, alpha=test.alpha)
            ends = tests.ends
        elif method.requirements == "sums":  # t, sign
            tests = method.of_sums(sums, alpha=test.alpha)
            if intervals:
                ends = method.intervals_of_sums(sums, alpha=test.alpha)
        elif not isinstance(basis, Placements):
            raise ValueError(topics_lost(f"the test {method.name!r}", "take test='t' or 'sign'"))
        elif isinstance(basis, GroupedPlacements):
            tests = of_several_runs(
                basis, criterion, pairs, test.alpha, values=values, progress=progress
            )
            sizes = np.array([len(runs) for runs in basis.members])
            more = {f"runs_{side}": sizes[of] for side, of in zip("ab", pairs, strict=True)}
            more |= tests.varies
            ends = tests.ends
        else:  # randomization, wilcoxon; hsd
            systems = method.requirements == "systems"
            data = _data(basis, criterion, values, progress, whole=systems)
            tests = method.of_systems(data, pairs, draws=test.draws(progress))
            if systems:
                ends = method.intervals_of_sums(sums, alpha=test.alpha)
            elif intervals and baselines is None and len(first) > MOST_INTERVALS:
                ends = np.full(len(first), np.nan), np.full(len(first), np.nan)
            elif intervals:
                ends = method.intervals(data[:, first, second], draws=test.draws())
        more = {"topics": sums.topics, "used": tests.used, **more}
        return TestedPairs(tests, sums, ends, more, int(sums.topics.max()))

    table = family_table(
        basis,
        criterion,
        totals,
        test,
        baselines,
        tested,
        method=test.method_for(criterion.fits(sums=sums_only)),
        how={"margin": test.margin, "alternative": test.alternative},
    )
    if test.margin is None:
        return table
    how = test.of_difference
    try:
        difference = compare_pairs(
            basis, criterion, totals, how, baselines=baselines, values=values, progress=progress
        )
    except TooFewTopicsError:
        # A margin takes fewer topics.
        difference = None
    return with_verdicts(table, difference)


def of_several_runs(
    placements: Placements,
    criterion: Criterion,
    pairs: Pairs,
    alpha: float,
    *,
    values: Floats | None = None,
    progress: Progress | None = None,
) -> PairedTests:
    """Test pairs of systems of several runs each, by the (T, R, R) values of all runs: see above."""
    systems = of_several(placements)
    if values is None:
        values = topic_values(systems.runs, criterion.of_one_run, progress=progress)
    fixed = systems.deterministic
    return CROSSED.of_runs(values, systems.members, pairs, fixed=fixed, alpha=alpha)


def with_verdicts(claims: PairTable, difference: PairTable | None) -> PairTable:
    """The tests of a margin, with what they and the tests of a difference say together.

    Args:
        claims: The tests of what is to be shown.
        difference: The tests of whether the same pairs differ; None if they could not be tested.
    """
    p, how, words = np.full(len(claims), np.nan), claims.how, dict[str, str]()
    if difference is not None:
        rows, _ = difference.rows_of(claims.pairs)
        p = difference["p_adjusted"][rows]
        how = {**how, "difference": difference.how["test"]}
        drawn = {name: difference.how[of] for name, of in (("rng", "rng"), ("B", "n_resamples"))}
        words = {name: in_signature(of) for name, of in drawn.items() if of is not None}
        words["difference"] = difference.how["test"]
    ahead = np.where(p < how["alpha"], np.sign(claims["mean"]), 0)
    verdict = verdicts(how["alternative"], claims["significant"], ahead)
    return replace(
        claims,
        columns={**claims.columns, "verdict": verdict, "p_difference": p},
        shown=(*claims.shown, "verdict", "p_difference"),
        how=how,
        signature=with_parts(claims.signature, None, **words),
    )


def pair_sums(totals: Totals, pairs: Pairs) -> PairSums:
    """What the topics say of (P,) pairs, from the sums of all systems against all."""
    return PairSums(**{each.name: getattr(totals, each.name)[pairs] for each in fields(PairSums)})


class TestedPairs(NamedTuple):
    """What a test says of P pairs.

    Attributes:
        tests: The tests of the pairs.
        sums: What the topics say of the pairs.
        ends: The ends of the intervals of each pair alone; None if there are none.
        more: Further columns.
        topics: How many topics count.
    """

    tests: PairedTests
    sums: PairSums
    ends: Ends | None
    more: Mapping[str, npt.NDArray[Any]]
    topics: int


def family_table(
    basis: Basis,
    criterion: Criterion,
    sums: Sums,
    test: PairTest,
    baselines: tuple[int, ...] | None,
    tested: Callable[[PairTest, Method, Pairs], TestedPairs],
    *,
    method: Method,
    how: Mapping[str, object],
) -> PairTable:
    """What a test says of each pair of a family.

    Args:
        basis: What is compared.
        criterion: What is tested.
        sums: Its sums over the topics, or tasks, of all systems against all.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        tested: Tests the pairs by a method, with a seed that is known if it draws.
        method: The method.
        how: Further options.

    Returns:
        See :func:`compare_pairs`.

    Raises:
        ValueError: There is a baseline, and the test needs all pairs; or a pair has too few topics.

    Warns:
        UserWarning: So few resamples cannot make anything significant after the correction.
    """
    first, second = family_pairs(len(basis.systems), baselines, test)
    met = sums.votes[first, second] > 0
    if met.any():
        # Two systems that were never compared are no pair of the family.
        first, second = first[met], second[met]
    pairs = first, second
    if method.requirements == "systems" and baselines is not None:
        raise ValueError(
            f"{method.name} tests all pairs at once: take another method, or leave out the baseline"
        )
    if method.draws:
        # With a known seed, the test can be repeated.
        test = test.seeded()
    try:
        tests, counted, ends, more, topics = tested(test, method, pairs)
    except TooFewTopicsError as error:
        if error.pair is None:
            raise
        one, other = (basis.systems[each[error.pair]] for each in pairs)
        said = f"{error} (the first is {one} against {other})"
        raise TooFewTopicsError(said, pair=error.pair) from None
    correction = test.correction_for(method, pairs=len(first))
    adjusted = adjust(tests.p, correction) if tests.adjusted is None else tests.adjusted
    significant = adjusted < test.alpha
    number = int(np.isfinite(tests.p).sum())
    alone = 1 if tests.adjusted is not None else len(first)
    warn(too_few_resamples(tests.resamples, tests=alone, correction=correction, alpha=test.alpha))
    columns = {name: getattr(tests, name) for name in ("effect", "statistic", "p")}
    columns |= {"p_adjusted": adjusted, "significant": significant}
    if test.margin is None:
        found = int(significant.sum())
        # What p of one more pair must be below alpha for, with the others as they are.
        times: dict[Correction | None, float] = {
            None: 1,
            "bonferroni": number,
            "bh": number / (found + 1),
            "holm": number - found,
        }
        level = test.alpha / max(1.0, times[correction])
        detectable = method.detectable(tests, counted, alpha=level)
        most = max(map(abs, criterion.bounds))
        columns["detectable"] = np.where(detectable <= most, detectable, np.nan)
    else:
        names = [(basis.systems[a], basis.systems[b]) for a, b in zip(*pairs, strict=True)]
        warn(too_few_decided(counted.wins + counted.losses, names, str(criterion)))
    low_high = () if ends is None else (np.clip(end, *criterion.bounds) for end in ends)
    table = PairTable.of(basis.systems, criterion, sums, pairs)
    hidden = {} if tests.critical is None else {"critical": tests.critical}
    shown = {
        "mean": table["mean"],
        **dict(zip(("low", "high"), low_high, strict=False)),
        **columns,
        **more,
    }
    against = basis.systems if baselines is None else [basis.systems[b] for b in baselines]
    every = "all pairs" if met.all() else "all compared pairs"
    if number < len(first):
        every = f"pairs of enough {'runs' if method.requirements == 'runs' else 'topics'}"
    family = every if baselines is None else f"all against {', '.join(against)}"
    table = replace(
        table,
        columns={**table.columns, **hidden, **shown},
        # Of tasks, only what was won, tied and lost is counted.
        shown=(*shown, *(name for name in criterion.own_outcomes if name in table)),
        how={
            "test": tests.method,
            "correction": correction,
            "family": family if baselines or len(first) > 1 else "one pair",
            "pairs": number,
            "alpha": test.alpha,
            "rng": None if tests.resamples is None else test.rng,
            "n_resamples": tests.resamples,
            "preference": str(criterion),
            **how,
        },
    )
    return signed(table, signed_family(table), criterion, basis, topics=topics)


def signed(
    results: Result,
    family: str,
    criterion: Criterion,
    basis: Basis,
    *,
    topics: int,
    table: str | None = None,
) -> Result:
    """Results of tests with their signature.

    Args:
        results: The results, with how they were tested.
        family: What was tested at once, where no name looks like two.
        criterion: What was tested.
        basis: What was compared.
        topics: How many topics count.
        table: What the results show, if they are not of pairs.
    """
    options = results.how
    resample = options.get("resample", "").replace(" and ", "+") or None
    how = {"tasks": options.get("tasks"), "resample": resample}
    how |= {name: options[name] for name in ("test", "correction", "family", "alpha", "rng")}
    how |= {"correction": how["correction"] or "none", "family": family}
    how |= {"B": options["n_resamples"]}
    how |= {name: options.get(name) for name in ("margin", "alternative")}
    line = signature(criterion, basis, topics=topics, table=table, more=how)
    return replace(results, signature=line)


def detectable_range(tests: PairTable) -> tuple[float, float, float] | None:
    """The least, the median and the greatest detectable mean of the pairs that are not significant.

    None if all are significant, or none of the others has one.
    """
    if "detectable" not in tests:
        return None
    found = tests["detectable"][~tests["significant"]]
    found = found[np.isfinite(found)]
    return (found.min(), float(np.median(found)), found.max()) if len(found) else None


def signed_family(tests: PairTable) -> str:
    """The family of tests as a signature has it, where no name looks like two."""
    family: str = tests.how["family"]
    against = family.startswith("all against")
    return f"all against{listed(dict.fromkeys(tests.names[1]))}" if against else family


def family_pairs(systems: int, baselines: tuple[int, ...] | None, test: PairTest) -> Pairs:
    """The pairs of the family, each once: all, or every other system against each baseline.

    Two baselines are a pair in both directions where the test asks which is not worse: a may be not worse
    than b, and b than a.
    """
    if baselines is None:
        first, second = np.triu_indices(systems, 1)
        return first, second
    directed = test.alternative == "noninferior"
    pairs = [
        (system, baseline)
        for index, baseline in enumerate(baselines)
        for system in range(systems)
        if system != baseline and (directed or system not in baselines[:index])
    ]
    first, second = np.array(pairs, dtype=np.intp).T
    return first, second


def _data(
    placements: Placements,
    criterion: Criterion,
    values: Floats | None,
    progress: Progress | None,
    *,
    whole: bool,
) -> Floats:
    """The data to test. Topics on which all pairs tie would change no p, and need not be there.

    Args:
        placements: The placements.
        criterion: What is tested.
        values: Its values, if known already.
        progress: Called for every topic of a slow criterion.
        whole: Whether the test needs whole topics, and scores suffice for it.

    Returns:
        (T', S) scores, if these suffice and no system lacks one; else (T, S, S) values of all topics in
        their order, so that a pair has the same random signs whatever stands beside it.
    """
    if not whole:
        if values is None:
            values = topic_values(placements, criterion, progress=progress)
        return values
    scores = criterion.scores(placements)
    relevant = criterion.has_relevant(TopicBatch(placements))
    if scores is not None and criterion.counted(placements)[relevant].all():
        data = np.where(relevant[:, None], scores, np.nan)
    else:
        data = topic_values(placements, criterion, progress=progress) if values is None else values
    counted = np.asarray(~np.isnan(data).reshape(len(data), -1).all(axis=1))
    data = data[counted]
    lacking = np.argwhere(np.triu(np.isnan(data), 1))
    if len(lacking):
        topic, *pair = lacking[0]
        names = " and ".join(placements.systems[each] for each in pair)
        raise refusal(
            "hsd shuffles the systems of a topic, so every topic needs every pair: topic "
            f"{np.array(placements.topics)[counted][topic]} does not compare {names} "
            f"({len(np.unique(lacking[:, 0]))} of {len(data)} topics lack a pair); leave these topics "
            "out, or ",
            how_to_fill(placements, criterion),
        )
    return data

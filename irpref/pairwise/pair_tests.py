"""Tests of a criterion for pairs of systems, as rows with a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Objects, Pairs
from irpref.base.errors import warn
from irpref.base.escape import shown
from irpref.base.literals import Correction, Progress
from irpref.base.message import refusal
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Columns, PairTable
from irpref.pairwise.signature import RunInfo, listed, signature
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import how_to_fill, topic_values
from irpref.pairwise.totals import Sums, Totals
from irpref.positions.coverage import Coverage
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.corrections import adjust, too_few_resamples
from irpref.stats.margins import MarginTests, margin_tests, too_few_decided
from irpref.stats.method import Method, PairedTests, PairSums, TooFewTopicsError

Result = TypeVar("Result", bound=Columns)


def requires_topics(what: str, instead: str = "") -> str:
    """What is said where only sums over the topics were kept."""
    also = f"{instead}, or " if instead else ""
    return (
        f"{what} needs every topic, and a summary keeps sums over them only: {also}compare without "
        "keep='summary'"
    )


def baseline_indices(
    run_info: RunInfo, baseline: str | Sequence[str] | None
) -> tuple[int, ...] | None:
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
    indices = tuple(run_info.system(name, "baseline") for name in names)
    for name in names:
        if (times := names.count(name)) > 1:
            raise ValueError(f"the baseline {shown(name)} is named {times} times: name it once")
    return indices


def compare_pairs(
    placements: RunInfo,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    baselines: tuple[int, ...] | None = None,
    values: Floats | None = None,
    progress: Progress | None = None,
) -> PairTable:
    """Test which pairs of systems differ by a criterion, or with a margin, which do not.

    Args:
        placements: The placements to compare; for a test that needs sums only, their coverage suffices.
        criterion: The criterion to test.
        totals: The criterion's sums over the topics, of all systems against all. If the totals have more
            topics than the placements, every pair ties on the other topics.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        values: (T, R, R) the criterion's values on every topic, of all runs, if known already.
        progress: Called after every batch of resamples, and for every topic of a slow criterion.

    Returns:
        The pairs, with what was counted, low, high, effect, statistic, p, p_adjusted, significant,
        detectable (without a margin), used (topics that the test uses), and with a margin verdict,
        p_better and p_worse.

    Raises:
        ValueError: The test does not fit the baselines or their absence, or needs values and there are sums
            only; the margin holds all values; or there are too few topics.
    """
    systems = placements.systems

    def find(test: PairTest, method: Method, pairs: Pairs) -> Found:
        if test.alternative == "noninferior" and baselines is None:
            raise ValueError(
                "alternative='noninferior' asks for not worse than what: name a baseline"
            )
        test.refuse_wide_margin(str(criterion), criterion.bounds[1])
        tests: PairedTests
        sums = pair_sums(totals, pairs)
        more: dict[str, npt.NDArray[Any]] = {}
        if test.margin is not None:
            names = [(systems[a], systems[b]) for a, b in zip(*pairs, strict=True)]
            tests, verdicts = margin_found(sums, test, names, str(criterion))
            more = {"verdict": verdicts, "p_better": tests.better, "p_worse": tests.worse}
        elif method.requirements == "sums":
            tests = method.of_sums(sums, alpha=test.alpha)
        elif isinstance(placements, Placements) and placements.has_groups:
            given = placements.of_runs, criterion.of_one_run
            by_run = topic_values(*given, progress=progress) if values is None else values
            runs, fixed = placements.members, placements.deterministic
            tests = method.of_runs(by_run, runs, pairs, fixed=fixed, alpha=test.alpha)
            sizes = np.array([len(each) for each in runs])
            more = {f"runs_{side}": sizes[of] for side, of in zip("ab", pairs, strict=True)}
            more |= tests.varies
        elif isinstance(placements, Coverage):
            raise ValueError(
                requires_topics(f"the test {method.name!r}", "take test='t' or 'sign'")
            )
        else:
            whole = method.requirements == "systems"
            data = _data(placements, criterion, totals, values, progress, whole=whole)
            tests = method.of_systems(data, pairs, draws=test.draws(progress))
        more = {"topics": tests.topics, "used": tests.used, **more}
        return Found(tests, sums, more, int(tests.topics.max()))

    return family_table(
        placements,
        criterion,
        totals,
        test,
        baselines,
        find,
        signs=criterion.signs_only,
        # Of sums there is no test of all pairs at once.
        together=not isinstance(placements, Coverage),
        how={"margin": test.margin, "alternative": test.alternative},
    )


def pair_sums(totals: Totals, pairs: Pairs) -> PairSums:
    """What the topics say of (P,) pairs, from the sums of all systems against all."""
    return PairSums(**{each.name: getattr(totals, each.name)[pairs] for each in fields(PairSums)})


def margin_found(
    sums: PairSums, test: PairTest, pairs: Sequence[tuple[str, str]], what: str
) -> tuple[MarginTests, Objects]:
    """Test with a margin whether pairs differ, as one family.

    Args:
        sums: The sums of the pairs.
        test: The test, with a margin.
        pairs: The names of their systems.
        what: The name of the values.

    Returns:
        The tests, and (P,) what they say.

    Raises:
        TooFewTopicsError: A pair has fewer than two topics.

    Warns:
        UserWarning: A pair differs on too few topics.
    """
    assert test.margin is not None
    assert test.alternative is not None
    tests = margin_tests(test.alternative, test.margin, sums, alpha=test.alpha)
    warn(too_few_decided(sums.wins + sums.losses, pairs, what))
    correction = test.correction_for(test.method_for(signs=False), pairs=len(pairs))
    return tests, tests.verdicts(correction=correction, alpha=test.alpha)


class Found(NamedTuple):
    """What is found of P pairs.

    Attributes:
        tests: The tests of the pairs.
        sums: What the topics say of the pairs.
        more: Further columns.
        topics: How many topics count.
    """

    tests: PairedTests
    sums: PairSums
    more: Mapping[str, npt.NDArray[Any]]
    topics: int


def family_table(
    run_info: RunInfo,
    criterion: Criterion,
    sums: Sums,
    test: PairTest,
    baselines: tuple[int, ...] | None,
    find: Callable[[PairTest, Method, Pairs], Found],
    *,
    signs: bool,
    together: bool,
    how: Mapping[str, object],
) -> PairTable:
    """What a test says of each pair of a family.

    Args:
        run_info: What is compared.
        criterion: What is tested.
        sums: Its sums over the topics, or tasks, of all systems against all.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        find: Makes the tests of the pairs, by a method, with a seed that is known if it draws.
        signs: Whether the values are signs.
        together: Whether all pairs can be tested at once.
        how: Further options.

    Returns:
        The pairs, with what was counted, low, high, effect, statistic, p, p_adjusted, significant,
        detectable (without a margin: NaN where no mean is), and more.

    Raises:
        ValueError: There is a baseline, and the test needs all pairs; or a pair has too few topics.

    Warns:
        UserWarning: So few resamples cannot make anything significant after the correction.
    """
    first, second = family_pairs(len(run_info.systems), baselines, test)
    met = sums.votes[first, second] > 0
    if met.any():
        # Two systems that were never compared are no pair of the family.
        first, second = first[met], second[met]
    pairs = first, second
    groups = isinstance(run_info, Placements) and run_info.has_groups
    method = test.method_for(signs=signs, pairs=len(pairs[0]) if together else 1, groups=groups)
    if method.requirements == "systems" and baselines is not None:
        raise ValueError(
            f"{method.name} tests all pairs at once: take another method, or leave out the baseline"
        )
    if method.draws:
        # With a known seed, the test can be repeated.
        test = test.seeded()
    try:
        tests, counted, more, topics = find(test, method, pairs)
    except TooFewTopicsError as error:
        one, other = (run_info.systems[each[error.pair]] for each in pairs)
        raise ValueError(f"{error} (the first is {one} against {other})") from None
    correction = test.correction_for(method, pairs=len(first))
    adjusted = adjust(tests.p, correction) if tests.adjusted is None else tests.adjusted
    significant = adjusted < test.alpha
    number = int(np.isfinite(tests.p).sum())
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
        more = {"detectable": np.where(detectable <= most, detectable, np.nan), **more}
        tests = tests.holding_0(~significant)
    low, high = tests.interval(criterion.bounds)
    columns = {
        "mean": tests.mean,
        "low": low,
        "high": high,
        **{name: getattr(tests, name) for name in ("effect", "statistic", "p")},
        "p_adjusted": adjusted,
        "significant": significant,
        **more,
    }
    alone = 1 if tests.adjusted is not None else len(first)
    warn(too_few_resamples(tests.resamples, tests=alone, correction=correction, alpha=test.alpha))
    names = np.array(run_info.systems, dtype=object)
    against = None if baselines is None else f"all against {', '.join(names[list(baselines)])}"
    every = "all pairs" if met.all() else "all compared pairs"
    every = every if number == len(first) else "pairs of enough runs"
    table = PairTable.of(run_info.systems, criterion, sums, pairs)
    table = replace(
        table,
        columns={**table.columns, **columns},
        shown=tuple(dict.fromkeys((*columns, *criterion.own_outcomes))),
        how={
            "test": tests.method,
            "correction": correction,
            "family": against or (every if len(first) > 1 else "one pair"),
            "pairs": number,
            "alpha": test.alpha,
            "rng": None if tests.resamples is None else test.rng,
            "n_resamples": tests.resamples,
            "preference": str(criterion),
            **how,
        },
    )
    return signed(table, signed_family(table), criterion, run_info, topics=topics)


def signed(
    results: Result,
    family: str,
    criterion: Criterion,
    run_info: RunInfo,
    *,
    topics: int,
    table: str | None = None,
) -> Result:
    """Results of tests with their signature.

    Args:
        results: The results, with how they were tested.
        family: What was tested at once, where no name looks like two.
        criterion: What was tested.
        run_info: What was compared.
        topics: How many topics count.
        table: What the results show, if they are not of pairs.
    """
    options = results.how
    resample = options.get("resample", "").replace(" and ", "+") or None
    how = {"tasks": options.get("tasks"), "resample": resample}
    how |= {name: options[name] for name in ("test", "correction", "family", "alpha", "rng")}
    how |= {"correction": how["correction"] or "none", "family": family}
    how |= {"B": options["n_resamples"]}
    how |= {name: options.get(name) for name in ("margin", "alternative", "ranks")}
    line = signature(criterion, run_info, topics=topics, table=table, more=how)
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
    if "preferences" in tests.how:
        return f"preferences{listed(tests.how['preferences'])}"
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
    totals: Totals,
    values: Floats | None,
    progress: Progress | None,
    *,
    whole: bool,
) -> Floats:
    """The data to test; 0 on topics that only the totals have.

    Args:
        whole: Whether the test needs whole topics, and scores suffice for it.

    Returns:
        (T', S) scores, if these suffice and no system lacks one; else (T', S, S) values.
    """
    scores = criterion.scores(placements) if whole else None
    relevant = criterion.has_relevant(TopicBatch(placements))
    if scores is not None and criterion.counted(placements)[relevant].all():
        data = np.where(relevant[:, None], scores, np.nan)
    else:
        if values is None:
            values = topic_values(placements, criterion, progress=progress)
        data = values
    counted = np.asarray(~np.isnan(data).reshape(len(data), -1).all(axis=1))
    if totals.most_topics > np.count_nonzero(counted):
        every = np.zeros((totals.most_topics, *data.shape[1:]))
        every[: len(data)][counted] = data[counted]
        return every
    if not whole:
        return data
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

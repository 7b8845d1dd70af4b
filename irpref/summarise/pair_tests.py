"""Tests of a criterion for pairs of systems, as rows with a signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.arrays import Floats, Integers, Objects
from irpref.choices import Correction, Progress
from irpref.errors import warn
from irpref.message import Message, Option
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.coverage import Coverage
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.stats.margins import MarginTests, margin_tests, too_few_decided
from irpref.stats.method import Method, PairSums
from irpref.stats.results import PairedTests, TooFewTopicsError
from irpref.summarise.signature import Origin, signature
from irpref.summarise.tested_pairs import (
    PairRows,
    refuse_baseline,
    signed_family,
    tested_pairs,
)
from irpref.summarise.topic_values import topic_values
from irpref.summarise.totals import Totals
from irpref.visible import shown

if TYPE_CHECKING:
    import pandas as pd


def needs_topics(what: str, instead: str = "") -> str:
    """What is said where only sums over the topics were kept."""
    also = f"{instead}, or " if instead else ""
    return (
        f"{what} needs every topic, and a summary keeps sums over them only: {also}compare without "
        "keep='summary'"
    )


def baseline_indices(
    origin: Origin, baseline: str | Sequence[str] | None
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
    indices = tuple(origin.system(name, "baseline") for name in names)
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"the baseline {shown(name)} is named {times} times: name it once")
    return indices


def compare_pairs(
    placements: Origin,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    baselines: tuple[int, ...] | None = None,
    values: Floats | None = None,
    progress: Progress | None = None,
) -> PairRows:
    """Test which pairs of systems differ by a criterion, or with a margin, which do not.

    Args:
        placements: The placements to compare; for a test that needs sums only, their coverage suffices.
        criterion: The criterion to test.
        totals: The criterion's sums over the topics, of all systems against all. If the totals have more
            topics than the placements, every pair ties on the other topics.
        test: The test and its options.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        values: (T, S, S) the criterion's values on every topic, if known already.
        progress: Called after every batch of resamples, and for every topic of a slow criterion.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted, significant, detectable
        (without a margin), topics, used (topics that the test uses), with a margin verdict, and the
        criterion's further counts.
        ``attrs`` have the options.

    Raises:
        ValueError: The test does not fit the baselines or their absence, or needs values and there are sums
            only; the margin holds all values; or there are too few topics.
    """
    directed = test.alternative == "noninferior"
    pairs = family_pairs(len(placements.systems), baselines, directed=directed)
    first, second = pairs
    # Of sums there is no test of all pairs at once.
    together = 1 if isinstance(placements, Coverage) else len(first)
    method = test.method_for(signs=criterion.signs_only, pairs=together)
    _check_family(test, method, criterion, baselines)
    correction = test.correction_for(method, pairs=len(first))
    if method.draws:
        # With a known seed, the test can be repeated.
        test = test.seeded()
    tests: PairedTests
    names = ("topics", "mean", "deviations", "wins", "losses", "signs")
    sums = PairSums(**{name: getattr(totals, name)[first, second] for name in names})
    try:
        if test.margin is not None and test.alternative is not None:
            tests = margin_tests(test.alternative, test.margin, sums, alpha=test.alpha)
        elif method.needs == "sums":
            tests = method.of_sums(sums, alpha=test.alpha)
        elif isinstance(placements, Coverage):
            raise ValueError(needs_topics(f"the test {method.name!r}", "take test='t' or 'sign'"))
        else:
            whole = method.needs == "systems"
            data = _data(placements, criterion, totals, values, progress, whole=whole)
            tests = method.of_systems(data, pairs, alpha=test.alpha, draws=test.draws(progress))
    except TooFewTopicsError as error:
        one, other = (placements.systems[each[error.pair]] for each in pairs)
        raise ValueError(f"{error} (the first is {one} against {other})") from None
    rows = tested_pairs(
        placements.systems,
        pairs,
        criterion,
        tests,
        test,
        correction=correction,
        baselines=baselines,
        sums=sums if test.margin is None else None,
        more={
            "topics": tests.topics,
            "used": tests.used,
            **_of_margin(tests, correction, test.alpha),
            **{name: totals.outcome(name)[first, second] for name in criterion.own_outcomes},
        },
    )
    if test.margin is not None:
        pair_names = list(zip(rows["a"], rows["b"], strict=True))
        text = too_few_decided(totals.decided[first, second], pair_names, str(criterion))
        if text is not None:
            warn(text)
    rows.attrs.update(margin=test.margin, alternative=test.alternative)
    sign(rows, criterion, placements, topics=int(rows["topics"].max()))
    return rows


def sign(
    rows: PairRows | pd.DataFrame,
    criterion: Criterion,
    origin: Origin,
    *,
    topics: int,
    table: str | None = None,
) -> None:
    """Add the signature to tests, from their attrs."""
    attrs = rows.attrs
    resample = attrs.get("resample", "").replace(" and ", "+") or None
    how = {"tasks": attrs.get("tasks"), "resample": resample}
    how |= {name: attrs[name] for name in ("test", "correction", "family", "alpha", "rng")}
    how |= {"correction": how["correction"] or "none", "family": signed_family(rows)}
    how |= {"B": attrs["n_resamples"]}
    how |= {name: attrs.get(name) for name in ("margin", "alternative", "ranks")}
    rows.attrs["signature"] = signature(criterion, origin, topics=topics, table=table, more=how)


def _check_family(
    test: PairTest, method: Method, criterion: Criterion, baselines: tuple[int, ...] | None
) -> None:
    """Refuse a test that does not fit what is tested."""
    refuse_baseline(method, baselines)
    if test.margin is None:
        return
    if test.alternative == "noninferior" and baselines is None:
        raise ValueError("alternative='noninferior' asks for not worse than what: name a baseline")
    test.refuse_wide_margin(str(criterion), criterion.bounds[1])


def _of_margin(
    tests: PairedTests, correction: Correction | None, alpha: float
) -> dict[str, Objects | Floats]:
    """The columns of tests with a margin; none of others."""
    if not isinstance(tests, MarginTests):
        return {}
    verdicts = tests.verdicts(correction=correction, alpha=alpha)
    return {"verdict": verdicts, "p_better": tests.better, "p_worse": tests.worse}


def family_pairs(
    systems: int, baselines: tuple[int, ...] | None, *, directed: bool
) -> tuple[Integers, Integers]:
    """The pairs of the family, each once: all, or every other system against each baseline.

    Directed, two baselines are a pair in both directions: a may be not worse than b, and b than a.
    """
    if baselines is None:
        first, second = np.triu_indices(systems, 1)
        return first, second
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
    if scores is not None and placements.counted[relevant].all():
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
    lacking = np.argwhere(~placements.counted & counted[:, None])
    if len(lacking):
        topic, system = lacking[0]
        raise ValueError(
            Message(
                "hsd shuffles the systems of a topic, so every topic needs every system: "
                f"{placements.systems[system]} lacks topic {placements.topics[topic]} "
                f"({len(np.unique(lacking[:, 0]))} of {np.count_nonzero(counted)} topics lack a system); "
                "leave these topics out, or count a missing topic as worst (",
                Option("missing", "worst"),
                ")",
            )
        )
    return data[counted]

"""Not worse, or as good: what a report says of runs that are tested with a margin."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from ranx import Run
from ranx.data_structures import Report

import irpref
from irpref import PairTest
from irpref.for_adapters import Alternative, unknown

__all__ = [
    "LATEX_SIGNS",
    "Margin",
    "by_pair",
    "in_latex",
    "margin_of",
    "saved_scores",
    "tests_of_scores",
]

Pair = tuple[str, str]

_SIGNS = {"not worse": "≥", "equivalent": "≈", "better": ">", "worse": "<"}
LATEX_SIGNS = {"≥": r"\geq ", "≈": r"\approx ", ">": ">", "<": "<"}
"""The signs of verdicts, as mathematics of LaTeX."""
_TURNED = {"better": "worse", "worse": "better"}


@dataclass(frozen=True, kw_only=True)
class Margin:
    """What a report asks with a margin.

    Attributes:
        margin: How much worse may still count as not worse, in the unit of the scores.
        alternative: What to show.
        baseline: The run that all others are compared with; None for all pairs.
    """

    margin: float
    alternative: Alternative
    baseline: str | None

    def verdicts(self, report: Report, model: str, metric: str) -> dict[str, str]:
        """What the tests of a report say of a run over each other one, by the name of that one.

        With a baseline, only of a run over the baseline.
        """
        names, found = list(report.model_names), {}
        for other in names if self.baseline is None else [self.baseline]:
            if other == model:
                continue
            verdict = report.comparisons[model, other][metric]["verdict"]
            # A report has each pair once: the first run over the second, or over the baseline.
            turned = self.baseline is None and names.index(model) > names.index(other)
            found[other] = _TURNED.get(verdict, verdict) if turned else verdict
        return found

    def marks(self, report: Report, model: str, metric: str) -> list[tuple[str, list[int]]]:
        """The sign of each kind of verdict, and the numbers of the runs that it is about."""
        verdicts = self.verdicts(report, model, metric)
        marks = [
            (sign, [n for n, other in enumerate(report.model_names) if verdicts.get(other) == kind])
            for kind, sign in _SIGNS.items()
        ]
        return [(sign, numbers) for sign, numbers in marks if numbers]

    def legend(self, size: str, baseline: str | None) -> str:
        """What the signs mean, in words.

        Args:
            size: The margin, as the report writes it.
            baseline: The name of the baseline, as the report writes it.

        Example:
            >>> Margin(margin=5, alternative="noninferior", baseline="bm25").legend("5", "bm25")
            '≥ not worse than bm25 by 5 or more, > better, < worse (none: undecided),'
        """
        asked = f"≥ not worse than {baseline} by {size} or more"
        if self.alternative == "equivalent":
            good = "as good" if baseline is None else f"as good as {baseline}"
            asked = f"≈ {good} (neither is worse by {size} or more)"
        return f"{asked}, > better, < worse (none: undecided),"


def in_latex(text: str) -> str:
    """The signs in a text as mathematics of LaTeX."""
    for sign, written in LATEX_SIGNS.items():
        text = text.replace(sign, f"${written.strip()}$")
    return text


def margin_of(
    margin: float | None,
    alternative: Alternative | None,
    baseline: str | None,
    preference_test: str | None,
    stat_test: str,
    *,
    names: Collection[str],
    topics: Sized,
) -> Margin | None:
    """The margin that a caller asks for by the options of :func:`irpref_ranx.compare`, if any.

    Args:
        margin: See there.
        alternative: See there.
        baseline: See there.
        preference_test: See there.
        stat_test: See there.
        names: The runs.
        topics: The topics of the qrels.

    Raises:
        ValueError: The options contradict each other, or there is no such run.
    """
    if margin is None and alternative is None:
        if baseline is not None:
            raise ValueError(
                "baseline= belongs to a margin: give margin= and alternative= too, or leave it out "
                "(a report compares all pairs)"
            )
        return None
    for option, test, fits in (
        ("preference_test", preference_test, (None, "fit", "t")),
        ("stat_test", stat_test, ("student",)),
    ):
        if test not in fits:
            raise ValueError(f"a margin is tested by t-tests: leave {option}={test!r} out")
    asked = PairTest(margin=margin, alternative=alternative)
    assert asked.margin is not None
    assert asked.alternative is not None
    if baseline is None and asked.alternative == "noninferior":
        raise ValueError(
            "alternative='noninferior' asks for not worse than what: give baseline=, the name of a run"
        )
    if baseline is not None and baseline not in names:
        raise unknown("baseline", baseline, names)
    if len(names) < 2:
        raise ValueError("a margin takes two runs to compare")
    if len(topics) < 2:
        raise ValueError("a margin needs at least two topics, and the qrels have one")
    return Margin(margin=asked.margin, alternative=asked.alternative, baseline=baseline)


def saved_scores(runs: Mapping[str, Run], metric: str, qrels: Any) -> dict[str, dict[str, float]]:
    """The scores of a metric that ranx saved in the runs, by run and topic of the qrels."""
    # A run may have scores of other topics, from before.
    topics = list(map(str, qrels.keys()))
    return {
        name: {topic: run.scores[metric][topic] for topic in topics} for name, run in runs.items()
    }


def tests_of_scores(
    scores: Mapping[str, Mapping[str, float]], metric: str, options: PairTest, asked: Margin
) -> pd.DataFrame:
    """The tests of a metric, as :meth:`irpref.Comparison.test` gives them.

    Args:
        scores: The scores by run and topic.
        metric: The name of the metric.
        options: The level and the correction of the tests.
        asked: What to test.
    """
    rows = [
        (name, topic, metric, value)
        for name, by_topic in scores.items()
        for topic, value in by_topic.items()
    ]
    frame = pd.DataFrame(rows, columns=["system", "topic", "measure", "value"])
    return irpref.compare_scores(frame).test(
        baseline=asked.baseline,
        test=PairTest(
            margin=asked.margin,
            alternative=asked.alternative,
            alpha=options.alpha,
            correction=options.correction,
        ),
    )


def by_pair(tests: pd.DataFrame, names: Sequence[str], max_p: float) -> dict[Pair, dict[str, Any]]:
    """Tests with a margin by pair of runs, each pair once; without a verdict where none was asked.

    Args:
        tests: As :meth:`irpref.Comparison.test` gives them.
        names: The runs, in the order of the report.
        max_p: p-values up to it are significant.
    """
    found = {
        frozenset((a, b)): {
            "p_value": float(p),
            "significant": bool(p <= max_p),
            "verdict": str(verdict),
        }
        for a, b, p, verdict in zip(
            *(tests[name] for name in ("a", "b", "p_adjusted", "verdict")), strict=True
        )
    }
    untested = {"p_value": np.nan, "significant": False}
    return {pair: found.get(frozenset(pair), dict(untested)) for pair in combinations(names, 2)}

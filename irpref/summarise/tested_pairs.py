"""The frame of tests of pairs: what tests on topics and tests on tasks have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from irpref.arrays import Integers
from irpref.choices import AnyMethod, Correction
from irpref.errors import warn
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.summarise.signature import listed
from irpref.summarise.statistics.corrections import adjust, too_few_resamples
from irpref.summarise.statistics.results import PairedTests

__all__ = ["refuse_baseline_of_hsd", "signed_family", "tested_pairs"]


def tested_pairs(
    systems: Sequence[str],
    pairs: tuple[Integers, Integers],
    criterion: Criterion,
    tests: PairedTests,
    test: PairTest,
    *,
    method: AnyMethod,
    correction: Correction | None,
    baselines: tuple[int, ...] | None,
) -> pd.DataFrame:
    """What a test says of each pair, with its options in ``attrs``.

    Args:
        systems: (S,) names of the systems.
        pairs: (P,) indices of the first systems, and of the second ones.
        criterion: What was tested.
        tests: The tests of the pairs.
        test: The test and its options.
        method: Its method.
        correction: Its correction.
        baselines: Indices of the systems that all others are tested against; None for all pairs.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted and significant.

    Warns:
        UserWarning: So few resamples cannot make anything significant after the correction.
    """
    names = np.array(systems, dtype=object)
    first, second = pairs
    frame = pd.DataFrame({"a": names[first], "b": names[second], "mean": tests.mean})
    frame["low"], frame["high"] = tests.interval(criterion.bounds)
    for name in ("effect", "statistic", "p"):
        frame[name] = getattr(tests, name)
    frame["p_adjusted"] = adjust(tests.p, correction) if tests.adjusted is None else tests.adjusted
    frame["significant"] = frame["p_adjusted"] < test.alpha
    text = too_few_resamples(
        tests.resamples,
        tests=1 if tests.adjusted is not None else len(frame),
        correction=correction,
        alpha=test.alpha,
    )
    if text is not None:
        warn(text)
    against = None if baselines is None else f"all against {', '.join(names[list(baselines)])}"
    frame.attrs.update(
        test=method,
        correction=correction,
        family=against or "all pairs",
        alpha=test.alpha,
        rng=None if tests.resamples is None else test.rng,
        n_resamples=tests.resamples,
        studentized=tests.studentized,
        preference=str(criterion),
    )
    return frame


def signed_family(frame: pd.DataFrame) -> str:
    """The family of a frame of tests as a signature has it, where no name looks like two."""
    family: str = frame.attrs["family"]
    return family if family == "all pairs" else f"all against{listed(dict.fromkeys(frame['b']))}"


def refuse_baseline_of_hsd(method: AnyMethod, baselines: tuple[int, ...] | None) -> None:
    """Refuse a baseline for the test that needs all pairs.

    Raises:
        ValueError: There is one.
    """
    if method == "hsd" and baselines is not None:
        raise ValueError(
            "hsd tests all pairs at once: take another method, or leave out the baseline"
        )

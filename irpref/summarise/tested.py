"""Tests of a preference, or of a measure, as labelled pandas frames that say how they were made."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from irpref.choices import AnyCorrection, AnyMethod, Correction, Method
from irpref.errors import unknown
from irpref.preferences.base import Preference
from irpref.preferences.ipso import RELATIONS, InnateOrdering
from irpref.project.collection import Collection, Progress
from irpref.summarise.corrections import adjust, check_alpha, check_correction, too_few_resamples
from irpref.summarise.signature import signature
from irpref.summarise.significance import paired_tests
from irpref.summarise.totals import per_topic
from irpref.summarise.tukey import TukeyHSD, hsd_of_preferences, hsd_of_scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "PairTestOptions",
    "baseline_numbers",
    "compare_pairs",
    "compare_scores",
    "default_method",
]

_METHODS = get_args(AnyMethod)
Seed = int | np.random.Generator | None


@dataclass(frozen=True, kw_only=True)
class PairTestOptions:
    """How pairs are tested.

    Attributes:
        method: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"`` or ``"hsd"``; None for the one
            that fits.
        correction: ``"holm"``, ``"bonferroni"``, ``"bh"`` or None; ``"auto"``: Holm, and none for hsd,
            which holds the error rate of its family by itself.
        baselines: Numbers of the systems that all others are tested against; None for all pairs.
        alpha: Significance level.
        rng: A seed or Generator.
        n_resamples: Resamples of randomization and hsd.

    Raises:
        ValueError: A method or correction is unknown or out of place, or alpha is outside (0, 1).
    """

    method: AnyMethod | None = None
    correction: AnyCorrection = "auto"
    baselines: tuple[int, ...] | None = None
    alpha: float = 0.05
    rng: Seed = None
    n_resamples: int = 10_000

    def __post_init__(self) -> None:
        if self.method is not None and self.method not in _METHODS:
            raise unknown("test", self.method, _METHODS)
        if self.correction != "auto":
            check_correction(self.correction)
        check_alpha(self.alpha)
        if self.method == "hsd":
            if self.correction not in ("auto", None):
                raise ValueError(
                    "hsd holds the error rate of all pairs by itself: it takes no correction "
                    "(correction=None, --correction none)"
                )
            if self.baselines is not None:
                raise ValueError(
                    "hsd is a test of all pairs: with a baseline take another method, or no baseline"
                )

    def correction_for(self, method: AnyMethod) -> Correction | None:
        """The correction, once the method is known."""
        if self.correction == "auto":
            return None if method == "hsd" else "holm"
        return self.correction


def baseline_numbers(
    baseline: str | Sequence[str] | None, systems: Sequence[str]
) -> tuple[int, ...] | None:
    """The numbers of one or several baselines among the systems; None for no baseline.

    Raises:
        ValueError: One is not among them.
    """
    if baseline is None:
        return None
    names = [baseline] if isinstance(baseline, str) else list(baseline)
    for name in names:
        if name not in systems:
            raise unknown("baseline", name, systems)
    return tuple(systems.index(name) for name in names)


def default_method(preference: Preference) -> AnyMethod:
    """The test that fits: the sign test where values are signs (sgnLP, LR, IPSO), t otherwise."""
    return "sign" if np.issubdtype(preference.dtype, np.integer) else "t"


def compare_pairs(
    collection: Collection,
    preference: Preference,
    options: PairTestOptions,
    progress: Progress | None = None,
    *,
    topics: int | None = None,
) -> pd.DataFrame:
    """Which pairs of systems a preference tells apart.

    Args:
        collection: What is compared.
        preference: What is tested.
        options: How; by default the test that fits.
        progress: Told after every batch of shuffles.
        topics: How many topics there are for a host that counts all of them: where nothing is relevant,
            every pair ties. By default such topics count for no pair.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted, significant, topics,
        used (topics that the test uses) and, for IPSO, nonseparable. ``attrs`` say how it was made.
    """
    method = options.method or default_method(preference)
    everyone = range(len(collection.systems))
    values, compared = per_topic(collection, preference, everyone, everyone)
    numbers = np.where(compared, preference.numbers(values).astype(np.float64), np.nan)
    if topics is not None:
        further = np.zeros((topics - len(numbers), *numbers.shape[1:]))
        numbers = np.concatenate((np.nan_to_num(numbers), further))
    first, second = _pairs(len(everyone), options.baselines)
    nonseparable = None
    if isinstance(preference, InnateOrdering) and values.dtype == np.uint8:
        free = (values == RELATIONS.index("**")) & compared
        nonseparable = np.count_nonzero(free[:, first, second], axis=0)
    if method == "hsd":
        # Topics where nothing is relevant count for no pair.
        kept = numbers[~np.isnan(numbers).all(axis=(1, 2))]
        tukey = hsd_of_preferences(
            kept, rng=options.rng, n_resamples=options.n_resamples, progress=progress
        )
        frame = _hsd_frame(tukey, first, second, len(kept), options.alpha)
    else:
        frame = _paired_frame(numbers[:, first, second], method, options)
    if nonseparable is not None:
        frame["nonseparable"] = nonseparable
    frame = _labelled(frame, collection.systems, first, second, method, options)
    how = {str(name): value for name, value in frame.attrs.items() if name != "n_resamples"}
    how["B"] = frame.attrs["n_resamples"]
    frame.attrs["preference"] = str(preference)
    frame.attrs["signature"] = signature(
        preference, collection, topics=int(frame["topics"].max()), more=how
    )
    return frame


def compare_scores(
    scores: npt.NDArray[np.float64],
    systems: Sequence[str],
    options: PairTestOptions,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Which pairs of systems the scores of a measure tell apart.

    Args:
        scores: (T, S).
        systems: (S,) their names.
        options: How; by default the t-test.
        progress: Told after every batch of shuffles.

    Returns:
        As :func:`compare_pairs`; mean is the difference of the mean scores.
    """
    method = options.method or "t"
    first, second = _pairs(len(systems), options.baselines)
    if method == "hsd":
        tukey = hsd_of_scores(
            scores, rng=options.rng, n_resamples=options.n_resamples, progress=progress
        )
        frame = _hsd_frame(tukey, first, second, len(scores), options.alpha)
    else:
        frame = _paired_frame(scores[:, first] - scores[:, second], method, options)
    return _labelled(frame, systems, first, second, method, options)


def _pairs(
    systems: int, baselines: tuple[int, ...] | None
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The pairs of the family, each once: all, or every other system against each baseline."""
    if baselines is None:
        first, second = np.triu_indices(systems, 1)
        return first, second
    pairs = [
        (system, baseline)
        for number, baseline in enumerate(baselines)
        for system in range(systems)
        if system != baseline and system not in baselines[:number]
    ]
    first, second = np.array(pairs, dtype=np.intp).T
    return first, second


def _paired_frame(
    values: npt.NDArray[np.float64], method: Method, options: PairTestOptions
) -> pd.DataFrame:
    import pandas as pd

    tests = paired_tests(
        values,
        method=method,
        alpha=options.alpha,
        rng=options.rng,
        n_resamples=options.n_resamples,
    )
    correction = options.correction_for(method)
    if tests.resamples is not None:
        doubt = too_few_resamples(
            tests.resamples, tests=len(tests.p), correction=correction, alpha=options.alpha
        )
        if doubt is not None:
            warnings.warn(doubt, UserWarning, stacklevel=4)
    names = ("mean", "low", "high", "effect", "statistic", "p")
    frame = pd.DataFrame({name: getattr(tests, name) for name in names})
    frame["p_adjusted"] = adjust(tests.p, correction)
    frame["significant"] = frame["p_adjusted"] < options.alpha
    frame["topics"], frame["used"] = tests.topics, tests.used
    frame.attrs["n_resamples"] = tests.resamples
    return frame


def _hsd_frame(
    tukey: TukeyHSD,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    topics: int,
    alpha: float,
) -> pd.DataFrame:
    import pandas as pd

    doubt = too_few_resamples(len(tukey.null), tests=1, correction=None, alpha=alpha)
    if doubt is not None:
        warnings.warn(doubt, UserWarning, stacklevel=4)
    mean, p = tukey.mean[first, second], tukey.p[first, second]
    margin = tukey.margin(alpha)
    frame = pd.DataFrame(
        {
            "mean": mean,
            "low": mean - margin,
            "high": mean + margin,
            "effect": mean,
            "statistic": np.abs(mean),
            "p": p,
            "p_adjusted": p,
            "significant": p < alpha,
            "topics": topics,
            "used": topics,
        }
    )
    frame.attrs["n_resamples"] = len(tukey.null)
    return frame


def _labelled(
    frame: pd.DataFrame,
    systems: Sequence[str],
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    method: AnyMethod,
    options: PairTestOptions,
) -> pd.DataFrame:
    names = np.array(systems, dtype=object)
    frame.insert(0, "a", names[first])
    frame.insert(1, "b", names[second])
    family = "all pairs"
    if options.baselines is not None:
        family = f"all against {', '.join(names[list(options.baselines)])}"
    how: dict[str, Any] = {
        "test": method,
        "correction": options.correction_for(method),
        "family": family,
        "alpha": options.alpha,
        "n_resamples": frame.attrs.pop("n_resamples"),
        "rng": options.rng if isinstance(options.rng, int) else None,
    }
    frame.attrs.update(how)
    return frame

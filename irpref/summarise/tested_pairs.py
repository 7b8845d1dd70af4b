"""The rows of tests of pairs: what tests on topics and tests on tasks have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from irpref.arrays import Integers
from irpref.choices import Correction
from irpref.errors import warn
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.stats.corrections import adjust, too_few_resamples
from irpref.stats.method import Method, PairSums
from irpref.stats.results import PairedTests
from irpref.stats.tests import known_test
from irpref.summarise.signature import listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class PairRows:
    """What tests say of pairs, a row each: a pandas frame once that is asked for, as pandas loads slowly.

    Attributes:
        columns: (P,) values by the name of the column.
        attrs: The options of the test, and the signature.
    """

    columns: Mapping[str, npt.NDArray[Any]]
    attrs: dict[str, Any]

    def __len__(self) -> int:
        return len(self.columns["a"])

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def frame(self) -> pd.DataFrame:
        """The rows as people get them."""
        import pandas as pd

        frame = pd.DataFrame(dict(self.columns))
        frame.attrs.update(self.attrs)
        return frame


def tested_pairs(
    systems: Sequence[str],
    pairs: tuple[Integers, Integers],
    criterion: Criterion,
    tests: PairedTests,
    test: PairTest,
    *,
    correction: Correction | None,
    baselines: tuple[int, ...] | None,
    sums: PairSums | None,
    more: Mapping[str, npt.NDArray[Any]],
) -> PairRows:
    """What a test says of each pair, with its options in ``attrs``.

    Args:
        systems: (S,) names of the systems.
        pairs: (P,) indices of the first systems, and of the second ones.
        criterion: What was tested.
        tests: The tests of the pairs.
        test: The test and its options.
        correction: Its correction.
        baselines: Indices of the systems that all others are tested against; None for all pairs.
        sums: What the topics say of the pairs; None where they are not known, or with a margin.
        more: Further columns.

    Returns:
        One row a pair: a, b, mean, low, high, effect, statistic, p, p_adjusted, significant, detectable
        (where the sums are known: NaN where no mean is), and more.

    Warns:
        UserWarning: So few resamples cannot make anything significant after the correction.
    """
    names = np.array(systems, dtype=object)
    first, second = pairs
    adjusted = adjust(tests.p, correction) if tests.adjusted is None else tests.adjusted
    significant = adjusted < test.alpha
    if sums is not None:
        number, found = len(first), int(significant.sum())
        # What p of one more pair must be below alpha for, with the others as they are.
        times: dict[Correction | None, float] = {
            None: 1,
            "bonferroni": number,
            "bh": number / (found + 1),
            "holm": number - found,
        }
        level = test.alpha / max(1.0, times[correction])
        detectable = known_test(tests.method).detectable(tests, sums, alpha=level)
        most = max(map(abs, criterion.bounds))
        more = {"detectable": np.where(detectable <= most, detectable, np.nan), **more}
    if test.margin is None:
        tests = tests.holding_0(~significant)
    low, high = tests.interval(criterion.bounds)
    columns = {
        "a": names[first],
        "b": names[second],
        "mean": tests.mean,
        "low": low,
        "high": high,
        **{name: getattr(tests, name) for name in ("effect", "statistic", "p")},
        "p_adjusted": adjusted,
        "significant": significant,
        **more,
    }
    text = too_few_resamples(
        tests.resamples,
        tests=1 if tests.adjusted is not None else len(first),
        correction=correction,
        alpha=test.alpha,
    )
    if text is not None:
        warn(text)
    against = None if baselines is None else f"all against {', '.join(names[list(baselines)])}"
    how = {
        "test": tests.method,
        "correction": correction,
        "family": against or ("all pairs" if len(first) > 1 else "one pair"),
        "pairs": len(first),
        "alpha": test.alpha,
        "rng": None if tests.resamples is None else test.rng,
        "n_resamples": tests.resamples,
        "preference": str(criterion),
    }
    return PairRows(columns, how)


def detectable_range(tests: PairRows | pd.DataFrame) -> tuple[float, float, float] | None:
    """The least, the median and the greatest detectable mean of the pairs that are not significant.

    None if all are significant, or none of the others has one.
    """
    if "detectable" not in tests:
        return None
    found = np.asarray(tests["detectable"])[~np.asarray(tests["significant"])]
    found = found[np.isfinite(found)]
    return (found.min(), float(np.median(found)), found.max()) if len(found) else None


def signed_family(frame: PairRows | pd.DataFrame) -> str:
    """The family of tests as a signature has it, where no name looks like two."""
    family: str = frame.attrs["family"]
    if "preferences" in frame.attrs:
        return f"preferences{listed(frame.attrs['preferences'])}"
    against = family.startswith("all against")
    return f"all against{listed(dict.fromkeys(frame['b']))}" if against else family


def refuse_baseline(method: Method, baselines: tuple[int, ...] | None) -> None:
    """Refuse a baseline for the test that needs all pairs.

    Raises:
        ValueError: There is one.
    """
    if method.needs == "systems" and baselines is not None:
        raise ValueError(
            f"{method.name} tests all pairs at once: take another method, or leave out the baseline"
        )

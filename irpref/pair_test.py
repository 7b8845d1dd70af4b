"""How pairs of systems are tested: the options of everything that tests, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from irpref.checks import check_alpha, check_choice, check_count
from irpref.choices import AnyCorrection, AnyMethod, Correction
from irpref.errors import unknown
from irpref.keywords import on_command_line
from irpref.visible import shown

if TYPE_CHECKING:
    import numpy as np

__all__ = ["AnyTest", "PairTest", "PairTestOptions"]

_METHODS = get_args(AnyMethod)
_MOST_RESAMPLES = 10_000_000
# numpy draws its own seeds from so many.
_SEEDS = 2**128


class PairTestOptions(TypedDict, total=False):
    """The options of a :class:`PairTest`, as keywords of the methods that test."""

    method: AnyMethod | Literal["fit"] | None
    correction: AnyCorrection
    alpha: float
    rng: int | np.random.Generator | None
    n_resamples: int


@dataclass(frozen=True, kw_only=True)
class PairTest:
    """How pairs of systems are tested.

    Attributes:
        method: ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"`` or ``"hsd"`` (randomised Tukey
            HSD); None or ``"fit"`` for the test that fits: the exact sign test where the values of a
            preference are signs (sgnLP, LR, IPSO), and the t-test otherwise.
        correction: ``"holm"``, ``"bonferroni"``, ``"bh"`` or None, over the whole family; ``"auto"``: Holm,
            and none for hsd, which holds the error rate of all pairs by itself.
        alpha: Significance level, and 1 - alpha the level of the intervals.
        rng: A seed or Generator for all random numbers; None draws a seed, and the signature says it.
        n_resamples: Resamples of randomization, hsd and of the bootstrap of a leaderboard's ranks.

    Raises:
        ValueError: A method or correction is unknown or does not fit, alpha is outside (0, 1), rng is
            negative or not below 2 ** 128, or n_resamples is below 1 or above 10,000,000.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> board = irpref.compare(*demo_paths(), "RPP").leaderboard(
        ...     "RPP", test=irpref.PairTest(method="hsd", rng=7)
        ... )
        >>> board.attrs["test"], board.attrs["rng"]
        ('hsd', 7)
    """

    method: AnyMethod | Literal["fit"] | None = None
    correction: AnyCorrection = field(
        default="auto",
        metadata=on_command_line(
            "correct for testing many pairs (default: holm; none with hsd)",
            choices=("auto", *get_args(Correction), "none"),
        ),
    )
    alpha: float = field(
        default=0.05, metadata=on_command_line("significance level (default: 0.05)")
    )
    rng: int | np.random.Generator | None = field(
        default=None,
        metadata=on_command_line(
            "seed of all random numbers (default: one is drawn and shown)", flag="--seed"
        ),
    )
    n_resamples: int = field(
        default=10_000,
        metadata=on_command_line(
            "how many resamples a test draws (default: 10000)", flag="--resamples", metavar="B"
        ),
    )

    def __post_init__(self) -> None:
        if self.method == "fit":
            object.__setattr__(self, "method", None)
        known = isinstance(self.method, str) and self.method in _METHODS
        if self.method is not None and not known:
            raise unknown("test", self.method, ("fit", *_METHODS))
        if self.correction not in ("auto", None):
            check_choice("correction", self.correction, Correction)
        check_alpha(self.alpha)
        resamples = check_count("n_resamples", self.n_resamples, most=_MOST_RESAMPLES)
        object.__setattr__(self, "n_resamples", resamples)
        drawing = hasattr(self.rng, "integers")
        whole = isinstance(self.rng, Integral) and not isinstance(self.rng, bool)
        seed: Any = self.rng if whole else None
        if whole and seed >= _SEEDS:
            raise ValueError("rng must be a whole number below 2 ** 128, or a numpy Generator")
        if not (self.rng is None or drawing or (whole and seed >= 0)):
            raise ValueError(
                "rng must be a whole number of at least 0, or a numpy Generator, not "
                f"{shown(self.rng)}"
            )
        if self.method == "hsd" and self.correction not in ("auto", None):
            raise ValueError(
                "hsd corrects for all pairs by itself: leave the correction out "
                "(correction=None, --correction none)"
            )

    @classmethod
    def of(cls, test: AnyTest) -> PairTest:
        """The test that a name stands for, or the test itself.

        Raises:
            ValueError: There is no such test.

        Example:
            >>> PairTest.of("hsd").method, PairTest.of("fit").method
            ('hsd', None)
        """
        if isinstance(test, cls):
            return test
        if test is not None and not isinstance(test, str):
            raise ValueError(f"test must be a name or an irpref.PairTest, not {test!r}")
        return cls(method=test)

    def method_for(self, fitting: AnyMethod) -> AnyMethod:
        """The method, once it is known which one fits."""
        return fitting if self.method is None or self.method == "fit" else self.method

    def correction_for(self, method: AnyMethod) -> Correction | None:
        """The correction, once the method is known."""
        if self.correction == "auto":
            return None if method == "hsd" else "holm"
        return self.correction

    def seed(self) -> int:
        """A seed: the one that was given, or one drawn from the Generator, or one drawn at random."""
        import numpy as np

        if isinstance(self.rng, int | np.integer):
            return int(self.rng)
        return int(np.random.default_rng(self.rng).integers(2**32))


AnyTest = PairTest | AnyMethod | Literal["fit"] | None
"""A test, its name, ``"fit"`` or None for the one that fits."""

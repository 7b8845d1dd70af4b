"""How pairs of systems are tested, and planned for: the options of everything that does, said once.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, get_args

from irpref.base.checks import check_between, check_choice, check_count, check_number
from irpref.base.escape import shown
from irpref.base.keywords import choice, keep_checked, option, seed
from irpref.base.literals import Alternative, AnyCorrection, Correction, Progress
from irpref.base.message import Option, refusal
from irpref.stats.tests import fitting_test, for_each_pair, known_test

if TYPE_CHECKING:
    import numpy as np

    from irpref.stats.method import Draws, Fits, Method


_MOST_RESAMPLES = 10_000_000
# numpy draws its own seeds from so many.
_SEEDS = 2**128


@dataclass(frozen=True, kw_only=True)
class PairTest:
    """How pairs of systems are tested.

    Attributes:
        method: The name of a test (``irpref list`` has all); None or ``"fit"`` for the one that fits: the
            randomization test. Of more than 10,000 topics, or where only sums over the topics were kept, it
            is the t-test, or for a preference whose values are signs (sgnLP, LR, IPSO) the sign test; of
            systems of several runs it is ``"crossed"``.
        correction: ``"holm"``, ``"bonferroni"``, ``"bh"`` or None, over all pairs that are tested by a
            preference; ``"auto"``: Holm, and none for the tests that correct for all pairs by themselves,
            such as randomization, which take none. One pair is not corrected, whatever is named.
        alpha: Significance level; 1 - alpha is the level of the interval of each pair alone.
        rng: A seed or Generator for all random numbers; None draws a seed. The signature says which one.
        n_resamples: Resamples of the tests that draw.
        margin: How much worse may still count as not worse, in the unit of the mean.
        alternative: What to show with a margin: ``"noninferior"`` (the system is not worse than its
            baseline by the margin) or ``"equivalent"`` (neither is worse by the margin), by one-sided
            t-tests at alpha. Whether two systems differ at all is tested as without a margin.

    Raises:
        ValueError: A method or correction is unknown or does not fit, alpha is outside (0, 1), rng is
            negative or not below 2 ** 128, n_resamples is below 1 or above 10,000,000, or margin,
            alternative and method do not go together.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> board = irpref.compare(*demo_paths(), "RPP").leaderboard(
        ...     "RPP", test=irpref.PairTest(method="hsd", rng=7)
        ... )
        >>> board.attrs["test"], board.attrs["rng"]
        ('hsd', 7)
    """

    method: str | None = None
    correction: AnyCorrection = option(
        "auto",
        "correct for testing many pairs (default: holm; some tests do it themselves)",
        choices=("auto", *get_args(Correction), "none"),
    )
    alpha: float = option(0.05, "significance level (default: 0.05)", check_between)
    rng: int | np.random.Generator | None = seed("all random numbers")
    n_resamples: int = option(
        10_000,
        "how many resamples a test draws (default: 10000)",
        partial(check_count, most=_MOST_RESAMPLES),
        flag="--resamples",
        metavar="B",
    )
    margin: float | None = option(
        None, "how much worse may still count as not worse", metavar="M", number=float
    )
    alternative: Alternative | None = choice(
        None,
        "what to show with --margin: a system is not worse than the baseline, or as good",
        Alternative,
    )

    def __post_init__(self) -> None:
        if self.method == "fit":
            object.__setattr__(self, "method", None)
        if self.method is not None:
            known_test(self.method)
        if self.correction not in ("auto", None):
            check_choice("correction", self.correction, Correction)
        keep_checked(self)
        rng: Any = self.rng
        whole = isinstance(rng, Integral) and not isinstance(rng, bool)
        if whole and rng >= _SEEDS:
            raise refusal(
                Option("rng"), " must be a whole number below 2 ** 128, or a numpy Generator"
            )
        if not (rng is None or hasattr(rng, "integers") or (whole and rng >= 0)):
            said = " must be a whole number of at least 0, or a numpy Generator, not "
            raise refusal(Option("rng"), said, shown(rng))
        self._check_margin()

    def _check_margin(self) -> None:
        if self.margin is None and self.alternative is None:
            return
        if self.margin is None:
            raise refusal(
                Option("alternative", self.alternative), " needs a ", Option("margin"), " above 0"
            )
        if not check_number("margin", self.margin) > 0:
            raise refusal(Option("margin"), f" must be a number above 0, not {shown(self.margin)}")
        if self.alternative is None:
            raise refusal(
                "with a margin, say what to show: ",
                Option("alternative", "noninferior"),
                " (not worse than the baseline) or ",
                Option("alternative", "equivalent"),
                " (as good)",
            )
        if self.method not in (None, "t"):
            raise ValueError(
                f"a margin is tested by t-tests, not by {self.method!r}: leave one of them out"
            )

    def method_for_each(self) -> Method:
        """The test of each pair by itself: by default the t-test.

        Raises:
            ValueError: It needs all systems, or all of their runs.

        Example:
            >>> PairTest().method_for_each().name
            't'
        """
        test = known_test(self.method or "t")
        if test.requirements in ("systems", "runs"):
            alone = ", ".join(("randomization", *for_each_pair()))
            raise ValueError(f"{test.name} tests more than a pair at once: take one of {alone}")
        return test

    @property
    def of_difference(self) -> PairTest:
        """The test of whether there is a difference, which a margin does not ask."""
        return replace(self, margin=None, alternative=None, correction="auto")

    def refuse_wide_margin(self, what: str, greatest: float) -> None:
        """Refuse a margin that holds every value.

        Args:
            what: What the values are of.
            greatest: The greatest value there can be.

        Raises:
            ValueError: The margin is not below it.
        """
        if self.margin is not None and self.margin >= greatest:
            raise ValueError(
                f"a margin of {self.margin:g} holds every value of {what}: give one below {greatest:g}"
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

    def method_for(self, fits: Fits = "topics") -> Method:
        """The test, once it is known what there is to test.

        Args:
            fits: What there is (:meth:`.Criterion.fits`): topics, sums over them alone, or several runs of
                systems, over which only one test generalises.

        Raises:
            ValueError: The test is one of topics, and systems have several runs, or the other way round; or
                a correction is named, and the test corrects by itself.

        Example:
            >>> PairTest().method_for().name, PairTest().method_for("sums").name
            ('randomization', 't')
        """
        test = known_test((self.method if self.margin is None else "t") or fitting_test(fits))
        if fits == "runs" and test.requirements != "runs":
            asked = test.name if self.margin is None else "a margin"
            raise refusal(
                f"{asked} asks about other topics, and takes the runs that there are for all that there "
                f"could be: with groups of runs leave {'it' if self.margin is None else 'the margin'} out"
            )
        if test.requirements == "runs" and fits != "runs":
            said = f"{test.name} tests systems of several runs each: say which runs are of one system ("
            raise refusal(said, Option("groups", ...), ")")
        if test.correction is None and self.correction != "auto":
            said, others = (
                "corrects for all pairs by itself: leave out ",
                " or ".join(for_each_pair()),
            )
            named = Option("correction", self.correction)
            raise refusal(f"{test.name} {said}", named, f", or take {others}")
        return test

    def correction_for(self, method: Method, *, pairs: int) -> Correction | None:
        """The correction, once it is known which test is made of how many pairs.

        Example:
            >>> test = PairTest(method="t")
            >>> t = test.method_for()
            >>> test.correction_for(t, pairs=3), test.correction_for(t, pairs=1)
            ('holm', None)
        """
        if pairs == 1:
            # Every correction leaves the p-value of one test as it is.
            return None
        return method.correction if self.correction == "auto" else self.correction

    def draws(self, progress: Progress | None = None) -> Draws:
        """How random numbers are drawn."""
        from irpref.stats.method import Draws

        return Draws(
            rng=self.rng, n_resamples=self.n_resamples, alpha=self.alpha, progress=progress
        )

    def seeded(self) -> PairTest:
        """The same test with a seed that is known, so that it can be given again."""
        return replace(self, rng=self.seed())

    def seed(self) -> int:
        """A seed: the one that was given, or one drawn from the Generator, or one drawn at random."""
        from irpref.stats.method import seed_of

        return seed_of(self.rng)


AnyTest = PairTest | str | None
"""A test, its name, ``"fit"`` or None for the one that fits."""
ReportTest = AnyTest | Literal[False]
"""The same; False for none."""


@dataclass(frozen=True, kw_only=True)
class Planning:
    """What a plan is made for.

    Attributes:
        difference: The least mean value that must be found; below 0 if the first system is behind.
        sd: The standard deviation of the values of a pair over the topics; None to take a pilot's.
        power: How likely it must be that the test finds the difference.
        pairs: How many pairs will be tested.
        alpha: Significance level of all pairs together.
        rng: A seed or Generator for the draws of several pairs from a pilot; None draws a seed.

    Raises:
        ValueError: A number is out of range.

    Example:
        >>> planning = Planning(difference=-0.2, pairs=5)
        >>> planning.difference, planning.level
        (-0.2, 0.01)
    """

    difference: float = option(
        MISSING,
        "the least mean value that must be found, such as 0.2; below 0 if A of --pair is behind B",
        check_number,
        metavar="D",
        number=float,
    )
    sd: float | None = option(
        None,
        "standard deviation of the values over topics, if there is no pilot",
        check_number,
        metavar="SD",
        number=float,
    )
    power: float = option(
        0.8, "how likely the difference must be found (default: 0.8)", check_number, metavar="P"
    )
    pairs: int = option(1, "how many pairs will be tested (default: 1)", check_count)
    alpha: float = option(0.05, "significance level (default: 0.05)", check_between, metavar="A")
    rng: int | np.random.Generator | None = seed("the draws of several pairs from a pilot")

    def __post_init__(self) -> None:
        keep_checked(self)
        object.__setattr__(self, "difference", float(self.difference))
        if self.difference == 0:
            raise ValueError(
                "no number of topics finds a difference of 0: give the least that matters"
            )
        if not self.alpha < self.power < 1:
            raise refusal(
                Option("power"),
                f" must lie between alpha ({self.alpha:g}) and 1, not {shown(self.power)}",
            )
        if self.sd is not None:
            if self.sd <= 0:
                raise refusal(Option("sd"), f" must be above 0, not {shown(self.sd)}")
            object.__setattr__(self, "sd", float(self.sd))

    @property
    def level(self) -> float:
        """The significance level of each pair, where a formula plans for Bonferroni's correction."""
        return self.alpha / self.pairs
